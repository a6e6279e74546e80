//! Regional explicit congestion notification, by `docs/model-recn.md`: lists of turns and sets of
//! packets where the engine has bits and counts.

use super::schedulers::Head;
use super::{Arriving, Fabric};
use hopscope_core::network::{End, Network};
use hopscope_core::observe::{CongestionTree, CongestionTrees, SaqCounts};
use hopscope_core::scenario::{
    Claims, CongestionSpec, CutThroughSpec, OutputOrder, Recn as Parameters, RecnQos, SwitchSpec,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// From this number on, places of queues at an input port are SAQs.
const SAQS: usize = 1000;

/// A port: the output or NIC that a channel leaves, or the input that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Port {
    Output(usize),
    Input(usize),
}

/// A packet at a port, with the place of the port's channel on its path: it may come again.
type Visit = (usize, usize);

/// A congested point, or all that a packet has before it: turns and, if levels matter, a level.
#[derive(Clone, PartialEq)]
struct Point {
    turns: Vec<u16>,
    level: Option<u8>,
}

struct Line {
    point: Point,
    xoff: bool,
    /// Packets that were before the marker, and the SAQ in whose queue it is, if it is in one.
    marker: Option<(BTreeSet<Visit>, Option<usize>)>,
    used: bool,
    stopping: bool,
    asked: bool,
    told: bool,
    wanted: bool,
}

#[derive(Default)]
struct Cam {
    lines: Vec<Option<Line>>,
    counts: SaqCounts,
    /// SAQs that may not send.
    stopped: BTreeSet<usize>,
    /// Per standard queue: the queue that sent last, of it and the SAQs of its level.
    last: BTreeMap<usize, usize>,
}

#[derive(Clone)]
enum Control {
    Notify(Point, bool),
    Flow(Point, bool),
    Freed(Point),
    Gone(Point),
}

struct Sent {
    arrives: u64,
    channel: usize,
    to_receiver: bool,
    control: Control,
}

pub struct Recn {
    spec: Parameters,
    /// Levels, and what RECN with levels has of its own.
    levels: Option<(usize, RecnQos)>,
    credit_bytes: u32,
    control_flits: u64,
    cams: BTreeMap<Port, Cam>,
    /// Per switch and port: the channel that arrives and the one that leaves.
    arriving: BTreeMap<(usize, usize), usize>,
    leaving: BTreeMap<(usize, usize), usize>,
    /// Per channel: port numbers of its ends, and the ports of the switch that it leads to.
    numbers: Vec<(u16, u16, u16)>,
    injections: Vec<usize>,
    /// Channels that lead to a host.
    ejections: BTreeSet<usize>,
    control: Vec<Sent>,
    /// Packets that NICs prepare: channel, cycle in which they are ready.
    pub prepared: VecDeque<(usize, u64, Arriving)>,
    /// The same of packets in transit.
    pub in_transit: VecDeque<(usize, u64, Arriving)>,
    /// In this cycle: switch, output, queue, input; and switch, input, queue.
    /// Each with the level.
    to_outputs: BTreeSet<(usize, usize, usize, usize, u8)>,
    to_inputs: BTreeSet<(usize, usize, usize, u8, Vec<u16>)>,
    /// Congestion trees that live, by root and level: since when, and most queues at a time.
    living: BTreeMap<(usize, Option<u8>), (u64, usize)>,
    /// Those that are gone, and the number of all.
    gone: Vec<CongestionTree>,
    formed: u64,
    /// Per pair of hosts and level: the packet received last.
    received: BTreeMap<(u32, u32, u8), usize>,
}

/// The life of a congestion tree.
fn life_of(
    (root, level): (usize, Option<u8>),
    (from, most): (u64, usize),
    to: Option<u64>,
) -> CongestionTree {
    CongestionTree { channel: root as u32, level, from, to, queues: most as u32 }
}

impl Recn {
    pub fn new(network: &Network, spec: &CutThroughSpec) -> Option<Self> {
        let SwitchSpec::CombinedQueues(switch) = &spec.switch else { return None };
        let (parameters, levels) = match &switch.congestion {
            CongestionSpec::Unmanaged(_) => return None,
            CongestionSpec::Recn(recn) => (recn.clone(), None),
            CongestionSpec::RecnQos(with) => {
                (with.recn(), Some((spec.qos.levels.len(), with.clone())))
            }
        };
        let (mut arriving, mut leaving) = (BTreeMap::new(), BTreeMap::new());
        let (mut numbers, mut injections) = (Vec::new(), Vec::new());
        let mut ejections = BTreeSet::new();
        let mut cams = BTreeMap::new();
        for (channel, ends) in network.channels().iter().enumerate() {
            let mut number = (0, 0, 1);
            let cam = || Cam {
                lines: (0..parameters.saqs).map(|_| None).collect(),
                ..Default::default()
            };
            cams.insert(Port::Output(channel), cam());
            cams.insert(Port::Input(channel), cam());
            match ends.from {
                End::Switch(switch, port) => {
                    leaving.insert((switch.index(), port.into()), channel);
                    number.0 = port;
                }
                End::Host(_) => injections.push(channel),
            }
            match ends.to {
                End::Switch(switch, port) => {
                    arriving.insert((switch.index(), port.into()), channel);
                    (number.1, number.2) = (port, network.switches()[switch.index()].ports);
                }
                End::Host(_) => {
                    ejections.insert(channel);
                }
            }
            numbers.push(number);
        }
        Some(Self {
            spec: parameters,
            levels,
            credit_bytes: spec.credit_bytes,
            control_flits: u64::from(8_u32.div_ceil(spec.flit_bytes)),
            cams,
            arriving,
            leaving,
            numbers,
            injections,
            ejections,
            control: Vec::new(),
            prepared: VecDeque::new(),
            in_transit: VecDeque::new(),
            to_outputs: BTreeSet::new(),
            to_inputs: BTreeSet::new(),
            living: BTreeMap::new(),
            gone: Vec::new(),
            formed: 0,
            received: BTreeMap::new(),
        })
    }

    /// The most standard queues, and the SAQs.
    pub fn queues_of_senders(&self) -> usize {
        self.levels.as_ref().map_or(1, |levels| levels.0) + self.spec.saqs as usize
    }

    /// Standard queues of a sender.
    pub fn standards(&self, channel: usize) -> usize {
        match &self.levels {
            Some((levels, _)) if self.injections.contains(&channel) => *levels,
            _ => 1,
        }
    }

    /// Lanes that the scheduler of a sender sees.
    pub fn lanes_of(&self, sender: End) -> usize {
        match (&self.levels, sender) {
            (Some((levels, _)), End::Host(_)) => *levels,
            _ => 1,
        }
    }

    /// The way of a packet along some channels.
    fn way(&self, path: &[usize], level: u8) -> Point {
        Point { turns: self.turns(path), level: self.levels.as_ref().map(|_| level) }
    }

    pub fn counts(&self, channels: usize) -> Vec<[SaqCounts; 2]> {
        let of = |port: Port| {
            let cam = &self.cams[&port];
            SaqCounts { in_use: cam.lines.iter().flatten().count() as u32, ..cam.counts }
        };
        (0..channels).map(|c| [of(Port::Output(c)), of(Port::Input(c))]).collect()
    }

    /// The channel that leaves the point to which turns lead from a port.
    fn root(&self, port: Port, turns: &[u16]) -> usize {
        let mut at = match port {
            Port::Input(channel) | Port::Output(channel) => channel,
        };
        for turn in turns {
            let (_, input, ports) = self.numbers[at];
            let output = usize::from((input + turn) % ports);
            let arrives = |one: &&(usize, usize)| self.arriving[*one] == at;
            let switch = self.arriving.keys().find(arrives).expect("it leads to a switch").0;
            at = self.leaving[&(switch, output)];
        }
        at
    }

    /// The queues of each congestion tree, by root and level.
    fn trees(&self) -> BTreeMap<(usize, Option<u8>), usize> {
        let mut trees = BTreeMap::new();
        for (&port, cam) in &self.cams {
            for line in cam.lines.iter().flatten() {
                let root = self.root(port, &line.point.turns);
                *trees.entry((root, line.point.level)).or_insert(0) += 1;
            }
        }
        trees
    }

    /// In phase 6: all queues that have been allocated in it are, and none has been freed.
    fn note_grown_trees(&mut self, t: u64) {
        for (tree, queues) in self.trees() {
            let formed = &mut self.formed;
            let (_, most) = self.living.entry(tree).or_insert_with(|| {
                *formed += 1;
                (t, 0)
            });
            *most = queues.max(*most);
        }
    }

    /// At the end of phase 6.
    fn note_gone_trees(&mut self, t: u64) {
        let left = self.trees();
        for (tree, life) in std::mem::take(&mut self.living) {
            if left.contains_key(&tree) {
                self.living.insert(tree, life);
            } else {
                self.gone.push(life_of(tree, life, Some(t)));
            }
        }
    }

    pub fn lives(&self) -> CongestionTrees {
        let living = self.living.iter().map(|(&tree, &life)| life_of(tree, life, None));
        // Of those that are gone, the longest.
        let mut gone = self.gone.clone();
        let cycles = |tree: &CongestionTree| tree.to.expect("it is gone") - tree.from;
        gone.sort_by_key(|tree| (u64::MAX - cycles(tree), tree.from, tree.channel, tree.level));
        let mut trees: Vec<CongestionTree> = gone.into_iter().take(100).chain(living).collect();
        trees.sort_by_key(|tree| (tree.from, tree.channel, tree.level));
        CongestionTrees { formed: self.formed, trees }
    }

    fn cam(&mut self, port: Port) -> &mut Cam {
        self.cams.get_mut(&port).expect("every channel has two ends")
    }

    fn turn(&self, arrives: usize, leaves: usize) -> u16 {
        let ((_, input, ports), (output, ..)) = (self.numbers[arrives], self.numbers[leaves]);
        (output + ports - input) % ports
    }

    /// The turns along some channels, up to the first host.
    fn turns(&self, path: &[usize]) -> Vec<u16> {
        let in_network = path.windows(2).take_while(|two| !self.ejections.contains(&two[0]));
        in_network.map(|two| self.turn(two[0], two[1])).collect()
    }

    pub fn join_input(
        &mut self,
        switch: usize,
        port: usize,
        path: &[usize],
        output: usize,
        level: u8,
    ) -> usize {
        let way = self.way(path, level);
        let cam = self.cam(Port::Input(path[0]));
        let place = match cam.longest(&way, usize::MAX) {
            Some(line) => {
                cam.lines[line].as_mut().expect("it matches").used = true;
                SAQS + line
            }
            None => output,
        };
        let turns = self.turns(path);
        self.to_inputs.insert((switch, port, place, level, turns));
        place
    }

    pub fn join_output(
        &mut self,
        switch: usize,
        output: usize,
        input: usize,
        path: &[usize],
        level: u8,
    ) -> usize {
        let queue = self.join_sender(path, level);
        self.to_outputs.insert((switch, output, queue, input, level));
        queue
    }

    fn join_sender(&mut self, path: &[usize], level: u8) -> usize {
        let way = self.way(path, level);
        let standards = self.standards(path[0]);
        let cam = self.cam(Port::Output(path[0]));
        match cam.longest(&way, usize::MAX) {
            Some(line) => {
                cam.lines[line].as_mut().expect("it matches").used = true;
                standards + line
            }
            None if standards > 1 => level.into(),
            None => 0,
        }
    }

    /// A packet that takes this path from an output may not cross: its SAQ there has no space.
    pub fn refuses(&self, path: &[usize], level: u8) -> bool {
        let cam = &self.cams[&Port::Output(path[0])];
        let line = cam.longest(&self.way(path, level), usize::MAX);
        let stops = |line: usize| cam.lines[line].as_ref().is_some_and(|line| line.stopping);
        self.levels.is_some() && line.is_some_and(stops)
    }

    pub fn stops_input(&self, channel: usize, place: usize) -> bool {
        place >= SAQS && self.cams[&Port::Input(channel)].stopped.contains(&(place - SAQS))
    }
}

impl Cam {
    /// The line with the most turns, but fewer than `below`, that begin those of a way.
    fn longest(&self, way: &Point, below: usize) -> Option<usize> {
        let begins = |line: &Line| {
            let Point { turns, level } = &line.point;
            way.turns.starts_with(turns) && turns.len() < below && way.level == *level
        };
        let lines = self.lines.iter().enumerate();
        let matching = lines.filter_map(|(i, line)| line.as_ref().map(|line| (i, line)));
        let longest = matching.filter(|(_, line)| begins(line));
        longest.max_by_key(|(_, line)| line.point.turns.len()).map(|(i, _)| i)
    }

    fn find(&self, point: &Point) -> Option<usize> {
        let has = |line: &Option<Line>| line.as_ref().is_some_and(|line| line.point == *point);
        self.lines.iter().position(has)
    }

    fn line(&mut self, i: usize) -> &mut Line {
        self.lines[i].as_mut().expect("a line in use")
    }

    fn in_use(&self) -> Vec<usize> {
        (0..self.lines.len()).filter(|&i| self.lines[i].is_some()).collect()
    }
}

impl Fabric<'_> {
    fn recn(&mut self) -> &mut Recn {
        self.recn.as_mut().expect("it is managed")
    }

    /// Packets that are prepared join the queues of their NICs.
    pub fn join_queues_of_nics(&mut self, t: u64) -> bool {
        let Self { recn: Some(recn), packets, channels, nics, met, .. } = self else {
            return false;
        };
        let mut any = false;
        while recn.prepared.front().is_some_and(|one| one.1 <= t) {
            let (injection, _, entry) = recn.prepared.pop_front().expect("just seen");
            let path: Vec<usize> = packets[entry.packet].path.iter().map(|one| one.0).collect();
            let queue = recn.join_sender(&path, packets[entry.packet].level);
            channels[injection].lanes[queue].push_back(entry);
            any = true;
        }
        while recn.in_transit.front().is_some_and(|one| one.1 <= t) {
            let (injection, _, entry) = recn.in_transit.pop_front().expect("just seen");
            let path: Vec<usize> = packets[entry.packet].path.iter().map(|one| one.0).collect();
            let queue = recn.join_sender(&path[entry.leg..], packets[entry.packet].level);
            if queue >= recn.standards(injection) {
                met.insert("a packet in transit joins a SAQ");
            }
            let End::Host(host) = channels[injection].from else { panic!("a NIC's channel") };
            nics[host.index()].join_transit(queue, entry);
            any = true;
        }
        any || !recn.prepared.is_empty() || !recn.in_transit.is_empty()
    }

    /// Packets of a pair of hosts and a level arrive in the order in which they were sent.
    pub fn keeps_order(&mut self, packet: usize) {
        let Self { recn: Some(recn), packets, specs, .. } = self else { return };
        let spec = &specs[packets[packet].message];
        let before = recn.received.insert((spec.from.0, spec.to.0, spec.level), packet);
        assert!(before.is_none_or(|before| before < packet), "a packet is overtaken");
    }

    /// Phase 5 of a sender: queues that may send take turns.
    pub fn send_under_recn(&mut self, c: usize, t: u64) -> bool {
        let queues = self.recn().queues_of_senders();
        let heads: Vec<Option<Head>> = (0..queues).map(|queue| self.head(c, queue, t)).collect();
        let recn = self.recn.as_ref().expect("it is managed");
        let (cam, standards) = (&recn.cams[&Port::Output(c)], recn.standards(c));
        let fits = |queue: usize| {
            heads[queue].is_some_and(|head| self.channels[c].credits.fits(0, head.credits))
        };
        let may_send =
            |queue: usize| queue < standards || !cam.stopped.contains(&(queue - standards));
        // Of each standard queue and the SAQs of its level, the first one after the last.
        let of = |standard: usize, queue: usize| match queue.checked_sub(standards) {
            None => queue == standard,
            Some(line) => cam.lines.get(line).and_then(Option::as_ref).is_some_and(|line| {
                standards == 1 || line.point.level.map(usize::from) == Some(standard)
            }),
        };
        // Outputs of switches may prefer levels with a small counter.
        let counter = |queue: usize| match (&recn.levels, self.channels[c].from) {
            (Some((_, with)), End::Switch(switch, port))
                if with.output_order == OutputOrder::Counters =>
            {
                let level = heads[queue].expect("it fits").level as u8;
                self.combined[switch.index()].counter(port.into(), level)
            }
            _ => 0,
        };
        let next_of = |standard: usize| {
            let last = cam.last.get(&standard).copied().unwrap_or(standard);
            let turn = (1..=queues).map(|n| (last + n) % queues);
            let able = turn.filter(|&queue| of(standard, queue) && fits(queue) && may_send(queue));
            // The first of equal ones.
            able.min_by_key(|&queue| counter(queue))
        };
        let next: Vec<Option<usize>> = (0..standards).map(next_of).collect();
        if next.iter().flatten().count() > 1 {
            self.met.insert("levels compete at a NIC");
        }
        if self.channels[c].sending.is_none() && next.iter().any(Option::is_some) {
            let lanes: Vec<Option<Head>> =
                next.iter().map(|queue| queue.and_then(|queue| heads[queue])).collect();
            let choice = self.channels[c].scheduler.choose(&lanes, t);
            let queue = next[choice.lane].expect("the scheduler chooses one that is there");
            self.recn().cam(Port::Output(c)).last.insert(choice.lane, queue);
            let wait = if choice.goes_on { 0 } else { u64::from(self.spec.scheduling_cycles) };
            self.start_from(c, queue, 0, t + wait, t);
        }
        let channel = &mut self.channels[c];
        channel.is_blocked = channel.sending.is_none() && heads.iter().any(Option::is_some);
        channel.blocked += u64::from(channel.is_blocked);
        self.send_flit(c, t)
    }

    /// The packets in a queue of a port: 0 or the output's number for the standard or detection
    /// queue, or else a SAQ.
    fn packets_in(&self, port: Port, queue: Result<usize, usize>) -> BTreeSet<Visit> {
        match port {
            Port::Output(c) => {
                let standards = self.recn.as_ref().expect("it is managed").standards(c);
                let queue = queue.unwrap_or_else(|line| standards + line);
                let visit = |entry: &Arriving| (entry.packet, entry.leg);
                let mut packets: BTreeSet<Visit> =
                    self.channels[c].lanes[queue].iter().map(visit).collect();
                if let End::Host(host) = self.channels[c].from {
                    packets.extend(self.nics[host.index()].in_transit(queue).map(visit));
                }
                packets
            }
            Port::Input(c) => match self.channels[c].to {
                End::Switch(switch, number) => {
                    let place = queue.unwrap_or_else(|line| SAQS + line);
                    let packets = self.packets_at_input(switch.index(), number.into(), place);
                    packets.into_iter().collect()
                }
                End::Host(_) => BTreeSet::new(),
            },
        }
    }

    /// Bytes in a queue of a port.
    fn bytes_in(&self, port: Port, queue: Result<usize, usize>) -> u32 {
        let unit = self.recn.as_ref().expect("it is managed").credit_bytes;
        self.packets_in(port, queue).iter().map(|&(p, _)| self.packets[p].credits * unit).sum()
    }

    /// Allocates a SAQ at a port; `standard` is the queue of packets through this point that match
    /// no line. The line is new, there already, or refused.
    fn claim(
        &mut self,
        port: Port,
        point: &Point,
        standard: usize,
        xoff: bool,
    ) -> Result<(usize, bool), ()> {
        let cam = &self.recn.as_ref().expect("it is managed").cams[&port];
        if let Some(there) = cam.find(point) {
            return Ok((there, false));
        }
        let parent = cam.longest(point, point.turns.len());
        let before = self.packets_in(port, parent.map_or(Ok(standard), Err));
        if !before.is_empty() {
            self.met.insert("packets are before a marker");
        }
        if let Port::Output(c) = port
            && let End::Host(_) = self.channels[c].from
            && before.iter().any(|&(_, leg)| leg > 0)
        {
            self.met.insert("packets in transit are before a marker");
        }
        if parent.is_some() {
            self.met.insert("a SAQ takes packets from another one");
        }
        let cam = self.recn().cam(port);
        let Some(free) = cam.lines.iter().position(Option::is_none) else {
            cam.counts.refusals += 1;
            self.met.insert("a SAQ is refused");
            return Err(());
        };
        cam.lines[free] = Some(Line {
            point: point.clone(),
            xoff,
            marker: Some((before, parent)),
            used: false,
            stopping: false,
            asked: false,
            told: false,
            wanted: false,
        });
        cam.counts.allocations += 1;
        cam.counts.peak = cam.counts.peak.max(cam.in_use().len() as u32);
        self.met.insert("a SAQ is allocated");
        if point.turns.is_empty() {
            self.met.insert("a SAQ for a whole level");
        }
        if point.turns.len() > 1 {
            self.met.insert("a SAQ for a point of another switch");
        }
        Ok((free, true))
    }

    fn send_control(&mut self, t: u64, channel: usize, to_receiver: bool, control: Control) {
        let arrives = t + self.channels[channel].delay + self.recn().control_flits;
        let from = if to_receiver { Port::Output(channel) } else { Port::Input(channel) };
        self.recn().cam(from).counts.control_packets += 1;
        self.recn().control.push(Sent { arrives, channel, to_receiver, control });
    }

    /// Phase 6.
    pub fn manage_congestion(&mut self, t: u64) {
        if self.recn.is_none() {
            return;
        }
        for cam in self.recn().cams.values_mut() {
            cam.counts.cycles_in_use += u64::from(cam.lines.iter().any(Option::is_some));
        }
        self.receive_control(t);
        let (outputs, inputs) = {
            let recn = self.recn();
            (std::mem::take(&mut recn.to_outputs), std::mem::take(&mut recn.to_inputs))
        };
        for (switch, output, queue, input, level) in outputs {
            self.output_joined(switch, output, queue, input, level);
        }
        for (switch, input, place, level, turns) in inputs {
            self.claim_on_arrival(switch, input, level, &turns);
            self.input_joined(t, switch, input, place, level);
        }
        self.recn().note_grown_trees(t);
        let switches = 0..self.network.switches().len();
        for switch in switches.clone() {
            let ports = self.ports_of(switch);
            self.pass_markers(&ports);
            self.flow_control(t, switch, &ports);
            self.free_lines(t, switch, &ports);
            self.note_stops(&ports);
        }
        for injection in self.recn().injections.clone() {
            let ports = [Port::Output(injection)];
            self.pass_markers(&ports);
            self.flow_control(t, usize::MAX, &ports);
            self.free_lines(t, usize::MAX, &ports);
            self.note_stops(&ports);
        }
        self.recn().note_gone_trees(t);
    }

    /// The ports of a switch: of each number the input, then the output.
    fn ports_of(&mut self, switch: usize) -> Vec<Port> {
        let count = self.network.switches()[switch].ports.into();
        let recn = self.recn();
        let both = |port| {
            let input = recn.arriving.get(&(switch, port)).map(|&c| Port::Input(c));
            let output = recn.leaving.get(&(switch, port)).map(|&c| Port::Output(c));
            [input, output]
        };
        (0..count).flat_map(both).flatten().collect()
    }

    /// Step 1.
    fn receive_control(&mut self, t: u64) {
        let sent = std::mem::take(&mut self.recn().control);
        let (mut due, later): (Vec<_>, Vec<_>) = sent.into_iter().partition(|s| s.arrives <= t);
        self.recn().control = later;
        due.sort_by_key(|sent| (sent.channel, sent.to_receiver));
        for Sent { channel, control, .. } in due {
            let (output, input) = (Port::Output(channel), Port::Input(channel));
            match control {
                Control::Notify(point, xoff) => match self.claim_at_sender(channel, &point, xoff) {
                    Ok((line, is_new)) => {
                        let line = self.recn().cam(output).line(line);
                        (line.xoff, line.wanted) = (xoff, true);
                        if is_new && matches!(self.channels[channel].from, End::Host(_)) {
                            self.met.insert("congestion reaches a NIC");
                        }
                    }
                    Err(()) => self.send_control(t, channel, true, Control::Gone(point)),
                },
                Control::Flow(point, xoff) => {
                    let cam = self.recn().cam(output);
                    if let Some(line) = cam.find(&point) {
                        cam.line(line).xoff = xoff;
                        self.met.insert(if xoff { "Xoff on a link" } else { "Xon on a link" });
                    }
                }
                Control::Freed(point) => {
                    let cam = self.recn().cam(output);
                    if let Some(line) = cam.find(&point) {
                        cam.line(line).wanted = false;
                    }
                }
                Control::Gone(point) => {
                    let cam = self.recn().cam(input);
                    if let Some(line) = cam.find(&point) {
                        cam.line(line).told = false;
                    }
                }
            }
        }
    }

    fn claim_at_sender(
        &mut self,
        channel: usize,
        point: &Point,
        xoff: bool,
    ) -> Result<(usize, bool), ()> {
        let standard = self.standard(Port::Output(channel), point);
        self.claim(Port::Output(channel), point, standard, xoff)
    }

    /// The point of an output, one turn before.
    fn before(&self, arrives: usize, leaves: usize, point: &Point) -> Point {
        let first = self.recn.as_ref().expect("it is managed").turn(arrives, leaves);
        let turns = [first].into_iter().chain(point.turns.iter().copied()).collect();
        Point { turns, level: point.level }
    }

    /// True if levels do not matter, or this one is too far ahead of its share of an output.
    fn exceeds_share(&self, switch: usize, output: usize, level: u8) -> bool {
        let recn = self.recn.as_ref().expect("it is managed");
        recn.levels.as_ref().is_none_or(|(_, with)| {
            // Whole blocks count.
            self.combined[switch].counter(output, level) > i64::from(with.counter_bytes / 64)
        })
    }

    /// No turns, and the level if levels matter.
    fn whole(&self, level: u8) -> Point {
        let recn = self.recn.as_ref().expect("it is managed");
        Point { turns: Vec::new(), level: recn.levels.as_ref().map(|_| level) }
    }

    /// Step 2.
    fn output_joined(
        &mut self,
        switch: usize,
        output: usize,
        queue: usize,
        input: usize,
        level: u8,
    ) {
        let recn = self.recn();
        let (leaves, arrives) = (recn.leaving[&(switch, output)], recn.arriving[&(switch, input)]);
        let (detection, propagation) = (recn.spec.detection_bytes, recn.spec.propagation_bytes);
        let port = Port::Output(leaves);
        let name = queue.checked_sub(1).map_or(Ok(0), Err);
        let bytes = self.bytes_in(port, name);
        let (after, xoff) = match name {
            Ok(_) if bytes > detection && self.exceeds_share(switch, output, level) => {
                let whole = self.whole(level);
                if whole.level.is_some() {
                    let _ = self.claim(port, &whole, 0, false);
                    self.met.insert("an output detects a level");
                }
                let stops = self.stops(port, &whole);
                (whole, stops)
            }
            Err(line) if bytes > propagation => {
                let line = self.recn().cam(port).line(line);
                (line.point.clone(), line.stopping)
            }
            _ => return,
        };
        let point = self.before(arrives, leaves, &after);
        let _ = self.claim(Port::Input(arrives), &point, output, xoff);
    }

    /// True if a port has a line of this point whose SAQ has no space.
    fn stops(&mut self, port: Port, point: &Point) -> bool {
        let cam = self.recn().cam(port);
        cam.find(point).is_some_and(|line| cam.line(line).stopping)
    }

    /// With `claims: arrival`, the first part of step 3.
    fn claim_on_arrival(&mut self, switch: usize, input: usize, level: u8, turns: &[u16]) {
        let recn = self.recn.as_ref().expect("it is managed");
        if recn.levels.as_ref().is_none_or(|(_, with)| with.claims != Claims::Arrival) {
            return;
        }
        let (arrives, propagation) = (recn.arriving[&(switch, input)], recn.spec.propagation_bytes);
        let way = Point { turns: turns.to_vec(), level: Some(level) };
        let output = self.standard(Port::Input(arrives), &way);
        let leaves = self.recn().leaving[&(switch, output)];
        let rest = Point { turns: turns[1..].to_vec(), level: Some(level) };
        let cam = self.recn().cam(Port::Output(leaves));
        let Some(i) = cam.longest(&rest, usize::MAX) else { return };
        let line = cam.line(i);
        let (after, stopping) = (line.point.clone(), line.stopping);
        if after.turns.is_empty() || self.bytes_in(Port::Output(leaves), Err(i)) > propagation {
            let point = self.before(arrives, leaves, &after);
            if let Ok((_, true)) = self.claim(Port::Input(arrives), &point, output, stopping) {
                self.met.insert("an arriving packet claims a SAQ");
            }
        }
    }

    /// Step 3.
    fn input_joined(&mut self, t: u64, switch: usize, input: usize, place: usize, level: u8) {
        let recn = self.recn();
        let arrives = recn.arriving[&(switch, input)];
        let propagation = recn.spec.propagation_bytes;
        let port = Port::Input(arrives);
        let line = match place.checked_sub(SAQS) {
            None => self.detection_queue_joined((switch, place), arrives, level),
            Some(line) => {
                let is_told = self.recn().cam(port).line(line).told;
                let is_full = self.bytes_in(port, Err(line)) > propagation;
                (is_full && !is_told).then_some(line)
            }
        };
        let Some(line) = line else { return };
        let line = self.recn().cam(port).line(line);
        (line.asked, line.told) = (true, true);
        let notification = Control::Notify(line.point.clone(), line.stopping);
        self.send_control(t, arrives, false, notification);
    }

    /// Step 3 for the detection queue of an output. The line to notify of, if any.
    fn detection_queue_joined(
        &mut self,
        (switch, output): (usize, usize),
        arrives: usize,
        level: u8,
    ) -> Option<usize> {
        let recn = self.recn();
        let (leaves, detection) = (recn.leaving[&(switch, output)], recn.spec.detection_bytes);
        let (port, whole) = (Port::Input(arrives), self.whole(level));
        let point = self.before(arrives, leaves, &whole);
        let is_congested = self.bytes_in(port, Ok(output)) > detection
            && self.exceeds_share(switch, output, level);
        if self.recn().levels.is_none() {
            if !is_congested {
                return None;
            }
            let claimed = self.claim(port, &point, output, false);
            return claimed.ok().and_then(|(line, is_new)| is_new.then_some(line));
        }
        if is_congested {
            let xoff = self.stops(Port::Output(leaves), &whole);
            let _ = self.claim(port, &point, output, xoff);
            self.met.insert("an input detects a level");
            let _ = self.claim(Port::Output(leaves), &whole, 0, false);
        }
        None
    }

    /// Step 4.
    fn pass_markers(&mut self, ports: &[Port]) {
        for &port in ports {
            loop {
                let cam = &self.recn.as_ref().expect("it is managed").cams[&port];
                let passes = cam.in_use().into_iter().find(|&i| {
                    let marker = cam.lines[i].as_ref().and_then(|line| line.marker.as_ref());
                    marker.is_some_and(|(before, parent)| {
                        let waits = |line: usize| {
                            cam.lines[line].as_ref().is_some_and(|line| line.marker.is_some())
                        };
                        let point = &cam.lines[i].as_ref().expect("in use").point;
                        let queue = parent.map_or_else(|| Ok(self.standard(port, point)), Err);
                        let there = self.packets_in(port, queue);
                        before.is_disjoint(&there) && !parent.is_some_and(waits)
                    })
                });
                let Some(line) = passes else { break };
                self.recn().cam(port).line(line).marker = None;
                self.met.insert("a marker passes");
            }
        }
    }

    /// The number of the standard or detection queue at a port for a point.
    fn standard(&self, port: Port, point: &Point) -> usize {
        let recn = self.recn.as_ref().expect("it is managed");
        match port {
            Port::Output(channel) => match point.level {
                Some(level) if recn.standards(channel) > 1 => level.into(),
                _ => 0,
            },
            Port::Input(channel) => {
                let (_, input, ports) = recn.numbers[channel];
                ((input + point.turns[0]) % ports).into()
            }
        }
    }

    /// Step 5.
    fn flow_control(&mut self, t: u64, switch: usize, ports: &[Port]) {
        for &port in ports {
            for i in self.recn().cam(port).in_use() {
                let bytes = self.bytes_in(port, Err(i));
                let Parameters { xoff_bytes, xon_bytes, .. } = self.recn().spec;
                let line = self.recn().cam(port).line(i);
                let stops = bytes > if line.stopping { xon_bytes } else { xoff_bytes };
                if stops == line.stopping {
                    continue;
                }
                line.stopping = stops;
                let (point, asked) = (line.point.clone(), line.asked);
                match port {
                    Port::Input(channel) => {
                        if asked {
                            self.send_control(t, channel, false, Control::Flow(point, stops));
                        }
                    }
                    Port::Output(leaves) => {
                        let arriving = self.recn().arriving.iter().filter(|(at, _)| at.0 == switch);
                        let inputs: Vec<usize> = arriving.map(|(_, &channel)| channel).collect();
                        let mut any = false;
                        for arrives in inputs {
                            let before = self.before(arrives, leaves, &point);
                            let cam = self.recn().cam(Port::Input(arrives));
                            if let Some(line) = cam.find(&before) {
                                cam.line(line).xoff = stops;
                                any = true;
                            }
                        }
                        if any {
                            self.met.insert("Xoff inside a switch");
                        }
                    }
                }
            }
        }
    }

    /// Step 6.
    fn free_lines(&mut self, t: u64, switch: usize, ports: &[Port]) {
        let is_input = |port: &&Port| matches!(port, Port::Input(_));
        let inputs = ports.iter().filter(is_input);
        let outputs = ports.iter().filter(|port| !is_input(port));
        for &port in inputs.chain(outputs) {
            for i in self.recn().cam(port).in_use() {
                let asks = self.is_asked_for(switch, port, i);
                let is_empty = self.packets_in(port, Err(i)).is_empty();
                let line = self.recn().cam(port).line(i);
                let is_idle = is_empty && !line.xoff && line.marker.is_none() && !line.stopping;
                if !is_idle || !line.used && asks {
                    continue;
                }
                let (point, asked, used) = (line.point.clone(), line.asked, line.used);
                self.recn().cam(port).lines[i] = None;
                self.met.insert(if used { "a SAQ is freed" } else { "a SAQ was not needed" });
                if point.turns.is_empty() {
                    self.met.insert("a SAQ for a whole level is freed");
                }
                match port {
                    Port::Output(_) if point.turns.is_empty() => {}
                    Port::Output(channel) => {
                        self.send_control(t, channel, true, Control::Gone(point));
                    }
                    Port::Input(channel) if asked => {
                        self.send_control(t, channel, false, Control::Freed(point));
                    }
                    Port::Input(_) => {}
                }
            }
        }
    }

    /// True if what lies downstream asks for a line.
    fn is_asked_for(&mut self, switch: usize, port: Port, i: usize) -> bool {
        let detection = self.recn().spec.detection_bytes;
        let line = self.recn().cam(port).line(i);
        let (point, wanted) = (line.point.clone(), line.wanted);
        match port {
            Port::Output(_) if !point.turns.is_empty() => wanted,
            Port::Output(leaves) => {
                let recn = self.recn();
                let output = usize::from(recn.numbers[leaves].0);
                let inputs = recn.arriving.iter().filter(|(at, _)| at.0 == switch);
                let inputs: Vec<Port> = inputs.map(|(_, &c)| Port::Input(c)).collect();
                self.bytes_in(port, Ok(0)) > detection
                    || inputs.iter().any(|&input| self.bytes_in(input, Ok(output)) > detection)
            }
            Port::Input(_) => {
                let output = self.standard(port, &point);
                let after = Port::Output(self.recn().leaving[&(switch, output)]);
                let rest = Point { turns: point.turns[1..].to_vec(), level: point.level };
                let has_rest = self.recn().cam(after).find(&rest).is_some();
                has_rest
                    || rest.turns.is_empty()
                        && (self.bytes_in(after, Ok(0)) > detection
                            || self.bytes_in(port, Ok(output)) > detection)
            }
        }
    }

    /// SAQs that may not send from the next cycle on.
    fn note_stops(&mut self, ports: &[Port]) {
        for &port in ports {
            let cam = self.recn().cam(port);
            let stops = |line: &Line| line.xoff || line.marker.is_some();
            let stopped: BTreeSet<usize> = cam
                .in_use()
                .into_iter()
                .filter(|&i| cam.lines[i].as_ref().is_some_and(stops))
                .collect();
            let before = std::mem::replace(&mut cam.stopped, stopped.clone());
            if let Port::Input(channel) = port
                && let End::Switch(switch, number) = self.channels[channel].to
            {
                for &line in before.difference(&stopped) {
                    self.goes_on(switch.index(), number.into(), SAQS + line);
                }
            }
        }
    }
}

//! Inside a combined input-output queued switch: queues, matching and crossing.

use super::{Arriving, Fabric, Flit, Packet, Recn};
use hopscope_core::network::{End, Network};
use hopscope_core::scenario::{ArbiterSpec, CombinedQueues, CutThroughSpec, QueueScheme};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A queue at an input port: lane, and output port or destination host, or 0.
type QueueName = (usize, usize);

/// What the rank of a packet may depend on: its input, output, lane and level.
type Line = (usize, usize, usize, u8);

/// Candidates that wait in a queue.
struct Queue {
    packets: VecDeque<Arriving>,
    /// When its foremost packet became that, as a number that grows over the run.
    since: u64,
}

/// A packet that crosses from an input port.
struct Crossing {
    packet: Arriving,
    output: usize,
    lane: usize,
    start: u64,
}

struct Input {
    channel: usize,
    /// Packets of which a flit has arrived and that are no candidates yet.
    arriving: Vec<Arriving>,
    queues: BTreeMap<QueueName, Queue>,
    crossing: Option<Crossing>,
    free_from: u64,
    /// The output last connected or, for iSLIP, last accepted in a first iteration.
    last: Option<usize>,
    /// Per output: the lane that last crossed to it.
    last_lane: BTreeMap<usize, usize>,
}

struct Output {
    channel: usize,
    connected: bool,
    free_from: u64,
    /// As for inputs.
    last: Option<usize>,
}

pub struct Combined {
    ports: usize,
    scheme: QueueScheme,
    percent: u64,
    /// Cycles from the arrival of a flit until it may cross.
    delay: u64,
    arbiter: ArbiterSpec,
    /// Per level: cycles after which its counters lose a block.
    periods: Vec<u64>,
    /// Bandwidth counters, blocks of 64 bytes by output and level.
    counters: BTreeMap<(usize, u8), i64>,
    inputs: BTreeMap<usize, Input>,
    outputs: BTreeMap<usize, Output>,
    /// Per input, output and lane: the cycle after that in which a packet last began to cross.
    last_sent: BTreeMap<(usize, usize, usize), u64>,
    /// The same: how often since then one of its packets might have crossed and did not.
    passed_over: BTreeMap<(usize, usize, usize), usize>,
    /// Per channel that leaves: its port.
    port_of: BTreeMap<usize, usize>,
    clock: u64,
}

/// The first of a set in cyclic order after the last one.
fn turn(set: impl IntoIterator<Item = usize>, last: Option<usize>, count: usize) -> Option<usize> {
    let first = last.map_or(0, |last| last + 1);
    set.into_iter().min_by_key(|&one| (one + count - first % count) % count)
}

impl Combined {
    pub fn new(
        network: &Network,
        spec: &CutThroughSpec,
        parameters: &CombinedQueues,
        switch: usize,
    ) -> Self {
        // Rounded up to whole cycles.
        let cycles = (1..).find(|n| n * spec.cycle_ps >= 1000 * u64::from(parameters.crossing_ns));
        let mut all = Self {
            ports: network.switches()[switch].ports.into(),
            scheme: parameters.queues,
            percent: parameters.speedup_percent.into(),
            delay: cycles.expect("some number is enough") - 1,
            arbiter: spec.arbiter.clone(),
            periods: periods(parameters, spec),
            counters: BTreeMap::new(),
            last_sent: BTreeMap::new(),
            passed_over: BTreeMap::new(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            port_of: BTreeMap::new(),
            clock: 0,
        };
        for (channel, ends) in network.channels().iter().enumerate() {
            if let End::Switch(at, port) = ends.to
                && at.index() == switch
            {
                all.inputs.insert(
                    port.into(),
                    Input {
                        channel,
                        arriving: Vec::new(),
                        queues: BTreeMap::new(),
                        crossing: None,
                        free_from: 0,
                        last: None,
                        last_lane: BTreeMap::new(),
                    },
                );
            }
            if let End::Switch(at, port) = ends.from
                && at.index() == switch
            {
                let output = Output { channel, connected: false, free_from: 0, last: None };
                all.outputs.insert(port.into(), output);
                all.port_of.insert(channel, port.into());
            }
        }
        all
    }
}

/// Cycles in which the guaranteed rate of each level sends a block of 64 bytes, rounded up.
fn periods(parameters: &CombinedQueues, spec: &CutThroughSpec) -> Vec<u64> {
    let levels = spec.qos.levels.len();
    let mut shares: Vec<u64> = parameters.shares.iter().map(|&share| share.into()).collect();
    if shares.is_empty() {
        shares = vec![1; levels];
    }
    let sum: u64 = shares.iter().sum();
    let suffices =
        |share: u64, cycles: u64| cycles * u64::from(spec.flit_bytes) * share >= 64 * sum;
    let period = |&share: &u64| (1..).find(|&cycles| suffices(share, cycles)).expect("some do");
    shares.iter().map(period).collect()
}

impl Combined {
    /// The bandwidth counter of a level at an output, blocks.
    pub fn counter(&self, output: usize, level: u8) -> i64 {
        self.counters.get(&(output, level)).copied().unwrap_or(0)
    }

    fn count(&mut self, output: usize, level: u8, blocks: i64) {
        let value = (self.counter(output, level) + blocks).clamp(-128, 127);
        self.counters.insert((output, level), value);
    }

    /// What the counters lose in a cycle.
    fn lose_blocks(&mut self, t: u64) {
        for level in 0..self.periods.len() {
            if t > 0 && t.is_multiple_of(self.periods[level]) {
                for output in self.outputs.keys().copied().collect::<Vec<_>>() {
                    self.count(output, level as u8, -1);
                }
            }
        }
    }
}

impl Input {
    fn is_free(&self, t: u64) -> bool {
        self.crossing.is_none() && self.free_from <= t
    }
}

impl Fabric<'_> {
    /// A flit enters an input buffer.
    pub fn arrive_at_combined(&mut self, switch: usize, port: usize, flit: Flit, t: u64) {
        let packet = &self.packets[flit.packet];
        let delay = self.combined[switch].delay;
        let input = self.combined[switch].inputs.get_mut(&port).expect("a port with a cable");
        if flit.number == 0 {
            let (packet, leg, from) = (flit.packet, flit.leg, Some(t + delay));
            let new = Arriving { packet, leg, ready: Vec::new(), moved: 0, from };
            input.arriving.push(new);
        }
        let waiting = input.queues.values_mut().flat_map(|queue| queue.packets.iter_mut());
        let crossing = input.crossing.iter_mut().map(|crossing| &mut crossing.packet);
        let entry = input.arriving.iter_mut().chain(waiting).chain(crossing);
        let entry = entry.into_iter().find(|a| a.packet == flit.packet).expect("it has begun");
        assert_eq!(entry.ready.len() as u64, flit.number, "flits arrive in order");
        entry.ready.push(t + delay);
        if !self.spec.express_levels.is_empty() && !packet.express {
            // Not before all of it can cross.
            entry.from = (flit.number + 1 == packet.flits).then_some(t + delay);
        }
    }

    /// Phases 3 and 4 of one switch, and the flits that cross.
    pub fn cross_combined(&mut self, switch: usize, t: u64) -> bool {
        self.join_queues(switch, t);
        self.combined[switch].lose_blocks(t);
        match self.combined[switch].arbiter.clone() {
            ArbiterSpec::Islip(islip) => self.match_islip(switch, islip.iterations, t),
            ArbiterSpec::SmallestCounter(_) => {
                let counter = |s: &Self, line: Line| s.combined[switch].counter(line.1, line.3);
                self.match_by_rank(switch, counter, Self::that_may_cross, t);
            }
            ArbiterSpec::CounterThreshold(rounds) => {
                let threshold = i64::from(rounds.threshold_bytes / 64);
                let round = |s: &Self, line: Line| {
                    i64::from(s.combined[switch].counter(line.1, line.3) >= threshold)
                };
                self.match_by_rank(switch, round, Self::that_may_cross, t);
            }
            ArbiterSpec::LeastRecentlyServed(_) => {
                let last = |s: &Self, (input, output, lane, _): Line| {
                    let last = s.combined[switch].last_sent.get(&(input, output, lane));
                    last.map_or(0, |&cycle| cycle as i64)
                };
                let lines = self.lines_that_may_send(switch, t);
                self.match_by_rank(switch, last, Self::first_of_lines, t);
                self.note_passed_over(switch, lines, t);
            }
            ArbiterSpec::RoundRobin(_) => self.match_round_robin(switch, t),
            ArbiterSpec::WeightedRandom(_) => panic!("these switches have no such arbiter"),
        }
        let ports: Vec<usize> = self.combined[switch].inputs.keys().copied().collect();
        let mut active = false;
        for port in ports {
            active |= self.move_flits_of_input(switch, port, t);
        }
        active
    }

    /// Packets that become candidates join their queues.
    fn join_queues(&mut self, switch: usize, t: u64) {
        let Self { packets, combined, specs, recn, .. } = self;
        let s = &mut combined[switch];
        for (&port, input) in &mut s.inputs {
            while let Some(i) =
                input.arriving.iter().position(|a| a.from.is_some_and(|from| from <= t))
            {
                let entry = input.arriving.remove(i);
                let packet = &packets[entry.packet];
                let lane = packet.path[entry.leg].1.into();
                let place = match s.scheme {
                    QueueScheme::None => 0,
                    QueueScheme::VoqSwitch => s.port_of[&packet.path[entry.leg + 1].0],
                    QueueScheme::VoqNetwork => specs[packet.message].to.index(),
                };
                let place = match recn {
                    None => place,
                    Some(recn) => {
                        let channels: Vec<usize> = packet.path.iter().map(|one| one.0).collect();
                        recn.join_input(switch, port, &channels[entry.leg..], place, packet.level)
                    }
                };
                s.clock += 1;
                let since = s.clock;
                let queue = input
                    .queues
                    .entry((lane, place))
                    .or_insert_with(|| Queue { packets: VecDeque::new(), since });
                if queue.packets.is_empty() {
                    queue.since = since;
                }
                queue.packets.push_back(entry);
            }
        }
    }

    /// The queues of an input port whose foremost packets want an output, of each lane the one
    /// whose foremost packet became that first.
    fn lines(&self, switch: usize, input: usize, output: usize) -> BTreeMap<usize, QueueName> {
        let s = &self.combined[switch];
        let mut lines: BTreeMap<usize, (u64, QueueName)> = BTreeMap::new();
        for (&name, queue) in &s.inputs[&input].queues {
            let Some(head) = queue.packets.front() else { continue };
            if self
                .recn
                .as_ref()
                .is_some_and(|recn| recn.stops_input(s.inputs[&input].channel, name.1))
            {
                continue;
            }
            if s.port_of[&self.packets[head.packet].path[head.leg + 1].0] == output
                && self.may_go_on(head)
            {
                let first = lines.entry(name.0).or_insert((queue.since, name));
                *first = (*first).min((queue.since, name));
            }
        }
        lines.into_iter().map(|(lane, (_, name))| (lane, name)).collect()
    }

    /// True if a packet at an input port has the private credits that it needs at the next one.
    fn may_go_on(&self, head: &Arriving) -> bool {
        let packet = &self.packets[head.packet];
        let (out, lane) = packet.path[head.leg + 1];
        self.has_private_credits(out, lane, self.specs[packet.message].to.0, packet.credits)
    }

    /// Notes whether queues of a line lack private credits, and whether another one has some.
    fn note_private_credits(&mut self, switch: usize, input: usize, output: usize) {
        let s = &self.combined[switch];
        let heads = s.inputs[&input].queues.values().filter_map(|queue| queue.packets.front());
        let wants =
            |head: &&Arriving| s.port_of[&self.packets[head.packet].path[head.leg + 1].0] == output;
        let (able, unable): (Vec<_>, Vec<_>) =
            heads.filter(wants).map(|head| self.may_go_on(head)).partition(|may| *may);
        if !unable.is_empty() {
            self.met.insert("a packet at an input waits for private credits");
        }
        if !unable.is_empty() && !able.is_empty() {
            self.met.insert("another packet for the output has private credits");
        }
    }

    /// The queue of an input port that sends next to an output.
    fn next_queue(&mut self, switch: usize, input: usize, output: usize) -> Option<QueueName> {
        self.note_private_credits(switch, input, output);
        let lines = self.lines(switch, input, output);
        let s = &self.combined[switch];
        let of_input = &s.inputs[&input];
        let fits = |name: &QueueName| {
            let head = of_input.queues[name].packets.front().expect("it is in a line");
            let packet = &self.packets[head.packet];
            let (out, lane) = packet.path[head.leg + 1];
            self.channels[out].buffer.fits(lane, packet.credits)
        };
        let (fitting, full): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(_, name)| fits(name));
        if !full.is_empty() {
            self.met.insert("a packet waits for an output buffer");
        }
        if fitting.len() > 1 {
            self.met.insert("lanes compete for an output");
        }
        let last = of_input.last_lane.get(&output).copied();
        let lane = turn(fitting.iter().map(|(lane, _)| *lane), last, self.lanes)?;
        fitting.into_iter().find(|one| one.0 == lane).map(|one| one.1)
    }

    fn free_ports(&self, switch: usize, t: u64) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let s = &self.combined[switch];
        let inputs = s.inputs.iter().filter(|(_, input)| input.is_free(t));
        let outputs = s.outputs.iter().filter(|(_, o)| !o.connected && o.free_from <= t);
        (inputs.map(|(port, _)| *port).collect(), outputs.map(|(port, _)| *port).collect())
    }

    fn match_round_robin(&mut self, switch: usize, t: u64) {
        let (inputs, outputs) = self.free_ports(switch, t);
        let ports = self.combined[switch].ports;
        let mut requests: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for input in inputs {
            let able: Vec<usize> = outputs
                .iter()
                .copied()
                .filter(|&output| self.next_queue(switch, input, output).is_some())
                .collect();
            if able.len() > 1 {
                self.met.insert("outputs compete for an input");
            }
            if let Some(output) = turn(able, self.combined[switch].inputs[&input].last, ports) {
                requests.entry(output).or_default().push(input);
            }
        }
        for (output, from) in requests {
            if from.len() > 1 {
                self.met.insert("inputs compete for an output");
            }
            let last = self.combined[switch].outputs[&output].last;
            let input = turn(from, last, ports).expect("one requests");
            self.point(switch, input, output);
            self.start_crossing(switch, input, output, t);
        }
    }

    fn match_islip(&mut self, switch: usize, iterations: u32, t: u64) {
        let (mut inputs, mut outputs) = self.free_ports(switch, t);
        let ports = self.combined[switch].ports;
        for iteration in 0..iterations {
            let mut grants: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for &output in &outputs {
                let requests: Vec<usize> = inputs
                    .iter()
                    .copied()
                    .filter(|&input| self.next_queue(switch, input, output).is_some())
                    .collect();
                if requests.len() > 1 {
                    self.met.insert("inputs compete for an output");
                }
                let last = self.combined[switch].outputs[&output].last;
                if let Some(input) = turn(requests, last, ports) {
                    grants.entry(input).or_default().push(output);
                }
            }
            for (input, from) in grants {
                if from.len() > 1 {
                    self.met.insert("outputs compete for an input");
                }
                if iteration > 0 {
                    self.met.insert("a later iteration connects");
                }
                let last = self.combined[switch].inputs[&input].last;
                let output = turn(from, last, ports).expect("one grants");
                if iteration == 0 {
                    self.point(switch, input, output);
                }
                self.start_crossing(switch, input, output, t);
                inputs.remove(&input);
                outputs.remove(&output);
            }
        }
    }

    /// The pointers of an input and an output move to each other.
    fn point(&mut self, switch: usize, input: usize, output: usize) {
        let s = &mut self.combined[switch];
        s.inputs.get_mut(&input).expect("an input").last = Some(output);
        s.outputs.get_mut(&output).expect("an output").last = Some(input);
    }

    /// Of all packets that may cross, the one with the smallest rank crosses, and so on.
    /// `that_may_cross` are the queues of an input with a packet that may cross to an output.
    fn match_by_rank(
        &mut self,
        switch: usize,
        rank: impl Fn(&Self, Line) -> i64,
        that_may_cross: impl Fn(&mut Self, usize, usize, usize) -> Vec<QueueName>,
        t: u64,
    ) {
        let (mut inputs, mut outputs) = self.free_ports(switch, t);
        loop {
            let mut all = Vec::new();
            for &input in &inputs {
                for &output in &outputs {
                    for name in that_may_cross(self, switch, input, output) {
                        let order = self.order(switch, (input, output), name, &rank, t);
                        all.push((order, input, output, name));
                    }
                }
            }
            let Some(&(order, input, output, name)) = all.iter().min() else { return };
            if all.iter().any(|other| other.0[0] > order[0]) {
                self.met.insert("a smaller rank goes first");
            }
            self.combined[switch].outputs.get_mut(&output).expect("an output").last = Some(input);
            self.cross_from(switch, input, output, name, t);
            inputs.remove(&input);
            outputs.remove(&output);
        }
    }

    /// The lines with a packet that may cross: input, output and lane.
    fn lines_that_may_send(&mut self, switch: usize, t: u64) -> Vec<(usize, usize, usize)> {
        let (inputs, outputs) = self.free_ports(switch, t);
        let pairs = inputs.iter().flat_map(|&i| outputs.iter().map(move |&o| (i, o)));
        let mut lines = Vec::new();
        for (input, output) in pairs {
            let queues = self.first_of_lines(switch, input, output);
            lines.extend(queues.into_iter().map(|(lane, _)| (input, output, lane)));
        }
        lines
    }

    /// Counts which of the lines that might have sent did not, and checks that each other line with
    /// the same input or output passes over a line at most once.
    fn note_passed_over(&mut self, switch: usize, lines: Vec<(usize, usize, usize)>, t: u64) {
        let s = &mut self.combined[switch];
        let most = (2 * s.ports - 1) * self.lanes - 1;
        for line in lines {
            let times = s.passed_over.entry(line).or_default();
            if s.last_sent.get(&line) == Some(&(t + 1)) {
                *times = 0;
                continue;
            }
            *times += 1;
            assert!(*times <= most, "line {line:?} was passed over {times} times");
            if *times > 1 {
                self.met.insert("a line is passed over twice");
            }
        }
    }

    /// The queues that send next to an output, of each lane the first one, if its packet fits.
    fn first_of_lines(&mut self, switch: usize, input: usize, output: usize) -> Vec<QueueName> {
        self.note_private_credits(switch, input, output);
        let all = self.that_may_cross(switch, input, output);
        let lines = self.lines(switch, input, output);
        lines.into_values().filter(|name| all.contains(name)).collect()
    }

    /// The queues of an input port whose foremost packet may cross to an output.
    fn that_may_cross(&mut self, switch: usize, input: usize, output: usize) -> Vec<QueueName> {
        let s = &self.combined[switch];
        let (mut names, mut refused) = (Vec::new(), false);
        for (&name, queue) in &s.inputs[&input].queues {
            let Some(head) = queue.packets.front() else { continue };
            let packet = &self.packets[head.packet];
            let (out, lane) = packet.path[head.leg + 1];
            let stops = |recn: &Recn| recn.stops_input(s.inputs[&input].channel, name.1);
            if s.port_of[&out] != output
                || self.recn.as_ref().is_some_and(stops)
                || !self.channels[out].buffer.fits(lane, packet.credits)
                || !self.may_go_on(head)
            {
                continue;
            }
            let path: Vec<usize> = packet.path[head.leg + 1..].iter().map(|one| one.0).collect();
            if self.recn.as_ref().is_some_and(|recn| recn.refuses(&path, packet.level)) {
                refused = true;
            } else {
                names.push(name);
            }
        }
        if refused {
            self.met.insert("a packet may not cross to a SAQ without space");
        }
        names
    }

    /// What decides between packets: rank, then the turns of output, input, lane and queue.
    fn order(
        &self,
        switch: usize,
        (input, output): (usize, usize),
        name: QueueName,
        rank: impl Fn(&Self, Line) -> i64,
        t: u64,
    ) -> [i64; 5] {
        let s = &self.combined[switch];
        let of_input = &s.inputs[&input];
        let queue = &of_input.queues[&name];
        let level = self.packets[queue.packets.front().expect("it is there").packet].level;
        let turn = |one: usize, first: usize, count: usize| (one + count - first % count) % count;
        let after = |last: Option<usize>| last.map_or(0, |last| last + 1);
        let last_lane = of_input.last_lane.get(&output).copied();
        [
            rank(self, (input, output, name.0, level)),
            turn(output, t as usize, s.ports) as i64,
            turn(input, after(s.outputs[&output].last), s.ports) as i64,
            turn(name.0, after(last_lane), self.lanes) as i64,
            queue.since as i64,
        ]
    }

    fn start_crossing(&mut self, switch: usize, input: usize, output: usize, t: u64) {
        let name = self.next_queue(switch, input, output).expect("it is matched");
        self.cross_from(switch, input, output, name, t);
    }

    /// The foremost packet of a queue begins to cross.
    fn cross_from(&mut self, switch: usize, input: usize, output: usize, name: QueueName, t: u64) {
        let in_line = {
            let s = &self.combined[switch];
            let wants = |queue: &Queue| {
                let head = queue.packets.front()?;
                s.port_of.get(&self.packets[head.packet].path[head.leg + 1].0).copied()
            };
            let queues = s.inputs[&input].queues.iter();
            queues.filter(|(other, q)| other.0 == name.0 && wants(q) == Some(output)).count()
        };
        if in_line > 1 {
            self.met.insert("queues of a lane compete for an output");
        }
        let s = &mut self.combined[switch];
        s.clock += 1;
        let now = s.clock;
        let of_input = s.inputs.get_mut(&input).expect("an input");
        let queue = of_input.queues.get_mut(&name).expect("it has a packet");
        let packet = queue.packets.pop_front().expect("it has a packet");
        queue.since = now;
        of_input.last_lane.insert(output, name.0);
        s.last_sent.insert((input, output, name.0), t + 1);
        let (index, leg) = (packet.packet, packet.leg);
        of_input.crossing = Some(Crossing { packet, output, lane: name.0, start: t });
        let of_output = s.outputs.get_mut(&output).expect("an output");
        of_output.connected = true;
        let Packet { credits, level, flits, .. } = self.packets[index];
        let (out, lane) = self.packets[index].path[leg + 1];
        assert_eq!(out, of_output.channel);
        let bytes = flits * u64::from(self.spec.flit_bytes);
        s.count(output, level, bytes.div_ceil(64) as i64);
        self.channels[out].buffer.take(lane, credits);
        let to = self.specs[self.packets[index].message].to.0;
        self.take_private_credits(out, lane, to, credits);
        let queue = match &mut self.recn {
            None => lane.into(),
            Some(recn) => {
                let channels: Vec<usize> =
                    self.packets[index].path.iter().map(|one| one.0).collect();
                recn.join_output(switch, output, input, &channels[leg + 1..], level)
            }
        };
        self.channels[out].lanes[queue].push_back(Arriving {
            packet: index,
            leg: leg + 1,
            ready: Vec::new(),
            moved: 0,
            from: Some(t + 1),
        });
    }

    /// The flits of an input port that cross in this cycle; true if a packet crosses.
    fn move_flits_of_input(&mut self, switch: usize, port: usize, t: u64) -> bool {
        let percent = self.combined[switch].percent;
        loop {
            let input = self.combined[switch].inputs.get_mut(&port).expect("an input");
            let Some(crossing) = &mut input.crossing else { return false };
            let entry = &mut crossing.packet;
            // Of the flits that the connection can have moved by now, those that are here.
            let most = (t - crossing.start + 1) * percent / 100;
            let is_here = entry.ready.get(entry.moved as usize).is_some_and(|&ready| ready <= t);
            if entry.moved < most && !is_here {
                self.met.insert("a crossing waits for the link");
            }
            if entry.moved == most || !is_here {
                assert!(entry.moved > 0, "the first flit crosses when the connection starts");
                return true;
            }
            let (index, leg, number) = (entry.packet, entry.leg, entry.moved);
            entry.moved += 1;
            let packet = &self.packets[index];
            let is_last = entry.moved == packet.flits;
            let (out, _) = packet.path[leg + 1];
            let to = self.specs[packet.message].to.0;
            let (credits, output, lane_in) = (packet.credits, crossing.output, crossing.lane);
            self.reach_output(out, index, number, t + 1, t);
            if !is_last {
                continue;
            }
            let s = &mut self.combined[switch];
            let input = s.inputs.get_mut(&port).expect("an input");
            (input.crossing, input.free_from) = (None, t + 1);
            let of_output = s.outputs.get_mut(&output).expect("an output");
            (of_output.connected, of_output.free_from) = (false, t + 1);
            let channel = &mut self.channels[input.channel];
            if channel.private.is_some() {
                let back = t + channel.delay;
                channel.private_back.push_back((back, lane_in as u8, to, credits));
            }
            channel.credits_back.push_back((t + channel.delay, lane_in as u8, credits));
            return true;
        }
    }

    /// The packets in a queue of an input port, each with its place on its path.
    pub fn packets_at_input(
        &self,
        switch: usize,
        port: usize,
        place: usize,
    ) -> Vec<(usize, usize)> {
        let queue = self.combined[switch].inputs[&port].queues.get(&(0, place));
        let packets = queue.into_iter().flat_map(|queue| &queue.packets);
        packets.map(|entry| (entry.packet, entry.leg)).collect()
    }

    /// A queue of an input port may send again: it stands behind the others of its line.
    pub fn goes_on(&mut self, switch: usize, port: usize, place: usize) {
        let s = &mut self.combined[switch];
        s.clock += 1;
        let now = s.clock;
        let input = s.inputs.get_mut(&port).expect("an input");
        if let Some(queue) = input.queues.get_mut(&(0, place)) {
            queue.since = now;
        }
    }
}

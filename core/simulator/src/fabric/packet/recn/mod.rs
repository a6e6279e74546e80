//! Regional explicit congestion notification (García et al., IEEE Micro 26(5), 2006).
//!
//! Packets for a congested point wait in set-aside queues (SAQs) of their own, at every port from
//! the point back to the sources, so that other packets do not wait behind them. A CAM line names
//! the point of each SAQ by the turns that lead to it. The semantics are those of
//! `docs/model-recn.md`; phase 6 of the model is in `lines.rs`.
//!
//! The invariant: packets of a flow leave a port in the order in which they joined its queues. A
//! new SAQ sends only after all packets before it in the queue that its packets joined until then
//! have left (its *marker*), and only an empty SAQ is freed. A queue of a NIC has two orders, that
//! of the host's own packets and that of packets in transit, and a marker has a place in each.

mod check;
mod lines;
mod management;
mod stops;
mod trees;
mod turns;
mod view;

use super::congestion::{ByOrder, Changes, PortBuffer};
use super::layout::NONE;
use super::state::{NEVER, Packet, Stage};
use crate::arbiters::BLOCK_BYTES;
use crate::engine::Cycle;
use crate::network::{ChannelId, End, Network};
use crate::observe::SaqCounts;
use crate::problem::Problems;
use crate::routing::RouteTable;
use crate::scenario::{Claims, CutThroughSpec, OutputOrder, Recn as Parameters, RecnQos};
use hopscope_scenario::bits;
use std::collections::VecDeque;
use std::sync::Arc;
use trees::Trees;
use turns::{Turns, Ways};

/// Bytes of a control packet.
const CONTROL_BYTES: u32 = 8;

/// A queue of a port: what waits in it.
#[derive(Debug, Clone, Copy, Default)]
struct Waiting {
    packets: ByOrder,
    credits: u32,
}

/// The place of a packet that joins or leaves a queue in [`ByOrder`].
fn order_of(p: &Packet) -> usize {
    usize::from(p.stage == Stage::Memory)
}

/// The place in the queue that a SAQ's packets joined before it was allocated.
#[derive(Debug, Clone, Copy)]
struct Marker {
    queue: u8,
    /// Packets before it.
    before: ByOrder,
}

/// A congested point as a port knows it or, of a packet, all that is before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Point {
    turns: Turns,
    /// Its service level, under RECN with service levels.
    level: Option<u8>,
}

impl Point {
    /// True if a packet that has this before it goes through `point`.
    fn leads_through(self, point: Self) -> bool {
        self.level == point.level && self.turns.lead_through(point.turns)
    }
}

/// A line of a CAM: the congested point of a SAQ, and its state.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    point: Point,
    /// The next SAQ on the way to the point has no space.
    xoff: bool,
    marker: Option<Marker>,
    /// A packet has joined the SAQ.
    used: bool,
    /// Those upstream were told to stop, last of all.
    stopping: bool,
    /// At an input: the output upstream was ever asked for a line; and it has one, as far as known.
    asked: bool,
    told: bool,
    /// At an output or NIC: the input downstream has a line with these turns, as far as known.
    wanted: bool,
}

impl Line {
    fn is_stopped(&self) -> bool {
        self.xoff || self.marker.is_some()
    }
}

/// The queues and the CAM of a port: the standard queues or, at an input, one detection queue per
/// output; then the SAQs.
#[derive(Debug, Clone)]
struct Port {
    queues: Vec<Waiting>,
    lines: Vec<Line>,
    /// Lines in use, and those whose queue may not send, as bit masks.
    valid: u64,
    stopped: u64,
    /// At an output or NIC, for each standard queue: the queue that sent last, of this one and the
    /// SAQs of its level.
    last: Vec<u8>,
    counts: SaqCounts,
    /// The cycle in which it got a line in use, having had none; `NEVER` if it has none.
    in_use_since: Cycle,
}

/// A control packet.
#[derive(Debug, Clone, Copy)]
enum Control {
    /// To a sender: allocate a SAQ for this point, in this state of flow control.
    Notify(Point, bool),
    /// To a sender: its SAQ may or may not send.
    Flow(Point, bool),
    /// To a sender: the input downstream has no SAQ for this point any longer.
    Freed(Point),
    /// To a receiver: the output upstream has no SAQ for this point.
    Gone(Point),
}

/// When a control packet arrives, on which channel, whether it goes to the receiver, and its
/// number.
type Arrival = (Cycle, u32, bool, u64);

/// A packet that has joined a queue in this cycle.
#[derive(Debug, Clone, Copy)]
struct Join {
    channel: u32,
    queue: u8,
    /// At an output of a switch: the channel that it arrived on.
    from: Option<u32>,
    level: u8,
    /// At an input, under RECN with service levels: the turns before the packet.
    turns: Turns,
}

/// What RECN with service levels has of its own.
#[derive(Debug)]
struct LevelRules {
    /// Service levels, each with a standard queue at NICs.
    count: usize,
    /// Blocks of a bandwidth counter above which a level is congested.
    counter_blocks: i32,
    /// Inputs claim a SAQ when a packet arrives for an output with one for its level.
    claims_on_arrival: bool,
    /// Of the queues of an output, that of the level with the smallest counter sends next.
    smallest_first: bool,
}

/// What stays the same during a run.
#[derive(Debug)]
struct Rules {
    ways: Ways,
    levels: Option<LevelRules>,
    /// Credits that a queue may hold: of standard and detection queues, and of SAQs.
    detection: u32,
    propagation: u32,
    xoff: u32,
    xon: u32,
    /// Cycles of a control packet on each channel.
    control_cycles: Vec<u64>,
    /// Per channel: the units of its sender and of its receiver. A unit is a switch or, after all
    /// switches, a NIC.
    units: Vec<[u32; 2]>,
    /// Units that are switches.
    switches: u32,
    /// Per unit, by port: the channel that arrives and the one that leaves, or `NONE`.
    ports: Vec<Vec<[u32; 2]>>,
}

/// The management of all ports of a network.
#[derive(Debug, Clone)]
pub struct Recn {
    rules: Arc<Rules>,
    /// Per channel: the output port or NIC that it leaves, and the input port that it leads to.
    ports: Vec<[Port; 2]>,
    /// Per packet: the queue that it joined last.
    joined: Vec<u8>,
    outputs_joined: Vec<Join>,
    inputs_joined: Vec<Join>,
    /// Units that phase 6 looks at.
    marked: Vec<u32>,
    is_marked: Vec<bool>,
    /// Control packets on their way, in order of arrival.
    control: VecDeque<(Arrival, Control)>,
    sent: u64,
    /// What phase 6 has changed for the fabric.
    changes: Changes,
    /// SAQs that it has allocated: port and line.
    allocated: Vec<(PortBuffer, usize)>,
    trees: Trees,
}

/// The index of a buffer's port in [`Recn::ports`].
#[inline]
fn place(buffer: PortBuffer) -> (usize, usize) {
    match buffer {
        PortBuffer::Output(channel) => (channel as usize, 0),
        PortBuffer::Input(channel) => (channel as usize, 1),
    }
}

/// The buffer of a port of [`Recn::ports`]; the inverse of [`place`].
fn buffer(channel: u32, side: usize) -> PortBuffer {
    match side {
        0 => PortBuffer::Output(channel),
        _ => PortBuffer::Input(channel),
    }
}

impl Recn {
    /// The management of a network without packets.
    ///
    /// # Errors
    ///
    /// Routes that it cannot name.
    fn with(
        parameters: &Parameters,
        with_levels: Option<&RecnQos>,
        spec: &CutThroughSpec,
        network: &Arc<Network>,
        table: &Arc<RouteTable>,
    ) -> Result<Self, Problems> {
        let ways = Ways::new(network, table, parameters.pool_bits)?;
        let switches = network.switches().len() as u32;
        let mut ports: Vec<Vec<[u32; 2]>> =
            network.switches().iter().map(|s| vec![[NONE; 2]; s.ports.into()]).collect();
        ports.extend(network.hosts().iter().map(|_| vec![[NONE; 2]]));
        let at = |end: End| match end {
            End::Switch(switch, port) => (switch.0, usize::from(port)),
            End::Host(host) => (switches + host.0, 0),
        };
        let saqs = parameters.saqs as usize;
        let levels = with_levels.map(|levels| LevelRules {
            count: spec.qos.levels.len(),
            counter_blocks: (levels.counter_bytes / BLOCK_BYTES) as i32,
            claims_on_arrival: levels.claims == Claims::Arrival,
            smallest_first: levels.output_order == OutputOrder::Counters,
        });
        let port = |queues: usize| Port {
            queues: vec![Waiting::default(); queues + saqs],
            lines: vec![Line::default(); saqs],
            valid: 0,
            stopped: 0,
            last: (0..queues as u8).collect(),
            counts: SaqCounts::default(),
            in_use_since: NEVER,
        };
        let (mut units, mut all) = (Vec::new(), Vec::new());
        for (channel, ends) in (0..).zip(network.channels()) {
            let [from, to] = [ends.from, ends.to].map(at);
            ports[from.0 as usize][from.1][1] = channel;
            ports[to.0 as usize][to.1][0] = channel;
            units.push([from.0, to.0]);
            let outputs = match ends.to {
                End::Switch(switch, _) => network.switches()[switch.index()].ports.into(),
                End::Host(_) => 0,
            };
            // Standard queues of a NIC: one per level, if levels matter.
            let own = match (ends.from, &levels) {
                (End::Host(_), Some(levels)) => levels.count,
                _ => 1,
            };
            all.push([port(own), port(outputs)]);
        }
        // "More than so many bytes" is more than so many whole credits.
        let credits = |bytes: u32| bytes / spec.credit_bytes;
        let delay = |c: usize| network.delay_cycles(ChannelId::new(c), spec.link_delay_cycles);
        let flits = u64::from(CONTROL_BYTES.div_ceil(spec.flit_bytes));
        let rules = Rules {
            ways,
            levels,
            detection: credits(parameters.detection_bytes),
            propagation: credits(parameters.propagation_bytes),
            xoff: credits(parameters.xoff_bytes),
            xon: credits(parameters.xon_bytes),
            control_cycles: (0..units.len()).map(|c| u64::from(delay(c)) + flits).collect(),
            units,
            switches,
            ports,
        };
        Ok(Self {
            is_marked: vec![false; rules.ports.len()],
            rules: Arc::new(rules),
            ports: all,
            joined: Vec::new(),
            outputs_joined: Vec::new(),
            inputs_joined: Vec::new(),
            marked: Vec::new(),
            control: VecDeque::new(),
            sent: 0,
            changes: Changes::default(),
            allocated: Vec::new(),
            trees: Trees::default(),
        })
    }

    /// True if levels matter.
    fn has_levels(&self) -> bool {
        self.rules.levels.is_some()
    }

    /// The level of a packet, if levels matter.
    fn level(&self, level: u8) -> Option<u8> {
        self.rules.levels.is_some().then_some(level)
    }

    /// SAQs of a port.
    fn saqs_per_port(&self) -> usize {
        self.ports.first().map_or(0, |[output, _]| output.lines.len())
    }

    /// Has phase 6 look at the switch or NIC of a port.
    #[inline]
    fn mark(&mut self, unit: u32) {
        if !std::mem::replace(&mut self.is_marked[unit as usize], true) {
            self.marked.push(unit);
        }
    }

    /// True if phase 6 has something to do without an event.
    #[inline]
    fn is_marked(&self) -> bool {
        !self.marked.is_empty()
    }

    /// True if phase 6 has something to do in this cycle.
    #[inline]
    fn is_due(&self, now: Cycle) -> bool {
        self.is_marked() || self.control.front().is_some_and(|(key, _)| key.0 <= now)
    }

    /// The queue that a packet joins: the SAQ whose point lies furthest on its way, or else the
    /// standard queue or the detection queue of its output.
    fn choose(&self, buffer: PortBuffer, p: &Packet) -> u8 {
        let (channel, side) = place(buffer);
        let port = &self.ports[channel][side];
        let way = Point { turns: Turns::default(), level: self.level(p.level) };
        let (standard, next) = match buffer {
            PortBuffer::Input(_) => (p.slot, p.out),
            PortBuffer::Output(_) => (port.standard(way), NONE),
        };
        if port.valid == 0 {
            return standard;
        }
        let (set, steps) = (p.set, (p.step, p.steps));
        let turns = self.rules.ways.of_packet(channel as u32, next, set, steps, p.to);
        port.longest(Point { turns, ..way }, u8::MAX).unwrap_or(standard)
    }
}

impl Port {
    fn first_saq(&self) -> usize {
        self.queues.len() - self.lines.len()
    }

    fn counts(&self, now: Cycle) -> SaqCounts {
        let until_now = if self.valid == 0 { 0 } else { now - self.in_use_since };
        SaqCounts {
            in_use: self.valid.count_ones(),
            cycles_in_use: self.counts.cycles_in_use + until_now,
            ..self.counts
        }
    }

    /// At an output or NIC: the standard queue of packets through a point.
    fn standard(&self, point: Point) -> u8 {
        if self.last.len() > 1 { point.level.unwrap_or(0) } else { 0 }
    }

    /// The queue of a line.
    fn queue_of(&self, line: usize) -> u8 {
        (self.first_saq() + line) as u8
    }

    /// What waits in the queue of a line.
    fn waiting(&self, line: usize) -> Waiting {
        self.queues[self.first_saq() + line]
    }

    /// The line of a queue, if it is a SAQ. Where NICs have a standard queue for each level, the
    /// last numbers are of no queue at outputs of switches.
    fn line_of(&self, queue: u8) -> Option<usize> {
        let line = usize::from(queue).checked_sub(self.first_saq())?;
        (line < self.lines.len()).then_some(line)
    }

    /// At an output or NIC, the queues from which a standard queue's turn is: itself and the SAQs
    /// of its level.
    fn queues_with(&self, standard: usize) -> u128 {
        let is_of_level = |line: &usize| match self.lines[*line].point.level {
            Some(level) => self.last.len() == 1 || usize::from(level) == standard,
            None => true,
        };
        let lines = lines_in(self.valid).filter(is_of_level);
        lines.fold(1 << standard, |mask, line| mask | 1 << self.queue_of(line))
    }

    /// The queue of the line with the most turns, but fewer than `below` bits, whose point a packet
    /// with this way goes through.
    fn longest(&self, way: Point, below: u8) -> Option<u8> {
        let matching = lines_in(self.valid).filter(|&line| {
            let point = self.lines[line].point;
            point.turns.length < below && way.leads_through(point)
        });
        let longest = matching.max_by_key(|&line| self.lines[line].point.turns.length);
        longest.map(|line| self.queue_of(line))
    }

    /// The line of this point.
    fn find(&self, point: Point) -> Option<usize> {
        lines_in(self.valid).find(|&line| self.lines[line].point == point)
    }

    fn is_stopped(&self, queue: u8) -> bool {
        self.line_of(queue).is_some_and(|line| self.stopped >> line & 1 == 1)
    }
}

/// The numbers of the lines in a mask, ascending.
fn lines_in(lines: u64) -> impl Iterator<Item = usize> {
    bits(lines).map(usize::from)
}

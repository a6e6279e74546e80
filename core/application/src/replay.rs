//! A program in the middle of its run.
//!
//! [`Replay`] knows no network. Its owner lets time pass ([`Replay::advance`]), fetches the
//! messages that are due ([`Replay::take`]) and reports what the network does with them
//! ([`Replay::sent`], [`Replay::delivered`]). Times are cycles; a time t is the beginning of cycle
//! t. A report counts at the next `advance`. Operations that become ready at the same time are
//! handled in the order of their numbers, so equal reports give equal runs.
//!
//! Messages match receives as in MPI: by sender and tag, in the order of arrival and of posting.

mod alone;
mod matching;
mod path;
mod ranks;
mod timeline;

pub use path::{Awaited, Step};
pub use ranks::{Progress, RankTimes};
pub use timeline::{Activity, Span, slices};

use crate::program::{Action, After, Program};
use hopscope_scenario::Cycle;
use matching::Matching;
use ranks::Rank;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

/// No operation.
const NONE: u32 = u32::MAX;
/// A time that has not come.
const NEVER: Cycle = Cycle::MAX;
/// Messages of a rank that its NIC has and has not sent, at most. With fewer than two, the NIC
/// would idle between messages; without a limit, the messages of an all-to-all would fill memory.
const MAX_AT_NIC: u32 = 16;

/// An operation during the run.
#[derive(Debug, Clone, Copy)]
struct State {
    /// Dependencies that are not satisfied.
    pending: u32,
    /// The operation that satisfied the last one; `NONE` if it had none.
    cause: u32,
    /// Whether it did that by completing or by starting.
    cause_after: After,
    started: Cycle,
    completed: Cycle,
    /// Of a send: when all of it had arrived.
    arrived: Cycle,
    /// Of a receive: the send that it matched.
    matched: u32,
    /// Of a send: route set and route of its last message.
    set: u8,
    route: u32,
    /// Of a send: bytes to be given to the NIC, messages to leave it, messages to arrive.
    left: u64,
    unsent: u32,
    underway: u32,
}

/// What happens at a time. The order among events of one time is that of this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// All of a send has arrived.
    Arrive(u32),
    Complete(u32),
    Start(u32),
}

/// What the network reports of a message.
#[derive(Debug, Clone, Copy)]
enum Report {
    Sent(u32),
    Delivered { operation: u32, set: u8, route: u32 },
}

/// A message for the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outgoing {
    /// Receiving rank; another than the sender.
    pub to: u32,
    /// Payload, bytes; at least 1. An operation of 0 bytes sends one.
    pub bytes: u32,
    /// True if the rank has another message for its NIC now.
    pub more: bool,
}

/// A message in the network.
#[derive(Debug, Clone, Copy)]
struct UnderWay {
    operation: u32,
    sent: bool,
}

/// Per operation, those that wait for it.
#[derive(Debug)]
struct Dependents {
    /// Those of operation i are `list[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    list: Vec<(u32, After)>,
}

/// The state of a program. A clone goes on to the same events.
#[derive(Debug, Clone)]
pub struct Replay {
    program: Arc<Program>,
    dependents: Arc<Dependents>,
    /// Length of a cycle, picoseconds.
    cycle_ps: u64,
    /// Largest message for the network, bytes.
    packet_bytes: u32,
    start: Cycle,
    operations: Vec<State>,
    ranks: Vec<Rank>,
    matching: Matching,
    events: BinaryHeap<Reverse<(Cycle, Event)>>,
    reports: Vec<Report>,
    /// Messages in the network by their numbers.
    under_way: BTreeMap<u32, UnderWay>,
    /// Sends that NICs do not have in full.
    queued: usize,
    incomplete: usize,
    has_lost: bool,
}

impl Replay {
    /// A program whose ranks start at time `start`. `cycle_ps` converts the times of its
    /// computations; `packet_bytes`, at least 1, is the largest message for the network.
    pub fn new(program: Arc<Program>, cycle_ps: u64, packet_bytes: u32, start: Cycle) -> Self {
        let count = program.operations.len();
        let dependents = Dependents::of(&program);
        let mut operations = vec![State::INITIAL; count];
        for dependency in &program.dependencies {
            operations[dependency.operation as usize].pending += 1;
        }
        let ready = (0_u32..).zip(&operations).filter(|(_, state)| state.pending == 0);
        let events = ready.map(|(op, _)| Reverse((start, Event::Start(op)))).collect();
        let mut ranks = vec![Rank::at(start); program.ranks as usize];
        for operation in &program.operations {
            ranks[operation.rank as usize].expect();
        }
        Self {
            dependents: Arc::new(dependents),
            cycle_ps,
            packet_bytes,
            start,
            ranks,
            matching: Matching::default(),
            events,
            reports: Vec::new(),
            under_way: BTreeMap::new(),
            queued: 0,
            incomplete: count,
            has_lost: false,
            operations,
            program,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Time of the next event that needs no report; `None` if there is none.
    pub fn next(&self) -> Option<Cycle> {
        self.events.peek().map(|Reverse((time, _))| *time)
    }

    /// True if there are reports for the next [`Self::advance`].
    pub fn has_reports(&self) -> bool {
        !self.reports.is_empty()
    }

    /// True if all operations are complete.
    pub fn is_finished(&self) -> bool {
        self.incomplete == 0
    }

    /// True if the rest can never complete: receives wait for messages that are not under way, or
    /// the network has lost one.
    pub fn is_stuck(&self) -> bool {
        let is_idle = self.events.is_empty() && self.reports.is_empty();
        !self.is_finished()
            && (self.has_lost || is_idle && self.under_way.is_empty() && self.queued == 0)
    }

    /// Handles reports, which count as events at time `now`, and all events up to `now`. Adds to
    /// `ready` the ranks that have a message for their NIC; one may be there twice.
    pub fn advance(&mut self, now: Cycle, ready: &mut Vec<u32>) {
        for report in std::mem::take(&mut self.reports) {
            match report {
                Report::Sent(operation) => self.left_nic(operation, now, ready),
                Report::Delivered { operation, set, route } => {
                    let state = &mut self.operations[operation as usize];
                    (state.set, state.route) = (set, route);
                    state.underway -= 1;
                    if state.underway == 0 && state.left == 0 {
                        self.at(now, Event::Arrive(operation));
                    }
                }
            }
        }
        while let Some(&Reverse((time, event))) = self.events.peek()
            && time <= now
        {
            self.events.pop();
            match event {
                Event::Arrive(send) => self.arrive(send, time),
                Event::Complete(operation) => self.complete(operation, time),
                Event::Start(operation) => self.begin(operation, time, ready),
            }
        }
    }

    /// The next message of `rank`, which the network numbers `message`; `None` if there is none
    /// now.
    pub fn take(&mut self, rank: u32, message: u32) -> Option<Outgoing> {
        let packet = u64::from(self.packet_bytes);
        let rank = &mut self.ranks[rank as usize];
        let &operation = rank.outbox.front().filter(|_| rank.at_nic < MAX_AT_NIC)?;
        let state = &mut self.operations[operation as usize];
        let bytes = state.left.clamp(1, packet);
        state.left = state.left.saturating_sub(bytes);
        state.unsent += 1;
        state.underway += 1;
        rank.at_nic += 1;
        if state.left == 0 {
            rank.outbox.pop_front();
            self.queued -= 1;
        }
        let more = !rank.outbox.is_empty() && rank.at_nic < MAX_AT_NIC;
        self.under_way.insert(message, UnderWay { operation, sent: false });
        let Action::Send { to, .. } = self.program.operations[operation as usize].action else {
            unreachable!("only sends are in outboxes")
        };
        let bytes = u32::try_from(bytes).expect("at most packet_bytes");
        Some(Outgoing { to, bytes, more })
    }

    /// The last flit of a message has left its source. A message that is sent again counts once.
    pub fn sent(&mut self, message: u32) {
        if let Some(under_way) = self.under_way.get_mut(&message).filter(|known| !known.sent) {
            under_way.sent = true;
            self.reports.push(Report::Sent(under_way.operation));
        }
    }

    /// All of a message has arrived, over this route.
    pub fn delivered(&mut self, message: u32, set: u8, route: u32) {
        let Some(UnderWay { operation, sent }) = self.under_way.remove(&message) else { return };
        if !sent {
            self.reports.push(Report::Sent(operation));
        }
        self.reports.push(Report::Delivered { operation, set, route });
    }

    /// The network has dropped a message for good.
    pub fn dropped(&mut self, message: u32) {
        self.has_lost |= self.under_way.remove(&message).is_some();
    }

    fn at(&mut self, time: Cycle, event: Event) {
        self.events.push(Reverse((time, event)));
    }

    fn left_nic(&mut self, operation: u32, now: Cycle, ready: &mut Vec<u32>) {
        let state = &mut self.operations[operation as usize];
        state.unsent -= 1;
        if state.unsent == 0 && state.left == 0 {
            self.at(now, Event::Complete(operation));
        }
        let number = self.program.operations[operation as usize].rank;
        let rank = &mut self.ranks[number as usize];
        rank.at_nic -= 1;
        if !rank.outbox.is_empty() {
            ready.push(number);
        }
    }

    fn begin(&mut self, operation: u32, time: Cycle, ready: &mut Vec<u32>) {
        self.operations[operation as usize].started = time;
        let about = self.program.operations[operation as usize];
        let rank = &mut self.ranks[about.rank as usize];
        rank.begin(&about.action, time);
        match about.action {
            Action::Send { to, bytes, .. } => {
                self.operations[operation as usize].left = bytes;
                if to == about.rank {
                    self.operations[operation as usize].left = 0;
                    self.at(time, Event::Complete(operation));
                    self.at(time, Event::Arrive(operation));
                } else {
                    rank.outbox.push_back(operation);
                    self.queued += 1;
                    ready.push(about.rank);
                }
            }
            Action::Receive { from, tag } => {
                if let Some(send) = self.matching.post(about.rank, from, tag, operation) {
                    self.operations[operation as usize].matched = send;
                    self.at(time, Event::Complete(operation));
                }
            }
            Action::Compute { ns, cpu } => {
                let cycles = (ns * 1000).div_ceil(self.cycle_ps);
                let end = rank.compute(cpu, time, cycles);
                self.at(end, Event::Complete(operation));
            }
        }
        self.satisfy(operation, After::Start, time);
    }

    fn arrive(&mut self, send: u32, time: Cycle) {
        self.operations[send as usize].arrived = time;
        let about = self.program.operations[send as usize];
        let Action::Send { to, tag, .. } = about.action else { unreachable!("only sends arrive") };
        if let Some(receive) = self.matching.arrive(to, about.rank, tag, send) {
            self.operations[receive as usize].matched = send;
            self.at(time, Event::Complete(receive));
        }
    }

    fn complete(&mut self, operation: u32, time: Cycle) {
        self.operations[operation as usize].completed = time;
        self.incomplete -= 1;
        let about = self.program.operations[operation as usize];
        self.ranks[about.rank as usize].complete(&about.action, time);
        self.satisfy(operation, After::Completion, time);
    }

    /// Starts the operations for which this event of `operation` was the last to wait for.
    fn satisfy(&mut self, operation: u32, event: After, time: Cycle) {
        let dependents = Arc::clone(&self.dependents);
        for &(dependent, after) in dependents.of_operation(operation) {
            if after == event {
                let state = &mut self.operations[dependent as usize];
                state.pending -= 1;
                if state.pending == 0 {
                    (state.cause, state.cause_after) = (operation, event);
                    self.at(time, Event::Start(dependent));
                }
            }
        }
    }
}

impl State {
    const INITIAL: Self = Self {
        pending: 0,
        cause: NONE,
        cause_after: After::Completion,
        started: NEVER,
        completed: NEVER,
        arrived: NEVER,
        matched: NONE,
        set: 0,
        route: 0,
        left: 0,
        unsent: 0,
        underway: 0,
    };
}

impl Dependents {
    fn of(program: &Program) -> Self {
        let mut first = vec![0_u32; program.operations.len() + 1];
        for dependency in &program.dependencies {
            first[dependency.on as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut list = vec![(NONE, After::Start); program.dependencies.len()];
        for dependency in &program.dependencies {
            let place = &mut next[dependency.on as usize];
            list[*place as usize] = (dependency.operation, dependency.after);
            *place += 1;
        }
        Self { first, list }
    }

    fn of_operation(&self, operation: u32) -> &[(u32, After)] {
        let operation = operation as usize;
        &self.list[self.first[operation] as usize..self.first[operation + 1] as usize]
    }
}

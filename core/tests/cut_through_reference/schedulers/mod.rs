//! The output schedulers, each transcribed on its own from its definition. They scan lists where
//! the product has masks and share no code with it.

mod advanced_switching_table;
mod bypass;
mod deficit_round_robin;
mod deficit_table;
mod minimum_bandwidth;
mod round_robin;
mod simple_bandwidth_table;
mod strict_priority;
mod table_arbitration;
mod weighted_fair;
mod worst_case_fair;

use hopscope_core::scenario::{
    AsDtableSpec, BypassQueue, DrrSpec, Restore, SbtSpec, SchedulerSpec, StrictPrioritySpec,
    Wf2qPlusSpec, WfqSpec, WrrSpec,
};

/// The packet at the head of a lane, which is ready and fits the receiver's buffer.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    pub level: usize,
    pub credits: u32,
}

/// What a scheduler decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The lane that sends.
    pub lane: usize,
    /// The packet belongs to the table entry or quantum of the packet before.
    pub goes_on: bool,
}

/// A choice that is a turn of its own.
fn turn(lane: usize) -> Choice {
    Choice { lane, goes_on: false }
}

/// A scheduler of one output port.
pub trait Scheduler {
    /// A packet in a lane becomes ready in cycle `now`.
    fn arrives(&mut self, _lane: usize, _credits: u32, _now: u64) {}

    /// Chooses among the lanes that have a packet, in cycle `now`. There is at least one.
    fn choose(&mut self, lanes: &[Option<Head>], now: u64) -> Choice;
}

/// A scheduler that sees two lanes as one virtual channel where there is a bypass queue.
pub fn with_bypass(inner: Box<dyn Scheduler>, queues: &[BypassQueue]) -> Box<dyn Scheduler> {
    Box::new(bypass::Bypass::new(inner, queues))
}

/// The scheduler a scenario describes, for ports with `lanes` lanes.
pub fn scheduler(spec: &SchedulerSpec, lanes: usize, flits_per_credit: u32) -> Box<dyn Scheduler> {
    use SchedulerSpec as Spec;
    match spec {
        Spec::RoundRobin(_) => Box::new(round_robin::RoundRobin::new(lanes)),
        Spec::Sbt(SbtSpec { weights, restore: Restore::Spent }) => {
            Box::new(simple_bandwidth_table::Algorithm1::new(weights))
        }
        Spec::Sbt(SbtSpec { weights, restore: Restore::Ready }) => {
            Box::new(simple_bandwidth_table::RestoreWhenReady::new(weights, lanes))
        }
        Spec::Dtable(table) => {
            assert!(table.configure.is_none(), "tests give the entries");
            Box::new(deficit_table::DeficitTable::new(&table.entries, lanes))
        }
        Spec::Wrr(WrrSpec { table }) => {
            Box::new(table_arbitration::TableArbitration::new(table, lanes))
        }
        Spec::AsDtable(AsDtableSpec { table, mtu }) => {
            Box::new(advanced_switching_table::AdvancedSwitchingTable::new(table, *mtu, lanes))
        }
        Spec::MinBw(spec) => {
            Box::new(minimum_bandwidth::MinimumBandwidth::new(spec, lanes, flits_per_credit))
        }
        Spec::Wf2qPlus(Wf2qPlusSpec { weights }) => {
            Box::new(worst_case_fair::WorstCaseFair::new(weights, lanes))
        }
        Spec::Wfq(WfqSpec { weights }) => {
            Box::new(weighted_fair::WeightedFair::new(weights, lanes, flits_per_credit))
        }
        Spec::Drr(DrrSpec { quanta }) => {
            Box::new(deficit_round_robin::DeficitRoundRobin::new(quanta, lanes))
        }
        Spec::StrictPriority(StrictPrioritySpec { order }) => {
            Box::new(strict_priority::StrictPriority::new(order, lanes))
        }
    }
}

/// The most service levels a scenario has.
const LEVELS: usize = 32;

/// The numbers `0..count` in cyclic order, the first of them the one after `last`.
fn cyclic_after(last: usize, count: usize) -> impl Iterator<Item = usize> {
    (1..=count).map(move |i| (last + i) % count)
}

/// The lanes that have a packet, in cyclic order after `last`, each with the packet.
fn ready_after(last: usize, lanes: &[Option<Head>]) -> Vec<(usize, Head)> {
    cyclic_after(last, lanes.len()).filter_map(|lane| Some((lane, lanes[lane]?))).collect()
}

/// True if a lane has a packet of a level.
fn is_active(level: usize, lanes: &[Option<Head>]) -> bool {
    lanes.iter().flatten().any(|head| head.level == level)
}

/// Of each level: which of its lanes sent last. Lanes of one level take turns.
struct LastLanes([usize; LEVELS]);

impl LastLanes {
    fn new(lanes: usize) -> Self {
        Self([lanes - 1; LEVELS])
    }

    /// The next lane of a level, with its packet; `None` if no lane has a packet of the level.
    fn next(&self, level: usize, lanes: &[Option<Head>]) -> Option<(usize, Head)> {
        ready_after(self.0[level], lanes).into_iter().find(|(_, head)| head.level == level)
    }

    fn sent(&mut self, level: usize, lane: usize) {
        self.0[level] = lane;
    }
}

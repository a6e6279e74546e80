//! Output schedulers: which virtual lane of an output port sends next.
//!
//! An output port calls [`Scheduler::next`] when it is free. A lane is ready if it has a whole
//! packet and the credits for it; a scheduler sees only the ready lanes, and the time. One that
//! needs more is told of every packet that joins a lane ([`Scheduler::arrives`]). Every port has a
//! scheduler of its own. Schedulers are work conserving: while a lane is ready, `next` names one,
//! and its packet counts as sent. While no lane is ready, `next` changes nothing. Bandwidth is
//! shared among service levels, not lanes, unless a scheduler says otherwise.
//!
//! A member's file has everything about it: descriptor, parameters with their checks, what they
//! become when levels come and go, and the behaviour.

mod as_dtable;
mod drr;
pub mod dtable;
#[cfg(test)]
mod fair;
mod latency_rate;
pub mod messages;
mod min_bw;
mod round_robin;
mod sbt;
mod strict_priority;
#[cfg(test)]
mod tests;
mod weights;
mod wf2q_plus;
mod wfq;
mod wrr;

pub use dtable::{DtableGoals, DtableLevel};
pub use latency_rate::LatencyRate;
use latency_rate::Turn;
pub use sbt::Restore;

use crate::catalogue::Descriptor;
use crate::problem::Problems;
use crate::scenario::{CutThroughSpec, Technique};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Defines the family from the list of its members: [`SchedulerSpec`], the enum of the scenario
/// file, and [`Scheduler`], the enum of what runs, so that the next lane is found without a call
/// through a pointer.
///
/// A member is a module with a `DESCRIPTOR`, a struct of its parameters, which implements
/// [`Parameters`], and a struct of its state, which implements [`Discipline`]. A new one needs its
/// file, its `mod` line and its line in the list.
macro_rules! schedulers {
    ($( $(#[$about:meta])* $module:ident::$member:ident($parameters:ident), )+) => {
        $( pub use $module::{$member, $parameters}; )+

        /// The scheduler of an output port in a scenario.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum SchedulerSpec {
            $( $(#[$about])* $member($parameters), )+
        }

        /// The scheduler of one output port: configuration and state.
        #[derive(Debug, Clone)]
        #[repr(align(64))]
        pub enum Scheduler {
            $( $(#[$about])* $member($member), )+
        }

        /// The descriptors of all members, in the order in which pickers show them.
        pub fn all() -> &'static [Descriptor] {
            const ALL: &[Descriptor] = &[$( $module::DESCRIPTOR, )+];
            ALL
        }

        impl SchedulerSpec {
            /// The descriptor of the member.
            pub fn descriptor(&self) -> &'static Descriptor {
                match self {
                    $( Self::$member(_) => &$module::DESCRIPTOR, )+
                }
            }

            /// The member with this id, with parameters that suit the levels.
            pub fn suited(id: &str, levels: &Levels) -> Option<Self> {
                $(
                    if id == $module::DESCRIPTOR.id {
                        return Some(Self::$member($parameters::suited(levels)));
                    }
                )+
                None
            }

            /// Adapts the parameters to another number of service levels: a weight, quantum, entry
            /// or goal for a level that is new, none for a level or lane that is gone. What the
            /// user has set stays. [`Self::set_mtus`] follows it.
            pub fn fit(&mut self, levels: &Levels) {
                match self {
                    $( Self::$member(parameters) => parameters.fit(levels), )+
                }
            }

            /// Follows the MTUs of the levels. What was as large as the MTUs `before` demanded is
            /// as large as those of `after` do; what was larger stays, if it is large enough.
            pub fn set_mtus(&mut self, before: &Levels, after: &Levels) {
                match self {
                    $( Self::$member(parameters) => parameters.set_mtus(before, after), )+
                }
            }

            /// Exchanges what two lanes have.
            pub fn swap_lanes(&mut self, one: u8, other: u8) {
                match self {
                    $( Self::$member(parameters) => parameters.swap_lanes(one, other), )+
                }
            }

            /// The levels and lanes that the parameters name.
            pub fn names(&self) -> Vec<Name> {
                match self {
                    $( Self::$member(parameters) => parameters.names(), )+
                }
            }

            /// The lane of the management channel, if there is one.
            pub fn management_lane(&self) -> Option<usize> {
                match self {
                    $( Self::$member(parameters) => parameters.management_lane(), )+
                }
            }

            /// Removes the management channel, and its part of the link.
            pub fn remove_management(&mut self) {
                match self {
                    $( Self::$member(parameters) => parameters.remove_management(), )+
                }
            }

            /// Adds what is wrong with the parameters for the lanes of a fabric, whose largest
            /// packets have these credits, 0 for a lane that carries none. `at` is the path of the
            /// parameters.
            pub fn check(&self, at: &str, largest: &[u32], problems: &mut Problems) {
                match self {
                    $( Self::$member(parameters) => parameters.check(at, largest, problems), )+
                }
            }

            /// What of a level the table leaves out; `lanes` are those of the level.
            pub fn omits(&self, level: u8, lanes: &[u8]) -> Option<Omission> {
                match self {
                    $( Self::$member(parameters) => parameters.omits(level, lanes), )+
                }
            }

            /// What the scheduler guarantees to a level that is alone on one lane, whose smallest
            /// packet has these credits; `None` if it guarantees no rate, or none is known.
            pub fn latency_rate(
                &self,
                level: usize,
                levels: &Levels,
                smallest: u32,
            ) -> Option<LatencyRate> {
                match self {
                    $( Self::$member(parameters) => {
                        parameters.latency_rate(level, levels, smallest)
                    } )+
                }
            }

            /// What the scheduler gives a level while every level has packets of its MTU; `None` if
            /// the parameters are wrong.
            pub fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
                match self {
                    $( Self::$member(parameters) => parameters.gives(level, levels), )+
                }
            }

            /// True if what it guarantees holds only while no lane lacks credits.
            pub fn needs_credits_of_all(&self) -> bool {
                match self {
                    $( Self::$member(_) => $parameters::NEEDS_CREDITS_OF_ALL, )+
                }
            }

            /// True if a level that is configured may starve by design.
            pub fn starves(&self) -> bool {
                match self {
                    $( Self::$member(_) => $parameters::STARVES, )+
                }
            }
        }

        impl Scheduler {
            /// A scheduler in its initial state.
            ///
            /// # Errors
            ///
            /// What is wrong with the parameters; `at` is their scenario path.
            pub fn new(spec: &SchedulerSpec, at: &str) -> Result<Self, Problems> {
                Ok(match spec {
                    $( SchedulerSpec::$member(parameters) => {
                        Self::$member(parameters.scheduler(at)?)
                    } )+
                })
            }

            /// Sets the lanes that carry packets of each level, one mask per level. Without it, any
            /// lane may carry any level.
            pub fn set_lanes_of_levels(&mut self, lanes_of: &[u32]) {
                match self {
                    $( Self::$member(s) => s.set_lanes_of_levels(lanes_of), )+
                }
            }

            /// Sets the flits of a credit; a link sends one flit per cycle. Without it, a credit is
            /// a flit.
            pub fn set_credit_flits(&mut self, flits: u32) {
                match self {
                    $( Self::$member(s) => s.set_credit_flits(flits), )+
                }
            }

            /// True if it has to be told of packets that arrive.
            pub fn sees_arrivals(&self) -> bool {
                match self {
                    $( Self::$member(_) => <$member as Discipline>::SEES_ARRIVALS, )+
                }
            }

            /// A packet of so many credits joins a lane and becomes ready in cycle `at`, which is
            /// not before that of the last call.
            pub fn arrives(&mut self, lane: u8, credits: u16, at: u64) {
                match self {
                    $( Self::$member(s) => s.arrives(lane, credits, at), )+
                }
            }

            /// The lane that sends next; its packet counts as sent. `None`, without a change of
            /// state, if no lane is ready.
            #[inline]
            pub fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> Option<u8> {
                if lanes.ready == 0 {
                    return None;
                }
                Some(match self {
                    $( Self::$member(s) => s.next(lanes), )+
                })
            }

            /// True if the packet that [`Self::next`] chose last belongs to the table entry
            /// (deficit table) or quantum (deficit round robin) of the packet before it.
            #[inline]
            pub fn goes_on(&self) -> bool {
                match self {
                    $( Self::$member(s) => s.goes_on(), )+
                }
            }

            /// The state, for display, while these lanes are as they are: what decides if the port
            /// chooses now.
            pub fn state<L: Foremost>(&self, lanes: Lanes<L>) -> SchedulerState {
                match self {
                    $( Self::$member(s) => s.state(lanes), )+
                }
            }
        }
    };
}

schedulers! {
    /// One packet of each level in turn.
    round_robin::RoundRobin(RoundRobinSpec),
    /// Simple bandwidth table.
    sbt::Sbt(SbtSpec),
    /// Deficit table.
    dtable::Dtable(DtableSpec),
    /// Table arbitration of InfiniBand and Advanced Switching: one packet per entry.
    wrr::Wrr(WrrSpec),
    /// Deficit table of Advanced Switching: entries name lanes, each worth an MTU.
    as_dtable::AsDtable(AsDtableSpec),
    /// Deficit round robin.
    drr::Drr(DrrSpec),
    /// Minimum bandwidth: self-clocked fair queuing aware of credits, and a management channel.
    min_bw::MinBw(MinBwSpec),
    /// Weighted fair queuing.
    wfq::Wfq(WfqSpec),
    /// Worst-case fair weighted fair queuing.
    wf2q_plus::Wf2qPlus(Wf2qPlusSpec),
    /// The first level of the list that has something to send.
    strict_priority::StrictPriority(StrictPrioritySpec),
}

impl SchedulerSpec {
    /// True if its parameters name lanes: it shares bandwidth among them, not among levels.
    pub fn names_lanes(&self) -> bool {
        self.names().iter().any(|name| matches!(name, Name::Lane { .. }))
    }

    /// The ids of the schedulers that share bandwidth among these service levels.
    pub(crate) fn for_levels(levels: &Levels) -> Vec<&'static str> {
        let shares = |id: &&str| Self::suited(id, levels).is_some_and(|it| !it.names_lanes());
        all().iter().map(|member| member.id).filter(shares).collect()
    }
}

impl Default for SchedulerSpec {
    fn default() -> Self {
        Self::RoundRobin(RoundRobinSpec {})
    }
}

/// The parameters of a scheduler, as the scenario has them.
trait Parameters: Sized {
    /// The scheduler that runs.
    type Scheduler: Discipline;

    /// True if a level that is configured may starve by design.
    const STARVES: bool = false;

    /// True if [`Self::latency_rate`] holds only while no lane lacks credits: a lane that has
    /// lacked them sends before others what it could not send before.
    const NEEDS_CREDITS_OF_ALL: bool = false;

    /// Parameters that suit these levels.
    fn suited(levels: &Levels) -> Self;

    /// Adapts the parameters to another number of levels.
    fn fit(&mut self, _levels: &Levels) {}

    /// Follows the MTUs of the levels.
    fn set_mtus(&mut self, _before: &Levels, _after: &Levels) {}

    /// Exchanges what two lanes have.
    fn swap_lanes(&mut self, _one: u8, _other: u8) {}

    /// The levels and lanes that the parameters name.
    fn names(&self) -> Vec<Name> {
        Vec::new()
    }

    /// The lane of the management channel, if there is one.
    fn management_lane(&self) -> Option<usize> {
        None
    }

    /// Removes the management channel, and its part of the link.
    fn remove_management(&mut self) {}

    /// Adds what is wrong with the parameters for lanes whose largest packets have these credits.
    fn check(&self, _at: &str, _largest: &[u32], _problems: &mut Problems) {}

    /// What of a level the table leaves out; `lanes` are those of the level. A scheduler serves
    /// what its table leaves out only while nothing in the table is ready.
    fn omits(&self, _level: u8, _lanes: &[u8]) -> Option<Omission> {
        None
    }

    /// What the scheduler guarantees to a level that is alone on one lane, whose smallest packet
    /// has these credits.
    fn latency_rate(&self, _level: usize, _levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        None
    }

    /// What the scheduler gives a level while every level has packets of its MTU.
    fn gives(&self, level: usize, levels: &Levels) -> Option<Given>;

    /// The scheduler of a port in its initial state.
    ///
    /// # Errors
    /// What is wrong with the parameters; `at` is their scenario path.
    fn scheduler(&self, at: &str) -> Result<Self::Scheduler, Problems>;
}

/// The behaviour of a scheduler.
trait Discipline {
    /// Sets the lanes that carry packets of each level, one mask per level.
    fn set_lanes_of_levels(&mut self, _lanes_of: &[u32]) {}

    /// Sets the flits of a credit.
    fn set_credit_flits(&mut self, _flits: u32) {}

    /// True if [`Self::arrives`] does anything.
    const SEES_ARRIVALS: bool = false;

    /// A packet joins a lane and becomes ready in cycle `at`.
    fn arrives(&mut self, _lane: u8, _credits: u16, _at: u64) {}

    /// The lane that sends next, one of those that are ready; there is at least one. Its packet
    /// counts as sent.
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8;

    /// True if the packet that `next` chose last belongs to the turn of the packet before it.
    #[inline]
    fn goes_on(&self) -> bool {
        false
    }

    /// The state, for display, while these lanes are as they are.
    fn state<L: Foremost>(&self, lanes: Lanes<L>) -> SchedulerState;
}

/// The service levels of a fabric, as far as the parameters of schedulers depend on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    /// The lanes of each level, at any port, each once; for a bypass queue the lane that
    /// schedulers see.
    pub lanes: Vec<Vec<u8>>,
    /// The largest packet of each level, credits.
    pub mtus: Vec<u32>,
}

impl Levels {
    /// The levels of a fabric.
    pub fn of(spec: &CutThroughSpec) -> Self {
        let (mut lanes, mut mtus) = (Vec::new(), Vec::new());
        for (i, level) in spec.qos.levels.iter().enumerate() {
            let mut of_level = spec.lanes_of_level(i);
            of_level.iter_mut().for_each(|lane| *lane = spec.qos.lane_of_scheduler(*lane));
            of_level.sort_unstable();
            of_level.dedup();
            lanes.push(of_level);
            mtus.push(level.mtu_bytes.div_ceil(spec.credit_bytes.max(1)));
        }
        Self { lanes, mtus }
    }

    fn count(&self) -> usize {
        self.lanes.len()
    }

    /// The lane of a level, if it has one lane and no other level uses it.
    pub fn lane_alone(&self, level: usize) -> Option<u8> {
        let &[lane] = &*self.lanes[level] else { return None };
        let users = self.lanes.iter().filter(|lanes| lanes.contains(&lane)).count();
        (users == 1).then_some(lane)
    }

    /// The part of a link that a level has, by what each level sends in the same time.
    fn share_of_level(&self, level: usize, sent: impl Fn(usize) -> f64) -> Option<f64> {
        let all: f64 = (0..self.count()).map(&sent).sum();
        (all > 0.0).then(|| sent(level) / all)
    }

    /// The same by what each lane sends; `None` if another level uses a lane of the level.
    fn share_of_lanes(&self, level: usize, sent: impl Fn(u8) -> f64) -> Option<f64> {
        let own = &self.lanes[level];
        let is_used = |other: usize| own.iter().any(|lane| self.lanes[other].contains(lane));
        if (0..self.count()).any(|other| other != level && is_used(other)) {
            return None;
        }
        let all: f64 = self.largest().into_keys().map(&sent).sum();
        (all > 0.0).then(|| own.iter().fold(0.0, |sum, &lane| sum + sent(lane)) / all)
    }

    /// The largest packet of each lane in use, credits.
    fn largest(&self) -> BTreeMap<u8, u32> {
        let mut largest = BTreeMap::new();
        for (lanes, &mtu) in self.lanes.iter().zip(&self.mtus) {
            for &lane in lanes {
                let packet = largest.entry(lane).or_insert(0);
                *packet = mtu.max(*packet);
            }
        }
        largest
    }

    /// The largest packet of all, credits.
    fn largest_packet(&self) -> u32 {
        self.mtus.iter().copied().max().unwrap_or(0)
    }

    /// Lanes up to the highest that a level uses.
    fn lane_count(&self) -> usize {
        self.lanes.iter().flatten().max().map_or(1, |&lane| usize::from(lane) + 1)
    }
}

/// Names one lane where the other was named, and the other way round.
pub fn exchange_lanes<'a>(lanes: impl IntoIterator<Item = &'a mut u8>, one: u8, other: u8) {
    for lane in lanes {
        *lane = match *lane {
            lane if lane == one => other,
            lane if lane == other => one,
            lane => lane,
        };
    }
}

/// What was as large as `before` demanded becomes as large as `after` does; what was larger stays,
/// if it is large enough.
fn follow(value: &mut u32, before: u32, after: u32) {
    *value = if *value == before { after } else { after.max(*value) };
}

/// What a scheduler gives a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Given {
    /// What its parameters say.
    pub amount: Amount,
    /// The part of the link, 0 to 1; `None` if the parameters do not determine it.
    pub share: Option<f64>,
}

/// What the parameters of a scheduler say about a level. For lanes, it is that of all lanes of the
/// level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// A weight, relative to those of other levels.
    Weight(u32),
    /// Credits per round.
    Quantum(u32),
    /// Entries of a table.
    Entries(u32),
    /// The place among the priorities, from 1.
    Priority(u32),
}

/// A level or lane that the parameters of a scheduler name; `field` is the path below the
/// scheduler's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name {
    /// A list of numbers for the levels 0, 1, ...
    Levels {
        /// The list.
        field: String,
        /// Its length.
        count: usize,
    },
    /// A level.
    Level {
        /// Where it is named.
        field: String,
        /// Its number.
        level: u8,
    },
    /// A lane.
    Lane {
        /// Where it is named.
        field: String,
        /// Its number.
        lane: u8,
    },
}

/// What the table of a scheduler leaves out of a level that sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    /// The table: its path below the scheduler's.
    pub field: &'static str,
    /// The lane that is left out; `None` if it is the level.
    pub lane: Option<u8>,
}

/// A hundred in equal parts.
fn equal_parts(count: usize) -> Vec<u32> {
    (0..count).map(|i| (100 / count + usize::from(i < 100 % count)) as u32).collect()
}

/// The packet at the head of a lane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Head {
    /// Its service level.
    pub level: u8,
    /// Its size, credits.
    pub credits: u16,
}

/// Gives the packet at the head of each lane.
pub trait Foremost: Copy {
    /// The packet at the head of a lane; meaningless if the lane is not ready.
    fn head(&self) -> Head;
}

impl Foremost for Head {
    fn head(&self) -> Head {
        *self
    }
}

/// The lanes of an output port as a scheduler sees them.
#[derive(Debug, Clone, Copy)]
pub struct Lanes<'a, L> {
    /// One bit per lane: it has a whole packet and credits for it.
    pub ready: u32,
    /// All lanes.
    pub lanes: &'a [L],
    /// The cycle in which the scheduler is asked.
    pub now: u64,
}

impl<L: Foremost> Lanes<'_, L> {
    /// The packet at the head of a lane.
    #[inline]
    fn head(&self, lane: u8) -> Head {
        self.lanes[lane as usize].head()
    }

    /// The ready lanes with a packet of this level at their head, one bit each.
    #[inline]
    fn of_level(&self, level: u8) -> u32 {
        let (mut rest, mut lanes) = (self.ready, 0);
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            lanes |= u32::from(self.head(lane as u8).level == level) << lane;
        }
        lanes
    }

    /// The first ready lane after `last`, in cyclic order, for which `test` holds.
    #[inline]
    fn first_after(&self, last: u8, mut test: impl FnMut(Head) -> bool) -> Option<u8> {
        let mut rest = rotate(self.ready, last);
        while rest != 0 {
            let lane = (rest.trailing_zeros() + u32::from(last) + 1) as u8 % 32;
            if test(self.head(lane)) {
                return Some(lane);
            }
            rest &= rest - 1;
        }
        None
    }

    /// The last ready lane in cyclic order, beginning with `first`.
    #[inline]
    fn last_from(&self, first: u8) -> u8 {
        let rotated = self.ready.rotate_right(first.into());
        ((31 - rotated.leading_zeros() + u32::from(first)) % 32) as u8
    }

    /// One bit per service level that has a ready lane.
    #[inline]
    fn levels(&self) -> u32 {
        let (mut rest, mut levels) = (self.ready, 0);
        while rest != 0 {
            levels |= 1 << self.head(rest.trailing_zeros() as u8).level;
            rest &= rest - 1;
        }
        levels
    }
}

/// The first lane of a mask after `last`, in cyclic order.
#[inline]
fn first_after(mask: u32, last: u8) -> u8 {
    ((rotate(mask, last).trailing_zeros() + u32::from(last) + 1) % 32) as u8
}

/// The mask rotated so that the bit after `last` is the lowest.
#[inline]
fn rotate(mask: u32, last: u8) -> u32 {
    mask.rotate_right(u32::from(last) + 1)
}

/// A token bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BucketState {
    /// What it holds in this cycle, credits.
    pub credits: u32,
    /// What it holds at most, credits.
    pub depth: u32,
    /// What it gains, parts of the link.
    pub rate: u32,
    /// Number of parts of a whole link.
    pub of: u32,
}

/// The state of a scheduler; lists that do not apply to it are empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SchedulerState {
    /// `(level or lane, weight)` of each table entry; weight 1 where entries have none.
    pub table: Vec<(u8, u32)>,
    /// The table entry in service.
    pub pointer: usize,
    /// Weight accumulated for the entry or level in service, credits.
    pub accumulated: u32,
    /// The lists below count lanes where they otherwise count levels.
    pub by_lane: bool,
    /// Configured weight or quantum of each level.
    pub weights: Vec<u32>,
    /// Remaining weight of each level in this round, packets.
    pub remaining: Vec<u32>,
    /// Deficit of each level, credits.
    pub deficits: Vec<u32>,
    /// Fair queuing: how far the tag of the foremost packet of each lane, its own length included,
    /// is ahead of the virtual time, credits over weight. The tag of a lane that is not ready is
    /// that of its last packet.
    pub tags: Vec<f64>,
    /// The token bucket of the management channel.
    pub bucket: Option<BucketState>,
    /// Levels by falling priority.
    pub order: Vec<u8>,
    /// The lane that sent last.
    pub last_lane: u8,
}

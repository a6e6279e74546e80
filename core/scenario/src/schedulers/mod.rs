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
mod lanes;
mod latency_rate;
mod levels;
pub mod messages;
mod min_bw;
mod round_robin;
mod sbt;
mod state;
mod strict_priority;
#[cfg(test)]
mod tests;
mod weights;
mod wf2q_plus;
mod wfq;
mod wrr;

pub use dtable::{DtableGoals, DtableLevel};
pub use lanes::{Foremost, Head, Lanes};
pub use latency_rate::LatencyRate;
pub use levels::{Levels, exchange_lanes};
pub use sbt::Restore;
pub use state::{BucketState, SchedulerState};

use lanes::first_after;
use latency_rate::Turn;
use levels::{equal_parts, follow};

use crate::catalogue::Descriptor;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// Defines the family from the list of its members: [`SchedulerSpec`], the enum of the scenario
/// file, which dereferences to the [`Parameters`] of the member, and [`Scheduler`], the enum of
/// what runs, so that the next lane is found without a call through a pointer.
///
/// A member is a module with a `DESCRIPTOR`, a struct of its parameters, which implements
/// [`Parameters`] and [`Member`], and a struct of its state, which implements [`Discipline`]. A new
/// one needs its file, its `mod` line and its line in the list.
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
        }

        /// What the parameters say.
        impl Deref for SchedulerSpec {
            type Target = dyn Parameters;

            fn deref(&self) -> &Self::Target {
                match self {
                    $( Self::$member(parameters) => parameters, )+
                }
            }
        }

        impl DerefMut for SchedulerSpec {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $( Self::$member(parameters) => parameters, )+
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
pub trait Parameters {
    /// True if a level that is configured may starve by design.
    fn starves(&self) -> bool {
        false
    }

    /// True if [`Self::latency_rate`] holds only while no lane lacks credits: a lane that has
    /// lacked them sends before others what it could not send before.
    fn needs_credits_of_all(&self) -> bool {
        false
    }

    /// Adapts the parameters to another number of service levels: a weight, quantum, entry or goal
    /// for a level that is new, none for a level or lane that is gone. What the user has set stays.
    /// [`Self::set_mtus`] follows it.
    fn fit(&mut self, _levels: &Levels) {}

    /// Follows the MTUs of the levels. What was as large as the MTUs `before` demanded is as large
    /// as those of `after` do; what was larger stays, if it is large enough.
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

    /// Adds what is wrong with the parameters for the lanes of a fabric, whose largest packets have
    /// these credits, 0 for a lane that carries none. `at` is the path of the parameters.
    fn check(&self, _at: &str, _largest: &[u32], _problems: &mut Problems) {}

    /// What of a level the table leaves out; `lanes` are those of the level. A scheduler serves
    /// what its table leaves out only while nothing in the table is ready.
    fn omits(&self, _level: u8, _lanes: &[u8]) -> Option<Omission> {
        None
    }

    /// What the scheduler guarantees to a level that is alone on one lane, whose smallest packet
    /// has these credits; `None` if it guarantees no rate, or none is known.
    fn latency_rate(&self, _level: usize, _levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        None
    }

    /// What the scheduler gives a level while every level has packets of its MTU; `None` if the
    /// parameters are wrong.
    fn gives(&self, level: usize, levels: &Levels) -> Option<Given>;
}

/// The parameters of a member of the family, which make its scheduler.
trait Member: Parameters + Sized {
    /// The scheduler that runs.
    type Scheduler: Discipline;

    /// Parameters that suit these levels.
    fn suited(levels: &Levels) -> Self;

    /// The scheduler of a port in its initial state.
    ///
    /// # Errors
    ///
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

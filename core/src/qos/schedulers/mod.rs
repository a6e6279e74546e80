//! Output schedulers: which virtual lane of an output port sends next.
//!
//! An output port calls [`Scheduler::next`] when it is free. A lane is ready if it has a whole
//! packet and the credits for it; a scheduler sees only the ready lanes, and the time. Every port
//! has a scheduler of its own. Schedulers are work
//! conserving: while a lane is ready, `next` names one, and its packet counts as sent. While no
//! lane is ready, `next` changes nothing. Bandwidth is shared among service levels, not lanes,
//! unless a scheduler says otherwise.

mod drr;
pub mod dtable;
mod round_robin;
mod sbt;
mod strict_priority;
#[cfg(test)]
mod tests;
mod wrr;

pub use drr::Drr;
pub use dtable::Dtable;
pub use sbt::Sbt;
pub use strict_priority::StrictPriority;
pub use wrr::Wrr;

use crate::catalogue::Descriptor;
use crate::engine::Cycle;
use crate::problem::Problems;
use crate::scenario::SchedulerSpec;
use serde::{Deserialize, Serialize};

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
    pub now: Cycle,
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

/// The scheduler of one output port: configuration and state.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub enum Scheduler {
    /// Round robin and simple bandwidth table.
    Sbt(Sbt),
    /// Deficit table.
    Dtable(Dtable),
    /// Table arbitration.
    Wrr(Wrr),
    /// Deficit round robin.
    Drr(Drr),
    /// Strict priority.
    StrictPriority(StrictPriority),
}

impl Scheduler {
    /// A scheduler in its initial state.
    ///
    /// # Errors
    ///
    /// What is wrong with the parameters; `at` is their scenario path.
    pub fn new(spec: &SchedulerSpec, at: &str) -> Result<Self, Problems> {
        Ok(match spec {
            SchedulerSpec::RoundRobin => Self::Sbt(round_robin::round_robin()),
            SchedulerSpec::Sbt { weights, restore } => Self::Sbt(Sbt::new(weights, *restore, at)?),
            SchedulerSpec::Dtable(table) => Self::Dtable(Dtable::new(table, at)?),
            SchedulerSpec::Wrr { table } => Self::Wrr(Wrr::new(table, at)?),
            SchedulerSpec::Drr { quanta } => Self::Drr(Drr::new(quanta, at)?),
            SchedulerSpec::StrictPriority { order } => {
                Self::StrictPriority(StrictPriority::new(order, at)?)
            }
        })
    }

    /// Sets the lanes that carry packets of each level, one mask per level. Without it, any lane
    /// may carry any level.
    pub fn set_lanes_of_levels(&mut self, lanes_of: &[u32]) {
        if let Self::Dtable(s) = self {
            s.set_lanes_of_levels(lanes_of);
        }
    }

    /// The lane that sends next; its packet counts as sent. `None`, without a change of state, if
    /// no lane is ready.
    #[inline(always)]
    pub fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> Option<u8> {
        if lanes.ready == 0 {
            return None;
        }
        Some(match self {
            Self::Sbt(s) => s.next(lanes),
            Self::Dtable(s) => s.next(lanes),
            Self::Wrr(s) => s.next(lanes),
            Self::Drr(s) => s.next(lanes),
            Self::StrictPriority(s) => s.next(lanes),
        })
    }

    /// True if the packet that [`Self::next`] chose last belongs to the table entry (deficit table)
    /// or quantum (deficit round robin) of the packet before it.
    #[inline]
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Dtable(s) => s.goes_on(),
            Self::Drr(s) => s.goes_on(),
            Self::Sbt(_) | Self::Wrr(_) | Self::StrictPriority(_) => false,
        }
    }

    /// The state, for display.
    pub fn state(&self) -> SchedulerState {
        match self {
            Self::Sbt(s) => s.state(),
            Self::Dtable(s) => s.state(),
            Self::Wrr(s) => s.state(),
            Self::Drr(s) => s.state(),
            Self::StrictPriority(s) => s.state(),
        }
    }
}

/// The state of a scheduler; lists that do not apply to it are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulerState {
    /// `(level or lane, weight)` of each table entry; weight 1 where entries have none.
    pub table: Vec<(u8, u32)>,
    /// The table entry in service.
    pub pointer: usize,
    /// Weight accumulated for the entry or level in service, credits.
    pub accumulated: u32,
    /// Configured weight or quantum of each level.
    pub weights: Vec<u32>,
    /// Remaining weight of each level in this round, packets.
    pub remaining: Vec<u32>,
    /// Deficit of each level, credits.
    pub deficits: Vec<u32>,
    /// Levels by falling priority.
    pub order: Vec<u8>,
    /// The lane that sent last.
    pub last_lane: u8,
}

/// Descriptors of all schedulers.
pub fn all() -> Vec<Descriptor> {
    vec![
        round_robin::DESCRIPTOR,
        sbt::DESCRIPTOR,
        dtable::DESCRIPTOR,
        wrr::DESCRIPTOR,
        drr::DESCRIPTOR,
        strict_priority::DESCRIPTOR,
    ]
}

//! Strict priority among service levels. It starves low levels by design.

use super::{Foremost, Lanes, SchedulerState};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "strict-priority",
    name: "Strict priority",
    summary: "Always the highest level that is ready; lower ones may starve",
    parameters: &[Parameter {
        id: "order",
        summary: "Service levels, highest priority first; those not listed follow in ascending order",
        unit: "",
        kind: Kind::Integers { default: &[] },
    }],
    citation: "",
    status: Status::CrossChecked,
};

/// Strict priority; lanes of one level take turns.
#[derive(Debug, Clone)]
pub struct StrictPriority {
    /// Rank of each level; 0 has the highest priority.
    place: [u8; MAX_LEVELS],
    last_lane: u8,
}

impl StrictPriority {
    /// A scheduler with these levels, highest priority first.
    pub fn new(order: &[u8], at: &str) -> Result<Self, Problems> {
        let mut listed = 0_u32;
        for &level in order {
            if level as usize >= MAX_LEVELS || listed >> level & 1 == 1 {
                return Err(Problems::one(
                    format!("{at}.order"),
                    messages::level_twice_or_missing(level),
                    messages::list_levels_once(),
                ));
            }
            listed |= 1 << level;
        }
        let rest = (0..MAX_LEVELS as u8).filter(|&l| listed >> l & 1 == 0);
        let mut place = [0; MAX_LEVELS];
        for (i, level) in order.iter().copied().chain(rest).enumerate() {
            place[level as usize] = i as u8;
        }
        Ok(Self { place, last_lane: MAX_LEVELS as u8 - 1 })
    }

    #[inline]
    pub(super) fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let (mut rest, mut best) = (lanes.ready, u8::MAX);
        while rest != 0 {
            best = best.min(self.place[lanes.head(rest.trailing_zeros() as u8).level as usize]);
            rest &= rest - 1;
        }
        let lane = lanes.first_after(self.last_lane, |h| self.place[h.level as usize] == best);
        self.last_lane = lane.expect("a lane is ready");
        self.last_lane
    }

    pub(super) fn state(&self) -> SchedulerState {
        let mut order: Vec<u8> = (0..MAX_LEVELS as u8).collect();
        order.sort_by_key(|&level| self.place[level as usize]);
        SchedulerState { order, last_lane: self.last_lane, ..Default::default() }
    }
}

//! Strict priority among service levels. It starves low levels by design.

use super::{
    Amount, Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Parameters,
    SchedulerState, messages,
};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "strict-priority",
    name: "Strict priority",
    summary: "always the highest level that is ready; lower ones may starve",
    parameters: &[Parameter::new(
        "order",
        "service levels, highest priority first; those not listed follow in ascending order",
        "",
        Kind::Integers { default: &[], min: 0, max: MAX_LEVELS as u64 - 1, may_be_empty: true },
    )
    .named("Levels, highest priority first")
    .required()],
    citation: "",
    status: Status::CrossChecked,
};

/// Parameters of strict priority.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrictPrioritySpec {
    /// Levels, highest priority first; those not listed follow in ascending order.
    pub order: Vec<u8>,
}

impl Parameters for StrictPrioritySpec {
    fn starves(&self) -> bool {
        true
    }

    fn fit(&mut self, levels: &Levels) {
        self.order.retain(|&level| usize::from(level) < levels.count());
    }

    fn names(&self) -> Vec<Name> {
        let name = |(i, &level)| Name::Level { field: format!("order.{i}"), level };
        self.order.iter().enumerate().map(name).collect()
    }

    /// The first level waits for the packet in service only; the others may wait without end.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        levels.lane_alone(level)?;
        let is_first = usize::from(self.order.first().copied().unwrap_or(0)) == level;
        let packets = levels.largest_packet() + levels.mtus[level];
        is_first.then_some(LatencyRate { rate: 1.0, latency: packets.into() })
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        let is_listed = |level: usize| self.order.iter().any(|&one| usize::from(one) == level);
        let rest = (0..levels.count()).filter(|&level| !is_listed(level));
        let mut all = self.order.iter().map(|&level| usize::from(level)).chain(rest);
        let place = all.position(|one| one == level)?;
        Some(Given { amount: Amount::Priority(place as u32 + 1), share: None })
    }
}

impl Member for StrictPrioritySpec {
    type Scheduler = StrictPriority;

    fn suited(levels: &Levels) -> Self {
        Self { order: (0..levels.count() as u8).collect() }
    }

    fn scheduler(&self, at: &str) -> Result<StrictPriority, Problems> {
        StrictPriority::new(&self.order, at)
    }
}

/// Strict priority; lanes of one level take turns.
#[derive(Debug, Clone)]
pub struct StrictPriority {
    /// Rank of each level; 0 has the highest priority.
    place: [u8; MAX_LEVELS],
    last_lanes: [u8; MAX_LEVELS],
    /// The last lane of all.
    last_lane: u8,
}

impl StrictPriority {
    /// A scheduler with these levels, highest priority first.
    fn new(order: &[u8], at: &str) -> Result<Self, Problems> {
        let mut listed = 0_u32;
        for &level in order {
            if level as usize >= MAX_LEVELS || listed >> level & 1 == 1 {
                return Err(Problems::one(
                    format!("{at}.order"),
                    messages::level_twice_or_missing(level),
                    messages::list_levels_once(MAX_LEVELS - 1),
                ));
            }
            listed |= 1 << level;
        }
        let rest = (0..MAX_LEVELS as u8).filter(|&l| listed >> l & 1 == 0);
        let mut place = [0; MAX_LEVELS];
        for (i, level) in order.iter().copied().chain(rest).enumerate() {
            place[level as usize] = i as u8;
        }
        let last = MAX_LEVELS as u8 - 1;
        Ok(Self { place, last_lanes: [last; MAX_LEVELS], last_lane: last })
    }
}

impl Discipline for StrictPriority {
    #[inline]
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let ready = lanes.levels();
        let level = (0..MAX_LEVELS as u8)
            .filter(|level| ready >> level & 1 == 1)
            .min_by_key(|&level| self.place[level as usize])
            .expect("a lane is ready");
        let last = &mut self.last_lanes[level as usize];
        *last =
            lanes.first_after(*last, |h| h.level == level).expect("a lane of the level is ready");
        self.last_lane = *last;
        self.last_lane
    }

    fn state<L: Foremost>(&self, _: Lanes<L>) -> SchedulerState {
        let mut order = vec![0; MAX_LEVELS];
        for (level, &place) in (0..).zip(&self.place) {
            order[place as usize] = level;
        }
        SchedulerState { order, last_lane: self.last_lane, ..Default::default() }
    }
}

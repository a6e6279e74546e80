//! Simple bandwidth table: a weight in packets per service level.
//!
//! Algorithm 1 of Cano-Cano et al., Providing quality of service in Omni-Path networks, 2022. The
//! search for a lane begins at the lane chosen last, so a lane goes on while its level has weight
//! and packets. If no ready lane has weight, the last one of the search sends without weight. All
//! weights are restored only if the search has met as many ready lanes as the table has entries:
//! with as many lanes as levels, when every level is active and has used up its weight. With
//! another number of ready lanes nothing is restored, and lanes without weight take turns.
//!
//! `Restore::Ready` is the other rule: lanes take turns, and weights are restored as soon as no
//! ready lane has any.

use super::{
    Amount, Discipline, Foremost, Given, Head, Lanes, LatencyRate, Levels, Member, Name, Omission,
    Parameters, SchedulerState, equal_parts, messages, weights,
};
use crate::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "sbt",
    name: "Simple bandwidth table",
    summary: "each service level may send its weight in packets per round",
    parameters: &[
        Parameter::new(
            "weights",
            "packets per round of each service level; the sum is usually 100",
            "packets",
            Kind::Integers { default: &[100], min: 0, max: u32::MAX as u64, may_be_empty: false },
        )
        .named("Weights of the levels")
        .required(),
        Parameter::new(
            "restore",
            "when weights are restored: spent, as in algorithm 1 of the paper; ready, as \
             soon as no ready lane has any",
            "",
            Kind::Choice {
                default: "spent",
                choices: &["spent", "ready"],
                names: Names::Own(&[
                    "When all have spent them",
                    "When those that are ready have spent them",
                ]),
            },
        )
        .named("Weights are restored"),
    ],
    citation: "Cano-Cano et al., Providing quality of service in Omni-Path networks, 2022",
    status: Status::CrossChecked,
};

/// Parameters of a simple bandwidth table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SbtSpec {
    /// Packets per round of each service level; a level not listed has none.
    pub weights: Vec<u32>,
    /// Where the search for a lane begins, and when weights are restored.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub restore: Restore,
}

/// The rules of a simple bandwidth table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restore {
    /// Algorithm 1 of Cano-Cano et al. 2022: the search begins at the lane chosen last; weights are
    /// restored when as many lanes are ready as the table has entries, and none has weight.
    #[default]
    Spent,
    /// The search begins at the lane after the last; weights are restored as soon as no ready lane
    /// has any.
    Ready,
}

impl Parameters for SbtSpec {
    /// One weight for each level: a hundred in equal parts if they were so before; else a new level
    /// has the mean of the others.
    fn fit(&mut self, levels: &Levels) {
        if self.weights == equal_parts(self.weights.len()) {
            self.weights = equal_parts(levels.count());
            return;
        }
        self.weights.resize(levels.count(), weights::mean(&self.weights));
    }

    fn names(&self) -> Vec<Name> {
        vec![Name::Levels { field: "weights".into(), count: self.weights.len() }]
    }

    fn omits(&self, level: u8, _lanes: &[u8]) -> Option<Omission> {
        let has_weight = self.weights.get(usize::from(level)).is_some_and(|&weight| weight > 0);
        (!has_weight).then_some(Omission { field: "weights", lane: None })
    }

    /// Only with [`Restore::Ready`]: with [`Restore::Spent`] weights may never be restored.
    fn latency_rate(&self, level: usize, levels: &Levels, smallest: u32) -> Option<LatencyRate> {
        let of_ready = || of_ready(&self.weights, level, levels, smallest);
        (self.restore == Restore::Ready).then(of_ready)?
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        gives(&self.weights, level, levels)
    }
}

impl Member for SbtSpec {
    type Scheduler = Sbt;

    fn suited(levels: &Levels) -> Self {
        Self { weights: equal_parts(levels.count()), restore: Restore::Spent }
    }

    fn scheduler(&self, at: &str) -> Result<Sbt, Problems> {
        Sbt::new(&self.weights, self.restore, at)
    }
}

/// What [`Restore::Ready`] guarantees to a level with packets of at least `smallest` credits.
///
/// The level may become busy just after it has used up its weight, with a packet in service and the
/// weights of all others left. Then it sends its weight in every round, one packet for each turn of
/// the other lanes that still have weight. The latency is the longest time until its packet `k + 1`
/// of a round, without the `k` at its rate.
pub(super) fn of_ready(
    weights: &[u32],
    level: usize,
    levels: &Levels,
    smallest: u32,
) -> Option<LatencyRate> {
    let weight = |level: usize| weights.get(level).copied().unwrap_or(0);
    levels.lane_alone(level)?;
    let own = f64::from(weight(level)) * f64::from(smallest);
    if own == 0.0 {
        return None;
    }
    // What others send in `turns` turns of their lanes.
    let others = |turns: u32| -> f64 {
        let others = (0..levels.count()).filter(|&other| other != level);
        let packets = |other: usize| {
            let lanes = levels.lanes[other].len() as u32;
            f64::from(turns.saturating_mul(lanes).min(weight(other)))
        };
        others.map(|other| packets(other) * f64::from(levels.mtus[other])).sum()
    };
    let round = others(u32::MAX);
    let until =
        |turns: u32| others(turns) - f64::from(turns - 1) * f64::from(smallest) * round / own;
    // It is longest where a level has used up its weight.
    let ends = (0..levels.count()).flat_map(|other| {
        let turns = weight(other) / levels.lanes[other].len().max(1) as u32;
        [turns, turns.saturating_add(1)]
    });
    let ends = ends.filter(|turns| (1..=weight(level)).contains(turns));
    let longest = ends.chain([1, weight(level)]).map(until).fold(0.0, f64::max);
    let in_service = levels.largest_packet() + levels.mtus[level];
    Some(LatencyRate {
        rate: own / (own + round),
        latency: round + longest + f64::from(in_service),
    })
}

/// What weights in packets give a level.
pub(super) fn gives(weights: &[u32], level: usize, levels: &Levels) -> Option<Given> {
    let weight = |level: usize| weights.get(level).copied().unwrap_or(0);
    let sent = |level: usize| f64::from(weight(level)) * f64::from(levels.mtus[level]);
    let share = levels.share_of_level(level, sent);
    Some(Given { amount: Amount::Weight(weight(level)), share })
}

/// The lanes that [`Sbt`] may choose are at most this many.
const LANES: u8 = MAX_LEVELS as u8;

/// Simple bandwidth table: configuration and state of one port.
#[derive(Debug, Clone)]
pub struct Sbt {
    weights: [u32; MAX_LEVELS],
    remaining: [u32; MAX_LEVELS],
    restore: Restore,
    /// Entries of the table: levels with a weight listed, also if it is 0.
    entries: u8,
    last_lane: u8,
}

impl Sbt {
    /// A scheduler with the weights of levels 0, 1, ..., in packets; levels not listed have 0.
    fn new(weights: &[u32], restore: Restore, at: &str) -> Result<Self, Problems> {
        if weights.len() > MAX_LEVELS {
            return Err(Problems::one(
                format!("{at}.weights"),
                messages::too_many_levels(),
                messages::list_32_weights(),
            ));
        }
        if weights.iter().all(|&w| w == 0) {
            return Err(Problems::one(
                format!("{at}.weights"),
                messages::no_weights(),
                messages::give_a_weight(),
            ));
        }
        let mut all = [0; MAX_LEVELS];
        all[..weights.len()].copy_from_slice(weights);
        Ok(Self::with_weights(all, weights.len() as u8, restore))
    }

    pub(super) fn with_weights(weights: [u32; MAX_LEVELS], entries: u8, restore: Restore) -> Self {
        // Either rule begins its first search at lane 0.
        let last_lane = match restore {
            Restore::Spent => 0,
            Restore::Ready => LANES - 1,
        };
        Self { weights, remaining: weights, restore, entries, last_lane }
    }

    /// Algorithm 1.
    #[inline]
    fn next_from_last<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let before = (self.last_lane + LANES - 1) % LANES;
        if let Some(lane) = self.first_with_weight(lanes, before) {
            return lane;
        }
        if lanes.ready.count_ones() == u32::from(self.entries) {
            self.remaining = self.weights;
        }
        lanes.last_from(self.last_lane)
    }

    #[inline]
    fn next_in_turn<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        if let Some(lane) = self.first_with_weight(lanes, self.last_lane) {
            return lane;
        }
        let has_weight = |h: Head| self.weights[h.level as usize] > 0;
        if lanes.first_after(self.last_lane, has_weight).is_some() {
            self.remaining = self.weights;
            return self.first_with_weight(lanes, self.last_lane).expect("weights are restored");
        }
        lanes.first_after(self.last_lane, |_| true).expect("a lane is ready")
    }

    /// The first lane after `last` whose level has weight; the level loses 1.
    #[inline]
    fn first_with_weight<L: Foremost>(&mut self, lanes: Lanes<L>, last: u8) -> Option<u8> {
        let lane = lanes.first_after(last, |h| self.remaining[h.level as usize] > 0)?;
        self.remaining[lanes.head(lane).level as usize] -= 1;
        Some(lane)
    }
}

impl Discipline for Sbt {
    #[inline]
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        self.last_lane = match self.restore {
            Restore::Spent => self.next_from_last(lanes),
            Restore::Ready => self.next_in_turn(lanes),
        };
        self.last_lane
    }

    fn state<L: Foremost>(&self, _: Lanes<L>) -> SchedulerState {
        SchedulerState {
            weights: self.weights.to_vec(),
            remaining: self.remaining.to_vec(),
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}

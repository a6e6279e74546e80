//! Simple bandwidth table: a weight in packets per service level.

use super::{Foremost, Lanes, SchedulerState};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "sbt",
    name: "Simple bandwidth table",
    summary: "Each service level may send its weight in packets per round; lanes take turns",
    parameters: &[Parameter {
        id: "weights",
        summary: "Packets per round of each service level; the sum is usually 100",
        unit: "packets",
        kind: Kind::Integers { default: &[100] },
    }],
    citation: "Cano-Cano et al., Enabling QoS provision in Omni-Path switches",
    status: Status::CrossChecked,
};

/// Simple bandwidth table (OPASim, section on the output scheduler). Each packet sent reduces the
/// remaining weight of its level by 1. When no ready level has weight left, all weights are
/// restored. A level with weight 0 sends only while no level with a weight is ready.
#[derive(Debug, Clone)]
pub struct Sbt {
    weights: [u32; MAX_LEVELS],
    remaining: [u32; MAX_LEVELS],
    last_lane: u8,
}

impl Sbt {
    /// A scheduler with the weights of levels 0, 1, ..., in packets; levels not listed have 0.
    pub fn new(weights: &[u32], at: &str) -> Result<Self, Problems> {
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
        Ok(Self::with_weights(all))
    }

    pub(super) fn with_weights(weights: [u32; MAX_LEVELS]) -> Self {
        Self { weights, remaining: weights, last_lane: MAX_LEVELS as u8 - 1 }
    }

    #[inline]
    pub(super) fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let with_rest = lanes.first_after(self.last_lane, |h| self.remaining[h.level as usize] > 0);
        let lane = with_rest.unwrap_or_else(|| self.next_round(lanes));
        let rest = &mut self.remaining[lanes.head(lane).level as usize];
        *rest = rest.saturating_sub(1);
        self.last_lane = lane;
        lane
    }

    fn next_round<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        if let Some(lane) =
            lanes.first_after(self.last_lane, |h| self.weights[h.level as usize] > 0)
        {
            self.remaining = self.weights;
            return lane;
        }
        lanes.first_after(self.last_lane, |_| true).expect("a lane is ready")
    }

    pub(super) fn state(&self) -> SchedulerState {
        SchedulerState {
            weights: self.weights.to_vec(),
            remaining: self.remaining.to_vec(),
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}

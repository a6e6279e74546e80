//! Worst-case fair weighted fair queuing (WF2Q+) of virtual lanes.
//!
//! Bennett, Zhang, Hierarchical packet fair queueing algorithms, 1997. Each lane has a start tag
//! `S_i` and a finish tag `F_i = S_i + L_i / w_i` of its foremost packet. When a lane becomes ready
//! `S_i = max(F_i, V)`; while it stays so `S_i = F_i` of its last packet. The virtual time is
//! `V(t + tau) = max(V(t) + W(t, t + tau), min S_i)` with the work `W` done meanwhile and the
//! minimum over the ready lanes. Of the lanes with `S_i <= V` that with the smallest finish tag
//! goes first, of equal ones the lowest. A scheduler sees a lane become ready when it chooses next;
//! `W` is counted in credits sent.

use super::weights::{self, REBASE_ABOVE, Weights, each};
use super::{
    Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Parameters,
    SchedulerState,
};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "wf2q-plus",
    name: "Worst-case fair queuing (WF2Q+)",
    summary: "fair queuing of virtual lanes by weight, never ahead of the ideal by more than a packet; a yardstick for the others",
    parameters: &[weights::OF_LANES],
    citation: "Bennett, Zhang, Hierarchical packet fair queueing algorithms, IEEE/ACM Transactions on Networking 5(5), 1997",
    status: Status::CrossChecked,
};

/// Parameters of WF2Q+.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wf2qPlusSpec {
    /// Weight of lanes 0, 1, ..., relative to their sum.
    pub weights: Vec<u32>,
}

impl Parameters for Wf2qPlusSpec {
    fn fit(&mut self, levels: &Levels) {
        weights::fit(&mut self.weights, levels.lane_count());
    }

    fn swap_lanes(&mut self, one: u8, other: u8) {
        weights::swap_lanes(&mut self.weights, one, other);
    }

    fn names(&self) -> Vec<Name> {
        weights::names(&self.weights)
    }

    fn check(&self, at: &str, largest: &[u32], problems: &mut Problems) {
        weights::check_lanes(&self.weights, false, largest, at, problems);
    }

    /// Stiliadis, Varma 1998, table I: `L_i / w_i` and the largest packet, which counts twice
    /// because an arrival is seen at the end of the packet in service.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        let rate = weights::rate(&self.weights, level, levels)?;
        let largest = f64::from(levels.largest_packet());
        Some(LatencyRate { rate, latency: f64::from(levels.mtus[level]) / rate + 2.0 * largest })
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        Some(weights::given(&self.weights, level, levels))
    }
}

impl Member for Wf2qPlusSpec {
    type Scheduler = Wf2qPlus;

    fn suited(levels: &Levels) -> Self {
        Self { weights: vec![1; levels.lane_count()] }
    }

    fn scheduler(&self, at: &str) -> Result<Wf2qPlus, Problems> {
        let last = MAX_LEVELS as u8 - 1;
        Ok(Wf2qPlus {
            weights: Weights::new(&self.weights, &format!("{at}.weights"))?.into(),
            virtual_time: 0,
            tags: [0; MAX_LEVELS],
            stamped: 0,
            last_lane: last,
            last_unlisted: last,
        })
    }
}

/// WF2Q+ of one port.
#[derive(Debug, Clone)]
pub struct Wf2qPlus {
    weights: Arc<Weights>,
    /// A credit of work advances it by [`Weights::multiple`].
    virtual_time: u64,
    /// Per lane: the start tag of its foremost packet while stamped; otherwise its last finish tag
    /// or a larger one that is not above the virtual time of then.
    tags: [u64; MAX_LEVELS],
    /// Lanes that were ready when the scheduler chose last, one bit each.
    stamped: u32,
    last_lane: u8,
    /// The last lane that sent without a weight.
    last_unlisted: u8,
}

impl Wf2qPlus {
    fn finish<L: Foremost>(&self, lane: usize, lanes: Lanes<L>) -> u64 {
        let credits = u64::from(lanes.head(lane as u8).credits);
        self.tags[lane] + credits * self.weights.steps[lane] * self.weights.sum
    }

    /// The ready lane that goes first, if one has a weight.
    fn choose<L: Foremost>(&mut self, lanes: Lanes<L>) -> Option<usize> {
        let ready = lanes.ready & self.weights.listed;
        self.stamp(ready);
        let eligible = each(ready).filter(|&lane| self.tags[lane] <= self.virtual_time);
        let (finish, lane) = eligible.map(|lane| (self.finish(lane, lanes), lane)).min()?;
        self.tags[lane] = finish;
        let credits = u64::from(lanes.head(lane as u8).credits);
        self.virtual_time += credits * self.weights.multiple;
        if self.virtual_time.max(finish) > REBASE_ABOVE {
            weights::rebase(&mut self.tags, &mut self.virtual_time, self.stamped);
        }
        Some(lane)
    }

    /// Advances the virtual time to the earliest start of the lanes that have stayed ready, stamps
    /// those that have become so, and advances it to the earliest start of all.
    fn stamp(&mut self, ready: u32) {
        self.advance_to_earliest(ready & self.stamped);
        for lane in each(ready & !self.stamped) {
            self.tags[lane] = self.tags[lane].max(self.virtual_time);
        }
        self.advance_to_earliest(ready);
        self.stamped = ready;
    }

    fn advance_to_earliest(&mut self, lanes: u32) {
        let earliest = each(lanes).map(|lane| self.tags[lane]).min().unwrap_or(0);
        self.virtual_time = self.virtual_time.max(earliest);
    }
}

impl Discipline for Wf2qPlus {
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        self.last_lane = match self.choose(lanes) {
            Some(lane) => lane as u8,
            None => lanes.next_in_turn(&mut self.last_unlisted),
        };
        self.last_lane
    }

    fn state<L: Foremost>(&self, lanes: Lanes<L>) -> SchedulerState {
        let unit = self.weights.multiple * self.weights.sum;
        let mut stamped = self.clone();
        stamped.stamp(lanes.ready & self.weights.listed);
        let ahead = |lane: usize| {
            let is_ready = lanes.ready >> lane & 1 == 1;
            let tag = if is_ready { stamped.finish(lane, lanes) } else { stamped.tags[lane] };
            tag.saturating_sub(stamped.virtual_time) as f64 / unit as f64
        };
        SchedulerState {
            by_lane: true,
            weights: self.weights.given().to_vec(),
            tags: (0..self.weights.given().len()).map(ahead).collect(),
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Head;
    use super::*;

    fn scheduler(weights: &[u32]) -> Wf2qPlus {
        let spec = Wf2qPlusSpec { weights: weights.to_vec() };
        spec.scheduler("fabric.scheduler").expect("valid")
    }

    /// The example of Bennett and Zhang (WF2Q, INFOCOM 1996, figure 2): one flow with half the link
    /// and ten with a twentieth each, all backlogged. Fair queuing without eligibility lets the
    /// first flow send ten packets in a row; WF2Q sends every other one.
    #[test]
    fn no_lane_runs_ahead_of_its_share() {
        let mut weights = vec![1; 11];
        weights[0] = 10;
        let mut scheduler = scheduler(&weights);
        let heads = [Head { level: 0, credits: 1 }; 11];
        let lanes = Lanes { ready: (1 << 11) - 1, lanes: &heads, now: 0 };
        let sent: Vec<u8> = (0..20).map(|_| scheduler.next(lanes)).collect();
        assert!(sent.iter().step_by(2).all(|&lane| lane == 0), "{sent:?}");
        let mut others: Vec<u8> = sent.iter().skip(1).step_by(2).copied().collect();
        others.sort_unstable();
        assert_eq!(others, (1..=10).collect::<Vec<u8>>());
    }

    #[test]
    fn the_state_has_the_tags_that_decide() {
        let heads = [34, 1].map(|credits| Head { level: 0, credits });
        let mut scheduler = scheduler(&[1, 1]);
        let lanes = Lanes { ready: 3, lanes: &heads, now: 0 };
        assert_eq!(scheduler.state(lanes).tags, [34.0, 1.0]);
        assert_eq!(scheduler.next(lanes), 1);
        // A credit of work advances the virtual time by a half, and the next packet of lane 1
        // starts at 1.
        assert_eq!(scheduler.state(lanes).tags, [33.5, 1.5]);
    }

    #[test]
    fn tags_do_not_drift() {
        let heads = [1, 34, 7].map(|credits| Head { level: 0, credits });
        let mut fresh = scheduler(&[3, 2, 5]);
        let mut near = fresh.clone();
        near.virtual_time = REBASE_ABOVE - 1000;
        near.tags = [near.virtual_time; MAX_LEVELS];
        let mut rebased = 0;
        for i in 0..20_000_u32 {
            let lanes = Lanes { ready: 1 + i * 5 % 7, lanes: &heads, now: 0 };
            let before = near.virtual_time;
            assert_eq!(fresh.next(lanes), near.next(lanes), "packet {i}");
            rebased += u32::from(near.virtual_time < before);
        }
        assert_eq!(rebased, 1);
    }
}

//! Weighted fair queuing (WFQ) of virtual lanes: the order in which an ideal server finishes.
//!
//! Demers, Keshav, Shenker, Analysis and simulation of a fair queueing algorithm, 1989; Parekh,
//! Gallager, A generalized processor sharing approach to flow control, 1993. The ideal server
//! serves all lanes that have something to send at the same time, each with a rate in proportion to
//! its weight. A packet that arrives when the virtual time of that server is `V` has the finish tag
//! `F = max(F of the packet before it in its lane, V) + L / w`. The ready lane whose foremost
//! packet has the smallest tag sends, of equal ones the lowest. The virtual time advances by one
//! over the sum of the weights of the lanes that the ideal server serves, per unit of its work. The
//! ideal server knows no credits: it serves whatever has arrived.
//!
//! No packet ends later than with the ideal server by more than the largest packet takes (Parekh,
//! Gallager, theorem 1), while it has credits. The other fair schedulers do with what they see of
//! foremost packets; this one has to be told of every packet that arrives.

use super::weights::{self, Weights, each};
use super::{
    Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Parameters,
    SchedulerState,
};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "wfq",
    name: "Weighted fair queuing (WFQ)",
    summary: "virtual lanes send in the order in which an ideal server, which divides each moment by weight, would finish; a yardstick for the others",
    parameters: &[weights::OF_LANES],
    citation: "Parekh, Gallager, A generalized processor sharing approach to flow control in integrated services networks, IEEE/ACM Transactions on Networking 1(3), 1993",
    status: Status::CrossChecked,
};

/// Parameters of WFQ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WfqSpec {
    /// Weight of lanes 0, 1, ..., relative to their sum.
    pub weights: Vec<u32>,
}

impl Parameters for WfqSpec {
    // The ideal server knows no credits: it serves a lane that lacks them.
    fn needs_credits_of_all(&self) -> bool {
        true
    }

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

    /// Stiliadis, Varma 1998, table I: `L_i / w_i` and the largest packet.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        let rate = weights::rate(&self.weights, level, levels)?;
        let largest = f64::from(levels.largest_packet());
        Some(LatencyRate { rate, latency: f64::from(levels.mtus[level]) / rate + largest })
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        Some(weights::given(&self.weights, level, levels))
    }
}

impl Member for WfqSpec {
    type Scheduler = Wfq;

    fn suited(levels: &Levels) -> Self {
        Self { weights: vec![1; levels.lane_count()] }
    }

    fn scheduler(&self, at: &str) -> Result<Wfq, Problems> {
        let last = MAX_LEVELS as u8 - 1;
        Ok(Wfq {
            weights: Weights::new(&self.weights, &format!("{at}.weights"))?.into(),
            ideal: Box::default(),
            waiting: vec![VecDeque::new(); self.weights.len()],
            last_lane: last,
            last_unlisted: last,
        })
    }
}

/// WFQ of one port.
#[derive(Debug, Clone)]
pub struct Wfq {
    weights: Arc<Weights>,
    ideal: Box<IdealServer>,
    /// Per lane: the finish tags of the packets in it, the foremost first.
    waiting: Vec<VecDeque<u128>>,
    last_lane: u8,
    /// The last lane that sent without a weight.
    last_unlisted: u8,
}

/// The ideal server.
// A credit of work advances the virtual time by less than 2^45 (`Weights`), so that 128 bits last
// for 2^83 credits.
#[derive(Debug, Clone)]
struct IdealServer {
    /// The cycle up to which it has worked.
    now: u64,
    credit_flits: u32,
    /// A credit of work advances it by the product of [`Weights::multiple`] and [`Weights::sum`],
    /// over the sum of the weights of the lanes that are served.
    virtual_time: u128,
    /// Work that is too little to advance it by one.
    rest: u128,
    /// Per lane: the finish tag of the last packet that has arrived.
    last: [u128; MAX_LEVELS],
    /// Lanes that are served, one bit each: those whose last tag is above the virtual time.
    busy: u32,
}

impl Default for IdealServer {
    fn default() -> Self {
        Self { now: 0, credit_flits: 1, virtual_time: 0, rest: 0, last: [0; MAX_LEVELS], busy: 0 }
    }
}

impl IdealServer {
    /// Works until cycle `now`. It finishes lane after lane; with each that is done, the others get
    /// more.
    fn work_until(&mut self, now: u64, weights: &Weights) {
        let per_cycle = u128::from(weights.multiple) * u128::from(weights.sum);
        let mut work = self.rest + u128::from(now.saturating_sub(self.now)) * per_cycle;
        self.now = self.now.max(now);
        self.rest = 0;
        while let Some(next) = each(self.busy).map(|lane| self.last[lane]).min() {
            let served: u64 = each(self.busy).map(|lane| weights.reduced(lane)).sum();
            // Work that advances the virtual time by one.
            let price = u128::from(served) * u128::from(self.credit_flits);
            let cost = (next - self.virtual_time) * price;
            if work < cost {
                self.virtual_time += work / price;
                self.rest = work % price;
                return;
            }
            work -= cost;
            self.virtual_time = next;
            let done = each(self.busy).filter(|&lane| self.last[lane] == next);
            self.busy &= !done.fold(0, |lanes, lane| lanes | 1 << lane);
        }
    }

    /// A packet arrives in cycle `at`. Returns its finish tag.
    fn arrives(&mut self, lane: usize, credits: u16, at: u64, weights: &Weights) -> u128 {
        self.work_until(at, weights);
        let length = u128::from(credits) * u128::from(weights.steps[lane] * weights.sum);
        let tag = self.last[lane].max(self.virtual_time) + length;
        self.last[lane] = tag;
        self.busy |= 1 << lane;
        tag
    }
}

impl Discipline for Wfq {
    const SEES_ARRIVALS: bool = true;

    fn set_credit_flits(&mut self, flits: u32) {
        self.ideal.credit_flits = flits;
    }

    fn arrives(&mut self, lane: u8, credits: u16, at: u64) {
        let lane = usize::from(lane);
        if let Some(waiting) = self.waiting.get_mut(lane) {
            waiting.push_back(self.ideal.arrives(lane, credits, at, &self.weights));
        }
    }

    /// A foremost packet that it was not told of arrives now.
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        for lane in each(lanes.ready & self.weights.listed) {
            if self.waiting[lane].is_empty() {
                self.arrives(lane as u8, lanes.head(lane as u8).credits, lanes.now);
            }
        }
        let tagged = each(lanes.ready & self.weights.listed)
            .filter_map(|lane| Some((*self.waiting[lane].front()?, lane)));
        self.last_lane = match tagged.min() {
            Some((_, lane)) => {
                self.waiting[lane].pop_front();
                lane as u8
            }
            None => lanes.next_in_turn(&mut self.last_unlisted),
        };
        self.last_lane
    }

    /// Tags are those of foremost packets.
    fn state<L: Foremost>(&self, lanes: Lanes<L>) -> SchedulerState {
        let unit = u128::from(self.weights.multiple) * u128::from(self.weights.sum);
        let mut ideal = self.ideal.clone();
        ideal.work_until(lanes.now, &self.weights);
        let ahead = |waiting: &VecDeque<u128>| {
            let tag = waiting.front().copied().unwrap_or(0);
            tag.saturating_sub(ideal.virtual_time) as f64 / unit as f64
        };
        SchedulerState {
            by_lane: true,
            weights: self.weights.given().to_vec(),
            tags: self.waiting.iter().map(ahead).collect(),
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Head;
    use super::*;

    fn scheduler(weights: &[u32]) -> Wfq {
        let spec = WfqSpec { weights: weights.to_vec() };
        spec.scheduler("fabric.scheduler").expect("valid")
    }

    /// The lanes that send, each packet when the one before has ended.
    fn sent(scheduler: &mut Wfq, heads: &[Head], mut counts: Vec<usize>) -> Vec<u8> {
        let mut sent = Vec::new();
        let mut now = 0;
        while counts.iter().any(|&count| count > 0) {
            let ready = (0..counts.len()).filter(|&lane| counts[lane] > 0);
            let ready = ready.fold(0, |ready, lane| ready | 1 << lane);
            let lane = scheduler.next(Lanes { ready, lanes: heads, now });
            counts[usize::from(lane)] -= 1;
            now += u64::from(heads[usize::from(lane)].credits);
            sent.push(lane);
        }
        sent
    }

    #[test]
    fn the_state_counts_what_the_ideal_server_has_done_by_now() {
        let mut scheduler = scheduler(&[1, 1]);
        scheduler.arrives(0, 34, 0);
        let heads = [34, 0].map(|credits| Head { level: 0, credits });
        let tags = |now| scheduler.state(Lanes { ready: 1, lanes: &heads, now }).tags;
        assert_eq!([0, 10, 34, 100].map(tags), [[34.0, 0.0], [24.0, 0.0], [0.0, 0.0], [0.0, 0.0]]);
    }

    /// The example of Bennett and Zhang (WF2Q, INFOCOM 1996, figure 2): one flow with half the link
    /// and ten with a twentieth each. Eleven packets of the first and one of each other arrive at
    /// the same time. Ten packets of the first finish before those of the others.
    #[test]
    fn packets_go_in_the_order_in_which_the_ideal_server_finishes() {
        let mut weights = vec![1; 11];
        weights[0] = 10;
        let mut scheduler = scheduler(&weights);
        let heads = [Head { level: 0, credits: 1 }; 11];
        let mut counts = vec![1; 11];
        counts[0] = 11;
        for (lane, &count) in counts.iter().enumerate() {
            (0..count).for_each(|_| scheduler.arrives(lane as u8, 1, 0));
        }
        // The tenth packet of the first lane finishes together with those of the others.
        let order: Vec<u8> = [0; 10].into_iter().chain(1..=10).chain([0]).collect();
        assert_eq!(sent(&mut scheduler, &heads, counts), order);
    }

    /// Two lanes with equal weights. The second has a packet from cycle 4 on, when the ideal server
    /// has served 4 of the 10 credits of the first; from then on each gets a half.
    #[test]
    fn the_virtual_time_follows_the_lanes_that_are_served() {
        let mut scheduler = scheduler(&[1, 1]);
        let unit = 2; // the sum of the weights times their least common multiple
        scheduler.arrives(0, 10, 0);
        scheduler.arrives(1, 2, 4);
        assert_eq!(scheduler.ideal.virtual_time, 4 * unit);
        // Lane 1 is done in cycle 8, lane 0 in cycle 12.
        scheduler.ideal.work_until(8, &scheduler.weights);
        assert_eq!((scheduler.ideal.virtual_time, scheduler.ideal.busy), (6 * unit, 1));
        scheduler.ideal.work_until(11, &scheduler.weights);
        assert_eq!((scheduler.ideal.virtual_time, scheduler.ideal.busy), (9 * unit, 1));
        scheduler.ideal.work_until(12, &scheduler.weights);
        assert_eq!((scheduler.ideal.virtual_time, scheduler.ideal.busy), (10 * unit, 0));
        scheduler.ideal.work_until(100, &scheduler.weights);
        assert_eq!(scheduler.ideal.virtual_time, 10 * unit, "it stands while nothing is served");
    }

    /// With large tags, after the ideal server has worked for 10^12 cycles.
    #[test]
    fn tags_do_not_drift() {
        let heads = [1, 34, 7].map(|credits| Head { level: 0, credits });
        let weights = [10_000, 9_999, 1];
        let [mut fresh, mut late] = [0, 1].map(|_| scheduler(&weights));
        const LATE: u64 = 1_000_000_000_000;
        (late.ideal.last[0], late.ideal.busy) = (u128::from(LATE) << 45, 1);
        late.ideal.work_until(LATE, &late.weights);
        assert!(late.ideal.virtual_time > 1 << 60);
        late.ideal.busy = 0;
        late.ideal.rest = 0;
        late.ideal.last = [late.ideal.virtual_time; MAX_LEVELS];
        let mut now = 0;
        for i in 0..20_000_u64 {
            let ready = 1 + (i * 5 % 7) as u32;
            let [lane, later] = [(&mut fresh, now), (&mut late, LATE + now)].map(|(one, now)| {
                for lane in each(ready).filter(|lane| i % (*lane as u64 + 2) == 0) {
                    one.arrives(lane as u8, heads[lane].credits, now);
                }
                one.next(Lanes { ready, lanes: &heads, now })
            });
            assert_eq!(lane, later, "packet {i}");
            now += u64::from(heads[usize::from(lane)].credits);
        }
    }
}

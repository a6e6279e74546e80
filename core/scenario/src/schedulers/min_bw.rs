//! Minimum-bandwidth scheduler of Advanced Switching (MinBW): the fabric management channel first,
//! limited by a token bucket; the other virtual lanes by self-clocked weighted fair queuing that is
//! aware of credits (SCFQ-CA).
//!
//! Martínez et al., Providing Quality of Service over Advanced Switching, sections 2 and 3. The tag
//! of packet `k` of lane `i` is `F_i^k = max(F_i^(k-1), F_current) + L_i^k / phi_i`, with the
//! length `L` and the weight `phi`; `F_current` is the tag of the packet sent last. A packet is
//! stamped when the scheduler first chooses with its lane ready, and loses the stamp when it
//! chooses while the lane is not ready: what a lane did not use, for want of packets or credits, is
//! not saved for it. The smallest tag goes first, of equal ones that of the lowest lane.
//!
//! The management channel is the lane after those with weights. Its bucket gains
//! `management_rate / of` flits per cycle and holds `management_depth` credits; a packet that the
//! bucket covers goes before all others. One that it does not cover is sent only while no lane with
//! a weight is ready, and takes nothing out of the bucket.

use super::weights::{self, MAX_WEIGHT, REBASE_ABOVE, Weights, each};
use super::{
    Amount, BucketState, Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name,
    Parameters, SchedulerState, follow, messages,
};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Largest depth of the bucket, credits: the largest buffer.
const MAX_DEPTH: u32 = 1 << 15;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "min-bw",
    name: "Minimum bandwidth (MinBW)",
    summary: "fair queuing of virtual lanes by weight (SCFQ-CA); the management channel goes first, as far as its token bucket allows",
    parameters: &[
        Parameter::new(
            "weights",
            "guaranteed part of the link of lanes 0, 1, ...; the lane after them is the management channel",
            "parts",
            Kind::Integers {
                default: &[1],
                min: 1,
                max: MAX_WEIGHT as u64,
                may_be_empty: false,
            },
        )
        .named("Guaranteed parts")
        .required(),
        Parameter::integer(
            "of",
            "number of parts of a whole link; the weights and the rate of the management channel sum up to this at most",
            "parts",
            (1, 1, MAX_WEIGHT as u64),
        )
        .named("Parts of a link")
        .required(),
        Parameter::integer(
            "management_rate",
            "rate of the management channel's token bucket; 0 for no management channel",
            "parts",
            // The lanes with weights have a part of at least 1.
            (0, 0, MAX_WEIGHT as u64 - 1),
        )
        .named("Management rate (0: none)"),
        Parameter::integer(
            "management_depth",
            "depth of the management channel's token bucket; at least a packet",
            "credits",
            (0, 0, MAX_DEPTH as u64),
        )
        .named("Management bucket"),
    ],
    citation: "Martínez et al., Providing Quality of Service over Advanced Switching, section 3; Golestani, A self-clocked fair queueing scheme for broadband applications, INFOCOM 1994",
    status: Status::CrossChecked,
};

/// Parameters of the minimum-bandwidth scheduler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinBwSpec {
    /// Guaranteed part of the link of lanes 0, 1, ....
    pub weights: Vec<u32>,
    /// Number of parts of a whole link.
    pub of: u32,
    /// Rate of the management channel's bucket, parts of the link; 0 for no management channel. The
    /// channel is the lane after those with weights.
    #[serde(default)]
    pub management_rate: u32,
    /// Depth of the management channel's bucket, credits.
    #[serde(default)]
    pub management_depth: u32,
}

impl MinBwSpec {
    /// The rate of the management channel, part of the link.
    fn managed(&self) -> f64 {
        f64::from(self.management_rate) / f64::from(self.of)
    }

    /// What the management channel has with packets of at most `own` credits, where those of all
    /// lanes have at most `largest`.
    ///
    /// The scheduler chooses at least once in `largest` credits, and the bucket gains what the rate
    /// is worth in this time. If it does not cover a packet, it has less than `own`; so it is never
    /// full while the channel waits, if its depth is at least `own` and that gain. From the first
    /// choice on the channel then has sent what the bucket has gained, but for `own` and that gain;
    /// the packet that it is sending counts as well.
    fn of_management(&self, own: u32, largest: u32) -> Option<LatencyRate> {
        let (own, largest, rate) = (f64::from(own), f64::from(largest), self.managed());
        let latency = 2.0 * (largest + own / rate);
        self.is_never_full(own, largest).then_some(LatencyRate { rate, latency })
    }

    /// Whether the bucket is never full while the management channel waits, see
    /// [`Self::of_management`].
    fn is_never_full(&self, own: f64, largest: f64) -> bool {
        f64::from(self.management_depth) >= own + self.managed() * largest
    }

    /// Adjusts the weights to a number of lanes. A new lane gets the mean of the others, which the
    /// link has more parts for: as many parts as before are promised to no lane. So a lane that
    /// goes leaves all as it was before it came.
    ///
    /// Where the link may have no more parts, a new lane gets what is left; if all is promised, a
    /// part of the lane that has most.
    fn fit_weights(&mut self, lanes: usize) {
        let mean = weights::mean(&self.weights);
        while self.weights.len() > lanes.max(1) {
            let weight = self.weights.pop().unwrap_or(0);
            self.of = self.of.saturating_sub(weight).max(1);
        }
        while self.weights.len() < lanes {
            if self.promised() >= MAX_WEIGHT.into() {
                let parts = self.weights.iter_mut().chain([&mut self.management_rate]);
                parts.max().into_iter().for_each(|most| *most -= 1);
            }
            let weight = mean.min(MAX_WEIGHT.saturating_sub(self.of)).max(1);
            self.weights.push(weight);
            self.of = (self.of + weight).min(MAX_WEIGHT);
        }
    }

    /// Parts of the link that are promised.
    fn promised(&self) -> u64 {
        let weights: u64 = self.weights.iter().map(|&weight| u64::from(weight)).sum();
        weights + u64::from(self.management_rate)
    }
}

impl Parameters for MinBwSpec {
    /// One weight for each lane but the management channel, which stays the highest lane.
    fn fit(&mut self, levels: &Levels) {
        let lanes = levels.lane_count();
        if lanes < 2 {
            self.remove_management();
        }
        self.fit_weights(lanes - usize::from(self.management_rate > 0));
    }

    fn set_mtus(&mut self, before: &Levels, after: &Levels) {
        if let Some(lane) = self.management_lane() {
            let packet =
                |levels: &Levels| levels.largest().get(&(lane as u8)).copied().unwrap_or(0);
            follow(&mut self.management_depth, packet(before), packet(after));
        }
    }

    /// The management channel, which has no weight, is not exchanged.
    fn swap_lanes(&mut self, one: u8, other: u8) {
        weights::swap_lanes(&mut self.weights, one, other);
    }

    fn names(&self) -> Vec<Name> {
        let weight = |lane| Name::Lane { field: format!("weights.{lane}"), lane: lane as u8 };
        let management = self
            .management_lane()
            .map(|lane| Name::Lane { field: "management_rate".into(), lane: lane as u8 });
        (0..self.weights.len()).map(weight).chain(management).collect()
    }

    fn management_lane(&self) -> Option<usize> {
        (self.management_rate > 0).then_some(self.weights.len())
    }

    fn remove_management(&mut self) {
        self.of = self.of.saturating_sub(self.management_rate).max(1);
        (self.management_rate, self.management_depth) = (0, 0);
    }

    fn check(&self, at: &str, largest: &[u32], problems: &mut Problems) {
        weights::check_lanes(&self.weights, self.management_rate > 0, largest, at, problems);
        let of_management = self.management_lane().and_then(|lane| largest.get(lane));
        if let Some(&packet) = of_management.filter(|&&packet| packet > self.management_depth) {
            problems.add(
                format!("{at}.management_depth"),
                messages::bucket_below_packet(self.management_depth, packet),
                messages::use_credits_at_least(packet),
            );
        }
    }

    /// Stiliadis, Varma 1998, table I, for self-clocked fair queuing: `L_i / w_i` and the largest
    /// packets of all other lanes. The management channel takes at most its depth and its rate from
    /// the link, besides one packet that its bucket does not cover.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        let lane = levels.lane_alone(level)?;
        if self.management_lane() == Some(lane.into()) {
            return self.of_management(levels.mtus[level], levels.largest_packet());
        }
        let weight = f64::from(*self.weights.get(usize::from(lane))?);
        let rate = weight / self.weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        let others: u32 =
            levels.largest().iter().filter(|(l, _)| **l != lane).map(|(_, p)| p).sum();
        let latency = f64::from(levels.mtus[level]) / rate + f64::from(others);
        let managed = self.managed();
        Some(LatencyRate {
            rate: rate * (1.0 - managed),
            latency: (latency + f64::from(self.management_depth)) / (1.0 - managed),
        })
    }

    /// The management channel has its rate, the other lanes share the rest by their weights. A
    /// bucket that may be full while the management channel waits loses some of the rate, which
    /// leaves the shares unknown.
    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        let management = self.management_lane();
        let weight = |lane: u8| self.weights.get(usize::from(lane)).copied().unwrap_or(0);
        let is_management = |lane: u8| management == Some(lane.into());
        let part = |lane: u8| if is_management(lane) { self.management_rate } else { weight(lane) };
        let amount = Amount::Weight(levels.lanes[level].iter().copied().map(part).sum());
        let weights: u32 = levels.largest().into_keys().map(weight).sum();
        let sent = |lane: u8| match is_management(lane) {
            true => self.managed(),
            false => (1.0 - self.managed()) * f64::from(weight(lane)) / f64::from(weights.max(1)),
        };
        let packet = |lane: usize| levels.largest().get(&(lane as u8)).copied();
        let keeps_rate = management
            .and_then(packet)
            .is_none_or(|packet| self.is_never_full(packet.into(), levels.largest_packet().into()));
        let share = levels.share_of_lanes(level, sent).filter(|_| keeps_rate);
        Some(Given { amount, share })
    }
}

impl Member for MinBwSpec {
    type Scheduler = MinBw;

    fn suited(levels: &Levels) -> Self {
        let lanes = levels.lane_count();
        let weights = vec![1; lanes];
        Self { weights, of: lanes as u32, management_rate: 0, management_depth: 0 }
    }

    fn scheduler(&self, at: &str) -> Result<MinBw, Problems> {
        let weights = Weights::new(&self.weights, &format!("{at}.weights"))?;
        let mut problems = Problems::default();
        DESCRIPTOR.check_bounds(self, at, &mut problems);
        if self.promised() > self.of.into() {
            problems.add(
                format!("{at}.weights"),
                messages::weights_above_link(self.promised(), self.of),
                messages::lower_weights(),
            );
        }
        if self.management_rate > 0 && self.weights.len() >= MAX_LEVELS {
            problems.add(
                format!("{at}.management_rate"),
                messages::no_lane_for_management(),
                messages::list_fewer_weights(),
            );
        }
        if (self.management_rate == 0) != (self.management_depth == 0) {
            problems.add(
                format!("{at}.management_depth"),
                messages::bucket_without(self.management_rate, self.management_depth),
                messages::bucket_both_or_neither(),
            );
        }
        problems.or(MinBw::new(weights, self))
    }
}

/// The minimum-bandwidth scheduler of one port.
#[derive(Debug, Clone)]
pub struct MinBw {
    rules: Arc<Rules>,
    /// Tag of the packet sent last from a lane with a weight, in units of one over
    /// [`Weights::multiple`].
    current: u64,
    /// Per lane: while stamped, the tag of its foremost packet without the packet's own length;
    /// otherwise its last tag.
    tags: [u64; MAX_LEVELS],
    /// Lanes whose foremost packet is stamped, one bit each.
    stamped: u32,
    /// What is in the bucket, units of `1 / of` flits, at `filled_at`.
    tokens: u64,
    filled_at: u64,
    last_lane: u8,
    /// The last lane that sent without a weight.
    last_unlisted: u8,
}

/// The parameters as they are used.
#[derive(Debug, Clone)]
struct Rules {
    weights: Weights,
    of: u64,
    /// The management channel; 32 or above if there is none.
    management: u8,
    /// Gain of the bucket per cycle, units of `1 / of` flits.
    rate: u64,
    /// Depth of the bucket, credits.
    depth: u64,
    /// A credit in units of `1 / of` flits.
    credit: u64,
}

impl MinBw {
    fn new(weights: Weights, spec: &MinBwSpec) -> Self {
        let last = MAX_LEVELS as u8 - 1;
        let rules = Rules {
            weights,
            of: spec.of.into(),
            management: spec.management_lane().unwrap_or(MAX_LEVELS) as u8,
            rate: spec.management_rate.into(),
            depth: spec.management_depth.into(),
            credit: spec.of.into(),
        };
        Self {
            tokens: rules.depth * rules.credit,
            rules: rules.into(),
            current: 0,
            tags: [0; MAX_LEVELS],
            stamped: 0,
            filled_at: 0,
            last_lane: last,
            last_unlisted: last,
        }
    }

    /// What is in the bucket in cycle `now`, units of `1 / of` flits.
    fn tokens_at(&self, now: u64) -> u64 {
        let rules = &*self.rules;
        let gained = (now - self.filled_at).saturating_mul(rules.rate);
        self.tokens.saturating_add(gained).min(rules.depth * rules.credit)
    }

    /// True if the management channel is ready and the bucket covers its packet, which is taken
    /// out.
    fn management_goes_first<L: Foremost>(&mut self, lanes: Lanes<L>) -> bool {
        let rules = &*self.rules;
        if lanes.ready.checked_shr(rules.management.into()).unwrap_or(0) & 1 == 0 {
            return false;
        }
        self.tokens = self.tokens_at(lanes.now);
        self.filled_at = lanes.now;
        let cost = u64::from(lanes.head(rules.management).credits) * rules.credit;
        let covered = self.tokens >= cost;
        self.tokens -= if covered { cost } else { 0 };
        covered
    }

    /// Stamps the lanes that have become ready, and takes the stamps of those that are not.
    #[inline]
    fn stamp(&mut self, ready: u32) {
        for lane in each(ready & !self.stamped) {
            self.tags[lane] = self.tags[lane].max(self.current);
        }
        self.stamped = ready;
    }

    /// The tag of the foremost packet of a lane.
    fn tag<L: Foremost>(&self, lane: usize, lanes: Lanes<L>) -> u64 {
        let credits = u64::from(lanes.head(lane as u8).credits);
        self.tags[lane] + credits * self.rules.weights.steps[lane]
    }
}

impl Discipline for MinBw {
    fn set_credit_flits(&mut self, flits: u32) {
        let rules = Arc::make_mut(&mut self.rules);
        rules.credit = rules.of * u64::from(flits);
        self.tokens = rules.depth * rules.credit;
    }

    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let ready = lanes.ready & self.rules.weights.listed;
        self.stamp(ready);
        self.last_lane = if self.management_goes_first(lanes) {
            self.rules.management
        } else if let Some((tag, lane)) = each(ready).map(|l| (self.tag(l, lanes), l)).min() {
            self.tags[lane] = tag;
            // A packet in transit may take the place of a foremost one and be shorter, so that its
            // tag is below that of the packet before. Virtual time does not go back.
            self.current = self.current.max(tag);
            self.stamped &= !(1 << lane);
            if self.current > REBASE_ABOVE {
                weights::rebase(&mut self.tags, &mut self.current, self.stamped);
            }
            lane as u8
        } else {
            lanes.next_in_turn(&mut self.last_unlisted)
        };
        self.last_lane
    }

    fn state<L: Foremost>(&self, lanes: Lanes<L>) -> SchedulerState {
        let Rules { weights, of, rate, depth, credit, .. } = &*self.rules;
        let mut stamped = self.clone();
        stamped.stamp(lanes.ready & weights.listed);
        let ahead = |lane: usize| {
            let is_ready = lanes.ready >> lane & 1 == 1;
            let tag = if is_ready { stamped.tag(lane, lanes) } else { stamped.tags[lane] };
            tag.saturating_sub(self.current) as f64 / weights.multiple as f64
        };
        SchedulerState {
            by_lane: true,
            weights: weights.given().to_vec(),
            tags: (0..weights.given().len()).map(ahead).collect(),
            bucket: (*rate > 0).then(|| BucketState {
                credits: (self.tokens_at(lanes.now) / credit) as u32,
                depth: *depth as u32,
                rate: *rate as u32,
                of: *of as u32,
            }),
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Head, Scheduler, SchedulerSpec};
    use super::*;

    fn spec(weights: &[u32], of: u32) -> MinBwSpec {
        MinBwSpec { weights: weights.to_vec(), of, management_rate: 0, management_depth: 0 }
    }

    fn scheduler(spec: MinBwSpec) -> MinBw {
        spec.scheduler("fabric.scheduler").expect("valid")
    }

    /// Packets of these sizes, packet `i` on lane `i`.
    fn heads(credits: &[u16]) -> Vec<Head> {
        credits.iter().zip(0..).map(|(&credits, level)| Head { level, credits }).collect()
    }

    /// Credits that each lane sends while the lanes of `ready` have packets all the time, and the
    /// clock of the link.
    fn share(
        scheduler: &mut MinBw,
        ready: u32,
        heads: &[Head],
        now: &mut u64,
        credits: u64,
    ) -> Vec<u64> {
        let mut sent = vec![0; heads.len()];
        while sent.iter().sum::<u64>() < credits {
            let lane = usize::from(scheduler.next(Lanes { ready, lanes: heads, now: *now }));
            assert!(ready >> lane & 1 == 1, "lane {lane} is not ready");
            sent[lane] += u64::from(heads[lane].credits);
            *now += u64::from(heads[lane].credits);
        }
        sent
    }

    /// Asserts that lane `i` has `expected[i]` of the total, up to one packet of each lane.
    #[track_caller]
    fn assert_shares(sent: &[u64], expected: &[u64], packets: &[Head]) {
        let (total, parts): (u64, u64) = (sent.iter().sum(), expected.iter().sum());
        let slack: u64 = packets.iter().map(|head| u64::from(head.credits)).sum();
        for (lane, (&sent, &part)) in sent.iter().zip(expected).enumerate() {
            let due = total * part / parts;
            assert!(sent.abs_diff(due) <= slack, "lane {lane}: {sent} credits of {due}");
        }
    }

    #[test]
    fn the_state_has_the_tags_that_decide() {
        let packets = heads(&[34, 1]);
        let mut scheduler = scheduler(spec(&[1, 1], 2));
        let lanes = Lanes { ready: 3, lanes: &packets, now: 0 };
        assert_eq!(scheduler.state(lanes).tags, [34.0, 1.0]);
        assert_eq!(scheduler.next(lanes), 1);
        // The virtual time is 1 now, and the next packet of lane 1 follows it.
        assert_eq!(scheduler.state(lanes).tags, [33.0, 1.0]);
        // The last tag of lane 1 is the virtual time.
        assert_eq!(scheduler.state(Lanes { ready: 1, ..lanes }).tags, [33.0, 0.0]);
    }

    /// Tags of small packets on lanes with large weights are below 1.
    #[test]
    fn the_state_orders_lanes_as_they_are_served() {
        let packets = heads(&[2; 7]);
        let mut scheduler = scheduler(spec(&[40, 15, 9, 36, 25, 12, 30], 200));
        let mut ready = 127;
        while ready != 0 {
            let lanes = Lanes { ready, lanes: &packets, now: 0 };
            let tags = scheduler.state(lanes).tags;
            let smallest = each(ready).min_by(|&a, &b| tags[a].total_cmp(&tags[b]));
            assert!(each(ready).all(|lane| Some(lane) == smallest || tags[lane] > 0.0), "{tags:?}");
            let lane = usize::from(scheduler.next(lanes));
            assert_eq!(Some(lane), smallest, "{tags:?}");
            ready &= !(1 << lane);
        }
    }

    #[test]
    fn the_state_has_what_is_in_the_bucket_at_the_moment() {
        let mut scheduler =
            scheduler(MinBwSpec { management_rate: 1, management_depth: 64, ..spec(&[3], 4) });
        let packets = heads(&[34, 34]);
        let at = |now| Lanes { ready: 2, lanes: &packets, now };
        assert_eq!(scheduler.next(at(100)), 1);
        let bucket = [100, 140, 1000].map(|now| scheduler.state(at(now)).bucket);
        let holds = |credits| Some(BucketState { credits, depth: 64, rate: 1, of: 4 });
        assert_eq!(bucket, [30, 40, 64].map(holds));
    }

    #[test]
    fn bandwidth_is_metered_in_credits_not_packets() {
        let packets = heads(&[1, 4, 16, 34]);
        let sent = share(&mut scheduler(spec(&[1; 4], 4)), 15, &packets, &mut 0, 100_000);
        assert_shares(&sent, &[1, 1, 1, 1], &packets);
    }

    #[test]
    fn each_lane_has_its_minimum_whatever_the_others_send() {
        // Weights of Table 2 of the paper, 64ths of the link.
        let weights = [16, 12, 12, 5, 2, 1];
        let packets = heads(&[2, 34, 34, 7, 34, 3]);
        let sent = share(&mut scheduler(spec(&weights, 64)), 63, &packets, &mut 0, 500_000);
        let total: u64 = sent.iter().sum();
        for (lane, (&sent, weight)) in sent.iter().zip(weights).enumerate() {
            assert!(sent * 64 + 64 * 34 * 6 >= total * u64::from(weight), "lane {lane}: {sent}");
        }
        assert_shares(&sent, &weights.map(u64::from), &packets);
    }

    #[test]
    fn bandwidth_that_lanes_leave_is_shared_by_weight() {
        let weights = [16, 12, 12, 5, 2, 1];
        let packets = heads(&[2, 34, 34, 7, 34, 3]);
        let sent = share(&mut scheduler(spec(&weights, 64)), 0b11_1010, &packets, &mut 0, 500_000);
        assert_shares(&sent, &[0, 12, 0, 5, 2, 1], &packets);
    }

    #[test]
    fn a_lane_saves_nothing_while_it_is_idle_or_without_credits() {
        let packets = heads(&[5, 34, 9]);
        let mut scheduler = scheduler(spec(&[1, 2, 1], 4));
        let now = &mut 0;
        share(&mut scheduler, 7, &packets, now, 10_000);
        // Lane 1 is away for long, and comes back: it has its share from then on and no more.
        share(&mut scheduler, 0b101, &packets, now, 1_000_000);
        let sent = share(&mut scheduler, 7, &packets, now, 400);
        assert_shares(&sent, &[1, 2, 1], &packets);
    }

    #[test]
    fn it_is_work_conserving_also_with_an_empty_bucket() {
        let packets = heads(&[4, 4, 8]);
        let with_bucket = MinBwSpec { management_rate: 1, management_depth: 8, ..spec(&[1, 1], 4) };
        let mut scheduler = scheduler(with_bucket);
        // At cycle 0 the bucket covers one packet of the management channel, then none; it has the
        // link for itself nevertheless.
        for _ in 0..5 {
            assert_eq!(scheduler.next(Lanes { ready: 4, lanes: &packets, now: 0 }), 2);
        }
        // Others go first while the bucket is empty.
        assert_eq!(scheduler.next(Lanes { ready: 7, lanes: &packets, now: 0 }), 0);
        assert_eq!(scheduler.next(Lanes { ready: 7, lanes: &packets, now: 0 }), 1);
    }

    #[test]
    fn the_management_channel_goes_first_within_its_rate_and_depth() {
        let packets = heads(&[16, 16, 2]);
        let with_bucket =
            MinBwSpec { management_rate: 5, management_depth: 6, ..spec(&[40, 40], 100) };
        let mut scheduler = scheduler(with_bucket);
        scheduler.set_credit_flits(1);
        let next =
            |scheduler: &mut MinBw, now| scheduler.next(Lanes { ready: 7, lanes: &packets, now });
        // The bucket is full at first: 6 credits are three packets.
        let first: Vec<u8> = (0..5).map(|_| next(&mut scheduler, 0)).collect();
        assert_eq!(first, [2, 2, 2, 0, 1]);
        // It gains a credit in 20 cycles: the next packet is covered in cycle 40, not in 39.
        assert_ne!(next(&mut scheduler, 39), 2);
        assert_eq!(next(&mut scheduler, 40), 2);
        // In the long run the management channel has its rate, and the others share the rest.
        let (sent, rounds) = (share(&mut scheduler, 7, &packets, &mut 40, 100_000), 20);
        assert!(sent[2].abs_diff(100_000 / rounds) <= 8, "{sent:?}");
        assert_shares(&sent[..2], &[1, 1], &packets[..2]);
    }

    #[test]
    fn a_bucket_counts_flits_where_a_credit_has_several() {
        let packets = heads(&[16, 1]);
        let with_bucket = MinBwSpec { management_rate: 1, management_depth: 1, ..spec(&[1], 2) };
        let mut scheduler = scheduler(with_bucket);
        scheduler.set_credit_flits(8);
        let next = |s: &mut MinBw, now| s.next(Lanes { ready: 3, lanes: &packets, now });
        assert_eq!([next(&mut scheduler, 0), next(&mut scheduler, 15)], [1, 0]);
        assert_eq!(next(&mut scheduler, 16), 1, "8 flits at half a flit per cycle");
    }

    /// A trillion cycles of a busy link, and one that has been idle as long.
    #[test]
    fn tags_and_tokens_neither_overflow_nor_drift() {
        let packets = heads(&[1, 34, 7, 2]);
        let with_bucket =
            MinBwSpec { management_rate: 9000, management_depth: 2, ..spec(&[1, 2, 3], 9999) };
        let fresh = scheduler(with_bucket);
        // The same scheduler with its tags just below where they are rebased.
        let mut near = fresh.clone();
        near.current = REBASE_ABOVE - 1000;
        near.tags = [near.current; MAX_LEVELS];
        let (mut fresh, mut rebased) = (fresh, 0);
        for i in 0..20_000_u64 {
            let now = i * (1 << 49);
            let lanes = Lanes { ready: 1 + (i * 7 % 15) as u32, lanes: &packets, now };
            let before = near.current;
            assert_eq!(fresh.next(lanes), near.next(lanes), "packet {i}");
            rebased += u32::from(near.current < before);
        }
        assert_eq!(rebased, 1);
        assert!(near.tags.iter().all(|&tag| tag < 1 << 40), "{:?}", near.tags);
    }

    #[test]
    fn the_largest_weights_and_packets_fit_the_tags() {
        // 9999 = 9 * 11 * 101, 9998 = 2 * 4999: their least common multiple is their product.
        let packets = heads(&[1 << 15, 1 << 15]);
        let mut largest = scheduler(spec(&[4999, 5000], 9999));
        let sent = share(&mut largest, 3, &packets, &mut 0, 1 << 40);
        assert_shares(&sent, &[4999, 5000], &packets);
    }

    #[test]
    fn promises_that_cannot_be_kept_are_refused() {
        let refused = |spec: &MinBwSpec, at: &str| {
            let kind = SchedulerSpec::MinBw(spec.clone());
            let problems = Scheduler::new(&kind, "fabric.scheduler").expect_err("refused");
            assert_eq!(problems.0[0].at.path(), format!("fabric.scheduler.{at}"), "{problems}");
            problems.to_string()
        };
        let text = refused(&spec(&[40, 30, 31], 100), "weights");
        assert!(text.contains("101 of 100"), "{text}");
        refused(
            &MinBwSpec { management_rate: 1, management_depth: 4, ..spec(&[1, 1], 2) },
            "weights",
        );
        refused(&spec(&[1, 0, 1], 4), "weights.1");
        refused(&spec(&[], 4), "weights");
        refused(&spec(&[1; 33], 64), "weights");
        refused(&spec(&[1], 0), "of");
        refused(&MinBwSpec { management_rate: 1, ..spec(&[1], 2) }, "management_depth");
        refused(&MinBwSpec { management_depth: 1, ..spec(&[1], 2) }, "management_depth");
        let all = MinBwSpec { management_rate: 1, management_depth: 1, ..spec(&[1; 32], 64) };
        refused(&all, "management_rate");
        // Primes: their least common multiple is their product.
        refused(&spec(&[1009, 1013, 1019, 1021, 1031, 1033], 10_000), "weights");
    }

    #[test]
    fn lanes_in_use_need_a_weight_and_a_packet_must_fit_the_bucket() {
        let refused = |spec: &MinBwSpec, largest: &[u32]| {
            let mut problems = Problems::default();
            spec.check("s", largest, &mut problems);
            problems.0.into_iter().map(|problem| problem.at.to_string()).collect::<Vec<_>>()
        };
        assert!(refused(&spec(&[1, 1], 2), &[4, 4]).is_empty());
        assert_eq!(refused(&spec(&[1, 1], 2), &[4, 4, 0, 4]), ["s.weights"]);
        let bucket =
            |depth| MinBwSpec { management_rate: 1, management_depth: depth, ..spec(&[1, 1], 3) };
        assert!(refused(&bucket(4), &[9, 9, 4]).is_empty());
        assert_eq!(refused(&bucket(3), &[9, 9, 4]), ["s.management_depth"]);
        // Another weight makes lane 3 the management channel.
        let mut problems = Problems::default();
        bucket(4).check("s", &[4; 4], &mut problems);
        let fix = messages::list_weights_below_management(2, 3);
        assert_eq!(problems.0.iter().map(|p| &p.fix).collect::<Vec<_>>(), [&fix]);
    }
}

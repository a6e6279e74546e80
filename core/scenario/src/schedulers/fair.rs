//! Tests of fair queuing against the ideal: weighted fair queuing (WFQ) and the latency of servers
//! that guarantee a rate.

use super::sbt::Restore;
use super::*;
use crate::random::{Pcg64Mcg, stream};
use rand::RngExt;
use std::collections::VecDeque;

const LANES: usize = 4;
const MTU: u32 = 34;

/// The fair-queuing members with these weights, and the weights they promise of a whole.
fn members(weights: [u32; LANES]) -> [(&'static str, Scheduler); 3] {
    let (sum, weights) = (weights.iter().sum(), weights.to_vec());
    let wfq = SchedulerSpec::Wfq(WfqSpec { weights: weights.clone() });
    let plus = SchedulerSpec::Wf2qPlus(Wf2qPlusSpec { weights: weights.clone() });
    let min_bw = SchedulerSpec::MinBw(MinBwSpec {
        weights,
        of: sum,
        management_rate: 0,
        management_depth: 0,
    });
    [("min-bw", min_bw), ("wf2q-plus", plus), ("wfq", wfq)]
        .map(|(id, spec)| (id, Scheduler::new(&spec, "").expect("valid")))
}

fn random_weights(random: &mut Pcg64Mcg) -> [u32; LANES] {
    std::array::from_fn(|_| random.random_range(1..=9))
}

/// The lane that weighted fair queuing serves next while all lanes are backlogged from the start:
/// that of the packet which the ideal fluid server finishes first, at `sum of lengths / weight`.
/// Fractions are compared by cross multiplication.
fn wfq(sent: [u64; LANES], head: [u64; LANES], weights: [u32; LANES]) -> u8 {
    let finish = |lane: usize| (sent[lane] + head[lane], u64::from(weights[lane]));
    let before = |a: usize, b: usize| {
        let ((a_sent, a_weight), (b_sent, b_weight)) = (finish(a), finish(b));
        a_sent * b_weight < b_sent * a_weight
    };
    (1..LANES).fold(0, |first, lane| if before(lane, first) { lane } else { first }) as u8
}

/// Self-clocked fair queuing differs from WFQ only in the virtual time at which a lane begins to be
/// busy. While all lanes are busy both go by the ideal order, packet for packet.
#[test]
fn min_bw_and_wfq_go_by_the_ideal_order_while_all_lanes_are_busy() {
    let mut random = stream(1, "backlogged", 0);
    for _ in 0..50 {
        let weights = random_weights(&mut random);
        let [(_, mut min_bw), _, (_, mut fair)] = members(weights);
        let mut heads = [0, 1, 2, 3].map(|level| Head { level, credits: 1 });
        heads.iter_mut().for_each(|head| head.credits = random.random_range(1..=34));
        let mut sent = [0; LANES];
        for packet in 0..2000 {
            let lanes = Lanes { ready: 15, lanes: &heads, now: 0 };
            let lane = min_bw.next(lanes);
            let credits = heads.map(|head| u64::from(head.credits));
            assert_eq!(lane, Some(wfq(sent, credits, weights)), "{weights:?}, packet {packet}");
            assert_eq!(fair.next(lanes), lane, "{weights:?}, packet {packet}");
            let lane = usize::from(lane.expect("all are ready"));
            sent[lane] += credits[lane];
            heads[lane].credits = random.random_range(1..=34);
        }
    }
}

/// Every scheduler that guarantees a rate, for packets of at most `MTU` credits; a member that has
/// no parameters here, with those that suit the lanes.
fn with_guarantees(weights: [u32; LANES]) -> Vec<SchedulerSpec> {
    let sum: u32 = weights.iter().sum();
    let min_bw = |weights: &[u32], of, management_rate| {
        SchedulerSpec::MinBw(MinBwSpec {
            weights: weights.to_vec(),
            of,
            management_rate,
            management_depth: management_rate.min(1) * 2 * MTU,
        })
    };
    // The entries of a lane are spread over the table.
    let table = (0..9).flat_map(|turn| (0..LANES).filter(move |&lane| weights[lane] > turn));
    let table: Vec<u8> = table.map(|lane| lane as u8).collect();
    // Some weights are below a packet, some above two.
    let entries = |factor: u32| {
        let weight = |lane: u8| (1 + factor * weights[usize::from(lane)]).min(3 * MTU);
        SchedulerSpec::Dtable(DtableSpec {
            entries: table.iter().map(|&lane| (lane, weight(lane))).collect(),
            configure: None,
        })
    };
    let levels = one_lane_each([MTU; LANES]);
    let guarantees =
        |spec: &SchedulerSpec| (0..LANES).any(|l| spec.latency_rate(l, &levels, 1).is_some());
    let of_member = |id| match id {
        "min-bw" => vec![min_bw(&weights, sum, 0), min_bw(&weights[..3], sum, weights[3])],
        "wf2q-plus" => vec![SchedulerSpec::Wf2qPlus(Wf2qPlusSpec { weights: weights.to_vec() })],
        "wfq" => vec![SchedulerSpec::Wfq(WfqSpec { weights: weights.to_vec() })],
        "drr" => {
            let quanta = weights.map(|weight| weight * MTU).to_vec();
            vec![SchedulerSpec::Drr(DrrSpec { quanta })]
        }
        "as-dtable" => {
            vec![SchedulerSpec::AsDtable(AsDtableSpec { table: table.clone(), mtu: MTU })]
        }
        "dtable" => vec![entries(0), entries(12)],
        "wrr" => vec![SchedulerSpec::Wrr(WrrSpec { table: table.clone() })],
        "sbt" => {
            let (weights, restore) = (weights.to_vec(), Restore::Ready);
            vec![SchedulerSpec::Sbt(SbtSpec { weights, restore })]
        }
        "strict-priority" => {
            vec![SchedulerSpec::StrictPriority(StrictPrioritySpec { order: vec![2, 0] })]
        }
        other => SchedulerSpec::suited(other, &levels).into_iter().filter(guarantees).collect(),
    };
    all().iter().flat_map(|member| of_member(member.id)).collect()
}

/// Levels of which each has the lane of its number alone, and packets of at most these credits.
fn one_lane_each(mtus: [u32; LANES]) -> Levels {
    Levels { lanes: (0..LANES as u8).map(|lane| vec![lane]).collect(), mtus: mtus.to_vec() }
}

/// True if what a lane was served ahead of its rate counts against it when it is busy again: its
/// guarantee holds from the time on at which a server of this rate alone would be busy.
fn remembers_service(spec: &SchedulerSpec) -> bool {
    matches!(spec, SchedulerSpec::Wf2qPlus(_) | SchedulerSpec::Wfq(_))
}

/// A packet ends no later than `latency` after it would with a server of its lane's rate alone, as
/// its scheduler's [`LatencyRate`] says. With most schedulers, a busy lane is served at least
/// `rate (t - latency)` by its time `t`, whatever it was served before.
#[test]
fn a_busy_lane_has_its_rate_after_the_latency_of_the_scheduler() {
    let mut random = stream(2, "latency", 0);
    let mut tightest = vec![f64::MAX; with_guarantees([1; LANES]).len()];
    for _ in 0..200 {
        let weights = random_weights(&mut random);
        let largest: [u64; LANES] =
            std::array::from_fn(|_| random.random_range(1..=u64::from(MTU)));
        // Some lanes have packets of one size, as what a table of packets guarantees depends on it.
        let smallest = largest.map(|packet| if random.random() { packet } else { 1 });
        let levels = one_lane_each(largest.map(|packet| packet as u32));
        let load = random.random_range(1..=3);
        for (member, spec) in with_guarantees(weights).iter().enumerate() {
            let mut scheduler = Scheduler::new(spec, "").expect("valid");
            let guarantees: [_; LANES] =
                std::array::from_fn(|lane| spec.latency_rate(lane, &levels, smallest[lane] as u32));
            // Per packet: its credits, and when it would end with a server of the rate alone.
            let mut queues: [VecDeque<(u64, f64)>; LANES] = Default::default();
            let mut last_end = [0.0_f64; LANES];
            // Begin of the busy period of each lane, and what it has sent since.
            let mut busy = [None; LANES];
            let mut now = 0_u64;
            for _ in 0..2000 {
                let (mut heads, mut ready) = ([Head::default(); LANES], 0);
                for (lane, queue) in queues.iter().enumerate() {
                    if let Some(&(credits, _)) = queue.front() {
                        heads[lane] = Head { level: lane as u8, credits: credits as u16 };
                        ready |= 1 << lane;
                    }
                }
                let length = match scheduler.next(Lanes { ready, lanes: &heads, now }) {
                    None => 1,
                    Some(lane) => {
                        let lane = usize::from(lane);
                        let (length, end) = queues[lane].pop_front().expect("it is ready");
                        let (_, sent) = busy[lane].as_mut().expect("it is busy");
                        *sent += length;
                        if let Some(LatencyRate { rate, latency }) = guarantees[lane] {
                            let margin = rate * (end + latency - (now + length) as f64);
                            assert!(margin > -1e-6, "{spec:?}: lane {lane} is late by {margin}");
                            tightest[member] = tightest[member].min(margin);
                        }
                        length
                    }
                };
                // Lanes become busy while the packet is sent.
                let mut arrivals = Vec::new();
                for (lane, queue) in queues.iter_mut().enumerate() {
                    for at in now..now + length {
                        if random.random_range(0..40 * load) == 0 {
                            if queue.is_empty() && busy[lane].is_none() {
                                busy[lane] = Some((at, 0));
                            }
                            let rate = guarantees[lane].map_or(1.0, |guarantee| guarantee.rate);
                            for _ in 0..random.random_range(1..8) {
                                let credits = random.random_range(smallest[lane]..=largest[lane]);
                                last_end[lane] =
                                    last_end[lane].max(at as f64) + credits as f64 / rate;
                                queue.push_back((credits, last_end[lane]));
                                arrivals.push((at, lane, credits));
                            }
                        }
                    }
                }
                arrivals.sort_by_key(|&(at, ..)| at);
                for (at, lane, credits) in arrivals {
                    scheduler.arrives(lane as u8, credits as u16, at);
                }
                now += length;
                for lane in 0..LANES {
                    let Some((since, sent)) = busy[lane] else { continue };
                    if let Some(LatencyRate { rate, latency }) =
                        guarantees[lane].filter(|_| !remembers_service(spec))
                    {
                        let margin = sent as f64 - rate * ((now - since) as f64 - latency);
                        assert!(margin > -1e-6, "{spec:?}: lane {lane} lacks {margin}");
                        tightest[member] = tightest[member].min(margin);
                    }
                    if queues[lane].is_empty() {
                        busy[lane] = None;
                    }
                }
            }
        }
    }
    assert!(tightest.iter().all(|&margin| margin < 60.0), "the bounds are loose: {tightest:?}");
}

/// The ideal server, in floating point: each cycle is divided among the lanes that have something,
/// in proportion to their weights, and what a lane leaves goes to the others.
struct Fluid {
    weights: [f64; LANES],
    backlog: [f64; LANES],
    /// Of each lane: credits that have arrived, and that are served.
    arrived: [f64; LANES],
    served: [f64; LANES],
    /// Of each lane: packets that are not done, as what had arrived with each and its number.
    packets: [VecDeque<(f64, usize)>; LANES],
    /// When each packet is done.
    done: Vec<f64>,
}

impl Fluid {
    fn new(weights: [u32; LANES]) -> Self {
        Self {
            weights: weights.map(f64::from),
            backlog: [0.0; LANES],
            arrived: [0.0; LANES],
            served: [0.0; LANES],
            packets: Default::default(),
            done: Vec::new(),
        }
    }

    fn arrives(&mut self, lane: usize, credits: u64) {
        self.backlog[lane] += credits as f64;
        self.arrived[lane] += credits as f64;
        self.packets[lane].push_back((self.arrived[lane], self.done.len()));
        self.done.push(f64::MAX);
    }

    fn cycle(&mut self, now: u64) {
        const NOTHING: f64 = 1e-9;
        let mut left = 1.0;
        while left > NOTHING {
            let busy: Vec<usize> = (0..LANES).filter(|&l| self.backlog[l] > NOTHING).collect();
            let sum: f64 = busy.iter().map(|&lane| self.weights[lane]).sum();
            let until_done = busy.iter().map(|&l| self.backlog[l] * sum / self.weights[l]);
            let Some(time) = until_done.reduce(f64::min).map(|time| time.min(left)) else { return };
            left -= time;
            for lane in busy {
                let share = time * self.weights[lane] / sum;
                self.backlog[lane] -= share;
                let before = self.served[lane];
                self.served[lane] += share;
                while let Some(&(with, packet)) = self.packets[lane].front() {
                    if with > self.served[lane] + NOTHING {
                        break;
                    }
                    let part = ((with - before) / share).min(1.0);
                    self.done[packet] = now as f64 + 1.0 - left - time * (1.0 - part);
                    self.packets[lane].pop_front();
                }
            }
        }
    }
}

/// Parekh and Gallager 1993, theorem 1. Self-clocked fair queuing, which does not know the ideal
/// server, exceeds the bound.
#[test]
fn no_packet_of_wfq_ends_a_packet_later_than_with_the_ideal_server() {
    let mut random = stream(3, "ideal", 0);
    let mut latest = [f64::MIN; 3];
    for _ in 0..100 {
        let weights = random_weights(&mut random);
        let load = random.random_range(1..=3);
        // Packets that arrive in each cycle, the same for all: lanes and credits.
        let mut arrivals = vec![Vec::new(); 2000];
        for in_cycle in &mut arrivals {
            for lane in 0..LANES {
                if random.random_range(0..60 * load) > 0 {
                    continue;
                }
                let packets = random.random_range(1..8);
                let credits = (0..packets).map(|_| random.random_range(1..=u64::from(MTU)));
                in_cycle.extend(credits.map(|credits| (lane, credits)));
            }
        }
        let all: u64 = arrivals.iter().flatten().map(|packet| packet.1).sum();
        let end = 2000 + all;
        let mut fluid = Fluid::new(weights);
        for now in 0..end {
            for &(lane, credits) in arrivals.get(now as usize).into_iter().flatten() {
                fluid.arrives(lane, credits);
            }
            fluid.cycle(now);
        }
        for (member, (id, mut scheduler)) in members(weights).into_iter().enumerate() {
            let mut queues: [VecDeque<(u64, usize)>; LANES] = Default::default();
            let (mut packets, mut free_at) = (0, 0);
            for now in 0..end {
                for &(lane, credits) in arrivals.get(now as usize).into_iter().flatten() {
                    scheduler.arrives(lane as u8, credits as u16, now);
                    queues[lane].push_back((credits, packets));
                    packets += 1;
                }
                if now < free_at {
                    continue;
                }
                let head = |queue: &VecDeque<(u64, usize)>| queue.front().map_or(0, |p| p.0);
                let heads: [Head; LANES] = std::array::from_fn(|lane| Head {
                    level: lane as u8,
                    credits: head(&queues[lane]) as u16,
                });
                let ready = (0..LANES).filter(|&lane| !queues[lane].is_empty());
                let ready = ready.fold(0, |ready, lane| ready | 1 << lane);
                if let Some(lane) = scheduler.next(Lanes { ready, lanes: &heads, now }) {
                    let (credits, packet) = queues[usize::from(lane)].pop_front().expect("ready");
                    free_at = now + credits;
                    let late = free_at as f64 - fluid.done[packet];
                    latest[member] = latest[member].max(late);
                    let bound = f64::from(MTU) + 1e-6;
                    assert!(id != "wfq" || late <= bound, "{weights:?}: {late} credits late");
                }
            }
            assert_eq!(packets, fluid.done.len());
        }
    }
    let [min_bw, _, wfq] = latest;
    assert!(min_bw > f64::from(MTU) && wfq > f64::from(MTU / 2), "{latest:?}");
}

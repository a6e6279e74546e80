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
fn members(weights: [u32; LANES]) -> [(&'static str, Scheduler); 2] {
    let (sum, weights) = (weights.iter().sum(), weights.to_vec());
    let plus = SchedulerSpec::Wf2qPlus(Wf2qPlusSpec { weights: weights.clone() });
    let min_bw = SchedulerSpec::MinBw(MinBwSpec {
        weights,
        of: sum,
        management_rate: 0,
        management_depth: 0,
    });
    [("min-bw", min_bw), ("wf2q-plus", plus)]
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
/// busy. While all lanes are busy it is WFQ, packet for packet.
#[test]
fn min_bw_is_weighted_fair_queuing_while_all_lanes_are_busy() {
    let mut random = stream(1, "backlogged", 0);
    for _ in 0..50 {
        let weights = random_weights(&mut random);
        let [(_, mut min_bw), _] = members(weights);
        let mut heads = [0, 1, 2, 3].map(|level| Head { level, credits: 1 });
        heads.iter_mut().for_each(|head| head.credits = random.random_range(1..=34));
        let mut sent = [0; LANES];
        for packet in 0..2000 {
            let lane = min_bw.next(Lanes { ready: 15, lanes: &heads, now: 0 });
            let credits = heads.map(|head| u64::from(head.credits));
            assert_eq!(lane, Some(wfq(sent, credits, weights)), "{weights:?}, packet {packet}");
            let lane = usize::from(lane.expect("all are ready"));
            sent[lane] += credits[lane];
            heads[lane].credits = random.random_range(1..=34);
        }
    }
}

/// Schedulers that guarantee rates, for packets of at most `MTU` credits.
fn with_guarantees(weights: [u32; LANES]) -> [SchedulerSpec; 11] {
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
    [
        min_bw(&weights, sum, 0),
        min_bw(&weights[..3], sum, weights[3]),
        SchedulerSpec::Wf2qPlus(Wf2qPlusSpec { weights: weights.to_vec() }),
        SchedulerSpec::Drr(DrrSpec { quanta: weights.map(|weight| weight * MTU).to_vec() }),
        SchedulerSpec::AsDtable(AsDtableSpec { table: table.clone(), mtu: MTU }),
        entries(0),
        entries(12),
        SchedulerSpec::Wrr(WrrSpec { table }),
        SchedulerSpec::Sbt(SbtSpec { weights: weights.to_vec(), restore: Restore::Ready }),
        SchedulerSpec::RoundRobin(RoundRobinSpec {}),
        SchedulerSpec::StrictPriority(StrictPrioritySpec { order: vec![2, 0] }),
    ]
}

/// True if what a lane was served ahead of its rate counts against it when it is busy again: its
/// guarantee holds from the time on at which a server of this rate alone would be busy.
fn remembers_service(spec: &SchedulerSpec) -> bool {
    matches!(spec, SchedulerSpec::Wf2qPlus(_))
}

/// A packet ends no later than `latency` after it would with a server of its lane's rate alone, as
/// its scheduler's [`LatencyRate`] says. With most schedulers, a busy lane is served at least
/// `rate (t - latency)` by its time `t`, whatever it was served before.
#[test]
fn a_busy_lane_has_its_rate_after_the_latency_of_the_scheduler() {
    let mut random = stream(2, "latency", 0);
    let mut tightest = [f64::MAX; 11];
    for _ in 0..200 {
        let weights = random_weights(&mut random);
        let largest: [u64; LANES] =
            std::array::from_fn(|_| random.random_range(1..=u64::from(MTU)));
        // Some lanes have packets of one size, as what a table of packets guarantees depends on it.
        let smallest = largest.map(|packet| if random.random() { packet } else { 1 });
        let levels = Levels {
            lanes: (0..LANES as u8).map(|lane| vec![lane]).collect(),
            mtus: largest.map(|packet| packet as u32).to_vec(),
        };
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
                            }
                        }
                    }
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

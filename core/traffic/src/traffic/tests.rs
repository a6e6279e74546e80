//! Every arrival process offers its load, and sources do not depend on each other.

use super::*;
use crate::scenario::NetworkSpec;
use serde_json::{Value, json};

const UNITS: Units =
    Units { cycle_ps: 1000, load_unit: LoadUnit::FlitsPerCyclePerHost, flit_bytes: 8 };

fn network() -> Network {
    let spec = json!({ "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 4 } });
    serde_json::from_value::<NetworkSpec>(spec)
        .expect("a network")
        .build()
        .expect("it can be built")
}

fn flow(fields: &Value) -> FlowSpec {
    serde_json::from_value(fields.clone()).unwrap_or_else(|error| panic!("{fields}: {error}"))
}

/// The messages of every source before a cycle: in order, with the cycles.
fn messages(flows: &[FlowSpec], seed: u64, before: Cycle) -> Vec<Vec<(Cycle, Draw)>> {
    let mut traffic = Traffic::new(flows, &network(), UNITS, seed);
    let mut all = Vec::new();
    for (source, first) in traffic.first_events().to_vec() {
        let (mut list, mut due) = (Vec::new(), Some(first));
        while let Some(cycle) = due.filter(|&cycle| cycle < before) {
            let (draw, next) = traffic.generate(source);
            assert!(next.is_none_or(|next| next >= cycle), "time does not go back");
            list.push((cycle, draw));
            due = next;
        }
        all.push(list);
    }
    all
}

/// Processes that follow the load, each with the cycles after which its load is known to 1 %.
fn processes() -> Vec<(Value, Cycle)> {
    vec![
        (json!({ "kind": "constant" }), 10_000_000),
        (json!({ "kind": "uniform-interval" }), 10_000_000),
        (json!({ "kind": "poisson" }), 10_000_000),
        (json!({ "kind": "bursts", "messages": 60 }), 60_000_000),
        (json!({ "kind": "cbr", "rate_kbps": 640.0 }), 10_000_000),
        (json!({ "kind": "cbr", "rate_kbps": 750_000.0 }), 10_000_000),
        (json!({ "kind": "on-off", "on_us": 2.0, "off_us": 4.0 }), 100_000_000),
        (
            json!({ "kind": "on-off", "on_us": 2.0, "off_us": 4.0, "periods": "pareto",
                    "shape": 1.5, "spread": 100.0 }),
            100_000_000,
        ),
    ]
}

fn video(rate_kbps: f64) -> Value {
    json!({ "kind": "video", "rate_kbps": rate_kbps, "frame_ms": 40.0, "gop_frames": 12,
            "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37,
            "variation": 0.3 })
}

/// What a flow offers per host in the long run, over what its load asks for.
fn offered(flow: &FlowSpec, before: Cycle) -> f64 {
    let all = messages(std::slice::from_ref(flow), 3, before);
    let bytes: u64 = all.iter().flatten().map(|(_, draw)| u64::from(draw.payload)).sum();
    bytes as f64 / before as f64 / all.len() as f64 / f64::from(UNITS.flit_bytes) / flow.load
}

#[test]
fn every_process_offers_its_load_whatever_the_sizes_and_the_pattern() {
    let sizes = [
        json!({ "kind": "fixed", "bytes": 128 }),
        json!({ "kind": "range", "min": 1, "max": 600 }),
        json!({ "kind": "pareto", "min": 16, "max": 2176, "shape": 1.3 }),
        json!({ "kind": "bimodal", "short": 32, "long": 512, "short_share": 0.7 }),
    ];
    let patterns = [
        json!({ "kind": "uniform" }),
        json!({ "kind": "pairs", "pairs": [[0, 5], [3, 1]] }),
        json!({ "kind": "local", "distance": 1 }),
        json!({ "kind": "bit-reversal" }),
    ];
    for (arrival, cycles) in processes() {
        for (size, pattern) in sizes.iter().zip(&patterns) {
            let flow = flow(
                &json!({ "arrival": arrival, "size": size, "pattern": pattern, "load": 0.1875 }),
            );
            // The flow has two senders or sixteen.
            let cycles = if pattern["kind"] == "pairs" { 8 * cycles } else { cycles };
            let share = offered(&flow, cycles);
            assert!((share - 1.0).abs() < 0.01, "{arrival} {size}: {share} of the load");
        }
    }
}

#[test]
fn video_offers_its_load() {
    // 375 MB/s per host and a stream of 750 kb/s: 4000 streams; and 2.7 streams of 750 kB/s.
    for (rate_kbps, load, packet) in [(750.0, 0.046_875, 2176), (6000.0, 0.000_253, 512)] {
        let flow = flow(&json!({ "arrival": video(rate_kbps), "load": load,
            "size": { "kind": "fixed", "bytes": packet } }));
        let share = offered(&flow, 40_000_000 * if load < 0.01 { 1200 } else { 24 });
        assert!((share - 1.0).abs() < 0.01, "{rate_kbps} kb/s: {share} of the load");
    }
}

#[test]
fn a_second_of_voice_is_a_second_whatever_the_cycle() {
    // 64 kb/s in messages of 128 bytes: 62.5 a second for each of 5859 connections and their rest.
    for cycle_ps in [1000, 6250] {
        let bytes_per_second = 5859.375 * 8000.0;
        let flow = flow(&json!({ "arrival": { "kind": "cbr", "rate_kbps": 64.0 },
            "size": { "kind": "fixed", "bytes": 128 },
            "load": bytes_per_second / 8.0 * cycle_ps as f64 * 1e-12 }));
        let units = Units { cycle_ps, ..UNITS };
        let mut traffic = Traffic::new(&[flow], &network(), units, 1);
        let (source, first) = traffic.first_events()[0];
        let second = 1_000_000_000_000 / cycle_ps;
        let (mut cycle, mut count, mut destinations) = (first, 0_u32, [0_u32; 16]);
        while cycle < second {
            let (draw, next) = traffic.generate(source);
            destinations[draw.to as usize] += 1;
            count += 1;
            cycle = next.expect("there is no end");
        }
        assert!(count.abs_diff(366_211) <= 5860, "{count}");
        // Each of the 15 others is the destination of many connections.
        assert!(destinations[1..].iter().all(|&n| n.abs_diff(24_414) < 3000), "{destinations:?}");
    }
}

#[test]
fn connections_repeat_in_every_period() {
    let flow = flow(&json!({ "arrival": { "kind": "cbr", "rate_kbps": 64_000.0 },
        "size": { "kind": "fixed", "bytes": 128 }, "load": 0.01 }));
    // 80 MB/s, ten connections of 8 MB/s, each with a message every 16 microseconds.
    let all = messages(&[flow], 1, 160_000);
    for list in all {
        assert_eq!(list.len(), 100);
        let times = |period: usize| list[10 * period..10 * (period + 1)].iter();
        for (first, last) in times(0).zip(times(9)) {
            assert_eq!((first.0 + 9 * 16_000, first.1), *last);
        }
        let distinct: std::collections::BTreeSet<u32> = list.iter().map(|(_, d)| d.to).collect();
        assert!(distinct.len() > 3, "{distinct:?}");
    }
}

#[test]
fn the_rest_of_a_load_is_a_slower_connection() {
    let of = |load: f64| {
        let flow = flow(&json!({ "arrival": { "kind": "cbr", "rate_kbps": 64_000.0 },
            "size": { "kind": "fixed", "bytes": 128 }, "load": load }));
        messages(&[flow], 1, 1_600_000).iter().map(Vec::len).collect::<Vec<_>>()
    };
    // In 100 periods: two connections and a quarter; a quarter alone.
    assert!(of(0.002_25).iter().all(|&n| n.abs_diff(225) <= 1), "{:?}", of(0.002_25));
    assert!(of(0.000_25).iter().all(|&n| n.abs_diff(25) <= 1), "{:?}", of(0.000_25));
}

#[test]
fn a_burst_goes_to_one_destination_at_once() {
    let flow = flow(&json!({ "arrival": { "kind": "bursts", "messages": 60 }, "load": 0.5,
        "size": { "kind": "range", "min": 1, "max": 64 } }));
    for list in messages(&[flow], 1, 3_000_000) {
        let mut destinations = std::collections::BTreeSet::new();
        for burst in list.chunks(60) {
            assert!(burst.iter().all(|m| m.0 == burst[0].0 && m.1.to == burst[0].1.to));
            destinations.insert(burst[0].1.to);
        }
        assert_eq!(destinations.len(), 15);
    }
}

#[test]
fn frames_come_at_regular_times_in_packets() {
    // 0.001 of 8 GB/s: ten streams of 800 kB/s and a half.
    let mut video = video(6400.0);
    video["variation"] = json!(0.0);
    let flow = flow(&json!({ "arrival": video, "load": 0.001_05,
        "size": { "kind": "fixed", "bytes": 2176 } }));
    // Twelve frames of 40 ms each, a group of pictures.
    for list in messages(&[flow], 1, 480_000_000) {
        let mut frames: Vec<(Cycle, u32, u64)> = Vec::new();
        let mut packets = list.iter();
        while let Some(&(cycle, first)) = packets.next() {
            let mut bytes = u64::from(first.payload);
            for left in (1..first.frame.expect("the first packet")).rev() {
                let &(at, packet) = packets.next().expect("another packet");
                assert_eq!((at, packet.to, packet.frame), (cycle, first.to, Some(left)));
                assert!(packet.payload == 2176 || left == 1 && packet.payload < 2176);
                bytes += u64::from(packet.payload);
            }
            frames.push((cycle, first.to, bytes));
        }
        assert_eq!(frames.len(), 11 * 12);
        let mut groups = std::collections::BTreeMap::<u64, u32>::new();
        for stream in 0..11 {
            let of_stream = frames.iter().skip(stream).step_by(11);
            let (first, to, _) = frames[stream];
            let mut sizes: Vec<u64> = Vec::new();
            for (k, &(at, destination, bytes)) in of_stream.enumerate() {
                assert_eq!((at, destination), (first + 40_000_000 * k as u64, to));
                sizes.push(bytes);
            }
            sizes.sort_unstable();
            // A mean of 32 000 bytes and I : P : B of 160 : 60 : 30, or half of that.
            let i_frame = sizes[11];
            *groups.entry(i_frame).or_default() += 1;
            let of_i = |share: f64| (i_frame as f64 * share).round() as u64;
            assert!(sizes[..8].iter().all(|b| b.abs_diff(of_i(0.1875)) <= 1), "{sizes:?}");
            assert!(sizes[8..11].iter().all(|b| b.abs_diff(of_i(0.375)) <= 1), "{sizes:?}");
        }
        assert_eq!(groups, [(52_966, 1), (105_931, 10)].into());
    }
}

#[test]
fn a_source_draws_the_same_whatever_the_others_do() {
    let arrivals = processes().into_iter().map(|(arrival, _)| arrival).chain([video(6000.0)]);
    let flows: Vec<FlowSpec> = arrivals
        .map(|arrival| {
            flow(&json!({ "arrival": arrival, "load": 0.002, "size": { "kind": "fixed", "bytes": 600 } }))
        })
        .collect();
    for (f, alone) in flows.iter().enumerate() {
        let together = {
            let mut traffic = Traffic::new(&flows, &network(), UNITS, 9);
            // The others go ahead by as much as they like.
            let of_flow = |source: u32| source as usize / 16 == f;
            for (source, _) in traffic.first_events().to_vec() {
                for _ in 0..if of_flow(source) { 0 } else { 7 * source } {
                    traffic.generate(source);
                }
            }
            let sources = traffic.first_events().to_vec();
            let own = sources.into_iter().filter(|&(source, _)| of_flow(source));
            own.map(|(source, first)| {
                let draws: Vec<Draw> = (0..300).map(|_| traffic.generate(source).0).collect();
                (first, draws)
            })
            .collect::<Vec<_>>()
        };
        assert_eq!(together.len(), 16);
        // One host alone, in the same place of the list of flows.
        let mut few = flows.clone();
        few[f].sources = vec![5];
        let mut traffic = Traffic::new(&few, &network(), UNITS, 9);
        let (source, first) = *traffic
            .first_events()
            .iter()
            .find(|&&(source, _)| traffic.sources[source as usize].flow as usize == f)
            .expect("it generates");
        let draws: Vec<Draw> = (0..300).map(|_| traffic.generate(source).0).collect();
        assert_eq!((first, draws), together[5], "{:?}", alone.arrival);
    }
}

#[test]
fn a_clone_goes_on_to_the_same_messages() {
    let flow = flow(&json!({ "arrival": { "kind": "cbr", "rate_kbps": 64.0 }, "load": 0.1875,
        "size": { "kind": "fixed", "bytes": 128 } }));
    let mut traffic = Traffic::new(&[flow], &network(), UNITS, 1);
    for _ in 0..1000 {
        traffic.generate(3);
    }
    let mut clone = traffic.clone();
    for _ in 0..200_000 {
        assert_eq!(traffic.generate(3), clone.generate(3));
    }
}

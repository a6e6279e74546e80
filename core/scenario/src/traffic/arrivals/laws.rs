//! Every process follows its law.

use super::*;
use crate::random::stream;
use crate::scenario::LoadUnit;
use crate::scenario::SizeSpec;
use crate::traffic::bounded_pareto::BoundedPareto;
use crate::traffic::goodness::{check_chi_square, check_kolmogorov_smirnov};
use serde_json::{Value, json};

/// Draws of each test.
const DRAWS: usize = 20_000;
/// Units of time in a microsecond, of cycles of 1 ns.
const MICROSECOND: f64 = 1000.0 * UNITS_PER_CYCLE as f64;

fn spec(value: Value) -> ArrivalSpec {
    serde_json::from_value(value).expect("a process")
}

fn exponential(mean: f64) -> impl Fn(f64) -> f64 {
    move |x| 1.0 - (-x / mean).exp()
}

fn bounded_pareto(draws: BoundedPareto) -> impl Fn(f64) -> f64 {
    move |x| 1.0 - draws.tail(x.clamp(draws.min, draws.max))
}

/// The first messages of a process with a state, for a source that offers 8 MB/s over a channel of
/// 8 GB/s in messages of 1000 bytes. Destinations are 0 to 9.
fn messages(process: &ArrivalSpec, count: usize) -> Vec<Arriving> {
    let sizes: SizeSpec =
        serde_json::from_value(json!({ "kind": "fixed", "bytes": 1000 })).unwrap();
    let offer = Offer {
        load: 0.001,
        unit: LoadUnit::FlitsPerCyclePerHost,
        bytes_per_cycle: 0.008,
        flit_bytes: 8,
        cycle_ps: 1000,
        sizes: &sizes,
    };
    let mut random = stream(3, "destination", 0);
    let mut destination = || rand::RngExt::random_range(&mut random, 0..10);
    let mut setup = Setup {
        offer,
        random: stream(3, "test", 0),
        destination: &mut destination,
        admits: &mut || true,
    };
    let mut process = process.process(&mut setup).expect("it has a state");
    (0..count).map(|_| process.next().expect("it goes on")).collect()
}

#[test]
fn intervals_follow_their_laws() {
    let mean = 3_000_000_000_u64;
    let intervals = |process: ArrivalSpec| {
        let mut random = stream(11, "test", 0);
        let draw = |sent| process.interval(mean, sent, &mut random).unwrap() as f64;
        (1..=DRAWS as u64).map(draw).collect::<Vec<_>>()
    };
    let uniform = |x: f64| (x / (2.0 * mean as f64)).clamp(0.0, 1.0);
    check_kolmogorov_smirnov(intervals(ArrivalSpec::UniformInterval(UniformInterval {})), uniform);
    check_kolmogorov_smirnov(intervals(ArrivalSpec::Poisson(Poisson {})), exponential(mean as f64));
    let bursts = intervals(ArrivalSpec::Bursts(Bursts { messages: 4 }));
    let (between, inside): (Vec<_>, Vec<_>) =
        bursts.into_iter().enumerate().partition(|(i, _)| (i + 1) % 4 == 0);
    assert!(inside.iter().all(|&(_, interval)| interval == 0.0));
    let between = between.into_iter().map(|(_, interval)| interval).collect();
    check_kolmogorov_smirnov(between, exponential(4.0 * mean as f64));
}

#[test]
fn first_messages_have_a_random_phase() {
    let mean = 1_000_000_007_u64;
    let first = |process: ArrivalSpec| {
        let draw = |index| process.first(mean, &mut stream(2, "arrival", index)) as f64;
        (0..DRAWS as u64).map(draw).collect::<Vec<_>>()
    };
    check_kolmogorov_smirnov(first(ArrivalSpec::Constant(Constant {})), |x| x / mean as f64);
    check_kolmogorov_smirnov(first(ArrivalSpec::Poisson(Poisson {})), exponential(mean as f64));
    check_kolmogorov_smirnov(
        first(ArrivalSpec::Bursts(Bursts { messages: 60 })),
        exponential(60.0 * mean as f64),
    );
}

#[test]
fn connections_have_random_phases_and_destinations() {
    // 8 MB/s in connections of 8 kb/s, 8000 of them; a message per second of each.
    let connections = messages(&spec(json!({ "kind": "cbr", "rate_kbps": 8.0 })), 8000);
    let phases = connections.iter().map(|message| message.at as f64).collect();
    check_kolmogorov_smirnov(phases, |x| x / (1e6 * MICROSECOND));
    let mut counts = [0; 10];
    for message in connections {
        counts[message.to.expect("it is fixed") as usize] += 1;
    }
    check_chi_square(&counts, &[0.1; 10]);
}

#[test]
fn on_and_off_periods_follow_their_laws() {
    for periods in ["exponential", "pareto"] {
        // A message per 12.5 microseconds of ON time, and 80 000 microseconds of it in a mean
        // period. The times between messages inside a period are alike.
        let process = spec(json!({ "kind": "on-off", "on_us": 80_000.0, "off_us": 720_000.0,
            "periods": periods, "shape": 1.4, "spread": 500.0 }));
        let interval = 12.5 * MICROSECOND;
        let (mut on, mut off, mut began) = (Vec::new(), Vec::new(), None);
        let mut last = None;
        for message in messages(&process, 1_500 * 6_400) {
            let at = message.at as f64;
            if let Some(before) = last
                && at - before > 1.5 * interval
            {
                off.push(at - before - interval);
                if let Some(began) = began.replace(at) {
                    on.push(before - began + interval);
                }
            }
            last = Some(at);
        }
        for (draws, mean_us) in [(on, 80_000.0), (off, 720_000.0)] {
            let mean = mean_us * MICROSECOND;
            assert!(draws.len() > 1000, "{}", draws.len());
            match periods {
                "exponential" => check_kolmogorov_smirnov(draws, exponential(mean)),
                _ => {
                    let law = BoundedPareto::with_mean(mean, 500.0, 1.4);
                    check_kolmogorov_smirnov(draws, bounded_pareto(law));
                }
            }
        }
    }
}

#[test]
fn frames_are_lognormal_up_to_their_peak() {
    // One stream of 64 Mb/s, a frame of 8000 bytes every millisecond, all of them I frames.
    let process = spec(json!({ "kind": "video", "rate_kbps": 64_000.0, "frame_ms": 1.0,
        "gop_frames": 1, "anchor_distance": 1, "p_to_i": 1.0, "b_to_i": 1.0, "peak_to_mean": 2.0,
        "variation": 0.5 }));
    let (mut frames, mut frame) = (Vec::new(), 0.0);
    for packet in messages(&process, 8 * DRAWS) {
        frame += f64::from(packet.payload.unwrap());
        if packet.frame == Some(1) {
            frames.push(std::mem::take(&mut frame));
        }
    }
    assert!(frames.len() > DRAWS / 2);
    let mean = frames.iter().sum::<f64>() / frames.len() as f64;
    assert!((mean / 8000.0 - 1.0).abs() < 0.01, "{mean}");
    let largest = frames.iter().fold(0.0_f64, |a, &b| a.max(b));
    assert_eq!(largest, 16_000.0);
    // The law of those that are not cut, given that they are not. The mean before the cut follows
    // from the median, which a cut above it leaves as it is.
    frames.sort_by(f64::total_cmp);
    let variance = 1.25_f64.ln();
    let normal = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    let mu = frames[frames.len() / 2].ln();
    let law = |x: f64| normal((x.ln() - mu) / variance.sqrt());
    let (uncut, cut): (Vec<f64>, Vec<f64>) = frames.iter().partition(|&&bytes| bytes < largest);
    let beyond = 1.0 - law(largest);
    let share = cut.len() as f64 / frames.len() as f64;
    assert!((share / beyond - 1.0).abs() < 0.15, "{share} of {beyond}");
    check_kolmogorov_smirnov(uncut, |x| law(x) / (1.0 - beyond));
}

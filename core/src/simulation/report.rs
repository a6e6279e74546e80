//! The results of a run so far, as a [`Report`].

use super::results::Scale;
use super::{ChannelShare, Simulation, condition};
use crate::admission::FlowAdmission;
use crate::measure::{
    AdmissionReport, Condition, Confidence, DelayBound, Fairness, HostTally, LevelReport,
    MessageCounts, Report, SaqReport, Spread, Tally, jain,
};

pub(super) fn of(simulation: &Simulation) -> Report {
    let Simulation { fabric, driver, units, .. } = simulation;
    let window = &driver.window;
    let (switches, hosts) =
        (driver.network.switches().len() as f64, driver.network.hosts().len() as f64);
    let ns = units.cycle_ps as f64 / 1000.0;
    let scale = Scale::of(simulation);
    let all = window.sum(|_| true);
    let shares = simulation.channel_shares();
    let between = driver.network.network_channels();
    let share =
        |of: fn(&ChannelShare) -> f64| Spread::of(shares.as_ref()?[..between].iter().map(of));
    let counts = fabric.counts();
    let per_message = |sum: u64| (all.delivered() > 0).then(|| sum as f64 / all.delivered() as f64);
    let waiting: u64 = fabric.waiting().iter().sum();
    let mut fingerprint = driver.fingerprint;
    for (busy, blocked) in simulation.counters() {
        fingerprint.add(busy);
        fingerprint.add(blocked);
    }
    let tallies: Vec<Tally> = (0..simulation.levels.len())
        .map(|level| window.sum(|flow| usize::from(simulation.level_of_flow(flow)) == level))
        .collect();
    let (condition, reasons) = condition::of(simulation, &all, &tallies);
    let level_of_confidence = simulation.scenario.measure.confidence;
    // An application is no steady process, so its batches say nothing of each other.
    let half_widths = window.half_widths(level_of_confidence);
    let half_widths = half_widths.filter(|_| driver.application.is_none());
    let has_mean = condition != Condition::Saturated;
    let periods_too_long = half_widths.is_some_and(|found| {
        let batch = window.cycles() as f64 / found.batches as f64;
        let mut flows = simulation.scenario.traffic.iter();
        flows.any(|flow| condition::period_cycles(simulation, flow) > batch)
    });
    let confidence = half_widths.map(|found| Confidence {
        level: level_of_confidence,
        accepted: found.accepted / f64::from(units.flit_bytes) / hosts,
        network_latency_ns: has_mean.then_some(found.network_latency * ns),
        total_latency_ns: has_mean.then_some(found.total_latency * ns),
        relative: if has_mean { found.relative } else { found.relative_accepted },
        batches: found.batches,
        reached: simulation.reached_half_width().filter(|_| has_mean),
        latency_too_narrow: has_mean && (periods_too_long || keeps_phases(simulation)),
        periods_too_long,
    });
    let per_switch = |payload: u64| Some(scale.flits_per_cycle(payload)? / ns / switches);
    let accepted = scale.flits_per_cycle_per_host(all.payload);
    let gbps = |rate: f64| 8.0 * f64::from(units.flit_bytes) * rate / ns;
    Report {
        accepted_flits_per_ns_per_switch: per_switch(all.payload),
        accepted_flits_per_cycle_per_host: accepted,
        offered_flits_per_ns_per_switch: per_switch(all.payload_generated),
        offered_flits_per_cycle_per_host: scale.flits_per_cycle_per_host(all.payload_generated),
        accepted_gbps_per_host: accepted.map(gbps),
        accepted_share_of_link: accepted,
        admission: admission(&simulation.admission.flows),
        header_latency_ns: all.latencies.header.summary(ns),
        network_latency_ns: all.latencies.network.summary(ns),
        total_latency_ns: all.latencies.total.summary(ns),
        jitter_ns: window.jitter(|_| true).mean().map(|cycles| cycles * ns),
        confidence,
        run_time_ns: simulation.run_time_ns(),
        fairness: Fairness {
            hosts: jain((0..window.hosts()).map(|host| {
                let HostTally { payload_generated, delivered } = window.host(host);
                (delivered.payload, payload_generated)
            })),
            flows: jain(window.flows.iter().map(payload)),
            levels: jain(tallies.iter().map(payload)),
        },
        itbs_per_message: per_message(window.itbs()),
        minimal_route_share: per_message(window.minimal),
        levels: (0..)
            .zip(&tallies)
            .map(|(level, tally)| level_report(simulation, level, tally, all.payload))
            .collect(),
        channel_utilisation: share(|channel| channel.busy),
        channel_blocked: share(|channel| channel.blocked),
        channel_buffer_flits: Spread::of(
            (0..between).filter_map(|channel| Some(simulation.buffers.of(channel)?.0)),
        ),
        messages: MessageCounts {
            generated: counts.generated,
            delivered: counts.delivered,
            in_network: counts.generated - counts.delivered - counts.dropped - waiting,
            waiting,
            dropped: counts.dropped,
        },
        itb_overflows: simulation.while_measuring(fabric.itb_overflows(), |stops| stops.overflows),
        itb_memory_peak_bytes: (0..driver.network.hosts().len())
            .map(|h| u64::from(fabric.itb_memory_peak(h)))
            .max()
            .unwrap_or(0),
        saqs: SaqReport::of(&fabric.saqs(), fabric.congestion_trees()),
        steady: condition == Condition::Steady,
        condition,
        reasons,
        warmup: simulation.warmup,
        traffic_ended: !matches!(condition, Condition::Deadlocked | Condition::Stopped)
            && simulation.has_traffic_ended(),
        broken: simulation.check().err().map(|why| why.to_string()),
        stopped: simulation.stopped().map(|reason| reason.to_string()),
        deadlock: simulation.deadlock().map(|d| d.channels.clone()),
        flit_hops: driver.flit_hops,
        packet_hops: counts.packet_hops,
        cycles: simulation.now() + 1,
        measured_cycles: simulation.measured_cycles(),
        fingerprint: format!("{:016x}", fingerprint.value()),
    }
}

/// Whether sources keep their phases. A run shows one phase of each only, so its batches are more
/// alike than runs with other seeds.
fn keeps_phases(simulation: &Simulation) -> bool {
    let traffic = &simulation.scenario.traffic;
    let keeps = traffic.iter().any(|flow| flow.arrival.keeps_phases());
    simulation.driver.application.is_none() && keeps
}

/// The connections of all flows under admission control; `None` without any such flow.
fn admission(flows: &[FlowAdmission]) -> Option<AdmissionReport> {
    let sum = |of: fn(&FlowAdmission) -> u64| flows.iter().map(of).sum();
    (!flows.is_empty()).then(|| AdmissionReport {
        asked: sum(|flow| flow.asked),
        admitted: sum(|flow| flow.admitted),
        refused: sum(FlowAdmission::refused),
    })
}

/// The report of a service level, of which `tally` counts. `payload_of_all` is what was delivered
/// of all levels, bytes.
fn level_report(
    simulation: &Simulation,
    level: usize,
    tally: &Tally,
    payload_of_all: u64,
) -> LevelReport {
    let Simulation { driver, units, .. } = simulation;
    let ns = units.cycle_ps as f64 / 1000.0;
    let scale = Scale::of(simulation);
    let in_ns = |cycles: &f64| cycles * ns;
    let bounds = simulation.delay_bounds.get(level).and_then(Option::as_ref);
    LevelReport {
        level: level as u8,
        name: simulation.levels[level].clone(),
        accepted_flits_per_cycle_per_host: scale.flits_per_cycle_per_host(tally.payload),
        accepted_share: (payload_of_all > 0).then(|| tally.payload as f64 / payload_of_all as f64),
        offered_flits_per_cycle_per_host: scale.flits_per_cycle_per_host(tally.payload_generated),
        normalised_throughput: normalised_throughput(tally),
        header_latency_ns: tally.latencies.header.summary(ns),
        network_latency_ns: tally.latencies.network.summary(ns),
        total_latency_ns: tally.latencies.total.summary(ns),
        jitter_ns: driver
            .window
            .jitter(|flow| usize::from(simulation.level_of_flow(flow)) == level)
            .mean()
            .map(|cycles| cycles * ns),
        delay_bound: bounds.map(|found| DelayBound {
            source_ns: found.source.as_ref().ok().map(in_ns),
            source_wait_max_ns: tally.source_wait_max as f64 * ns,
            route_ns: found.route.as_ref().ok().map(in_ns),
            without: found.route.as_ref().err().map(ToString::to_string),
        }),
        delivered: tally.delivered(),
    }
}

/// Payload delivered and generated, bytes.
fn payload(tally: &Tally) -> (u64, u64) {
    (tally.payload, tally.payload_generated)
}

/// Payload delivered, relative to the payload generated; `None` if none was.
pub(super) fn normalised_throughput(tally: &Tally) -> Option<f64> {
    (tally.payload_generated > 0).then(|| tally.payload as f64 / tally.payload_generated as f64)
}

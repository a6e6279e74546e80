//! The report of a run as text.

use crate::outcome::percent;
use hopscope_core::measure::{
    Condition, CongestionTree, CongestionTrees, Fairness, FlowReport, LevelReport, Report, Spread,
};
use hopscope_core::network::{ChannelId, End, Network};
use hopscope_core::scenario::{MeasureSpec, Scenario};
use std::fmt::Write;

/// The report, a line per quantity.
pub fn describe(
    scenario: &Scenario,
    network: &Network,
    report: &Report,
    flows: &[FlowReport],
) -> String {
    let mut lines = Lines::default();
    if !scenario.name.is_empty() {
        lines.add("scenario", scenario.name.clone());
    }
    traffic(&mut lines, report);
    latencies(&mut lines, report);
    confidence(&mut lines, &scenario.measure, report, flows);
    warm_up(&mut lines, report);
    for level in &report.levels {
        service_level(&mut lines, level);
    }
    frames(&mut lines, flows);
    fairness(&mut lines, report);
    lines.add("ITBs per message", format!("{:.3}", report.itbs_per_message));
    lines.add("minimal routes", format!("{:.1} %", 100.0 * report.minimal_route_share));
    channels(&mut lines, network, report);
    set_aside_queues(&mut lines, report);
    let m = &report.messages;
    lines.add(
        "messages",
        format!(
            "{} generated = {} delivered + {} in the network + {} waiting + {} dropped",
            m.generated, m.delivered, m.in_network, m.waiting, m.dropped
        ),
    );
    lines.add("cycles", format!("{}, {} of them measured", report.cycles, report.measured_cycles));
    lines.add("fingerprint", report.fingerprint.clone());
    failures(&mut lines, network, report);
    condition(&mut lines, report);
    lines.0
}

/// Lines of a name and what it says.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: impl AsRef<str>) {
        let _ = writeln!(self.0, "{name:<22} {}", value.as_ref());
    }
}

fn traffic(lines: &mut Lines, report: &Report) {
    let rates = |per_switch: f64, per_host: f64| {
        format!("{per_switch:.5} flits/ns/switch, {per_host:.4} flits/cycle/host")
    };
    lines.add(
        "offered",
        rates(report.offered_flits_per_ns_per_switch, report.offered_flits_per_cycle_per_host),
    );
    lines.add(
        "accepted",
        rates(report.accepted_flits_per_ns_per_switch, report.accepted_flits_per_cycle_per_host),
    );
    lines.add(
        "",
        format!(
            "{:.3} Gb/s per host, {:.1} % of a link",
            report.accepted_gbps_per_host,
            100.0 * report.accepted_share_of_link
        ),
    );
}

fn latencies(lines: &mut Lines, report: &Report) {
    for (name, latency) in [
        ("header latency", &report.header_latency_ns),
        ("network latency", &report.network_latency_ns),
        ("total latency", &report.total_latency_ns),
    ] {
        lines.add(
            name,
            format!(
                "{:.0} ns mean, {:.0} sd, {:.0} p50, {:.0} p90, {:.0} p99, {:.0} p99.9, {:.0} max",
                latency.mean,
                latency.sd,
                latency.p50,
                latency.p90,
                latency.p99,
                latency.p999,
                latency.max
            ),
        );
    }
    if let Some(jitter) = report.jitter_ns {
        lines.add("jitter", format!("{jitter:.0} ns from message to message of a source"));
    }
}

fn confidence(lines: &mut Lines, measure: &MeasureSpec, report: &Report, flows: &[FlowReport]) {
    if let Some(found) = &report.confidence {
        lines.add(
            &format!("{} % confidence", 100.0 * found.level),
            format!(
                "accepted +- {:.4} flits/cycle/host, network latency +- {:.0} ns, total +- {:.0} ns",
                found.accepted, found.network_latency_ns, found.total_latency_ns
            ),
        );
    }
    if let Some(told) = wide_intervals(measure, report, flows) {
        lines.add("WIDE INTERVALS", told);
    }
}

/// Why the confidence intervals are not as narrow as the scenario asks for, if they are not.
fn wide_intervals(measure: &MeasureSpec, report: &Report, flows: &[FlowReport]) -> Option<String> {
    if measure.half_width == 0.0 || report.measured_cycles == 0 {
        return None;
    }
    let told = match &report.confidence {
        None => "too few messages were measured for confidence intervals".to_owned(),
        Some(found) if found.reached == Some(false) => format!(
            "the widest is +- {} of its mean and not +- {}",
            percent(found.relative),
            percent(measure.half_width)
        ),
        Some(_) => return None,
    };
    let counted: u64 = flows.iter().map(|flow| flow.delivered).sum();
    let advice = if counted >= measure.most_messages() {
        ", after all messages that may be measured: raise measure.max_messages"
    } else {
        ""
    };
    Some(told + advice)
}

fn warm_up(lines: &mut Lines, report: &Report) {
    let warmup = &report.warmup;
    let transient = match warmup.transient_ended {
        Some(true) => "; the end of the transient was found",
        Some(false) => "; the end of the transient was NOT found",
        None => "",
    };
    let told = format!("{} messages, {} cycles{transient}", warmup.messages, warmup.cycles);
    lines.add("warm-up", told);
}

fn service_level(lines: &mut Lines, level: &LevelReport) {
    lines.add(
        &named("level", level.level.into(), &level.name),
        format!(
            "{:.4} of {:.4} flits/cycle/host, share {:.1} %, latency {:.0} ns in the network, {:.0} in all",
            level.accepted_flits_per_cycle_per_host,
            level.offered_flits_per_cycle_per_host,
            100.0 * level.accepted_share,
            level.network_latency_ns.mean,
            level.total_latency_ns.mean
        ),
    );
    let Some(bound) = &level.delay_bound else { return };
    if let Some(source) = bound.source_ns {
        lines.add(
            "  wait at the source",
            format!("{:.0} ns max, bound {source:.0}", bound.source_wait_max_ns),
        );
    }
    lines.add(
        "  delay",
        match (bound.route_ns, &bound.without) {
            (Some(route), _) => {
                format!("{:.0} ns max, bound {route:.0}", level.total_latency_ns.max)
            }
            (None, Some(why)) => format!("no bound: {why}"),
            (None, None) => "no bound".into(),
        },
    );
}

/// `level 2 video`, or without a name `level 2`.
fn named(what: &str, number: usize, name: &str) -> String {
    format!("{what} {number} {name}").trim_end().to_owned()
}

fn frames(lines: &mut Lines, flows: &[FlowReport]) {
    for flow in flows {
        let (Some(frames), Some(latency)) = (flow.frames, flow.frame_latency_ns) else { continue };
        lines.add(
            &named("frames of flow", flow.flow, &flow.name),
            format!(
                "{frames}, latency {:.0} ns mean, {:.0} p99, {:.0} max",
                latency.mean, latency.p99, latency.max
            ),
        );
    }
}

fn fairness(lines: &mut Lines, report: &Report) {
    let Fairness { hosts, flows, levels } = report.fairness;
    let indices = [("hosts", hosts), ("flows", flows), ("levels", levels)];
    let known = indices.iter().filter_map(|(of, index)| Some(format!("{of} {:.3}", (*index)?)));
    let known: Vec<String> = known.collect();
    if !known.is_empty() {
        lines.add("fairness (Jain's index)", known.join(", "));
    }
}

fn channels(lines: &mut Lines, network: &Network, report: &Report) {
    for (name, spread) in [
        ("channels used", &report.channel_utilisation),
        ("channels blocked", &report.channel_blocked),
    ] {
        if network.network_channels() == 0 {
            continue;
        }
        lines.add(
            name,
            format!(
                "between switches: {:.1} % mean, {:.1} % min, {:.1} % max",
                100.0 * spread.mean,
                100.0 * spread.min,
                100.0 * spread.max
            ),
        );
    }
    if let Some(Spread { mean, min, max }) = report.channel_buffer_flits {
        let flits = format!("{mean:.1} flits mean, {min:.1} min, {max:.1} max");
        lines.add("buffers filled", format!("between switches: {flits}"));
    }
}

fn set_aside_queues(lines: &mut Lines, report: &Report) {
    let Some(saqs) = &report.saqs else { return };
    let all = &saqs.all;
    lines.add(
        "set-aside queues",
        format!(
            "{} allocated, {} refused, {} in use, {} at most at a port; {} control packets",
            all.allocations, all.refusals, all.in_use, all.peak, all.control_packets
        ),
    );
    let CongestionTrees { formed, trees } = &saqs.congestion;
    let life = |tree: &CongestionTree| tree.to.unwrap_or(report.cycles) - tree.from;
    let longest = trees.iter().map(life).max().unwrap_or(0);
    let largest = trees.iter().map(|tree| tree.queues).max().unwrap_or(0);
    lines.add(
        "congestion trees",
        format!("{formed} formed, up to {longest} cycles long and with up to {largest} queues"),
    );
}

/// What makes a run a failure, or stopped it.
fn failures(lines: &mut Lines, network: &Network, report: &Report) {
    if let Some(broken) = &report.broken {
        lines.add(
            "BROKEN",
            format!("the simulator broke its own rules, please report this scenario: {broken}"),
        );
    }
    if let Some(reason) = &report.stopped {
        lines.add("STOPPED", reason);
    }
    if let Some(cycle) = &report.deadlock {
        let told = "each of these channels is held by a message that waits for the next";
        lines.add("DEADLOCK", told);
        for &channel in cycle {
            lines.add("", channel_name(network, ChannelId(channel)));
        }
    }
}

/// Why the figures may not be those of a steady state.
fn condition(lines: &mut Lines, report: &Report) {
    match report.condition {
        Condition::Saturated => lines.add(
            "NOT STEADY, SATURATED",
            "the backlog of messages, of all or for one host, grew while measuring: more is \
             offered than the network takes",
        ),
        Condition::Unsettled => lines.add(
            "NOT STEADY, UNSETTLED",
            "latency changed while measuring, or too many messages wait for one host: the network \
             is near saturation, or warm-up and measurement are too short",
        ),
        Condition::Incomplete if !report.traffic_ended => lines.add(
            "NOT FINISHED",
            "the run ended before all messages asked for were measured: raise measure.max_cycles, \
             or ask for fewer messages",
        ),
        Condition::Steady | Condition::Incomplete | Condition::Deadlocked | Condition::Stopped => {}
    }
    if report.traffic_ended {
        lines.add(
            "NOT FINISHED",
            "the traffic ended before all messages asked for were measured: ask for fewer messages, \
             or let more be sent",
        );
    }
}

/// `switch 0 -> switch 1`, with the channel's number.
fn channel_name(network: &Network, channel: ChannelId) -> String {
    let name = |end: End| match end {
        End::Switch(s, _) => &network.switches()[s.index()].name,
        End::Host(h) => &network.hosts()[h.index()].name,
    };
    let ends = network.channels()[channel.index()];
    format!("{} -> {} (channel {})", name(ends.from), name(ends.to), channel.0)
}

//! The report of a run as text.

use crate::outcome::{confidence_level, percent};
use hopscope_core::measure::{
    AdmissionReport, Condition, CongestionTree, CongestionTrees, Fairness, FlowReport, LevelReport,
    Report, Spread, Summary, silent_flows,
};
use hopscope_core::network::{ChannelId, Network};
use hopscope_core::scenario::{FlowSpec, Scenario};
use hopscope_core::simulation::reason_message;
use std::fmt::Write;

/// Stands for a figure of nothing.
pub const NOTHING: &str = "–";

/// The report, a line per quantity.
pub fn describe(
    scenario: &Scenario,
    network: &Network,
    report: &Report,
    flows: &[FlowReport],
) -> String {
    let mut lines = Lines::default();
    if !scenario.name.is_empty() {
        lines.add("scenario", &scenario.name);
    }
    for (name, told) in labels(scenario, report, flows) {
        lines.add(name, told);
    }
    for &channel in report.deadlock.iter().flatten() {
        lines.add("", channel_name(network, ChannelId(channel)));
    }
    traffic(&mut lines, report);
    latencies(&mut lines, report);
    confidence(&mut lines, report);
    warm_up(&mut lines, report);
    for level in &report.levels {
        service_level(&mut lines, level);
    }
    // A bound along the route says that the first switch always has space.
    let mut bounds = report.levels.iter().filter_map(|level| level.delay_bound.as_ref());
    if bounds.any(|bound| bound.source_ns.is_some() && bound.route_ns.is_none()) {
        let condition = "hold while the first switch has space for the level";
        lines.add("bounds at the source", condition);
    }
    frames(&mut lines, flows);
    fairness(&mut lines, report);
    if let Some(itbs) = report.itbs_per_message {
        lines.add("ITBs per message", format!("{itbs:.3}"));
    }
    if report.itb_memory_peak_bytes > 0 {
        let most = format!("{} bytes at most at a host", report.itb_memory_peak_bytes);
        let without = match report.itb_overflows {
            0 => String::new(),
            overflows => format!(", {overflows} messages found no space while measuring"),
        };
        lines.add("ITB memory", most + &without);
    }
    if let Some(share) = report.minimal_route_share {
        lines.add("minimal routes", format!("{:.1} %", 100.0 * share));
    }
    channels(&mut lines, report);
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
    lines.add("fingerprint", &report.fingerprint);
    lines.0
}

/// What a reader of the figures must know first: why the run is a failure, or why the figures may
/// not be those of a steady state. The channels of a deadlock follow the last one.
pub fn labels(
    scenario: &Scenario,
    report: &Report,
    flows: &[FlowReport],
) -> Vec<(&'static str, String)> {
    let mut labels = Vec::new();
    if let Some(broken) = &report.broken {
        let told = "the simulator broke its own rules, please report this scenario";
        labels.push(("BROKEN", format!("{told}: {broken}")));
    }
    if let Some(reason) = &report.stopped {
        labels.push(("STOPPED", reason.clone()));
    }
    labels.extend(condition(report).map(|(name, told)| (name, told.to_owned())));
    if report.traffic_ended {
        let told = "the traffic ended before all messages asked for were measured: ask for fewer \
                    messages, or let more be sent";
        labels.push(("NOT FINISHED", told.into()));
    }
    let silent: Vec<String> = silent_flows(report, flows)
        .map(|flow| format!("traffic.{flow}{}", why_silent(&scenario.traffic[flow], report)))
        .collect();
    if !silent.is_empty() {
        let told = format!("nothing was sent while measuring by {}", silent.join(", "));
        labels.push(("SILENT FLOWS", told));
    }
    if let Some(told) = wide_intervals(scenario, report, flows) {
        labels.push(("WIDE INTERVALS", told));
    }
    if report.deadlock.is_some() {
        let told = "each of these channels is held by a message that waits for the next";
        labels.push(("DEADLOCK", told.into()));
    }
    labels
}

/// Why a flow sends nothing while a run is measured, in parentheses; empty if its fields do not say
/// it.
fn why_silent(flow: &FlowSpec, report: &Report) -> String {
    let first = report.warmup.cycles;
    let (start, stop) = (flow.start_cycle, flow.stop_cycle);
    if start >= first + report.measured_cycles {
        format!(" (starts at cycle {start}, after that)")
    } else if (1..=first).contains(&stop) {
        format!(" (stops at cycle {stop}, before that)")
    } else if flow.arrival.sent_at_once() > 0 {
        " (sends all its messages before that)".into()
    } else {
        String::new()
    }
}

/// Why the figures may not be those of a steady state.
fn condition(report: &Report) -> Option<(&'static str, String)> {
    let reasons: Vec<String> =
        report.reasons.iter().map(|reason| reason_message(*reason).to_string()).collect();
    let reasons = reasons.join("; ");
    match report.condition {
        Condition::Saturated => Some((
            "NOT STEADY, SATURATED",
            format!("{reasons}: more is offered than the network takes"),
        )),
        Condition::Unsettled => Some((
            "NOT STEADY, UNSETTLED",
            format!("{reasons}: the figures may be those of a transient"),
        )),
        Condition::Incomplete if !report.traffic_ended => Some((
            "NOT FINISHED",
            "the run ended before all messages asked for were measured, and there may be no \
             confidence intervals: raise measure.max_cycles, or ask for fewer messages"
                .to_owned(),
        )),
        Condition::Steady | Condition::Incomplete | Condition::Deadlocked | Condition::Stopped => {
            None
        }
    }
}

/// Lines of a name and what it says.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: impl AsRef<str>) {
        let _ = writeln!(self.0, "{name:<22} {}", value.as_ref());
    }
}

/// A figure; a dash if nothing was measured.
fn known(figure: Option<f64>, written: fn(f64) -> String) -> String {
    figure.map_or(NOTHING.to_owned(), written)
}

/// A number of nanoseconds; a dash if nothing was measured.
fn rounded(ns: f64, of: &Summary) -> String {
    if of.is_empty() { NOTHING.into() } else { format!("{ns:.0}") }
}

fn traffic(lines: &mut Lines, report: &Report) {
    let rates = |per_switch: Option<f64>, per_host: Option<f64>| match (per_switch, per_host) {
        (Some(per_switch), Some(per_host)) => {
            format!("{per_switch:.5} flits/ns/switch, {per_host:.4} flits/cycle/host")
        }
        _ => NOTHING.to_owned(),
    };
    lines.add(
        "offered",
        rates(report.offered_flits_per_ns_per_switch, report.offered_flits_per_cycle_per_host),
    );
    lines.add(
        "accepted",
        rates(report.accepted_flits_per_ns_per_switch, report.accepted_flits_per_cycle_per_host),
    );
    if let (Some(gbps), Some(share)) =
        (report.accepted_gbps_per_host, report.accepted_share_of_link)
    {
        lines.add("", format!("{gbps:.3} Gb/s per host, {:.1} % of a link", 100.0 * share));
    }
    admission(lines, report);
}

fn admission(lines: &mut Lines, report: &Report) {
    if let Some(AdmissionReport { asked, admitted, refused }) = report.admission {
        let told = format!("{asked} connections asked, {admitted} admitted, {refused} refused");
        lines.add("admission", told);
    }
}

fn latencies(lines: &mut Lines, report: &Report) {
    for (name, latency) in [
        ("header latency", &report.header_latency_ns),
        ("network latency", &report.network_latency_ns),
        ("total latency", &report.total_latency_ns),
    ] {
        if latency.is_empty() {
            lines.add(name, NOTHING);
            continue;
        }
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

/// The latency of a saturated network grows as long as it runs: an interval would say that its mean
/// is known.
fn confidence(lines: &mut Lines, report: &Report) {
    let Some(found) = &report.confidence else { return };
    let mut told = format!("accepted +- {:.4} flits/cycle/host", found.accepted);
    if let (Some(network), Some(total)) = (found.network_latency_ns, found.total_latency_ns) {
        let _ = write!(told, ", network latency +- {network:.0} ns, total +- {total:.0} ns");
    }
    lines.add(&format!("{} confidence", confidence_level(found.level)), told);
    if found.periods_too_long {
        let told = "all: may be too narrow, since ON and OFF periods are longer than a batch; \
                    measure for longer, or use --replications";
        lines.add("", told);
    } else if found.latency_too_narrow {
        let told = "latency: may be too narrow, since sources or connections keep their phases; use \
                    --replications";
        lines.add("", told);
    }
}

/// Why the confidence intervals are not as narrow as the scenario asks for, if they are not. Those
/// of a saturated network never are, and a run with an application has none.
fn wide_intervals(scenario: &Scenario, report: &Report, flows: &[FlowReport]) -> Option<String> {
    let measure = &scenario.measure;
    let saturated = report.condition == Condition::Saturated;
    let has_intervals = report.is_measured() && scenario.application.is_none();
    if measure.half_width == 0.0 || !has_intervals || saturated {
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
    } else if measure.is_last_cycle(report.cycles) {
        ", at the last cycle of the run: raise measure.max_cycles"
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
    if !report.is_measured() {
        lines.add("warm-up", "the whole run");
        return;
    }
    let told = format!("{} messages, {} cycles{transient}", warmup.messages, warmup.cycles);
    lines.add("warm-up", told);
}

fn service_level(lines: &mut Lines, level: &LevelReport) {
    let (network, total) = (&level.network_latency_ns, &level.total_latency_ns);
    let latency = match total.is_empty() {
        true => NOTHING.into(),
        false => format!("{:.0} ns in the network, {:.0} in all", network.mean, total.mean),
    };
    lines.add(
        &named("level", level.level.into(), &level.name),
        format!(
            "{} of {} flits/cycle/host, share {}, latency {latency}",
            known(level.accepted_flits_per_cycle_per_host, |rate| format!("{rate:.4}")),
            known(level.offered_flits_per_cycle_per_host, |rate| format!("{rate:.4}")),
            known(level.accepted_share, |share| format!("{:.1} %", 100.0 * share)),
        ),
    );
    let Some(bound) = &level.delay_bound else { return };
    if let Some(source) = bound.source_ns {
        lines.add(
            "  wait at the source",
            format!("{} ns max, bound {source:.0}", rounded(bound.source_wait_max_ns, total)),
        );
    }
    lines.add(
        "  delay",
        match (bound.route_ns, &bound.without) {
            (Some(route), _) => {
                format!("{} ns max, bound {route:.0}", rounded(total.max, total))
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
            match latency.is_empty() {
                true => frames.to_string(),
                false => format!(
                    "{frames}, latency {:.0} ns mean, {:.0} p99, {:.0} max",
                    latency.mean, latency.p99, latency.max
                ),
            },
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

fn channels(lines: &mut Lines, report: &Report) {
    for (name, spread) in [
        ("channels used", report.channel_utilisation),
        ("channels blocked", report.channel_blocked),
    ] {
        let told = match spread {
            Some(Spread { mean, min, max }) => {
                let [mean, min, max] = [mean, min, max].map(|share| 100.0 * share);
                format!("between switches: {mean:.1} % mean, {min:.1} % min, {max:.1} % max")
            }
            None if !report.is_measured() => NOTHING.to_owned(),
            None => continue,
        };
        lines.add(name, told);
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

/// `switch 0 -> switch 1`, with the channel's number.
fn channel_name(network: &Network, channel: ChannelId) -> String {
    let ends = network.channels()[channel.index()];
    format!("{} -> {} (channel {})", network.name(ends.from), network.name(ends.to), channel.0)
}

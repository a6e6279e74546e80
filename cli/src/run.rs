//! `hopscope run`: one scenario, and its results.

use crate::application;
use crate::files;
use crate::outcome::{Outcome, Result, percent, print, print_contents, print_json};
use crate::progress::Progress;
use crate::replicate;
use crate::routes;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hopscope_core::application::Application;
use hopscope_core::idle_time::idle_time;
use hopscope_core::measure::{
    Condition, CongestionTree, CongestionTrees, Fairness, FlowReport, Report, Results, Spread,
    TableKind,
};
use hopscope_core::network::{ChannelId, End, Network};
use hopscope_core::routing::Routing;
use hopscope_core::scenario::{MeasureSpec, Scenario};
use hopscope_core::simulation::{ApplicationReport, Simulation};
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as traffic.0.load=0.03
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Run with the routes of this dump instead of computing them
    #[arg(long, value_name = "DUMP")]
    routes: Option<PathBuf>,
    /// Run the application of this trace (GOAL or VEF), beside the scenario's traffic if it has any
    #[arg(long, value_name = "TRACE")]
    application: Option<PathBuf>,
    /// Run with so many seeds, from the scenario's on, and print confidence intervals over the runs
    #[arg(long, value_name = "N")]
    replications: Option<u64>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Print a table of the results as CSV, with the keys of the JSON as header
    #[arg(long, value_name = "TABLE", value_parser = tables(), conflicts_with_all = ["json", "replications"])]
    csv: Option<TableKind>,
}

fn tables() -> impl TypedValueParser<Value = TableKind> {
    PossibleValuesParser::new(TableKind::ALL.map(TableKind::key))
        .map(|key| TableKind::ALL.into_iter().find(|table| table.key() == key).unwrap())
}

pub fn run(arguments: &Arguments) -> Result {
    let set = application::with_trace(&arguments.set, arguments.application.as_deref());
    let in_file = |problems| files::within_changed(&arguments.file, &set, problems);
    let scenario = files::scenario(&arguments.file, &set)?;
    let network = Simulation::check_scenario(&scenario).map_err(in_file)?;
    let network = Arc::new(network);
    let routing = Arc::new(routes::routing(&scenario, &network, arguments.routes.as_deref())?);
    let trace = arguments.application.as_deref();
    let application = application::of(&scenario, &network, &arguments.file, trace)?;
    if let Some(count) = arguments.replications {
        return replicate::run(&scenario, network, routing, count, arguments.json).map_err(in_file);
    }
    let progress = Progress::running();
    let started = start(&scenario, &network, &routing, application.as_ref());
    let mut simulation = started.map_err(in_file)?;
    simulation.bound_delays();
    simulation.run_to_end();
    let idle_ns = match &application {
        None => None,
        Some(application) => idle_time(&scenario, &network, &routing, application)?
            .map(|cycles| cycles as f64 * simulation.cycle_ps() as f64 / 1000.0),
    };
    drop(progress);
    let report = simulation.report();
    if let Some(table) = arguments.csv {
        print_contents(&simulation.results().csv(table).expect("memory takes all"));
        return Ok(outcome(&report));
    }
    let of_application = simulation.application_report();
    match (arguments.json, &of_application) {
        (true, None) => print_json(&simulation.results()),
        (true, Some(found)) => print_json(&with_application(&simulation.results(), found, idle_ns)),
        (false, found) => {
            if let Some(found) = found {
                print(&application::describe(&scenario, found, idle_ns));
            }
            print(&describe(&scenario, &network, &report, &simulation.results().flows));
        }
    }
    Ok(outcome(&report))
}

/// A simulation at its start, with its application if there is one.
pub fn start(
    scenario: &Scenario,
    network: &Arc<Network>,
    routing: &Arc<Routing>,
    application: Option<&Application>,
) -> Result<Simulation> {
    let (network, routing) = (Arc::clone(network), Arc::clone(routing));
    match application {
        None => Simulation::with_routing(scenario, network, routing),
        Some(application) => Simulation::with_application(scenario, network, routing, application),
    }
}

/// The results as JSON, with those of the application.
fn with_application(
    results: &Results,
    application: &ApplicationReport,
    idle_ns: Option<f64>,
) -> Value {
    let mut all = serde_json::to_value(results).expect("plain data has a JSON form");
    all["application"] = serde_json::to_value(application).expect("plain data has a JSON form");
    all["application"]["idle_time_ns"] = idle_ns.into();
    all
}

/// Runs a scenario to its end.
pub fn simulate(
    scenario: &Scenario,
    network: Arc<Network>,
    routing: Arc<Routing>,
) -> Result<Report> {
    let mut simulation = Simulation::with_routing(scenario, network, routing)?;
    simulation.run_to_end();
    Ok(simulation.report())
}

/// A deadlock, messages that were dropped and not sent again, and a fault of the simulator are
/// failures.
pub fn outcome(report: &Report) -> Outcome {
    let failed = report.deadlock.is_some()
        || report.messages.dropped > 0
        || report.broken.is_some()
        || report.stopped.is_some();
    if failed { Outcome::Lost } else { Outcome::Done }
}

fn describe(
    scenario: &Scenario,
    network: &Network,
    report: &Report,
    flows: &[FlowReport],
) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<22} {value}");
    };
    if !scenario.name.is_empty() {
        line("scenario", scenario.name.clone());
    }
    line(
        "offered",
        traffic(report.offered_flits_per_ns_per_switch, report.offered_flits_per_cycle_per_host),
    );
    line(
        "accepted",
        traffic(report.accepted_flits_per_ns_per_switch, report.accepted_flits_per_cycle_per_host),
    );
    line(
        "",
        format!(
            "{:.3} Gb/s per host, {:.1} % of a link",
            report.accepted_gbps_per_host,
            100.0 * report.accepted_share_of_link
        ),
    );
    for (name, latency) in [
        ("header latency", &report.header_latency_ns),
        ("network latency", &report.network_latency_ns),
        ("total latency", &report.total_latency_ns),
    ] {
        line(
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
        line("jitter", format!("{jitter:.0} ns from message to message of a source"));
    }
    if let Some(found) = &report.confidence {
        line(
            &format!("{} % confidence", 100.0 * found.level),
            format!(
                "accepted +- {:.4} flits/cycle/host, network latency +- {:.0} ns, total +- {:.0} ns",
                found.accepted, found.network_latency_ns, found.total_latency_ns
            ),
        );
    }
    if let Some(told) = wide_intervals(&scenario.measure, report, flows) {
        line("WIDE INTERVALS", told);
    }
    let warmup = &report.warmup;
    line(
        "warm-up",
        format!(
            "{} messages, {} cycles{}",
            warmup.messages,
            warmup.cycles,
            match warmup.transient_ended {
                Some(true) => "; the end of the transient was found",
                Some(false) => "; the end of the transient was NOT found",
                None => "",
            }
        ),
    );
    for level in &report.levels {
        let name = if level.name.is_empty() { String::new() } else { format!(" {}", level.name) };
        line(
            &format!("level {}{name}", level.level),
            format!(
                "{:.4} of {:.4} flits/cycle/host, share {:.1} %, latency {:.0} ns in the network, {:.0} in all",
                level.accepted_flits_per_cycle_per_host,
                level.offered_flits_per_cycle_per_host,
                100.0 * level.accepted_share,
                level.network_latency_ns.mean,
                level.total_latency_ns.mean
            ),
        );
        let Some(bound) = &level.delay_bound else { continue };
        if let Some(source) = bound.source_ns {
            line(
                "  wait at the source",
                format!("{:.0} ns max, bound {source:.0}", bound.source_wait_max_ns),
            );
        }
        line(
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
    for flow in flows {
        let (Some(frames), Some(latency)) = (flow.frames, flow.frame_latency_ns) else { continue };
        let name = if flow.name.is_empty() { String::new() } else { format!(" {}", flow.name) };
        line(
            &format!("frames of flow {}{name}", flow.flow),
            format!(
                "{frames}, latency {:.0} ns mean, {:.0} p99, {:.0} max",
                latency.mean, latency.p99, latency.max
            ),
        );
    }
    let Fairness { hosts, flows, levels } = report.fairness;
    let indices = [("hosts", hosts), ("flows", flows), ("levels", levels)];
    let known = indices.iter().filter_map(|(of, index)| Some(format!("{of} {:.3}", (*index)?)));
    let known: Vec<String> = known.collect();
    if !known.is_empty() {
        line("fairness (Jain's index)", known.join(", "));
    }
    line("ITBs per message", format!("{:.3}", report.itbs_per_message));
    line("minimal routes", format!("{:.1} %", 100.0 * report.minimal_route_share));
    for (name, spread) in [
        ("channels used", &report.channel_utilisation),
        ("channels blocked", &report.channel_blocked),
    ] {
        if network.network_channels() == 0 {
            continue;
        }
        line(
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
        line("buffers filled", format!("between switches: {flits}"));
    }
    if let Some(saqs) = &report.saqs {
        let all = &saqs.all;
        line(
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
        line(
            "congestion trees",
            format!("{formed} formed, up to {longest} cycles long and with up to {largest} queues"),
        );
    }
    let m = &report.messages;
    line(
        "messages",
        format!(
            "{} generated = {} delivered + {} in the network + {} waiting + {} dropped",
            m.generated, m.delivered, m.in_network, m.waiting, m.dropped
        ),
    );
    line("cycles", format!("{}, {} of them measured", report.cycles, report.measured_cycles));
    line("fingerprint", report.fingerprint.clone());
    if let Some(broken) = &report.broken {
        line(
            "BROKEN",
            format!("the simulator broke its own rules, please report this scenario: {broken}"),
        );
    }
    if let Some(reason) = &report.stopped {
        line("STOPPED", reason.clone());
    }
    if let Some(cycle) = &report.deadlock {
        line(
            "DEADLOCK",
            "each of these channels is held by a message that waits for the next".into(),
        );
        for &channel in cycle {
            line("", channel_name(network, ChannelId(channel)));
        }
    }
    match report.condition {
        Condition::Saturated => line(
            "NOT STEADY, SATURATED",
            "the backlog of messages, of all or for one host, grew while measuring: more is \
             offered than the network takes"
                .into(),
        ),
        Condition::Unsettled => line(
            "NOT STEADY, UNSETTLED",
            "latency changed while measuring, or too many messages wait for one host: the network \
             is near saturation, or warm-up and measurement are too short"
                .into(),
        ),
        Condition::Incomplete if !report.traffic_ended => line(
            "NOT FINISHED",
            "the run ended before all messages asked for were measured: raise measure.max_cycles, \
             or ask for fewer messages"
                .into(),
        ),
        Condition::Steady | Condition::Incomplete | Condition::Deadlocked | Condition::Stopped => {}
    }
    if report.traffic_ended {
        line(
            "NOT FINISHED",
            "the traffic ended before all messages asked for were measured: ask for fewer messages, \
             or let more be sent"
                .into(),
        );
    }
    text
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

/// `switch 0 -> switch 1`, with the channel's number.
fn channel_name(network: &Network, channel: ChannelId) -> String {
    let name = |end: End| match end {
        End::Switch(s, _) => &network.switches()[s.index()].name,
        End::Host(h) => &network.hosts()[h.index()].name,
    };
    let ends = network.channels()[channel.index()];
    format!("{} -> {} (channel {})", name(ends.from), name(ends.to), channel.0)
}

fn traffic(per_switch: f64, per_host: f64) -> String {
    format!("{per_switch:.5} flits/ns/switch, {per_host:.4} flits/cycle/host")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_simulator_is_named_and_is_a_failure() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 3 } },
            "measure": { "warmup_messages": 0, "messages": 20 } }"#;
        let scenario = Scenario::parse(text).unwrap();
        let network = Arc::new(scenario.network.build().unwrap());
        let routing = Arc::new(routes::routing(&scenario, &network, None).unwrap());
        let mut report = simulate(&scenario, Arc::clone(&network), routing).unwrap();
        assert_eq!(outcome(&report), Outcome::Done);
        report.broken = Some("messages lost: 3 generated, 2 delivered".into());
        assert_eq!(outcome(&report), Outcome::Lost);
        let told = describe(&scenario, &network, &report, &[]);
        assert!(told.contains("BROKEN") && told.contains("3 generated, 2 delivered"), "{told}");
    }
}

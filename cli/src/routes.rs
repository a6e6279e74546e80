//! `hopscope routes`: computes routes and reports on them.

use crate::files;
use crate::outcome::{Outcome, Result, percent, print, print_json};
use hopscope_core::fabric::Fabric;
use hopscope_core::network::{LinkId, Network, SwitchId};
use hopscope_core::routing::{self, Changes, Failure, Report, Routing, dump};
use hopscope_core::scenario::{Scenario, SourceRoute};
use hopscope_core::switches::TURN_POOL_BITS;
use serde::Serialize;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as routing.preset=BMAX_ITB
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print one line per route: `route 0 2 : 0 1[5] 2` goes from switch 0 to 2, in transit at host
    /// 5 of switch 1
    #[arg(long)]
    dump: bool,
    /// Print the turn pools of Advanced Switching, one line per route between hosts: `turns 0 2 :
    /// 1:3/3 4:7/3 = 00 00 00 1f` takes turn 3 in 3 bits at switch 1, then turn 7 in 3 at switch
    /// 4, and has these bytes (up to 64 bits); refused if a route exceeds the fabric's pool, or 31
    /// bits on a fabric without one
    #[arg(long, conflicts_with_all = ["dump", "json"])]
    turns: bool,
    /// Report on the routes of this dump instead of computing them
    #[arg(long, value_name = "DUMP", conflicts_with_all = ["failed_link", "failed_switch"])]
    routes: Option<PathBuf>,
    /// Route without this link, by its index; may be repeated
    #[arg(long, value_name = "LINK")]
    failed_link: Vec<u32>,
    /// Route without this switch and its hosts, by its index; may be repeated
    #[arg(long, value_name = "SWITCH")]
    failed_switch: Vec<u32>,
    /// Print the report as JSON
    #[arg(long, conflicts_with = "dump")]
    pub json: bool,
}

/// The report, and what it lacks.
#[derive(Serialize)]
struct Findings {
    #[serde(flatten)]
    report: Report,
    /// The routes close a cycle, and the lanes that packets change to break it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lanes_avoid_cycles: bool,
    /// Differences from the routes before the failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changes>,
}

pub fn run(arguments: &Arguments) -> Result {
    let scenario = files::scenario(&arguments.file, &arguments.set)?;
    let mut network = scenario.network.build()?;
    let mut routing = routing(&scenario, &network, arguments.routes.as_deref())?;
    let mut changes = None;
    let failures = failures(arguments);
    if !failures.is_empty() {
        let go_on = &mut |_| ControlFlow::Continue(());
        let found = routing::what_if(&network, &routing, &scenario.routing, &failures, go_on)?;
        let found = found.expect("the listener never stops the work");
        (network, routing, changes) = (found.left.network, found.routing, Some(found.changes));
    }
    if arguments.dump {
        print(&dump::dump(&network, &routing.table));
        return Ok(Outcome::Done);
    }
    if arguments.turns {
        let bits = match scenario.fabric.technique().source_route() {
            Some(SourceRoute::TurnPool { bits }) => {
                // Refuses the longest route, with the number of bits that it needs.
                Fabric::check_routes(&scenario.fabric, &network, &[], &routing.table)?;
                bits
            }
            _ => TURN_POOL_BITS,
        };
        print(&routing::dump_turns(&network, &routing.table, bits)?);
        return Ok(Outcome::Done);
    }
    let lanes_avoid_cycles =
        !routing.report.acyclic && lanes_avoid_cycles(&scenario, network, &routing);
    let findings = Findings { report: routing.report, lanes_avoid_cycles, changes };
    if arguments.json {
        print_json(&findings);
    } else {
        print(&describe(&findings));
    }
    Ok(Outcome::Done)
}

/// The routes of a scenario: computed, or read from a dump.
pub fn routing(scenario: &Scenario, network: &Network, dump: Option<&Path>) -> Result<Routing> {
    match dump {
        None => routing::compute(network, &scenario.routing),
        Some(path) => {
            let table = dump::parse(network, &files::read(path)?, &path.display().to_string())?;
            dump::given(network, &scenario.routing, table)
        }
    }
}

fn failures(arguments: &Arguments) -> Vec<Failure> {
    let links = arguments.failed_link.iter().map(|&link| Failure::Link(LinkId(link)));
    let switches = arguments.failed_switch.iter().map(|&s| Failure::Switch(SwitchId(s)));
    links.chain(switches).collect()
}

/// Whether the fabric changes lanes so that no cycle of the routes can deadlock. A fabric that
/// cannot be built with these routes proves nothing.
fn lanes_avoid_cycles(scenario: &Scenario, network: Network, routing: &Routing) -> bool {
    let Scenario { fabric, seed, .. } = scenario;
    let fabric = Fabric::new(fabric, Arc::new(network), Arc::clone(&routing.table), *seed);
    fabric.is_ok_and(|fabric| fabric.lanes_avoid_cycles())
}

fn describe(findings: &Findings) -> String {
    let report = &findings.report;
    let mut text = String::new();
    let figures = &report.routes;
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<28} {value}");
    };
    line("preset", report.preset.descriptor().id.into());
    if let Some(root) = report.root {
        line("root", format!("switch {}", root.0));
    }
    let deadlock = match report.acyclic {
        true if figures.itbs_per_route.mean > 0.0 => {
            "none can arise while in-transit hosts have memory left"
        }
        true => "none can arise",
        false if findings.lanes_avoid_cycles => {
            "none can arise: packets change lanes where routes close a cycle"
        }
        false => "can arise",
    };
    line("deadlock", deadlock.into());
    for step in &report.cycle {
        line("  cycle", format!("{} -> {}", step.from, step.to));
    }
    if let Some(share) = report.forbidden_transition_share {
        line("forbidden transitions", percent(share));
    }
    line("pairs of switches", figures.pairs.to_string());
    line("routes", figures.count.to_string());
    line("minimal routes", percent(figures.minimal_route_share));
    let distance = &figures.distance;
    line(
        "distance",
        format!(
            "{:.3} mean, {} max, {:.3} mean of minimal routes",
            distance.mean, distance.max, distance.minimal_mean
        ),
    );
    let itbs = &figures.itbs_per_route;
    let shares: Vec<String> = itbs
        .share_by_count
        .iter()
        .enumerate()
        .map(|(n, share)| format!("{n}: {}", percent(*share)))
        .collect();
    line("in-transit buffers a route", format!("{:.3} mean; {}", itbs.mean, shares.join(", ")));
    if let Some(counts) = &report.cycle_breaking {
        let both = format!("{:.3} greedy, {:.3} fewest", counts.greedy, counts.fewest);
        line("  cycles broken", both);
    }
    let weight = &figures.channel_weight;
    line(
        "routes over a channel",
        format!(
            "{:.2} mean, {:.2} standard deviation, {:.2} max",
            weight.mean, weight.standard_deviation, weight.max
        ),
    );
    if let Some(changes) = &findings.changes {
        let of = |count: usize| format!("{count} of {} before the failure", changes.pairs);
        line("pairs with other routes", of(changes.moved.len()));
        line("pairs with longer routes", of(changes.longer.len()));
        line("pairs without routes", of(changes.gone.len()));
    }
    for note in &report.notes {
        line("note", note.to_string());
    }
    text
}

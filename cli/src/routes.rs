//! `hopscope routes`: computes routes and reports on them.

use crate::files;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::network::Network;
use hopscope_core::routing::{self, Report, Routing, dump};
use hopscope_core::scenario::Scenario;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as routing.preset=BMAX_ITB
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print one line per route: `route FROM TO : s0 s1[h] s2`
    #[arg(long)]
    dump: bool,
    /// Report on the routes of this dump instead of computing them
    #[arg(long, value_name = "DUMP")]
    routes: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long, conflicts_with = "dump")]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let scenario = files::scenario(&arguments.file, &arguments.set)?;
    let network = scenario.network.build()?;
    let routing = routing(&scenario, &network, arguments.routes.as_deref())?;
    if arguments.dump {
        print(&dump::dump(&network, &routing.table));
    } else if arguments.json {
        print_json(&routing.report);
    } else {
        print(&describe(&routing.report));
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

fn describe(report: &Report) -> String {
    let mut text = String::new();
    let figures = &report.routes;
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<28} {value}");
    };
    line("preset", format!("{:?}", report.preset));
    if let Some(root) = report.root {
        line("root", format!("switch {}", root.0));
    }
    let deadlock = match report.acyclic {
        true if figures.itbs_per_route.mean > 0.0 => {
            "none can arise while in-transit hosts have memory left"
        }
        true => "none can arise",
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
    for note in &report.notes {
        line("note", note.to_string());
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

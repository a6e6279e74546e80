//! `hopscope saturate`: the largest traffic a scenario's network accepts.

use crate::files;
use crate::messages;
use crate::outcome::{Outcome, Result, percent, print, print_json};
use crate::progress::Progress;
use crate::report::NOTHING;
use hopscope_core::experiment::{Found, Point, Run, Saturation, saturation_ahead};
use hopscope_core::problem::Problems;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as routing.preset=UD
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Relative precision of the loads that are found
    #[arg(long, default_value_t = 0.02)]
    tolerance: f64,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Print the runs as a CSV table
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    if !(arguments.tolerance > 0.0 && arguments.tolerance < 1.0) {
        return Err(Problems::one(
            "--tolerance",
            messages::tolerance_out_of_bounds(),
            messages::use_2_percent(),
        ));
    }
    let scenario = files::scenario(&arguments.file, &arguments.set)?;
    let progress = Progress::counting("runs");
    let cores = rayon::current_num_threads();
    let run_all = |factors: &[f64], run: &Run| factors.par_iter().map(|f| run(*f)).collect();
    let found =
        saturation_ahead(&scenario, arguments.tolerance, cores, run_all, |_| progress.advance())
            .map_err(|problems| files::within_changed(&arguments.file, &arguments.set, problems))?;
    drop(progress);
    if arguments.json {
        print_json(&Found::new(&scenario, &found));
    } else if arguments.csv {
        print(&table(&found.points).expect("memory takes all"));
    } else {
        print(&describe(&found, scenario.traffic.len()));
    }
    let deadlocked = found.deadlocked_at.is_some();
    Ok(if deadlocked { Outcome::Lost } else { Outcome::Done })
}

/// What was found of a scenario with so many flows.
fn describe(found: &Saturation, flows: usize) -> String {
    let rates = (found.accepted_flits_per_ns_per_switch, found.accepted_flits_per_cycle_per_host);
    let mut text = match rates {
        (Some(per_switch), Some(per_host)) => format!(
            "accepted at most {per_switch:.5} flits/ns/switch, {per_host:.4} flits/cycle/host"
        ),
        _ => "no accepted traffic counts: every run deadlocked or filled ITB memory".to_owned(),
    };
    // As many digits as tell loads apart that are so near.
    let decimals = |factor: f64, tolerance: f64| {
        (1.0 - (factor * tolerance).log10().floor()).clamp(3.0, 12.0) as usize
    };
    if let Some(factor) = found.accepted_at {
        let decimals = decimals(factor, found.tolerance.unwrap_or(1.0));
        let _ = write!(text, ", at {factor:.decimals$} times the scenario's load");
    }
    text.push('\n');
    let _ = match (found.keeps_up_with, found.tolerance) {
        (Some(factor), Some(tolerance)) => {
            let decimals = decimals(factor, tolerance);
            let tolerance = percent(tolerance);
            writeln!(
                text,
                "  keeps up with {factor:.decimals$} times the scenario's load, to {tolerance}"
            )
        }
        (Some(factor), None) => {
            writeln!(
                text,
                "  keeps up with all loads that can be run, up to {factor:.3} times the scenario's"
            )
        }
        (None, _) => writeln!(text, "  keeps up with no load tried"),
    };
    if let (Some(factor), Some(problems)) = (found.refused_at, &found.refused) {
        let _ = writeln!(text, "  {factor:.3} times the scenario's load cannot be run: {problems}");
    }
    if let (Some(least), Some(most)) = (found.points.first(), found.points.last()) {
        let _ = writeln!(
            text,
            "  searched from {:.3} to {:.3} times the scenario's load, all flows together; a run keeps \
             up if no backlog grows\n  and at least 97 % of what is offered is accepted, and of the connections \
             admitted",
            least.factor, most.factor
        );
    }
    if !found.points.is_empty() {
        text += "  runs, offered and accepted in flits/ns/switch:\n";
    }
    let rate = |rate: Option<f64>| rate.map_or(NOTHING.into(), |rate| format!("{rate:.5}"));
    for p in &found.points {
        let mut note = String::new();
        if p.deadlocked {
            note += "  DEADLOCK";
        } else if p.itb_memory_full {
            note += "  ITB MEMORY FULL, does not keep up";
        } else if !p.keeps_up {
            note += "  does not keep up";
        }
        if p.refused_connections > 0 {
            let _ = write!(note, "  ({} connections refused)", p.refused_connections);
        }
        if p.itb_overflows > 0 {
            let _ = write!(note, "  ({} messages found no space in ITB memory)", p.itb_overflows);
        }
        let _ = writeln!(
            text,
            "  offered {}  accepted {}  network latency {}{note}",
            rate(p.offered),
            rate(p.accepted),
            p.network_latency_ns.map_or(NOTHING.into(), |ns| format!("{ns:.0} ns"))
        );
    }
    type Mark = fn(&Point) -> bool;
    let marks: [(&str, Mark); 2] = [
        ("deadlocked", |point| point.deadlocked),
        ("filled ITB memory and did not keep up", |point| point.itb_memory_full),
    ];
    for (what, is_marked) in marks {
        let marked = found.points.iter().filter(|point| is_marked(point));
        let loads: Vec<String> = marked.map(|point| format!("{:.3}", point.factor)).collect();
        if !loads.is_empty() {
            let _ = writeln!(text, "  {what} at {} times the scenario's load", loads.join(", "));
        }
    }
    let at = |is_meant: &dyn Fn(&Point) -> bool| {
        let points = found.points.iter().filter(|point| is_meant(point));
        points.map(|point| format!("{:.3}", point.factor)).collect::<Vec<_>>().join(", ")
    };
    for flow in 0..flows {
        let loads = at(&|point| point.silent_flow == Some(flow));
        if !loads.is_empty() {
            let _ = writeln!(
                text,
                "  WARNING: traffic.{flow} sent nothing while measuring, at {loads} times the \
                 scenario's load: what was\n  found is without it (fix: let it start before, or \
                 measure longer)"
            );
        }
        let loads = at(&|point| point.refused_flow == Some(flow));
        if !loads.is_empty() {
            let _ = writeln!(
                text,
                "  WARNING: admission control refuses all connections of traffic.{flow}, at {loads} \
                 times the scenario's\n  load: what was found is without it (fix: have each \
                 connection ask for less, or let\n  fabric.qos.admission reserve more)"
            );
        }
    }
    text
}

/// All runs, one per row.
fn table(points: &[Point]) -> csv::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    points.iter().try_for_each(|point| writer.serialize(point))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("all cells are numbers and flags"))
}

//! `hopscope cost`: queues and memory of each switch organisation on the network of a scenario.

use crate::files;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::cost::{Blocking, Organisation, QUEUE_KB, Size, organisations};
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

/// Set-aside queues of a port where the scenario has no RECN.
const SAQS: u32 = 8;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as network.generate.switches=64
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Traffic classes; without this, as many as the fabric has service levels
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=32))]
    classes: Option<u32>,
    /// Set-aside queues of a port; without this, as many as the scenario's RECN has, or 8
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    saqs: Option<u32>,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let scenario = files::scenario(&arguments.file, &arguments.set)?;
    let network = scenario.check()?;
    let ports = network.switches().iter().map(|switch| u32::from(switch.ports)).max();
    let technique = scenario.fabric.technique();
    let levels = technique.levels().len().max(1) as u32;
    let saqs = match technique.saqs() {
        0 => SAQS,
        saqs => saqs,
    };
    let size = Size {
        ports: ports.unwrap_or(0),
        hosts: network.hosts().len() as u32,
        classes: arguments.classes.unwrap_or(levels),
        saqs: arguments.saqs.unwrap_or(saqs),
    };
    let all = organisations(size);
    if arguments.json {
        print_json(&json!({ "size": size, "queue_kb": QUEUE_KB, "organisations": all }));
    } else {
        print(&describe(size, &all));
    }
    Ok(Outcome::Done)
}

fn describe(size: Size, all: &[Organisation]) -> String {
    let Size { ports, hosts, classes, saqs } = size;
    let mut text = format!(
        "per port, {QUEUE_KB} KB a queue, with s = {ports} ports (those of the largest switch), \
         n = {hosts} hosts, t = {classes} classes, {saqs} SAQs:\n"
    );
    let heads = ["organisation", "blocking", "QoS", "formula", "queues", "KB", "mm2"];
    let mut line = |[name, blocking, qos, formula, queues, kilobytes, area]: [&str; 7]| {
        let _ = writeln!(
            text,
            "{name:<18} {blocking:<8} {qos:<4} {formula:<9} {queues:>9} {kilobytes:>9} {area:>11}"
        );
    };
    line(heads);
    for organisation in all {
        let blocking = match organisation.blocking {
            Blocking::Stays => "stays",
            Blocking::InPart => "in part",
            Blocking::Gone => "gone",
        };
        line([
            organisation.name,
            blocking,
            if organisation.qos { "yes" } else { "no" },
            organisation.formula,
            &organisation.queues.to_string(),
            &organisation.kilobytes.to_string(),
            &format!("{:.2}", organisation.area_mm2),
        ]);
    }
    text
}

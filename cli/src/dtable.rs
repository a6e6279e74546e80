//! `hopscope dtable`: shares and latency needs in, a deficit table out, or why there is none.

use crate::messages;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::problem::Problems;
use hopscope_core::qos::schedulers::dtable::configure;
use hopscope_core::scenario::{DtableGoals, DtableLevel};
use serde_json::json;
use std::fmt::Write;

#[derive(clap::Args)]
pub struct Arguments {
    /// What each service level needs, from level 0 on: share of the bandwidth, largest distance
    /// between its entries, and MTU in credits
    #[arg(required = true, value_name = "SHARE:DISTANCE:MTU")]
    levels: Vec<String>,
    /// Number of entries, a power of two
    #[arg(long, default_value_t = 128)]
    entries: u32,
    /// General MTU, credits
    #[arg(long, default_value_t = 16)]
    general_mtu: u32,
    /// Decoupling parameter w: an entry's weight is at most w general MTUs
    #[arg(long, default_value_t = 8)]
    w: u32,
    /// Decoupling parameter k, at most w: the pool of weight is k general MTUs per entry
    #[arg(long, default_value_t = 2)]
    k: u32,
    /// Print the table as JSON, as `fabric.scheduler` of a scenario takes it, with what each level
    /// gets
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let goals = DtableGoals {
        entries: arguments.entries,
        general_mtu: arguments.general_mtu,
        w: arguments.w,
        k: arguments.k,
        levels: arguments
            .levels
            .iter()
            .zip(0..)
            .map(|(text, level)| goal(text, level))
            .collect::<Result<_>>()?,
    };
    let table = configure(&goals, "dtable")?;
    let total: u32 = table.levels.iter().map(|level| level.total).sum();
    let share = |part: u32| f64::from(part) / f64::from(total);
    if arguments.json {
        let level = |l: &hopscope_core::qos::schedulers::dtable::LevelSums| {
            json!({ "level": l.level, "entries": l.entries, "entry_weight": l.entry_weight, "rounded": l.rounded,
                "correction": l.correction, "total": l.total, "share": share(l.total) })
        };
        print_json(&json!({
            "scheduler": { "kind": "dtable", "entries": table.entries },
            "levels": table.levels.iter().map(level).collect::<Vec<_>>(),
        }));
        return Ok(Outcome::Done);
    }
    let mut text =
        String::from("level  entries  weight of each  sum  correction  total    share\n");
    for l in &table.levels {
        let _ = writeln!(
            text,
            "{:>5} {:>8} {:>15} {:>4} {:>11} {:>6} {:>7.2} %",
            l.level,
            l.entries,
            l.entry_weight,
            l.rounded,
            l.correction,
            l.total,
            100.0 * share(l.total)
        );
    }
    text += "level,weight of each entry:\n";
    for row in table.entries.chunks(16) {
        let row: Vec<String> =
            row.iter().map(|(level, weight)| format!("{level},{weight}")).collect();
        let _ = writeln!(text, "  {}", row.join(" "));
    }
    print(&text);
    Ok(Outcome::Done)
}

fn goal(text: &str, level: u8) -> Result<DtableLevel> {
    let numbers: Vec<Option<u32>> = text.split(':').map(|part| part.parse().ok()).collect();
    match numbers[..] {
        [Some(share), Some(distance), Some(mtu)] => Ok(DtableLevel { level, distance, share, mtu }),
        _ => Err(Problems::one(
            format!("level {level}"),
            messages::not_a_goal(text),
            messages::write_three_numbers(),
        )),
    }
}

//! How fast whole commands simulate, and how much memory they take.

use crate::shell::{Done, cargo, program, root, run};
use crate::tuned;
use std::fs::read_to_string;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// The rows the engines' benchmarks use too; what they count and how the report calls it; decimals of a speed.
const ROWS: [(&str, &str, &str, usize); 2] = [
    (include_str!("../../core/benches/wormhole.rows"), "M flit-hops/s", "flit_hops", 0),
    (include_str!("../../core/benches/cut-through.rows"), "M packet-hops/s", "packet_hops", 2),
];
/// Runs per row; the fastest counts.
const RUNS: usize = 3;

/// A run of hardly anything: what it costs is network, routes and output.
const START: &str = "measure.warmup_messages=0 measure.messages=1";

/// `cargo xtask speed [--tuned] [WORD]`: `hopscope run`, or what `cargo xtask tuned` built, on every row (whose name contains the word): hops of
/// flits, or of packets, per CPU second, routing and output included; the same without what it takes to start, which is how the engine alone
/// compares over sizes; and peak memory.
pub fn speed(options: &[&str]) -> Done {
    let (is_tuned, words) = match options {
        ["--tuned", words @ ..] => (true, words),
        words => (false, words),
    };
    let word = match words {
        [] => "",
        [word] if !word.starts_with('-') => word,
        other => return Err(format!("speed does not know {}", other.join(" "))),
    };
    let hopscope = if is_tuned {
        tuned::built()?
    } else {
        run(cargo().args(["build", "--release", "--locked", "--package", "hopscope"]))?;
        tuned::binary(
            &std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into),
        )
    };
    for (rows, unit, hops, decimals) in ROWS {
        let named = |row: &&str| row.split('|').next().is_some_and(|name| name.contains(word));
        let mut rows = rows.lines().filter(|line| !line.starts_with('#')).filter(named).peekable();
        if rows.peek().is_some() {
            println!(
                "{:<38} {unit:>16} {:>9} {:>9} {:>9} {:>9}",
                "`hopscope run` on", "CPU s", "start s", "engine", "peak MB"
            );
        }
        for row in rows {
            let [name, file, changes] = row.split('|').collect::<Vec<_>>()[..] else {
                return Err(format!("three parts: {row}"));
            };
            let file = format!("scenarios/{file}");
            let Cost { hops: total, cpu_seconds, peak_mb } = best(&hopscope, &file, changes, hops)?;
            let start = best(&hopscope, &file, &format!("{changes} {START}"), hops)?.cpu_seconds;
            let speed = |seconds: f64| total / seconds / 1e6;
            let (whole, engine) = (speed(cpu_seconds), speed(cpu_seconds - start));
            println!(
                "{name:<38} {whole:>16.decimals$} {cpu_seconds:>9.2} {start:>9.2} {engine:>9.decimals$} {peak_mb:>9.0}"
            );
        }
    }
    Ok(())
}

/// The fastest of some runs.
fn best(hopscope: &Path, file: &str, changes: &str, hops: &str) -> Done<Cost> {
    let mut best = timed(hopscope, file, changes, hops)?;
    for _ in 1..RUNS {
        let cost = timed(hopscope, file, changes, hops)?;
        if cost.cpu_seconds < best.cpu_seconds {
            best = cost;
        }
    }
    Ok(best)
}

struct Cost {
    hops: f64,
    cpu_seconds: f64,
    peak_mb: f64,
}

/// Runs the command once. Linux tells what a process has cost as long as nobody has waited for it.
fn timed(hopscope: &Path, file: &str, changes: &str, hops: &str) -> Done<Cost> {
    let mut command = program(hopscope);
    command.args(["run", file, "--json"]).stdout(Stdio::piped());
    changes.split(' ').for_each(|change| {
        command.args(["--set", change]);
    });
    let child = command.spawn().map_err(|why| format!("hopscope did not start: {why}"))?;
    let folder = format!("/proc/{}", child.id());
    let read = |file: &str| {
        read_to_string(format!("{folder}/{file}")).map_err(|why| format!("{folder}/{file}: {why}"))
    };
    // The report fits into the pipe, so the process ends whether or not it is read.
    let mut peak_mb = 0.0;
    let stat = loop {
        let stat = read("stat")?;
        if stat.contains(") Z ") {
            break stat;
        }
        let peak = read("status")?
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB").map(number));
        peak_mb = peak.map_or(peak_mb, |kb| kb / 1000.0);
        sleep(Duration::from_millis(5));
    };
    // User and system time, in hundredths of a second; the name before them is in brackets.
    let times: Vec<f64> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .skip(11)
        .take(2)
        .map(number)
        .collect();
    let output = child.wait_with_output().map_err(|why| why.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let key = format!("\"{hops}\":");
    let value = text.lines().find_map(|line| line.trim().strip_prefix(&key));
    let hops = value
        .map(|text| number(text.trim_end_matches(',')))
        .ok_or(format!("hopscope run printed no {hops}"))?;
    Ok(Cost { hops, cpu_seconds: times.iter().sum::<f64>() / 100.0, peak_mb })
}

fn number(text: &str) -> f64 {
    text.trim().parse().unwrap_or(f64::NAN)
}

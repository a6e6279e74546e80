//! How fast whole commands simulate, and how much memory they take.

use crate::shell::{Done, cargo, program, root, run};
use std::fs::read_to_string;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// The rows the engine's benchmark uses too.
const ROWS: &str = include_str!("../../core/benches/wormhole.rows");
/// Runs per row; the fastest counts.
const RUNS: usize = 3;

/// `cargo xtask speed [WORD]`: `hopscope run` on every row (whose name contains the word): flit-hops per CPU second, routing and
/// output included, and peak memory.
pub fn speed(word: &str) -> Done {
    run(cargo().args(["build", "--release", "--locked", "--package", "hopscope"]))?;
    println!("{:<38} {:>14} {:>9} {:>9}", "`hopscope run` on", "M flit-hops/s", "CPU s", "peak MB");
    for row in ROWS.lines().filter(|line| !line.starts_with('#')) {
        let [name, file, changes] = row.split('|').collect::<Vec<_>>()[..] else {
            return Err(format!("three parts: {row}"));
        };
        if !name.contains(word) {
            continue;
        }
        let mut best: Option<Cost> = None;
        for _ in 0..RUNS {
            let cost = timed(&format!("scenarios/{file}"), changes)?;
            if best.as_ref().is_none_or(|best| cost.cpu_seconds < best.cpu_seconds) {
                best = Some(cost);
            }
        }
        if let Some(Cost { flit_hops, cpu_seconds, peak_mb }) = best {
            let speed = flit_hops / cpu_seconds / 1e6;
            println!("{name:<38} {speed:>14.0} {cpu_seconds:>9.2} {peak_mb:>9.0}");
        }
    }
    Ok(())
}

struct Cost {
    flit_hops: f64,
    cpu_seconds: f64,
    peak_mb: f64,
}

/// Runs the command once. Linux tells what a process has cost as long as nobody has waited for it.
fn timed(file: &str, changes: &str) -> Done<Cost> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let mut command = program(target.join("release/hopscope"));
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
    let times: Vec<f64> =
        stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2).map(number).collect();
    let output = child.wait_with_output().map_err(|why| why.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let hops = text.lines().find_map(|line| line.trim().strip_prefix("\"flit_hops\":"));
    let flit_hops =
        hops.map(|text| number(text.trim_end_matches(','))).ok_or("hopscope run printed no flit_hops")?;
    Ok(Cost { flit_hops, cpu_seconds: times.iter().sum::<f64>() / 100.0, peak_mb })
}

fn number(text: &str) -> f64 {
    text.trim().parse().unwrap_or(f64::NAN)
}

//! `cargo xtask speed`: the simulation speed and peak memory of whole `hopscope run` commands.
//!
//! Linux only: CPU time and memory of the process come from `/proc`.

use crate::shell::{Done, program};
use crate::tuned;
use serde_json::Value;
use std::fs::{File, read_to_string};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// The rows of the engines' benchmarks; the unit of speed; the report's key for hops; the decimals
/// of a speed.
const ROWS: [(&str, &str, &str, usize); 2] = [
    (include_str!("../../core/benches/wormhole.rows"), "M flit-hops/s", "flit_hops", 0),
    (include_str!("../../core/benches/cut-through.rows"), "M packet-hops/s", "packet_hops", 2),
];
/// Runs of each row. The fastest one is printed.
const RUNS: usize = 3;
/// Pairs of runs of each row with and without measuring, and how much longer than the row's they
/// are: a few per cent of a short run are not seen, as CPU time has steps of 10 ms.
const PAIRS: usize = 11;
const LONGER: u64 = 2;

/// A run of one message. Its time is the start: network, routes and output.
const START_ONLY: &str = "measure.warmup_messages=0 measure.messages=1";

/// `cargo xtask speed [--tuned | --measuring] [WORD]`: runs every row whose name contains WORD,
/// with the release build or with what `cargo xtask tuned` built.
///
/// Prints hops (of flits or packets) per CPU second with and without the start, CPU seconds, and
/// peak memory. The speed without the start is the engine's alone, so it compares over network
/// sizes. With `--measuring`: what measuring adds to the CPU time, per cent.
pub fn speed(options: &[&str]) -> Done {
    let (is_tuned, is_measuring, words) = match options {
        ["--tuned", words @ ..] => (true, false, words),
        ["--measuring", words @ ..] => (false, true, words),
        words => (false, false, words),
    };
    let word = match words {
        [] => "",
        [word] if !word.starts_with('-') => word,
        other => return Err(format!("speed has no option {}", other.join(" "))),
    };
    let hopscope = if is_tuned { tuned::built()? } else { tuned::release()? };
    for (rows, unit, hops, decimals) in ROWS {
        let named = |row: &&str| row.split('|').next().is_some_and(|name| name.contains(word));
        let mut rows = rows.lines().filter(|line| !line.starts_with('#')).filter(named).peekable();
        if is_measuring && rows.peek().is_some() {
            println!(
                "{:<38} {:>16} {:>9} {:>9}",
                "`hopscope run` on", "in warm-up, s", "measured", "per cent"
            );
        } else if rows.peek().is_some() {
            println!(
                "{:<38} {unit:>16} {:>9} {:>9} {:>9} {:>9}",
                "`hopscope run` on", "CPU s", "start s", "engine", "peak MB"
            );
        }
        for row in rows {
            let [name, file, changes] = row.split('|').collect::<Vec<_>>()[..] else {
                return Err(format!("a row has three parts (name|file|changes): {row}"));
            };
            let file = format!("scenarios/{file}");
            if is_measuring {
                let Measuring { off, on, ratio } = measuring(&hopscope, &file, changes, hops)?;
                let more = 100.0 * (ratio - 1.0);
                println!("{name:<38} {off:>16.2} {on:>9.2} {more:>9.1}");
                continue;
            }
            let Cost { hops: total, cpu_seconds, peak_mb } = best(&hopscope, &file, changes, hops)?;
            let start =
                best(&hopscope, &file, &format!("{changes} {START_ONLY}"), hops)?.cpu_seconds;
            let speed = |seconds: f64| total / seconds / 1e6;
            let (whole, engine) = (speed(cpu_seconds), speed(cpu_seconds - start));
            println!(
                "{name:<38} {whole:>16.decimals$} {cpu_seconds:>9.2} {start:>9.2} \
                 {engine:>9.decimals$} {peak_mb:>9.0}"
            );
        }
    }
    Ok(())
}

/// What measuring costs: medians of [`PAIRS`] pairs of runs.
struct Measuring {
    /// CPU seconds with all messages in the warm-up, where nothing is measured.
    off: f64,
    /// CPU seconds with as many messages, all of them measured.
    on: f64,
    /// The second run of a pair over the first. A pair is run in a few seconds, so its two runs
    /// share what others do to the machine.
    ratio: f64,
}

/// Runs the pairs. The fastest of a few is chance where others use the same memory.
fn measuring(hopscope: &Path, file: &str, changes: &str, hops: &str) -> Done<Measuring> {
    let messages = |change: &str| change.strip_prefix("measure.messages=")?.parse::<u64>().ok();
    let messages = LONGER * changes.split(' ').find_map(messages).ok_or("a row has no messages")?;
    let ways = [
        format!("{changes} measure.warmup_messages={messages} measure.messages=1"),
        format!("{changes} measure.warmup_messages=0 measure.messages={messages}"),
    ];
    let mut pairs = Vec::with_capacity(PAIRS);
    for _ in 0..PAIRS {
        let [off, on] = ways.each_ref().map(|way| timed(hopscope, file, way, hops));
        pairs.push([off?.cpu_seconds, on?.cpu_seconds]);
    }
    let median = |of: fn(&[f64; 2]) -> f64| {
        let mut values: Vec<f64> = pairs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[PAIRS / 2]
    };
    Ok(Measuring {
        off: median(|pair| pair[0]),
        on: median(|pair| pair[1]),
        ratio: median(|pair| pair[1] / pair[0]),
    })
}

/// The fastest of [`RUNS`] runs.
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

/// Runs the command once. Linux keeps the CPU time of an ended process until its parent waits for
/// it.
fn timed(hopscope: &Path, file: &str, changes: &str, hops: &str) -> Done<Cost> {
    // The report goes to a file. The process would wait at a full pipe, which is read only once the
    // process has ended.
    let report = std::env::temp_dir().join(format!("hopscope-speed-{}.json", std::process::id()));
    let failed = |why: std::io::Error| format!("{}: {why}", report.display());
    let mut command = program(hopscope);
    command.args(["run", file, "--json"]).stdout(File::create(&report).map_err(failed)?);
    changes.split(' ').for_each(|change| {
        command.args(["--set", change]);
    });
    let mut child = command.spawn().map_err(|why| format!("hopscope did not start: {why}"))?;
    let folder = format!("/proc/{}", child.id());
    let read = |file: &str| {
        read_to_string(format!("{folder}/{file}")).map_err(|why| format!("{folder}/{file}: {why}"))
    };
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
    // After the name in brackets, user and system time are the fields with index 11 and 12, in
    // hundredths of a second.
    let times: Vec<f64> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .skip(11)
        .take(2)
        .map(number)
        .collect();
    child.wait().map_err(|why| why.to_string())?;
    let text = read_to_string(&report).map_err(failed)?;
    std::fs::remove_file(&report).map_err(failed)?;
    let results: Value =
        serde_json::from_str(&text).map_err(|why| format!("the output of hopscope run: {why}"))?;
    let hops = results[hops].as_f64().ok_or_else(|| format!("hopscope run printed no {hops}"))?;
    Ok(Cost { hops, cpu_seconds: times.iter().sum::<f64>() / 100.0, peak_mb })
}

fn number(text: &str) -> f64 {
    text.trim().parse().unwrap_or(f64::NAN)
}

//! `cargo xtask fuzz`: runs the fuzz targets of `fuzz/`, from a corpus made of the project's own
//! files.
//!
//! cargo-fuzz needs options of the compiler that stable Rust accepts with `RUSTC_BOOTSTRAP` only.
//! No sanitizer is used: the code is safe Rust, and the standard library would have to be built
//! again.

use crate::shell::{Done, program, root, run};
use crate::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Targets, and the folders and ending of the files that each begins with.
const TARGETS: [(&str, &[&str], &str); 6] = [
    ("scenario", &["scenarios"], "json"),
    ("link", &["scenarios"], "json"),
    ("import", &["core/scenario/src/scenario/formats/samples", "scenarios"], ""),
    ("trace", &["fuzz/seeds/trace"], ""),
    ("routes", &["fuzz/seeds/routes"], ""),
    ("experiment", &["scenarios/experiments"], "json"),
];
const DEFAULT_SECONDS: u32 = 20;
/// Targets that run at the same time.
const AT_ONCE: usize = 2;
/// Longest time for one input, seconds.
const LONGEST: u32 = 5;
/// Largest input, bytes.
const LARGEST: u32 = 20_000;

/// Runs every target for some seconds, and prints executions and findings.
pub fn fuzz(words: &[&str]) -> Done {
    let seconds = match words {
        [] => DEFAULT_SECONDS,
        [seconds] => seconds.parse().map_err(|_| format!("{seconds} is no number of seconds"))?,
        _ => return Err("fuzz takes the seconds of each target".into()),
    };
    let build = root().join("target/fuzz");
    let mut cargo_fuzz = program(tools::cargo_fuzz()?);
    cargo_fuzz.env("RUSTC_BOOTSTRAP", "1");
    cargo_fuzz.args(["fuzz", "build", "--sanitizer", "none", "--target-dir"]);
    run(cargo_fuzz.arg(&build))?;
    let binaries = build.join(tools::host()?).join("release");

    let mut lines = Vec::new();
    let mut found = 0;
    for pair in TARGETS.chunks(AT_ONCE) {
        let started = pair.iter().map(|(name, folders, ending)| {
            let corpus = build.join("corpus").join(name);
            copy_seeds(folders, ending, &corpus)?;
            start(&binaries.join(name), &corpus, seconds)
        });
        for ((name, ..), started) in pair.iter().zip(started.collect::<Vec<_>>()) {
            let (child, log) = started?;
            let (line, findings) = finish(child, &log)?;
            found += findings;
            lines.push(format!("xtask: {name:<11} {line}"));
        }
    }
    println!("\n{}", lines.join("\n"));
    match found {
        0 => Ok(()),
        _ => Err(format!("{found} targets failed: target/fuzz/corpus/NAME-found has the inputs")),
    }
}

/// Copies the files that a target begins with into its corpus.
fn copy_seeds(folders: &[&str], ending: &str, corpus: &Path) -> Done {
    fs::create_dir_all(corpus).map_err(|why| format!("{}: {why}", corpus.display()))?;
    for folder in folders {
        let failed = |why| format!("{folder}: {why}");
        for entry in fs::read_dir(root().join(folder)).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_file()
                && path.extension().unwrap_or_default().to_string_lossy().ends_with(ending)
            {
                let name = path.file_name().expect("a file has a name");
                fs::copy(&path, corpus.join(name)).map_err(failed)?;
            }
        }
    }
    Ok(())
}

fn start(binary: &Path, corpus: &Path, seconds: u32) -> Done<(Child, PathBuf)> {
    let found = corpus
        .with_file_name(format!("{}-found", binary.file_name().unwrap_or_default().display()));
    fs::create_dir_all(&found).map_err(|why| format!("{}: {why}", found.display()))?;
    let log = found.with_extension("log");
    let file = fs::File::create(&log).map_err(|why| format!("{}: {why}", log.display()))?;
    let mut command = Command::new(binary);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-timeout={LONGEST}"));
    command.arg(format!("-max_len={LARGEST}"));
    command.arg(format!("-artifact_prefix={}/", found.display()));
    command.args(["-print_final_stats=1", "-rss_limit_mb=4096"]).arg(corpus);
    let child = command.stdout(Stdio::null()).stderr(file).spawn();
    child.map(|child| (child, log)).map_err(|why| format!("{}: {why}", binary.display()))
}

/// What a target came to, and 1 if it found something.
fn finish(mut child: Child, log: &Path) -> Done<(String, u32)> {
    let failed = |why| format!("{}: {why}", log.display());
    let status = child.wait().map_err(failed)?;
    let text = String::from_utf8_lossy(&fs::read(log).map_err(failed)?).into_owned();
    let executed =
        text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let executed = executed.map_or("?", str::trim);
    if status.success() {
        return Ok((format!("{executed:>10} executions, no finding"), 0));
    }
    let why = text.lines().find(|line| line.contains("panicked at") || line.contains("ERROR:"));
    Ok((format!("{executed:>10} executions, FOUND: {}", why.unwrap_or("see its log")), 1))
}

//! `cargo xtask tuned`: the command line built for this machine's processor, with profile-guided
//! optimisation.
//!
//! The profile comes from runs of the gallery's scenarios and of one large network. The reports of
//! the tuned build must equal those of the build that took the profile.

use crate::shell::{Done, cargo, output, program, root, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The length of a training run, which takes a fraction of a second.
const LENGTH: &str = "measure.messages=100000";

/// The networks of the gallery fit the processor's cache; this one does not.
const LARGE: &str = "studies/hiperion-torus-8x8.json";

/// Builds the tuned command line in `target/tuned` and compares its reports.
pub fn tuned() -> Done {
    let profdata = llvm_profdata()?;
    let folder = folder();
    let (raw, profile) = (folder.join("raw"), folder.join("hopscope.profdata"));
    let learning =
        build(&folder.join("learning"), &format!("-Cprofile-generate={}", raw.display()))?;
    // Build scripts and earlier calls left profiles too.
    match fs::remove_dir_all(&raw) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => {
            return Err(format!("{}: {why}", raw.display()));
        }
        _ => {}
    }
    let reports = reports(&learning)?;
    run(program(profdata).arg("merge").arg("-o").arg(&profile).arg(&raw))?;
    let tuned = build(&folder, &format!("-Cprofile-use={}", profile.display()))?;
    for ((scenario, report), (_, again)) in reports.iter().zip(self::reports(&tuned)?) {
        if *report != again {
            return Err(format!("the tuned build reports other results of {}", scenario.display()));
        }
    }
    println!("{}: the same reports of {} scenarios", tuned.display(), reports.len());
    Ok(())
}

/// The tuned command line.
///
/// # Errors
/// If it has not been built.
pub fn built() -> Done<PathBuf> {
    let path = binary(&folder());
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{}: build it with `cargo xtask tuned`", path.display()))
    }
}

/// Builds the command line with the profile `release` alone, and returns its path.
///
/// # Errors
/// If it does not build.
pub fn release() -> Done<PathBuf> {
    run(cargo().args(["build", "--release", "--locked", "--package", "hopscope"]))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    Ok(binary(&target))
}

/// The release build of the command line in a target folder.
fn binary(target: &Path) -> PathBuf {
    target.join("release/hopscope")
}

fn folder() -> PathBuf {
    root().join("target/tuned")
}

fn build(target: &Path, flag: &str) -> Done<PathBuf> {
    let flags = ["-Ctarget-cpu=native", flag].join("\x1f");
    let mut build = cargo();
    build.env("CARGO_TARGET_DIR", target).env("CARGO_ENCODED_RUSTFLAGS", flags);
    run(build.args(["build", "--release", "--locked", "--package", "hopscope"]))?;
    Ok(binary(target))
}

/// The reports of all training scenarios.
fn reports(hopscope: &Path) -> Done<Vec<(PathBuf, Vec<u8>)>> {
    let folder = root().join("scenarios");
    let failed = |why: io::Error| format!("{}: {why}", folder.display());
    let entries: Result<Vec<_>, _> = fs::read_dir(&folder).map_err(failed)?.collect();
    let mut scenarios: Vec<PathBuf> =
        entries.map_err(failed)?.iter().map(fs::DirEntry::path).collect();
    scenarios.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    scenarios.push(folder.join(LARGE));
    scenarios.sort();
    let report = |scenario: PathBuf| {
        let mut run = Command::new(hopscope);
        // A scenario that deadlocks has a report and a nonzero exit status.
        let done = run.arg("run").arg(&scenario).args(["--json", "--set", LENGTH]).output();
        let done = done.map_err(|why| format!("{}: {why}", hopscope.display()))?;
        Ok((scenario, done.stdout))
    };
    scenarios.into_iter().map(report).collect()
}

/// `llvm-profdata` of the same LLVM as rustc's.
fn llvm_profdata() -> Done<PathBuf> {
    let libraries =
        output(program("rustc").args(["--print", "target-libdir"])).ok_or("rustc did not start")?;
    let tool = Path::new(&libraries).with_file_name("bin").join("llvm-profdata");
    if !tool.is_file() {
        run(program("rustup").args(["component", "add", "llvm-tools"]))?;
    }
    if tool.is_file() {
        Ok(tool)
    } else {
        Err(format!("no {}: install it with `rustup component add llvm-tools`", tool.display()))
    }
}

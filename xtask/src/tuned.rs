//! The command line, built for the machine at hand: with every instruction its processor has, and laid out by what runs of the gallery's
//! scenarios, and of a large network, did (profile-guided optimisation). It prints what the plain build prints, faster.

use crate::shell::{Done, cargo, output, program, root, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Enough of each scenario for a profile; a run takes a fraction of a second.
const RUNS: &str = "measure.messages=100000";

/// The gallery's networks are small; this one does not fit the cache.
const LARGE: &str = "studies/hiperion-torus-8x8.json";

/// `cargo xtask tuned`: builds it and checks that its reports are those it was trained with.
pub fn tuned() -> Done {
    let profdata = llvm_profdata()?;
    let folder = folder();
    let (raw, profile) = (folder.join("raw"), folder.join("hopscope.profdata"));
    let learning =
        build(&folder.join("learning"), &format!("-Cprofile-generate={}", raw.display()))?;
    // What ran while it was built has left profiles, too, as has the last time.
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
            return Err(format!("{} runs differently in the tuned build", scenario.display()));
        }
    }
    println!("{}: {} scenarios give the same reports", tuned.display(), reports.len());
    Ok(())
}

/// What has been built, if it has.
pub fn built() -> Done<PathBuf> {
    let path = binary(&folder());
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{}: build it with `cargo xtask tuned`", path.display()))
    }
}

/// Where the command line lies once built.
pub fn binary(target: &Path) -> PathBuf {
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

/// What a build reports of every scenario it is trained with.
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
        // One that deadlocks ends with an error, and a report all the same.
        let done = run.arg("run").arg(&scenario).args(["--json", "--set", RUNS]).output();
        let done = done.map_err(|why| format!("{}: {why}", hopscope.display()))?;
        Ok((scenario, done.stdout))
    };
    scenarios.into_iter().map(report).collect()
}

/// LLVM's tool for profiles, of the LLVM that this Rust uses.
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
        Err(format!("{} is missing: `rustup component add llvm-tools` brings it", tool.display()))
    }
}

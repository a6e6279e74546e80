//! Passing all tests.

use crate::shell::{Done, cargo, output, program, root, run};
use crate::{page, tools};
use std::time::Instant;

type Step = (&'static str, fn() -> Done);

/// In the order that finds most mistakes soonest.
const STEPS: [Step; 5] =
    [("fmt", fmt), ("clippy", clippy), ("native", native), ("wasm", wasm), ("e2e", end_to_end)];

/// Runs the named steps, or all; goes on after a failed one, so that one run tells everything.
fn run_steps(steps: &[Step]) -> Done {
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for (name, step) in steps {
        eprintln!("\n== {name} ==");
        let start = Instant::now();
        let outcome = step();
        let seconds = start.elapsed().as_secs_f64();
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        lines.push(format!("xtask: {name:<7} {word:<6} {seconds:7.1} s"));
        if let Err(why) = outcome {
            eprintln!("{why}");
            failed.push(*name);
        }
    }
    eprintln!("\n{}", lines.join("\n"));
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// `cargo xtask test [STEP...]`
pub fn test(names: &[&str]) -> Done {
    if names.is_empty() {
        return run_steps(&STEPS);
    }
    let find = |name: &&str| {
        let known = STEPS.iter().find(|step| step.0 == *name).copied();
        known.ok_or_else(|| {
            format!("no step {name}; there are {}", STEPS.map(|step| step.0).join(", "))
        })
    };
    run_steps(&names.iter().map(find).collect::<Done<Vec<_>>>()?)
}

fn fmt() -> Done {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["fmt", "--check", "--manifest-path", "xtask/wasm-bindgen/Cargo.toml"]))
}

fn clippy() -> Done {
    tools::wasm_target()?;
    run(cargo().args(["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]))?;
    run(wasm_cargo("clippy").args(["--all-targets", "--", "-D", "warnings"]))
}

/// Core, command line and xtask.
fn native() -> Done {
    if output(cargo().args(["nextest", "--version"])).is_some() {
        run(cargo().args(["nextest", "run", "--locked", "--no-tests=pass"]))?;
    } else {
        run(cargo().args(["test", "--locked", "--all-targets"]))?;
    }
    run(cargo().args(["test", "--locked", "--doc"]))
}

/// The page's own unit tests, compiled to wasm and run by Node.
fn wasm() -> Done {
    let runner = tools::wasm_test_runner()?;
    run(wasm_cargo("test").arg("--lib").env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner))
}

fn wasm_cargo(subcommand: &str) -> std::process::Command {
    let mut command = cargo();
    command.args([
        subcommand,
        "--locked",
        "--package",
        "hopscope-app",
        "--target",
        "wasm32-unknown-unknown",
    ]);
    command
}

/// The built page in a real browser.
fn end_to_end() -> Done {
    page::build()?;
    playwright("e2e")
}

/// Pictures of the built page for the documentation.
pub fn screenshots() -> Done {
    page::build()?;
    playwright("screenshots")
}

/// Numbers of the built page and the command line, printed.
pub fn measure() -> Done {
    run(cargo().args(["build", "--release", "--locked", "--package", "hopscope"]))?;
    page::build()?;
    playwright("measure")
}

fn playwright(project: &str) -> Done {
    tools::test_packages()?;
    let chromium = tools::chromium()?;
    let mut npx = program("npx");
    npx.current_dir(root().join("tests")).env("HOPSCOPE_CHROMIUM", chromium);
    run(npx.args(["--no-install", "playwright", "test", "--project", project]))
}

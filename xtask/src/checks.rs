//! `cargo xtask test`, and the other commands that run Playwright on the built page.

use crate::shell::{Done, cargo, output, program, root, run};
use crate::{page, tools};
use std::fs;
use std::time::Instant;

type Step = (&'static str, fn() -> Done);

/// Cheap steps first.
const STEPS: [Step; 5] =
    [("fmt", fmt), ("clippy", clippy), ("native", native), ("wasm", wasm), ("e2e", end_to_end)];

/// Columns of a line of comments or documents, at most.
const WIDTH: usize = 100;

/// Runs all given steps, also after a failed one, and prints the outcome and seconds of each.
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

/// `cargo xtask test [STEP...]`: runs the named steps, or all.
pub fn test(names: &[&str]) -> Done {
    if names.is_empty() {
        return run_steps(&STEPS);
    }
    let find = |name: &&str| {
        let known = STEPS.iter().find(|step| step.0 == *name).copied();
        known.ok_or_else(|| {
            format!("no step {name}; the steps are {}", STEPS.map(|step| step.0).join(", "))
        })
    };
    run_steps(&names.iter().map(find).collect::<Done<Vec<_>>>()?)
}

fn fmt() -> Done {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["fmt", "--check", "--manifest-path", "xtask/wasm-bindgen/Cargo.toml"]))?;
    widths()
}

/// Checks that lines of comments and documents have at most [`WIDTH`] columns. rustfmt leaves them
/// as they are.
fn widths() -> Done {
    let files = output(program("git").args(["ls-files", "*.rs", "*.ts", "*.mjs", "*.js", "*.md"]))
        .ok_or("git ls-files failed")?;
    let mut wide = Vec::new();
    for file in files.lines() {
        let text = fs::read_to_string(root().join(file)).map_err(|why| format!("{file}: {why}"))?;
        let is_document = file.ends_with(".md");
        let mut is_code = false;
        for (number, line) in (1..).zip(text.lines()) {
            let begin = line.trim_start();
            is_code ^= begin.starts_with("```");
            let is_prose = if is_document {
                !is_code && !begin.starts_with('|')
            } else {
                begin.starts_with("//")
            };
            if is_prose && line.chars().count() > WIDTH {
                wide.push(format!("{file}:{number}: more than {WIDTH} columns"));
            }
        }
    }
    if wide.is_empty() { Ok(()) } else { Err(wide.join("\n")) }
}

fn clippy() -> Done {
    tools::wasm_target()?;
    run(cargo().args(["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]))?;
    run(wasm_cargo("clippy").args(["--all-targets", "--", "-D", "warnings"]))
}

/// All tests that need no browser.
fn native() -> Done {
    if output(cargo().args(["nextest", "--version"])).is_some() {
        run(cargo().args(["nextest", "run", "--locked", "--no-tests=pass", "--no-fail-fast"]))?;
    } else {
        run(cargo().args(["test", "--locked", "--all-targets"]))?;
    }
    run(cargo().args(["test", "--locked", "--doc"]))
}

/// The page's tests that need JavaScript, compiled to WebAssembly and run by Node.
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

/// End-to-end tests of the built page in Chromium. One compares it with the command line, as the
/// native tests have built it.
fn end_to_end() -> Done {
    run(cargo().args(["build", "--locked", "--package", "hopscope"]))?;
    page::build()?;
    playwright("e2e")
}

/// `cargo xtask screenshots`: takes the documentation's pictures from the built page.
pub fn screenshots() -> Done {
    page::build()?;
    playwright("screenshots")
}

/// `cargo xtask measure`: prints the size and speed of the built page, next to the command line's.
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

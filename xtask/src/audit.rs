//! `cargo xtask audit`: checks of what the project depends on and publishes.
//!
//! Two checks ask databases on the network: known vulnerabilities of Rust packages and of npm
//! packages. Where these cannot be reached, packages are compared with the stored advisories.

use crate::advisories::{self, Database, Findings};
use crate::shell::{Done, program, root, run};
use crate::tools;
use std::process::Command;

type Check = (&'static str, fn() -> Done<Outcome>);

/// Runs all checks, also after a failed one.
pub fn audit() -> Done {
    let checks: [Check; 4] = [
        ("licences, bans, sources", packages),
        ("vulnerabilities, Rust", rust_vulnerabilities),
        ("vulnerabilities, npm", npm_vulnerabilities),
        ("citation", citation),
    ];
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for (name, check) in checks {
        eprintln!("\n== {name} ==");
        let word = match check() {
            Ok(Outcome::Fine) => "ok".to_owned(),
            Ok(Outcome::Stored(date)) => format!("ok by what is stored, of {date}"),
            Err(why) => {
                eprintln!("{why}");
                failed.push(name);
                "FAILED".to_owned()
            }
        };
        lines.push(format!("xtask: {name:<24} {word}"));
    }
    eprintln!("\n{}", lines.join("\n"));
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

enum Outcome {
    Fine,
    /// The database cannot be reached. The part of it that is stored, of this date, has nothing
    /// against the locked packages.
    Stored(&'static str),
}

/// Licences, banned packages and sources of packages, by `deny.toml`.
fn packages() -> Done<Outcome> {
    let mut deny = program(tools::cargo_deny()?);
    deny.args(["--offline", "--locked", "--log-level", "error"]);
    run(deny.args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))?;
    Ok(Outcome::Fine)
}

/// Known vulnerabilities, from the advisory database of RustSec.
fn rust_vulnerabilities() -> Done<Outcome> {
    let deny = tools::cargo_deny()?;
    let mut fetch = program(&deny);
    if !succeeds(fetch.args(["--locked", "fetch", "db"])) {
        return stored_vulnerabilities(&advisories::RUST);
    }
    run(program(&deny).args(["--locked", "check", "--hide-inclusion-graph", "advisories"]))?;
    Ok(Outcome::Fine)
}

fn stored_vulnerabilities(database: &Database) -> Done<Outcome> {
    let Findings { concerned, notices, unknown } = advisories::check(database)?;
    for notice in notices {
        eprintln!("note: {notice}");
    }
    for package in unknown {
        eprintln!("note: {package}: nothing is stored about it");
    }
    if concerned.is_empty() {
        Ok(Outcome::Stored(database.date))
    } else {
        Err(concerned.join("\n"))
    }
}

/// Known vulnerabilities of the packages of `tests/`, from the npm registry.
fn npm_vulnerabilities() -> Done<Outcome> {
    let mut npm = program("npm");
    npm.current_dir(root().join("tests")).args(["audit", "--json"]);
    let answer = npm.output().map_err(|why| format!("npm did not start: {why}"))?;
    let report = String::from_utf8_lossy(&answer.stdout);
    if !report.contains("\"auditReportVersion\"") {
        return stored_vulnerabilities(&advisories::NPM);
    }
    if answer.status.success() { Ok(Outcome::Fine) } else { Err(report.into_owned()) }
}

/// `CITATION.cff` by its schema.
fn citation() -> Done<Outcome> {
    run(program(tools::cffconvert()?).args(["--validate", "--infile", "CITATION.cff"]))?;
    Ok(Outcome::Fine)
}

/// Whether a command succeeds.
fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

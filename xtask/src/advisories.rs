//! Known vulnerabilities of locked packages, from the stored parts of two databases, for machines
//! that cannot reach them.

use crate::lock_file;
use crate::shell::{Done, root};
use semver::{Version, VersionReq};
use serde_json::Value;
use std::fs;

/// What is stored of a database of advisories.
pub struct Database {
    /// The day up to which advisories were looked at.
    pub date: &'static str,
    stored: &'static str,
    lock_files: &'static [&'static str],
    packages_of: fn(&str) -> Done<Vec<Package>>,
}

/// Advisories of RustSec on the crates of everything that is built.
pub const RUST: Database = Database {
    date: "2026-10-06",
    stored: include_str!("advisories-rust.txt"),
    lock_files: &["Cargo.lock", "fuzz/Cargo.lock"],
    packages_of: cargo_packages,
};

/// Advisories of GitHub on the npm packages of the tests and of the page's build.
pub const NPM: Database = Database {
    date: "2026-08-29",
    stored: include_str!("advisories-npm.txt"),
    lock_files: &["tests/package-lock.json"],
    packages_of: npm_packages,
};

/// The name and version of a package in a lock file.
type Package = (String, Version);

/// What the stored advisories say of the locked packages, one line each.
#[derive(Default)]
pub struct Findings {
    /// Vulnerable or unsound versions.
    pub concerned: Vec<String>,
    /// Unmaintained packages.
    pub notices: Vec<String>,
    /// Packages that nothing is stored about.
    pub unknown: Vec<String>,
}

/// Compares the locked packages with what is stored of `database`.
///
/// # Errors
/// If a lock file cannot be read.
pub fn check(database: &Database) -> Done<Findings> {
    let mut packages = Vec::new();
    for file in database.lock_files {
        let text = fs::read_to_string(root().join(file)).map_err(|why| format!("{file}: {why}"))?;
        packages.extend((database.packages_of)(&text).map_err(|why| format!("{file}: {why}"))?);
    }
    packages.sort();
    packages.dedup();
    compare(&packages, database.stored)
}

fn compare(packages: &[Package], stored: &str) -> Done<Findings> {
    let lines = || stored.lines().filter(|line| !line.starts_with('#'));
    let mut findings = Findings::default();
    for (name, version) in packages {
        let mut known = lines()
            .any(|line| !line.contains('|') && line.split(' ').any(|without| without == name));
        for line in lines() {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let [of, id, kind, unconcerned] = fields[..] else { continue };
            if of != name {
                continue;
            }
            known = true;
            let mut requirements = unconcerned.split(';').filter(|text| !text.trim().is_empty());
            let parsed =
                |text: &str| VersionReq::parse(text).map_err(|why| format!("advisory {id}: {why}"));
            let is_safe = requirements.try_fold(false, |safe, requirement| {
                Ok::<_, String>(safe || parsed(requirement)?.matches(version))
            })?;
            if !is_safe {
                let list = match kind {
                    "unmaintained" => &mut findings.notices,
                    _ => &mut findings.concerned,
                };
                list.push(format!("{name} {version}: {id}, {kind}"));
            }
        }
        if !known {
            findings.unknown.push(format!("{name} {version}"));
        }
    }
    Ok(findings)
}

/// The packages in `Cargo.lock` that come from a registry.
fn cargo_packages(text: &str) -> Done<Vec<Package>> {
    let mut packages = lock_file::packages(text)?;
    packages.retain(|package| package.source.is_some());
    Ok(packages.into_iter().map(|locked| (locked.name, locked.version)).collect())
}

/// The packages in `package-lock.json`, without optional ones: these are the builds of a package
/// for one kind of machine each, and advisories name the package.
fn npm_packages(text: &str) -> Done<Vec<Package>> {
    let lock: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let entries = lock["packages"].as_object().ok_or("no list of packages")?;
    let mut packages = Vec::new();
    for (place, entry) in entries {
        // The entry without a place is the project itself.
        let Some((_, name)) = place.rsplit_once("node_modules/") else { continue };
        if entry["optional"] == true {
            continue;
        }
        let version = entry["version"].as_str().ok_or_else(|| format!("{name}: no version"))?;
        let version = Version::parse(version).map_err(|why| format!("{name}: {why}"))?;
        packages.push((name.to_owned(), version));
    }
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADVISORIES: &str = "\
# a comment
parser | A-1 | vulnerability | >= 1.2.3, < 2.0.0; >= 2.1.0; < 0.5.0
parser | A-2 | unmaintained |
reader writer
";

    fn found(lock: &str) -> Findings {
        compare(&cargo_packages(lock).expect("a lock file"), ADVISORIES).expect("advisories")
    }

    fn entry(name: &str, version: &str) -> String {
        format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry\"\n\n"
        )
    }

    #[test]
    fn versions_outside_all_requirements_are_concerned() {
        for (version, is_safe) in
            [("0.4.9", true), ("0.5.0", false), ("1.2.3", true), ("2.0.0", false), ("2.1.0", true)]
        {
            let findings = found(&entry("parser", version));
            assert_eq!(findings.concerned.is_empty(), is_safe, "{version}");
            assert_eq!(findings.notices, [format!("parser {version}: A-2, unmaintained")]);
            assert!(findings.unknown.is_empty());
        }
    }

    #[test]
    fn packages_that_nothing_is_stored_about_are_named() {
        let own = "[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n\n";
        let findings =
            found(&(own.to_owned() + &entry("read", "1.0.0") + &entry("writer", "2.0.0")));
        assert_eq!(findings.unknown, ["read 1.0.0"]);
        assert!(findings.concerned.is_empty() && findings.notices.is_empty());
    }

    #[test]
    fn packages_of_npm_are_read_from_its_lock_file() {
        let lock = r#"{"packages": {
            "": {"name": "ours"},
            "node_modules/parser": {"version": "0.5.0"},
            "node_modules/@parser/linux": {"version": "0.5.0", "optional": true},
            "node_modules/parser/node_modules/@some/reader": {"version": "1.0.0"}
        }}"#;
        let packages = npm_packages(lock).expect("a lock file");
        let findings = compare(&packages, ADVISORIES).expect("advisories");
        assert_eq!(findings.concerned, ["parser 0.5.0: A-1, vulnerability"]);
        assert_eq!(findings.unknown, ["@some/reader 1.0.0"]);
    }

    #[test]
    fn no_locked_package_has_a_stored_vulnerability() {
        for database in [RUST, NPM] {
            let findings = check(&database).expect("lock files and advisories are readable");
            assert_eq!(findings.concerned, Vec::<String>::new());
            assert!(database.stored.contains(database.date), "the file says its date");
        }
    }
}

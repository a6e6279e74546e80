//! Known vulnerabilities of locked packages, from `advisories.txt`: the stored part of the RustSec
//! database, for machines that cannot reach it.

use crate::shell::{Done, root};
use semver::{Version, VersionReq};
use std::fs;

/// The newest advisory that was looked at for `advisories.txt`.
pub const DATE: &str = "2026-10-06";

const STORED: &str = include_str!("advisories.txt");
/// The lock files of everything that is built.
const LOCKED: [&str; 2] = ["Cargo.lock", "fuzz/Cargo.lock"];

/// A version of a package in a lock file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: Version,
}

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

/// Compares the lock files with the stored advisories.
///
/// # Errors
/// If a lock file cannot be read.
pub fn check() -> Done<Findings> {
    let mut packages = Vec::new();
    for file in LOCKED {
        let text = fs::read_to_string(root().join(file)).map_err(|why| format!("{file}: {why}"))?;
        packages.extend(locked(&text)?);
    }
    packages.sort();
    packages.dedup();
    compare(&packages, STORED)
}

fn compare(packages: &[Package], stored: &str) -> Done<Findings> {
    let lines = || stored.lines().filter(|line| !line.starts_with('#'));
    let mut findings = Findings::default();
    for Package { name, version } in packages {
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
            let parsed = |text: &str| {
                VersionReq::parse(text).map_err(|why| format!("advisories.txt: {id}: {why}"))
            };
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

/// The packages of a lock file that come from a registry.
fn locked(text: &str) -> Done<Vec<Package>> {
    let mut packages = Vec::new();
    for entry in text.split("[[package]]\n").skip(1) {
        let field = |key: &str| {
            let mut lines = entry.lines();
            let line = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"'))
        };
        let (Some(name), Some(version)) = (field("name"), field("version")) else {
            return Err(format!("a lock file has a package without name or version: {entry}"));
        };
        if field("source").is_some() {
            let version = Version::parse(version).map_err(|why| format!("{name}: {why}"))?;
            packages.push(Package { name: name.to_owned(), version });
        }
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
        compare(&locked(lock).expect("a lock file"), ADVISORIES).expect("advisories")
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
    fn no_locked_package_has_a_stored_vulnerability() {
        let findings = check().expect("lock files and advisories are readable");
        assert_eq!(findings.concerned, Vec::<String>::new());
        assert!(STORED.contains(DATE), "advisories.txt and the audit name the same date");
    }
}

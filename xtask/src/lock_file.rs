//! The packages of a `Cargo.lock`.

use crate::shell::Done;
use semver::Version;
use serde::Deserialize;

/// A version of a package.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    pub version: Version,
    /// The registry; `None` for a package of the workspace.
    pub source: Option<String>,
}

/// All packages of a `Cargo.lock` with this text.
///
/// # Errors
/// If the text is no lock file.
pub fn packages(text: &str) -> Done<Vec<Package>> {
    #[derive(Deserialize)]
    struct LockFile {
        package: Vec<Package>,
    }
    let lock: LockFile = toml::from_str(text).map_err(|why| why.to_string())?;
    Ok(lock.package)
}

//! `Cargo.lock`: the packages that were built in.

use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::path::Path;

/// One locked package.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct Package {
    /// `aws-lc-rs`
    pub(super) name: String,
    /// `1.19.0`
    pub(super) version: String,
}

#[derive(Deserialize)]
struct Lock {
    #[serde(default)]
    package: Vec<Package>,
}

/// All packages of a lock file.
///
/// # Errors
/// It is no lock file.
pub(super) fn packages(path: &Path, bytes: &[u8]) -> Result<Vec<Package>> {
    let lock: Lock = toml::from_str(&String::from_utf8_lossy(bytes))
        .map_err(|e| Failure::bad_file(path, e.message().replace('\n', "; ")))?;
    Ok(lock.package)
}

//! What cargo knows of packages.

use crate::base::failure::Result;
use crate::files;
use crate::measure::process::output;
use crate::measure::read_toml;
use anyhow::Context;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `Cargo.lock`, or what `cargo metadata` prints.
#[derive(Default, Deserialize)]
struct Packages {
    #[serde(default, alias = "packages")]
    package: Vec<Package>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Its `Cargo.toml`; empty in a lock file.
    #[serde(default)]
    pub(crate) manifest_path: PathBuf,
}

/// Returns a command of cargo in a folder.
pub(crate) fn command(subcommand: &str, folder: &Path) -> Command {
    // Set by cargo when the generator runs as `cargo generator`.
    let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
    let mut command = Command::new(cargo.unwrap_or("cargo".into()));
    command.current_dir(folder).arg(subcommand);
    command
}

/// The packages of a workspace that are below its folder; none without one.
pub(crate) fn packages(folder: &Path) -> Result<Vec<Package>> {
    let manifest = folder.join("Cargo.toml");
    if !files::is_file(&manifest)? {
        return Ok(Vec::new());
    }
    // Outside of the folder, which could select another compiler.
    let mut metadata = command("metadata", Path::new("/"));
    let metadata = metadata.args(["--no-deps", "--format-version", "1", "--manifest-path"]);
    let printed = output(metadata.arg(manifest), "cargo metadata fails: ")?;
    let mut all = parse_metadata(&printed)?;
    all.retain(|package| package.manifest_path.starts_with(folder));
    Ok(all)
}

/// The packages on which a folder's crate depends in these ways, such as `normal,build`, and its own.
pub(crate) fn tree(folder: &Path, ways: &str) -> Result<Vec<Package>> {
    let mut tree = command("tree", folder);
    tree.args(["--locked", "--edges", ways, "--prefix", "none"]);
    let printed = output(tree.args(["--format", "{p}"]), "cargo tree fails: ")?;
    let mut packages = BTreeSet::new();
    for line in printed.lines() {
        // `ring v0.17.14`, followed by the folder of a local one.
        if let [name, version, ..] = line.split(' ').collect::<Vec<_>>()[..] {
            packages.insert(Package {
                name: name.to_owned(),
                version: version.trim_start_matches('v').to_owned(),
                ..Package::default()
            });
        }
    }
    Ok(packages.into_iter().collect())
}

/// Parses what `cargo metadata` prints.
pub(crate) fn parse_metadata(printed: &str) -> anyhow::Result<Vec<Package>> {
    let metadata: Packages =
        serde_json::from_str(printed).context("cannot read what `cargo metadata` prints")?;
    Ok(metadata.package)
}

/// The version of a package in the lock file of a folder; empty if it is not there.
pub(crate) fn locked_version(folder: &Path, name: Option<&String>) -> Result<String> {
    let mut locked = locked(folder)?;
    locked.retain(|package| Some(&package.name) == name);
    Ok(locked
        .pop()
        .map_or(String::new(), |package| package.version))
}

/// The packages in the lock file of a folder; none without one.
pub(crate) fn locked(folder: &Path) -> Result<Vec<Package>> {
    let lock: Option<Packages> = read_toml(&folder.join("Cargo.lock"))?;
    Ok(lock.unwrap_or_default().package)
}

//! Runs cargo, and reads from its JSON messages what was built.

use crate::base::failure::Result;
use crate::files;
use crate::measure::process::{Stop, if_succeeded, text};
use crate::measure::read_toml;
use crate::measure::tools::compile::RunnerCopy;
use anyhow::Context;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package in a build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dependency {
    /// `aws-lc-sys`
    pub(crate) name: String,
    /// `0.47.0`
    pub(crate) version: String,
    /// Whether it links native code.
    pub(crate) is_native: bool,
    /// Whether it belongs to the measuring program, not to the measured library.
    pub(crate) is_runner: bool,
}

/// `Cargo.lock`, or what `cargo metadata` prints.
#[derive(Default, Deserialize)]
struct Packages {
    #[serde(default, alias = "packages")]
    package: Vec<Package>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// `None` for a path dependency.
    pub(crate) source: Option<String>,
    /// Its `Cargo.toml`; empty in a lock file.
    #[serde(default)]
    pub(crate) manifest_path: PathBuf,
}

/// A line of `cargo build --message-format json`, of any kind.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    /// In `compiler-artifact` messages.
    executable: Option<PathBuf>,
    /// In `build-script-executed` messages.
    #[serde(default)]
    linked_libs: Vec<String>,
}

/// Sets the version of a package in the lock file: if there are several, of the one in its series.
/// Tries offline first: a version fetched before needs no network.
pub(in crate::measure) fn pin(copy: &RunnerCopy, package: &str, version: &str) -> Result<()> {
    let series = |version: &str| version.split('.').take(2).collect::<Vec<_>>().join(".");
    let is_it = |p: &Package| p.name == package && series(&p.version) == series(version);
    let locked = locked(&copy.folder)?.into_iter().find(is_it);
    let locked = locked.map_or(package.to_owned(), |p| format!("{package}@{}", p.version));
    set(copy, &locked, version)
}

/// Sets the version of `NAME` or `NAME@VERSION` in the lock file.
pub(in crate::measure) fn set(copy: &RunnerCopy, locked: &str, version: &str) -> Result<()> {
    let update = |offline: &[&str]| {
        let arguments = ["-p", locked, "--precise", version];
        let mut command = command("update", &copy.folder);
        copy.run(command.args(arguments).args(offline))
    };
    if if_succeeded(update(&["--offline"]))?.is_some() {
        return Ok(());
    }
    let package = locked.split_once('@').map_or(locked, |(name, _)| name);
    let name = &copy.name;
    let cannot = format!("cannot build {name}: cargo cannot get {package} {version}, and says:\n");
    update(&[]).map(drop).map_err(|stop| stop.fatal(cannot))
}

/// Removes from the lock file what the manifest no longer needs.
pub(in crate::measure) fn drop_unused(copy: &RunnerCopy) -> Result<()> {
    let printed = copy.run(command("update", &copy.folder).arg("--workspace"));
    let what = format!("cargo cannot update the lock file of {}:\n", copy.name);
    printed.map(drop).map_err(|stop| stop.fatal(what))
}

/// Returns a dependency, as fetched by cargo.
pub(in crate::measure) fn package(copy: &RunnerCopy, name: &str) -> Result<Package> {
    let arguments = ["--format-version", "1", "--locked", "--all-features"];
    let printed = copy.run(command("metadata", &copy.folder).args(arguments));
    let what = format!("cargo cannot fetch {name}; it says:\n");
    let printed = printed.map_err(|stop| stop.fatal(what))?;
    let mut packages = parse_metadata(&printed)?.into_iter();
    let package = packages.find(|package| package.name == name && package.source.is_some());
    Ok(package.with_context(|| format!("{} has no package {name}", copy.name))?)
}

/// Compiles a crate, which has one program. Returns the program's path and all packages in it.
pub(in crate::measure) fn build(
    copy: &RunnerCopy,
    features: &[String],
) -> Result<(PathBuf, BTreeSet<Dependency>)> {
    let mut command = command("build", &copy.folder);
    command
        .args(["--release", "--locked", "--no-default-features"])
        .args(["--features", &features.join(",")])
        .args(["--message-format", "json-render-diagnostics"])
        .env("CARGO_TARGET_DIR", &copy.target)
        // Ignore an installed AWS-LC, which aws-lc-sys would otherwise use.
        .env("AWS_LC_SYS_USE_SYSTEM", "0");
    let messages = copy.compile(&mut command)?;
    Ok(artifacts(&messages).context("cannot read what `cargo build` prints")?)
}

fn command(subcommand: &str, folder: &Path) -> Command {
    // Set by cargo when the generator runs as `cargo generator`.
    let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
    let mut command = Command::new(cargo.unwrap_or("cargo".into()));
    command.current_dir(folder).arg(subcommand);
    command
}

/// Updates cargo's cache of the registry index for the dependencies of a folder's crate.
pub(in crate::measure) fn update_index(folder: &Path) -> Result<(), Stop> {
    text(command("update", folder).arg("--dry-run")).map(drop)
}

/// The packages of a workspace that are below its folder; none without one.
pub(in crate::measure) fn packages(folder: &Path) -> Result<Vec<Package>> {
    let manifest = folder.join("Cargo.toml");
    if !files::is_file(&manifest)? {
        return Ok(Vec::new());
    }
    // Outside of the folder, which could select another compiler.
    let mut metadata = command("metadata", Path::new("/"));
    let metadata = metadata.args(["--no-deps", "--format-version", "1", "--manifest-path"]);
    let printed = text(metadata.arg(manifest));
    let mut all = parse_metadata(&printed.map_err(|stop| stop.fatal("cargo metadata fails: "))?)?;
    all.retain(|package| package.manifest_path.starts_with(folder));
    Ok(all)
}

fn parse_metadata(printed: &str) -> anyhow::Result<Vec<Package>> {
    let metadata: Packages =
        serde_json::from_str(printed).context("cannot read what `cargo metadata` prints")?;
    Ok(metadata.package)
}

/// The packages in the lock file of a folder; none without one.
pub(crate) fn locked(folder: &Path) -> Result<Vec<Package>> {
    let lock: Option<Packages> = read_toml(&folder.join("Cargo.lock"))?;
    Ok(lock.unwrap_or_default().package)
}

fn artifacts(messages: &str) -> anyhow::Result<(PathBuf, BTreeSet<Dependency>)> {
    let mut program = None;
    let mut packages = BTreeSet::new();
    let mut native = BTreeSet::new();
    for line in messages.lines() {
        let message: Message = serde_json::from_str(line).with_context(|| line.to_owned())?;
        if message.reason == "compiler-artifact" {
            program = message.executable.or(program);
            packages.insert(message.package_id);
        } else if !message.linked_libs.is_empty() {
            native.insert(message.package_id);
        }
    }
    let mut built = BTreeSet::new();
    for id in packages {
        let (name, version) = name_and_version(&id).with_context(|| format!("package `{id}`"))?;
        // Runner crates link the measured library itself, not a dependency of it.
        let is_local = id.starts_with("path+");
        built.insert(Dependency {
            name: name.to_owned(),
            version: version.to_owned(),
            is_native: native.contains(&id) && !is_local,
            is_runner: is_local && !id.contains("/pinned/"),
        });
    }
    Ok((program.context("the crate has no program")?, built))
}

/// Parses a package ID: `registry+https://…#aws-lc-sys@0.47.0`, or `path+file:///…/harness#0.1.0`
/// where the folder has the package's name.
fn name_and_version(id: &str) -> Option<(&str, &str)> {
    let (source, fragment) = id.rsplit_once('#')?;
    let folder = || Some((source.rsplit('/').next()?, fragment));
    fragment.split_once('@').or_else(folder)
}

/// Fails without a compiler.
pub(in crate::measure) fn check() -> Result<()> {
    let needed = "measured programs are compiled here, which needs Rust (https://rustup.rs) and a C compiler";
    let version = text(Command::new("rustc").arg("--version"));
    version.map_err(|stop| stop.context(needed).fatal("rustc --version fails: "))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages of cargo 1.90, without the unused keys.
    const MESSAGES: &str = r#"{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#libc@0.2.177","executable":null,"fresh":true}
{"reason":"build-script-executed","package_id":"registry+https://github.com/rust-lang/crates.io-index#libc@0.2.177","linked_libs":[],"cfgs":[]}
{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#tikv-jemalloc-sys@0.6.1+5.3.0-1-ge13ca99","executable":null}
{"reason":"build-script-executed","package_id":"registry+https://github.com/rust-lang/crates.io-index#tikv-jemalloc-sys@0.6.1+5.3.0-1-ge13ca99","linked_libs":["static=jemalloc"]}
{"reason":"compiler-message","package_id":"path+file:///runners/harness#0.1.0","message":{}}
{"reason":"build-script-executed","package_id":"path+file:///runners/libssl#0.1.0","linked_libs":["static=ssl"]}
{"reason":"compiler-artifact","package_id":"path+file:///runners/libssl#0.1.0","executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///runners/rustls#runner-rustls@0.1.0","executable":"/build/release/runner-rustls"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn artifacts_of_messages() {
        let (program, packages) = artifacts(MESSAGES).expect("messages");
        assert_eq!(program, Path::new("/build/release/runner-rustls"));
        let packages: Vec<(&str, &str, bool)> = packages
            .iter()
            .map(|p| (p.name.as_str(), p.version.as_str(), p.is_native))
            .collect();
        assert_eq!(
            packages,
            [
                ("libc", "0.2.177", false),
                ("libssl", "0.1.0", false),
                ("runner-rustls", "0.1.0", false),
                ("tikv-jemalloc-sys", "0.6.1+5.3.0-1-ge13ca99", true),
            ]
        );
    }
}

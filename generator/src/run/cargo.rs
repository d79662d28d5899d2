//! Calls of cargo, and what its failures mean.

use super::process::{self, Ended};
use super::tail;
use crate::failure::{Failure, Result};
use anyhow::{Context, anyhow};
use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Lines of a failed build that are shown; the log has the rest.
const SHOWN: usize = 12;

/// One crate with a build folder and a log.
#[derive(Debug)]
pub struct Crate<'a> {
    /// Where its `Cargo.toml` is.
    pub folder: &'a Path,
    /// Where cargo builds.
    pub target: &'a Path,
    /// All that cargo says.
    pub log: &'a Path,
    /// For messages: `rustls 0.23.43`.
    pub name: &'a str,
}

/// One of the packages that a program is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// `aws-lc-sys`
    pub name: String,
    /// `0.47.0`
    pub version: String,
    /// Whether it brings native code.
    pub links: bool,
}

/// A line of `cargo tree`: `aws-lc-sys v0.47.0`, and more for some.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?);
    Some((name, version.strip_prefix('v')?))
}

impl Crate<'_> {
    /// Gives the lock file a version of a package. What this machine has fetched before is
    /// tried first, so that no network is needed twice.
    ///
    /// # Errors
    /// There is no such version, or no network.
    pub fn pin(&self, package: &str, version: &str) -> Result<()> {
        let update = |offline: &[&str]| {
            let mut command = self.command("update");
            command
                .args(["-p", package, "--precise", version])
                .args(offline);
            self.run(command)
        };
        if update(&["--offline"])?.is_ok() {
            return Ok(());
        }
        update(&[])?.map_err(|log| self.failure(&log, &format!("{package} {version}")))?;
        Ok(())
    }

    /// Compiles, and returns the only program of the crate.
    ///
    /// # Errors
    /// No network, or it does not compile.
    pub fn build(&self, features: &[String]) -> Result<PathBuf> {
        let mut command = self.command("build");
        command
            .args(["--release", "--locked", "--no-default-features"])
            .args(["--features", &features.join(",")])
            .args(["--message-format", "json-render-diagnostics"])
            .env("CARGO_TARGET_DIR", self.target);
        let messages = self
            .run(command)?
            .map_err(|log| self.failure(&log, self.name))?;
        messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
            .next_back()
            .ok_or_else(|| anyhow!("{} has no program to run", self.folder.display()).into())
    }

    /// The packages that are built in, in the order of their names.
    ///
    /// # Errors
    /// Cargo fails.
    pub fn packages(&self, features: &[String]) -> Result<Vec<Package>> {
        let choice = ["--locked", "--no-default-features", "--features"];
        let features = features.join(",");
        let mut tree = self.command("tree");
        tree.args(choice)
            .arg(&features)
            .args(["-e", "no-dev", "--prefix", "none"]);
        let mut metadata = self.command("metadata");
        metadata
            .args(choice)
            .arg(&features)
            .args(["--format-version", "1"]);
        let run = |command| {
            self.run(command)?
                .map_err(|log| self.failure(&log, self.name))
        };
        let metadata: Value =
            serde_json::from_str(&run(metadata)?).context("cargo metadata prints no JSON")?;
        let linked: BTreeSet<(&str, &str)> = metadata["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|package| package["links"].is_string())
            .filter_map(|p| Some((p["name"].as_str()?, p["version"].as_str()?)))
            .collect();
        let tree = run(tree)?;
        let lines: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
        let package = |(name, version): (&str, &str)| Package {
            name: name.to_owned(),
            version: version.to_owned(),
            links: linked.contains(&(name, version)),
        };
        Ok(lines.into_iter().map(package).collect())
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut command = process::family(&program());
        command.current_dir(self.folder).arg(subcommand);
        command
    }

    /// Standard output; or what the log has got, if cargo fails.
    fn run(&self, mut command: Command) -> Result<Result<String, String>> {
        let start = fs::metadata(self.log).map_or(0, |m| m.len());
        let log = OpenOptions::new().create(true).append(true).open(self.log);
        let log = log.map_or_else(|_| Stdio::null(), Stdio::from);
        let output = self.log.with_extension("out");
        let cannot = || format!("cannot write {}", output.display());
        command
            .stdout(File::create(&output).with_context(cannot)?)
            .stderr(log);
        let ended = process::run(&mut command, Duration::MAX, &mut || {})?;
        let text = fs::read(&output).with_context(cannot)?;
        fs::remove_file(&output).with_context(cannot)?;
        if matches!(ended, Ended::Exited(status) if status.success()) {
            return Ok(Ok(String::from_utf8_lossy(&text).into_owned()));
        }
        let text = fs::read(self.log).unwrap_or_default();
        let new = text.get(start as usize..).unwrap_or_default();
        Ok(Err(String::from_utf8_lossy(new).into_owned()))
    }

    fn failure(&self, log: &str, wanted: &str) -> Failure {
        let says = |parts: &[&str]| parts.iter().any(|part| log.contains(part));
        if says(NO_NETWORK) {
            return Failure::Io(anyhow!(
                "{wanted} cannot be fetched, because crates.io cannot be reached; the log is {}:\n{}",
                self.log.display(),
                tail(log, 3)
            ));
        }
        if says(NO_VERSION) {
            return Failure::Usage(format!(
                "crates.io has no {wanted}, so {} cannot be measured; cargo says:\n{}",
                self.name,
                tail(log, SHOWN)
            ));
        }
        Failure::Io(anyhow!(
            "{} does not build; the log is {}, and ends:\n{}",
            self.name,
            self.log.display(),
            tail(log, SHOWN)
        ))
    }
}

/// What cargo 1.90 to 1.95 say if the registry does not answer.
const NO_NETWORK: &[&str] = &[
    "failed to download",
    "download of config.json failed",
    "Could not resolve host",
    "Couldn't resolve host",
    "Could not connect",
    "network failure seems to have happened",
    "spurious network error",
    "failed to fetch",
];

/// What they say of a version that there is not.
const NO_VERSION: &[&str] = &[
    "no matching package named",
    "candidate versions found which didn't match",
    "failed to select a version for the requirement",
    "no matching versions for",
    "did not match any packages",
];

/// `cargo generator` sets the variable to the cargo that runs it.
fn program() -> PathBuf {
    let set: Option<OsString> = env::var_os("CARGO").filter(|c| !c.is_empty());
    set.map_or_else(|| "cargo".into(), PathBuf::from)
}

/// What `rustc --version` prints.
pub fn rustc() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let text = output.map_or(String::new(), |o| {
        String::from_utf8_lossy(&o.stdout).into_owned()
    });
    text.lines().next().unwrap_or("unknown").to_owned()
}

/// An empty log.
///
/// # Errors
/// The system's.
pub fn new_log(path: &Path) -> anyhow::Result<()> {
    File::create(path)
        .map(drop)
        .with_context(|| format!("cannot write {}", path.display()))
}

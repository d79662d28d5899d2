//! Runs cargo, and reads from its JSON messages what was built; and the go command, which fetches any
//! release of Go through the module proxy.

use super::process::{Process, Stop, if_it_works, text};
use super::release::Release;
use super::{read_toml, tail};
use crate::base::failure::Result;
use crate::files;
use crate::model::version::Version;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The pin of a runner in Go: the module of Go's releases.
pub(super) const GO: &str = "golang.org/toolchain";

/// Remedy where the go command is missing or too old.
const GO_NEEDED: &str = "Fetching other releases needs Go 1.21 or newer: golang-go in Debian from 13 on, or go.dev/dl on any system";

/// Lines of a failed build to show; the log has the rest.
const LOG_LINES: usize = 12;

/// A crate with its target folder and log.
#[derive(Debug)]
pub(crate) struct Crate {
    pub(crate) folder: PathBuf,
    pub(crate) target: PathBuf,
    /// Cargo's standard error.
    pub(crate) log: PathBuf,
    /// For messages: `rustls 0.23.43`.
    pub(crate) name: String,
}

/// Result of a build, in the target folder.
#[derive(Debug)]
pub(crate) struct Artifacts {
    pub(crate) program: PathBuf,
    pub(crate) packages: BTreeSet<Dependency>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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

impl Crate {
    /// Sets the version of a package in the lock file: if there are several, of the one in its series.
    /// Tries offline first: a version fetched before needs no network.
    pub(crate) fn pin(&self, package: &str, version: &str) -> Result<()> {
        let series = |version: &str| version.split('.').take(2).collect::<Vec<_>>().join(".");
        let is_it = |p: &Package| p.name == package && series(&p.version) == series(version);
        let locked = locked(&self.folder)?.into_iter().find(is_it);
        let locked = locked.map_or(package.to_owned(), |p| format!("{package}@{}", p.version));
        let update = |offline: &[&str]| {
            let arguments = ["-p", &locked, "--precise", version];
            self.run(self.command("update").args(arguments).args(offline))
        };
        if if_it_works(update(&["--offline"]))?.is_some() {
            return Ok(());
        }
        let cannot = format!(
            "cannot build {}: cargo cannot get {package} {version}, and says:\n",
            self.name
        );
        update(&[]).map(drop).map_err(|stop| stop.fatal(cannot))
    }

    /// A dependency, as fetched by cargo.
    pub(crate) fn package(&self, name: &str) -> Result<Package> {
        let arguments = ["--format-version", "1", "--locked", "--all-features"];
        let printed = self.run(self.command("metadata").args(arguments));
        let what = format!("cargo cannot fetch {name}; it says:\n");
        let printed = printed.map_err(|stop| stop.fatal(what))?;
        let mut packages = parse_metadata(&printed)?.into_iter();
        let package = packages.find(|package| package.name == name && package.source.is_some());
        Ok(package.with_context(|| format!("{} has no package {name}", self.name))?)
    }

    /// Compiles the crate, which has one program.
    pub(crate) fn build(&self, features: &[String]) -> Result<Artifacts> {
        let mut command = self.command("build");
        command
            .args(["--release", "--locked", "--no-default-features"])
            .args(["--features", &features.join(",")])
            .args(["--message-format", "json-render-diagnostics"])
            .env("CARGO_TARGET_DIR", &self.target)
            // Ignore an installed AWS-LC, which aws-lc-sys would otherwise use.
            .env("AWS_LC_SYS_USE_SYSTEM", "0");
        let messages = self.compile(&mut command)?;
        Ok(artifacts(&messages).context("cannot read what `cargo build` prints")?)
    }

    /// Writes a release into the `go.mod` of a folder.
    pub(super) fn select_go(&self, release: &Version) -> Result<()> {
        let text = format!("module runner-go\n\ngo {release}\n");
        Ok(files::write(&self.folder.join("go.mod"), text.as_bytes())?)
    }

    /// Compiles a folder's Go program with a release.
    pub(super) fn build_go(&self, release: &Version) -> Result<Artifacts> {
        let toolchain = format!("go{release}");
        let go = |command: &mut Command| {
            command
                .current_dir(&self.folder)
                .env("GOTOOLCHAIN", &toolchain)
                // Inside the target folder, so that a new one is a build from scratch.
                .env("GOCACHE", self.target.join("go"))
                .env("CGO_ENABLED", "0");
        };
        let mut env = Command::new("go");
        go(env.args(["env", "GOVERSION", "GOROOT"]));
        let values =
            text(&mut env).map_err(|stop| stop.context(GO_NEEDED).fatal("go env fails: "))?;
        let (version, root) = values.trim_end().split_once('\n').unwrap_or((&values, ""));
        if version != toolchain {
            return Err(
                anyhow!("`go` is {version} and does not fetch {toolchain}. {GO_NEEDED}").into(),
            );
        }
        let program = self.target.join("runner-go");
        files::create_folder(&self.target)?;
        let mut command = Command::new("go");
        command
            .args(["build", "-trimpath", "-buildvcs=false", "-ldflags"])
            .arg(format!("-X main.released={}", go_day(Path::new(root))?))
            .arg("-o")
            .arg(&program)
            .arg(".");
        go(&mut command);
        self.compile(&mut command)?;
        Ok(Artifacts {
            program,
            packages: BTreeSet::new(),
        })
    }

    /// Runs a build command. Returns its standard output.
    fn compile(&self, command: &mut Command) -> Result<String> {
        let (name, log) = (&self.name, self.log.display());
        let what = format!("{name} does not build; the log is {log}, and ends:\n");
        self.run(command).map_err(|stop| stop.fatal(what))
    }

    fn command(&self, subcommand: &str) -> Command {
        command(subcommand, &self.folder)
    }

    /// Runs a command with its standard error appended to the log. Returns its standard output, or
    /// fails with the last lines of standard error.
    fn run(&self, command: &mut Command) -> Result<String, Stop> {
        let log = files::append(&self.log)?;
        let start = files::size(&self.log)? as usize;
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        let ended = Process::start(command).and_then(|mut cargo| cargo.ended(Duration::MAX));
        let ended = ended.map_err(|stop| stop.fatal(format!("{}: ", self.name)))?;
        if ended.status.success() {
            return Ok(String::from_utf8_lossy(&ended.output).into_owned());
        }
        let stderr = files::read_whole(&self.log)?.split_off(start);
        Err(tail(&String::from_utf8_lossy(&stderr), LOG_LINES).into())
    }
}

fn command(subcommand: &str, folder: &Path) -> Command {
    // Set by cargo when the generator runs as `cargo generator`.
    let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
    let mut command = Command::new(cargo.unwrap_or("cargo".into()));
    command.current_dir(folder).arg(subcommand);
    command
}

/// Updates cargo's cache of the registry index for the dependencies of a folder's crate.
pub(super) fn update_index(folder: &Path) -> Result<(), Stop> {
    text(command("update", folder).arg("--dry-run")).map(drop)
}

/// The packages of a workspace that are below its folder; none without one.
pub(super) fn packages(folder: &Path) -> Result<Vec<Package>> {
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

fn artifacts(messages: &str) -> anyhow::Result<Artifacts> {
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
    Ok(Artifacts {
        program: program.context("the crate has no program")?,
        packages: built,
    })
}

/// Parses a package ID: `registry+https://…#aws-lc-sys@0.47.0`, or `path+file:///…/harness#0.1.0`
/// where the folder has the package's name.
fn name_and_version(id: &str) -> Option<(&str, &str)> {
    let (source, fragment) = id.rsplit_once('#')?;
    let folder = || Some((source.rsplit('/').next()?, fragment));
    fragment.split_once('@').or_else(folder)
}

/// Reads the release in the `go.mod` of a folder. It also selects the defaults of crypto/tls: with
/// an older release there, a program keeps that release's defaults.
pub(super) fn go_locked(folder: &Path) -> Result<Option<Version>> {
    let text = String::from_utf8_lossy(&files::read_whole(&folder.join("go.mod"))?).into_owned();
    let release = text.lines().find_map(|line| line.strip_prefix("go "));
    Ok(release.map(Version::from))
}

/// Lists all releases and pre-releases.
pub(super) fn go_releases() -> Result<Vec<Release>, Stop> {
    let mut command = Command::new("go");
    command
        .args(["list", "-m", "-versions", "go"])
        // Outside of any module, which could select another release.
        .current_dir("/")
        .env("GOTOOLCHAIN", "local");
    let listed = text(&mut command).map_err(|stop| stop.context(GO_NEEDED))?;
    let release = |version: &str| Release::of(version.to_owned(), None, false);
    Ok(listed.split_whitespace().skip(1).map(release).collect())
}

/// Reads the day on which a release was built, some days before its announcement, from its
/// `VERSION` file: `time 2025-10-31T13:24:27Z`. Empty if there is no such line.
fn go_day(root: &Path) -> Result<String> {
    let text = files::read_whole(&root.join("VERSION"))?;
    let text = String::from_utf8_lossy(&text);
    let time = text.lines().find_map(|line| line.strip_prefix("time "));
    let day = time.and_then(|time| time.split('T').next());
    Ok(day.unwrap_or("").to_owned())
}

/// Output of `rustc --version`.
pub(crate) fn rustc() -> Result<String> {
    let needed = "measured programs are compiled here, which needs Rust (https://rustup.rs) and a C compiler";
    let version = text(Command::new("rustc").arg("--version"));
    let version = version.map_err(|stop| stop.context(needed).fatal("rustc --version fails: "))?;
    Ok(version.trim().to_owned())
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
        let artifacts = artifacts(MESSAGES).expect("messages");
        assert_eq!(artifacts.program, Path::new("/build/release/runner-rustls"));
        let packages = artifacts.packages.iter();
        let packages: Vec<(&str, &str, bool)> = packages
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

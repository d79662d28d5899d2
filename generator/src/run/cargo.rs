//! Calls of cargo, whose JSON says what was built.

use super::process;
use super::runner::read_toml;
use super::tail;
use crate::failure::{Failure, Result};
use crate::fs::read_whole;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::env;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Lines of a failed build that are shown; the log has the rest.
pub(super) const LOG_LINES: usize = 12;

/// One crate with a build folder and a log.
#[derive(Debug)]
pub(crate) struct Crate {
    pub(crate) folder: PathBuf,
    pub(crate) target: PathBuf,
    /// All that cargo says.
    pub(crate) log: PathBuf,
    /// For messages: `rustls 0.23.43`.
    pub(crate) name: String,
}

/// What a build gave.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Artifacts {
    pub(crate) program: PathBuf,
    /// All packages that it was built of, in the order of their names.
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
    /// Whether it is of the program that measures, and not of what is measured.
    #[serde(default)]
    pub(crate) is_runner: bool,
}

/// `Cargo.lock`
#[derive(Deserialize)]
pub(super) struct CargoLock {
    #[serde(default)]
    pub(super) package: Vec<LockedPackage>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LockedPackage {
    pub(crate) name: String,
    pub(super) version: String,
    /// `None` of a folder's.
    pub(crate) source: Option<String>,
}

/// What `cargo metadata` prints.
#[derive(Deserialize)]
struct CargoMetadata {
    packages: Vec<FetchedPackage>,
}

#[derive(Deserialize)]
struct FetchedPackage {
    name: String,
    version: String,
    /// `None` of a folder's.
    source: Option<String>,
    manifest_path: PathBuf,
}

/// A line that `cargo build --message-format json` prints, of any kind.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    /// Of `compiler-artifact`.
    executable: Option<PathBuf>,
    /// Of `build-script-executed`.
    #[serde(default)]
    linked_libs: Vec<String>,
}

impl Crate {
    /// Gives the lock file a version of a package. What this machine has fetched before is
    /// tried first, so that no network is needed twice.
    pub(crate) fn pin(&self, package: &str, version: &str) -> Result<()> {
        let update = |offline: &[&str]| {
            let arguments = ["-p", package, "--precise", version];
            self.run(self.command("update").args(arguments).args(offline))
        };
        if update(&["--offline"])?.is_ok() {
            return Ok(());
        }
        let Err(said) = update(&[])? else {
            return Ok(());
        };
        let failure = anyhow!(
            "cannot build {}: cargo cannot get {package} {version}, and says:\n{said}",
            self.name
        );
        // Outside of this crate, whose lock file may answer for a registry that cannot be reached.
        let knows = |package: &str| self.run(self.command("info").current_dir("/").arg(package));
        match knows(package)?.is_ok() && knows(&format!("{package}@{version}"))?.is_err() {
            true => Err(Failure::Usage(failure.to_string())),
            false => Err(failure.into()),
        }
    }

    /// Looks up what another crate depends on, from this folder, and downloads nothing. The inner
    /// error is what cargo says.
    pub(crate) fn look_up(&self, manifest: &Path) -> Result<Result<(), String>> {
        let mut command = self.command("generate-lockfile");
        let outcome = self.run(command.arg("--manifest-path").arg(manifest))?;
        Ok(outcome.map(drop))
    }

    /// The packages of the lock file.
    pub(crate) fn locked(&self) -> Result<Vec<LockedPackage>> {
        let path = self.folder.join("Cargo.lock");
        let lock: Option<CargoLock> = read_toml(&path)?;
        let lock = lock.with_context(|| format!("there is no {}", path.display()))?;
        Ok(lock.package)
    }

    /// Version and sources of a package that it depends on, as cargo fetched it.
    pub(crate) fn package(&self, name: &str) -> Result<(String, PathBuf)> {
        let arguments = ["--format-version", "1", "--locked", "--all-features"];
        let printed = self.run(self.command("metadata").args(arguments))?;
        let printed =
            printed.map_err(|said| anyhow!("cargo cannot fetch {name}; it says:\n{said}"))?;
        let metadata: CargoMetadata =
            serde_json::from_str(&printed).context("cannot read what `cargo metadata` prints")?;
        let mut packages = metadata.packages.into_iter();
        let package = packages.find(|p| p.name == name && p.source.is_some());
        let package = package.with_context(|| format!("{} has no package {name}", self.name))?;
        let folder = package
            .manifest_path
            .parent()
            .context("a package has no folder")?;
        Ok((package.version.clone(), folder.to_owned()))
    }

    /// Compiles the crate, which has one program.
    pub(crate) fn build(
        &self,
        features: &[String],
        environment: Option<(&str, &Path)>,
    ) -> Result<Artifacts> {
        let mut command = self.command("build");
        command
            .args(["--release", "--locked", "--no-default-features"])
            .args(["--features", &features.join(",")])
            .args(["--message-format", "json-render-diagnostics"])
            .envs(environment)
            .env("CARGO_TARGET_DIR", &self.target)
            // Not an AWS-LC that is installed, which aws-lc-sys looks for.
            .env("AWS_LC_SYS_USE_SYSTEM", "0");
        let messages = self.compile(&mut command)?;
        Ok(artifacts(&messages).context("cannot read what `cargo build` prints")?)
    }

    /// Runs what compiles the crate.
    pub(super) fn compile(&self, command: &mut Command) -> Result<String> {
        let printed = self.run(command)?;
        Ok(printed.map_err(|said| {
            let (name, log) = (&self.name, self.log.display());
            anyhow!("{name} does not build; the log is {log}, and ends:\n{said}")
        })?)
    }

    fn command(&self, subcommand: &str) -> Command {
        // `cargo generator` sets the variable to the cargo that runs it.
        let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
        let mut command = Command::new(cargo.unwrap_or("cargo".into()));
        command.current_dir(&self.folder).arg(subcommand);
        command
    }

    /// Standard output; or the end of what the log has got, if the command fails.
    pub(crate) fn run(&self, command: &mut Command) -> Result<Result<String, String>> {
        let cannot = |path: &Path| format!("cannot write {}", path.display());
        let log = OpenOptions::new().create(true).append(true).open(&self.log);
        let log = log.with_context(|| cannot(&self.log))?;
        let start = log.metadata().with_context(|| cannot(&self.log))?.len() as usize;
        command.stdout(Stdio::piped()).stderr(log);
        let ended = process::run(command, Duration::MAX, &|| {})?;
        let ended = ended.map_err(|why| anyhow!("{}: {why}", self.name))?;
        if ended.status.success() {
            return Ok(Ok(String::from_utf8_lossy(&ended.output).into_owned()));
        }
        let said = read_whole(&self.log)?.split_off(start);
        Ok(Err(tail(&String::from_utf8_lossy(&said), LOG_LINES)))
    }
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
    let dependency = |id: &String| {
        let (name, version) = name_and_version(id).with_context(|| format!("package `{id}`"))?;
        Ok(Dependency {
            name: name.to_owned(),
            version: version.to_owned(),
            // What the runners' own crates link is what they measure.
            is_native: native.contains(id) && !id.starts_with("path+"),
            is_runner: id.starts_with("path+") && !id.contains("/pinned/"),
        })
    };
    let packages: anyhow::Result<_> = packages.iter().map(dependency).collect();
    Ok(Artifacts {
        program: program.context("the crate has no program")?,
        packages: packages?,
    })
}

/// Of a package's id: `registry+https://…#aws-lc-sys@0.47.0`, or `path+file:///…/harness#0.1.0`
/// where the folder is called as the package is.
fn name_and_version(id: &str) -> Option<(&str, &str)> {
    let (source, fragment) = id.rsplit_once('#')?;
    let folder = || Some((source.rsplit('/').next()?, fragment));
    fragment.split_once('@').or_else(folder)
}

/// What `rustc --version` prints.
pub(crate) fn rustc() -> Result<String> {
    let needed =
        "what is measured is compiled here, which takes Rust (https://rustup.rs) and a C compiler";
    let printed = process::text(Command::new("rustc").arg("--version"));
    let printed = printed.map_err(|failure| failure.context(needed))?;
    let version = printed.map_err(|said| anyhow!("rustc --version fails: {said}"))?;
    Ok(version.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as cargo 1.90 prints them, without the keys that nobody reads.
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
    fn messages_name_the_program_and_its_packages() {
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

    #[test]
    fn what_cannot_be_read_is_an_error() {
        for (messages, part) in [
            ("", "no program"),
            ("no JSON\n", "no JSON"),
            (
                "{\"reason\":\"compiler-artifact\",\"package_id\":\"x\",\"executable\":\"/x\"}",
                "package `x`",
            ),
        ] {
            let error = artifacts(messages).expect_err(messages);
            assert!(format!("{error:#}").contains(part), "{error:#}");
        }
    }
}

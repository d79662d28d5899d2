//! Calls of cargo, whose JSON says what was built.

use super::process::{self, Ended};
use super::tail;
use crate::failure::Result;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
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

/// What a build gave.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Artifacts {
    /// The program.
    pub program: PathBuf,
    /// All packages that it was built of, in the order of their names.
    pub packages: BTreeSet<Dependency>,
}

/// One of the packages that a program is built of.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Dependency {
    /// `aws-lc-sys`
    pub name: String,
    /// `0.47.0`
    pub version: String,
    /// Whether it links native code.
    pub is_native: bool,
}

/// A line that `cargo build --message-format json` prints.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        package_id: String,
        executable: Option<PathBuf>,
    },
    BuildScriptExecuted {
        package_id: String,
        linked_libs: Vec<String>,
    },
    #[serde(other)]
    Other,
}

impl Crate<'_> {
    /// Gives the lock file a version of a package. What this machine has fetched before is
    /// tried first, so that no network is needed twice.
    ///
    /// # Errors
    /// There is no such version, or no network: cargo's own words tell which.
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
        let name = self.name;
        update(&[])?.map_err(|said| {
            let said = tail(&said, SHOWN);
            anyhow!("{name} cannot be built, because cargo cannot get {package} {version}; it says:\n{said}")
        })?;
        Ok(())
    }

    /// Compiles the crate, which has one program.
    ///
    /// # Errors
    /// No network, or it does not compile.
    pub fn build(&self, features: &[String]) -> Result<Artifacts> {
        let mut command = self.command("build");
        command
            .args(["--release", "--locked", "--no-default-features"])
            .args(["--features", &features.join(",")])
            .args(["--message-format", "json-render-diagnostics"])
            .env("CARGO_TARGET_DIR", self.target);
        let messages = self.run(command)?.map_err(|said| {
            let (log, said) = (self.log.display(), tail(&said, SHOWN));
            anyhow!(
                "{} does not build; the log is {log}, and ends:\n{said}",
                self.name
            )
        })?;
        let artifacts = artifacts(&messages).context("cannot read what `cargo build` prints")?;
        Ok(artifacts)
    }

    fn command(&self, subcommand: &str) -> Command {
        // `cargo generator` sets the variable to the cargo that runs it.
        let cargo = env::var_os("CARGO").filter(|cargo| !cargo.is_empty());
        let cargo = cargo.map_or_else(|| "cargo".into(), PathBuf::from);
        let mut command = process::family(&cargo);
        command.current_dir(self.folder).arg(subcommand);
        command
    }

    /// Standard output; or what the log has got, if cargo fails.
    fn run(&self, mut command: Command) -> Result<Result<String, String>> {
        let cannot = |path: &Path| format!("cannot write {}", path.display());
        let log = OpenOptions::new().create(true).append(true).open(self.log);
        let log = log.with_context(|| cannot(self.log))?;
        let start = log.metadata().with_context(|| cannot(self.log))?.len() as usize;
        let output = self.log.with_extension("out");
        let file = File::create(&output).with_context(|| cannot(&output))?;
        command.stdout(file).stderr(log);
        let ended = process::run(&mut command, Duration::MAX, &mut || {})?;
        let read =
            |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let printed = read(&output)?;
        fs::remove_file(&output).with_context(|| cannot(&output))?;
        if matches!(ended, Ended::Exited(status) if status.success()) {
            return Ok(Ok(String::from_utf8_lossy(&printed).into_owned()));
        }
        let said = read(self.log)?.split_off(start);
        Ok(Err(String::from_utf8_lossy(&said).into_owned()))
    }
}

fn artifacts(messages: &str) -> anyhow::Result<Artifacts> {
    let mut program = None;
    let mut packages = BTreeSet::new();
    let mut native = BTreeSet::new();
    for line in messages.lines() {
        match serde_json::from_str(line).with_context(|| line.to_owned())? {
            Message::CompilerArtifact {
                package_id,
                executable,
            } => {
                packages.insert(package_id);
                program = executable.or(program);
            }
            Message::BuildScriptExecuted {
                package_id,
                linked_libs,
            } => {
                if !linked_libs.is_empty() {
                    native.insert(package_id);
                }
            }
            Message::Other => {}
        }
    }
    let dependency = |id: &String| {
        let (name, version) = name_and_version(id).with_context(|| format!("package `{id}`"))?;
        Ok(Dependency {
            name: name.to_owned(),
            version: version.to_owned(),
            is_native: native.contains(id),
        })
    };
    Ok(Artifacts {
        program: program.context("the crate has no program")?,
        packages: packages
            .iter()
            .map(dependency)
            .collect::<anyhow::Result<_>>()?,
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
///
/// # Errors
/// There is no rustc, or it fails.
pub fn rustc() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.context("cannot run rustc")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(anyhow!("rustc --version fails: {}", said.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as cargo 1.90 prints them, without the keys that nobody reads.
    const MESSAGES: &str = r#"{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#libc@0.2.177","executable":null,"fresh":true}
{"reason":"build-script-executed","package_id":"registry+https://github.com/rust-lang/crates.io-index#libc@0.2.177","linked_libs":[],"cfgs":[]}
{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#tikv-jemalloc-sys@0.6.1+5.3.0-1-ge13ca99","executable":null}
{"reason":"build-script-executed","package_id":"registry+https://github.com/rust-lang/crates.io-index#tikv-jemalloc-sys@0.6.1+5.3.0-1-ge13ca99","linked_libs":["static=jemalloc"]}
{"reason":"compiler-message","package_id":"path+file:///runners/harness#0.1.0","message":{}}
{"reason":"compiler-artifact","package_id":"path+file:///runners/harness#0.1.0","executable":null}
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
                ("harness", "0.1.0", false),
                ("libc", "0.2.177", false),
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

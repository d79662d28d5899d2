//! Builds targets. Each has a crate of its own, which depends on the runner's, with a lock file. Cargo
//! is the cache: it decides what has to be compiled.

mod prepare;
pub(crate) mod program;

use crate::base::console::working;
use crate::base::failure::Result;
use crate::files;
use crate::measure::build::program::Program;
use crate::measure::libraries::target::Target;
use crate::measure::process::{self, Stop, if_succeeded, text};
use crate::measure::{cargo, go, tail};
use anyhow::{Context, anyhow};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The programs built so far, on disk.
#[derive(Clone, Debug)]
pub(crate) struct BuildCache {
    /// Folder of the runners, by its whole path.
    pub(crate) runners: PathBuf,
    /// Folder of all builds: `generator/target/run`.
    pub(crate) work: PathBuf,
}

/// A program that was built.
#[derive(Debug)]
pub(in crate::measure) struct Built {
    pub(in crate::measure) program: PathBuf,
    /// The packages in it besides the runner's, sorted by name; none in Go.
    pub(in crate::measure) packages: BTreeSet<Dependency>,
}

/// A package in a build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::measure) struct Dependency {
    /// `aws-lc-sys`
    pub(in crate::measure) name: String,
    /// `0.47.0`
    pub(in crate::measure) version: String,
    /// Whether it links native code.
    pub(in crate::measure) is_native: bool,
}

/// A build that takes longer is announced.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lines of a failed build to show; the log has the rest.
const LOG_LINES: usize = 12;

impl BuildCache {
    /// Checks that this system has the tools and libraries to build all `targets`.
    pub(crate) fn check(&self, targets: &[Target]) -> Result<()> {
        let mut missing = BTreeSet::new();
        for need in targets.iter().flat_map(|target| &target.needs) {
            let test = r#"command -v "$1" || pkg-config --exists "$1""#;
            let tried = text(Command::new("sh").args(["-c", test, "sh", need]));
            if if_succeeded(tried)?.is_none() {
                missing.insert(need.as_str());
            }
        }
        if !missing.is_empty() {
            let missing = Vec::from_iter(missing).join(", ");
            return Err(anyhow!("the builds need {missing}: install what is missing").into());
        }
        Ok(())
    }

    /// Builds `target`, and checks which implementation the program reports.
    pub(crate) fn build(&self, target: &Target) -> Result<Program> {
        let what = format!("building {}", target.name());
        let built = working(&what, PATIENCE, || self.compile(target))?;
        let lock = target.go().map_or("Cargo.lock", |_| "go.mod");
        Program::new(target, built, self.work.join(&target.id).join(lock))
    }

    /// The certificate chains that all programs use.
    pub(crate) fn certificates(&self) -> PathBuf {
        self.runners.with_file_name("certificates")
    }

    /// Times a build of `target` from scratch. It must have been built before, so that nothing is
    /// downloaded.
    pub(in crate::measure) fn build_from_nothing(&self, target: &Target) -> Result<Duration> {
        let build = self.open(target, "build_from_nothing");
        files::remove(&build.output)?;
        let start = Instant::now();
        build.compile()?;
        let took = start.elapsed();
        files::remove(&build.output)?;
        Ok(took)
    }

    fn open<'a>(&self, target: &'a Target, output: &str) -> Build<'a> {
        Build {
            target,
            runner: self.runners.join(&target.folder),
            folder: self.work.join(&target.id),
            output: self.work.join(output),
        }
    }

    /// Compiles what is not up to date of `target`.
    pub(in crate::measure) fn compile(&self, target: &Target) -> Result<Built> {
        let build = self.open(target, "build");
        files::create_folder(&build.folder)?;
        build.prepare()?;
        let mut built = build.compile()?;
        // The next build may overwrite it.
        let program = build.folder.join(files::file_name(&built.program));
        let bytes = files::read_whole(&built.program)?;
        if files::read_optional(&program)?.as_ref() != Some(&bytes) {
            files::replace(&program, &bytes, true)?;
        }
        built.program = program;
        Ok(built)
    }
}

/// The build of a target.
struct Build<'a> {
    target: &'a Target,
    /// Folder of the runner's sources.
    runner: PathBuf,
    /// Folder of the target's manifest, lock file and program.
    folder: PathBuf,
    /// Folder of what is compiled.
    output: PathBuf,
}

impl Build<'_> {
    fn log(&self) -> PathBuf {
        self.folder.join("build.log")
    }

    fn compile(&self) -> Result<Built> {
        if let Some(release) = self.target.go() {
            let program = self.output.join("runner-go");
            let (go_mod, cache) = (self.folder.join("go.mod"), self.output.join("go"));
            let mut command = go::build(&self.runner, release, &go_mod, &cache)?;
            self.run(command.arg("-o").arg(&program).arg("."))?;
            let packages = BTreeSet::new();
            return Ok(Built { program, packages });
        }
        let mut command = cargo::command("build", &self.folder);
        command
            .args(["--release", "--locked"])
            .args(["--message-format", "json-render-diagnostics"])
            .env("CARGO_TARGET_DIR", &self.output)
            // Where build scripts find the lock file.
            .env("RUNNER_BUILD", &self.folder)
            // Ignore an installed AWS-LC, which aws-lc-sys would otherwise use.
            .env("AWS_LC_SYS_USE_SYSTEM", "0");
        let messages = self.run(&mut command)?;
        Ok(artifacts(&messages).context("cannot read what `cargo build` prints")?)
    }

    /// Runs a command of the build. Returns its standard output.
    fn run(&self, command: &mut Command) -> Result<String> {
        let (name, log) = (self.target.name(), self.log().display().to_string());
        let what = format!("{name} does not build; the log is {log}, and ends:\n");
        self.try_to_run(command).map_err(|stop| stop.fatal(what))
    }

    /// Runs a command, and logs its standard error. Returns its standard output, or fails with the
    /// last lines of standard error.
    fn try_to_run(&self, command: &mut Command) -> Result<String, Stop> {
        let ended = process::run(command, Duration::MAX)?;
        files::write(&self.log(), &ended.errors)?;
        match ended.status.success() {
            true => Ok(String::from_utf8_lossy(&ended.output).into_owned()),
            false => Err(tail(&String::from_utf8_lossy(&ended.errors), LOG_LINES).into()),
        }
    }
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

fn artifacts(messages: &str) -> anyhow::Result<Built> {
    let mut program = None;
    let (mut ids, mut native) = (BTreeSet::new(), BTreeSet::new());
    for line in messages.lines() {
        let message: Message = serde_json::from_str(line).with_context(|| line.to_owned())?;
        if message.executable.is_some() {
            program = message.executable;
        } else if message.reason == "compiler-artifact" {
            ids.insert(message.package_id);
        } else if !message.linked_libs.is_empty() {
            native.insert(message.package_id);
        }
    }
    let mut packages = BTreeSet::new();
    for id in ids {
        let (name, version) = name_and_version(&id).with_context(|| format!("package `{id}`"))?;
        if name.starts_with("runner-") {
            continue;
        }
        packages.insert(Dependency {
            name: name.to_owned(),
            version: version.to_owned(),
            is_native: native.contains(&id),
        });
    }
    let program = program.context("the crate has no program")?;
    Ok(Built { program, packages })
}

/// Parses a package ID: `registry+https://…#aws-lc-sys@0.47.0`, or `path+file:///…/harness#0.1.0`
/// where the folder has the package's name.
fn name_and_version(id: &str) -> Option<(&str, &str)> {
    let (source, fragment) = id.rsplit_once('#')?;
    let folder = || Some((source.rsplit('/').next()?, fragment));
    fragment.split_once('@').or_else(folder)
}

/// Returns the shared libraries that a program loads, by the paths that `ldd` prints:
/// `libssl.so.3 => /lib/libssl.so.3 (0x7f…)`.
pub(in crate::measure) fn libraries(program: &Path) -> Result<BTreeSet<PathBuf>> {
    let printed = match text(Command::new("ldd").arg(program).env("LC_ALL", "C")) {
        // "not a dynamic executable", or "Not a valid dynamic program" by musl.
        Err(Stop::Failed(why)) if why.contains("dynamic") => String::new(),
        printed => printed.map_err(|stop| stop.fatal("ldd: "))?,
    };
    let paths = printed.split_whitespace().filter(|w| w.starts_with('/'));
    Ok(paths.map(PathBuf::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn loaded_libraries_are_found() {
        let own = env::current_exe().expect("this program");
        let found = libraries(&own).expect("libraries");
        let libc = |path: &PathBuf| files::file_name(path).starts_with("libc.so");
        assert!(found.iter().any(libc), "{found:?}");
        let script = tempfile::NamedTempFile::new().expect("a file");
        assert_eq!(libraries(script.path()).expect("none").len(), 0);
    }

    /// Messages of cargo 1.90, without the unused keys.
    const MESSAGES: &str = r#"{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#libc@0.2.177","executable":null,"fresh":true}
{"reason":"build-script-executed","package_id":"registry+https://github.com/rust-lang/crates.io-index#libc@0.2.177","linked_libs":[],"cfgs":[]}
{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#tikv-jemalloc-sys@0.6.1+5.3.0-1-ge13ca99","executable":null}
{"reason":"build-script-executed","package_id":"registry+https://github.com/rust-lang/crates.io-index#tikv-jemalloc-sys@0.6.1+5.3.0-1-ge13ca99","linked_libs":["static=jemalloc"]}
{"reason":"compiler-message","package_id":"path+file:///runners/harness#0.1.0","message":{}}
{"reason":"build-script-executed","package_id":"path+file:///runners/libssl#0.1.0","linked_libs":["static=ssl"]}
{"reason":"compiler-artifact","package_id":"path+file:///runners/harness#0.1.0","executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///runners/rustls#runner-rustls@0.1.0","executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///run/a#program@0.0.0","executable":"/build/release/runner-rustls"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn artifacts_of_messages() {
        let built = artifacts(MESSAGES).expect("messages");
        assert_eq!(built.program, Path::new("/build/release/runner-rustls"));
        let packages: Vec<(&str, &str, bool)> = built
            .packages
            .iter()
            .map(|p| (p.name.as_str(), p.version.as_str(), p.is_native))
            .collect();
        assert_eq!(
            packages,
            [
                ("harness", "0.1.0", false),
                ("libc", "0.2.177", false),
                ("tikv-jemalloc-sys", "0.6.1+5.3.0-1-ge13ca99", true),
            ]
        );
    }
}

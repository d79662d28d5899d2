//! Builds targets. Each has a crate of its own, which depends on the runner's, with a lock file. Cargo
//! is the cache: it decides what has to be compiled.

mod prepare;
pub(crate) mod program;

use crate::base::console::working;
use crate::base::failure::Result;
use crate::files;
use crate::measure::build::program::Program;
use crate::measure::cargo::Package;
use crate::measure::libraries::target::Target;
use crate::measure::process::{self, Stop, if_succeeded, text};
use crate::measure::{cargo, go, tail};
use anyhow::anyhow;
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

/// A build that takes longer is announced.
const PATIENCE: Duration = Duration::from_secs(2);

/// Name of the file in the target's folder with what the last command of its build said.
const LOG: &str = "build.log";

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
        let program = working(&what, PATIENCE, || self.compile(target))?;
        Program::new(target, program, &self.packages(target, "normal")?)
    }

    /// The certificate chains that all programs use.
    pub(crate) fn certificates(&self) -> PathBuf {
        self.runners.with_file_name("certificates")
    }

    /// Times a build of `target` from scratch. It must have been built before, so that nothing is
    /// downloaded.
    pub(crate) fn build_from_nothing(&self, target: &Target) -> Result<Duration> {
        let output = self.work.join("build_from_nothing");
        files::remove(&output)?;
        let start = Instant::now();
        self.compile_into(target, &output)?;
        let took = start.elapsed();
        files::remove(&output)?;
        Ok(took)
    }

    /// Compiles what is not up to date of `target`. Returns the program.
    pub(crate) fn compile(&self, target: &Target) -> Result<PathBuf> {
        files::create_folder(&self.folder(target))?;
        if target.go().is_none() {
            self.prepare(target)?;
        }
        let built = self.compile_into(target, &self.work.join("build"))?;
        // The next build may overwrite it.
        let program = self.folder(target).join(files::file_name(&built));
        let bytes = files::read_whole(&built)?;
        files::update(&program, &bytes, true)?;
        Ok(program)
    }

    /// Lists the packages on which a program depends in these ways; none in Go.
    pub(crate) fn packages(&self, target: &Target, ways: &str) -> Result<Vec<Package>> {
        match target.go() {
            Some(_) => Ok(Vec::new()),
            None => cargo::tree(&self.folder(target), ways),
        }
    }

    /// The folder of a target's manifest, lock file and program.
    fn folder(&self, target: &Target) -> PathBuf {
        self.work.join(&target.id)
    }

    fn compile_into(&self, target: &Target, output: &Path) -> Result<PathBuf> {
        let folder = self.folder(target);
        if let Some(release) = target.go() {
            let program = output.join(target.program());
            let (go_mod, cache) = (folder.join("go.mod"), output.join("go"));
            let runner = self.runners.join(&target.folder);
            let mut command = go::build(&runner, release, &go_mod, &cache)?;
            self.run(target, command.arg("-o").arg(&program).arg("."))?;
            return Ok(program);
        }
        let mut command = cargo::command("build", &folder);
        command
            .args(["--release", "--locked"])
            .env("CARGO_TARGET_DIR", output)
            // Where build scripts find the lock file.
            .env("RUNNER_BUILD", &folder)
            // Ignore an installed AWS-LC, which aws-lc-sys would otherwise use.
            .env("AWS_LC_SYS_USE_SYSTEM", "0");
        self.run(target, &mut command)?;
        Ok(output.join("release").join(target.program()))
    }

    /// Runs a command of a build. Returns its standard output.
    fn run(&self, target: &Target, command: &mut Command) -> Result<String> {
        self.try_to_run(target, command).map_err(|stop| {
            let (name, log) = (target.name(), self.folder(target).join(LOG));
            let what = format!(
                "{name} does not build; the log is {}, and ends:\n",
                log.display()
            );
            stop.fatal(what)
        })
    }

    /// Runs a command, and logs its standard error. Returns its standard output, or fails with the
    /// last lines of standard error.
    fn try_to_run(&self, target: &Target, command: &mut Command) -> Result<String, Stop> {
        let ended = process::run(command, Duration::MAX)?;
        files::write(&self.folder(target).join(LOG), &ended.stderr)?;
        match ended.status.success() {
            true => Ok(String::from_utf8_lossy(&ended.stdout).into_owned()),
            false => Err(tail(&String::from_utf8_lossy(&ended.stderr), LOG_LINES).into()),
        }
    }
}

/// Returns the shared libraries that a program loads, by the paths that `ldd` prints:
/// `libssl.so.3 => /lib/libssl.so.3 (0x7f…)`.
pub(crate) fn libraries(program: &Path) -> Result<BTreeSet<PathBuf>> {
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
}

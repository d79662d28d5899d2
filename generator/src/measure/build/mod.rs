//! Builds targets. Each has its own copy of the sources, with its own lock file. Cargo is the cache:
//! it decides what has to be compiled.

pub(crate) mod program;

use crate::base::console::working;
use crate::base::failure::Result;
use crate::files::{self, hex_digest};
use crate::measure::build::program::{Built, Program};
use crate::measure::libraries::as_released;
use crate::measure::libraries::catalog::Catalog;
use crate::measure::libraries::sources;
use crate::measure::libraries::target::{Origin, Target};
use crate::measure::process::{Stop, text};
use crate::measure::tools::cargo::{self, Dependency};
use crate::measure::tools::compile::RunnerCopy;
use crate::measure::tools::go;
use anyhow::{Context, anyhow};
use indicatif::HumanDuration;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The programs built so far, on disk.
#[derive(Clone, Debug)]
pub(crate) struct BuildCache {
    /// Source folders of a build, with their names in its copy.
    sources: Vec<(&'static str, PathBuf)>,
    /// Folder of all builds: `generator/target/run`.
    work: PathBuf,
}

/// A build that takes longer is announced.
const PATIENCE: Duration = Duration::from_secs(2);

/// Name of the folder of certificates.
const CERTIFICATES: &str = "certificates";

impl BuildCache {
    /// Opens the cache in `work`, for the programs of `runners`.
    pub(crate) fn new(runners: &Path, work: &Path) -> Result<Self> {
        let mut sources = vec![("runners", runners.to_owned())];
        // The crate on which the runners' harness depends, and the chains that all programs use.
        for name in ["scenario", CERTIFICATES] {
            let beside = runners.with_file_name(name);
            sources.extend(files::is_folder(&beside)?.then_some((name, beside)));
        }
        Ok(Self {
            work: work.to_owned(),
            sources,
        })
    }

    /// Returns the program of `target`, as it was built before.
    pub(crate) fn built(&self, target: &Target) -> Result<Option<Program>> {
        let Some(path) = self.program_of(target)? else {
            return Ok(None);
        };
        Ok(Some(self.program(target, path, &BTreeSet::new())?))
    }

    /// Checks that this system has the tools and libraries to build all `targets`.
    pub(crate) fn check(&self, targets: &[Target], catalog: &Catalog) -> Result<()> {
        cargo::check()?;
        let (mut names, mut needs) = (Vec::new(), Vec::new());
        for target in targets {
            if self.program_of(target)?.is_none() {
                names.push(target.name());
                needs.extend(target.needs.iter().cloned());
            }
        }
        match catalog.missing(&needs) {
            None => Ok(()),
            Some(missing) => Err(anyhow!("cannot build {}; {missing}", names.join(" and ")).into()),
        }
    }

    /// Builds `target`, and checks which implementation the program reports.
    pub(crate) fn build(&self, target: &Target) -> Result<Program> {
        let built = self.compile(target)?;
        self.program(target, built.program, &built.packages)
    }

    fn program(
        &self,
        target: &Target,
        path: PathBuf,
        packages: &BTreeSet<Dependency>,
    ) -> Result<Program> {
        let lock = self.copy(target, "build").folder.join(target.lock());
        Program::new(target, path, packages, lock)
    }

    /// Path of the program of a target; `None` if it was never built.
    fn program_of(&self, target: &Target) -> Result<Option<PathBuf>> {
        let folder = self.work.join(&target.id);
        if !files::is_folder(&folder)? {
            return Ok(None);
        }
        let mut paths = files::read_folder(&folder)?.into_iter();
        Ok(paths.find(|path| files::file_name(path).starts_with("runner-")))
    }

    /// The certificate chains that all programs use.
    pub(crate) fn certificates(&self) -> PathBuf {
        let (_, runners) = &self.sources[0];
        runners.with_file_name(CERTIFICATES)
    }

    /// Times a build of `target` from scratch: the elapsed time, and the CPU time of all
    /// processors. It must have been built before, so that nothing is downloaded.
    pub(in crate::measure) fn build_from_nothing(&self, target: &Target) -> Result<[Duration; 2]> {
        let copy = self.copy(target, "build_from_nothing");
        files::remove(&copy.target)?;
        let (start, cpu) = (Instant::now(), children_cpu()?);
        compile(&copy, target)?;
        let took = [start.elapsed(), children_cpu()?.saturating_sub(cpu)];
        files::remove(&copy.target)?;
        Ok(took)
    }

    /// The runner's copy for `target`, which is built in the folder `build` below `work`.
    fn copy(&self, target: &Target, build: &str) -> RunnerCopy {
        let folder = self.work.join(&target.id);
        RunnerCopy {
            folder: folder.join("source/runners").join(&target.folder),
            target: self.work.join(build),
            log: folder.join("build.log"),
            name: target.name(),
        }
    }

    /// Compiles what is not up to date of `target`.
    pub(in crate::measure) fn compile(&self, target: &Target) -> Result<Built> {
        let (name, start) = (target.name(), Instant::now());
        let what = format!("building {name}");
        let built = working(&what, PATIENCE, || self.prepare_and_compile(target));
        let built = built.map_err(|failure| {
            failure.interrupted(&format!(
                " while {name} was built; the same command continues"
            ))
        })?;
        if start.elapsed() > PATIENCE {
            let time = HumanDuration(start.elapsed());
            crate::inform!("built {name} in {time}");
        }
        Ok(built)
    }

    fn prepare_and_compile(&self, target: &Target) -> Result<Built> {
        let folder = self.work.join(&target.id);
        files::create_folder(&folder)?;
        files::remove(&folder.join("build.log"))?;
        let copy = self.copy(target, "build");
        self.prepare(target, &copy)?;
        let (artifact, packages) = compile(&copy, target)?;
        // The next build may overwrite it.
        let program = folder.join(files::file_name(&artifact));
        let bytes = files::read_whole(&artifact)?;
        if files::read_optional(&program)?.as_ref() != Some(&bytes) {
            files::replace(&program, &bytes, true)?;
        }
        Ok(Built { program, packages })
    }

    /// Updates the copy of the sources, and pins the release in its lock file if that or the manifest
    /// has changed: cargo compiles again what has a newer lock file.
    fn prepare(&self, target: &Target, copy: &RunnerCopy) -> Result<()> {
        let folder = self.work.join(&target.id);
        let stamp = folder.join("pinned");
        let mut inputs = target.inputs();
        let mut copied = Vec::new();
        for (name, source) in &self.sources {
            let read = sources::read(source)?;
            for name in PINNED {
                let bytes = read.get(&Path::new(&target.folder).join(name));
                inputs += &bytes.map(|bytes| hex_digest(bytes)).unwrap_or_default();
            }
            copied.push((folder.join("source").join(name), read));
        }
        let is_pinned = files::read_optional(&stamp)?.as_deref() == Some(inputs.as_bytes());
        for (to, mut read) in copied {
            for name in PINNED.iter().filter(|_| is_pinned) {
                let path = Path::new(&target.folder).join(name);
                if let (Some(bytes), Some(kept)) =
                    (read.get_mut(&path), files::read_optional(&to.join(&path))?)
                {
                    *bytes = kept;
                }
            }
            sources::write(&read, &to)?;
        }
        if is_pinned {
            return Ok(());
        }
        files::remove(&stamp)?;
        match &target.origin {
            Origin::Locked => {}
            Origin::Go(release) => go::select(&copy.folder, release)?,
            Origin::Pinned { package, version } => cargo::pin(copy, package, version)?,
            Origin::Sources(sources) => {
                sources.replace(copy, &target.features, &folder.join("source/pinned"))?;
            }
        }
        if !target.as_released.is_empty() {
            as_released::pin(copy, target)?;
        }
        Ok(files::write(&stamp, inputs.as_bytes())?)
    }
}

/// The files of a copy in which a release is pinned.
const PINNED: [&str; 3] = ["Cargo.toml", "Cargo.lock", "go.mod"];

/// Compiles a copy that is set up for `target`. Returns the program's path and cargo's packages in
/// it.
fn compile(copy: &RunnerCopy, target: &Target) -> Result<(PathBuf, BTreeSet<Dependency>)> {
    match &target.origin {
        Origin::Go(release) => Ok((go::build(copy, release)?, BTreeSet::new())),
        _ => cargo::build(copy, &target.features),
    }
}

/// CPU time of all reaped child processes, with their descendants.
fn children_cpu() -> anyhow::Result<Duration> {
    // Ticks per second in `/proc`, the same on every Linux.
    const USER_HZ: f64 = 100.0;
    let path = Path::new("/proc/self/stat");
    let text = String::from_utf8_lossy(&files::read_whole(path)?).into_owned();
    // The name is in brackets and may contain spaces; behind it, fields 13 and 14 (from 0) are the
    // children's time in user and kernel mode.
    let wrong = || format!("{} is `{text}`", path.display());
    let (_, fields) = text.rsplit_once(')').with_context(wrong)?;
    let mut ticks = 0;
    for field in fields.split_whitespace().skip(13).take(2) {
        ticks += field.parse::<u64>().with_context(wrong)?;
    }
    Ok(Duration::from_secs_f64(ticks as f64 / USER_HZ))
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
}

//! Builds targets. Each has its own copy of the sources, with its own lock file, and is rebuilt
//! only when sources, flags or compilers change.

pub(crate) mod program;

use crate::base::console::working;
use crate::base::failure::Result;
use crate::files::{self, digest_of_file, hex_digest};
use crate::measure::build::program::{Built, Program};
use crate::measure::libraries::as_released;
use crate::measure::libraries::runner;
use crate::measure::libraries::sources;
use crate::measure::libraries::target::{Origin, Target};
use crate::measure::process::{Stop, if_succeeded, text};
use crate::measure::tools::cargo::{self, Dependency};
use crate::measure::tools::compile::RunnerCopy;
use crate::measure::tools::go;
use anyhow::{Context, anyhow};
use indicatif::HumanDuration;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
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
    /// Digest of the inputs that all builds share.
    inputs: String,
}

/// Environment variables that change what a build produces.
const FLAGS: &str = "RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CFLAGS CXXFLAGS CC CXX PKG_CONFIG_PATH \
    OPENSSL_STATIC GOFLAGS GOAMD64 GOEXPERIMENT";

/// More of them, by how their names start, but not those that [`cargo::build`] sets.
const SETTINGS: &str = "CARGO_BUILD_RUSTFLAGS CARGO_PROFILE_ CARGO_TARGET_ LDFLAGS AWS_LC_SYS_";
const SET_BY_BUILD: [&str; 2] = ["CARGO_TARGET_DIR", "AWS_LC_SYS_USE_SYSTEM"];

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
            inputs: inputs(&sources)?,
            work: work.to_owned(),
            sources,
        })
    }

    /// Returns the program of `target`, if it is built and up to date.
    pub(crate) fn built(&self, target: &Target) -> Result<Option<Program>> {
        let built = self.up_to_date(target)?;
        built.map(|built| self.program(target, built)).transpose()
    }

    /// Checks that this system has the tools and libraries to build all `targets`.
    pub(crate) fn check(&self, targets: &[Target]) -> Result<()> {
        let (mut names, mut needs) = (Vec::new(), Vec::new());
        for target in targets {
            if self.up_to_date(target)?.is_none() {
                names.push(target.name());
                needs.extend(target.needs.iter().cloned());
            }
        }
        match runner::missing(&needs) {
            None => Ok(()),
            Some(missing) => Err(anyhow!("cannot build {}; {missing}", names.join(" and ")).into()),
        }
    }

    /// Builds `target`, and checks which implementation the program reports.
    pub(crate) fn build(&self, target: &Target) -> Result<Program> {
        self.program(target, self.compile(target)?)
    }

    fn program(&self, target: &Target, built: Built) -> Result<Program> {
        let lock = self.copy(target, "build").folder.join(target.lock());
        Program::new(target, built, lock)
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

    /// Compiles `target`, with a message, unless it is up to date.
    pub(in crate::measure) fn compile(&self, target: &Target) -> Result<Built> {
        if let Some(built) = self.up_to_date(target)? {
            return Ok(built);
        }
        let name = target.name();
        let start = Instant::now();
        let built = working(&format!("building {name}"), || self.compile_anew(target));
        let built = built.map_err(|failure| {
            failure.interrupted(|message| {
                format!("{message} while {name} was built; the same command continues")
            })
        })?;
        let time = HumanDuration(start.elapsed());
        crate::inform!("built {name} in {time}");
        Ok(built)
    }

    fn compile_anew(&self, target: &Target) -> Result<Built> {
        let folder = self.work.join(&target.id);
        files::create_folder(&folder)?;
        // An interrupted build must not look complete.
        for old in ["ready.json", "build.log"] {
            files::remove(&folder.join(old))?;
        }
        let mut copied = self.sources.clone();
        for (name, source) in &mut copied {
            let copy = folder.join("source").join(name);
            sources::write(&sources::read(source)?, &copy)?;
            *source = copy;
        }
        // Digest of the copy: the originals may be edited during the build.
        let key = key(target, &inputs(&copied)?);
        // One target folder for all programs: shared dependencies are compiled once.
        let copy = self.copy(target, "build");
        match &target.origin {
            Origin::Locked => {}
            Origin::Go(release) => go::select(&copy.folder, release)?,
            Origin::Pinned { package, version } => cargo::pin(&copy, package, version)?,
            Origin::Sources(sources) => {
                let scratch = folder.join("source/pinned");
                sources.replace(&copy, &target.features, &scratch)?;
            }
        }
        if !target.as_released.is_empty() {
            as_released::pin(&copy, target)?;
        }
        let (artifact, packages) = compile(&copy, target)?;
        // The next build may overwrite it.
        let name = files::file_name(&artifact);
        let program = folder.join(&name);
        files::replace(&program, &files::read_whole(&artifact)?, true)?;
        let mut built = Built {
            key,
            program: name.into(),
            digest: digest_of_file(&program)?,
            libraries: library_digests(&program)?,
            packages,
        };
        let json = serde_json::to_vec(&built).context("cannot write ready.json")?;
        files::write(&folder.join("ready.json"), &json)?;
        built.program = program;
        Ok(built)
    }

    /// Returns what was built for `target`, if it is up to date and unchanged since.
    fn up_to_date(&self, target: &Target) -> Result<Option<Built>> {
        let folder = self.work.join(&target.id);
        let Some(bytes) = files::read_optional(&folder.join("ready.json"))? else {
            return Ok(None);
        };
        // A file of another version of this program is none.
        let Ok(mut built) = serde_json::from_slice::<Built>(&bytes) else {
            return Ok(None);
        };
        built.program = folder.join(&built.program);
        let is_current = built.key == key(target, &self.inputs)
            && files::is_file(&built.program)?
            && built.digest == digest_of_file(&built.program)?
            && built.libraries == library_digests(&built.program)?;
        Ok(is_current.then_some(built))
    }
}

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

/// Digest of all inputs of the build of `target`.
fn key(target: &Target, inputs: &str) -> String {
    let origin = match &target.origin {
        Origin::Locked => String::new(),
        Origin::Go(release) => release.to_string(),
        Origin::Pinned { package, version } => format!("{package} {version}"),
        Origin::Sources(sources) => format!("{:?} {}", sources.wrapper, sources.digest),
    };
    let (folder, features, as_released) = (&target.folder, &target.features, &target.as_released);
    hex_digest(format!("{folder} {features:?} {as_released:?} {origin} {inputs}").as_bytes())
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

/// Returns the SHA-256 of each shared library that a program loads.
fn library_digests(program: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut digests = BTreeMap::new();
    for library in libraries(program)? {
        let digest = digest_of_file(&library)?;
        digests.insert(library, digest);
    }
    Ok(digests)
}

/// The C and C++ compilers of a build, with the first lines of their `--version`.
fn c_compilers() -> Result<String> {
    let mut versions = String::new();
    for (variable, default) in [("CC", "cc"), ("CXX", "")] {
        let named = env::var_os(variable).filter(|named| !named.is_empty());
        let named = named.unwrap_or(default.into());
        if named.is_empty() {
            continue;
        }
        let named = named.to_string_lossy();
        // With arguments, as in `ccache gcc`. A missing compiler is reported where one is needed.
        let mut command = Command::new("env");
        command.args(named.split_whitespace()).arg("--version");
        let printed = if_succeeded(text(&mut command))?.unwrap_or_default();
        let first = printed.lines().next().unwrap_or("unknown");
        versions += &format!("\n{named}: {first}");
    }
    Ok(versions)
}

/// Digest of compilers, flags and sources.
fn inputs(sources: &[(&str, PathBuf)]) -> Result<String> {
    let mut inputs = cargo::rustc()? + &c_compilers()?;
    for flag in FLAGS.split(' ') {
        inputs += &format!("\n{flag}={:?}", env::var_os(flag));
    }
    for (name, value) in BTreeMap::from_iter(env::vars_os()) {
        let name = name.to_string_lossy();
        let is_setting = SETTINGS.split(' ').any(|start| name.starts_with(start));
        if is_setting && !SET_BY_BUILD.contains(&&*name) {
            inputs += &format!("\n{name}={value:?}");
        }
    }
    for (name, folder) in sources {
        for (path, bytes) in sources::read(folder)? {
            inputs += &format!("\n{} {name}/{}", hex_digest(&bytes), path.display());
        }
    }
    Ok(hex_digest(inputs.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

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

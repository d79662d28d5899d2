//! A target becomes a program: its own copy of the sources, its own lock file, its own build
//! folder. Built once, and again only if sources, flags or compilers change.

use super::cargo::{self, Artifacts, Crate, Dependency};
use super::target::Target;
use super::tree::TreeSource;
use super::{needs, sources};
use crate::failure::{Failure, Result};
use crate::fs::{self, hex_digest};
use crate::implementation::Implementation;
use anyhow::{Context, anyhow, bail};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs that were built, and where.
#[derive(Clone, Debug)]
pub(crate) struct BuildCache {
    /// The folders that a build reads, and their names in its copy.
    sources: Vec<(&'static str, PathBuf)>,
    /// The builds' folder: `generator/target/run`.
    work: PathBuf,
    /// Digest of what all builds depend on.
    inputs: String,
}

/// A program that can measure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Name of its folder of results: `openssl_3.0.19`.
    pub(crate) id: String,
    pub(crate) identity: Implementation,
    /// As it calls itself: without the revision of sources that are no release.
    pub(crate) said: Implementation,
    /// The sources, if they are no release.
    pub(crate) sources: Option<TreeSource>,
    /// The day of its publication, by the program itself or by the index of its package.
    pub(crate) released: Option<Date>,
    pub(crate) path: PathBuf,
    pub(crate) digest: String,
    pub(crate) lock: PathBuf,
    pub(crate) features: Vec<String>,
    /// Native libraries and providers in it: `aws-lc-rs 1.19.0`.
    pub(crate) with: Vec<String>,
    pub(crate) url: Option<String>,
}

/// `ready.json` beside a build that is complete.
#[derive(Deserialize, Serialize)]
struct Ready {
    /// Digest of all that the build depends on.
    key: String,
    artifacts: Artifacts,
}

/// What changes a program without a change of its sources.
const FLAGS: &[&str] = &[
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CFLAGS",
    "CXXFLAGS",
    "CC",
    "CXX",
    "OPENSSL_DIR",
    "OPENSSL_STATIC",
];

impl BuildCache {
    /// The cache of the programs of `runners`, in `work`.
    pub(crate) fn new(runners: &Path, work: &Path) -> Result<Self> {
        // Beside the runners stands the crate of scenarios, which their harness depends on.
        let scenario = runners.with_file_name("scenario");
        let mut sources = vec![("runners", runners.to_owned())];
        sources.extend(scenario.is_dir().then_some(("scenario", scenario)));
        Ok(Self {
            inputs: inputs(&sources)?,
            work: work.to_owned(),
            sources,
        })
    }

    /// Whether nothing has to be compiled for `target`.
    pub(crate) fn has(&self, target: &Target) -> Result<bool> {
        Ok(self.artifacts(target)?.is_some())
    }

    /// The folder of results of `target`; a program that is built says its version.
    pub(crate) fn results(&self, target: &Target) -> Result<String> {
        match self.artifacts(target)? {
            Some(built) => {
                let (said, _) = about(&built.program, target)?;
                Ok(results_folder(target, &identity(target, said)))
            }
            None => Ok(target.id.clone()),
        }
    }

    /// Checks that this system has what it takes to build `targets`, before the first of them is
    /// built.
    pub(crate) fn check(&self, targets: &[Target]) -> Result<()> {
        let (mut names, mut needs) = (Vec::new(), Vec::new());
        for target in targets {
            if !self.has(target)? {
                names.push(target.name());
                needs.extend(target.needs.iter().cloned());
            }
        }
        needs::missing(&needs).map_or(Ok(()), |missing| {
            Err(anyhow!("{} cannot be built, {missing}", names.join(" and ")).into())
        })
    }

    /// Builds `target`, and asks the program what it is.
    pub(crate) fn build(&self, target: &Target) -> Result<Program> {
        let artifacts = self.compile(target)?;
        let path = artifacts.program;
        let (said, released) = about(&path, target)?;
        let identity = identity(target, said.clone());
        check_identity(target, &identity)?;
        let is_shown = |package: &&Dependency| {
            (package.is_native || target.variant.contains(&package.name))
                && !package.name.eq_ignore_ascii_case(&identity.name)
        };
        let with = artifacts.packages.iter().filter(is_shown);
        Ok(Program {
            id: results_folder(target, &identity),
            digest: hex_digest(&fs::read_whole(&path)?),
            lock: self.source(target).join("Cargo.lock"),
            with: with.map(|p| format!("{} {}", p.name, p.version)).collect(),
            features: target.features.clone(),
            url: target.url.clone(),
            released: target
                .released
                .filter(|_| target.sources.is_some())
                .or(released)
                .or(target.released),
            sources: target.sources.clone(),
            said,
            identity,
            path,
        })
    }

    /// The folder of the certificates that all programs use, made at the first time by the
    /// program that `target` is.
    pub(crate) fn certificates(&self, target: &Target) -> Result<PathBuf> {
        let program = self.compile(target)?.program;
        let chains = self.folder(target).join("chains");
        if chains.is_dir() {
            return Ok(chains);
        }
        let made = self.folder(target).join("chains.new");
        fs::remove(&made)?;
        fs::create_folder(&made)?;
        let output = output(&program, &made)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(anyhow!("no certificates could be made: {}", said.trim()).into());
        }
        std::fs::rename(&made, &chains)
            .with_context(|| format!("cannot rename {}", made.display()))?;
        Ok(chains)
    }

    fn folder(&self, target: &Target) -> PathBuf {
        self.work.join(&target.id)
    }

    fn source(&self, target: &Target) -> PathBuf {
        let source = self.folder(target).join("source/runners");
        source.join(&target.folder)
    }

    fn compile(&self, target: &Target) -> Result<Artifacts> {
        if let Some(artifacts) = self.artifacts(target)? {
            return Ok(artifacts);
        }
        let folder = self.folder(target);
        let ready = folder.join("ready.json");
        fs::create_folder(&folder)?;
        // A build that is interrupted must not look ready, and chains belong to the program that
        // made them.
        fs::remove(&ready)?;
        fs::remove(&folder.join("chains"))?;
        let mut copied = self.sources.clone();
        for (name, source) in &mut copied {
            let copy = folder.join("source").join(name);
            sources::copy(source, &copy)?;
            *source = copy;
        }
        // Somebody may edit the sources while this is built.
        let key = key(target, &inputs(&copied)?);
        let krate = Crate {
            folder: &self.source(target),
            // One for all: what two programs share is compiled once.
            target: &self.work.join("build"),
            log: &folder.join("build.log"),
            name: &target.name(),
        };
        fs::remove(krate.log)?;
        if let Some((package, version)) = &target.pin {
            krate.pin(package, version)?;
        }
        let mut environment = None;
        if let Some(sources) = &target.sources {
            sources.replace(
                &krate,
                target.package.as_deref(),
                &folder.join("source/pinned"),
            )?;
            environment = sources.environment();
        }
        let mut artifacts = krate.build(&target.features, environment)?;
        // The next build may take its place.
        let program = folder.join(fs::file_name(&artifacts.program));
        fs::remove(&program)?;
        std::fs::copy(&artifacts.program, &program)
            .with_context(|| format!("cannot write {}", program.display()))?;
        artifacts.program = program;
        let json = serde_json::to_vec(&Ready {
            key,
            artifacts: artifacts.clone(),
        });
        fs::write(&ready, &json.context("cannot write ready.json")?)?;
        Ok(artifacts)
    }

    /// What was built for `target`, if nothing has changed since.
    fn artifacts(&self, target: &Target) -> Result<Option<Artifacts>> {
        let path = self.folder(target).join("ready.json");
        let Some(bytes) = fs::read_optional(&path)? else {
            return Ok(None);
        };
        let ready: Ready = serde_json::from_slice(&bytes)
            .map_err(|e| Failure::at(&path, 0, format!("{e}; remove it to build anew")))?;
        let is_current =
            ready.key == key(target, &self.inputs) && ready.artifacts.program.is_file();
        Ok(is_current.then_some(ready.artifacts))
    }
}

/// Digest of all that the build of `target` depends on.
fn key(target: &Target, inputs: &str) -> String {
    let (folder, features, pin) = (&target.folder, &target.features, &target.pin);
    let sources = target
        .sources
        .as_ref()
        .map(|sources| &sources.checkout.digest);
    hex_digest(format!("{folder} {features:?} {pin:?} {sources:?} {inputs}").as_bytes())
}

/// Digest of compiler, flags and sources.
fn inputs(sources: &[(&str, PathBuf)]) -> anyhow::Result<String> {
    let mut inputs = cargo::rustc()?;
    for flag in FLAGS {
        inputs += &format!("\n{flag}={:?}", env::var_os(flag));
    }
    for (name, folder) in sources {
        for (path, bytes) in sources::read(folder)? {
            inputs += &format!("\n{} {name}/{}", hex_digest(&bytes), path.display());
        }
    }
    Ok(hex_digest(inputs.as_bytes()))
}

/// Runs a program with one argument.
fn output(program: &Path, argument: impl AsRef<OsStr>) -> anyhow::Result<Output> {
    let output = Command::new(program).arg(argument).output();
    output.with_context(|| format!("cannot run {}", program.display()))
}

/// What `--about` says: `name,version,variant`, and the day of the release if the library tells it.
fn about(program: &Path, target: &Target) -> anyhow::Result<(Implementation, Option<Date>)> {
    let output = output(program, "--about")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let cells: Vec<&str> = text.trim_end().split(',').collect();
    let (library, version, variant, released) = match cells.as_slice() {
        _ if !output.status.success() => Default::default(),
        [library, version, variant] => (*library, *version, *variant, ""),
        [library, version, variant, released] => (*library, *version, *variant, *released),
        _ => Default::default(),
    };
    let day = (!released.is_empty()).then(|| released.parse()).transpose();
    match (library, day) {
        ("", _) | (_, Err(_)) => bail!(
            "the program of {} does not say what it is: `--about` printed `{}`",
            target.name(),
            text.trim_end()
        ),
        (library, Ok(day)) => {
            let parts: Vec<&str> = variant.split('+').filter(|p| !p.is_empty()).collect();
            Ok((Implementation::new(library, version, &parts), day))
        }
    }
}

/// What is measured, of what the program says: with the revision of sources that are no release.
fn identity(target: &Target, said: Implementation) -> Implementation {
    match &target.sources {
        None => said,
        Some(sources) => Implementation {
            version: sources.shown(&said.version),
            ..said
        },
    }
}

/// A wrong pin must never be measured under another name.
fn check_identity(target: &Target, identity: &Implementation) -> anyhow::Result<()> {
    // Sources without a version have the program's.
    let is_told = target
        .sources
        .as_ref()
        .is_none_or(|sources| sources.version.is_some());
    let version = target.version.as_ref().filter(|_| is_told);
    let is_same = identity.name == target.implementation
        && version.is_none_or(|version| *version == identity.version)
        && identity.variant == target.variant;
    let name = target.name();
    anyhow::ensure!(
        is_same,
        "{name} was asked for, but the program says that it is {identity}: nothing is measured under a wrong name"
    );
    Ok(())
}

/// `openssl_system` is measured as `openssl_3.0.19`: names of folders tell the implementation.
fn results_folder(target: &Target, identity: &Implementation) -> String {
    let word = target.id.split('_').next().unwrap_or(&target.id);
    let variant = identity.variant.iter().map(String::as_str);
    let parts = [word, identity.version.as_str()].into_iter().chain(variant);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_unsafe = |c: char| !c.is_ascii_alphanumeric() && !"._+-".contains(c);
    parts.join("_").replace(is_unsafe, "-")
}

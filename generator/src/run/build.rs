//! A target becomes a program: its own copy of the sources, its own lock file, its own build
//! folder. Built once, and again only if sources, flags or compilers change.

use super::cargo::{self, Artifacts, Crate, Dependency};
use super::catalog::Target;
use super::{needs, sources};
use crate::failure::{Failure, Result};
use crate::fs::{self, hex_digest};
use crate::implementation::Implementation;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that were built, and where.
#[derive(Clone, Debug)]
pub struct BuildCache {
    /// The folders that a build reads, and their names in its copy.
    sources: Vec<(&'static str, PathBuf)>,
    /// The builds' folder: `generator/target/run`.
    work: PathBuf,
    /// Digest of what all builds depend on.
    inputs: String,
}

/// A program that can measure.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of its folder of results: `openssl_3.0.19`.
    pub id: String,
    /// What it says of itself.
    pub identity: Implementation,
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub digest: String,
    /// The lock file that it was built with.
    pub lock: PathBuf,
    /// Features that it was built with.
    pub features: Vec<String>,
    /// Native libraries and providers in it: `aws-lc-rs 1.19.0`.
    pub with: Vec<String>,
    /// The release's page.
    pub url: Option<String>,
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
    ///
    /// # Errors
    /// A source that cannot be read, or no compiler.
    pub fn new(runners: &Path, work: &Path) -> Result<Self> {
        let mut inputs = cargo::rustc()?;
        for flag in FLAGS {
            inputs += &format!("\n{flag}={:?}", env::var_os(flag));
        }
        // Beside the runners stands the crate of scenarios, which their harness depends on.
        let scenario = runners.with_file_name("scenario");
        let mut folders = vec![("runners", runners.to_owned())];
        folders.extend(scenario.is_dir().then_some(("scenario", scenario)));
        for (name, folder) in &folders {
            for (path, bytes) in sources::read(folder)? {
                inputs += &format!("\n{} {name}/{}", hex_digest(&bytes), path.display());
            }
        }
        Ok(Self {
            sources: folders,
            work: work.to_owned(),
            inputs: hex_digest(inputs.as_bytes()),
        })
    }

    /// Whether nothing has to be compiled for `target`.
    ///
    /// # Errors
    /// The cache cannot be read.
    pub fn has(&self, target: &Target) -> Result<bool> {
        Ok(self.artifacts(target)?.is_some())
    }

    /// The folder of results of `target`; a program that is built says its version.
    ///
    /// # Errors
    /// The cache cannot be read, or the program does not tell.
    pub fn results(&self, target: &Target) -> Result<String> {
        let Some(artifacts) = self.artifacts(target)? else {
            return Ok(target.id.clone());
        };
        let identity = about(&artifacts.program, &target.name())?;
        Ok(results_folder(&target.id, &identity))
    }

    /// Checks that this system has what it takes to build `targets`, before the first of them is built.
    ///
    /// # Errors
    /// What is missing, and how to install it.
    pub fn check(&self, targets: &[Target]) -> Result<()> {
        let (mut names, mut needs) = (Vec::new(), Vec::new());
        for target in targets {
            if !self.has(target)? {
                names.push(target.name());
                needs.extend(target.needs.iter().cloned());
            }
        }
        match needs::missing(&needs)? {
            None => Ok(()),
            Some(missing) => {
                Err(anyhow!("{} cannot be built, {missing}", names.join(" and ")).into())
            }
        }
    }

    /// Builds `target`, and asks the program what it is.
    ///
    /// # Errors
    /// A missing tool, release or network, a failed build, or a program that is another than
    /// was asked for.
    pub fn build(&self, target: &Target) -> Result<Program> {
        let artifacts = self.compile(target)?;
        let identity = about(&artifacts.program, &target.name())?;
        check_identity(target, &identity)?;
        let path = artifacts.program;
        let bytes =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_shown = |package: &&Dependency| {
            (package.is_native || target.variant.contains(&package.name))
                && !package.name.eq_ignore_ascii_case(&identity.name)
        };
        let with = artifacts.packages.iter().filter(is_shown);
        Ok(Program {
            id: results_folder(&target.id, &identity),
            digest: hex_digest(&bytes),
            lock: self.source(target).join("Cargo.lock"),
            with: with.map(|p| format!("{} {}", p.name, p.version)).collect(),
            features: target.features.clone(),
            url: target.url.clone(),
            identity,
            path,
        })
    }

    /// The folder of the certificates that all programs use, made at the first time by the
    /// program that `target` is.
    ///
    /// # Errors
    /// The program does not build, or fails.
    pub fn certificates(&self, target: &Target) -> Result<PathBuf> {
        let program = self.compile(target)?.program;
        let chains = self.folder(target).join("chains");
        if chains.is_dir() {
            return Ok(chains);
        }
        let made = self.folder(target).join("chains.new");
        fs::remove(&made)?;
        fs::create_folder(&made)?;
        let output = Command::new(&program)
            .arg(&made)
            .output()
            .with_context(|| format!("cannot run {}", program.display()))?;
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
        for (name, source) in &self.sources {
            sources::copy(source, &folder.join("source").join(name))?;
        }
        let log = folder.join("build.log");
        cargo::new_log(&log)?;
        let krate = Crate {
            folder: &self.source(target),
            target: &folder.join("build"),
            log: &log,
            name: &target.name(),
        };
        if let Some((package, version)) = &target.pin {
            krate.pin(package, version)?;
        }
        let built = Ready {
            key: self.key(target),
            artifacts: krate.build(&target.features)?,
        };
        let json = serde_json::to_vec(&built).context("cannot write ready.json")?;
        fs::write(&ready, &json)?;
        Ok(built.artifacts)
    }

    /// What was built for `target`, if nothing has changed since.
    fn artifacts(&self, target: &Target) -> Result<Option<Artifacts>> {
        let path = self.folder(target).join("ready.json");
        let Some(bytes) = fs::read_optional(&path)? else {
            return Ok(None);
        };
        let ready: Ready = serde_json::from_slice(&bytes)
            .map_err(|e| Failure::at(&path, 0, format!("{e}; remove it to build anew")))?;
        let is_current = ready.key == self.key(target) && ready.artifacts.program.is_file();
        Ok(is_current.then_some(ready.artifacts))
    }

    /// Digest of all that the build of `target` depends on.
    fn key(&self, target: &Target) -> String {
        let Target {
            folder,
            features,
            pin,
            ..
        } = target;
        hex_digest(format!("{folder} {features:?} {pin:?} {}", self.inputs).as_bytes())
    }
}

/// What `--about` says.
fn about(program: &Path, name: &str) -> Result<Implementation> {
    let output = Command::new(program)
        .arg("--about")
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let cells: Vec<&str> = text.trim_end().split(',').collect();
    match cells.as_slice() {
        [library, version, variant] if output.status.success() && !library.is_empty() => {
            let parts: Vec<&str> = variant.split('+').filter(|p| !p.is_empty()).collect();
            Ok(Implementation::new(library, version, &parts))
        }
        _ => Err(anyhow!(
            "the program of {name} does not say what it is: `--about` printed `{}`",
            text.trim_end()
        )
        .into()),
    }
}

/// A wrong pin must never be measured under another name.
fn check_identity(target: &Target, identity: &Implementation) -> Result<()> {
    let version = target.version.as_ref().map(ToString::to_string);
    let is_same = identity.name == target.implementation
        && version.is_none_or(|v| v == identity.version.as_str())
        && identity.variant == target.variant;
    if is_same {
        return Ok(());
    }
    let asked = target.name();
    Err(Failure::Io(anyhow!(
        "{asked} was asked for, but the program says that it is {identity}: nothing is measured under a wrong name"
    )))
}

/// `openssl_system` is measured as `openssl_3.0.19`: names of folders tell the implementation.
fn results_folder(id: &str, identity: &Implementation) -> String {
    let word = id.split('_').next().unwrap_or(id);
    let parts = [word, identity.version.as_str()].map(str::to_owned);
    let all: Vec<String> = parts
        .into_iter()
        .chain(identity.variant.iter().cloned())
        .filter(|part| !part.is_empty())
        .collect();
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || "._+-".contains(c) {
            c
        } else {
            '-'
        }
    };
    all.join("_").chars().map(safe).collect()
}

//! A target becomes a program: its own copy of the sources, its own lock file, its own build
//! folder. Built once, and again only if sources, flags or compilers change.

use super::cargo::{self, Crate, Package};
use super::catalog::Target;
use super::{lock, needs, tree};
use crate::failure::{Failure, Result};
use crate::fs::{self, hex_digest};
use crate::implementation::Implementation;
use anyhow::{Context, anyhow};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where programs are built.
#[derive(Clone, Debug)]
pub struct Workshop {
    /// The runners' folder: `generator/runners`.
    pub runners: PathBuf,
    /// The builds' folder: `generator/target/run`.
    pub work: PathBuf,
}

/// A program that can measure.
#[derive(Clone, Debug)]
pub struct Built {
    /// Name of its folder of results: `openssl_3.0.19`.
    pub id: String,
    /// What it says of itself.
    pub identity: Implementation,
    /// The program.
    pub program: PathBuf,
    /// SHA-256 of the program.
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

/// The folder of the program that makes certificates.
const MAKER: &str = "certificates";

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

impl Workshop {
    /// Whether nothing has to be compiled for `target`.
    pub fn has(&self, target: &Target) -> bool {
        let key = self.key(&target.folder, &target.features, target.pin.as_ref());
        key.is_ok_and(|key| self.ready(&target.id, &key).is_some())
    }

    /// The folder of results of `target`: a program that is built tells its version.
    pub fn results(&self, target: &Target) -> String {
        let key = self.key(&target.folder, &target.features, target.pin.as_ref());
        let program = key.ok().and_then(|key| self.ready(&target.id, &key));
        let identity = program.and_then(|p| about(&p, &target.name()).ok());
        identity.map_or(target.id.clone(), |i| results_folder(&target.id, &i))
    }

    /// Tells what this system lacks to build `targets`, before the first of them is built.
    ///
    /// # Errors
    /// What is missing, and how to install it.
    pub fn check(&self, targets: &[Target]) -> Result<()> {
        let new: Vec<&Target> = targets.iter().filter(|t| !self.has(t)).collect();
        let needs = new.iter().flat_map(|t| t.needs.clone());
        match needs::missing(&needs.collect::<Vec<_>>()) {
            None => Ok(()),
            Some(missing) => {
                let names: Vec<String> = new.iter().map(|t| t.name()).collect();
                Err(anyhow!("{} cannot be built, {missing}", names.join(" and ")).into())
            }
        }
    }

    /// Builds `target`, and asks the program what it is.
    ///
    /// # Errors
    /// A missing tool, release or network, a failed build, or a program that is another than
    /// was asked for.
    pub fn build(&self, target: &Target) -> Result<Built> {
        let name = target.name();
        let program = self.compile(
            &target.id,
            &target.folder,
            &name,
            &target.features,
            target.pin.as_ref(),
        )?;
        let identity = about(&program, &name)?;
        agree(target, &identity)?;
        let source = self
            .work
            .join(&target.id)
            .join("source/runners")
            .join(&target.folder);
        let lock = source.join("Cargo.lock");
        let bytes = std::fs::read(&program)
            .with_context(|| format!("cannot read {}", program.display()))?;
        let krate = Crate {
            folder: &source,
            target: &self.work.join(&target.id).join("build"),
            log: &self.work.join(&target.id).join("build.log"),
            name: &name,
        };
        let packages = krate.packages(&target.features)?;
        Ok(Built {
            id: results_folder(&target.id, &identity),
            digest: hex_digest(&bytes),
            with: natives(&packages, &target.variant, &identity),
            features: target.features.clone(),
            url: target.url.clone(),
            identity,
            program,
            lock,
        })
    }

    /// Whether the maker of certificates has to be compiled.
    pub fn has_certificates(&self) -> bool {
        let key = self.key(MAKER, &[], None);
        key.is_ok_and(|key| self.ready(MAKER, &key).is_some())
    }

    /// The folder of the certificates that all programs use, made at the first time.
    ///
    /// # Errors
    /// The program that makes them does not build, or fails.
    pub fn certificates(&self) -> Result<PathBuf> {
        let program = self.compile(MAKER, MAKER, "the maker of certificates", &[], None)?;
        let chains = self.work.join(MAKER).join("chains");
        if chains.is_dir() {
            return Ok(chains);
        }
        let made = self.work.join(MAKER).join("chains.new");
        tree::remove(&made)?;
        tree::create(&made)?;
        let output = Command::new(&program)
            .arg(&made)
            .output()
            .with_context(|| format!("cannot run {}", program.display()))?;
        if !output.status.success() {
            let says = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(anyhow!("no certificates could be made: {}", says.trim()).into());
        }
        std::fs::rename(&made, &chains)
            .with_context(|| format!("cannot rename {}", made.display()))?;
        Ok(chains)
    }

    fn compile(
        &self,
        id: &str,
        folder: &str,
        name: &str,
        features: &[String],
        pin: Option<&(String, String)>,
    ) -> Result<PathBuf> {
        let key = self.key(folder, features, pin)?;
        if let Some(program) = self.ready(id, &key) {
            return Ok(program);
        }
        let place = self.work.join(id);
        let (source, build) = (place.join("source"), place.join("build"));
        tree::create(&place)?;
        // A build that is interrupted must not look ready, and chains belong to their maker.
        tree::remove(&place.join("ready"))?;
        tree::remove(&place.join("chains"))?;
        for (name, folder) in self.sources() {
            tree::copy(&folder, &source.join(name))?;
        }
        let log = place.join("build.log");
        cargo::new_log(&log)?;
        let krate = Crate {
            folder: &source.join("runners").join(folder),
            target: &build,
            log: &log,
            name,
        };
        let pinned = pin.map_or(Ok(()), |(package, version)| krate.pin(package, version));
        if let Err(Failure::Usage(_)) = &pinned {
            // There is no such release, so nobody will want its folder.
            tree::remove(&place)?;
        }
        pinned?;
        let program = krate.build(features)?;
        let ready = format!("{key}\n{}\n", program.display());
        tree::write(&place.join("ready"), ready.as_bytes())?;
        Ok(program)
    }

    fn ready(&self, id: &str, key: &str) -> Option<PathBuf> {
        let text = std::fs::read_to_string(self.work.join(id).join("ready")).ok()?;
        let (of, program) = text.trim_end().split_once('\n')?;
        (of == key)
            .then(|| PathBuf::from(program))
            .filter(|program| program.is_file())
    }

    /// The folders that a build reads, and their names in its copy: the runners, and beside them
    /// the crate of scenarios, which `generator/runners/harness` depends on.
    fn sources(&self) -> impl Iterator<Item = (&'static str, PathBuf)> {
        let scenario = self.runners.with_file_name("scenario");
        [("runners", self.runners.clone()), ("scenario", scenario)]
            .into_iter()
            .filter(|(_, folder)| folder.is_dir())
    }

    /// Digest of all that a build depends on.
    fn key(
        &self,
        folder: &str,
        features: &[String],
        pin: Option<&(String, String)>,
    ) -> Result<String> {
        let mut all = format!("{folder} {features:?} {pin:?} {}\n", cargo::rustc());
        for flag in FLAGS {
            all += &format!("{flag}={:?}\n", env::var_os(flag));
        }
        for (name, folder) in self.sources() {
            for (path, bytes) in tree::sources(&folder)? {
                all += &format!("{} {name}/{}\n", hex_digest(&bytes), path.display());
            }
        }
        Ok(hex_digest(all.as_bytes()))
    }
}

impl Target {
    /// For messages: `rustls 0.23.43 (ring)`.
    pub fn name(&self) -> String {
        let version = self.version.as_ref().map(|v| format!(" {v}"));
        let variant = Some(self.variant.join("+")).filter(|v| !v.is_empty());
        format!(
            "{}{}{}",
            self.implementation,
            version.unwrap_or_default(),
            variant.map_or(String::new(), |v| format!(" ({v})"))
        )
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
fn agree(target: &Target, identity: &Implementation) -> Result<()> {
    let version = target.version.as_ref().map(ToString::to_string);
    let same = identity.name == target.implementation
        && version.is_none_or(|v| v == identity.version)
        && identity.variant == target.variant;
    if same {
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
    let parts = [word, &identity.version].map(str::to_owned);
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

/// The native code in a program (packages that link some), and the providers that its variant
/// names, with their versions.
fn natives(packages: &[Package], variant: &[String], identity: &Implementation) -> Vec<String> {
    let counts = |p: &&Package| {
        (p.links || variant.contains(&p.name)) && !p.name.eq_ignore_ascii_case(&identity.name)
    };
    let names = packages.iter().filter(counts);
    names.map(|p| format!("{} {}", p.name, p.version)).collect()
}

/// Digest of a lock file, and its text.
///
/// # Errors
/// It cannot be read, or is none.
pub fn lock_file(path: &Path) -> Result<(String, Vec<u8>)> {
    let bytes = fs::read_optional(path)?.unwrap_or_default();
    lock::packages(path, &bytes)?;
    Ok((hex_digest(&bytes), bytes))
}

//! A program that can measure, and what it says it is.

use super::cargo::{Artifacts, Dependency};
use super::excerpt;
use super::process::output;
use super::target::Target;
use crate::failure::Result;
use crate::fs::{hex_digest, read_whole};
use crate::implementation::{Implementation, variant_parts};
use anyhow::anyhow;
use jiff::civil::Date;
use std::path::{Path, PathBuf};

/// A program that was built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Name of its folder of results: `openssl_3.0.19`.
    pub(crate) id: String,
    pub(crate) identity: Implementation,
    /// As it calls itself: without the revision of sources that are no release.
    pub(crate) said: Implementation,
    /// What it is built of.
    pub(crate) target: Target,
    /// The day of its publication, by the program itself or by the index of its package.
    pub(crate) released: Option<Date>,
    pub(crate) path: PathBuf,
    pub(crate) digest: String,
    pub(crate) lock: PathBuf,
    /// Native libraries and providers in it: `aws-lc-rs 1.19.0`.
    pub(crate) with: Vec<String>,
}

/// How the folder of results of a control ends.
pub(crate) const CONTROL: &str = "_control";

impl Program {
    /// Asks a program what it is, which must be what `target` is.
    pub(super) fn new(target: &Target, built: Artifacts, lock: PathBuf) -> Result<Self> {
        let path = built.program;
        let (said, released) = about(&path, target)?;
        let identity = match &target.sources {
            None => said.clone(),
            Some(sources) => Implementation {
                version: sources.shown(&said.version),
                ..said.clone()
            },
        };
        check_identity(target, &identity)?;
        let is_shown = |package: &&Dependency| {
            (package.is_native || target.variant.contains(&package.name))
                && !package.name.eq_ignore_ascii_case(&identity.name)
        };
        let with = built.packages.iter().filter(is_shown);
        Ok(Self {
            id: results_folder(target, &identity),
            digest: hex_digest(&read_whole(&path)?),
            with: with.map(|p| format!("{} {}", p.name, p.version)).collect(),
            released: target
                .released
                .filter(|_| target.sources.is_some())
                .or(released)
                .or(target.released),
            target: target.clone(),
            lock,
            said,
            identity,
            path,
        })
    }

    /// The same program under another name, for what two measurements of it differ by.
    pub(crate) fn control(&self) -> Self {
        Self {
            id: control_id(&self.id),
            identity: self.identity.control(),
            ..self.clone()
        }
    }
}

/// Name of the folder of results of a control.
pub(crate) fn control_id(id: &str) -> String {
    format!("{id}{CONTROL}")
}

/// What `--about` says: `name,version,variant`, and the day of the release if the library tells it.
fn about(program: &Path, target: &Target) -> Result<(Implementation, Option<Date>)> {
    let output = output(program, ["--about".as_ref()])?;
    let text = excerpt(String::from_utf8_lossy(&output.output).trim_end());
    let cells: Vec<&str> = text.split(',').collect();
    let (library, version, variant, released) = match cells.as_slice() {
        _ if !output.status.success() => Default::default(),
        [library, version, variant] => (*library, *version, *variant, ""),
        [library, version, variant, released] => (*library, *version, *variant, *released),
        _ => Default::default(),
    };
    let day = (!released.is_empty()).then(|| released.parse()).transpose();
    match (library, day) {
        ("", _) | (_, Err(_)) => Err(anyhow!(
            "the program of {} does not say what it is: `--about` printed `{text}`",
            target.name()
        )
        .into()),
        (library, Ok(day)) => {
            let implementation = Implementation::new(library, version, &variant_parts(variant));
            Ok((implementation, day))
        }
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

//! A measuring program, and the implementation that it reports.

use super::cargo::{Artifacts, Dependency};
use super::excerpt;
use super::process::output;
use super::target::Target;
use crate::base::failure::Result;
use crate::files::{hex_digest, read_whole};
use crate::model::implementation::{Implementation, variant_parts};
use anyhow::Context;
use jiff::civil::Date;
use std::path::{Path, PathBuf};

/// A program that was built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Name of its results folder: `openssl_3.0.19`.
    pub(crate) id: String,
    pub(crate) identity: Implementation,
    /// The target that it was built for.
    pub(crate) target: Target,
    /// Release day, from the program itself or the package's index.
    pub(crate) released: Option<Date>,
    pub(crate) path: PathBuf,
    pub(crate) digest: String,
    pub(crate) lock: PathBuf,
    /// Its native libraries and providers: `aws-lc-rs 1.19.0`.
    pub(crate) with: Vec<String>,
}

/// Suffix of a control's results folder.
pub(crate) const CONTROL: &str = "_control";

impl Program {
    /// Asks a program what it is, and fails unless it is the implementation of `target`.
    pub(super) fn new(target: &Target, built: Artifacts, lock: PathBuf) -> Result<Self> {
        let path = built.program;
        let (reported, released) = about(&path, target)?;
        let identity = match target.sources() {
            None => reported,
            Some(sources) => Implementation {
                version: sources.shown(&reported.version),
                ..reported
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
                .filter(|_| target.sources().is_some())
                .or(released)
                .or(target.released),
            target: target.clone(),
            lock,
            identity,
            path,
        })
    }

    /// Whether it is the same program as another.
    pub(crate) fn is_control(&self) -> bool {
        self.id.ends_with(CONTROL)
    }

    /// The same program under another name. Measured as a control, it shows the difference between
    /// two measurements of one program.
    pub(crate) fn control(&self) -> Self {
        Self {
            id: control_id(&self.id),
            identity: self.identity.control(),
            ..self.clone()
        }
    }
}

/// Name of a control's results folder.
pub(crate) fn control_id(id: &str) -> String {
    format!("{id}{CONTROL}")
}

/// Runs `--about`, which prints `name,version,variant` and, if the library has it, the release day.
fn about(program: &Path, target: &Target) -> Result<(Implementation, Option<Date>)> {
    let output = output(program, ["--about".as_ref()])?;
    let text = excerpt(String::from_utf8_lossy(&output.output).trim_end());
    let about = parse_about(&text).filter(|_| output.status.success());
    let name = target.name();
    Ok(about.with_context(|| {
        format!("the program of {name} does not identify itself: `--about` printed `{text}`")
    })?)
}

fn parse_about(text: &str) -> Option<(Implementation, Option<Date>)> {
    let (cells, released) = match text.splitn(4, ',').collect::<Vec<_>>()[..] {
        [library, version, variant] => ([library, version, variant], ""),
        [library, version, variant, released] => ([library, version, variant], released),
        _ => return None,
    };
    let day = match (released, released.parse()) {
        ("", _) => None,
        (_, Ok(day)) => Some(day),
        (_, Err(_)) => return None,
    };
    let [library, version, variant] = cells;
    let identity = Implementation::new(library, version, &variant_parts(variant));
    (!library.is_empty()).then_some((identity, day))
}

/// Fails if the program is not the implementation of `target`, as after a wrong pin.
fn check_identity(target: &Target, identity: &Implementation) -> anyhow::Result<()> {
    // For sources without a version, the program reports it.
    let is_known = target
        .sources()
        .is_none_or(|sources| sources.version.is_some());
    let version = target.version.as_ref().filter(|_| is_known);
    let is_same = identity.name == target.implementation
        && version.is_none_or(|version| *version == identity.version)
        && identity.variant == target.variant;
    let name = target.name();
    anyhow::ensure!(
        is_same,
        "{name} was requested, but the program reports {identity}: nothing is measured under a wrong name"
    );
    Ok(())
}

/// Names the results folder by the reported version: `openssl_3.0.19` for `openssl_system`.
fn results_folder(target: &Target, identity: &Implementation) -> String {
    let word = target.id.split('_').next().unwrap_or(&target.id);
    let variant = identity.variant.iter().map(String::as_str);
    let parts = [word, identity.version.as_str()].into_iter().chain(variant);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_unsafe = |c: char| !c.is_ascii_alphanumeric() && !"._+-".contains(c);
    parts.join("_").replace(is_unsafe, "-")
}

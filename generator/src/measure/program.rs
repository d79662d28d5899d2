//! A measuring program, and the implementation that it reports.

use super::build::Built;
use super::cargo::Dependency;
use super::excerpt;
use super::process::{QUICK, printed};
use super::record::CONTROL;
use super::release;
use super::target::Target;
use crate::base::failure::Result;
use crate::model::implementation::Implementation;
use anyhow::{Context, ensure};
use jiff::civil::Date;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

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

impl Program {
    /// Asks a program what it is, and fails unless it is the implementation of `target`.
    pub(super) fn new(target: &Target, built: Built, lock: PathBuf) -> Result<Self> {
        let path = built.program;
        let (mut identity, reported) = about(&path, target)?;
        let listed = target.dates.get(identity.version.as_str()).copied();
        let mut released = reported.or(listed).or(target.released);
        if let Some(sources) = target.sources() {
            identity.version = sources.shown(&identity.version);
            released = sources.state.day.or(reported);
        }
        check_identity(target, &identity)?;
        if released.is_none() {
            released = published(target, &built.packages)?;
        }
        for part in &mut identity.variant {
            let mut packages = built.packages.iter();
            let named = packages.find(|package| package.name == *part);
            if let Some(package) = named.filter(|_| target.as_released.contains(part)) {
                *part = format!("{part} {}", package.version);
            }
        }
        let mut with = Vec::new();
        for Dependency {
            name,
            version,
            is_native,
            ..
        } in &built.packages
        {
            let is_shown = *is_native || target.identity.variant.contains(name);
            if is_shown && !name.eq_ignore_ascii_case(&identity.name) {
                with.push(format!("{name} {version}"));
            }
        }
        Ok(Self {
            id: results_folder(target, &identity),
            digest: built.digest,
            target: target.clone(),
            identity,
            released,
            lock,
            path,
            with,
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

/// Returns the day on which the target's package was published. The build has fetched its index.
fn published(target: &Target, built: &BTreeSet<Dependency>) -> Result<Option<Date>> {
    let named = |package: &&Dependency| target.package.as_ref() == Some(&package.name);
    let Some(package) = built.iter().find(named) else {
        return Ok(None);
    };
    let known = release::kept(&package.name)?.into_iter();
    let mut known = known.filter(|known| known.package == package.version);
    Ok(known.find_map(|known| known.released))
}

/// Name of a control's results folder.
pub(crate) fn control_id(id: &str) -> String {
    format!("{id}{CONTROL}")
}

/// Runs `--about`, which prints `name,version,variant` and, if the library has it, the release day.
fn about(program: &Path, target: &Target) -> Result<(Implementation, Option<Date>)> {
    let text = printed(Command::new(program).arg("--about"), QUICK);
    let text = text.map_err(|stop| stop.fatal(format!("{}: ", program.display())))?;
    let text = excerpt(text.trim_end());
    let name = target.name();
    Ok(parse_about(&text).with_context(|| {
        format!("the program of {name} does not identify itself: `--about` printed `{text}`")
    })?)
}

fn parse_about(text: &str) -> anyhow::Result<(Implementation, Option<Date>)> {
    let mut cells = text.splitn(4, ',');
    let mut cell = || cells.next().context("something is missing");
    let (library, version, variant) = (cell()?, cell()?, cell()?);
    ensure!(!library.is_empty(), "it has no name");
    let released = match cells.next() {
        None | Some("") => None,
        Some(day) => Some(day.parse()?),
    };
    Ok((Implementation::new(library, version, &[variant]), released))
}

/// Fails if the program is not the implementation of `target`, as after a wrong pin.
fn check_identity(target: &Target, identity: &Implementation) -> anyhow::Result<()> {
    let wanted = &target.identity;
    // The program reports that of the system's library.
    let is_unknown = wanted.version.as_str().is_empty();
    ensure!(
        identity.name == wanted.name
            && identity.variant == wanted.variant
            && (is_unknown || identity.version == wanted.version),
        "{wanted} was requested, but the program reports {identity}: nothing is measured under a wrong name"
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

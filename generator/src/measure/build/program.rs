//! A measuring program, and the implementation that it reports.

use crate::base::failure::Result;
use crate::files;
use crate::measure::cargo::{self, Package};
use crate::measure::excerpt;
use crate::measure::git::Sources;
use crate::measure::libraries::release;
use crate::measure::libraries::target::Target;
use crate::measure::process::{QUICK, run, success};
use crate::measure::records::record::{Record, control_id};
use crate::model::implementation::Implementation;
use anyhow::anyhow;
use jiff::civil::Date;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that was built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Name of its results folder: `openssl_3.0.19`.
    pub(crate) id: String,
    /// What it was built for, with the version and the release day that are known since.
    pub(crate) target: Target,
    pub(crate) path: PathBuf,
    /// The options with which the library was compiled, if the program says them.
    pub(crate) options: Option<String>,
    /// Its native libraries and providers: `aws-lc-rs 1.19.0`.
    pub(crate) with: Vec<String>,
}

impl Program {
    /// Asks a program what it is, and fails unless it is the implementation of `target`.
    pub(super) fn new(target: &Target, path: PathBuf, packages: &[Package]) -> Result<Self> {
        let (mut identity, reported, options) = about(&path, target)?;
        let dates = &target.library.dates;
        let listed = dates.get(identity.version.as_str()).copied();
        let mut released = reported.or(listed).or(target.released);
        if let Some(sources) = &target.sources {
            identity.version = sources.shown(&identity.version);
            released = sources.day.or(reported);
        }
        let wanted = &target.identity;
        // The program reports the version of the system's library.
        let has_version = wanted.version.as_str().is_empty() || identity.version == wanted.version;
        if identity.name != wanted.name || identity.variant != wanted.variant || !has_version {
            return Err(anyhow!(
                "{wanted} was requested, but the program reports {identity}: nothing is measured under a wrong name"
            )
            .into());
        }
        if released.is_none() {
            released = published(target, &path)?;
        }
        let mut with = Vec::new();
        for package in packages {
            let (name, shown) = (
                &package.name,
                format!("{} {}", package.name, package.version),
            );
            for part in &mut identity.variant {
                if part == name && target.as_released.contains(name) {
                    part.clone_from(&shown);
                }
            }
            // As packages of native libraries are called.
            let is_native = name.ends_with("-sys");
            let is_shown = is_native || wanted.variant.contains(name);
            if is_shown && !name.eq_ignore_ascii_case(&identity.name) {
                with.push(shown);
            }
        }
        Ok(Self {
            // By the version that it reports: `openssl_3.0.19` for `openssl_system`.
            id: (target.library).folder_name(identity.version.as_str(), &identity.variant),
            target: Target {
                identity,
                released,
                ..target.clone()
            },
            path,
            options,
            with,
        })
    }

    pub(crate) fn identity(&self) -> &Implementation {
        &self.target.identity
    }

    /// Adds it to the record of a folder. Fails if another build of it was measured before.
    pub(crate) fn add_to(&self, record: &mut Record, out: &Path) -> Result<()> {
        let digest = Some(files::digest_of_file(&self.path)?);
        let sources = self.target.sources.as_ref().map(Sources::describe);
        let change = "was measured with another build of the same release";
        record.add(out, &self.id, digest, sources, None, change)
    }

    /// The same program under another name. Measured as a control, it shows the difference between
    /// two measurements of one program.
    pub(crate) fn control(&self) -> Self {
        let mut control = self.clone();
        control.id = control_id(&self.id);
        control.target.identity = self.identity().control();
        control
    }
}

/// Returns the day on which the target's package in the lock file beside a program was published. The
/// build has fetched its index.
fn published(target: &Target, program: &Path) -> Result<Option<Date>> {
    let package = target.library.dated_package();
    let version = cargo::locked_version(&program.with_file_name(""), package)?;
    let mut known = package.map_or(Ok(Vec::new()), |package| release::kept(package))?;
    known.retain(|known| known.package == version);
    Ok(known.iter().find_map(|known| known.released))
}

/// What a program says that it is: with the day of release, and the options with which its library
/// was compiled.
type About = (Implementation, Option<Date>, Option<String>);

/// Runs `--about`, which prints `name,version,variant` and, if the library has it, the release day;
/// and perhaps a line of options.
fn about(program: &Path, target: &Target) -> Result<About> {
    let ended = run(Command::new(program).arg("--about"), QUICK);
    let text = ended.and_then(success);
    let text = text.map_err(|stop| stop.fatal(format!("{}: ", program.display())))?;
    let (text, more) = text.split_once('\n').unwrap_or((&text, ""));
    let options = more.trim_end().strip_prefix("options: ").map(excerpt);
    let text = excerpt(text);
    let cells: Vec<&str> = text.splitn(4, ',').collect();
    let day = cells.get(3).filter(|day| !day.is_empty());
    match (&cells[..], day.map(|day| day.parse()).transpose()) {
        ([name, version, variant, ..], Ok(released)) if !name.is_empty() => {
            let identity = Implementation::new(name, version, &[variant]);
            Ok((identity, released, options))
        }
        _ => Err(anyhow!(
            "the program of {} does not identify itself: `--about` printed `{text}`",
            target.name()
        )
        .into()),
    }
}

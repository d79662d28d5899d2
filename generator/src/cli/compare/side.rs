//! The sides that the arguments of `compare` name, `[LABEL=]PATH[:IMPLEMENTATION]`, grouped by
//! label.

use crate::base::failure::{self, Failure, Result};
use crate::base::group::group_by;
use crate::files::{self, exists, is_taken, walk};
use crate::parse::Declaration;
use crate::parse::criterion::Results;
use crate::report::{Declared, RECORD, Report, manifest, said};
use anyhow::Context;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// One side of a comparison.
#[derive(Debug)]
pub(super) struct ComparedSide {
    /// As the user named it.
    pub(super) label: String,
    /// Its runs; two sides of one folder share theirs.
    pub(super) report: Rc<Report>,
    /// The builds that the user named, or all.
    pub(super) builds: Vec<usize>,
}

/// One argument.
#[derive(Debug)]
pub(crate) struct SideArgument {
    pub(crate) label: String,
    pub(crate) path: PathBuf,
    /// The implementation to choose.
    pub(crate) selector: Option<String>,
}

/// The reports that were read, by path, name and baseline, so that each is read once, and both sides of
/// one folder are one report.
type Known = HashMap<(PathBuf, Option<String>, Option<String>), Rc<Report>>;

/// Loads the sides that the arguments name, the baseline first.
pub(super) fn sides(arguments: &[PathBuf], declared: &Declared) -> Result<Vec<ComparedSide>> {
    let all: Result<Vec<SideArgument>> = arguments
        .iter()
        .map(|one| SideArgument::parse(one))
        .collect();
    let all = all?;
    if all.iter().filter(|one| is_stdin(&one.path)).count() > 1 {
        let message = "only one side can be standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    let sides = group_by(&all, |one| &one.label).into_iter();
    let mut sides: Vec<Vec<&SideArgument>> = sides.map(|(_, side)| side).collect();
    // The same path twice without labels is compared with itself.
    if sides.len() == 1 {
        let label = &all[0].label;
        if all.iter().any(|one| Path::new(label) != one.path) {
            return Err(Failure::Usage(format!(
                "everything is labelled {label}: there is nothing to compare it with"
            )));
        }
        sides = vec![vec![&all[0]]; 2];
    }
    let mut known = Known::new();
    failure::all(sides.iter().map(|side| load(side, declared, &mut known)))
}

/// Loads the runs of one side.
fn load(side: &[&SideArgument], declared: &Declared, known: &mut Known) -> Result<ComparedSide> {
    let label = side[0].label.clone();
    let mut declared = declared.clone();
    if side.len() > 1 && declared.name.is_none() {
        // Folders under one label are one implementation, if they do not name theirs.
        declared.name = Some(label.clone());
    }
    let (mut seen, mut all) = (HashMap::new(), Vec::new());
    for one in side {
        let (report, builds) = one.load(&declared, known)?;
        // Runs that count twice make noise look like certainty.
        for source in report.sources.iter().filter(|_| side.len() > 1) {
            let file = whole(&source.path)?;
            for build in &builds {
                let key = (file.clone(), report.build(*build).clone());
                if let Some(other) = seen.insert(key, &one.path) {
                    let (one, other) = (one.path.display(), other.display());
                    return Err(Failure::Usage(format!(
                        "{other} and {one} hold the same runs, which would count twice"
                    )));
                }
            }
        }
        all.push((report, builds));
    }
    if all.len() == 1 {
        let (report, builds) = all.remove(0);
        return Ok(ComparedSide {
            label,
            report,
            builds,
        });
    }
    let parts = all
        .iter()
        .map(|(report, builds)| (&**report, builds.clone()));
    let report = Rc::new(Report::joined(&Vec::from_iter(parts)));
    Ok(ComparedSide {
        label,
        builds: (0..report.builds.len()).collect(),
        report,
    })
}

impl SideArgument {
    /// Parses an argument. File names may contain `=` and `:`, so anything that exists is a path:
    /// first the whole argument, then what follows a label, then what precedes a colon.
    pub(crate) fn parse(argument: &Path) -> Result<Self> {
        let text = argument.to_string_lossy();
        let (label, place) = match text.split_once('=') {
            // A label has no slash.
            Some((label, place))
                if !label.is_empty() && !label.contains('/') && !exists(argument)? =>
            {
                (label, place)
            }
            _ => (&*text, &*text),
        };
        let is_there = |path: &str| Ok::<_, Failure>(path == "-" || exists(Path::new(path))?);
        let (mut path, mut selector) = (place, None);
        for (at, _) in place.match_indices(':') {
            if !is_there(path)? && is_there(&place[..at])? {
                (path, selector) = (&place[..at], Some(place[at + 1..].to_owned()));
            }
        }
        Ok(Self {
            label: label.to_owned(),
            path: path.into(),
            selector,
        })
    }

    /// Returns the report, which may be known, and the builds of it that the argument names: a baseline of
    /// criterion's, or the implementations that match.
    fn load(&self, declared: &Declared, known: &mut Known) -> Result<(Rc<Report>, Vec<usize>)> {
        let (mut path, mut selector) = (&*self.path, self.selector.clone());
        let mut machine = None;
        if !is_stdin(path) && !is_taken(&path.join("report.toml"))? {
            let above = folder_above(path);
            if let Some(report) = manifest(above)? {
                // A folder that a measured report declares is an implementation of that report,
                // which has its pairs and controls.
                let is_measured = report.paired || exists(&above.join(RECORD))?;
                let name = files::file_name(path);
                let is_own = |one: &&Declaration| {
                    let files = one.files.iter().map(|at| at.value.0.trim_end_matches('/'));
                    files.eq([&*name]) && one.implementation.controlled().is_none()
                };
                let own = report.declarations.iter().find(is_own);
                if let Some(own) = own.filter(|_| is_measured && selector.is_none()) {
                    (path, selector) = (above, Some(own.implementation.to_string()));
                }
                machine = report.machine;
            }
        }
        let found = match selector.is_some() && !is_stdin(path) {
            true => walk(path)?,
            false => Vec::new(),
        };
        let mut declared = declared.clone();
        if !Results::of(&found, selector.as_deref()).wanted.is_empty() {
            declared.baseline = selector.take();
        }
        let key = (
            whole(path)?,
            declared.name.clone(),
            declared.baseline.clone(),
        );
        let report = match known.get(&key) {
            Some(report) => Rc::clone(report),
            None => {
                let mut report = said(Report::load(path, &declared)?);
                report.manifest.machine = report.manifest.machine.take().or(machine);
                let report = Rc::new(report);
                known.insert(key, Rc::clone(&report));
                report
            }
        };
        let builds = match &selector {
            None => (0..report.builds.len()).collect(),
            Some(selector) => report.find(selector),
        };
        if builds.is_empty() {
            let (path, selector) = (path.display(), selector.unwrap_or_default());
            let baselines = Results::of(&found, None).baselines;
            let baselines: Vec<String> = baselines.into_iter().collect();
            let there = match baselines.is_empty() {
                true => report.list(),
                false => format!("the baselines {}", baselines.join(", ")),
            };
            return Err(Failure::Usage(format!(
                "{path} has no {selector}; it has {there}"
            )));
        }
        Ok((report, builds))
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn folder_above(path: &Path) -> &Path {
    let above = path.parent().filter(|above| *above != Path::new(""));
    above.unwrap_or(Path::new("."))
}

/// Returns one path of each place, however the user named it.
fn whole(path: &Path) -> Result<PathBuf> {
    if is_stdin(path) {
        return Ok(path.to_owned());
    }
    let whole = std::fs::canonicalize(path);
    Ok(whole.with_context(|| files::cannot_read(path))?)
}

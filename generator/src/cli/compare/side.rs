//! The sides that the arguments of `compare` name, `[LABEL=]PATH[:IMPLEMENTATION]`, grouped by
//! label.

use crate::base::failure::{self, Failure, Result};
use crate::files::{self, exists, is_taken, walk};
use crate::parse::criterion::Results;
use crate::parse::{Declaration, Manifest};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SideArgument {
    pub(crate) label: String,
    pub(crate) path: PathBuf,
    /// The implementation to choose.
    pub(crate) selector: Option<String>,
}

/// Loads the sides that the arguments name, the baseline first.
pub(super) fn sides(arguments: &[PathBuf], declared: &Declared) -> Result<Vec<ComparedSide>> {
    let sources = arguments.iter().map(|a| SideArgument::parse(a));
    let sources: Vec<SideArgument> = sources.collect::<Result<_>>()?;
    if sources.iter().filter(|s| is_stdin(&s.path)).count() > 1 {
        return Err(Failure::Usage(
            "only one side can be standard input".to_owned(),
        ));
    }
    let mut sides: Vec<Vec<&SideArgument>> = Vec::new();
    for source in &sources {
        match sides.iter_mut().find(|side| side[0].label == source.label) {
            Some(side) => side.push(source),
            None => sides.push(vec![source]),
        }
    }
    // The same path twice without labels is compared with itself.
    if sides.len() == 1 {
        let label = &sources[0].label;
        if sources.iter().any(|s| Path::new(label) != s.path) {
            return Err(Failure::Usage(format!(
                "everything is labelled {label}: there is nothing to compare it with"
            )));
        }
        sides = vec![vec![&sources[0]]; 2];
    }
    let mut known = Known::new();
    let sides = sides.iter();
    failure::all(sides.map(|sources| side(sources, declared, &mut known)))
}

/// The reports that were read, by path, name and baseline, so that each is read once, and both sides of
/// one folder are one report.
type Known = HashMap<(PathBuf, Option<String>, Option<String>), Rc<Report>>;

impl SideArgument {
    /// Parses an argument. File names may contain `=` and `:`, so anything that exists is a path:
    /// first the whole argument, then what follows a label, then what precedes a colon.
    pub(crate) fn parse(argument: &Path) -> Result<Self> {
        let text = argument.to_string_lossy();
        let side = |label: &str, path: &Path, selector: Option<&str>| Self {
            label: label.to_owned(),
            path: path.to_owned(),
            selector: selector.map(str::to_owned),
        };
        if is_stdin_or_exists(argument)? {
            return Ok(side(&text, argument, None));
        }
        let (label, place) = match text.split_once('=') {
            // A label has no slash.
            Some((label, place)) if !label.is_empty() && !label.contains('/') => (label, place),
            _ => (&*text, &*text),
        };
        let path = Path::new(place);
        if is_stdin_or_exists(path)? {
            return Ok(side(label, path, None));
        }
        for (at, _) in place.match_indices(':') {
            let before = Path::new(&place[..at]);
            if is_stdin_or_exists(before)? {
                return Ok(side(label, before, Some(&place[at + 1..])));
            }
        }
        // Loading what does not exist reports what is wrong.
        Ok(side(label, path, None))
    }

    /// Returns a folder that a report of `run` or of paired runs declares as one implementation as
    /// REPORT:IMPLEMENTATION, which has their pairs and controls; any other argument as it is.
    fn in_report(&self) -> Result<Self> {
        let is_report = is_taken(&self.path.join("report.toml"))?;
        if self.selector.is_some() || is_report || is_stdin(&self.path) {
            return Ok(self.clone());
        }
        let above = self.path.parent().filter(|above| *above != Path::new(""));
        let above = above.unwrap_or(Path::new("."));
        let is_measured = exists(&above.join(RECORD))?;
        let is_whole = |report: &Manifest| report.paired || is_measured;
        let Some(report) = manifest(above)?.filter(is_whole) else {
            return Ok(self.clone());
        };
        let name = files::file_name(&self.path);
        let is_own = |declared: &&Declaration| match &*declared.files {
            [only] if declared.implementation.controlled().is_none() => {
                only.value.0.trim_end_matches('/') == name
            }
            _ => false,
        };
        let declared = report.declarations.iter().find(is_own);
        Ok(declared.map_or_else(
            || self.clone(),
            |declared| Self {
                label: self.label.clone(),
                path: above.to_owned(),
                selector: Some(declared.implementation.to_string()),
            },
        ))
    }

    /// Returns the machine that the nearest `report.toml` above names.
    fn machine(&self) -> Result<Option<String>> {
        for folder in self.path.ancestors().filter(|_| !is_stdin(&self.path)) {
            if let Some(manifest) = manifest(folder)? {
                return Ok(manifest.machine);
            }
        }
        Ok(None)
    }

    /// Returns its report, which may be known, and the builds of it that it names: a baseline of
    /// criterion's, or the implementations that match.
    fn load(&self, declared: &Declared, known: &mut Known) -> Result<(Rc<Report>, Vec<usize>)> {
        let files = match self.selector.is_some() && !is_stdin(&self.path) {
            true => walk(&self.path)?,
            false => Vec::new(),
        };
        let selector = self.selector.as_deref();
        let baseline = selector.filter(|name| Results::of(&files, Some(name)).has_wanted());
        let declared = Declared {
            baseline: baseline.map(str::to_owned),
            ..declared.clone()
        };
        let key = (
            whole(&self.path)?,
            declared.name.clone(),
            declared.baseline.clone(),
        );
        let report = match known.get(&key) {
            Some(report) => Rc::clone(report),
            None => {
                let mut report = said(Report::load(&self.path, &declared)?);
                if report.manifest.machine.is_none() {
                    report.manifest.machine = self.machine()?;
                }
                let report = Rc::new(report);
                known.insert(key, Rc::clone(&report));
                report
            }
        };
        let builds = match selector.filter(|_| baseline.is_none()) {
            None => (0..report.builds.len()).collect(),
            Some(selector) => report.find(selector),
        };
        if builds.is_empty() {
            let (path, selector) = (self.path.display(), selector.unwrap_or("figure"));
            let there = match &*Results::of(&files, None).baselines() {
                [] => report.list(),
                baselines => format!("the baselines {}", baselines.join(", ")),
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

/// Returns one path of each place, however the user named it.
fn whole(path: &Path) -> Result<PathBuf> {
    if is_stdin(path) {
        return Ok(path.to_owned());
    }
    let whole = std::fs::canonicalize(path);
    Ok(whole.with_context(|| files::cannot_read(path))?)
}

fn is_stdin_or_exists(path: &Path) -> Result<bool> {
    Ok(is_stdin(path) || exists(path)?)
}

fn side(sources: &[&SideArgument], declared: &Declared, known: &mut Known) -> Result<ComparedSide> {
    let label = &sources[0].label;
    let is_joined = sources.len() > 1;
    let mut declared = declared.clone();
    if is_joined && declared.name.is_none() {
        // Folders under one label are one implementation, if they do not name theirs.
        declared.name = Some(label.clone());
    }
    let mut loaded: Vec<(PathBuf, Rc<Report>, Vec<usize>)> = Vec::new();
    for source in sources {
        let source = match is_joined {
            true => (*source).clone(),
            false => source.in_report()?,
        };
        let (report, builds) = source.load(&declared, known)?;
        refuse_the_same_runs(&loaded, &source.path, &report, &builds)?;
        loaded.push((source.path, report, builds));
    }
    let (report, builds) = match &*loaded {
        [(_, report, builds)] => (Rc::clone(report), builds.clone()),
        several => {
            let reports = several
                .iter()
                .map(|(_, report, builds)| report.only(builds));
            let report = Report::joined(reports.collect());
            let builds = (0..report.builds.len()).collect();
            (Rc::new(report), builds)
        }
    };
    Ok(ComparedSide {
        label: label.clone(),
        report,
        builds,
    })
}

impl ComparedSide {
    /// The only build of a side, or of one release in several variants the one that stands for the library.
    pub(super) fn representative(&self) -> Option<usize> {
        let (report, builds) = (&self.report, &self.builds);
        let first = report.build(*builds.first()?);
        if builds.len() == 1 {
            return builds.first().copied();
        }
        let mut defaults = report.defaults().into_iter();
        let default = defaults.find(|build| builds.contains(build))?;
        let is_one_release = builds.iter().all(|b| report.build(*b).is_release(first));
        is_one_release.then(|| {
            let taken = report.build(default).selector();
            crate::inform!(
                "note: {} has {} variants, of which {taken} is compared, as on pages",
                self.label,
                builds.len()
            );
            default
        })
    }
}

/// Fails if the same runs are named twice, which makes noise look like certainty.
fn refuse_the_same_runs(
    before: &[(PathBuf, Rc<Report>, Vec<usize>)],
    path: &Path,
    report: &Report,
    builds: &[usize],
) -> Result<()> {
    for (other, other_report, others) in before {
        let is_own = |build: &&usize| {
            let mut builds = builds.iter();
            builds.any(|one| report.build(*one) == other_report.build(**build))
        };
        let (one, two) = (whole(path)?, whole(other)?);
        let is_below = one.starts_with(&two) || two.starts_with(&one);
        if let Some(shared) = others.iter().find(is_own).filter(|_| is_below) {
            return Err(Failure::Usage(format!(
                "{} and {} hold the same runs of {}, which would count twice",
                other.display(),
                path.display(),
                other_report.build(*shared)
            )));
        }
    }
    Ok(())
}

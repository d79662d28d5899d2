//! The sides that the arguments of `compare` name, `[LABEL=]PATH[:IMPLEMENTATION]`, grouped by
//! label.

use crate::base::failure::{self, Failure, Result};
use crate::cli::programs::above;
use crate::files::{self, exists, is_taken, walk};
use crate::parse::Declaration;
use crate::parse::criterion::Results;
use crate::report::{Declared, Report, manifest, said};
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
    /// Where all of it is from, if it is one place.
    pub(super) path: Option<PathBuf>,
    /// The distinct machines that `report.toml` files name.
    pub(super) machines: Vec<String>,
}

/// One argument.
#[derive(Debug, PartialEq, Eq)]
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

/// A report, and its builds that were asked for.
type Chosen = (Rc<Report>, Vec<usize>);

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

    /// Returns a folder that a report of paired runs declares as one implementation as
    /// REPORT:IMPLEMENTATION, which has their pairs and controls.
    fn in_report(&self) -> Result<Option<Self>> {
        let is_report = is_taken(&self.path.join("report.toml"))?;
        if self.selector.is_some() || is_report || is_stdin(&self.path) {
            return Ok(None);
        }
        let above = above(&self.path);
        let Some(report) = manifest(above)?.filter(|report| report.paired) else {
            return Ok(None);
        };
        let name = files::file_name(&self.path);
        let is_own = |declared: &&Declaration| match &*declared.files {
            [only] if declared.implementation.controlled().is_none() => {
                only.value.0.trim_end_matches('/') == name
            }
            _ => false,
        };
        let declared = report.declarations.iter().find(is_own);
        Ok(declared.map(|declared| Self {
            label: self.label.clone(),
            path: above.to_owned(),
            selector: Some(declared.implementation.to_string()),
        }))
    }

    /// Returns the builds of its report that it names.
    fn builds(&self, report: &Report, baseline: Option<&str>) -> Result<Vec<usize>> {
        let Some(selector) = self.selector.as_ref().filter(|_| baseline.is_none()) else {
            return Ok((0..report.builds.len()).collect());
        };
        let builds = report.find(selector);
        if !builds.is_empty() {
            return Ok(builds);
        }
        let path = self.path.display();
        let baselines = match is_stdin(&self.path) {
            true => Vec::new(),
            false => Results::of(&walk(&self.path)?, None).baselines(),
        };
        let there = match baselines.as_slice() {
            [] => report.list(),
            baselines => format!("the baselines {}", baselines.join(", ")),
        };
        Err(Failure::Usage(format!(
            "{path} has no {selector}; it has {there}"
        )))
    }

    /// Returns the selector if it names one of criterion's baselines.
    fn baseline(&self) -> Result<Option<&str>> {
        let Some(selector) = self.selector.as_deref().filter(|_| !is_stdin(&self.path)) else {
            return Ok(None);
        };
        let files = walk(&self.path)?;
        let is_there = Results::of(&files, Some(selector)).has_wanted();
        Ok(Some(selector).filter(|_| is_there))
    }

    /// Returns the machine that the nearest `report.toml` names.
    fn machine(&self) -> Result<Option<String>> {
        for folder in self.path.ancestors().filter(|_| !is_stdin(&self.path)) {
            if let Some(manifest) = manifest(folder)? {
                return Ok(manifest.machine);
            }
        }
        Ok(None)
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

/// Loads the report of an argument, or returns the one that is known.
fn report(side: &SideArgument, declared: &Declared, known: &mut Known) -> Result<Rc<Report>> {
    let wanted = (
        whole(&side.path)?,
        declared.name.clone(),
        declared.baseline.clone(),
    );
    if let Some(report) = known.get(&wanted) {
        return Ok(Rc::clone(report));
    }
    let report = Rc::new(said(Report::load(&side.path, declared)?));
    known.insert(wanted, Rc::clone(&report));
    Ok(report)
}

fn side(sources: &[&SideArgument], declared: &Declared, known: &mut Known) -> Result<ComparedSide> {
    let in_report = match sources {
        [only] => only.in_report()?,
        _ => None,
    };
    let in_report = in_report.as_ref().map(|side| [side]);
    let sources = in_report.as_ref().map_or(sources, |side| side);
    let label = &sources[0].label;
    let mut loaded = Vec::new();
    for source in sources {
        let baseline = source.baseline()?;
        // Folders under one label are one implementation, if they do not name theirs.
        let name = match sources.len() > 1 && declared.name.is_none() {
            true => Some(label.clone()),
            false => declared.name.clone(),
        };
        let declared = Declared {
            name,
            baseline: baseline.map(str::to_owned),
            ..declared.clone()
        };
        let report = report(source, &declared, known)?;
        let builds = source.builds(&report, baseline)?;
        loaded.push((report, builds));
    }
    refuse_the_same_runs(sources, &loaded)?;
    let mut machines: Vec<String> = Vec::new();
    for source in sources {
        machines.extend(source.machine()?.filter(|m| !machines.contains(m)));
    }
    let path = match sources {
        [only] if !is_stdin(&only.path) => Some(whole(&only.path)?),
        _ => None,
    };
    let (report, builds) = match loaded.len() {
        1 => loaded.remove(0),
        _ => {
            let reports = loaded.iter().map(|(report, builds)| report.only(builds));
            let report = Report::joined(reports.collect());
            let builds = (0..report.builds.len()).collect();
            (Rc::new(report), builds)
        }
    };
    Ok(ComparedSide {
        label: label.clone(),
        report,
        builds,
        path,
        machines,
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
fn refuse_the_same_runs(sources: &[&SideArgument], loaded: &[Chosen]) -> Result<()> {
    let mut before: Vec<(PathBuf, &Path, &Chosen)> = Vec::new();
    for (SideArgument { path, .. }, own) in sources.iter().zip(loaded) {
        let whole = whole(path)?;
        for (other, other_path, (report, builds)) in &before {
            let is_own = |build: &&usize| {
                let mut own_builds = own.1.iter();
                own_builds.any(|one| own.0.build(*one) == report.build(**build))
            };
            let is_below = whole.starts_with(other) || other.starts_with(&whole);
            if let Some(shared) = builds.iter().find(is_own).filter(|_| is_below) {
                return Err(Failure::Usage(format!(
                    "{} and {} hold the same runs of {}, which would count twice",
                    other_path.display(),
                    path.display(),
                    report.build(*shared)
                )));
            }
        }
        before.push((whole, path, own));
    }
    Ok(())
}

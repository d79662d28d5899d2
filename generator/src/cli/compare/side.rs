//! The sides that the arguments of `compare` name, `[LABEL=]PATH[:IMPLEMENTATION]`, grouped by
//! label.

use crate::base::failure::{self, Failure, Result};
use crate::cli::arguments::Declared;
use crate::cli::read::{MORE_EXECUTIONS, dataset, has_few_runs, manifest, report, said};
use crate::files::{self, exists, is_taken, walk};
use crate::parse::Declaration;
use crate::parse::criterion::Results;
use crate::report::Dataset;
use crate::stats::Estimator;
use anyhow::Context;
use std::path::{Path, PathBuf};

/// One side of a comparison.
#[derive(Debug)]
pub(super) struct ComparedSide {
    /// As the user named it.
    pub(super) label: String,
    /// All its figures.
    pub(super) data: Dataset,
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
    failure::all(sides.iter().map(|side| ComparedSide::load(side, declared)))
}

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
        let Some(above) = self
            .path
            .parent()
            .filter(|_| self.selector.is_none() && !is_report)
        else {
            return Ok(None);
        };
        let above = if above == Path::new("") {
            Path::new(".")
        } else {
            above
        };
        let Some(report) = manifest(above)?.filter(|report| report.paired) else {
            return Ok(None);
        };
        let name = files::file_name(&self.path);
        for Declaration {
            files,
            implementation,
            ..
        } in report.declarations
        {
            if let [only] = &*files
                && only.value.0.trim_end_matches('/') == name
                && implementation.controlled().is_none()
            {
                return Ok(Some(Self {
                    label: self.label.clone(),
                    path: above.to_owned(),
                    selector: Some(implementation.to_string()),
                }));
            }
        }
        Ok(None)
    }

    fn load(&self, declared: &Declared) -> Result<Dataset> {
        let baseline = self.baseline()?;
        let data = if is_taken(&self.path.join("report.toml"))? {
            said(report(&self.path, declared))?.data
        } else {
            let paths = std::slice::from_ref(&self.path);
            dataset(paths, Estimator::default(), baseline, declared)?.without_controls()
        };
        let Some(selector) = self.selector.as_ref().filter(|_| baseline.is_none()) else {
            return Ok(data);
        };
        let columns = data.find(selector);
        if columns.is_empty() {
            let path = self.path.display();
            let baselines = match is_stdin(&self.path) {
                true => Vec::new(),
                false => Results::of(&walk(&self.path)?, None).baselines(),
            };
            let there = match baselines.as_slice() {
                [] => data.list(),
                baselines => format!("the baselines {}", baselines.join(", ")),
            };
            return Err(Failure::Usage(format!(
                "{path} has no {selector}; it has {there}"
            )));
        }
        Ok(data.only(&columns))
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
    let whole = std::fs::canonicalize(path);
    Ok(whole.with_context(|| format!("cannot resolve {}", path.display()))?)
}

fn is_stdin_or_exists(path: &Path) -> Result<bool> {
    Ok(is_stdin(path) || exists(path)?)
}

impl ComparedSide {
    fn load(sources: &[&SideArgument], declared: &Declared) -> Result<Self> {
        let in_report = match sources {
            [only] => only.in_report()?,
            _ => None,
        };
        let in_report = in_report.as_ref().map(|side| [side]);
        let sources = in_report.as_ref().map_or(sources, |side| side);
        // Folders under one label are one implementation, if they do not name theirs.
        let label = &sources[0].label;
        let is_labelled = sources.len() > 1 && declared.name.is_none();
        let labelled = Declared {
            name: Some(label.clone())
                .filter(|_| is_labelled)
                .or(declared.name.clone()),
            ..declared.clone()
        };
        let loaded = failure::all(sources.iter().map(|s| s.load(&labelled)))?;
        refuse_the_same_runs(sources, &loaded)?;
        let mut machines: Vec<String> = Vec::new();
        for source in sources {
            machines.extend(source.machine()?.filter(|m| !machines.contains(m)));
        }
        let mut data = Dataset::joined(loaded, Estimator::default());
        if !has_few_runs(&data) {
            data.notes.retain(|note| note != MORE_EXECUTIONS);
        }
        let path = match sources {
            [only] if !is_stdin(&only.path) => Some(whole(&only.path)?),
            _ => None,
        };
        Ok(Self {
            label: sources[0].label.clone(),
            data,
            path,
            machines,
        })
    }
}

/// Fails if the same runs are named twice, which makes noise look like certainty.
fn refuse_the_same_runs(sources: &[&SideArgument], loaded: &[Dataset]) -> Result<()> {
    let mut before: Vec<(PathBuf, &Path, &Dataset)> = Vec::new();
    for (SideArgument { path, .. }, data) in sources.iter().zip(loaded) {
        if is_stdin(path) {
            continue;
        }
        let whole = whole(path)?;
        for (other, other_path, other_data) in &before {
            let mut shared = other_data.implementations.iter();
            let shared = shared.find(|i| data.implementations.contains(i));
            if let Some(shared) = shared
                && (whole.starts_with(other) || other.starts_with(&whole))
            {
                return Err(Failure::Usage(format!(
                    "{} and {} hold the same runs of {shared}, which would count twice",
                    other_path.display(),
                    path.display()
                )));
            }
        }
        before.push((whole, path, data));
    }
    Ok(())
}

//! What the arguments of `compare` name: `[LABEL=]PATH[:IMPLEMENTATION]`, put together by label.

use crate::cmd::{dataset, ingest};
use crate::failure::{self, Failure, Result};
use crate::implementation::Implementation;
use crate::report::{Dataset, Manifest};
use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// The folder where a report may be named without its path.
const REPORTS: &str = "data";

/// One side of a comparison.
#[derive(Debug)]
pub(super) struct Side {
    /// As the user named it.
    pub(super) label: String,
    /// All its figures.
    pub(super) data: Dataset,
    /// The machines that `report.toml` files tell, each once.
    pub(super) machines: Vec<String>,
}

/// One argument.
#[derive(Debug, PartialEq, Eq)]
struct Source {
    label: String,
    path: PathBuf,
    /// Which implementation.
    selector: Option<String>,
}

/// The sides that the arguments name, the baseline first.
///
/// # Errors
/// Arguments that name nothing or too much, and the problems of all files together.
pub(super) fn sides(
    arguments: &[PathBuf],
    baseline: Option<&str>,
    quiet: bool,
) -> Result<Vec<Side>> {
    let sources: Vec<Source> = arguments
        .iter()
        .map(|a| Source::of(a))
        .collect::<Result<_>>()?;
    if sources.iter().filter(|s| s.path.as_os_str() == "-").count() > 1 {
        return Err(Failure::Usage(
            "only one side can be standard input".to_owned(),
        ));
    }
    let mut labels: Vec<&str> = Vec::new();
    for source in &sources {
        if !labels.contains(&source.label.as_str()) {
            labels.push(&source.label);
        }
    }
    if let Some(baseline) = baseline {
        let at = labels.iter().position(|l| *l == baseline).ok_or_else(|| {
            Failure::Usage(format!(
                "no side is called {baseline}; there are {}",
                labels.join("; ")
            ))
        })?;
        labels[..=at].rotate_right(1);
    }
    // A path twice without a label is a question about nothing, but a fair one.
    if labels.len() == 1 {
        if sources.iter().any(|s| !s.is_named_by_its_path()) {
            return Err(Failure::Usage(format!(
                "everything is labelled {}: there is nothing to compare it with",
                labels[0]
            )));
        }
        let side = || Side::load(&[&sources[0]], quiet);
        return failure::all([side(), side()]);
    }
    failure::all(labels.iter().map(|label| {
        let of_label: Vec<&Source> = sources.iter().filter(|s| s.label == *label).collect();
        Side::load(&of_label, quiet)
    }))
}

impl Source {
    /// A file name may have `=` and `:` in it, so what exists as it stands is a path.
    fn of(argument: &Path) -> Result<Self> {
        let text = argument.to_string_lossy();
        let plain = |label: &str, path: &Path, selector: Option<&str>| Self {
            label: label.to_owned(),
            path: path.to_owned(),
            selector: selector.map(ToOwned::to_owned),
        };
        if is_there(argument) {
            return Ok(plain(&text, argument, None));
        }
        let (label, place) = match text.split_once('=') {
            Some((label, place)) if !label.is_empty() && !label.contains('/') => (label, place),
            _ => (&*text, &*text),
        };
        if is_there(Path::new(place)) {
            return Ok(plain(label, Path::new(place), None));
        }
        let colons = place.match_indices(':').map(|(at, _)| at);
        let selected = colons.map(|at| (&place[..at], Some(&place[at + 1..])));
        for (path, selector) in selected.chain([(place, None)]) {
            if is_there(Path::new(path)) {
                return Ok(plain(label, Path::new(path), selector));
            }
            if let Some(report) = report_called(path)? {
                return Ok(plain(label, &report, selector));
            }
        }
        // Reading it will say what is wrong.
        Ok(plain(label, Path::new(place), None))
    }

    fn is_named_by_its_path(&self) -> bool {
        Path::new(&self.label) == self.path
    }

    fn load(&self, quiet: bool) -> Result<Dataset> {
        let data = if self.path.join("report.toml").is_file() {
            ingest::report(&self.path, quiet)?.data
        } else {
            dataset(std::slice::from_ref(&self.path), quiet)?
        };
        let Some(selector) = &self.selector else {
            return Ok(data);
        };
        let columns = data.find(selector);
        if columns.is_empty() {
            return Err(Failure::Usage(format!(
                "{} has no {selector}; it has {}",
                self.path.display(),
                list(&data)
            )));
        }
        Ok(data.only(&columns))
    }

    /// What the nearest `report.toml` says of the machine.
    fn machine(&self) -> Result<Option<String>> {
        if self.path.as_os_str() == "-" {
            return Ok(None);
        }
        let mut files = self.path.ancestors().map(|f| f.join("report.toml"));
        let Some(file) = files.find(|f| f.is_file()) else {
            return Ok(None);
        };
        let bytes = crate::fs::read_optional(&file)?.unwrap_or_default();
        Ok(Manifest::parse(&file, &bytes)?.machine)
    }
}

fn is_there(path: &Path) -> bool {
    path.as_os_str() == "-" || path.exists()
}

/// The one report below `data/` whose name is or starts with `name`.
fn report_called(name: &str) -> Result<Option<PathBuf>> {
    let folder = Path::new(REPORTS);
    if name.is_empty() || name.contains('/') || !folder.is_dir() {
        return Ok(None);
    }
    let exact = folder.join(name);
    if exact.is_dir() {
        return Ok(Some(exact));
    }
    let starts = |p: &PathBuf| {
        p.file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with(name))
    };
    let mut found = crate::fs::folders(folder)?;
    found.retain(starts);
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        several => {
            let names: Vec<String> = several.iter().map(|p| p.display().to_string()).collect();
            Err(Failure::Usage(format!(
                "{name} could be {}",
                names.join(" or ")
            )))
        }
    }
}

impl Side {
    fn load(sources: &[&Source], quiet: bool) -> Result<Self> {
        let loaded = failure::all(sources.iter().map(|s| s.load(quiet)))?;
        refuse_the_same_runs(sources, &loaded)?;
        let mut machines: Vec<String> = Vec::new();
        for source in sources {
            machines.extend(source.machine()?.filter(|m| !machines.contains(m)));
        }
        let mut data = Dataset::default();
        loaded.into_iter().for_each(|more| data.join(more));
        Ok(Self {
            label: sources[0].label.clone(),
            data,
            machines,
        })
    }
}

/// Runs that are counted twice make noise look like certainty.
fn refuse_the_same_runs(sources: &[&Source], loaded: &[Dataset]) -> Result<()> {
    let absolute = sources.iter().map(|source| {
        let is_file = source.path != Path::new("-");
        let path = is_file.then(|| std::fs::canonicalize(&source.path));
        path.transpose()
            .with_context(|| format!("cannot resolve {}", source.path.display()))
    });
    let absolute: Vec<Option<PathBuf>> = absolute.collect::<anyhow::Result<_>>()?;
    for (i, first) in absolute.iter().enumerate() {
        for (j, second) in absolute.iter().enumerate().skip(i + 1) {
            let (Some(first), Some(second)) = (first, second) else {
                continue;
            };
            let shared = loaded[i]
                .implementations
                .iter()
                .find(|x| loaded[j].implementations.contains(x));
            if let Some(shared) = shared
                && (first.starts_with(second) || second.starts_with(first))
            {
                return Err(Failure::Usage(format!(
                    "{} and {} hold the same runs of {shared}, which would count twice",
                    sources[i].path.display(),
                    sources[j].path.display()
                )));
            }
        }
    }
    Ok(())
}

/// The implementations of a data set.
pub(super) fn list(data: &Dataset) -> String {
    let names: Vec<String> = data
        .implementations
        .iter()
        .map(Implementation::to_string)
        .collect();
    names.join("; ")
}

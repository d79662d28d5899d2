//! Assembles a report from a folder's parsed files and its `report.toml`.

use super::Dataset;
use super::branch;
use super::grouping::Grouping;
use super::identify::implementation;
use super::verdicts::Verdicts;
use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::slug;
use crate::base::words::count;
use crate::files::inputs::Source;
use crate::files::{folder_name, with_slashes};
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::parse::load::Loaded;
use crate::parse::{self, Declaration, Located, Manifest};
use crate::stats::Estimator;
use jiff::civil::Date;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A report.
#[derive(Debug)]
pub(crate) struct Report {
    /// Folder of its pages, and part of their address: `2026-03-07-x86_64`.
    pub name: String,
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub day: Option<Date>,
    pub data: Dataset,
    /// `notes.md`, if there is one.
    pub notes: Option<String>,
    /// `run.toml`, if there is one.
    pub record: Option<Vec<u8>>,
    /// The files of the folder.
    pub sources: Vec<Source>,
    pub(super) verdicts: Verdicts,
}

impl Report {
    /// Returns the sort key of reports.
    pub(crate) fn when(&self) -> (Option<Date>, &str) {
        (self.day, &self.name)
    }

    /// Returns `2026-03-07`, or the name of a report without a day.
    pub(crate) fn day_or_name(&self) -> String {
        self.day
            .map_or_else(|| self.name.clone(), |day| day.to_string())
    }

    /// Returns the machine if the report also has a day, which makes it part of that machine's
    /// history. A report without either has a history of its own.
    pub(crate) fn dated_machine(&self) -> Option<&str> {
        let machine = self.manifest.machine.as_deref();
        machine.filter(|_| self.day.is_some())
    }

    /// Returns the number of processors that the report states: `2`, or in `Q80-30, 80 cores`.
    pub(crate) fn processors(&self) -> Option<u32> {
        for (fact, text) in &self.manifest.system {
            let words: Vec<&str> = text.split([' ', ',']).collect();
            for (place, word) in words.iter().enumerate() {
                let unit = words.get(place + 1).copied();
                let is_number = fact == "Processors" || unit == Some("cores");
                if let (true, Ok(number)) = (is_number, word.parse()) {
                    return Some(number);
                }
            }
        }
        None
    }

    /// Whether both reports declare the same machine.
    pub(crate) fn shares_machine(&self, other: &Self) -> bool {
        let machine = &self.manifest.machine;
        machine.is_some() && *machine == other.manifest.machine
    }

    /// Groups all observations by the implementations that `report.toml`, the files themselves
    /// or their paths name.
    ///
    /// # Errors
    /// Fails if a figure matches no implementation or several, or if `report.toml` refers to
    /// something that is missing.
    pub(crate) fn assemble(
        folder: &Path,
        manifest: Manifest,
        loaded: &[Loaded],
        name: Option<&str>,
        notes: Option<String>,
    ) -> Result<Self> {
        let folder_name = folder_name(folder);
        let places: Vec<PathBuf> = loaded.iter().map(|f| below(folder, &f.path)).collect();
        let globs = manifest.declarations.iter().flat_map(|d| &d.files);
        let globs = globs
            .map(|at| &*at.value.0)
            .filter(|glob| glob.contains('*'));
        let bytes = places.iter().map(|place| place.as_os_str().len()).sum();
        parse::check_matches(globs, bytes)
            .map_err(|message| Failure::at(folder.join("report.toml"), 0, message))?;
        let files = loaded.iter().zip(&places).map(|(file, below)| Figures {
            file,
            declarations: &manifest.declarations,
            below,
            path: Path::new(&folder_name).join(self::below(folder, &file.named_by)),
        });
        let mut data = group(&manifest.declarations, name, files, manifest.estimator)?;
        data.is_paired = manifest.paired;
        let mut data = data.without_controls();
        data.mark_unsteady();
        data.sort_rows();
        if manifest.declarations.is_empty() {
            data.sort_columns();
        }
        let mut with_bars = Vec::new();
        for (column, build) in data.implementations.iter().enumerate() {
            let mut declared = manifest.declarations.iter();
            match declared
                .find(|d| d.implementation == *build)
                .and_then(|d| d.graph)
            {
                Some(true) => with_bars.push(column),
                Some(false) => data.without_bars.push(column),
                None => {}
            }
        }
        data.older = data.older_releases(&manifest);
        data.older.retain(|column| !with_bars.contains(column));
        let report = Self {
            day: manifest.day(&folder_name).or_else(|| data.last_commit()),
            name: slug::folder(&folder_name),
            folder: folder.to_owned(),
            data,
            manifest,
            notes,
            record: None,
            sources: Vec::new(),
            verdicts: Verdicts::default(),
        };
        report.check_manifest(&places).map(|()| report)
    }

    /// Checks that everything that `report.toml` refers to exists.
    fn check_manifest(&self, with_figures: &[PathBuf]) -> Result<()> {
        let path = self.folder.join("report.toml");
        let Manifest {
            subject,
            headline,
            declarations,
            ..
        } = &self.manifest;
        let mut problems = Vec::new();
        let mut check = |line: u32, found: bool, message: String| {
            if !found {
                problems.push(Diagnostic::at(&path, line, message));
            }
        };
        if let Some(Located { line, value }) = subject {
            let known = self.data.list();
            let message = format!(
                "subject = \"{value}\" is not an implementation of this report, which has {known}"
            );
            let mut all = self.data.implementations.iter();
            check(*line, all.any(|i| i.name == *value), message);
        }
        let scenarios: HashSet<&Scenario> = self.data.rows.iter().map(|r| &r.scenario).collect();
        for Located { line, value } in headline {
            let found = scenarios.contains(value);
            let message = format!("headline `{value}` has no figure in this report");
            check(*line, found, message);
        }
        for Located { line, value } in declarations.iter().flat_map(|d| &d.files) {
            let is_meant = |file: &PathBuf| value.1.is_match(&file.to_string_lossy());
            let found = with_figures.iter().any(is_meant);
            let message = format!("`{}` in `files` matches no file with figures", value.0);
            check(*line, found, message);
        }
        failure::if_any(problems)
    }
}

/// A file with figures, and the paths that name its implementation.
pub(crate) struct Figures<'a> {
    pub(crate) file: &'a Loaded,
    /// Those of its report.
    pub(crate) declarations: &'a [Declaration],
    /// Path relative to the report's folder, as in `files` of `report.toml`.
    pub(crate) below: &'a Path,
    /// Path including the folders above, which may name an implementation.
    pub(crate) path: PathBuf,
}

/// Groups the figures of all files by implementation: the declared ones, or without declarations
/// those that files and paths name. The first implementations are those of `order`.
///
/// # Errors
/// Fails if a figure matches no implementation or several, or if there are too many scenarios or
/// implementations.
pub(crate) fn group<'a>(
    order: &[Declaration],
    name: Option<&str>,
    files: impl IntoIterator<Item = Figures<'a>>,
    estimator: Estimator,
) -> Result<Dataset> {
    let files: Vec<Figures<'_>> = files.into_iter().collect();
    // Each problem with its first place and the number of others: it is often that of all files.
    let mut problems: Vec<(String, &Path, u32, usize)> = Vec::new();
    // The few implementations of each file.
    let mut named = Vec::new();
    for figures in &files {
        let mut known: HashMap<Option<&Implementation>, Option<Implementation>> = HashMap::new();
        for observation in &figures.file.parsed.observations {
            let named = observation.implementation.as_deref();
            known.entry(named).or_insert_with(|| {
                let Figures {
                    declarations,
                    below,
                    path,
                    file,
                } = figures;
                match implementation(declarations, name, below, path, named) {
                    Ok(found) => return Some(found),
                    Err(message) => match problems.iter_mut().find(|known| known.0 == message) {
                        Some((.., others)) => *others += 1,
                        None => problems.push((message, &file.path, observation.line, 0)),
                    },
                }
                None
            });
        }
        named.push(known);
    }
    let (older, commits) = branch::older(named.iter().flat_map(HashMap::values).flatten());
    let mut grouping = Grouping::with_order(order.iter().map(|d| d.implementation.clone()));
    let mut unread = Vec::new();
    for (Figures { file, below, .. }, named) in files.iter().zip(&named) {
        grouping.next_file();
        unread.extend(file.parsed.unread.as_ref().map(|lines| lines.words(below)));
        let mut columns = HashMap::new();
        for observation in &file.parsed.observations {
            let key = observation.implementation.as_deref();
            let Some(Some(found)) = named.get(&key) else {
                continue;
            };
            if found.version.is_on_branch() {
                grouping.add_commit(found, observation);
            }
            if !older.contains(found) {
                let column = columns.entry(key).or_insert_with(|| grouping.column(found));
                grouping.add(*column, below, observation);
            }
            if let Some(message) = grouping.exceeded_limit() {
                return Err(Failure::at(&file.path, observation.line, message));
            }
        }
    }
    let problems = problems.into_iter().map(|(message, path, line, others)| {
        let more = match others {
            0 => String::new(),
            n => format!(" (also in {})", count(n, "more file")),
        };
        Diagnostic::at(path, line, message + &more)
    });
    failure::if_any(problems.collect())?;
    let mut data = grouping.finish(estimator);
    data.commits = commits;
    data.notes.extend(unread);
    data.notes.extend(data.branch_note());
    Ok(data)
}

/// Returns a file's path below the folder of its report.
pub(crate) fn below(folder: &Path, path: &Path) -> PathBuf {
    match path.strip_prefix(folder) {
        Ok(below) if !below.as_os_str().is_empty() => with_slashes(below),
        _ => path.to_owned(),
    }
}

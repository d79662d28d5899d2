//! What commands read: reports, and files with figures. All problems are reported together.

use crate::conditions;
use crate::failure::{self, Failure, Result};
use crate::fs;
use crate::limits;
use crate::load::{self, Loaded};
use crate::look;
use crate::parse;
use crate::profile::{Profiles, is_profile};
use crate::render::{MORE, SUITES};
use crate::report::{Dataset, Figures, Manifest, Overview, Report, group};
use crate::run::record::NAME as RECORD;
use anyhow::{Context, anyhow};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Every report in `data`, in the order of their days, those without a day first.
pub(super) fn reports(data: &[PathBuf]) -> Result<Vec<Report>> {
    let folders = report_folders(data)?;
    let results = folders.par_iter().map(|folder| report(folder));
    let results: Vec<Result<Report>> = results.collect();
    let mut reports = failure::all(results)?;
    reports.sort_by(|a, b| (&a.day, &a.name).cmp(&(&b.day, &b.name)));
    let mut names: BTreeMap<&str, &Path> = BTreeMap::new();
    for Report { name, folder, .. } in &reports {
        let message = if let Some(why) = reserved(name) {
            format!("{why}; rename the folder")
        } else if let Some(other) = names.insert(name, folder) {
            let other = other.display();
            format!("its pages would stand where those of {other} stand; rename one of the folders")
        } else {
            continue;
        };
        return Err(Failure::at(folder, 0, message));
    }
    share_looks(&mut reports);
    Ok(reports)
}

/// Why a report cannot have this name, if a page of the generator's own has it.
pub(super) fn reserved(name: &str) -> Option<String> {
    let mut overviews = Overview::ALL.iter();
    let is_taken = overviews.any(|page| page.name() == name) || [SUITES, MORE].contains(&name);
    is_taken.then(|| format!("its page would stand where the generator puts the page {name}/"))
}

/// Gives each library one look on all pages.
fn share_looks(reports: &mut [Report]) {
    let all = reports.iter().flat_map(|r| &r.data.implementations);
    let looks = look::assign(all.map(|i| i.name.as_str()));
    for Report { data, .. } in reports {
        let own = data.implementations.iter().map(|i| &i.name);
        data.looks = own.map(|name| (name.clone(), looks[name])).collect();
    }
}

/// The folders of all reports in `data`. A folder with a `report.toml` is one report; one whose
/// folders have such files holds reports, as `data/` does; any other folder or file is one report
/// as it is.
pub(super) fn report_folders(data: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for path in data {
        if !path.try_exists().with_context(|| fs::cannot_read(path))? {
            return Err(anyhow!("there is no {}", path.display()).into());
        }
        folders.extend(reports_in(path)?.unwrap_or_else(|| vec![path.to_owned()]));
    }
    // Those of one argument differ.
    if data.len() > 1 {
        refuse_the_same_twice(folders.iter().map(PathBuf::as_path))?;
    }
    Ok(folders)
}

/// The folders of reports in a folder that holds reports; `None` for what is one itself.
fn reports_in(path: &Path) -> Result<Option<Vec<PathBuf>>> {
    let is_report = |folder: &Path| fs::is_file(&folder.join("report.toml"));
    if is_report(path)? || !fs::is_folder(path)? {
        return Ok(None);
    }
    let children = fs::folders(path)?;
    for child in &children {
        if is_report(child)? {
            return Ok(Some(children));
        }
    }
    Ok(None)
}

/// What a folder's `report.toml` says, if it has one.
pub(super) fn manifest(folder: &Path) -> Result<Option<Manifest>> {
    let path = folder.join("report.toml");
    let bytes = fs::read_limited(&path, &limits::TEXT)?;
    bytes
        .map(|bytes| Manifest::parse(&path, &bytes))
        .transpose()
}

/// One report.
pub(super) fn report(folder: &Path) -> Result<Report> {
    let manifest = manifest(folder)?.unwrap_or_default();
    let notes_path = folder.join("notes.md");
    let notes = fs::read_limited(&notes_path, &limits::TEXT)?;
    let notes = notes.map(|bytes| parse::text(&notes_path, &bytes).map(str::to_owned));
    let notes = notes.transpose()?;
    let loaded = load::folder(folder, is_metadata)?;
    loaded.iter().for_each(say_notes);
    let mut report = Report::assemble(folder, manifest, &loaded, notes)?;
    for warning in report.data.outlier_warnings() {
        crate::inform!("warning: {}: {warning}", folder.display());
    }
    report.conditions = conditions::sentence(&conditions::read(folder)?);
    report.profiles = Profiles::read(folder)?;
    Ok(report)
}

/// Stands for a path in messages.
pub(super) const STDIN: &str = "standard input";

/// What `show` and `compare` take: files, folders, and `-`. The problems of all are reported
/// together.
pub(super) fn dataset(paths: &[PathBuf]) -> Result<Dataset> {
    let loaded = failure::all(paths.iter().map(|path| files(path)))?;
    let files = || loaded.iter().flatten();
    refuse_the_same_twice(files().map(|file| file.path.as_path()))?;
    let figures = files().map(|file| {
        let below = &file.path;
        let mut path = below.clone();
        if path != Path::new(STDIN) {
            // The folders above may name the implementation as well.
            path = std::path::absolute(path).context("cannot find the current folder")?;
        }
        Ok(Figures { file, below, path })
    });
    let data = group(&[], figures.collect::<anyhow::Result<Vec<_>>>()?)?;
    files().for_each(say_notes);
    Ok(data)
}

/// Runs that are counted twice make noise look like certainty.
fn refuse_the_same_twice<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let Some((first, second)) = fs::same_twice(paths) else {
        return Ok(());
    };
    let (first, second) = (first.display(), second.display());
    Err(Failure::Usage(format!(
        "{first} and {second} are the same, whose runs would count twice; name it once"
    )))
}

fn files(path: &Path) -> Result<Vec<Loaded>> {
    match path.as_os_str() == "-" {
        true => Ok(vec![load::bytes(STDIN, &fs::read_stdin()?)?]),
        false => load::folder(path, is_metadata),
    }
}

/// Files of a report's folder that hold no figures.
fn is_metadata(path: &Path) -> bool {
    let name = fs::file_name(path);
    name.ends_with(".lock")
        || is_profile(path)
        || ["report.toml", "notes.md", RECORD, conditions::NAME].contains(&name.as_str())
}

fn say_notes(file: &Loaded) {
    for note in &file.parsed.notes {
        crate::inform!("{note}");
    }
}

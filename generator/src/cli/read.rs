//! Reads the reports that a site is made of. Reports all problems together.

use crate::base::failure::{self, Failure, Result};
use crate::base::slug;
use crate::files::{self, folder_name};
use crate::parse::Manifest;
use crate::report::{Declared, OVERVIEWS, Read, Report, name_builds, said};
use anyhow::{Context, anyhow};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads every report in `data`, sorted by day and name; reports without a day come first. One that
/// is being measured is left out, unless it has a page.
pub(super) fn reports(
    data: &[PathBuf],
    declared: &Declared,
    has_page: impl Fn(&str) -> bool,
) -> Result<Vec<Report>> {
    let mut folders = Vec::new();
    for folder in report_folders(data)? {
        if files::is_locked(&folder)? && !has_page(&slug::folder(&folder_name(&folder))) {
            let folder = folder.display();
            crate::inform!("note: {folder} is left out: it is being measured");
        } else {
            folders.push(folder);
        }
    }
    let declared = Declared {
        is_for_pages: true,
        ..declared.clone()
    };
    let read = folders
        .par_iter()
        .map(|folder| Report::load(folder, &declared));
    let read: Vec<Result<Read>> = read.collect();
    let mut reports = failure::all(read.into_iter().map(|read| read.map(said)))?;
    reports.sort_by(|a, b| a.when().cmp(&b.when()));
    let mut names: BTreeMap<&str, &Path> = BTreeMap::new();
    for Report { name, folder, .. } in &reports {
        let other = names
            .insert(name, folder)
            .map(|other| other.display().to_string());
        let own = OVERVIEWS
            .contains(&&**name)
            .then(|| format!("the generator's own page {name}/"));
        if let Some(taken) = own.or(other) {
            let message = format!("its page would have the address of {taken}; rename a folder");
            return Err(Failure::at(folder, 0, message));
        }
    }
    name_builds(&mut reports);
    share_libraries(&mut reports);
    Ok(reports)
}

/// Tells each report the libraries of all, so that each looks the same on all pages.
fn share_libraries(reports: &mut [Report]) {
    let mut libraries: Vec<String> = Vec::new();
    for build in reports.iter().flat_map(|report| &report.builds) {
        let name = &build.implementation.name;
        if !libraries.contains(name) {
            libraries.push(name.clone());
        }
    }
    let libraries: Arc<[String]> = libraries.into();
    for report in reports {
        report.site_libraries = Arc::clone(&libraries);
    }
}

/// Returns the folders of all reports in `data`. A folder with a `report.toml` is one report; a
/// folder in which a subfolder has one, or a name that starts with a date, holds reports, as
/// `data/` does; any other folder or file is
/// itself one report.
fn report_folders(data: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for path in data {
        let is_there = path.try_exists();
        if !is_there.with_context(|| files::cannot_read(path))? {
            return Err(anyhow!("there is no {}", path.display()).into());
        }
        folders.extend(reports_in(path)?.unwrap_or_else(|| vec![path.to_owned()]));
    }
    // The folders of a single argument are distinct.
    if data.len() > 1 {
        refuse_duplicates(folders.iter().map(PathBuf::as_path))?;
    }
    Ok(folders)
}

/// Returns the folders of reports in `path`, or `None` if `path` is itself a report.
fn reports_in(path: &Path) -> Result<Option<Vec<PathBuf>>> {
    // One that is a link or no file is refused when it is read.
    let is_report = |folder: &Path| files::is_taken(&folder.join("report.toml"));
    if is_report(path)? || !files::is_folder(path)? {
        return Ok(None);
    }
    let children = files::folders(path)?;
    for child in &children {
        if is_report(child)? || Manifest::default().day(&files::file_name(child)).is_some() {
            return Ok(Some(children));
        }
    }
    Ok(None)
}

/// Fails if a path is named twice: runs that count twice make noise look like certainty.
pub(super) fn refuse_duplicates<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let Some((first, second)) = files::same_twice(paths) else {
        return Ok(());
    };
    let (first, second) = (first.display(), second.display());
    Err(Failure::Usage(format!(
        "{first} and {second} are the same, so its runs would count twice; name it once"
    )))
}

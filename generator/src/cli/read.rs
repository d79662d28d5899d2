//! Reads the input of commands: reports, and files with figures. Reports all problems together.

use crate::base::failure::{self, Failure, Result};
use crate::base::limits;
use crate::cli::arguments::Declared;
use crate::files::inputs::Source;
use crate::files::{self, hex_digest};
use crate::measure::records::record::NAME as RECORD;
use crate::model::implementation::Implementation;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{self, Declaration, Manifest, Split};
use crate::report::{Dataset, Figures, OVERVIEWS, Report, below, group};
use crate::stats::{Estimator, MIN_SAMPLE_FOR_TEST};
use anyhow::{Context, anyhow};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads every report in `data`, sorted by day and name; reports without a day come first.
pub(super) fn reports(data: &[PathBuf], declared: &Declared) -> Result<Vec<Report>> {
    let folders = report_folders(data)?;
    let read = folders.par_iter().map(|folder| report(folder, declared));
    let read: Vec<Result<(Report, Vec<String>)>> = read.collect();
    let mut reports = failure::all(read.into_iter().map(said))?;
    reports.sort_by(|a, b| a.when().cmp(&b.when()));
    let mut names: BTreeMap<&str, &Path> = BTreeMap::new();
    for Report { name, folder, .. } in &reports {
        let message = if OVERVIEWS.contains(&&**name) {
            format!(
                "its page would have the address of the generator's own page {name}/; rename the folder"
            )
        } else if let Some(other) = names.insert(name, folder) {
            let other = other.display();
            format!(
                "its pages would have the addresses of those of {other}; rename one of the folders"
            )
        } else {
            continue;
        };
        return Err(Failure::at(folder, 0, message));
    }
    share_libraries(&mut reports);
    Ok(reports)
}

/// Tells each report the libraries of all, so that each looks the same on all pages.
fn share_libraries(reports: &mut [Report]) {
    let mut libraries: Vec<String> = Vec::new();
    for Report { data, .. } in reports.iter() {
        for Implementation { name, .. } in &data.implementations {
            if !libraries.contains(name) {
                libraries.push(name.clone());
            }
        }
    }
    let libraries: Arc<[String]> = libraries.into();
    for Report { data, .. } in reports {
        data.site_libraries = Arc::clone(&libraries);
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

/// Reads a folder's `report.toml`, if it has one.
pub(super) fn manifest(folder: &Path) -> Result<Option<Manifest>> {
    let path = folder.join("report.toml");
    let bytes = files::read_limited(&path, limits::TEXT)?;
    bytes
        .map(|bytes| Manifest::parse(&path, &bytes))
        .transpose()
}

/// Prints what was to say of a report that was read, now that all are: in the order of reports.
pub(super) fn said(read: Result<(Report, Vec<String>)>) -> Result<Report> {
    let (report, notes) = read?;
    for note in notes {
        crate::inform!("{note}");
    }
    Ok(report)
}

/// Reads one report, with what is to say of its files.
pub(super) fn report(folder: &Path, declared: &Declared) -> Result<(Report, Vec<String>)> {
    let found = files::walk(folder)?;
    let mut digests = HashMap::new();
    let mut metadata = |name: &str, limit: usize| {
        let path = folder.join(name);
        let bytes = files::read_limited(&path, limit)?;
        digests.extend(
            bytes
                .as_ref()
                .map(|bytes| (path.clone(), hex_digest(bytes))),
        );
        Ok::<_, Failure>(bytes.map(|bytes| (path, bytes)))
    };
    let manifest = metadata("report.toml", limits::TEXT)?;
    let manifest = manifest.map(|(path, bytes)| Manifest::parse(&path, &bytes));
    let notes = metadata("notes.md", limits::TEXT)?;
    let notes = notes.map(|(path, bytes)| parse::text(&path, &bytes).map(str::to_owned));
    let record = metadata(RECORD, limits::TEXT)?.map(|(_, bytes)| bytes);
    let (manifest, notes) = (
        manifest.transpose()?.unwrap_or_default(),
        notes.transpose()?,
    );
    let mut loaded = load::folder(folder, &found, is_metadata, None, Digests::All)?;
    let mut said = Vec::new();
    declare(folder, &manifest, declared, &mut loaded)?;
    for file in &loaded {
        said.extend(file.parsed.notes.iter().map(ToString::to_string));
        let unread = file.parsed.unread.as_ref();
        said.extend(unread.map(|lines| lines.words(&file.path)));
    }
    let mut report = Report::assemble(folder, manifest, &loaded, declared.name.as_deref(), notes)?;
    let read = loaded.into_iter();
    digests.extend(read.filter_map(|file| Some((file.path, file.digest?))));
    let sources = found.into_iter().map(|path| Source {
        digest: digests.remove(&path),
        path,
    });
    report.sources = sources.collect();
    for source in &report.sources {
        // A README or a lock file: nothing was read, but it is offered.
        if source.digest.is_none() && files::size(&source.path)? > limits::FILE as u64 {
            let more = limits::exceeded(limits::FILE, "bytes");
            return Err(Failure::at(&source.path, 0, more));
        }
    }
    report.record = record;
    if let Some(path) = digests.keys().next() {
        return Err(anyhow!(
            "{} appeared while its report was read: run again",
            path.display()
        )
        .into());
    }
    Ok((report, said))
}

/// Applies what `report.toml` and the command line say of units and of names of benchmarks.
fn declare(
    folder: &Path,
    manifest: &Manifest,
    declared: &Declared,
    loaded: &mut [Loaded],
) -> Result<()> {
    let stated = manifest.splits.iter().map(|split| &split.implementation);
    let splits: Vec<&Split> = stated
        .clone()
        .map(|at| &at.value)
        .chain(&declared.implementation)
        .collect();
    let mut matched = vec![0; splits.len()];
    for file in loaded {
        let rows = &mut file.parsed.observations;
        parse::direct(rows, manifest.better.iter().chain(&declared.better));
        let counts = parse::split(rows, &splits)
            .map_err(|(line, message)| Failure::at(&file.path, line, message))?;
        for (all, count) in matched.iter_mut().zip(counts) {
            *all += count;
        }
    }
    let lines = stated.map(|at| Some(at.line));
    for (line, count) in lines.chain(std::iter::repeat(None)).zip(matched) {
        let message = "matches no benchmark, so it names no implementation";
        match line {
            _ if count > 0 => {}
            Some(line) => return Err(Failure::at(folder.join("report.toml"), line, message)),
            None => {
                let folder = folder.display();
                return Err(Failure::Usage(format!(
                    "--implementation {message} in {folder}"
                )));
            }
        }
    }
    Ok(())
}

/// How to get figures that can be tested.
pub(super) const MORE_EXECUTIONS: &str = "one run is one execution of `cargo bench`, and a test needs 4 a side: \
    execute `cargo bench -- --save-baseline NAME-1`, then NAME-2 and so on, and name all of them \
    target/criterion:NAME, or copy target/criterion after each execution into one folder";

/// The path of standard input in messages.
const STDIN: &str = "standard input";

/// Reads the arguments of `show` and `compare`: files, folders, and `-`.
/// `baseline` is one of criterion's.
pub(super) fn dataset(
    paths: &[PathBuf],
    estimator: Estimator,
    baseline: Option<&str>,
    declared: &Declared,
) -> Result<Dataset> {
    let mut loaded = failure::all(paths.iter().map(|path| files(path, baseline)))?;
    let of_folder = |path: &PathBuf| match files::is_folder(path)? {
        true => Ok(manifest(path)?.unwrap_or_default()),
        false => Ok(Manifest::default()),
    };
    let manifests: Vec<Manifest> = failure::all(paths.iter().map(of_folder))?;
    for ((path, manifest), loaded) in paths.iter().zip(&manifests).zip(&mut loaded) {
        declare(path, manifest, declared, loaded)?;
    }
    let mut sources = Vec::new();
    for ((path, manifest), loaded) in paths.iter().zip(&manifests).zip(&loaded) {
        for file in loaded {
            sources.push((file, &*manifest.declarations, below(path, &file.path)));
        }
    }
    let loaded = || loaded.iter().flatten();
    refuse_duplicates(loaded().map(|file| file.path.as_path()))?;
    let sources = sources
        .iter()
        .map(|(file, declared, below)| (*file, *declared, &**below));
    let mut data = grouped(sources, estimator, declared.name.as_deref())?;
    let is_criterion = loaded().any(|file| file.named_by != file.path);
    if is_criterion && has_few_runs(&data) {
        data.notes.push(MORE_EXECUTIONS.to_owned());
    }
    for note in loaded().flat_map(|file| &file.parsed.notes) {
        crate::inform!("{note}");
    }
    Ok(data)
}

/// Whether some figures are of too few runs for a test.
pub(super) fn has_few_runs(data: &Dataset) -> bool {
    data.run_counts()
        .is_some_and(|(least, _)| least < MIN_SAMPLE_FOR_TEST)
}

/// Groups the figures of files that were read, or just measured, each with the declarations of its
/// report and its path below it.
pub(super) fn grouped<'a>(
    loaded: impl IntoIterator<Item = (&'a Loaded, &'a [Declaration], &'a Path)>,
    estimator: Estimator,
    name: Option<&str>,
) -> Result<Dataset> {
    let figures = loaded.into_iter().map(|(file, declarations, below)| {
        let mut path = file.named_by.clone();
        if path != Path::new(STDIN) {
            // Parent folders may name the implementation too.
            path = std::path::absolute(path).context("cannot find the current folder")?;
        }
        Ok(Figures {
            file,
            declarations,
            below,
            path,
        })
    });
    let figures = figures.collect::<anyhow::Result<Vec<_>>>()?;
    group(&[], name, figures, estimator)
}

/// Fails if a path is named twice: runs that count twice make noise look like certainty.
fn refuse_duplicates<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let Some((first, second)) = files::same_twice(paths) else {
        return Ok(());
    };
    let (first, second) = (first.display(), second.display());
    Err(Failure::Usage(format!(
        "{first} and {second} are the same, so its runs would count twice; name it once"
    )))
}

pub(super) fn files(path: &Path, baseline: Option<&str>) -> Result<Vec<Loaded>> {
    match path.as_os_str() == "-" {
        true => Ok(vec![load::bytes(STDIN, &files::read_stdin()?)?]),
        false => load::folder(
            path,
            &files::walk(path)?,
            is_metadata,
            baseline,
            Digests::Small,
        ),
    }
}

/// Whether a file of a report's folder holds no figures.
fn is_metadata(path: &Path) -> bool {
    let name = files::file_name(path);
    name.ends_with(".lock") || ["report.toml", "notes.md", RECORD].contains(&name.as_str())
}

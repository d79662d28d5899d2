//! Loads reports: the one way from a path to a [`Report`], for all commands.

use super::branch;
use super::grouping::Grouping;
use super::identify::implementation;
use super::report::Report;
use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits;
use crate::base::slug;
use crate::files::inputs::Source;
use crate::files::{self, folder_name, hex_digest, with_slashes};
use crate::model::implementation::Implementation;
use crate::model::observation::Observation;
use crate::model::scenario::Scenario;
use crate::model::unit::Better;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{self, Located, Manifest, Reads, Split};
use anyhow::{Context, anyhow};
use clap::Args;
use jiff::civil::Date;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The file in which `run` records a measurement.
pub(crate) const RECORD: &str = "run.toml";

/// The path of standard input in messages.
const STDIN: &str = "standard input";

/// What the input does not say itself, as the commands ask for it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct Declared {
    /// The implementation of files that neither they nor their folders name.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub name: Option<String>,
    /// Which way figures of a unit improve, as in `--better MB=higher`.
    #[arg(long, value_name = "UNIT=higher|lower", value_parser = better, hide_short_help = true)]
    pub better: Vec<(String, Better)>,
    /// Which part of a benchmark's name is the implementation, as in '/(?<name>[^/]+)/' for
    /// `group/LIBRARY/size`.
    #[arg(long = "implementation", value_name = "REGEX", value_parser = |text: &str| Split::try_from(text.to_owned()), hide_short_help = true)]
    pub splits: Vec<Split>,
    /// A file with `[[read]]` entries, for output in a format that is not built in.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub read: Option<PathBuf>,
    /// Fail if a line with figures is in no known format, instead of telling it.
    #[arg(long = "strict", hide_short_help = true)]
    pub is_strict: bool,
    // A baseline of criterion's.
    #[arg(skip)]
    pub baseline: Option<String>,
    // Whether it becomes pages, which are the same wherever the data lie and offer the files.
    #[arg(skip)]
    pub is_for_pages: bool,
}

fn better(text: &str) -> Result<(String, Better), String> {
    match text.rsplit_once('=') {
        Some((unit, "higher")) => Ok((unit.to_owned(), Better::Higher)),
        Some((unit, "lower")) => Ok((unit.to_owned(), Better::Lower)),
        _ => Err("expected UNIT=higher or UNIT=lower".to_owned()),
    }
}

/// A report, and what to say of its files, in order.
pub(crate) type Read = (Report, Vec<String>);

/// Says what there is to say of a report, once all are read.
pub(crate) fn said((report, messages): Read) -> Report {
    for message in messages {
        crate::inform!("{message}");
    }
    report
}

impl Report {
    /// Reads a folder, a file, or standard input, `-`. What has no `report.toml` has the default one.
    ///
    /// # Errors
    /// Files that cannot be read, a figure that matches no implementation or several, or a
    /// `report.toml` that refers to something that is missing.
    pub(crate) fn load(path: &Path, declared: &Declared) -> Result<Read> {
        if path.as_os_str() == "-" {
            let report = Self::of_nothing(Path::new(STDIN));
            let loaded = load::bytes(STDIN, &files::read_stdin()?, &report.reads(declared)?)?;
            return report.filled(vec![loaded], declared);
        }
        let mut report = Self::of_nothing(path);
        let mut digests = report.read_metadata()?;
        let found = files::walk(path)?;
        let wanted = match declared.is_for_pages {
            true => Digests::All,
            false => Digests::Small,
        };
        let baseline = declared.baseline.as_deref();
        let reads = report.reads(declared)?;
        let loaded = load::folder(path, &found, is_metadata, baseline, wanted, &reads)?;
        let read = loaded
            .iter()
            .filter_map(|file| Some((file.path.clone(), file.digest.clone()?)));
        digests.extend(read);
        let (mut report, said) = report.filled(loaded, declared)?;
        for path in found {
            let digest = digests.remove(&path);
            // What nothing was read of, such as a README, may be too large to offer.
            let is_offered = declared.is_for_pages && digest.is_none();
            if is_offered && files::size(&path)? > limits::FILE as u64 {
                let more = limits::exceeded(limits::FILE, "bytes");
                return Err(Failure::at(&path, 0, more));
            }
            report.sources.push(Source { path, digest });
        }
        if let Some(path) = digests.keys().next() {
            let path = path.display();
            return Err(anyhow!("{path} appeared while its report was read: run again").into());
        }
        Ok((report, said))
    }

    /// Groups files below a folder that were just measured.
    pub(crate) fn of_files<'a>(
        folder: &Path,
        files: impl IntoIterator<Item = &'a Loaded>,
        is_paired: bool,
    ) -> Result<Self> {
        let files: Vec<&Loaded> = files.into_iter().collect();
        let places: Vec<PathBuf> = files.iter().map(|f| below(folder, &f.path)).collect();
        let mut report = Self {
            folder: folder.to_owned(),
            ..Self::default()
        };
        report.manifest.paired = is_paired;
        report.group(&files, &places, &Declared::default())?;
        Ok(report)
    }
}

/// Reads a folder's `report.toml`, if it has one.
pub(crate) fn manifest(folder: &Path) -> Result<Option<Manifest>> {
    let path = folder.join("report.toml");
    let bytes = files::read_limited(&path, limits::TEXT)?;
    bytes
        .map(|bytes| Manifest::parse(&path, &bytes))
        .transpose()
}

/// Whether a file of a report's folder holds no figures.
fn is_metadata(path: &Path) -> bool {
    let name = files::file_name(path);
    name.ends_with(".lock") || ["report.toml", "notes.md", RECORD].contains(&name.as_str())
}

impl Report {
    fn of_nothing(path: &Path) -> Self {
        Self {
            name: slug::folder(&folder_name(path)),
            folder: path.to_owned(),
            ..Self::default()
        }
    }

    /// Reads what lies beside the figures, and returns the digests of these files.
    fn read_metadata(&mut self) -> Result<HashMap<PathBuf, String>> {
        let mut digests = HashMap::new();
        let mut read = |name: &str| {
            let path = self.folder.join(name);
            let bytes = files::read_limited(&path, limits::TEXT)?;
            let digest = bytes.as_deref().map(hex_digest);
            digests.extend(digest.map(|digest| (path.clone(), digest)));
            Ok::<_, Failure>(bytes.map(|bytes| (path, bytes)))
        };
        let [manifest, notes, record] = [read("report.toml")?, read("notes.md")?, read(RECORD)?];
        if let Some((path, bytes)) = manifest {
            self.manifest = Manifest::parse(&path, &bytes)?;
        }
        if let Some((path, bytes)) = notes {
            self.notes = Some(parse::text(&path, &bytes)?.to_owned());
        }
        self.record = record.map(|(_, bytes)| bytes);
        Ok(digests)
    }

    /// Returns the formats that the report brings along, and those of the command line.
    fn reads(&self, declared: &Declared) -> Result<Reads> {
        let mut reads = self.manifest.reads.clone();
        if let Some(path) = &declared.read {
            let missing = || anyhow!("there is no {}", path.display());
            let bytes = files::read_limited(path, limits::TEXT)?.ok_or_else(missing)?;
            reads.extend(&Reads::parse(path, &bytes)?);
        }
        Ok(reads)
    }

    /// Adds the figures of these files.
    fn filled(mut self, mut loaded: Vec<Loaded>, declared: &Declared) -> Result<Read> {
        if declared.is_strict {
            let unread = loaded.iter().filter_map(|file| file.parsed.unread.clone());
            failure::if_any(unread.collect())?;
        }
        self.declare(declared, &mut loaded)?;
        let mut said = Vec::new();
        for file in &loaded {
            said.extend(file.parsed.notes.iter().map(ToString::to_string));
            said.extend(file.parsed.unread.iter().map(ToString::to_string));
            self.repositories.extend(file.parsed.repositories.clone());
        }
        let places = loaded.iter().map(|file| below(&self.folder, &file.path));
        let places: Vec<PathBuf> = places.collect();
        self.group(&loaded.iter().collect::<Vec<_>>(), &places, declared)?;
        let day = self.manifest.day(&folder_name(&self.folder));
        self.day = day.or_else(|| self.last_commit());
        self.check_manifest(&places)?;
        Ok((self, said))
    }

    /// Applies what `report.toml` and the command line say of units and of names of benchmarks.
    fn declare(&self, declared: &Declared, loaded: &mut [Loaded]) -> Result<()> {
        let Manifest { splits, better, .. } = &self.manifest;
        let stated = splits.iter().map(|split| &split.implementation);
        let lines: Vec<u32> = stated.clone().map(|at| at.line).collect();
        let stated = stated.map(|at| &at.value);
        let splits: Vec<&Split> = stated.chain(&declared.splits).collect();
        let mut matched = vec![0; splits.len()];
        for file in loaded {
            let rows = &mut file.parsed.observations;
            let stated = declared.better.iter().map(|(unit, better)| (unit, better));
            parse::direct(rows, better.iter().chain(stated));
            let counts = parse::split(rows, &splits)
                .map_err(|(line, message)| Failure::at(&file.path, line, message))?;
            for (all, count) in matched.iter_mut().zip(counts) {
                *all += count;
            }
        }
        let Some(unused) = matched.iter().position(|count| *count == 0) else {
            return Ok(());
        };
        let message = "matches no benchmark, so it names no implementation";
        Err(match lines.get(unused) {
            Some(line) => Failure::at(self.folder.join("report.toml"), *line, message),
            None => Failure::at("--implementation", 0, message),
        })
    }
}

/// Returns the rows of a file in groups that follow each other and name one implementation.
fn by_implementation(file: &Loaded) -> impl Iterator<Item = &[Observation]> {
    let rows = &file.parsed.observations;
    rows.chunk_by(|one, next| one.implementation == next.implementation)
}

impl Report {
    /// Groups all observations by the implementations that `report.toml`, the files themselves or their
    /// paths name. `places` are the paths of the files below the folder.
    fn group(&mut self, files: &[&Loaded], places: &[PathBuf], declared: &Declared) -> Result<()> {
        let declarations = &self.manifest.declarations;
        let globs = declarations.iter().flat_map(|d| &d.files);
        let globs = globs
            .map(|at| &*at.value.0)
            .filter(|glob| glob.contains('*'));
        let bytes = places.iter().map(|place| place.as_os_str().len()).sum();
        parse::check_matches(globs, bytes)
            .map_err(|message| Failure::at(self.folder.join("report.toml"), 0, message))?;
        // The few implementations of each file.
        let (mut named, mut problems) = (Vec::new(), Vec::new());
        let own_name = PathBuf::from(folder_name(&self.folder));
        for (file, place) in files.iter().zip(places) {
            let path = self.naming_path(file, &own_name, declared)?;
            let mut known = HashMap::new();
            for rows in by_implementation(file) {
                let own = rows[0].implementation.as_deref();
                known.entry(own).or_insert_with(|| {
                    let default = declared.name.as_deref();
                    let found = implementation(declarations, default, place, &path, own);
                    found.unwrap_or_else(|message| {
                        problems.push(Diagnostic::at(&file.path, rows[0].line, message));
                        Implementation::default()
                    })
                });
            }
            named.push(known);
        }
        // It is often that of all files.
        problems.dedup_by(|other, first| other.message == first.message);
        failure::if_any(problems)?;
        let (older, commits) = branch::older(named.iter().flat_map(HashMap::values));
        let mut grouping = Grouping::default();
        for declared in declarations {
            grouping.build(&declared.implementation);
        }
        let mut remarks = Vec::new();
        for ((file, place), named) in files.iter().zip(places).zip(&named) {
            let mut places = 0..;
            grouping.next_file(&file.parsed.observations);
            if let Some(mut lines) = file.parsed.unread.clone() {
                lines.path.clone_from(place);
                remarks.push(lines.to_string());
            }
            let mut builds = HashMap::new();
            for rows in by_implementation(file) {
                let own = rows[0].implementation.as_deref();
                let found = &named[&own];
                let rows = rows.iter().zip(&mut places);
                if older.contains(found) {
                    rows.for_each(drop);
                    continue;
                }
                let build = *builds.entry(own).or_insert_with(|| grouping.build(found));
                for (row, at) in rows {
                    grouping.add(build, place, at);
                    if let Some(message) = grouping.exceeded_limit() {
                        return Err(Failure::at(&file.path, row.line, message));
                    }
                }
            }
        }
        grouping.finish_into(self);
        self.commits = commits;
        self.remarks.extend(remarks);
        self.remarks.extend(self.branch_note());
        Ok(())
    }

    /// Returns the path whose parts may name the implementation of a file. Folders above the report may
    /// only where no page depends on it.
    fn naming_path(&self, file: &Loaded, own_name: &Path, declared: &Declared) -> Result<PathBuf> {
        if file.named_by == Path::new(STDIN) {
            return Ok(file.named_by.clone());
        }
        if declared.is_for_pages {
            let below = below(&self.folder, &file.named_by);
            return Ok(own_name.join(below));
        }
        let absolute = std::path::absolute(&file.named_by);
        Ok(absolute.context("cannot find the current folder")?)
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
            let known = self.list();
            let message = format!(
                "subject = \"{value}\" is neither a library nor a build of this report, which has {known}"
            );
            let mut builds = self.builds.iter().map(|build| &build.implementation);
            let found = builds.any(|one| one.name == *value || one.to_string() == *value);
            check(*line, found, message);
        }
        let scenarios: HashSet<&Scenario> = self.rows.iter().map(|r| &r.scenario).collect();
        for Located { line, value } in headline {
            let found = scenarios.contains(value);
            let message = format!("headline `{value}` has no figure in this report");
            check(*line, found, message);
        }
        for Located { line, value } in declarations.iter().flat_map(|d| &d.files) {
            let is_meant = |file: &PathBuf| value.is_match(&file.to_string_lossy());
            let found = with_figures.iter().any(is_meant);
            let message = format!("`{}` in `files` matches no file with figures", value.0);
            check(*line, found, message);
        }
        failure::if_any(problems)
    }

    /// Returns the day of the newest commit of a branch.
    fn last_commit(&self) -> Option<Date> {
        let builds = self.builds.iter();
        let days = builds.filter_map(|build| build.implementation.version.branch_day());
        days.max()?.parse().into_iter().next()
    }
}

/// Returns a file's path below the folder of its report.
pub(crate) fn below(folder: &Path, path: &Path) -> PathBuf {
    match path.strip_prefix(folder) {
        Ok(below) if !below.as_os_str().is_empty() => with_slashes(below),
        _ => path.to_owned(),
    }
}

#[cfg(any(test, feature = "fuzz"))]
impl Report {
    /// Makes the report of a folder with these contents.
    pub(crate) fn of_folder(path: &Path, manifest: Manifest, loaded: Vec<Loaded>) -> Result<Self> {
        let declared = Declared {
            is_for_pages: true,
            ..Declared::default()
        };
        let report = Self {
            manifest,
            ..Self::of_nothing(path)
        };
        Ok(report.filled(loaded, &declared)?.0)
    }
}

#[cfg(test)]
impl Report {
    /// Makes a report of a `report.toml` and a table, in any format.
    pub(crate) fn example(name: &str, manifest: &str, table: &str) -> Self {
        let manifest =
            Manifest::parse(Path::new("report.toml"), manifest.as_bytes()).expect("a manifest");
        let path = Path::new(name).join("table.csv");
        let loaded =
            load::bytes("table.csv", table.as_bytes(), &Reads::default()).expect("figures");
        let loaded = Loaded {
            path: path.clone(),
            named_by: path,
            ..loaded
        };
        Self::of_folder(Path::new(name), manifest, vec![loaded]).expect("a report")
    }
}

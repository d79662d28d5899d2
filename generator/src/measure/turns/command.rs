//! Any command in several folders or revisions, its sides: runs it there, and reads the figures that it
//! prints or leaves.

use crate::base::console::quietly;
use crate::base::failure::{Failure, Result};
use crate::base::slug::is_portable;
use crate::files::{self, is_folder, remove, walk};
use crate::measure::git::{self, Location, Sources};
use crate::measure::process::{self, Stop};
use crate::measure::records::record::Record;
use crate::measure::{safe_name, tail};
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::version::Version;
use crate::parse::load::{self, Digests, Loaded};
use crate::parse::{Parsed, Reads, criterion};
use crate::stats::{Estimator, Sample};
use anyhow::Context as _;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Where the command runs.
#[derive(Clone, Debug)]
pub(crate) struct CommandSide {
    /// Name of its results folder.
    pub(crate) name: String,
    /// The folder as the user named it; `None` for a revision. Its whole path is nobody's business.
    place: Option<PathBuf>,
    /// Its package and version, or its name with the commit as version.
    pub(crate) identity: Implementation,
    pub(crate) sources: Sources,
}

/// A side as it is named on the command line: its name, whether the user gave that, and its sources.
pub(crate) type Named = (String, bool, Location);

/// Parses `[NAME=]path:DIR` and `[NAME=]git:REPOSITORY[#REVISION]`. Fails if two have the same name.
pub(crate) fn parse(words: &[String]) -> Result<Vec<Named>> {
    let mut sides: Vec<Named> = Vec::new();
    for word in words {
        let (given, rest) = match word.split_once('=') {
            Some((name, rest)) if Location::parse(word).is_none() => (Some(name), rest),
            _ => (None, &**word),
        };
        let source = Location::parse(rest).ok_or_else(|| {
            Failure::Usage(format!(
                "with --command, name folders and revisions, as path:DIR, git:REPOSITORY#REVISION, or old=path:DIR, and not `{word}`"
            ))
        })?;
        let name = given.map_or_else(|| side_name(&source.name()), str::to_owned);
        if name.is_empty() || side_name(&name) != name || !is_portable(&name) {
            return Err(Failure::Usage(format!(
                "`{name}` cannot name a folder of results on every system: a name has letters, digits, `-`, `_`, `.` and `+`, and starts with a letter or digit"
            )));
        }
        if sides.iter().any(|(other, ..)| *other == name) {
            let first = words[0]
                .split_once('=')
                .map_or(&*words[0], |(_, rest)| rest);
            return Err(Failure::Usage(format!(
                "two sides are called {name}: give them names, as in old={first}"
            )));
        }
        sides.push((name, given.is_some(), source));
    }
    Ok(sides)
}

/// Makes a name of a folder that begins with a letter or digit.
fn side_name(name: &str) -> String {
    let is_other = |c: char| !c.is_ascii_alphanumeric();
    safe_name(name).trim_start_matches(is_other).to_owned()
}

/// Finds folders, and checks out revisions into folders of `work`, where they stay until the
/// measurement is complete.
pub(crate) fn open(named: Vec<Named>, work: &Path) -> Result<Vec<CommandSide>> {
    let (mut sides, mut packages) = (Vec::new(), Vec::new());
    let is_given = named.iter().any(|(_, is_given, _)| *is_given);
    for (name, _, source) in named {
        let sources = source.open(work)?;
        packages.extend(criterion::package(&sources.folder.join("target"))?);
        sides.push(CommandSide {
            identity: Implementation::new(&name, &sources.revision().unwrap_or_default(), &[]),
            name,
            place: source.revision.is_none().then_some(source.folder),
            sources,
        });
    }
    // Versions of one Cargo package are identified as such, because only the versions of one
    // implementation have a history.
    let names: BTreeSet<_> = packages.iter().map(|package| &package.name).collect();
    let versions: BTreeSet<_> = packages.iter().map(|package| &package.version).collect();
    let have_versions = versions.len() == sides.len() && !versions.contains(&Version::default());
    if have_versions && names.len() == 1 && !is_given {
        for (side, package) in sides.iter_mut().zip(packages) {
            side.identity = package;
        }
    }
    Ok(sides)
}

impl CommandSide {
    /// Adds it to the record of a folder. Fails if its sources are not those of earlier runs.
    pub(crate) fn add_to(&self, record: &mut Record, out: &Path) -> Result<()> {
        // Outside of a repository, they cannot be told from what the command writes.
        let results = out.canonicalize();
        let results = results.with_context(|| files::cannot_read(out))?;
        let digest = git::digest(&self.sources.folder, &results)?;
        let sources = Some(self.sources.describe());
        let change = "has other sources than in its earlier runs (what the command writes there belongs into .gitignore)";
        record.add(
            out,
            &self.name,
            digest,
            sources,
            self.place.as_ref(),
            change,
        )
    }
}

/// A command to measure.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark {
    /// A line for bash.
    pub(crate) line: String,
    pub(crate) timeout: Duration,
    /// Where criterion writes, instead of into the user's `target` folder.
    pub(crate) criterion: PathBuf,
}

/// Lines of a failed command's output to show.
const SHOWN: usize = 10;

/// Name of what it prints, in messages.
const OUTPUT: &str = "standard output";

impl Benchmark {
    /// Runs the command once. Its figures are those of criterion, if it wrote any, else what it
    /// printed.
    pub(crate) fn run(&self, side: &CommandSide) -> Result<Parsed, Stop> {
        remove(&self.criterion)?;
        let mut command = Command::new("bash");
        command
            .args(["-euo", "pipefail", "-c", &self.line])
            .current_dir(&side.sources.folder)
            .env("CRITERION_HOME", &self.criterion);
        // In a folder that sides share, cargo would take the build of one for that of another.
        if let Some(shared) = env::var_os("CARGO_TARGET_DIR") {
            command.env("CARGO_TARGET_DIR", Path::new(&shared).join(&side.name));
        }
        let ended = process::run(&mut command, self.timeout)?;
        let printed = [&ended.stderr[..], &ended.stdout].concat();
        let mut last = String::new();
        for line in tail(&String::from_utf8_lossy(&printed), SHOWN).lines() {
            last += &format!("\n  {line}");
        }
        if !ended.status.success() {
            return Err(format!("{}{last}", ended.status).into());
        }
        let read = self.read(&ended.stdout);
        match read.and_then(one_row_each) {
            Err(failure @ Failure::BadInput(_)) => Err(format!("{failure}{last}").into()),
            rows => Ok(rows?),
        }
    }

    /// Reads the figures that criterion wrote, if any, else those that were printed.
    fn read(&self, printed: &[u8]) -> Result<Vec<Loaded>> {
        let (folder, reads) = (&self.criterion, Reads::default());
        if is_folder(folder)? {
            let files = walk(folder)?;
            if files.iter().any(|path| criterion::has_figures(path)) {
                let skips = |_: &Path| false;
                return quietly(|| {
                    load::folder(folder, &files, skips, None, Digests::Small, &reads)
                });
            }
        }
        if printed.trim_ascii().is_empty() {
            let what = "it printed no figures, and criterion wrote none into CRITERION_HOME";
            return Err(Failure::at(OUTPUT, 0, what));
        }
        // The command ended well, so its last line is whole without a newline too.
        let printed = [printed, b"\n"].concat();
        Ok(vec![load::bytes(OUTPUT, &printed, &reads)?])
    }
}

/// Fails if a side has no row that the first one has too, each by its scenario and unit.
pub(crate) fn check_rows(sides: &[(&str, BTreeSet<String>)]) -> Result<()> {
    let (first, rows) = &sides[0];
    let Some((other, theirs)) = sides.iter().find(|(_, theirs)| rows.is_disjoint(theirs)) else {
        return Ok(());
    };
    let [rows, theirs] =
        [rows, theirs].map(|rows| Vec::from_iter(rows.iter().take(SHOWN).cloned()).join("; "));
    Err(Failure::Usage(format!(
        "{first} and {other} have no row in common, so nothing could be compared: {first} has {rows}, and {other} has {theirs}"
    )))
}

/// Names a row by its scenario and unit.
pub(crate) fn row_name(row: &Observation) -> String {
    let symbol = row.unit.symbol();
    let unit = if symbol.is_empty() {
        "an unknown unit"
    } else {
        symbol
    };
    format!("`{}` in {unit}", row.scenario)
}

/// Makes one row of each scenario and unit: if a run has several values, their median is the figure
/// of the run. Fails if they are of several implementations.
fn one_row_each(files: Vec<Loaded>) -> Result<Parsed> {
    let mut joined = Parsed::default();
    let mut values: HashMap<_, Vec<f64>> = HashMap::new();
    let key = |row: &Observation| (Arc::clone(&row.scenario), row.unit.clone());
    for file in files {
        joined.notes.extend(file.parsed.notes);
        for row in file.parsed.observations {
            if let Value::Number(value) = row.value {
                values.entry(key(&row)).or_default().push(value);
            }
            joined.observations.push(row);
        }
    }
    let mut named = joined
        .observations
        .iter()
        .flat_map(|row| &row.implementation);
    if let Some(one) = named.next()
        && let Some(other) = named.find(|other| *other != one)
    {
        let message = format!(
            "its figures are of several implementations, {one} and {other}: measure each with a command of its own"
        );
        return Err(Failure::at(OUTPUT, 0, message));
    }
    let mut seen = HashSet::new();
    joined.observations.retain(|row| seen.insert(key(row)));
    for row in &mut joined.observations {
        if let Some(sample) = values.remove(&key(row)).and_then(Sample::new) {
            row.value = Value::Number(sample.estimate(Estimator::Median));
        }
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_package_are_called_so() {
        let work = tempfile::tempdir().expect("a folder");
        let package = |folder: &str, name: &str, version: &str| {
            let folder = work.path().join(folder);
            std::fs::create_dir_all(&folder).expect("a folder");
            let manifest = format!("[package]\nname = '{name}'\nversion = '{version}'\n");
            std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        };
        package("one", "parser", "1.9.5");
        package("two", "parser", "1.10.1");
        package("same", "parser", "1.10.1");
        package("fork", "parser-fork", "1.10.2");
        let identities = |words: [&str; 2]| {
            let words = words
                .map(|word| word.replace("path:", &format!("path:{}/", work.path().display())));
            let sides = open(parse(&words).expect("sides"), work.path()).expect("folders");
            sides
                .iter()
                .map(|side| side.identity.to_string())
                .collect::<Vec<_>>()
        };
        let found = identities(["path:one", "path:two"]);
        assert_eq!(found, ["parser 1.9.5", "parser 1.10.1"]);
        assert_eq!(identities(["path:two", "path:same"]), ["two", "same"]);
        assert_eq!(identities(["path:one", "path:fork"]), ["one", "fork"]);
        assert_eq!(identities(["old=path:one", "path:two"]), ["old", "two"]);
    }

    #[test]
    fn sides_are_called_by_folder_revision_or_name() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let words = [
            "path:../base",
            "path:/x/my parser/",
            "git:.#feature/a=b",
            &format!("git:.#{hash}"),
            "git:https://example.org/a=b.git",
            "old=git:.#main",
        ];
        let expected = ["base", "my-parser", "feature-a-b", "0123456", "HEAD", "old"];
        let sides = parse(&words.map(str::to_owned)).expect("sides");
        let names: Vec<String> = sides.into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, expected);
    }
}

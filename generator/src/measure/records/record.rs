//! `run.toml` in a report's folder: the settings that a continued measurement must match.

use crate::base::failure::{Failure, Result};
use crate::base::{escape, limits};
use crate::files;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

/// Content of `run.toml`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// [`FORMAT`] of what measured; 0 before there was one.
    #[serde(default)]
    pub(crate) format: u32,
    pub(crate) seed: u32,
    pub(crate) multiplier: f64,
    /// The command that was measured; `None` for the built-in benchmarks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    /// The distinct command lines that measured into the folder, each with the seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) commands: Vec<String>,
    /// Facts of the machine on which figures depend.
    pub(crate) machine: BTreeMap<String, String>,
    /// SHA-256 of each program, or of the sources that the command ran in, by results folder.
    pub(crate) programs: BTreeMap<String, String>,
    /// The same of programs whose counts were taken from another build, as earlier versions allowed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) counted: BTreeMap<String, String>,
    /// Descriptions of unreleased sources, by results folder.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sources: BTreeMap<String, String>,
    /// The folders in which a command ran, as the user named them, by results folder.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) folders: BTreeMap<String, PathBuf>,
}

/// Counts the changes after which figures and files cannot be added to earlier ones: 1, a file of
/// all runs, and a figure that is a rate.
const FORMAT: u32 = 1;

/// Suffix of a control's results folder.
const CONTROL: &str = "_control";

/// Name of the results folder of a program's control.
pub(crate) fn control_id(id: &str) -> String {
    format!("{id}{CONTROL}")
}

pub(crate) use crate::report::RECORD as NAME;

const HEADING: &str =
    "# Written by `generator run`, which compares this before it continues a measurement.\n";

impl Record {
    pub(crate) fn path(out: &Path) -> PathBuf {
        out.join(NAME)
    }

    /// Reads the file; `None` if nothing was measured into the folder yet.
    pub(crate) fn read(out: &Path) -> Result<Option<Self>> {
        let path = Self::path(out);
        let bytes = files::read_limited(&path, limits::TEXT)?;
        bytes.map(|bytes| Self::parse(&path, &bytes)).transpose()
    }

    /// Parses a file that `run` wrote; `None` for others: other tools may use the name.
    pub(crate) fn parse_own(path: &Path, bytes: &[u8]) -> Result<Option<Self>> {
        let is_ours = bytes.starts_with(HEADING.as_bytes());
        is_ours.then(|| Self::parse(path, bytes)).transpose()
    }

    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let record = toml::from_slice(bytes);
        record.map_err(|e| Failure::at(path, 0, e.message().replace('\n', "; ")))
    }

    /// Whether a results folder is that of a control: named after another program's.
    pub(crate) fn is_control(&self, id: &str) -> bool {
        let of = id.strip_suffix(CONTROL);
        of.is_some_and(|of| self.programs.contains_key(of))
    }

    /// Adds what is measured into a results folder below `out`. Fails, with `change`, if something else
    /// was measured there before.
    pub(crate) fn add(
        &mut self,
        out: &Path,
        id: &str,
        digest: Option<String>,
        sources: Option<String>,
        place: Option<&PathBuf>,
        change: &str,
    ) -> Result<()> {
        let before = self.programs.get(id);
        let is_other =
            self.folders.get(id) != place || before.is_some() && before != digest.as_ref();
        let results = out.join(id);
        if is_other && files::is_folder(&results)? {
            return Err(Failure::Io(anyhow!(
                "{id} {change}, and figures of two states are not one sample: remove {} to measure it again, or give another --out",
                results.display()
            )));
        }
        let named = |text| (id.to_owned(), text);
        self.programs.extend(digest.map(named));
        self.sources.extend(sources.map(named));
        self.folders
            .extend(place.map(|place| (id.to_owned(), place.clone())));
        Ok(())
    }

    pub(crate) fn write(&self, out: &Path) -> Result<()> {
        let text = toml::to_string(self).context("cannot write run.toml")?;
        files::write(&Self::path(out), (HEADING.to_owned() + &text).as_bytes())?;
        Ok(())
    }

    /// Reads the record of a folder, or makes a new one, and adds this program's command line.
    /// Fails if results would not be comparable with those in the folder: on another machine, of
    /// another command, or with another multiplier or a seed that was given.
    pub(crate) fn open(
        out: &Path,
        machine: &BTreeMap<String, String>,
        command: Option<&str>,
        multiplier: f64,
        seed: Option<u32>,
    ) -> Result<Self> {
        let before = Self::read(out)?;
        if let Some(before) = &before {
            let with = match (&before.command, seed) {
                _ if before.format != FORMAT => {
                    "another version of this program, by another rule".to_owned()
                }
                (Some(line), _) if command != Some(line) => {
                    format!("--command {}", escape::shell(line))
                }
                (None, _) if command.is_some() => "the built-in benchmarks".to_owned(),
                _ if before.multiplier != multiplier => {
                    format!("--multiplier {}, not {multiplier}", before.multiplier)
                }
                (_, Some(seed)) if before.seed != seed => {
                    format!("--seed {}, not {seed}", before.seed)
                }
                _ => String::new(),
            };
            if !with.is_empty() {
                let out = out.display();
                return Err(Failure::Usage(format!(
                    "{out} was measured with {with}: give the same, or another --out"
                )));
            }
            for fact in machine.keys().chain(before.machine.keys()) {
                let [before, now] = [&before.machine, machine]
                    .map(|facts| facts.get(fact).map_or("nothing", String::as_str));
                if before != now {
                    return Err(Failure::Io(anyhow!(
                        "{} was measured on another machine, whose {fact} is `{before}` and not `{now}`: give another --out",
                        out.display()
                    )));
                }
            }
        }
        let mut record = before.unwrap_or_else(|| Self {
            format: FORMAT,
            // The time in seconds is unique enough, and short enough to type.
            seed: seed.unwrap_or_else(|| jiff::Timestamp::now().as_second() as u32),
            multiplier,
            command: command.map(str::to_owned),
            machine: machine.clone(),
            ..Self::default()
        });
        let mut line = "generator".to_owned();
        for word in env::args_os().skip(1) {
            line += &format!(" {}", escape::shell(&word.to_string_lossy()));
        }
        if seed.is_none() {
            line += &format!(" --seed {}", record.seed);
        }
        if !record.commands.contains(&line) {
            record.commands.push(line);
        }
        Ok(record)
    }
}

/// Refuses a path that cannot be a report's folder, and a report not measured by this program.
/// Called before the build, which takes minutes.
pub(crate) fn check_folder(out: &Path) -> Result<()> {
    if files::is_folder(out)? && !files::is_file(&Record::path(out))? {
        for path in files::read_folder(out)? {
            let name = files::file_name(&path);
            // A new report may start with a description and prose.
            if name != "report.toml" && !name.ends_with(".md") && !name.starts_with('.') {
                return Err(Failure::Usage(format!(
                    "{} contains another report: it has {name}, but no {NAME} to continue from; give another --out",
                    out.display()
                )));
            }
        }
    }
    Ok(())
}

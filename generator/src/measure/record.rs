//! `run.toml` in a report's folder: the settings that a continued measurement must match.

#[cfg(unix)]
use super::{program::Program, results};
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::base::limits;
use crate::files;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Content of `run.toml`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
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
    /// SHA-256 of each timed program, or of the sources that the command ran in, by results folder.
    pub(crate) programs: BTreeMap<String, String>,
    /// SHA-256 of each program whose counts and sizes were taken. Separate, because times and
    /// counts may come from different builds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) counted: BTreeMap<String, String>,
    /// Descriptions of unreleased sources, by results folder.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sources: BTreeMap<String, String>,
}

/// Suffix of a control's results folder.
pub(crate) const CONTROL: &str = "_control";

pub(crate) const NAME: &str = "run.toml";

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
    pub(crate) fn of_run(path: &Path, bytes: &[u8]) -> Result<Option<Self>> {
        let is_ours = bytes.starts_with(HEADING.as_bytes());
        is_ours.then(|| Self::parse(path, bytes)).transpose()
    }

    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let record = toml::from_slice(bytes);
        record.map_err(|e| Failure::at(path, 0, e.message().replace('\n', "; ")))
    }

    pub(crate) fn write(&self, out: &Path) -> Result<()> {
        let text = toml::to_string(self).context("cannot write run.toml")?;
        files::write(&Self::path(out), (HEADING.to_owned() + &text).as_bytes())?;
        Ok(())
    }

    /// Fails if the command, the multiplier or a seed that was given differs from this record's.
    pub(crate) fn check(
        &self,
        command: Option<&str>,
        multiplier: f64,
        seed: Option<u32>,
        out: &Path,
    ) -> Result<()> {
        let mut differs = None;
        if self.command.as_deref() != command {
            let before = match &self.command {
                Some(command) => format!("--command {}", escape::shell(command)),
                None => "the built-in benchmarks".to_owned(),
            };
            differs = Some(format!("{before}: give the same, or another --out"));
        } else if self.multiplier != multiplier {
            let before = self.multiplier;
            differs = Some(format!(
                "--multiplier {before}, not {multiplier}: give the same, or another --out"
            ));
        } else if let Some(seed) = seed.filter(|seed| *seed != self.seed) {
            let before = self.seed;
            differs = Some(format!(
                "--seed {before}, not {seed}: leave it out to continue"
            ));
        }
        match differs {
            None => Ok(()),
            Some(what) => Err(Failure::Usage(format!(
                "{} was measured with {what}",
                out.display()
            ))),
        }
    }

    /// Adds a program. Fails if another build of it was measured before.
    #[cfg(unix)]
    pub(crate) fn add(&mut self, program: &Program, is_counted: bool, out: &Path) -> Result<()> {
        let (id, digest) = (&program.id, &program.digest);
        if let Some(sources) = program.target.sources() {
            self.sources.insert(id.clone(), sources.state.describe());
        }
        let folder = out.join(id);
        let (programs, there, to_remove) = match is_counted {
            true => {
                let there = results::has_counts(&folder)?;
                let counts = folder.join("run-*-{counts,footprint}.*");
                (&mut self.counted, there, counts)
            }
            false => (&mut self.programs, files::is_folder(&folder)?, folder),
        };
        let before = programs.insert(id.clone(), digest.clone());
        if there && before.is_some_and(|before| before != *digest) {
            return Err(Failure::Io(anyhow!(
                "{} was measured with another build of the same release, and figures of two builds are not one sample: remove {} to measure it again, or give another --out",
                program.identity,
                to_remove.display()
            )));
        }
        Ok(())
    }
}

/// Refuses a path that cannot be a report's folder, and a report not measured by this program. Called
/// before the build, which takes minutes.
pub(crate) fn check_folder(out: &Path) -> Result<()> {
    if files::is_file(out)? {
        return Err(Failure::Usage(format!(
            "{} is a file: give --out a new folder, or that of a measurement to continue",
            out.display()
        )));
    }
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
    let out = std::path::absolute(out).context("cannot resolve --out")?;
    for folder in out.ancestors() {
        if files::exists(folder)? {
            let tried = files::try_to_write(folder);
            return Ok(tried.context("--out: make room, or give another folder")?);
        }
    }
    Ok(())
}

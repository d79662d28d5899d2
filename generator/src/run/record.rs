//! `run.toml` in a report's folder: what a measurement that is continued has to agree with.

use super::build::Program;
use crate::failure::{Failure, Result};
use crate::fs;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) seed: u32,
    pub(crate) multiplier: f64,
    /// Facts of the machine that figures depend on.
    pub(crate) machine: BTreeMap<String, String>,
    /// SHA-256 of each program, by its folder of results.
    pub(crate) programs: BTreeMap<String, String>,
}
pub(crate) const NAME: &str = "run.toml";

const HEADING: &str =
    "# Written by `generator run`, which compares this before it continues a measurement.\n";

impl Record {
    pub(crate) fn path(out: &Path) -> PathBuf {
        out.join(NAME)
    }

    /// Reads the file; `None` if nothing was measured into this folder yet.
    pub(crate) fn read(out: &Path) -> Result<Option<Self>> {
        let path = Self::path(out);
        let Some(bytes) = fs::read_optional(&path)? else {
            return Ok(None);
        };
        toml::from_slice(&bytes)
            .map(Some)
            .map_err(|e| Failure::at(&path, 0, e.message().replace('\n', "; ")))
    }
    pub(crate) fn write(&self, out: &Path) -> Result<()> {
        let text = toml::to_string(self).context("cannot write run.toml")?;
        fs::write(&Self::path(out), (HEADING.to_owned() + &text).as_bytes())?;
        Ok(())
    }

    /// Refuses what would put figures that cannot be compared into one folder.
    pub(crate) fn check(
        &self,
        now: &BTreeMap<String, String>,
        multiplier: f64,
        out: &Path,
    ) -> Result<()> {
        let out = out.display();
        if self.multiplier != multiplier {
            return Err(Failure::Usage(format!(
                "{out} was measured with --multiplier {}, not {multiplier}: give the same, or another --out",
                self.multiplier
            )));
        }
        let differs = |fact: &&String| self.machine.get(*fact) != now.get(*fact);
        let Some(fact) = self.machine.keys().chain(now.keys()).find(differs) else {
            return Ok(());
        };
        let said = |facts: &BTreeMap<String, String>| {
            facts.get(fact).map_or("nothing", String::as_str).to_owned()
        };
        Err(Failure::Io(anyhow!(
            "{out} was measured on another machine, whose {fact} is `{}` and not `{}`: give another --out",
            said(&self.machine),
            said(now)
        )))
    }

    /// Adds a program, or refuses it if another of that name was measured before.
    pub(crate) fn add(&mut self, program: &Program, out: &Path) -> Result<()> {
        let before = self
            .programs
            .insert(program.id.clone(), program.digest.clone());
        match before {
            Some(digest) if digest != program.digest && out.join(&program.id).is_dir() => {
                Err(Failure::Io(anyhow!(
                    "{} was measured with another build of the same release ({} before, {} now), and figures of two builds are not one sample: remove {} to measure it anew, or give another --out",
                    program.identity,
                    &digest[..12.min(digest.len())],
                    &program.digest[..12],
                    out.join(&program.id).display()
                )))
            }
            _ => Ok(()),
        }
    }
}

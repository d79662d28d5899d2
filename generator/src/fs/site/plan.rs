//! Plans what to write into a site, and finds what is in the way.

use super::super::list::List;
use super::super::read::cannot_read;
use super::super::{hex_digest, read_optional};
use super::{SECTION, Site, is_marked};
use crate::failure::{self, Failure};
use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What to write and to remove.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to write, by path relative to the site.
    pub changed: BTreeMap<String, Vec<u8>>,
    /// Generated files that are no longer wanted.
    pub removed: Vec<String>,
    pub(super) list: List,
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FileState {
    Same,
    Missing,
    /// Generated and unchanged since, so it may be replaced.
    Ours,
    /// Generated, but edited since.
    Edited,
    Foreign,
}

impl Site {
    /// Whether the generator did not write a file.
    pub fn is_foreign(&self, path: &str) -> Result<bool> {
        self.refuse_links([path])?;
        Ok(self.state(path, "")? == FileState::Foreign)
    }

    /// Compares `wanted` with the files in the site, and leaves those that are `kept`, as
    /// [`Self::cached`] returned them. Foreign sections are left alone.
    ///
    /// # Errors
    /// Names all files in the way that are foreign or were edited.
    pub fn plan(
        &self,
        wanted: BTreeMap<String, Vec<u8>>,
        kept: BTreeMap<String, String>,
    ) -> failure::Result<Plan> {
        let all = wanted.keys().chain(self.written.keys());
        self.refuse_links(all.map(String::as_str))?;
        let states: Vec<(String, Vec<u8>, String, FileState)> = wanted
            .into_par_iter()
            .map(|(path, bytes)| {
                let digest = hex_digest(&bytes);
                let state = self.state(&path, &digest)?;
                Ok((path, bytes, digest, state))
            })
            .collect::<Result<_>>()?;
        let kept = kept.into_iter();
        let kept = kept.map(|(path, digest)| (path, Vec::new(), digest, FileState::Same));
        let mut states: Vec<_> = states.into_iter().chain(kept).collect();
        states.retain(|(path, .., state)| *state != FileState::Foreign || !path.ends_with(SECTION));
        let twins = states.par_iter().map(|(path, ..)| self.foreign_twins(path));
        let mut in_the_way = twins.collect::<Result<Vec<_>>>()?.concat();
        let mut plan = Plan::default();
        for (path, bytes, digest, state) in states {
            plan.list.insert(path.clone(), BTreeSet::from([digest]));
            match state {
                FileState::Foreign => in_the_way.push(format!("{path} was not written by the generator, so it is left alone: move it away, or rename the report's folder in the data")),
                FileState::Edited => in_the_way.push(format!("{path} was edited since the generator wrote it: keep your change elsewhere and delete the file")),
                FileState::Same => {}
                FileState::Ours | FileState::Missing => drop(plan.changed.insert(path, bytes)),
            }
        }
        let unwanted = self.written.keys();
        for path in unwanted.filter(|path| !plan.list.contains_key(*path)) {
            match self.state(path, "")? {
                // Somebody has taken it over.
                FileState::Foreign | FileState::Missing => {}
                FileState::Edited => in_the_way.push(format!("{path} is no longer generated, but was edited since: delete it, or move it away")),
                FileState::Same | FileState::Ours => plan.removed.push(path.clone()),
            }
        }
        match in_the_way.is_empty() {
            true => Ok(plan),
            false => Err(Failure::Io(anyhow!(in_the_way.join("\n")))),
        }
    }

    /// Returns a message for each foreign file that has the address of `path`.
    fn foreign_twins(&self, path: &str) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for twin in twins(path) {
            if self.state(&twin, "")? == FileState::Foreign {
                found.push(format!("{twin} was not written by the generator and has the address of {path}: move it away, or rename the report's folder in the data"));
            }
        }
        Ok(found)
    }

    /// Returns what is at `path`, whose folders [`Self::refuse_links`] has checked.
    pub(super) fn state(&self, path: &str, wanted: &str) -> Result<FileState> {
        let Some(bytes) = read_optional(&self.root.join(path))? else {
            return Ok(FileState::Missing);
        };
        let there = hex_digest(&bytes);
        Ok(match self.written.get(path) {
            _ if there == wanted => FileState::Same,
            Some(digests) if digests.contains(&there) => FileState::Ours,
            // A section that somebody else wrote or took over is left alone; one that still has our
            // mark was edited, even if the list of our files is lost.
            _ if path.ends_with(SECTION) => match is_marked(&bytes) {
                true => FileState::Edited,
                false => FileState::Foreign,
            },
            None => FileState::Foreign,
            Some(_) => FileState::Edited,
        })
    }

    /// Fails if a folder of `paths` is a link, which could lead writes anywhere, or a file.
    pub(super) fn refuse_links<'a>(&self, paths: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let mut folders = BTreeSet::from([Path::new("")]);
        for path in paths {
            for folder in Path::new(path).ancestors().skip(1) {
                // The parents of a known folder are known too.
                if !folders.insert(folder) {
                    break;
                }
            }
        }
        folders.remove(Path::new(""));
        // Parents come first.
        for folder in folders {
            let folder = self.root.join(folder);
            match fs::symlink_metadata(&folder) {
                Ok(metadata) if metadata.is_symlink() => bail!(
                    "{} is a symbolic link: the generator does not write through links; replace it with a folder",
                    folder.display()
                ),
                Ok(metadata) if !metadata.is_dir() => bail!(
                    "{} is not a folder, but pages belong below it: move it away",
                    folder.display()
                ),
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                other => other.with_context(|| cannot_read(&folder))?,
            };
        }
        Ok(())
    }
}

/// Returns the files to which Zola would give the same address as this page or section.
fn twins(path: &str) -> Vec<String> {
    let Some((folder, file)) = path.rsplit_once('/') else {
        return Vec::new();
    };
    let other = match file {
        "index.md" => "_index.md",
        "_index.md" => "index.md",
        _ => return Vec::new(),
    };
    vec![format!("{folder}.md"), format!("{folder}/{other}")]
}

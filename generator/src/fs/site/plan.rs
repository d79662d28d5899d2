//! What writing into a site would do, and what is in its way.

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

/// What writing would do.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to write, by path relative to the site.
    pub changed: BTreeMap<String, Vec<u8>>,
    /// Files of ours that are no longer wanted.
    pub removed: Vec<String>,
    pub(super) list: List,
}

impl Plan {
    /// Nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FileState {
    Same,
    Missing,
    /// Ours to replace.
    Ours,
    /// Ours once, changed by somebody since.
    Edited,
    Foreign,
}

impl Site {
    /// True for a file that somebody else wrote.
    pub fn is_foreign(&self, path: &str) -> Result<bool> {
        self.refuse_links([path])?;
        Ok(self.state(path, "")? == FileState::Foreign)
    }

    /// Compares `wanted` with what is there, and leaves what is `kept`, as [`Self::cached`] found
    /// it. A section that somebody else wrote stays as it is.
    ///
    /// # Errors
    /// Files in the way that are not ours or were edited, all of them by name.
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
                // Somebody has made it their own.
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

    /// That files of somebody else have the address of `path`.
    fn foreign_twins(&self, path: &str) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for twin in twins(path) {
            if self.state(&twin, "")? == FileState::Foreign {
                found.push(format!("{twin} was not written by the generator and has the address of {path}: move it away, or rename the report's folder in the data"));
            }
        }
        Ok(found)
    }

    /// What is at `path`, in a folder that [`Self::refuse_links`] has let pass.
    pub(super) fn state(&self, path: &str, wanted: &str) -> Result<FileState> {
        let Some(bytes) = read_optional(&self.root.join(path))? else {
            return Ok(FileState::Missing);
        };
        let there = hex_digest(&bytes);
        Ok(match self.written.get(path) {
            _ if there == wanted => FileState::Same,
            Some(digests) if digests.contains(&there) => FileState::Ours,
            // A section of somebody else's, or of ours that somebody has taken over, stays as it is;
            // one that still says that it is ours must not, even if the list of our files is lost.
            _ if path.ends_with(SECTION) => match is_marked(&bytes) {
                true => FileState::Edited,
                false => FileState::Foreign,
            },
            None => FileState::Foreign,
            Some(_) => FileState::Edited,
        })
    }

    /// Looks at each folder of `paths` once: a link below the site could lead our writes anywhere.
    pub(super) fn refuse_links<'a>(&self, paths: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let mut folders = BTreeSet::from([Path::new("")]);
        for path in paths {
            for folder in Path::new(path).ancestors().skip(1) {
                // Those above one that is known are known too.
                if !folders.insert(folder) {
                    break;
                }
            }
        }
        folders.remove(Path::new(""));
        // Those above come first.
        for folder in folders {
            let folder = self.root.join(folder);
            match fs::symlink_metadata(&folder) {
                Ok(metadata) if metadata.is_symlink() => bail!(
                    "{} is a symbolic link: the generator writes through no link; replace it with a folder",
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

/// The files that Zola would give the address of this page or section as well.
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

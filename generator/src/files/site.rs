//! Writes into a section of a Zola site: all or nothing, and only the generator's own files.
//!
//! `.generated` in a folder lists the files that the generator wrote there, with their digests. A
//! file that is not in the list, or that was edited since, is never replaced or removed; neither is
//! a page without the generator's mark. While files are being renamed into place, the lists hold
//! the old and the new digest of each, so that the next run recognises all files that a killed run
//! leaves.

mod plan;

pub use plan::{MARK, Plan};

use super::folder::{self, cannot_write, open, open_or_create, refuse_links};
use super::list::{self, List};
use super::place::with_slashes;
use super::system;
use super::walk::{entries_below, unreadable};
use super::write::{Lock, lock, remove, rename};
use super::{is_file, is_folder};
use crate::base::failure::{self, Failure};
use anyhow::{Context, Result};
use plan::Files;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

const STAGING: &str = ".generator-staging";

/// A section of a Zola site, locked against other generators while this value lives.
#[derive(Debug)]
pub struct Site {
    root: PathBuf,
    /// The section's folder relative to the site: `content/perf`.
    section: String,
    _lock: Lock,
    /// The list of each folder that has one, by its path relative to the site.
    lists: BTreeMap<String, List>,
    /// The paths of all files and links in the section that Zola may publish.
    published: Vec<String>,
}

impl Site {
    /// Opens and locks the site at `root`, to write below the folder `section`, whose pages over
    /// all reports are in folders with these names.
    ///
    /// # Errors
    /// `root` has no `config.toml`, another generator is writing to it, or a list is damaged.
    pub fn open(root: &Path, section: &str, overviews: &[&str]) -> failure::Result<Self> {
        let name = root.display();
        if !(is_file(&root.join("config.toml"))? || is_file(&root.join("zola.toml"))?) {
            return Err(Failure::Usage(format!(
                "{name} is not a Zola site: it has no config.toml; name the site with --site, or make one with `generator init`"
            )));
        }
        let mut site = Self {
            root: root.to_owned(),
            section: section.to_owned(),
            _lock: lock(root, &format!("another generator is writing to {name}"))?,
            lists: BTreeMap::new(),
            published: Vec::new(),
        };
        site.refuse_links([section])?;
        site.read_section()?;
        site.leave_other_sections(overviews);
        Ok(site)
    }

    fn read_section(&mut self) -> failure::Result<()> {
        let top = self.root.join(&self.section);
        if !is_folder(&top)? {
            return Ok(());
        }
        let mut folders = Vec::new();
        for entry in entries_below(&top) {
            let entry = entry.map_err(|error| unreadable(error, &top))?;
            let below = entry.path().strip_prefix(&self.root);
            let below = with_slashes(below.context("a file elsewhere")?);
            let path = below.to_string_lossy().into_owned();
            if entry.file_name() == list::NAME && below.to_str().is_some() {
                // No folder of ours has a name that is not UTF-8.
                folders.push(folder_of(&path).to_owned());
            } else if entry.path_is_symlink()
                || entry.file_type().is_file() && below.extension().is_some()
            {
                self.published.push(path);
            }
        }
        let read = |path: String| Ok((path.clone(), list::read(&self.root.join(path))?));
        let read = folders.into_par_iter().map(read);
        self.lists = read.collect::<failure::Result<_>>()?;
        Ok(())
    }

    /// Forgets the lists of a section below this one, whose files are not of this one.
    fn leave_other_sections(&mut self, overviews: &[&str]) {
        let start = self.section.len() + 1;
        // A report may have pages below its own.
        let pages = self
            .lists
            .iter()
            .filter(|(_, list)| list.contains_key("index.md"));
        let pages: BTreeSet<String> = pages.map(|(folder, _)| folder.clone()).collect();
        self.lists.retain(|folder, list| {
            let below = folder.get(start..).unwrap_or_default();
            match below.split_once('/') {
                Some((first, _)) => {
                    overviews.contains(&first)
                        || pages.contains(&format!("{}/{first}", self.section))
                }
                // A section has a list of its reports, or one that somebody else wrote, and, of an
                // earlier version, a badge.
                None => {
                    let is_section = ["_index.md", "badge.svg"]
                        .iter()
                        .any(|file| list.contains_key(*file));
                    overviews.contains(&below) || below.is_empty() || !is_section
                }
            }
        });
    }

    /// Returns the folder of the site.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the names of the reports that have pages.
    pub fn reports(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().filter_map(|(folder, list)| {
            let name = folder.strip_prefix(&self.section)?.strip_prefix('/')?;
            (!name.contains('/') && list.contains_key("index.md")).then_some(name)
        })
    }

    /// Carries out a plan. If the process is killed, each file is old or new.
    ///
    /// # Errors
    /// The system's, with the path. If it happens before the last file was staged, nothing has
    /// changed.
    pub fn write(&self, plan: &Plan) -> Result<()> {
        let staging = self.root.join(STAGING);
        remove(&staging)?;
        if plan.is_empty() {
            return Ok(());
        }
        let written = self.write_staged(plan, &staging);
        // After a failure, the staged files are of no use.
        written.and(remove(&staging))
    }

    fn write_staged(&self, plan: &Plan, staging: &Path) -> Result<()> {
        let [before, changed, after] =
            ["before", "changed", "after"].map(|step| staging.join(step));
        self.stage(&before, &plan.lists_before)?;
        self.stage(&changed, &plan.changed)?;
        self.stage(&after, &plan.lists_after)?;
        // One flush for all files instead of one each, before any old file is replaced.
        flush(staging)?;
        self.put(&before, &plan.lists_before)?;
        flush(staging)?;
        self.put(&changed, &plan.changed)?;
        for path in &plan.removed {
            remove_with_empty_folders(&self.root, path)?;
        }
        flush(staging)?;
        self.put(&after, &plan.lists_after)
    }

    /// Writes files below `staging`, at their paths below the site. One thread writes each folder:
    /// several threads that create files in one folder only wait for each other.
    fn stage(&self, staging: &Path, files: &Files) -> Result<()> {
        let cannot = |path: &str| cannot_write(&self.root.join(path));
        open_or_create(staging).with_context(|| cannot_write(staging))?;
        let files: Vec<_> = files.iter().collect();
        let folders = files.par_chunk_by(|(a, _), (b, _)| folder_of(a) == folder_of(b));
        folders.try_for_each(|files| {
            let folder = folder_of(files[0].0);
            let opened = open_or_create(&staging.join(folder));
            let opened = opened.with_context(|| cannot(folder))?;
            files.iter().try_for_each(|(path, bytes)| {
                let written = opened.write(split(path).1, bytes);
                written.with_context(|| cannot(path))
            })
        })
    }

    /// Renames staged files into place: a new folder as a whole.
    fn put(&self, staging: &Path, files: &Files) -> Result<()> {
        let mut moved = Path::new("");
        for path in files.keys().map(Path::new) {
            // Paths are sorted, so those of one folder follow each other.
            if moved != Path::new("") && path.starts_with(moved) {
                continue;
            }
            moved = path;
            while let Some(folder) = moved.parent()
                && !is_folder(&self.root.join(folder))?
            {
                moved = folder;
            }
            let target = self.root.join(moved);
            rename(&staging.join(moved), &target).with_context(|| cannot_write(&target))?;
        }
        Ok(())
    }

    /// Fails if one of these folders, or one above it, is a link, which could lead writes anywhere,
    /// or a file.
    fn refuse_links<'a>(&self, folders: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let folders = BTreeSet::from_iter(folders);
        let mut inside = folders
            .into_iter()
            .map(|f| self.root.join(f).join(list::NAME));
        inside.try_for_each(|path| refuse_links(&path))
    }
}

/// Flushes the file system of a folder.
fn flush(folder: &Path) -> Result<()> {
    let flushed = open(folder).and_then(|folder| system::flush_all(&folder));
    flushed.with_context(|| cannot_write(folder))
}

/// Returns the folder and the name of a file of the section.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn folder_of(path: &str) -> &str {
    split(path).0
}

/// Removes a file, and its parent folders that become empty.
fn remove_with_empty_folders(root: &Path, path: &str) -> Result<()> {
    let full = root.join(path);
    remove(&full)?;
    let folders = full.ancestors().skip(1);
    for folder in folders.take_while(|folder| *folder != root) {
        let removed = || -> io::Result<()> {
            let (above, name) = folder::split(folder)?;
            open(above)?.remove_dir(name)
        };
        match removed() {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => break,
            removed => removed.with_context(|| format!("cannot remove {}", folder.display()))?,
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests;

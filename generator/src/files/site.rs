//! Writes into a section of a Zola site: all or nothing, and only the generator's own files.
//!
//! `.generated` in a folder lists the files that the generator wrote there, with their digests. A
//! file that is not in the list, or that was edited since, is never replaced or removed; neither is
//! a page without the generator's mark. New files are staged beside the site's. Once all of them are
//! whole, they are renamed into place, the lists last; a run that is killed meanwhile is finished by
//! the next one.

mod plan;

pub use plan::{Changes, MARK};

use super::folder::{self, cannot_write, open, refuse_links};
use super::list::{self, List};
use super::place::with_slashes;
use super::system;
use super::walk::{entries_below, unreadable};
use super::write::{Lock, create_folder, lock, remove, rename};
use super::{digest_of_file, is_file, is_folder, is_taken};
use crate::base::failure::{self, Failure};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The folder of files that are being written, and that of all of them once they are whole.
const STAGING: &str = ".generator-staging";
const STAGED: &str = ".generator-staged";

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
    /// all reports are in folders with these names, or, if `is_dry`, to compare with it.
    ///
    /// # Errors
    /// `root` has no `config.toml`, another generator is writing to it, or a list is damaged; a dry
    /// run finds a run that was killed.
    pub fn open(
        root: &Path,
        section: &str,
        overviews: &[&str],
        is_dry: bool,
    ) -> failure::Result<Self> {
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
        if is_taken(&root.join(STAGED))? {
            if is_dry {
                return Err(Failure::Difference(format!(
                    "`generator ingest` was interrupted while it wrote to {name}: run it again"
                )));
            }
            site.finish(true)?;
            site.read_section()?;
        }
        // A section below this one has files of its own. A report may have pages below its page.
        let is_report = |folder: &str| {
            let list = site.lists.get(folder);
            list.is_some_and(|list| list.contains_key("index.md"))
        };
        let is_ours = |folder: &String| {
            let below = folder[section.len()..].trim_start_matches('/');
            let first = below.split('/').next().unwrap_or_default();
            first.is_empty()
                || overviews.contains(&first)
                || is_report(&format!("{section}/{first}"))
        };
        let others: BTreeSet<String> = site.lists.keys().filter(|f| !is_ours(f)).cloned().collect();
        site.lists.retain(|folder, _| !others.contains(folder));
        Ok(site)
    }

    fn read_section(&mut self) -> failure::Result<()> {
        (self.lists, self.published) = Default::default();
        let top = self.root.join(&self.section);
        if !is_folder(&top)? {
            return Ok(());
        }
        for entry in entries_below(&top) {
            let entry = entry.map_err(|error| unreadable(error, &top))?;
            let below = entry.path().strip_prefix(&self.root);
            let below = with_slashes(below.context("a file elsewhere")?);
            let path = below.to_string_lossy().into_owned();
            if entry.file_name() == list::NAME && below.to_str().is_some() {
                // No folder of ours has a name that is not UTF-8.
                let folder = folder_of(&path);
                let list = list::read(&self.root.join(folder))?;
                self.lists.insert(folder.to_owned(), list);
            } else if entry.path_is_symlink()
                || entry.file_type().is_file() && below.extension().is_some()
            {
                self.published.push(path);
            }
        }
        Ok(())
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

    /// Puts staged files into place, if all were staged: a new folder as a whole. Then removes the
    /// files that new lists lack. Of an earlier run, nobody knows what has happened since, so only
    /// what it listed goes into the section, and replaces only what the site lists.
    fn finish(&self, is_of_earlier_run: bool) -> failure::Result<()> {
        let staged = self.root.join(STAGED);
        if !is_taken(&staged)? {
            return Ok(());
        }
        let mut lists = Vec::new();
        let mut entries = entries_below(&staged).into_iter();
        while let Some(entry) = entries.next() {
            let entry = entry.map_err(|error| unreadable(error, &staged))?;
            let below = entry
                .path()
                .strip_prefix(&staged)
                .context("a file elsewhere")?;
            let place = self.root.join(below);
            let is_ours = below.starts_with(&self.section);
            if is_ours && is_of_earlier_run {
                refuse_links(&place)?;
            }
            if entry.file_type().is_dir() {
                if is_ours && is_of_earlier_run {
                    create_folder(&place)?;
                } else if is_ours && !is_taken(&place)? {
                    create_folder(folder::parent(&place))?;
                    rename(entry.path(), &place)?;
                    entries.skip_current_dir();
                }
            } else if !is_ours || !entry.file_type().is_file() {
                // Of somebody else.
            } else if entry.file_name() == list::NAME {
                lists.push((entry.path().to_owned(), place));
            } else if !is_of_earlier_run
                || self.may_replace(entry.path(), &with_slashes(below).to_string_lossy())?
            {
                rename(entry.path(), &place)?;
            }
        }
        flush(&staged)?;
        for (staged, place) in lists {
            self.replace_list(&staged, &place)?;
        }
        flush(&staged)?;
        Ok(remove(&staged)?)
    }

    /// Whether a staged file is in its list, and nothing but the generator's or the same is in its
    /// place.
    fn may_replace(&self, staged: &Path, path: &str) -> failure::Result<bool> {
        let listed = list::read(folder::parent(staged))?.remove(split(path).1);
        let digest = digest_of_file(staged)?;
        let is_listed = listed.as_ref() == Some(&digest);
        Ok(is_listed && self.is_ours_or(path, &digest)?)
    }

    /// Replaces a list, and removes the files that it no longer has. An empty one is removed, and so
    /// are folders that become empty.
    fn replace_list(&self, new: &Path, old: &Path) -> failure::Result<()> {
        let [in_new, in_old] = [folder::parent(new), folder::parent(old)];
        let names = list::read(in_new)?;
        let folder = with_slashes(
            in_old
                .strip_prefix(&self.root)
                .context("a list elsewhere")?,
        );
        let folder = folder.to_string_lossy();
        for name in self.lists.get(&*folder).into_iter().flat_map(List::keys) {
            if !names.contains_key(name) && self.is_ours(&format!("{folder}/{name}"))? {
                remove(&in_old.join(name))?;
            }
        }
        if !names.is_empty() {
            return Ok(rename(new, old)?);
        }
        remove(old)?;
        for folder in in_old.ancestors().take_while(|folder| *folder != self.root) {
            let removed = || -> io::Result<()> {
                let (above, name) = folder::split(folder)?;
                open(above)?.remove_dir(name)
            };
            match removed() {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => break,
                // A run that was killed has removed it.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                done => done.with_context(|| format!("cannot remove {}", folder.display()))?,
            }
        }
        Ok(())
    }

    /// Fails if one of these folders, or one above it, is a link, which could lead writes anywhere,
    /// or a file.
    fn refuse_links<'a>(&self, folders: impl IntoIterator<Item = &'a str>) -> Result<()> {
        for folder in BTreeSet::from_iter(folders) {
            refuse_links(&self.root.join(folder).join(list::NAME))?;
        }
        Ok(())
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

#[cfg(test)]
#[cfg(unix)]
mod tests;

//! `[[read]]` of a `report.toml`, or of a file that is named on the command line: formats that a report
//! brings along.

use super::{Entry, Formats};
use crate::base::failure::{Failure, Result};
use crate::files::file_name;
use crate::parse::load::Loaded;
use crate::parse::prelude::*;
use crate::parse::reader::{Located, from_toml};
use std::path::PathBuf;

/// Entries of somebody's own, with their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads(Vec<(PathBuf, u32, Entry)>);

/// A file of nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    read: Vec<Located<Entry>>,
}

impl Reads {
    /// Reads a file of entries.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let file: File = from_toml(path, bytes)?;
        Self::new(path, file.read)
    }

    /// Checks the entries of a file.
    pub(crate) fn new(path: &Path, entries: Vec<Located<Entry>>) -> Result<Self> {
        let mut all = Vec::new();
        for located in entries {
            let (line, mut entry) = (located.line, located.value);
            let has_names = !entry.names.all().is_empty();
            let checked = match !entry.tool.is_empty() || entry.last || has_names {
                true => Err("`tool`, `last` and `names` are of built-in formats".to_owned()),
                false => entry.check(),
            };
            checked.map_err(|message| Failure::at(path, line, message))?;
            entry.tool = format!("[[read]] of {}:{line}", file_name(path));
            all.push((path.to_owned(), line, entry));
        }
        Ok(Self(all))
    }

    pub(crate) fn extend(&mut self, others: &Self) {
        self.0.extend(others.0.iter().cloned());
    }

    /// The entries that name a file, by its path below the folder of its report.
    pub(in crate::parse) fn naming(&self, below: &Path) -> Option<Formats> {
        let name = file_name(below);
        let below = below.to_string_lossy();
        self.formats(|entry| {
            entry.files.as_ref().is_some_and(|files| {
                let is_name = !files.0.contains('/') && files.1.is_match(&name);
                is_name || files.1.is_match(&below)
            })
        })
    }

    /// The entries that name no file: they read what no other does.
    pub(in crate::parse) fn others(&self) -> Option<Formats> {
        self.formats(|entry| entry.files.is_none())
    }

    fn formats(&self, is_taken: impl Fn(&Entry) -> bool) -> Option<Formats> {
        let entries = self.0.iter().map(|(.., entry)| entry);
        let taken: Vec<Entry> = entries.filter(|entry| is_taken(entry)).cloned().collect();
        (!taken.is_empty()).then(|| Formats {
            is_own: true,
            ..Formats::new(taken)
        })
    }

    /// Fails if an entry has read none of the files.
    pub(in crate::parse) fn check_used(&self, files: &[Loaded]) -> Result<()> {
        let read_by = files.iter().flat_map(|file| &file.parsed.read_by);
        let read_by: HashSet<&String> = read_by.collect();
        let mut entries = self.0.iter();
        let message = "no row of this [[read]] is in any file that is for it: one that `files` names, else one that no other entry and no format reads";
        match entries.find(|(.., entry)| !read_by.contains(&entry.tool)) {
            Some((path, line, _)) => Err(Failure::at(path, *line, message)),
            None => Ok(()),
        }
    }
}

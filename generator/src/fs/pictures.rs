//! A folder of pictures that are made where they are needed, and not kept with the pages.
//!
//! No list tells which are ours, as for pages: a picture says in itself what it was made from.

use super::site::refuse_links;
use super::write::{create_folder, remove, write};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

const ENDING: &str = ".png";
/// A file that is being written; one that a killed run left is replaced or removed by the next.
const UNFINISHED: &str = ".png.unfinished";

/// The folder.
#[derive(Debug)]
pub struct Pictures {
    folder: PathBuf,
}

/// What is in it.
#[derive(Debug, Default)]
pub struct Found {
    /// The first bytes of each picture, by its name without the ending.
    pub heads: BTreeMap<String, Vec<u8>>,
    /// Names of those that were not finished.
    unfinished: Vec<String>,
}

impl Pictures {
    /// The folder at `below` in the site at `root`, which need not exist.
    ///
    /// # Errors
    /// A link on the way, which could lead anywhere.
    pub fn open(root: &Path, below: &str) -> Result<Self> {
        refuse_links(root, Path::new(below))?;
        Ok(Self {
            folder: root.join(below),
        })
    }

    /// The pictures that are there, with their first `length` bytes; links and folders are
    /// left out.
    ///
    /// # Errors
    /// A file that cannot be read, by its path.
    pub fn find(&self, length: usize) -> Result<Found> {
        let context = || format!("cannot read {}", self.folder.display());
        let mut found = Found::default();
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
            entries => entries.with_context(context)?,
        };
        for entry in entries {
            let entry = entry.with_context(context)?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if !entry.file_type().with_context(context)?.is_file() {
                continue;
            }
            if let Some(name) = name.strip_suffix(ENDING) {
                let mut head = Vec::with_capacity(length);
                let file = File::open(entry.path()).with_context(context)?;
                file.take(length as u64)
                    .read_to_end(&mut head)
                    .with_context(context)?;
                found.heads.insert(name.to_owned(), head);
            } else if let Some(name) = name.strip_suffix(UNFINISHED) {
                found.unfinished.push(name.to_owned());
            }
        }
        Ok(found)
    }

    /// Writes a picture: a kill at any moment leaves it old or new.
    ///
    /// # Errors
    /// The system's, with the path.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        create_folder(&self.folder)?;
        write(&self.folder.join(format!("{name}{ENDING}")), bytes)
    }

    /// Removes a picture.
    ///
    /// # Errors
    /// The system's, with the path.
    pub fn remove(&self, name: &str) -> Result<()> {
        remove(&self.folder.join(format!("{name}{ENDING}")))
    }

    /// Removes what earlier runs left unfinished.
    ///
    /// # Errors
    /// The system's, with the path.
    pub fn clear(&self, found: &Found) -> Result<()> {
        let paths = found.unfinished.iter();
        paths
            .map(|name| self.folder.join(format!("{name}{UNFINISHED}")))
            .try_for_each(|path| remove(&path))
    }
}

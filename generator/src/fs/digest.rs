//! Detects changed files, by digest or by size and time.

use super::read::cannot_read;
use super::walk::walk;
use crate::limits::FILE;
use anyhow::{Context, Result};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fmt::Debug;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The digests of all files below some folders, combined with the identity of this program: its size
/// and modification time.
#[derive(Debug)]
pub struct Digests {
    program: String,
    /// Sorted by path.
    files: Vec<(PathBuf, String)>,
}

impl Digests {
    /// Reads every file below `roots`.
    pub fn of(roots: &[PathBuf]) -> Result<Self> {
        let program = std::env::current_exe()
            .and_then(fs::metadata)
            .context("cannot find this program")?;
        let program = format!("{} {:?}", program.len(), program.modified()?);
        let digests = files(roots)?.into_par_iter().map(|path| {
            let digest = fingerprint(&path)?;
            Ok((path, digest))
        });
        let mut files = digests.collect::<Result<Vec<_>>>()?;
        files.sort();
        Ok(Self { program, files })
    }

    /// Returns one digest of all files.
    pub fn all(&self) -> String {
        self.digest(&self.files)
    }

    /// Returns one digest of the names and bytes below a file or folder.
    pub fn below(&self, path: &Path) -> String {
        let start = self
            .files
            .partition_point(|(file, _)| file.as_path() < path);
        let rest = &self.files[start..];
        let end = rest.partition_point(|(file, _)| file.starts_with(path));
        self.digest(&rest[..end])
    }

    /// Returns the digest of a value's [`Debug`] output.
    pub fn of_value(&self, value: &impl Debug) -> String {
        hex_digest(format!("{} {value:?}", self.program).as_bytes())
    }

    fn digest(&self, files: &[(PathBuf, String)]) -> String {
        let mut hasher = Sha256::new_with_prefix(&self.program);
        for (path, digest) in files {
            let path = path.as_os_str().as_encoded_bytes();
            // Parts are separated by a byte that none of them can hold.
            for part in [&[0], digest.as_bytes(), &[0], path] {
                hasher.update(part);
            }
        }
        hex(&hasher.finalize())
    }
}

fn files(roots: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let walks = roots.iter().map(|root| walk(root));
    Ok(walks.collect::<Result<Vec<_>>>()?.concat())
}

/// Returns the digest of a file, or size and time if it is too large to hold in memory: most such
/// files are refused at their first lines, so hashing gigabytes before would waste time.
fn fingerprint(path: &Path) -> Result<String> {
    let metadata = fs::metadata(path).with_context(|| cannot_read(path))?;
    match metadata.len() > FILE as u64 {
        true => Ok(format!("{} {:?}", metadata.len(), metadata.modified()?)),
        false => digest_of_file(path),
    }
}

/// Returns the SHA-256 of a file in hexadecimal. Reads in pieces, since a latency capture may be
/// larger than memory.
pub(crate) fn digest_of_file(path: &Path) -> Result<String> {
    let context = || cannot_read(path);
    let mut file = fs::File::open(path).with_context(context)?;
    let mut hasher = Sha256::new();
    let mut piece = [0; 16 * 1024];
    loop {
        match file.read(&mut piece).with_context(context)? {
            0 => return Ok(hex(&hasher.finalize())),
            n => hasher.update(&piece[..n]),
        }
    }
}

/// Returns the SHA-256 in hexadecimal.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|b| [b >> 4, b & 15]);
    digits
        .filter_map(|d| char::from_digit(d.into(), 16))
        .collect()
}

/// Path, size and modification time of each file.
type Stamp = Vec<(PathBuf, u64, SystemTime)>;

/// Returns the stamp of all files below `roots`. Files that vanish meanwhile are left out.
pub fn stamp(roots: &[PathBuf]) -> Result<Stamp> {
    let mut stamp = Stamp::new();
    for path in files(roots)? {
        let changed = fs::metadata(&path).and_then(|m| Ok((m.len(), m.modified()?)));
        match changed {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            changed => {
                let (size, time) = changed.with_context(|| cannot_read(&path))?;
                stamp.push((path, size, time));
            }
        }
    }
    Ok(stamp)
}

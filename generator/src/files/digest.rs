//! Detects changed files, by digest or by size and time.

use super::read::{cannot_read, open_regular};
use super::walk::{is_hidden, unreadable};
use crate::base::failure::io_kind;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use walkdir::{DirEntry, WalkDir};

/// Returns the SHA-256 of a file in hexadecimal. Reads in pieces, since a latency capture may be
/// larger than memory.
pub(crate) fn digest_of_file(path: &Path) -> Result<String> {
    let digest = || -> io::Result<String> {
        let mut file = Hashed::new(open_regular(path)?.0);
        io::copy(&mut file, &mut io::sink())?;
        Ok(file.digest())
    };
    digest().with_context(|| cannot_read(path))
}

/// Computes the SHA-256 of all that is read through it.
pub(crate) struct Hashed<R> {
    reader: R,
    hasher: Sha256,
}

impl<R: Read> Hashed<R> {
    pub(crate) fn new(reader: R) -> Self {
        let hasher = Sha256::new();
        Self { reader, hasher }
    }

    /// Returns the digest in hexadecimal.
    pub(crate) fn digest(self) -> String {
        hex(&self.hasher.finalize())
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.hasher.update(&buffer[..n]);
        Ok(n)
    }
}

/// Returns the SHA-256 in hexadecimal.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|b| [b >> 4, b & 15]);
    let digit = |digit: u8| char::from_digit(digit.into(), 16);
    digits.filter_map(digit).collect()
}

/// Path, size and modification time of each file.
pub type Stamp = Vec<(PathBuf, u64, SystemTime)>;

/// Returns the stamp of all files below `roots`. What vanishes meanwhile is left out.
pub fn stamp(roots: &[PathBuf]) -> Result<Stamp> {
    let mut stamp = Stamp::new();
    let all = roots.iter().flat_map(|root| {
        let is_seen = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.file_name());
        WalkDir::new(root).into_iter().filter_entry(is_seen)
    });
    for entry in all {
        let data = entry.and_then(|entry| Ok((entry.metadata()?, entry.into_path())));
        match data.map_err(|error| unreadable(error, Path::new("the data"))) {
            Err(error) if io_kind(&error) == Some(ErrorKind::NotFound) => {}
            data => {
                let (data, path) = data?;
                let time = data.modified().with_context(|| cannot_read(&path))?;
                stamp.push((path, data.len(), time));
            }
        }
    }
    Ok(stamp)
}

//! Detects changed files, by digest or by size and time.

use super::read::{cannot_read, open_regular};
use super::walk::walk;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Returns the SHA-256 of a file in hexadecimal. Reads in pieces, since a latency capture may be
/// larger than memory.
pub(crate) fn digest_of_file(path: &Path) -> Result<String> {
    let digest = || -> io::Result<String> {
        let mut file = Hashed::new(open_regular(path)?);
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
    digits
        .filter_map(|d| char::from_digit(d.into(), 16))
        .collect()
}

/// Path, size and modification time of each file.
pub type Stamp = Vec<(PathBuf, u64, SystemTime)>;

/// Returns the stamp of all files below `roots`. Files that vanish meanwhile are left out.
pub fn stamp(roots: &[PathBuf]) -> Result<Stamp> {
    let mut files = Vec::new();
    for root in roots {
        files.extend(walk(root)?);
    }
    let mut stamp = Stamp::new();
    for path in files {
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

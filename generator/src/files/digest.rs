//! Detects changed files, by digest or by size and time.

use super::read::cannot_read;
use super::walk::walk;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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

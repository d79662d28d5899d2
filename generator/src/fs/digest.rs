//! Telling whether files have changed: by what they hold, or by size and time.

use super::read::cannot_read;
use super::walk::walk;
use crate::limits::FILE;
use anyhow::{Context, Result};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// One digest of the names and contents of all files below `roots`, and of this program, which
/// is distinguished from others by its size and time of change.
pub fn digest(roots: &[PathBuf]) -> Result<String> {
    let program = std::env::current_exe()
        .and_then(fs::metadata)
        .context("cannot find this program")?;
    let mut all = format!("{} {:?}\n", program.len(), program.modified()?);
    let lines = files(roots)?.into_par_iter().map(|path| {
        let digest = digest_of_file(&path)?;
        Ok(format!("{digest} {}\n", path.display()))
    });
    all += &lines.collect::<Result<Vec<String>>>()?.concat();
    Ok(hex_digest(all.as_bytes()))
}

fn files(roots: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let walks = roots.iter().map(|root| walk(root));
    Ok(walks.collect::<Result<Vec<_>>>()?.concat())
}

/// Of a file that is too large to hold, size and time have to do: most is refused at its first
/// lines, and nobody should wait for gigabytes before.
fn digest_of_file(path: &Path) -> Result<String> {
    let context = || cannot_read(path);
    let metadata = fs::metadata(path).with_context(context)?;
    if metadata.len() > FILE.get() as u64 {
        let changed = metadata.modified().with_context(context)?;
        return Ok(format!("{} {changed:?}", metadata.len()));
    }
    Ok(hex_digest(&fs::read(path).with_context(context)?))
}

/// SHA-256 in hexadecimal.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// What changes when a file does: path, size, time of change.
pub type Stamp = Vec<(PathBuf, u64, SystemTime)>;

/// The stamp of all files below `roots`. Files that vanish meanwhile are left out.
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

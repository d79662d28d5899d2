//! Reading files, the large ones in pieces.

use crate::failure::{self, Failure};
use crate::limits::{FILE, Limit};
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{ErrorKind, Read, Seek};
use std::path::Path;

/// A file as opened: its start, and how to get at the rest.
#[derive(Debug)]
pub enum Bytes {
    /// The whole of it.
    Whole(Vec<u8>),
    /// Too big to hold; the start, enough to recognise it by, and the open file at its start again.
    Large(Vec<u8>, fs::File),
}

/// Enough to recognise any format by.
const HEAD: usize = 64 * 1024;

/// Opens a file; reads it whole unless it is large.
///
/// # Errors
/// The system's, with the path; or that it is no regular file.
pub fn read(path: &Path) -> Result<Bytes> {
    let context = || cannot_read(path);
    let metadata = fs::metadata(path).with_context(context)?;
    if !metadata.is_file() {
        bail!("{} is no regular file", path.display());
    }
    if metadata.len() <= FILE.get() as u64 {
        return Ok(Bytes::Whole(fs::read(path).with_context(context)?));
    }
    let mut head = vec![0; HEAD];
    let mut file = fs::File::open(path).with_context(context)?;
    file.read_exact(&mut head).with_context(context)?;
    file.rewind().with_context(context)?;
    Ok(Bytes::Large(head, file))
}

/// The bytes of a file of our own, whatever its size.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| cannot_read(path))
}

/// Bytes of a file.
pub fn size(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).with_context(|| cannot_read(path))?;
    Ok(metadata.len())
}

/// True for a file, false where there is none.
pub fn is_file(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(false)
        }
        metadata => Ok(metadata.with_context(|| cannot_read(path))?.is_file()),
    }
}

/// The whole of standard input, up to a limit.
pub fn read_stdin() -> failure::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(FILE.get() as u64 + 1);
    let read = input.read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    within(Path::new("standard input"), &FILE, bytes.len() as u64).map(|()| bytes)
}

/// The file of a person or of a measurement, which need not be there, up to a limit.
pub(crate) fn read_limited(path: &Path, limit: &Limit) -> failure::Result<Option<Vec<u8>>> {
    if is_file(path)? {
        within(path, limit, size(path)?)?;
    }
    Ok(read_optional(path)?)
}

fn within(path: &Path, limit: &Limit, bytes: u64) -> failure::Result<()> {
    match bytes > limit.get() as u64 {
        true => Err(Failure::at(path, 0, limit.exceeded("bytes"))),
        false => Ok(()),
    }
}

/// The text of a file that need not be there.
///
/// # Errors
/// Any but that it is not there. A symbolic link is one, since it may lead anywhere.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    let name = path.display();
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            bail!("{name} is a symbolic link, and none is followed; put the file itself there")
        }
        // Who reads a pipe or a device waits, or never ends.
        Ok(there) if !there.is_file() && !there.is_dir() => bail!("{name} is no regular file"),
        _ => {}
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| cannot_read(path)),
    }
}

pub(crate) fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

/// The last part of a path as text.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

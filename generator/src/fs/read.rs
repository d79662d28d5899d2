//! Reading files, the large ones in pieces.

use crate::failure::{self, Failure};
use crate::limits::{FILE, Limit};
use anyhow::{Context, Result, bail};
use rustix::fs::OFlags;
use std::fs;
use std::io::{self, ErrorKind, Read, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{self, Path};

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
/// The system's, with the path; or that it is not a regular file.
pub fn read(path: &Path) -> Result<Bytes> {
    let context = || cannot_read(path);
    let (mut file, metadata) = open(path, OFlags::NONBLOCK).with_context(context)?;
    if !metadata.is_file() {
        bail!("{} is not a regular file", path.display());
    }
    if metadata.len() <= FILE.get() as u64 {
        let bytes = rest(file).with_context(context)?;
        return Ok(Bytes::Whole(bytes));
    }
    let mut head = vec![0; HEAD];
    file.read_exact(&mut head).with_context(context)?;
    file.rewind().with_context(context)?;
    Ok(Bytes::Large(head, file))
}

/// Never waits for the other end of a pipe where the flags have `NONBLOCK`.
fn open(path: &Path, flags: OFlags) -> io::Result<(fs::File, fs::Metadata)> {
    let mut options = fs::OpenOptions::new();
    let flags = flags.bits().cast_signed();
    let file = options.read(true).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

fn rest(mut file: fs::File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
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

/// True for a file, false where there is none. Unlike [`Path::is_file`] it fails if neither can be
/// determined.
pub fn is_file(path: &Path) -> Result<bool> {
    Ok(metadata(path)?.is_some_and(|metadata| metadata.is_file()))
}

/// True for a folder, false where there is none.
pub(crate) fn is_folder(path: &Path) -> Result<bool> {
    Ok(metadata(path)?.is_some_and(|metadata| metadata.is_dir()))
}

/// Whether there is anything; a link that leads nowhere is nothing.
pub(crate) fn exists(path: &Path) -> Result<bool> {
    Ok(metadata(path)?.is_some())
}

fn metadata(path: &Path) -> Result<Option<fs::Metadata>> {
    match fs::metadata(path) {
        // The last two: nothing can be called so.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound
                    | ErrorKind::NotADirectory
                    | ErrorKind::InvalidFilename
                    | ErrorKind::InvalidInput
            ) =>
        {
            Ok(None)
        }
        metadata => Ok(Some(metadata.with_context(|| cannot_read(path))?)),
    }
}

/// The whole of standard input, up to a limit.
pub fn read_stdin() -> failure::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock().take(FILE.get() as u64 + 1);
    let read = input.read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    within(Path::new("standard input"), &FILE, bytes.len() as u64).map(|()| bytes)
}

/// The file of a person or of a measurement, which need not be there, up to a limit.
pub(crate) fn read_limited(path: &Path, limit: &Limit) -> failure::Result<Option<Vec<u8>>> {
    let Some((file, metadata)) = open_optional(path)? else {
        return Ok(None);
    };
    within(path, limit, metadata.len())?;
    Ok(Some(rest(file).with_context(|| cannot_read(path))?))
}

fn within(path: &Path, limit: &Limit, bytes: u64) -> failure::Result<()> {
    match bytes > limit.get() as u64 {
        true => Err(Failure::at(path, 0, limit.exceeded("bytes"))),
        false => Ok(()),
    }
}

/// The bytes of a file that need not be there.
///
/// # Errors
/// Any but that it is not there. A symbolic link is one, since it may lead anywhere.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    let opened = open_optional(path)?;
    let bytes = opened.map(|(file, _)| rest(file)).transpose();
    bytes.with_context(|| cannot_read(path))
}

fn open_optional(path: &Path) -> Result<Option<(fs::File, fs::Metadata)>> {
    let name = path.display();
    match open(path, OFlags::NOFOLLOW | OFlags::NONBLOCK) {
        Ok((_, metadata)) if !metadata.is_file() && !metadata.is_dir() => {
            // Reading a pipe or a device could block, or never end.
            bail!("{name} is not a regular file")
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(_) if fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink()) => {
            bail!("{name} is a symbolic link, which is not followed; put the file itself there")
        }
        opened => Ok(Some(opened.with_context(|| cannot_read(path))?)),
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

/// The last part of a folder's path, also of `.` and `data/`.
pub(crate) fn folder_name(folder: &Path) -> String {
    let absolute = path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let last = absolute.components().next_back();
    last.map_or_else(String::new, |c| {
        c.as_os_str().to_string_lossy().into_owned()
    })
}

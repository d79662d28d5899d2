//! Reads files. Large ones are left to be read in pieces.

use super::folder::descend_from;
use super::system;
use crate::base::failure::{self, Failure};
use crate::base::limits::{FILE, exceeded};
use anyhow::{Context, Result, bail};
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::OpenOptions;
use std::fs;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{self, Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

/// The contents of a file, in memory or still to be read.
#[derive(Debug)]
pub enum Bytes {
    /// The whole file.
    Whole(Vec<u8>),
    /// A file to be read in pieces, from its start.
    Stream(fs::File),
}

/// Bytes that are enough to recognise any format.
const HEAD: usize = 64 * 1024;

/// Opens a file, and reads it whole up to a limit, which `limit` returns for the first 64 KiB of a larger
/// file and its size; none if it need not be in memory.
///
/// # Errors
/// The system's, with the path; that it is not a regular file, or too large.
pub fn read(
    path: &Path,
    limit: impl Fn(&[u8], u64) -> failure::Result<Option<usize>>,
) -> failure::Result<Bytes> {
    let context = || cannot_read(path);
    let (mut file, size) = open_regular(path).with_context(context)?;
    let mut most = FILE;
    if size > HEAD as u64 {
        let mut head = vec![0; HEAD];
        file.read_exact(&mut head).with_context(context)?;
        file.rewind().with_context(context)?;
        match limit(&head, size)? {
            Some(limit) => most = limit,
            None => return Ok(Bytes::Stream(file)),
        }
    }
    within(path, most, size)?;
    let bytes = rest((file, size), most as u64).with_context(context)?;
    Ok(Bytes::Whole(bytes))
}

/// What the user named as data. Links may lead there, but none is followed below.
static DATA: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Follows no links below these paths any more, whatever a walk has found there.
pub(crate) fn follow_no_links_below(paths: &[PathBuf]) {
    DATA.get_or_init(|| paths.to_vec());
}

/// Opens a file, perhaps not if it is a link.
fn open(path: &Path, may_be_link: bool) -> io::Result<fs::File> {
    for root in DATA.get().into_iter().flatten() {
        if let Ok(below) = path.strip_prefix(root)
            && let (Some(name), Some(folder)) = (below.file_name(), below.parent())
        {
            let mut options = OpenOptions::new();
            options.read(true).nonblock(true).follow(FollowSymlinks::No);
            let folder = descend_from(root, folder, false)?;
            return Ok(folder.open_with(name, &options)?.into_std());
        }
    }
    system::open_file(path, may_be_link)
}

/// Opens a regular file: reading a pipe or a device could block, or never end. Returns its size too.
pub(super) fn open_regular(path: &Path) -> io::Result<(fs::File, u64)> {
    let file = open(path, true)?;
    let metadata = file.metadata()?;
    match metadata.is_file() || metadata.is_dir() {
        true => Ok((file, metadata.len())),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// Reads a file of a size, which may grow meanwhile or be endless like some of `/proc`, up to a limit.
fn rest((file, size): (fs::File, u64), limit: u64) -> io::Result<Vec<u8>> {
    // Doubling it while reading would take three times the memory.
    let mut bytes = Vec::with_capacity(size.min(limit) as usize + 64);
    match file.take(limit + 1).read_to_end(&mut bytes)? as u64 > limit {
        true => Err(io::Error::other(format!("it has more than {limit} bytes"))),
        false => Ok(bytes),
    }
}

/// Bytes of a file that a program wrote: the largest are measured programs, of some 100 MB.
const WHOLE: u64 = 1024 * 1024 * 1024;

/// Reads a file that a program wrote.
///
/// # Errors
/// The system's, with the path; that it is not a regular file, or larger than a GiB.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>> {
    let bytes = open_regular(path).and_then(|opened| rest(opened, WHOLE));
    bytes.with_context(|| cannot_read(path))
}

/// Returns the size of a file in bytes.
pub fn size(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).with_context(|| cannot_read(path))?;
    Ok(metadata.len())
}

/// Returns when a file was written.
pub(crate) fn modified(path: &Path) -> Result<SystemTime> {
    let time = fs::metadata(path).and_then(|metadata| metadata.modified());
    time.with_context(|| cannot_read(path))
}

/// Whether there is a file. Unlike [`Path::is_file`], this fails if that cannot be determined.
pub fn is_file(path: &Path) -> Result<bool> {
    Ok(found(path, fs::metadata(path))?.is_some_and(|metadata| metadata.is_file()))
}

/// Whether a file may be run as a program.
pub(crate) fn is_executable(path: &Path) -> Result<bool> {
    let metadata = fs::metadata(path).with_context(|| cannot_read(path))?;
    Ok(system::is_executable(&metadata))
}

/// Whether there is a folder.
pub(crate) fn is_folder(path: &Path) -> Result<bool> {
    Ok(found(path, fs::metadata(path))?.is_some_and(|metadata| metadata.is_dir()))
}

/// Whether a path exists. A broken link does not.
pub(crate) fn exists(path: &Path) -> Result<bool> {
    Ok(found(path, fs::metadata(path))?.is_some())
}

/// Whether anything has this path, also a broken link.
pub(crate) fn is_taken(path: &Path) -> Result<bool> {
    Ok(found(path, fs::symlink_metadata(path))?.is_some())
}

fn found(path: &Path, metadata: io::Result<fs::Metadata>) -> Result<Option<fs::Metadata>> {
    use ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    let metadata = match metadata {
        // The last two: no file can have such a name.
        Err(error)
            if [NotFound, NotADirectory, InvalidFilename, InvalidInput].contains(&error.kind()) =>
        {
            return Ok(None);
        }
        metadata => metadata.with_context(|| cannot_read(path))?,
    };
    Ok(Some(metadata))
}

/// Reads all of standard input, up to a limit.
pub fn read_stdin() -> failure::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock().take(FILE as u64 + 1);
    let read = input.read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    within(Path::new("standard input"), FILE, bytes.len() as u64).map(|()| bytes)
}

/// Reads an optional file of a person or a measurement, up to a limit.
pub(crate) fn read_limited(path: &Path, limit: usize) -> failure::Result<Option<Vec<u8>>> {
    let Some(opened) = open_optional(path)? else {
        return Ok(None);
    };
    within(path, limit, opened.1)?;
    let bytes = rest(opened, limit as u64).with_context(|| cannot_read(path))?;
    Ok(Some(bytes))
}

fn within(path: &Path, limit: usize, bytes: u64) -> failure::Result<()> {
    match bytes > limit as u64 {
        true => Err(Failure::at(path, 0, exceeded(limit, "bytes"))),
        false => Ok(()),
    }
}

/// Reads a file that a program wrote; `None` if it does not exist.
///
/// # Errors
/// As for `read_whole`, and symbolic links, since they may lead anywhere.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    let opened = open_optional(path)?;
    let bytes = opened.map(|opened| rest(opened, WHOLE)).transpose();
    bytes.with_context(|| cannot_read(path))
}

fn open_optional(path: &Path) -> Result<Option<(fs::File, u64)>> {
    let name = path.display();
    let opened = open(path, false);
    match opened.and_then(|file| file.metadata().map(|metadata| (file, metadata))) {
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
        opened => {
            let (file, metadata) = opened.with_context(|| cannot_read(path))?;
            Ok(Some((file, metadata.len())))
        }
    }
}

pub(crate) fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

/// Returns the last part of a path as text.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the name of a folder, also for `.` and `data/`.
pub(crate) fn folder_name(folder: &Path) -> String {
    let absolute = path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let last = absolute.components().next_back();
    last.map_or_else(String::new, |c| {
        c.as_os_str().to_string_lossy().into_owned()
    })
}

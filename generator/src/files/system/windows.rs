//! What files need of Windows. Folders are paths here, so whoever may replace one by a link while the
//! generator writes could redirect it. Windows lets only administrators and developers make links.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub(in crate::files) type Folder = PathBuf;

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::files) enum Kind {
    RegularFile,
    Directory,
    Symlink,
    Unknown,
}

impl From<fs::FileType> for Kind {
    fn from(of: fs::FileType) -> Self {
        match of {
            of if of.is_symlink() => Self::Symlink,
            of if of.is_dir() => Self::Directory,
            of if of.is_file() => Self::RegularFile,
            _ => Self::Unknown,
        }
    }
}

/// `FILE_FLAG_DELETE_ON_CLOSE`.
const DELETE_ON_CLOSE: u32 = 0x0400_0000;

pub(in crate::files) fn open_file(path: &Path) -> io::Result<File> {
    File::open(path)
}

pub(in crate::files) fn open_no_link(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path)?.is_symlink() {
        true => Err(io::Error::other("it is a link")),
        false => File::open(path),
    }
}

pub(in crate::files) fn start(path: &Path) -> io::Result<Folder> {
    Ok(path.to_owned())
}

pub(in crate::files) fn enter(folder: &Folder, name: &OsStr) -> io::Result<Folder> {
    match kind(folder, name)? {
        Kind::Directory => Ok(folder.join(name)),
        _ => Err(io::ErrorKind::NotADirectory.into()),
    }
}

pub(in crate::files) fn create_folder(folder: &Folder, name: &OsStr) -> io::Result<()> {
    fs::create_dir(folder.join(name))
}

pub(in crate::files) fn kind(folder: &Folder, name: &OsStr) -> io::Result<Kind> {
    Ok(fs::symlink_metadata(folder.join(name))?.file_type().into())
}

pub(in crate::files) fn new_file(folder: &Folder, name: &OsStr) -> io::Result<File> {
    File::create_new(folder.join(name))
}

pub(in crate::files) fn append(folder: &Folder, name: &OsStr) -> io::Result<File> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(folder.join(name))
}

/// A file's name decides.
pub(in crate::files) fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

pub(in crate::files) fn is_executable(_: &Metadata) -> bool {
    false
}

/// Folders of users are private by default.
pub(in crate::files) fn make_private(_: &Folder) -> io::Result<()> {
    Ok(())
}

pub(in crate::files) fn remove_file(folder: &Folder, name: &OsStr) -> io::Result<()> {
    fs::remove_file(folder.join(name))
}

pub(in crate::files) fn remove_folder(folder: &Folder, name: &OsStr) -> io::Result<()> {
    fs::remove_dir(folder.join(name))
}

pub(in crate::files) fn rename(
    (from, old): (&Folder, &OsStr),
    (to, new): (&Folder, &OsStr),
) -> io::Result<()> {
    fs::rename(from.join(old), to.join(new))
}

pub(in crate::files) fn rename_to_new(
    (from, old): (&Folder, &OsStr),
    (to, new): (&Folder, &OsStr),
) -> io::Result<()> {
    fs::hard_link(from.join(old), to.join(new))?;
    remove_file(from, old)
}

pub(in crate::files) fn entries(folder: &Folder) -> io::Result<Vec<(OsString, Kind)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), entry.file_type()?.into()))
    };
    fs::read_dir(folder)?.map(entry).collect()
}

pub(in crate::files) fn listable(path: &Path) -> io::Result<Folder> {
    Ok(path.to_owned())
}

pub(in crate::files) fn listable_in(folder: &Folder, name: &OsStr) -> io::Result<Folder> {
    enter(folder, name)
}

/// Windows flushes names by itself.
pub(in crate::files) fn flush(_: &Folder) -> io::Result<()> {
    Ok(())
}

/// Needs an administrator on Windows: files are whole, unless the machine stops.
pub(in crate::files) fn flush_all(_: &Folder) -> io::Result<()> {
    Ok(())
}

/// Locks a folder by a file in it that no other process can open.
pub(in crate::files) fn lock(folder: &Folder) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).share_mode(0);
    let opened = options
        .custom_flags(DELETE_ON_CLOSE)
        .open(folder.join(".generator-lock"));
    // `ERROR_SHARING_VIOLATION`.
    opened.map_err(|error| match error.raw_os_error() {
        Some(32) => io::ErrorKind::WouldBlock.into(),
        _ => error,
    })
}

/// Closing the file is enough.
pub(in crate::files) fn unlock(_: &File) -> io::Result<()> {
    Ok(())
}

/// Unknown without unsafe code, so unfinished files of killed processes stay.
pub(in crate::files) fn is_running(_: i32) -> bool {
    true
}

//! What files need of a Unix-like system.

use rustix::fs::{
    AtFlags, CWD, Dir, FlockOperation, Mode, OFlags, RenameFlags, fchmod, flock, linkat, mkdirat,
    openat, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// An open folder. Names in it lead nowhere else, whatever is moved or replaced meanwhile.
pub(in crate::files) type Folder = OwnedFd;

pub(in crate::files) use rustix::fs::FileType as Kind;

/// Opens a file for reading, also through links. Never waits for the other end of a pipe.
pub(in crate::files) fn open_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

/// Opens a file for reading. Fails if it is a link.
pub(in crate::files) fn open_no_link(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

/// Opening a path, unlike reading, needs no permission but that to enter its parents.
#[cfg(target_os = "linux")]
const ENTER: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const ENTER: OFlags = OFlags::RDONLY;

const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens `/` or `.`.
pub(in crate::files) fn start(path: &Path) -> io::Result<Folder> {
    Ok(openat(CWD, path, ENTER | FOLDER, Mode::empty())?)
}

/// Opens a folder in a folder. Fails if it is a link.
pub(in crate::files) fn enter(folder: &Folder, name: &OsStr) -> io::Result<Folder> {
    Ok(openat(folder, name, ENTER | FOLDER, Mode::empty())?)
}

pub(in crate::files) fn create_folder(folder: &Folder, name: &OsStr) -> io::Result<()> {
    Ok(mkdirat(folder, name, Mode::from_raw_mode(0o777))?)
}

/// Returns what has a name, without following links.
pub(in crate::files) fn kind(folder: &Folder, name: &OsStr) -> io::Result<Kind> {
    let there = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(Kind::from_raw_mode(there.st_mode))
}

/// Creates a file, with the usual permissions minus the umask.
pub(in crate::files) fn new_file(folder: &Folder, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::from_raw_mode(0o666))?.into())
}

/// Opens a file to append to, which is created if it is missing.
pub(in crate::files) fn append(folder: &Folder, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND;
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::from_raw_mode(0o666))?.into())
}

pub(in crate::files) fn make_executable(file: &File) -> io::Result<()> {
    Ok(fchmod(file, Mode::from_raw_mode(0o755))?)
}

/// Whether somebody may run a file.
pub(in crate::files) fn is_executable(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

/// Denies a folder to other users.
pub(in crate::files) fn make_private(folder: &Folder) -> io::Result<()> {
    let folder = listable_in(folder, OsStr::new("."))?;
    Ok(fchmod(folder, Mode::from_raw_mode(0o700))?)
}

pub(in crate::files) fn remove_file(folder: &Folder, name: &OsStr) -> io::Result<()> {
    Ok(unlinkat(folder, name, AtFlags::empty())?)
}

/// Removes an empty folder.
pub(in crate::files) fn remove_folder(folder: &Folder, name: &OsStr) -> io::Result<()> {
    Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

pub(in crate::files) fn rename(
    (from, old): (&Folder, &OsStr),
    (to, new): (&Folder, &OsStr),
) -> io::Result<()> {
    Ok(renameat(from, old, to, new)?)
}

/// Renames a file, unless something has the new name.
pub(in crate::files) fn rename_to_new(
    (from, old): (&Folder, &OsStr),
    (to, new): (&Folder, &OsStr),
) -> io::Result<()> {
    match renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        // Some file systems, such as NFS, cannot.
        Err(Errno::INVAL | Errno::NOSYS) => {
            linkat(from, old, to, new, AtFlags::empty())?;
            remove_file(from, old)
        }
        renamed => Ok(renamed?),
    }
}

/// Returns the names in a folder, and what is there. Unlike with std, a file system that fails when
/// the folder is closed does not end the program.
pub(in crate::files) fn entries(folder: &Folder) -> io::Result<Vec<(OsString, Kind)>> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
        if name == "." || name == ".." {
            continue;
        }
        let there = match entry.file_type() {
            // Some file systems do not tell.
            Kind::Unknown => kind(folder, &name)?,
            there => there,
        };
        entries.push((name, there));
    }
    Ok(entries)
}

/// Opens a folder for [`entries`], also through links.
pub(in crate::files) fn listable(path: &Path) -> io::Result<Folder> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?)
}

/// Opens a folder of an open one for [`entries`]. Fails if it is a link.
pub(in crate::files) fn listable_in(folder: &Folder, name: &OsStr) -> io::Result<Folder> {
    Ok(openat(
        folder,
        name,
        OFlags::RDONLY | FOLDER,
        Mode::empty(),
    )?)
}

/// Flushes the names in a folder.
pub(in crate::files) fn flush(folder: &Folder) -> io::Result<()> {
    File::from(listable_in(folder, OsStr::new("."))?).sync_all()
}

/// Flushes the file system of a folder.
#[cfg(target_os = "linux")]
pub(in crate::files) fn flush_all(folder: &Folder) -> io::Result<()> {
    Ok(rustix::fs::syncfs(listable_in(folder, OsStr::new("."))?)?)
}

/// Flushes all file systems: there is no way to name one.
#[cfg(not(target_os = "linux"))]
pub(in crate::files) fn flush_all(_: &Folder) -> io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

/// Locks a folder against other processes, until [`unlock`]. Fails with `WouldBlock` if it is locked.
pub(in crate::files) fn lock(folder: &Folder) -> io::Result<File> {
    let file = File::from(listable_in(folder, OsStr::new("."))?);
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(file)
}

/// Closing the file is not enough while a child process that is about to run another program still
/// has it.
pub(in crate::files) fn unlock(lock: &File) -> io::Result<()> {
    Ok(flock(lock, FlockOperation::Unlock)?)
}

/// Whether a process with this id exists, as far as known.
pub(in crate::files) fn is_running(process: i32) -> bool {
    let id = Pid::from_raw(process);
    id.is_none_or(|id| test_kill_process(id) != Err(Errno::SRCH))
}

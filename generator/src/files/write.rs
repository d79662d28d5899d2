//! Writes files atomically: whenever the program or the machine stops, a file is old or new.

use super::folder::{self, open, open_or_create, parent};
use super::read::{file_name, read_limited, read_optional};
use super::system;
use super::walk::read_folder;
use crate::base::failure::{self, io_kind};
use crate::base::limits::FILE;
use anyhow::{Context, Result, anyhow, bail};
use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, OpenOptions};
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Does something with a name in a folder, which is opened without following links.
fn within<T>(
    path: &Path,
    verb: &str,
    action: impl FnOnce(&Dir, &OsStr) -> io::Result<T>,
) -> Result<T> {
    let done = || {
        let (folder, name) = folder::split(path)?;
        action(&open(folder)?, name)
    };
    done().with_context(|| format!("cannot {verb} {}", path.display()))
}

/// Prefix of the names of unfinished files. The id of the writing process follows.
const PARTIAL: &str = ".partial-";

/// Writes a hidden file, which `place` renames or gives a second name.
fn stage(
    folder: &Dir,
    bytes: &[u8],
    place: impl FnOnce(&File, &str) -> io::Result<()>,
) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let (name, mut file) = loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PARTIAL}{}-{number}", std::process::id());
        match folder.open_with(&name, &options) {
            // Of a process with this id in another container.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            file => break (name, file?.into_std()),
        }
    };
    let written = file.write_all(bytes);
    let placed = written.and_then(|()| place(&file, &name));
    match folder.remove_file(&name) {
        // It was renamed.
        Err(error) if error.kind() == ErrorKind::NotFound => placed,
        removed => placed.and(removed),
    }
}

/// Removes unfinished files of killed processes from a folder.
fn remove_stale(folder: &Path) -> Result<()> {
    for path in read_folder(folder)? {
        let name = file_name(&path);
        let process = name.strip_prefix(PARTIAL).and_then(|id| id.split_once('-'));
        if let Some((process, _)) = process
            && let Ok(process) = process.parse()
            && !system::is_running(process)
        {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Writes a hidden file beside a file, and renames it once `prepare` has seen it.
fn put(
    path: &Path,
    bytes: &[u8],
    prepare: impl FnOnce(&Dir, &File, &str) -> io::Result<()>,
) -> Result<()> {
    within(path, "write", |folder, name| {
        stage(folder, bytes, |file, staged| {
            prepare(folder, file, staged)?;
            folder.rename(staged, folder, name)
        })
    })
}

/// Writes a file all or nothing, on disk too. An existing file or link is replaced.
///
/// # Errors
/// The system's, with the path; the file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    remove_stale(parent(path))?;
    put(path, bytes, |_, file, _| file.sync_all())?;
    // The rename is on disk once the folder is flushed.
    within(path, "write", |folder, _| system::flush(folder))
}

/// Writes a file that must not exist yet, all or nothing, and creates its parent folders.
pub fn create(path: &Path, bytes: &[u8]) -> Result<()> {
    create_folder(parent(path))?;
    remove_stale(parent(path))?;
    within(path, "write", |folder, name| {
        // Unlike a rename, a second name replaces no file.
        stage(folder, bytes, |_, staged| {
            folder.hard_link(staged, folder, name)
        })
    })
}

/// Replaces a file all or nothing, in a folder that is created. It does not wait for the disk: for
/// copies that are compared with the original before they are used again.
pub(crate) fn replace(path: &Path, bytes: &[u8], is_executable: bool) -> Result<()> {
    create_folder(parent(path))?;
    put(path, bytes, |_, file, _| match is_executable {
        true => system::make_executable(file),
        false => Ok(()),
    })
}

/// Replaces a file unless it has these bytes already: cargo compiles again what is newer.
pub(crate) fn update(path: &Path, bytes: &[u8], is_executable: bool) -> Result<()> {
    match read_optional(path)? {
        Some(before) if before == bytes => Ok(()),
        _ => replace(path, bytes, is_executable),
    }
}

/// Replaces what a file holds, all or nothing; its permissions stay. `change` gets the old contents.
///
/// # Errors
/// The system's; a link, a read-only file, or another process that writes in the folder; or those of
/// `change`. The file is then as it was.
pub(crate) fn rewrite(
    path: &Path,
    change: impl FnOnce(&[u8]) -> failure::Result<Vec<u8>>,
) -> failure::Result<()> {
    let folder = parent(path);
    let busy = format!("another generator is writing to {}", folder.display());
    let _lock = lock(folder, &busy)?;
    let permissions = within(path, "write", |folder, name| {
        let metadata = folder.symlink_metadata(name)?;
        match metadata.permissions().readonly() {
            _ if metadata.is_symlink() => Err(io::Error::other("it is a link")),
            true => Err(io::Error::other("it is read-only")),
            false => Ok(metadata.permissions()),
        }
    })?;
    let vanished = || anyhow!("{} has vanished", path.display());
    let new = change(&read_limited(path, FILE)?.ok_or_else(vanished)?)?;
    put(path, &new, |folder, file, staged| {
        folder.set_permissions(staged, permissions)?;
        file.sync_all()
    })?;
    Ok(within(path, "write", |folder, _| system::flush(folder))?)
}

/// A folder that is locked against other processes.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough while a child process that is about to run another program
        // still has it.
        if let Err(error) = self.0.unlock() {
            crate::say!("warning: a folder stays locked for a moment: {error}");
        }
    }
}

/// Locks a folder. Fails with `busy` if it is locked.
pub(crate) fn lock(folder: &Path, busy: &str) -> Result<Lock> {
    let cannot = || format!("cannot lock {}", folder.display());
    let opened = open(folder).and_then(|folder| system::lock_file(&folder));
    let file = opened.with_context(cannot)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("{busy}; wait for it to end"),
        Err(TryLockError::Error(error)) => Err(error).with_context(cannot),
        Ok(()) => Ok(Lock(file)),
    }
}

/// Whether a process has locked a folder. Others may look at the same time.
pub(crate) fn is_locked(folder: &Path) -> Result<bool> {
    if !cfg!(unix) || !super::is_folder(folder)? {
        return Ok(false);
    }
    let file = File::open(folder).with_context(|| super::cannot_read(folder))?;
    let tried = file.try_lock_shared();
    Ok(matches!(tried, Err(TryLockError::WouldBlock)))
}

/// Creates a folder that other users cannot read.
pub(crate) fn create_private(path: &Path) -> Result<()> {
    let created = open_or_create(path).and_then(|folder| system::make_private(&folder));
    created.with_context(|| format!("cannot create the folder {}", path.display()))
}

/// Creates a folder and its parents.
pub fn create_folder(path: &Path) -> Result<()> {
    let created = open_or_create(path).map(drop);
    created.with_context(|| format!("cannot create the folder {}", path.display()))
}

/// Removes a file, a link, or a folder with all in it, if it exists.
pub fn remove(path: &Path) -> Result<()> {
    let removed = within(path, "remove", |folder, name| {
        match folder.symlink_metadata(name)?.is_dir() {
            true => folder.remove_dir_all(name),
            false => folder.remove_file_or_symlink(name),
        }
    });
    match removed {
        Err(error) if io_kind(&error) == Some(ErrorKind::NotFound) => Ok(()),
        removed => removed,
    }
}

/// Moves a file or a folder within its file system.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    within(from, "rename", |folder, name| {
        let (new_folder, new_name) = folder::split(to)?;
        folder.rename(name, &open(new_folder)?, new_name)
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests;

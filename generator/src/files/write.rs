//! Writes files atomically: whenever the program or the machine stops, a file is old or new.

use super::folder::{self, cannot_write, open, open_or_create, parent};
use super::read::file_name;
use super::system;
use super::walk::read_folder;
use anyhow::{Context, Result, bail};
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, OpenOptions};
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a file all or nothing, by renaming a hidden one beside it. An existing file or link is
/// replaced.
///
/// # Errors
/// The system's, with the path; the file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    remove_stale(parent(path))?;
    let written = || -> io::Result<()> {
        let (folder, name) = folder::split(path)?;
        let staged = Staged::new(open(parent(path))?, bytes)?;
        staged.file.sync_all()?;
        let folder = open(folder)?;
        staged.rename(&folder, name)?;
        // The rename is on disk once the folder is flushed.
        system::flush(&folder)
    };
    written().with_context(|| cannot_write(path))
}

/// Prefix of the names of unfinished files. The id of the writing process follows.
const PARTIAL: &str = ".partial-";

/// Removes unfinished files of killed processes from a folder.
fn remove_stale(folder: &Path) -> Result<()> {
    let process = |path: &PathBuf| {
        let name = file_name(path);
        let (process, _) = name.strip_prefix(PARTIAL)?.split_once('-')?;
        Some(process.parse().map_or(0, |process| process))
    };
    for path in read_folder(folder)? {
        if process(&path).is_some_and(|process| !system::is_running(process)) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Writes a file that must not exist yet, all or nothing, and creates its parent folders.
pub fn create(path: &Path, bytes: &[u8]) -> Result<()> {
    create_folder(parent(path))?;
    remove_stale(parent(path))?;
    let created = || -> io::Result<()> {
        let (folder, name) = folder::split(path)?;
        let folder = open(folder)?;
        let staged = Staged::new(open(parent(path))?, bytes)?;
        // Unlike a rename, a second name replaces no file. The first one is removed.
        staged.folder.hard_link(&staged.name, &folder, name)
    };
    created().with_context(|| cannot_write(path))
}

/// An unfinished file. Its name is removed unless it is renamed.
struct Staged {
    folder: Dir,
    name: String,
    file: File,
    is_moved: bool,
}

impl Staged {
    /// Writes a hidden file. The caller flushes it.
    fn new(folder: Dir, bytes: &[u8]) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PARTIAL}{}-{number}", std::process::id());
            match folder.open_with(&name, &options) {
                // Of a process with this id in another container.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                file => {
                    let mut staged = Self {
                        file: file?.into_std(),
                        folder,
                        name,
                        is_moved: false,
                    };
                    staged.file.write_all(bytes)?;
                    return Ok(staged);
                }
            }
        }
    }

    fn rename(mut self, folder: &Dir, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, folder, name)?;
        self.is_moved = true;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.is_moved
            && let Err(error) = self.folder.remove_file(&self.name)
        {
            crate::say!(
                "warning: cannot remove the unfinished {}: {error}",
                self.name
            );
        }
    }
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

/// Replaces a file all or nothing, in a folder that is created. It does not wait for the disk: for
/// copies that are compared with the original before they are used again.
pub(crate) fn replace(path: &Path, bytes: &[u8], is_executable: bool) -> Result<()> {
    let replaced = || -> io::Result<()> {
        let (folder, name) = folder::split(path)?;
        let staged = Staged::new(open_or_create(folder)?, bytes)?;
        if is_executable {
            system::make_executable(&staged.file)?;
        }
        let folder = open(folder)?;
        staged.rename(&folder, name)
    };
    replaced().with_context(|| cannot_write(path))
}

/// Opens a file to append to, which is created if it is missing.
pub(crate) fn append(path: &Path) -> Result<File> {
    let opened = || -> io::Result<File> {
        let (folder, name) = folder::split(path)?;
        let mut options = OpenOptions::new();
        options.append(true).create(true).follow(FollowSymlinks::No);
        Ok(open(folder)?.open_with(name, &options)?.into_std())
    };
    opened().with_context(|| cannot_write(path))
}

/// Writes a file and removes it: permissions do not reveal a read-only or full disk.
pub(crate) fn try_to_write(folder: &Path) -> Result<()> {
    remove_stale(folder)?;
    let tried = open(folder).and_then(|folder| Staged::new(folder, b"?"));
    tried.map(drop).with_context(|| cannot_write(folder))
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
    let removed = || -> io::Result<()> {
        let (folder, name) = folder::split(path)?;
        let folder = open(folder)?;
        match folder.symlink_metadata(name)?.is_dir() {
            true => folder.remove_dir_all(name),
            false => folder.remove_file_or_symlink(name),
        }
    };
    match removed() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("cannot remove {}", path.display())),
    }
}

/// Moves a file or a folder within its file system.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    let renamed = || -> io::Result<()> {
        let [(from, old), (to, new)] = [folder::split(from)?, folder::split(to)?];
        open(from)?.rename(old, &open(to)?, new)
    };
    renamed().with_context(|| format!("cannot rename {}", from.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::is_folder;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn new_files_have_the_usual_permissions() {
        let folder = tempfile::tempdir().expect("a folder");
        let (ours, usual) = (folder.path().join("ours"), folder.path().join("usual"));
        fs::write(&usual, "new").expect("written");
        write(&ours, b"old").expect("written");
        write(&ours, b"new").expect("replaced");
        assert_eq!(fs::read(&ours).expect("read"), b"new");
        let mode = |path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&ours), mode(&usual));
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 2);
    }

    #[test]
    fn files_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = std::process::Command::new("true").spawn().expect("a child");
        let stale = format!("{PARTIAL}{}-x", child.id());
        child.wait().expect("it ends");
        let in_use = format!("{PARTIAL}{}-x", std::process::id());
        for name in [&stale, &in_use, ".partial-mine"] {
            fs::write(folder.path().join(name), "half").expect("written");
        }
        write(&folder.path().join("new"), b"new").expect("written");
        let there = read_folder(folder.path()).expect("a folder");
        let names: Vec<String> = there.iter().map(|path| file_name(path)).collect();
        assert_eq!(names, [&in_use, ".partial-mine", "new"]);
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        fs::write(&target, "old").expect("written");
        symlink(&target, &link).expect("a link");
        write(&link, b"new").expect("written");
        assert_eq!(fs::read(&target).expect("read"), b"old");
        assert_eq!(fs::read(&link).expect("read"), b"new");
    }

    #[test]
    fn nothing_is_written_or_removed_through_a_linked_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let [real, link] = ["real", "link"].map(|name| folder.path().join(name));
        create(&real.join("below/mine"), b"mine").expect("written");
        symlink(&real, &link).expect("a link");
        let (new, mine) = (link.join("new"), link.join("below/mine"));
        for done in [
            write(&new, b"new"),
            create(&new, b"new"),
            create_folder(&new),
            create_private(&new),
            replace(&new, b"new", true),
            append(&new).map(drop),
            try_to_write(&link),
            remove(&mine),
            rename(&mine, &new),
            rename(&real.join("below"), &new),
        ] {
            let error = format!("{:#}", done.expect_err("a link"));
            assert!(error.contains("link is a symbolic link"), "{error}");
        }
        lock(&link, "busy").expect_err("a link");
        assert_eq!(fs::read(real.join("below/mine")).expect("there"), b"mine");
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 2);
        remove(&link).expect("the link itself");
        assert!(is_folder(&real).expect("known"));
        remove(&real).expect("a folder");
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 0);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("taken");
        fs::create_dir(&path).expect("a folder");
        let error = write(&path, b"new").expect_err("a folder is in the way");
        let text = format!("{error:#}");
        assert!(text.contains(&path.display().to_string()), "{text}");
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 1);
    }

    #[test]
    fn only_missing_files_need_no_removal() {
        let folder = tempfile::tempdir().expect("a folder");
        remove(&folder.path().join("none")).expect("nothing to do");
        fs::write(folder.path().join("file"), "").expect("written");
        remove(&folder.path().join("file/below")).expect_err("not a folder");
    }
}

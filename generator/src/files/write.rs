//! Writes files atomically: whenever the program or the machine stops, a file is old or new.

use super::read::{file_name, is_folder};
use super::walk::read_folder;
use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes a file all or nothing, by renaming a hidden one beside it.
///
/// # Errors
/// The system's, with the path; the file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    remove_stale(parent(path))?;
    write_via(parent(path), path, bytes)
}

/// Writes a file all or nothing, by renaming one from `staging`, a folder on the same file system.
/// An existing file or link is replaced.
pub fn write_via(staging: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
    let file = stage(staging, path, bytes)?;
    let finish = || -> io::Result<()> {
        file.as_file().sync_all()?;
        file.into_temp_path().persist(path)?;
        // The rename is on disk once the folder is flushed.
        File::open(parent(path))?.sync_all()
    };
    finish().with_context(|| cannot_write(path))
}

/// Prefix of the names of unfinished files. The id of the writing process follows.
const PARTIAL: &str = ".partial-";

/// Removes unfinished files of killed processes from a folder.
fn remove_stale(folder: &Path) -> Result<()> {
    let process = |path: &PathBuf| {
        let name = file_name(path);
        let (process, _) = name.strip_prefix(PARTIAL)?.split_once('-')?;
        Pid::from_raw(process.parse().map_or(0, |process| process))
    };
    for path in read_folder(folder)? {
        let stale = process(&path).is_some_and(|p| test_kill_process(p) == Err(Errno::SRCH));
        if stale {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Writes a file that must not exist yet, all or nothing, and creates its parent folders.
pub fn create(path: &Path, bytes: &[u8]) -> Result<()> {
    create_folder(parent(path))?;
    remove_stale(parent(path))?;
    let created = stage(parent(path), path, bytes)?.persist_noclobber(path);
    created
        .map_err(|e| e.error)
        .with_context(|| cannot_write(path))?;
    Ok(())
}

/// Writes the bytes for `path` to a file in `staging`, which is removed if it is dropped. The caller
/// flushes it.
fn stage(staging: &Path, path: &Path, bytes: &[u8]) -> Result<NamedTempFile> {
    let staged = || -> io::Result<NamedTempFile> {
        // The usual permissions of a new file, minus the umask.
        let mut file = tempfile::Builder::new()
            .prefix(&format!("{PARTIAL}{}-", std::process::id()))
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(staging)?;
        file.write_all(bytes)?;
        Ok(file)
    };
    staged().with_context(|| cannot_write(path))
}

pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A folder that is locked against other processes.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough while a child process that is about to run another program
        // still has it.
        if let Err(error) = flock(&self.0, FlockOperation::Unlock) {
            crate::say!("warning: a folder stays locked for a moment: {error}");
        }
    }
}

/// Locks a folder. Fails with `busy` if it is locked.
pub(crate) fn lock(folder: &Path, busy: &str) -> Result<Lock> {
    let context = || format!("cannot lock {}", folder.display());
    let file = File::open(folder).with_context(context)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => bail!("{busy}; wait for it to end"),
        locked => locked.with_context(context)?,
    }
    Ok(Lock(file))
}

/// Creates a folder and its parents.
pub fn create_folder(path: &Path) -> Result<()> {
    if is_folder(path)? {
        return Ok(());
    }
    fs::create_dir_all(path).with_context(|| format!("cannot create the folder {}", path.display()))
}

/// Removes a file, a link, or a folder with all in it, if it exists.
pub fn remove(path: &Path) -> Result<()> {
    let removed = fs::symlink_metadata(path).and_then(|metadata| match metadata.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    });
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("cannot remove {}", path.display())),
    }
}

/// Moves a file or a folder within its file system.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).with_context(|| format!("cannot rename {}", from.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        write(&link, b"new").expect("written");
        assert_eq!(fs::read(&target).expect("read"), b"old");
        assert_eq!(fs::read(&link).expect("read"), b"new");
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

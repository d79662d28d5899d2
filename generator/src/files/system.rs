//! What neither std nor cap-std has for all systems alike.

use cap_std::fs::Dir;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

#[cfg(unix)]
use rustix::{fs::OFlags, io::Errno, process};
#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

/// Opens a file for reading, perhaps not through a link. Never waits for the other end of a pipe.
#[cfg(unix)]
pub(super) fn open_file(path: &Path, may_be_link: bool) -> io::Result<File> {
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, !may_be_link);
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits() as i32);
    options.open(path)
}

#[cfg(not(unix))]
pub(super) fn open_file(path: &Path, may_be_link: bool) -> io::Result<File> {
    match may_be_link || !path.symlink_metadata()?.is_symlink() {
        true => File::open(path),
        false => Err(io::Error::other("it is a link")),
    }
}

/// Returns a file to lock a folder by: the folder itself, or a file in it where a folder is none.
pub(super) fn lock_file(folder: &Dir) -> io::Result<File> {
    let file = match cfg!(unix) {
        true => folder.open(".")?,
        false => folder.create(".generator-lock")?,
    };
    Ok(file.into_std())
}

/// Flushes the names in a folder. Windows does by itself.
pub(super) fn flush(folder: &Dir) -> io::Result<()> {
    match cfg!(unix) {
        true => folder.open(".")?.sync_all(),
        false => Ok(()),
    }
}

/// Flushes the file system of a folder. Elsewhere than on Linux, all of them, since there is no way
/// to name one; on Windows that needs an administrator, so files are whole unless the machine
/// stops.
pub(super) fn flush_all(folder: &Dir) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(folder.open(".")?)?;
    #[cfg(all(unix, not(target_os = "linux")))]
    rustix::fs::sync();
    _ = folder;
    Ok(())
}

/// Whether somebody may run a file. On Windows its name decides.
pub(super) fn is_executable(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return metadata.permissions().mode() & 0o111 != 0;
    #[cfg(not(unix))]
    return metadata.is_file();
}

pub(super) fn make_executable(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(PermissionsExt::from_mode(0o755))?;
    _ = file;
    Ok(())
}

/// Denies a folder to other users. On Windows, folders of users are private.
pub(super) fn make_private(folder: &Dir) -> io::Result<()> {
    #[cfg(unix)]
    lock_file(folder)?.set_permissions(PermissionsExt::from_mode(0o700))?;
    _ = folder;
    Ok(())
}

/// Whether a process with this id exists. Unknown on Windows without unsafe code, so unfinished
/// files of killed processes stay there.
pub(super) fn is_running(process: i32) -> bool {
    #[cfg(unix)]
    if let Some(id) = process::Pid::from_raw(process) {
        return process::test_kill_process(id) != Err(Errno::SRCH);
    }
    _ = process;
    true
}

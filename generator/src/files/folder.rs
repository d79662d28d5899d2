//! Opens folders to write into. Symbolic links are not followed: one in a checkout, or left by a
//! measured program, could lead anywhere.

use anyhow::{Context, Result};
use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// Opens a folder. Names in it lead nowhere else, whatever is moved or replaced meanwhile.
pub(super) fn open(path: &Path) -> io::Result<Dir> {
    descend(path, false)
}

/// Opens a folder; creates it and its parents if they are missing.
pub(super) fn open_or_create(path: &Path) -> io::Result<Dir> {
    descend(path, true)
}

fn descend(path: &Path, create: bool) -> io::Result<Dir> {
    let mut parts = path.components();
    let mut start = PathBuf::new();
    while let Some(Component::Prefix(_) | Component::RootDir | Component::CurDir) =
        parts.clone().next()
    {
        start.extend(parts.next());
    }
    descend_from(&start, parts.as_path(), create)
}

/// Opens a folder below `start`, to which links may lead.
pub(super) fn descend_from(start: &Path, below: &Path, create: bool) -> io::Result<Dir> {
    let mut reached = start.to_owned();
    let mut folder = Dir::open_ambient_dir(start.join("."), ambient_authority())?;
    for part in below.components() {
        reached.push(part);
        let next = match part {
            Component::ParentDir => folder.open_parent_dir(ambient_authority()),
            part => enter(&folder, part.as_os_str(), create),
        };
        folder = next.map_err(|error| explain(error, &folder, part.as_os_str(), &reached))?;
    }
    Ok(folder)
}

fn enter(folder: &Dir, name: &OsStr, create: bool) -> io::Result<Dir> {
    match folder.open_dir_nofollow(name) {
        Err(error) if create && error.kind() == ErrorKind::NotFound => {}
        entered => return entered,
    }
    match folder.create_dir(name) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => folder.open_dir_nofollow(name),
    }
}

/// Returns the error of opening a folder, or the reason if a link or a file is there.
fn explain(error: io::Error, folder: &Dir, name: &OsStr, path: &Path) -> io::Error {
    let path = path.display();
    match folder.symlink_metadata(name) {
        Ok(there) if there.is_symlink() => io::Error::other(format!(
            "{path} is a symbolic link: the generator does not follow links; replace it with a folder, or name the one that it leads to"
        )),
        Ok(there) if !there.is_dir() => io::Error::new(
            ErrorKind::NotADirectory,
            format!("{path} is not a folder, but files belong below it: move it away"),
        ),
        _ => error,
    }
}

/// Splits a path into its folder, `.` if it names none, and its name in it.
pub(super) fn split(path: &Path) -> io::Result<(&Path, &OsStr)> {
    match path.file_name() {
        Some(name) => Ok((parent(path), name)),
        None => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "the path ends with no name",
        )),
    }
}

pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Fails if a folder above `path` is a link or a file, so that nothing could be written there.
pub(crate) fn refuse_links(path: &Path) -> Result<()> {
    match open(parent(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        opened => opened.map(drop).with_context(|| cannot_write(path)),
    }
}

/// Returns a path that leads through no links if it is absolute: a home or a folder for temporary
/// files may be a link of the system. A relative path may lead through a checkout of others.
///
/// # Errors
/// The system's.
pub(crate) fn resolved(path: PathBuf) -> io::Result<PathBuf> {
    if path.is_relative() {
        return Ok(path);
    }
    for folder in path.ancestors() {
        let real = match folder.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            real => real?,
        };
        return Ok(match path.strip_prefix(folder) {
            Ok(rest) if rest != Path::new("") => real.join(rest),
            _ => real,
        });
    }
    Ok(path)
}

#[cfg(test)]
#[cfg(unix)]
mod tests;

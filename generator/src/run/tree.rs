//! Folders of sources and results: copied only where they differ, written whole or not at all.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below `root` that a build could read, with their bytes: not what was built before,
/// what is hidden, or prose.
///
/// # Errors
/// The system's, with the path.
pub(super) fn sources(root: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let walker = walkdir::WalkDir::new(root)
        .min_depth(1)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            !name.starts_with('.') && name != "target" && !name.ends_with(".md")
        });
    let mut files = Vec::new();
    for entry in walker {
        let entry = entry.with_context(|| format!("cannot read {}", root.display()))?;
        if entry.file_type().is_file() {
            let bytes = fs::read(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
            files.push((below.to_owned(), bytes));
        }
    }
    Ok(files)
}

/// Makes `to` hold the sources of `from`. A file that is the same already keeps its time, which
/// is how cargo tells what to build anew.
///
/// # Errors
/// The system's, with the path.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    let wanted = sources(from)?;
    create(to)?;
    let names: BTreeSet<&PathBuf> = wanted.iter().map(|(path, _)| path).collect();
    for (path, _) in sources(to)? {
        if !names.contains(&path) {
            remove(&to.join(path))?;
        }
    }
    for (path, bytes) in &wanted {
        let target = to.join(path);
        if fs::read(&target).is_ok_and(|there| there == *bytes) {
            continue;
        }
        create(target.parent().unwrap_or(to))?;
        fs::write(&target, bytes).with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(())
}

/// Makes a folder and those above it.
///
/// # Errors
/// The system's, with the path.
pub(super) fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Removes a file or folder that need not be there.
///
/// # Errors
/// The system's, with the path.
pub(super) fn remove(path: &Path) -> Result<()> {
    let result = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => return Ok(()),
    };
    result.with_context(|| format!("cannot remove {}", path.display()))
}

/// Writes a file so that a kill at any moment leaves it old or new: beside it under a hidden
/// name, flushed, then renamed.
///
/// # Errors
/// The system's, with the path.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = format!(".{}.partial", super::file_name(path));
    write_by(&path.with_file_name(name), path, bytes)
}

/// Writes a file likewise, by way of another one on the same file system.
///
/// # Errors
/// The system's, with the path.
pub(super) fn write_by(partial: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
    let written = fs::write(partial, bytes)
        .and_then(|()| fs::File::open(partial)?.sync_all())
        .and_then(|()| fs::rename(partial, path));
    if written.is_err() {
        // A full disk: half of a file is of use to nobody, and its room is to others.
        let _ = fs::remove_file(partial);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_follows_its_source() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let put = |path: &str, text: &str| {
            let path = from.join(path);
            create(path.parent().expect("a folder")).expect("made");
            write(&path, text.as_bytes()).expect("written");
        };
        put("a/Cargo.toml", "1");
        put("a/src/main.rs", "2");
        put("a/target/x", "not a source");
        put("README.md", "prose");
        copy(&from, &to).expect("copied");
        let time = |path: &str| {
            let metadata = fs::metadata(to.join(path)).expect("there");
            metadata.modified().expect("a time")
        };
        let before = time("a/Cargo.toml");
        put("a/src/main.rs", "3");
        put("a/src/lib.rs", "4");
        remove(&from.join("a/Cargo.toml")).expect("removed");
        put("a/Cargo.toml", "1");
        copy(&from, &to).expect("copied");
        assert_eq!(time("a/Cargo.toml"), before);
        assert_eq!(sources(&to).expect("read"), sources(&from).expect("read"));
        assert_eq!(sources(&to).expect("read").len(), 3);
        remove(&from.join("a/src/lib.rs")).expect("removed");
        copy(&from, &to).expect("copied");
        assert!(!to.join("a/src/lib.rs").exists());
    }
}

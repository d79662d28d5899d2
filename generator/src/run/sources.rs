//! Folders of sources, copied only where they differ.

use crate::fs::{cannot_read, create_folder, read_whole, remove};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// All files below `root` that a build could read, with their bytes: not what was built before,
/// what is hidden, or prose.
pub(crate) fn read(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let walker = WalkDir::new(root).min_depth(1).into_iter();
    let walker = walker.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !name.starts_with('.') && name != "target" && !name.ends_with(".md")
    });
    let mut files = BTreeMap::new();
    for entry in walker {
        let entry = entry.with_context(|| cannot_read(root))?;
        if entry.file_type().is_file() {
            let path = entry.path();
            files.insert(path.strip_prefix(root)?.to_owned(), read_whole(path)?);
        }
    }
    Ok(files)
}

/// Makes `to` hold the sources of `from`. A file that is the same already keeps its time, which
/// is how cargo tells what to build anew.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    write(read(from)?, to)
}

/// Makes `to` hold these sources, in the same way.
pub(crate) fn write(wanted: BTreeMap<PathBuf, Vec<u8>>, to: &Path) -> Result<()> {
    create_folder(to)?;
    let there = read(to)?;
    for path in there.keys().filter(|path| !wanted.contains_key(*path)) {
        remove(&to.join(path))?;
    }
    for (path, bytes) in wanted {
        if there.get(&path) != Some(&bytes) {
            let path = to.join(path);
            create_folder(path.parent().unwrap_or(to))?;
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::exists;

    #[test]
    fn a_copy_follows_its_source() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let put = |path: &str, text: &str| {
            let path = from.join(path);
            create_folder(path.parent().expect("a folder")).expect("made");
            fs::write(&path, text).expect("written");
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
        assert_eq!(read(&to).expect("read"), read(&from).expect("read"));
        assert_eq!(read(&to).expect("read").len(), 3);
        remove(&from.join("a/src/lib.rs")).expect("removed");
        copy(&from, &to).expect("copied");
        assert!(!exists(&to.join("a/src/lib.rs")).expect("a look"));
    }
}

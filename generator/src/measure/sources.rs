//! Copies source folders, writing only files that differ: the others keep their modification times,
//! by which cargo decides what to rebuild.

use crate::files::{
    self, cannot_read, cannot_write, create_folder, hex_digest, read_whole, remove,
};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Lists all files below `root`, sorted, without hidden ones and cargo's `target` folders.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>> {
    files_up_to(root, usize::MAX)
}

/// Lists files as [`files`] does, but only the first found if there are more than `limit`.
pub(super) fn files_up_to(root: &Path, limit: usize) -> Result<Vec<PathBuf>> {
    let walker = WalkDir::new(root).min_depth(1).into_iter();
    let walker = walker.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !name.starts_with('.') && name != "target"
    });
    let mut files = Vec::new();
    for entry in walker {
        let entry = entry.with_context(|| cannot_read(root))?;
        if entry.file_type().is_file() {
            files.push(entry.path().strip_prefix(root)?.to_owned());
        }
        if files.len() > limit {
            break;
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a runner's source files, without Markdown.
pub(crate) fn read(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = files(root)?;
    files.retain(|file| file.extension() != Some("md".as_ref()));
    let read = files.into_iter().map(|file| {
        let bytes = read_whole(&root.join(&file))?;
        Ok((file, bytes))
    });
    read.collect()
}

/// Makes `to` contain exactly these files.
pub(crate) fn write(wanted: &BTreeMap<PathBuf, Vec<u8>>, to: &Path) -> Result<()> {
    keep_only(to, |file| wanted.contains_key(file))?;
    for (file, bytes) in wanted {
        update(&to.join(file), bytes, |path| std::fs::write(path, bytes))?;
    }
    Ok(())
}

/// Creates a folder that other users cannot read: sources may be secret.
pub(super) fn create_private(folder: &Path) -> Result<()> {
    create_folder(folder)?;
    let private = Permissions::from_mode(0o700);
    std::fs::set_permissions(folder, private).with_context(|| cannot_write(folder))
}

/// Makes `to` contain exactly these files of `from`, which must be sorted. Returns a digest of all.
pub(crate) fn copy(from: &Path, files: &[PathBuf], to: &Path) -> Result<String> {
    create_private(to)?;
    keep_only(to, |file| files.binary_search(file).is_ok())?;
    let mut digests = String::new();
    for file in files {
        let source = from.join(file);
        let bytes = read_whole(&source)?;
        digests += &format!("{} {}\n", hex_digest(&bytes), file.display());
        // With permissions, because some are executable.
        update(&to.join(file), &bytes, |path| {
            std::fs::copy(&source, path).map(drop)
        })?;
    }
    Ok(hex_digest(digests.as_bytes()))
}

fn keep_only(folder: &Path, is_wanted: impl Fn(&PathBuf) -> bool) -> Result<()> {
    create_folder(folder)?;
    let mut files = files(folder)?;
    files.retain(|file| !is_wanted(file));
    files.iter().try_for_each(|file| remove(&folder.join(file)))
}

fn update(path: &Path, bytes: &[u8], write: impl Fn(&Path) -> std::io::Result<()>) -> Result<()> {
    if files::read_optional(path)?.as_deref() == Some(bytes) {
        return Ok(());
    }
    create_folder(path.parent().unwrap_or(path))?;
    write(path).with_context(|| cannot_write(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::embedded::{Files, sources};
    use crate::files::exists;
    use std::fs;

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
        write(&read(&from).expect("read"), &to).expect("copied");
        let time = |path: &str| {
            let metadata = fs::metadata(to.join(path)).expect("there");
            metadata.modified().expect("a time")
        };
        let before = time("a/Cargo.toml");
        put("a/src/main.rs", "3");
        put("a/src/lib.rs", "4");
        remove(&from.join("a/Cargo.toml")).expect("removed");
        put("a/Cargo.toml", "1");
        write(&read(&from).expect("read"), &to).expect("copied");
        assert_eq!(time("a/Cargo.toml"), before);
        assert_eq!(read(&to).expect("read"), read(&from).expect("read"));
        assert_eq!(read(&to).expect("read").len(), 3);
        remove(&from.join("a/src/lib.rs")).expect("removed");
        write(&read(&from).expect("read"), &to).expect("copied");
        assert!(!exists(&to.join("a/src/lib.rs")).expect("a look"));
    }

    #[test]
    fn every_source_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut expected = Files::new();
        for name in ["runners", "scenario"] {
            let files = read(&folder.join(name)).expect(name);
            expected.extend(files.into_iter().map(|(p, b)| (Path::new(name).join(p), b)));
        }
        // Clippy's settings for all runners.
        expected.remove(Path::new("runners/clippy.toml"));
        let paths = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        let embedded = sources();
        assert_eq!(
            paths(&embedded),
            paths(&expected),
            "run generator/embedded/link"
        );
        assert_eq!(embedded, expected);
    }
}

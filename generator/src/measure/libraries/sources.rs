//! Copies source folders, writing only files that differ: the others keep their modification times,
//! by which cargo decides what to rebuild.

use crate::base::failure::{Failure, Result};
use crate::base::limits::exceeded;
use crate::files::{self, create_folder, hex_digest, read_whole, remove};
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files, with their folders, and bytes of the sources in a folder. A large TLS library has half of
/// either; a home folder, named by mistake, has more.
const MAX_FILES: usize = 20_000;
pub(in crate::measure) const MAX_BYTES: u64 = 500_000_000;

/// Lists all files below `root`, sorted, without hidden ones and cargo's `target` folders.
///
/// # Errors
/// The system's; or that there are too many.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut entries = 0;
    let found = files::below(root, |path| {
        let name = files::file_name(path);
        let is_source = !name.starts_with('.') && name != "target";
        entries += usize::from(is_source);
        is_source && entries <= MAX_FILES
    })?;
    check(root, entries, 0)?;
    let mut files = Vec::new();
    for path in found {
        let below = path.strip_prefix(root).context("a file elsewhere")?;
        files.push(below.to_owned());
    }
    files.sort();
    Ok(files)
}

/// Refuses a folder with no files, or with more than [`MAX_BYTES`] of them.
pub(in crate::measure) fn check_size(folder: &Path, files: &[PathBuf]) -> Result<()> {
    if files.is_empty() {
        return Err(Failure::Usage(format!("{} is empty", folder.display())));
    }
    let mut bytes = 0;
    for file in files {
        bytes += files::size(&folder.join(file))?;
    }
    check(folder, files.len(), bytes)
}

fn check(folder: &Path, files: usize, bytes: u64) -> Result<()> {
    let what = match (files > MAX_FILES, bytes > MAX_BYTES) {
        (true, _) => exceeded(MAX_FILES, "files"),
        (_, true) => format!("more than {} MB of sources", MAX_BYTES / 1_000_000),
        _ => return Ok(()),
    };
    let folder = folder.display();
    Err(Failure::Usage(format!(
        "{folder} has {what}: name the folder of the sources alone"
    )))
}

/// Reads a runner's source files, without Markdown.
pub(crate) fn read(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut read = BTreeMap::new();
    for file in files(root)? {
        if file.extension() != Some("md".as_ref()) {
            let bytes = read_whole(&root.join(&file))?;
            read.insert(file, bytes);
        }
    }
    Ok(read)
}

/// Makes `to` contain exactly these files.
pub(crate) fn write(wanted: &BTreeMap<PathBuf, Vec<u8>>, to: &Path) -> Result<()> {
    keep_only(to, |file| wanted.contains_key(file))?;
    for (file, bytes) in wanted {
        update(&to.join(file), bytes, false)?;
    }
    Ok(())
}

/// Makes `to` contain exactly these files of `from`, which must be sorted. Returns a digest of all.
/// Other users cannot read `to`: sources may be secret.
pub(crate) fn copy(from: &Path, files: &[PathBuf], to: &Path) -> Result<String> {
    files::create_private(to)?;
    keep_only(to, |file| files.binary_search(file).is_ok())?;
    let mut digests = String::new();
    for file in files {
        let source = from.join(file);
        let bytes = read_whole(&source)?;
        digests += &format!("{} {}\n", hex_digest(&bytes), file.display());
        update(&to.join(file), &bytes, files::is_executable(&source)?)?;
    }
    Ok(hex_digest(digests.as_bytes()))
}

fn keep_only(folder: &Path, is_wanted: impl Fn(&PathBuf) -> bool) -> Result<()> {
    create_folder(folder)?;
    for file in files(folder)? {
        if !is_wanted(&file) {
            remove(&folder.join(file))?;
        }
    }
    Ok(())
}

fn update(path: &Path, bytes: &[u8], is_executable: bool) -> Result<()> {
    if files::read_optional(path)?.as_deref() != Some(bytes) {
        files::replace(path, bytes, is_executable)?;
    }
    Ok(())
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
        for name in ["certificates", "runners", "scenario"] {
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

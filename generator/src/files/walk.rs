//! Lists the files below a folder. Links are not followed, and names are in natural order.

use super::read::cannot_read;
use anyhow::{Context, Error, Result, bail};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Returns all regular files below `root`, or `root` itself. Hidden files are left out, and so are
/// symbolic links, which may lead anywhere. `output_2` comes before `output_10`.
pub fn walk(root: &Path) -> Result<Vec<PathBuf>> {
    let kind = fs::metadata(root).with_context(|| cannot_read(root))?;
    if kind.is_file() {
        return Ok(vec![root.to_owned()]);
    }
    if !kind.is_dir() {
        bail!("{} is neither a file nor a folder", root.display());
    }
    below(root, |path| !path.file_name().is_some_and(is_hidden))
}

/// Returns the regular files below a folder, without those of which, or of whose folder,
/// `is_wanted` is false.
pub(crate) fn below(root: &Path, mut is_wanted: impl FnMut(&Path) -> bool) -> Result<Vec<PathBuf>> {
    let all = entries_below(root).into_iter();
    let mut files = Vec::new();
    for entry in all.filter_entry(|entry| is_wanted(entry.path())) {
        let entry = entry.map_err(|error| unreadable(error, root))?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// All that is below a folder, in natural order of names.
pub(super) fn entries_below(root: &Path) -> WalkDir {
    WalkDir::new(root).min_depth(1).sort_by(|a, b| {
        let [a, b] = [a, b].map(|entry| entry.file_name().as_encoded_bytes());
        natural(a, b)
    })
}

/// Returns the error of reading below `root`. walkdir does not always name the path.
pub(super) fn unreadable(error: walkdir::Error, root: &Path) -> Error {
    let context = cannot_read(error.path().unwrap_or(root));
    match error.into_io_error() {
        Some(error) => Error::new(error).context(context),
        None => Error::msg(context),
    }
}

/// Returns all entries of `root`, sorted.
pub fn read_folder(root: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root).with_context(|| cannot_read(root))? {
        paths.push(entry.with_context(|| cannot_read(root))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Returns the immediate subfolders of `root`, sorted, without hidden ones and links.
pub fn folders(root: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for path in read_folder(root)? {
        let kind = path
            .symlink_metadata()
            .with_context(|| cannot_read(&path))?;
        if kind.is_dir() && !path.file_name().is_some_and(is_hidden) {
            folders.push(path);
        }
    }
    Ok(folders)
}

/// Returns the first two of `paths` that lead to the same file or folder.
pub(crate) fn same_twice<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
) -> Option<(&'a Path, &'a Path)> {
    let mut seen = HashMap::new();
    paths.into_iter().find_map(|path| {
        // A path that cannot be resolved fails when it is read.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Some((seen.insert(real, path)?, path))
    })
}

pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Compares names with runs of digits as numbers.
fn natural(a: &[u8], b: &[u8]) -> Ordering {
    let is_other = |byte: &u8| !byte.is_ascii_digit();
    let [end_a, end_b] = [a, b].map(|name| name.iter().position(is_other).unwrap_or(name.len()));
    if end_a.min(end_b) > 0 {
        let ((digits_a, rest_a), (digits_b, rest_b)) = (a.split_at(end_a), b.split_at(end_b));
        let is_zero = |digit: &&u8| **digit == b'0';
        let zeros = |digits: &[u8]| digits.iter().take_while(is_zero).count();
        let [x, y] = [digits_a, digits_b].map(|digits| &digits[zeros(digits)..]);
        let numbers = (x.len(), x, end_a).cmp(&(y.len(), y, end_b));
        return numbers.then_with(|| natural(rest_a, rest_b));
    }
    match (a.split_first(), b.split_first()) {
        (Some((x, rest_a)), Some((y, rest_b))) => x.cmp(y).then_with(|| natural(rest_a, rest_b)),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_in_natural_order() {
        let mut names = [
            "output_10",
            "output_2",
            "output_1",
            "output",
            "a10b2",
            "a10b10",
            "a9",
            "run-010",
            "run-9",
        ];
        names.sort_by(|a, b| natural(a.as_bytes(), b.as_bytes()));
        assert_eq!(
            names,
            [
                "a9",
                "a10b2",
                "a10b10",
                "output",
                "output_1",
                "output_2",
                "output_10",
                "run-9",
                "run-010"
            ]
        );
    }

    #[test]
    fn links_and_hidden_files_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("run"), "x").expect("a file");
        fs::write(folder.path().join(".hidden"), "x").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).expect("a link");
        assert_eq!(
            walk(folder.path()).expect("a walk"),
            [folder.path().join("run")]
        );
    }
}

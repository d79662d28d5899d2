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
    let sorted = WalkDir::new(root).min_depth(1);
    sorted.sort_by(|a, b| by_name(a.file_name(), b.file_name()))
}

/// Returns the error of reading below `root`. walkdir does not always name the path.
pub(super) fn unreadable(error: walkdir::Error, root: &Path) -> Error {
    let context = cannot_read(error.path().unwrap_or(root));
    match error.into_io_error() {
        Some(error) => Error::new(error).context(context),
        None => Error::msg(context),
    }
}

/// Returns the immediate subfolders of `root`, sorted, without hidden ones and links.
pub fn folders(root: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in entries_below(root).max_depth(1) {
        let entry = entry.map_err(|error| unreadable(error, root))?;
        if entry.file_type().is_dir() && !is_hidden(entry.file_name()) {
            folders.push(entry.into_path());
        }
    }
    folders.sort();
    Ok(folders)
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

fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}

fn by_name(a: &OsStr, b: &OsStr) -> Ordering {
    // Names that are not UTF-8 can have the same text.
    natural(&a.to_string_lossy(), &b.to_string_lossy()).then_with(|| a.cmp(b))
}

/// Compares names with runs of digits as numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let is_digit = |c: char| c.is_ascii_digit();
    let [rest_a, rest_b] = [a, b].map(|name| name.trim_start_matches(is_digit));
    let digits_a = &a[..a.len() - rest_a.len()];
    let digits_b = &b[..b.len() - rest_b.len()];
    if !digits_a.is_empty() && !digits_b.is_empty() {
        let [x, y] = [digits_a, digits_b].map(|digits| digits.trim_start_matches('0'));
        let numbers = (x.len(), x, digits_a.len()).cmp(&(y.len(), y, digits_b.len()));
        return numbers.then_with(|| natural(rest_a, rest_b));
    }
    let (mut a, mut b) = (a.chars(), b.chars());
    match (a.next(), b.next()) {
        (None, None) => Ordering::Equal,
        (x, y) => x.cmp(&y).then_with(|| natural(a.as_str(), b.as_str())),
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
        names.sort_by(|a, b| natural(a, b));
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

    // Only there has a name bytes that are no text.
    #[cfg(unix)]
    #[test]
    fn names_of_the_same_text_have_an_order() {
        use std::os::unix::ffi::OsStrExt as _;
        let [a, b] = [b"a\xfe", b"a\xff"].map(|name| OsStr::from_bytes(name));
        assert_eq!(
            [by_name(a, b), by_name(b, a)],
            [Ordering::Less, Ordering::Greater]
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

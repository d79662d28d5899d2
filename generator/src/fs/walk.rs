//! The files below a folder: no links are followed, and the order is that in which people count.

use super::read::cannot_read;
use anyhow::{Context, Result, bail};
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// All regular files below `root`, or `root` itself; names that start with a dot are left out,
/// and so are symbolic links, which may lead anywhere. `output_2` comes before `output_10`.
///
/// # Errors
/// A folder that cannot be read, by its path.
pub fn walk(root: &Path) -> Result<Vec<PathBuf>> {
    let kind = fs::metadata(root).with_context(|| cannot_read(root))?;
    if kind.is_file() {
        return Ok(vec![root.to_owned()]);
    }
    if !kind.is_dir() {
        bail!("{} is neither a file nor a folder", root.display());
    }
    let walker = walkdir::WalkDir::new(root)
        .min_depth(1)
        .sort_by(|a, b| {
            natural(
                &a.file_name().to_string_lossy(),
                &b.file_name().to_string_lossy(),
            )
        })
        .into_iter()
        .filter_entry(|e| !is_hidden(e.file_name()));
    let mut files = Vec::new();
    for entry in walker {
        let entry = entry.with_context(|| cannot_read(root))?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// The folders right below `root`, in order; hidden ones and links are left out.
///
/// # Errors
/// `root` cannot be read.
pub fn folders(root: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for path in read_folder(root)? {
        let kind = fs::symlink_metadata(&path).with_context(|| cannot_read(&path))?;
        if kind.is_dir() && !path.file_name().is_some_and(is_hidden) {
            folders.push(path);
        }
    }
    Ok(folders)
}

/// All that is right below `root`, in order.
///
/// # Errors
/// `root` cannot be read.
pub fn read_folder(root: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(root).and_then(|entries| {
        let paths = entries.map(|entry| Ok(entry?.path()));
        paths.collect::<io::Result<Vec<PathBuf>>>()
    });
    let mut paths = entries.with_context(|| cannot_read(root))?;
    paths.sort();
    Ok(paths)
}

fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}

/// Compares names with runs of digits as numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        let (digits_a, digits_b) = (leading_digits(a), leading_digits(b));
        let ordering = if digits_a > 0 && digits_b > 0 {
            let number = |text: &[u8], len: usize| {
                let zeros = text[..len].iter().take_while(|d| **d == b'0').count();
                (len - zeros, text[zeros..len].to_vec())
            };
            let ordering = number(a, digits_a)
                .cmp(&number(b, digits_b))
                .then(digits_a.cmp(&digits_b));
            (a, b) = (&a[digits_a..], &b[digits_b..]);
            ordering
        } else {
            let ordering = a.first().cmp(&b.first());
            (a, b) = (
                a.get(1..).unwrap_or_default(),
                b.get(1..).unwrap_or_default(),
            );
            ordering
        };
        if ordering != Ordering::Equal || (a.is_empty() && b.is_empty()) {
            return ordering;
        }
    }
}

fn leading_digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_like_this() {
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

    #[test]
    fn links_and_hidden_files_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("run"), "x").expect("a file");
        fs::write(folder.path().join(".hidden"), "x").expect("a file");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).expect("a link");
        assert_eq!(
            walk(folder.path()).expect("a walk"),
            [folder.path().join("run")]
        );
    }
}

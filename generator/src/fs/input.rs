//! Reading: a walk that follows no links, in the order that people count in.

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file as opened: its start, and how to get at the rest.
#[derive(Debug)]
pub enum Bytes {
    /// The whole of it.
    Whole(Vec<u8>),
    /// Too big to hold; the start, enough to recognise it by, and the open file at its start again.
    Large(Vec<u8>, fs::File),
}

/// Enough to recognise any format by.
const HEAD: usize = 64 * 1024;

/// Files up to this size are read whole. Only latency captures are larger.
const WHOLE: u64 = 32 * 1024 * 1024;

/// All regular files below `root`, or `root` itself; names that start with a dot are left out,
/// and so are symbolic links, which may lead anywhere. `output_2` comes before `output_10`.
///
/// # Errors
/// A folder that cannot be read, by its path.
pub fn walk(root: &Path) -> Result<Vec<PathBuf>> {
    let kind = fs::metadata(root).with_context(|| format!("cannot read {}", root.display()))?;
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
        .filter_entry(|e| !e.file_name().to_string_lossy().starts_with('.'));
    let mut files = Vec::new();
    for entry in walker {
        let entry = entry.with_context(|| format!("cannot read {}", root.display()))?;
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
    let context = || format!("cannot read {}", root.display());
    let mut folders = Vec::new();
    for entry in fs::read_dir(root).with_context(context)? {
        let entry = entry.with_context(context)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !hidden && entry.file_type().with_context(context)?.is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
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

/// Opens a file; reads it whole unless it is large.
///
/// # Errors
/// The system's, with the path; or that it is no regular file.
pub fn read(path: &Path) -> Result<Bytes> {
    let context = || format!("cannot read {}", path.display());
    let metadata = fs::metadata(path).with_context(context)?;
    if !metadata.is_file() {
        bail!("{} is no regular file", path.display());
    }
    if metadata.len() <= WHOLE {
        return Ok(Bytes::Whole(fs::read(path).with_context(context)?));
    }
    let mut head = vec![0; HEAD];
    let mut file = fs::File::open(path).with_context(context)?;
    file.read_exact(&mut head).with_context(context)?;
    let file = fs::File::open(path).with_context(context)?;
    Ok(Bytes::Large(head, file))
}

/// Bytes of a file; 0 if that cannot be told, which its reader will say.
pub fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |m| m.len())
}

/// The whole of standard input.
///
/// # Errors
/// The system's.
pub fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    Ok(bytes)
}

/// The text of a file that need not be there.
///
/// # Errors
/// Any but that it is not there. A symbolic link is one, since it may lead anywhere.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    if fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink()) {
        bail!(
            "{} is a symbolic link, and none is followed; put the file itself there",
            path.display()
        );
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// One digest of the names and bytes of all files below `roots`, and of this program, which
/// is told from others by its size and time of change.
///
/// # Errors
/// A file that cannot be read.
pub fn digest(roots: &[PathBuf]) -> Result<String> {
    let program = std::env::current_exe()
        .and_then(fs::metadata)
        .context("cannot find this program")?;
    let mut all = format!("{} {:?}\n", program.len(), program.modified().ok());
    let mut paths = Vec::new();
    for root in roots {
        paths.extend(walk(root)?);
    }
    let digests: Vec<Result<String>> = paths.par_iter().map(|path| digest_of_file(path)).collect();
    for (path, digest) in paths.iter().zip(digests) {
        all += &format!("{} {}\n", digest?, path.display());
    }
    Ok(hex_digest(all.as_bytes()))
}

/// In pieces, since a latency capture may be larger than memory.
fn digest_of_file(path: &Path) -> Result<String> {
    let context = || format!("cannot read {}", path.display());
    let mut file = fs::File::open(path).with_context(context)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; HEAD];
    loop {
        match file.read(&mut piece).with_context(context)? {
            0 => return Ok(hex(&hasher.finalize())),
            n => hasher.update(&piece[..n]),
        }
    }
}

/// SHA-256 in hexadecimal.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What changes when a file does: path, size, time of change.
pub type Stamp = Vec<(PathBuf, u64, Option<SystemTime>)>;

/// The stamp of all files below `roots`. Files that vanish meanwhile are left out.
///
/// # Errors
/// A folder that cannot be read.
pub fn stamp(roots: &[PathBuf]) -> Result<Stamp> {
    let mut stamp = Stamp::new();
    for root in roots {
        for path in walk(root)? {
            if let Ok(metadata) = fs::metadata(&path) {
                stamp.push((path, metadata.len(), metadata.modified().ok()));
            }
        }
    }
    Ok(stamp)
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

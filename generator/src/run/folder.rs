//! Checks `--out` before the build, which takes minutes: the folder must be writable and must not
//! belong to another report.

use super::record;
use crate::failure::{Failure, Result};
use crate::fs;
use anyhow::{Context, anyhow};
use std::io::Write;
use std::path::Path;

/// Refuses a path that cannot be a report's folder, and a report not measured by this program.
pub(crate) fn check(out: &Path) -> Result<()> {
    if fs::is_file(out)? {
        return Err(Failure::Usage(format!(
            "{} is a file: give --out a new folder, or that of a measurement to continue",
            out.display()
        )));
    }
    if let Some(name) = foreign(out)? {
        return Err(Failure::Usage(format!(
            "{} contains another report: it has {name}, but no {} to continue from; give another --out",
            out.display(),
            record::NAME
        )));
    }
    let out = std::path::absolute(out).context("cannot resolve --out")?;
    for folder in out.ancestors() {
        if fs::exists(folder)? {
            return try_to_write(folder);
        }
    }
    Ok(())
}

/// Writes a temporary file: permissions do not reveal a read-only or full disk.
fn try_to_write(folder: &Path) -> Result<()> {
    // Unnamed, so that a kill leaves nothing behind.
    let tried = tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(b"?"));
    tried.map_err(|error| {
        let folder = folder.display();
        Failure::Io(anyhow!(
            "cannot write into {folder} for --out: {error}; make room, or give another --out"
        ))
    })
}

/// Returns the first entry that makes a folder without a record another report's: anything but
/// `report.toml`, Markdown and hidden files, with which a new report may start.
fn foreign(out: &Path) -> Result<Option<String>> {
    if !fs::is_folder(out)? || fs::is_file(&record::Record::path(out))? {
        return Ok(None);
    }
    let entries = fs::read_folder(out)?;
    let is_start =
        |name: &String| name == "report.toml" || name.ends_with(".md") || name.starts_with('.');
    let mut names = entries.iter().map(|path| fs::file_name(path));
    Ok(names.find(|name| !is_start(name)))
}

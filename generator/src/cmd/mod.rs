//! The commands: each loads, calls the pure code, and writes.

mod compare;
mod ingest;
mod new;
mod run;
mod show;
mod zola;

pub use compare::compare;
pub use ingest::ingest;
pub use new::new;
pub use run::run;
pub use show::show;
pub use zola::{build, serve, zola};

use crate::console::print;
use crate::failure::{self, Failure, Result};
use crate::load::{self, Loaded};
use crate::report::{Dataset, Figures, group};
use crate::run::record::NAME as RECORD;
use clap::CommandFactory;
use std::path::{Path, PathBuf};

/// Prints a completion script.
///
/// # Errors
/// Standard output cannot be written.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        shell,
        &mut crate::cli::Cli::command(),
        "generator",
        &mut script,
    );
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page.
///
/// # Errors
/// Standard output cannot be written.
pub fn man() -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(crate::cli::Cli::command())
        .render(&mut page)
        .map_err(anyhow::Error::from)?;
    print(&String::from_utf8_lossy(&page))
}

/// Stands for a path in messages.
const STDIN: &str = "standard input";

/// What `show` and `compare` take: files, folders, and `-`. The problems of all are reported
/// together.
fn dataset(paths: &[PathBuf], quiet: bool) -> Result<Dataset> {
    let loaded = failure::all(paths.iter().map(|path| files(path, quiet)))?;
    let files = || loaded.iter().flatten();
    let figures = files().map(|file| {
        // The folders above may name the implementation as well.
        let path = if file.path == Path::new(STDIN) {
            file.path.clone()
        } else {
            std::path::absolute(&file.path).map_err(anyhow::Error::from)?
        };
        let below = &file.path;
        Ok(Figures { file, below, path })
    });
    let data = group(&[], figures.collect::<Result<Vec<_>>>()?)?;
    files().for_each(|file| say_notes(file, quiet));
    Ok(data)
}

fn files(path: &Path, quiet: bool) -> Result<Vec<Loaded>> {
    let loaded = if path.as_os_str() == "-" {
        vec![load::bytes(STDIN, &crate::fs::read_stdin()?)?]
    } else {
        load::folder(path, is_about, quiet)?
    };
    if loaded.is_empty() {
        return Err(Failure::at(path, 0, "no file with figures in it"));
    }
    Ok(loaded)
}

/// Files of a report's folder that hold no figures.
fn is_about(path: &Path) -> bool {
    let is_lock = path.extension().is_some_and(|e| e == "lock");
    is_lock
        || path
            .file_name()
            .is_some_and(|name| name == "report.toml" || name == "notes.md" || name == RECORD)
}

fn say_notes(file: &Loaded, quiet: bool) {
    if !quiet {
        for note in &file.parsed.notes {
            crate::say!("{}:{}: {}", file.path.display(), note.line, note.message);
        }
    }
}

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

use crate::cli::Cli;
use crate::console::print;
use crate::failure::{self, Failure, Result};
use crate::load::{self, Loaded};
use crate::report::{Dataset, Figures, group};
use crate::run::record::NAME as RECORD;
use anyhow::Context;
use clap::CommandFactory;
use std::path::{Path, PathBuf};

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "generator", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page.
pub fn man() -> Result<()> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut page);
    rendered.context("cannot write the manual page")?;
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
        let below = &file.path;
        let path = match below == Path::new(STDIN) {
            true => below.clone(),
            false => std::path::absolute(below).context("cannot find the current folder")?,
        };
        Ok(Figures { file, below, path })
    });
    let data = group(&[], figures.collect::<anyhow::Result<Vec<_>>>()?)?;
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
    let name = path.file_name().unwrap_or_default();
    path.extension().is_some_and(|e| e == "lock")
        || ["report.toml", "notes.md", RECORD]
            .iter()
            .any(|n| name == *n)
}

fn say_notes(file: &Loaded, quiet: bool) {
    if !quiet {
        for note in &file.parsed.notes {
            crate::say!("{}:{}: {}", file.path.display(), note.line, note.message);
        }
    }
}

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

use crate::failure::{self, Diagnostic, Failure, Result};
use crate::load::{self, Loaded};
use crate::report::{Dataset, Grouping, identify};
use crate::run::record::NAME as RECORD;
use clap::CommandFactory;
use std::collections::HashMap;
use std::io::Write;
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

/// What `show` and `compare` take: files, folders, and `-`. The problems of all are told
/// together.
fn dataset(paths: &[PathBuf], quiet: bool) -> Result<Dataset> {
    let loaded = failure::all(paths.iter().map(|path| files(path, quiet)))?;
    let files = paths
        .iter()
        .zip(&loaded)
        .flat_map(|(path, files)| files.iter().map(move |f| (path, f)));
    let mut grouping = Grouping::default();
    failure::all(
        files
            .clone()
            .enumerate()
            .map(|(index, (path, file))| add(&mut grouping, file, index, path)),
    )?;
    files.for_each(|(_, file)| say_notes(file, quiet));
    Ok(grouping.finish())
}

fn files(path: &Path, quiet: bool) -> Result<Vec<Loaded>> {
    let loaded = if path.as_os_str() == "-" {
        vec![load::bytes(STDIN, &crate::fs::read_stdin()?)?]
    } else {
        load::folder(path, is_about, quiet)?
    };
    if loaded.is_empty() {
        return Err(Failure::bad_file(path, "no file with figures in it"));
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

/// Puts all rows of one file into the grouping.
fn add(grouping: &mut Grouping, file: &Loaded, index: usize, named: &Path) -> Result<()> {
    // What the folders above are called may tell the implementation as well.
    let above = if named.as_os_str() == "-" {
        None
    } else {
        std::path::absolute(&file.path).ok()
    };
    let path = above.as_deref().unwrap_or(&file.path);
    let mut known = HashMap::new();
    for observation in &file.parsed.observations {
        let told = observation.implementation.as_ref();
        match known.entry(told).or_insert_with(|| identify(path, told)) {
            Ok(implementation) => grouping.add(implementation, index, &file.path, observation),
            Err(message) => {
                return Err(Failure::BadInput(vec![Diagnostic {
                    path: file.path.clone(),
                    line: observation.line,
                    message: message.clone(),
                }]));
            }
        }
    }
    Ok(())
}

fn say_notes(file: &Loaded, quiet: bool) {
    if !quiet {
        for note in &file.parsed.notes {
            anstream::eprintln!("{}:{}: {}", file.path.display(), note.line, note.message);
        }
    }
}

/// Data goes to standard output; a reader that went away is no error.
fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error)
                .context("cannot write to standard output")
                .into())
        }
        _ => Ok(()),
    }
}

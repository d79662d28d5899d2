//! The commands: each loads, calls the pure code, and writes.

mod compare;
mod show;

pub use compare::compare;
pub use show::show;

use crate::failure::{Failure, Outcome};
use crate::implementation::Implementation;
use crate::load::{self, Loaded};
use crate::report::{Dataset, Grouping, identify};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `show` and `compare` take: files, folders, and `-`.
fn dataset(paths: &[PathBuf], quiet: bool) -> Outcome<Dataset> {
    let mut grouping = Grouping::default();
    let mut files = 0;
    for path in paths {
        let loaded = if path.as_os_str() == "-" {
            vec![load::bytes("standard input", &crate::fs::read_stdin()?)?]
        } else {
            load::folder(path, is_about)?
        };
        if loaded.is_empty() {
            return Err(Failure::bad_file(path, "no file with figures in it"));
        }
        for file in &loaded {
            add(&mut grouping, file, files, |path, told| {
                identify(
                    &std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
                    told,
                )
            })?;
            say_notes(file, quiet);
            files += 1;
        }
    }
    Ok(grouping.finish())
}

/// Files of a report's folder that hold no figures.
fn is_about(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == "report.toml" || name == "notes.md")
}

/// Puts all rows of one file into the grouping.
fn add(
    grouping: &mut Grouping,
    file: &Loaded,
    index: usize,
    identify: impl Fn(&Path, Option<&Implementation>) -> Result<Implementation, String>,
) -> Outcome<()> {
    for observation in &file.parsed.observations {
        let implementation = identify(&file.path, observation.implementation.as_ref())
            .map_err(|message| Failure::bad_file(&file.path, message))?;
        grouping.add(implementation, index, &file.path, observation);
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
fn print(text: &str) -> Outcome<()> {
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

//! `generator export`: writes every observation of an archive as one table.

use super::read::{report, report_folders};
use super::start_threads;
use crate::cli::{DataFormat, Export};
use crate::failure::{self, Diagnostic, Failure, Result};
use crate::fs;
use crate::render::{self, Exported};
use crate::scenario::tidy::text_cell;
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Runs the command. Fails for bad input, or if the rows cannot be written.
pub(super) fn export(arguments: &Export) -> Result<()> {
    start_threads()?;
    let folders = report_folders(&arguments.data)?;
    let out = arguments
        .out
        .as_deref()
        .filter(|path| *path != Path::new("-"));
    let Some(path) = out else {
        let written = write(&folders, arguments.format, io::stdout().lock())?;
        return match written {
            // A closed pipe is not an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written.context("cannot write to standard output")?),
        };
    };
    let mut file = fs::begin(path)?;
    let written = write(&folders, arguments.format, &mut file)?;
    written.with_context(|| fs::cannot_write(path))?;
    Ok(fs::finish(file, path)?)
}

/// Writes each row as soon as it is known, since an archive may be larger than memory. After a
/// report that cannot be read, the others are read only to collect their problems.
fn write(folders: &[PathBuf], format: DataFormat, out: impl Write) -> Result<io::Result<()>> {
    let mut table = RowWriter::new(format, out);
    let text = match format {
        DataFormat::Csv => text_cell,
        DataFormat::Json => str::to_owned,
    };
    let mut names = BTreeMap::new();
    let mut problems = Vec::new();
    for folder in folders {
        match report(folder) {
            Err(Failure::BadInput(found)) => problems.extend(found),
            Err(failure) => return Err(failure),
            Ok(report) => {
                if let Some(other) = names.insert(report.name.clone(), folder) {
                    let message = format!("{} has the same name; rename one", other.display());
                    problems.push(Diagnostic::at(folder, 0, message));
                } else if problems.is_empty()
                    && let Err(error) = render::export(&report, text, |row| table.row(row))
                {
                    return Ok(Err(error));
                }
            }
        }
    }
    failure::if_any(problems).map(|()| table.finish())
}

enum RowWriter<W: Write> {
    Csv(Box<csv::Writer<W>>),
    /// With the separator before the next row.
    Json(BufWriter<W>, &'static str),
}

impl<W: Write> RowWriter<W> {
    fn new(format: DataFormat, out: W) -> Self {
        match format {
            DataFormat::Csv => Self::Csv(Box::new(csv::Writer::from_writer(out))),
            DataFormat::Json => Self::Json(BufWriter::new(out), "[\n"),
        }
    }

    /// Writes a row; before the first one of CSV, the writer puts the column names.
    fn row(&mut self, row: &Exported<'_>) -> io::Result<()> {
        match self {
            Self::Csv(writer) => writer
                .serialize(row)
                .map_err(|error| match error.into_kind() {
                    csv::ErrorKind::Io(error) => error,
                    other => io::Error::other(format!("{other:?}")),
                }),
            Self::Json(out, before) => {
                out.write_all(std::mem::replace(before, ",\n").as_bytes())?;
                Ok(serde_json::to_writer(out, row)?)
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Csv(mut writer) => writer.flush(),
            Self::Json(mut out, _) => out.write_all(b"\n]\n").and_then(|()| out.flush()),
        }
    }
}

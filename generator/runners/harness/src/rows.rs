//! Writes figures as rows of tidy CSV.

use crate::{Error, Scenario, Tls};
use scenario::tidy::{COLUMNS, Row};
use std::io::Write;

/// A figure, or why it is unsupported.
pub(crate) struct Figure {
    pub(crate) scenario: Scenario,
    pub(crate) unit: &'static str,
    /// A positive number, or the reason why the scenario is unsupported.
    pub(crate) value: Result<f64, String>,
    /// Caveat on the figure; may be empty.
    pub(crate) caveat: String,
}

/// Writer of the rows of one library in one run.
pub(crate) struct Rows<W: Write> {
    csv: csv::Writer<W>,
    run: u32,
    version: String,
    variant: Vec<String>,
}

impl<W: Write> Rows<W> {
    pub(crate) fn new<T: Tls>(run: u32, out: W) -> Self {
        Self {
            csv: csv::Writer::from_writer(out),
            run,
            version: T::version(),
            variant: T::variant(),
        }
    }

    pub(crate) fn heading(&mut self) -> Result<(), Error> {
        self.csv.write_record(COLUMNS)?;
        Ok(self.csv.flush()?)
    }

    /// Writes and flushes a row: a figure that took a minute must not be lost in a buffer.
    pub(crate) fn write<T: Tls>(&mut self, figure: &Figure) -> Result<(), Error> {
        let row = Row {
            run: self.run,
            implementation: T::NAME,
            version: &self.version,
            variant: &self.variant,
            scenario: &figure.scenario,
            unit: figure.unit,
            value: figure.value.as_ref().ok().copied(),
            caveat: figure.value.as_ref().err().unwrap_or(&figure.caveat),
        };
        self.csv.write_record(row.cells())?;
        Ok(self.csv.flush()?)
    }
}

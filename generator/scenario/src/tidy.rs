//! Rows of tidy CSV: what every measuring program prints, and what the generator reads and writes.
//! How CSV quotes a cell is left to the crate `csv` on both sides.

use super::Scenario;

/// The columns, in the order in which they are written.
pub const COLUMNS: [&str; 8] = [
    "run",
    "implementation",
    "version",
    "variant",
    "scenario",
    "unit",
    "value",
    "caveat",
];

/// The value of a row without a figure.
pub const UNSUPPORTED: &str = "unsupported";

/// One figure, or why there is none.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Which execution of the suite, from 1.
    pub run: u32,
    /// The library's name.
    pub implementation: &'a str,
    /// A release or commit.
    pub version: &'a str,
    /// Provider, compiler, allocator …
    pub variant: &'a [String],
    /// What was measured.
    pub scenario: &'a Scenario,
    /// The unit of the value.
    pub unit: &'a str,
    /// `None` if the scenario is unsupported.
    pub value: Option<f64>,
    /// What a reader must know of the figure, or why there is none.
    pub caveat: &'a str,
}

impl Row<'_> {
    /// The cells, in the order of [`COLUMNS`].
    pub fn cells(&self) -> [String; COLUMNS.len()] {
        [
            self.run.to_string(),
            text_cell(self.implementation),
            text_cell(self.version),
            text_cell(&self.variant.join("+")),
            text_cell(&self.scenario.label()),
            text_cell(self.unit),
            self.value.map_or_else(|| UNSUPPORTED.to_owned(), decimal),
            text_cell(self.caveat),
        ]
    }
}

/// The shortest decimal that is equal to `value` to 14 significant digits: conversion between
/// units costs the last bit or two of a double, and 1248 ns must not print as
/// 1248.0000000000002.
pub fn decimal(value: f64) -> String {
    rounded(value).to_string()
}

/// The value with the digits of [`decimal`].
pub fn rounded(value: f64) -> f64 {
    // Most values have fewer, and printing all of 14 takes several times as long.
    if value.to_string().len() <= 14 {
        return value;
    }
    let text = format!("{value:.13e}");
    text.parse().expect("what Rust prints as a number is one")
}

/// Text on one line, and no formula for a spreadsheet.
pub fn text_cell(text: &str) -> String {
    let one_line = text.replace(|c: char| c.is_control() && c != '\t', " ");
    match is_guarded(&one_line) {
        true => format!("'{one_line}"),
        false => one_line,
    }
}

/// The text of a cell, without the `'` that keeps a spreadsheet from taking it for a formula.
pub fn cell_text(cell: &str) -> &str {
    let text = cell.strip_prefix('\'').filter(|_| is_guarded(cell));
    text.unwrap_or(cell)
}

/// Whether a spreadsheet takes the text for a formula. Text that already starts with a `'` before
/// one counts too, so that reading removes only what writing added.
fn is_guarded(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_formula_and_comes_back() {
        for (text, cell) in [
            ("rsa", "rsa"),
            ("=SUM(A1)", "'=SUM(A1)"),
            ("'-1", "''-1"),
            ("'quoted'", "'quoted'"),
            ("\tindented", "'\tindented"),
        ] {
            assert_eq!(text_cell(text), cell);
            assert_eq!(cell_text(cell), text);
        }
        assert_eq!(text_cell("two\nlines"), "two lines");
    }

    #[test]
    fn cells_of_a_row() {
        let scenario = Scenario::from_label("memory, 1.3, 2 sessions").expect("a label");
        let row = Row {
            run: 2,
            implementation: "rustls",
            version: "0.23.43",
            variant: &["ring".to_owned(), "jemalloc".to_owned()],
            scenario: &scenario,
            unit: "KiB",
            value: Some(1_248.000_000_000_000_2),
            caveat: "",
        };
        let cells = row.cells();
        assert_eq!(
            cells.join(";"),
            "2;rustls;0.23.43;ring+jemalloc;memory, 1.3, 2 sessions;KiB;1248;"
        );
        let none = Row { value: None, ..row };
        assert_eq!(none.cells()[6], UNSUPPORTED);
    }
}

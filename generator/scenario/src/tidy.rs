//! Rows of tidy CSV, which the generator reads and writes. Quoting is left to the crate `csv`.

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

/// One figure, or why the scenario is unsupported.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Number of the run, from 1.
    pub run: u32,
    /// The library's name.
    pub implementation: &'a str,
    /// The release or commit.
    pub version: &'a str,
    /// Provider, compiler, allocator …
    pub variant: &'a [String],
    /// The measured scenario.
    pub scenario: &'a Scenario,
    /// The unit of the value.
    pub unit: &'a str,
    /// `None` if the scenario is unsupported.
    pub value: Option<f64>,
    /// Caveat on the figure, or why the scenario is unsupported.
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

/// Formats `value` as the shortest decimal that is equal to 14 significant digits. Conversions
/// between units lose the last bits of a double, and 1248 ns must not print as 1248.0000000000002.
pub fn decimal(value: f64) -> String {
    rounded(value).to_string()
}

/// Rounds `value` to the digits of [`decimal`].
pub fn rounded(value: f64) -> f64 {
    // A fast path: most values have fewer digits, and formatting with 14 is several times slower.
    if value.to_string().len() <= 14 {
        return value;
    }
    let text = format!("{value:.13e}");
    text.parse().expect("a formatted number parses")
}

/// Encodes text as a cell: on one line, and never a formula in a spreadsheet.
pub fn text_cell(text: &str) -> String {
    let one_line = text.replace(|c: char| c.is_control() && c != '\t', " ");
    match is_guarded(&one_line) {
        true => format!("'{one_line}"),
        false => one_line,
    }
}

/// Decodes a cell: removes the `'` that keeps a spreadsheet from reading it as a formula.
pub fn cell_text(cell: &str) -> &str {
    let text = cell.strip_prefix('\'').filter(|_| is_guarded(cell));
    text.unwrap_or(cell)
}

/// Whether a spreadsheet would read the text as a formula. Includes text with `'` before a formula,
/// so that decoding removes only what encoding added.
fn is_guarded(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_no_formulas_and_round_trip() {
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

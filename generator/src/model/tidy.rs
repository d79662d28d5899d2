//! Cells of tidy CSV. Quoting is left to the crate `csv`.

/// The columns of rows, in the order in which they are written.
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

/// Formats `value` as the shortest decimal that is equal to 14 significant digits. Conversions
/// between units lose the last bits of a double, and 1248 ns must not print as 1248.0000000000002.
pub fn decimal(value: f64) -> String {
    let shortest = value.to_string();
    // Most values have fewer digits, and formatting with 14 is several times slower.
    if shortest.len() <= 14 {
        return shortest;
    }
    let rounded: f64 = format!("{value:.13e}").parse().expect("a formatted number");
    rounded.to_string()
}

/// Rounds `value` to the digits of [`decimal`].
pub fn rounded(value: f64) -> f64 {
    decimal(value).parse().expect("a formatted number")
}

/// Encodes text as a cell: on one line, and never a formula in a spreadsheet.
pub fn text_cell(text: &str) -> String {
    let one_line = text.replace(|c: char| c.is_control() && c != '\t', " ");
    match is_guarded(&one_line) {
        true => format!("'{one_line}"),
        false => one_line,
    }
}

/// Encodes texts as a cell with a line for each.
pub fn text_cells(texts: &[impl AsRef<str>]) -> String {
    let lines = texts.iter().map(|text| text_cell(text.as_ref()));
    lines.collect::<Vec<_>>().join("\n")
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
}

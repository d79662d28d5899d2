//! Renders a comparison for a terminal.

use super::row::{self, COLUMNS, fields};
use super::summary;
use super::table::ComparedSides;
use crate::cli::Compare;
use crate::escape;
use crate::footnotes::Footnotes;
use crate::grid;
use clap::builder::styling::Style;

/// Renders one table.
pub(super) fn text(table: &ComparedSides, arguments: &Compare) -> String {
    let mut footnotes = Footnotes::default();
    let rows: Vec<_> = table
        .shown(arguments)
        .map(|row| {
            let texts = row::footnotes(row, arguments).into_iter();
            let marks: Vec<String> = texts.map(|t| superscript(footnotes.number(t))).collect();
            fields(row, table, marks.join(" "))
        })
        .collect();
    let bold = Style::new().bold();
    let [baseline, candidate] = table.names();
    let mut text = format!(
        "{bold}{} ➡️ {}{bold:#}\n",
        escape::plain(&baseline),
        escape::plain(&candidate)
    );
    if !rows.is_empty() {
        text += &grid::text(COLUMNS, rows);
    }
    let numbered = footnotes
        .iter()
        .map(|(n, text)| format!("{} {text}", superscript(n)));
    let lines = numbered
        .chain(table.warnings.iter().map(|w| format!("warning: {w}")))
        .chain(summary::means(table))
        .chain([summary::count(table), summary::method(table, arguments)]);
    for line in lines.filter(|line| !line.is_empty()) {
        text += &escape::plain(&line);
        text.push('\n');
    }
    text
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.to_string();
    let digits = digits.bytes().map(|d| DIGITS[usize::from(d - b'0')]);
    digits.collect()
}

//! A comparison for a terminal.

use super::columns::{COLUMNS, fields};
use super::table::Table;
use super::{caveats, summary};
use crate::cli::Compare;
use crate::escape;
use crate::footnotes::Footnotes;
use crate::grid;
use clap::builder::styling::Style;

/// Tables one below another.
pub(super) fn text(tables: &[Table], arguments: &Compare) -> String {
    let tables: Vec<String> = tables.iter().map(|t| table(t, arguments)).collect();
    tables.join("\n")
}

fn table(table: &Table, arguments: &Compare) -> String {
    let mut footnotes = Footnotes::default();
    let rows: Vec<_> = table
        .shown(arguments)
        .map(|row| {
            let texts = caveats::footnotes(row, arguments).into_iter();
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
        .map(|(number, text)| format!("{} {text}", superscript(number)));
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
    digits
        .bytes()
        .map(|d| DIGITS[usize::from(d - b'0')])
        .collect()
}

//! A comparison for a terminal.

use super::table::Table;
use super::words;
use crate::cli::{Compare, Format};
use crate::escape;
use crate::grid::{self, Column, Field, Tint};
use crate::report::{ComparedRow, scales};
use crate::stats::Verdict;
use crate::unit::{Better, Scale};
use clap::builder::styling::Style;

const COLUMNS: &[Column] = &[
    Column::left("scenario"),
    Column::left("unit"),
    Column::right("baseline"),
    Column::right(""),
    Column::right("candidate"),
    Column::right(""),
    Column::right("ratio"),
    Column::left("95% CI"),
    Column::left("change"),
    Column::right("p"),
    Column::right("n"),
    Column::left(""),
];

/// Tables one below another.
pub(super) fn text(tables: &[Table], arguments: &Compare) -> String {
    let tables: Vec<String> = tables.iter().map(|t| table(t, arguments)).collect();
    tables.join("\n")
}

fn table(table: &Table, arguments: &Compare) -> String {
    let mut notes = Footnotes::default();
    let scales = scales(&table.rows);
    let rows: Vec<Vec<Field>> = words::shown(table, arguments)
        .map(|row| {
            let mut marks = words::remarks(row);
            marks.extend(words::footnote(row, arguments));
            let marks: Vec<String> = marks.into_iter().map(|text| notes.mark(text)).collect();
            fields(row, &scales[row.unit], marks.join(" "))
        })
        .collect();
    let bold = Style::new().bold();
    let (old, new) = (
        words::party(&table.old, &table.new),
        words::party(&table.new, &table.old),
    );
    let mut text = format!(
        "{bold}{} ➡️ {}{bold:#}\n",
        escape::plain(&old),
        escape::plain(&new)
    );
    if !rows.is_empty() {
        text += &grid::print(Format::Text, COLUMNS, &rows);
    }
    let means = table.means();
    let lines = notes
        .lines()
        .into_iter()
        .chain(table.doubts.iter().map(|d| format!("warning: {d}")))
        .chain(means.iter().map(words::mean))
        .chain([words::count(table), words::method(table, arguments)]);
    for line in lines.filter(|line| !line.is_empty()) {
        text += &escape::plain(&line);
        text.push('\n');
    }
    text
}

fn fields(row: &ComparedRow, scale: &Scale, marks: String) -> Vec<Field> {
    let [old, new] = row.estimates;
    let shown = [
        row.scenario.label(),
        scale.symbol.clone(),
        words::figure(scale, old, row.old),
        words::spread(old, row.old),
        words::figure(scale, new, row.new),
        words::spread(new, row.new),
        words::ratio(row),
        words::interval(row),
        words::change(row),
        words::p(row),
        row.runs_text(),
        marks,
    ];
    let change = words::change(row);
    shown
        .into_iter()
        .map(|text| {
            let tint = if text == change {
                tint(row)
            } else {
                Tint::None
            };
            Field::same(text).tinted(tint)
        })
        .collect()
}

/// Green is better and red is worse; the words say so too.
fn tint(row: &ComparedRow) -> Tint {
    let better = row.unit.better();
    match row.verdict() {
        Some(Verdict::Faster) => Tint::Good,
        Some(Verdict::Less) if better == Better::Lower => Tint::Good,
        Some(verdict) if verdict.is_regression(better) => Tint::Bad,
        Some(Verdict::Less | Verdict::More) => Tint::None,
        _ => Tint::Faint,
    }
}

/// Each text once, numbered in the order of the rows.
#[derive(Default)]
struct Footnotes(Vec<String>);

impl Footnotes {
    fn mark(&mut self, text: String) -> String {
        let known = self.0.iter().position(|t| *t == text);
        let index = known.unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        });
        superscript(index + 1)
    }

    fn lines(&self) -> Vec<String> {
        let numbered = self.0.iter().enumerate();
        numbered
            .map(|(index, text)| format!("{} {text}", superscript(index + 1)))
            .collect()
    }
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.to_string();
    digits
        .bytes()
        .map(|d| DIGITS[usize::from(d - b'0')])
        .collect()
}

//! Prints rows: as a table for a terminal or in Markdown, or as CSV or JSON.

use crate::base::escape;
use crate::model::tidy::text_cell;
use crate::report::{GridCell, Look};
use crate::stats::Verdict;
use anyhow::{Context as _, Result};
use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Effects, Style};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// How to print a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// A table for people.
    Text,
    /// A Markdown table.
    Markdown,
    /// RFC 4180, full precision.
    Csv,
    /// An array of objects.
    Json,
}

/// A column of a table for people: its heading, and whether its cells are figures, which are
/// aligned to the right.
pub(crate) type Column<'a> = (&'a str, bool);

/// The colour of a cell in a terminal. The text says the same in words.
fn style(look: Look) -> Style {
    match look {
        Look::Verdict(Verdict::Better) => AnsiColor::Green.on_default(),
        Look::Verdict(Verdict::Worse) => AnsiColor::Red.on_default(),
        Look::Verdict(Verdict::Same | Verdict::NotShown | Verdict::Untested) => {
            Style::new().effects(Effects::DIMMED)
        }
        _ => Style::new(),
    }
}

/// A cell's text with its detail.
fn words(cell: &GridCell) -> Cow<'_, str> {
    match &cell.detail {
        None => Cow::Borrowed(&cell.text),
        Some(detail) => Cow::Owned(format!("{} ({detail})", cell.text)),
    }
}

/// Prints a whole table: in Markdown, or for a terminal.
pub(crate) fn table(
    columns: &[Column<'_>],
    rows: impl Iterator<Item = Vec<GridCell>> + Clone,
    is_markdown: bool,
) -> String {
    match is_markdown {
        true => markdown(columns, rows),
        false => text(columns, rows),
    }
}

/// Returns the columns to print, with their widths: those that have a cell that is not empty.
fn visible<'a>(
    columns: &[Column<'a>],
    rows: impl Iterator<Item = Vec<GridCell>>,
) -> Vec<(usize, Column<'a>, usize)> {
    let mut widths = vec![0; columns.len()];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = escape::plain(&words(cell)).width().max(*width);
        }
    }
    let mut visible = Vec::new();
    for (place, (column, width)) in columns.iter().zip(widths).enumerate() {
        if width > 0 {
            visible.push((place, *column, width.max(column.0.width())));
        }
    }
    visible
}

/// Prints columns as wide as their widest cell, separated by two spaces. The rows are made anew for
/// each pass, so that a long table is never held.
pub(crate) fn text(
    columns: &[Column<'_>],
    rows: impl Iterator<Item = Vec<GridCell>> + Clone,
) -> String {
    let visible = visible(columns, rows.clone());
    let heading = columns.iter().map(|(heading, _)| GridCell::from(*heading));
    let mut text = String::new();
    for row in std::iter::once(heading.collect()).chain(rows) {
        let mut blank = 0;
        for (place, (_, is_figure), width) in &visible {
            // Escaped, so that a cell cannot move the cursor or reverse the text.
            let words = words(&row[*place]);
            let shown = escape::plain(&words);
            let rest = width - shown.width();
            let before = if *is_figure { rest } else { 0 };
            blank += before;
            if !shown.is_empty() {
                let style = style(row[*place].look);
                text += &format!("{:blank$}{style}{shown}{style:#}", "");
                blank = 0;
            }
            blank += rest - before + 2;
        }
        text.push('\n');
    }
    text
}

/// Prints a table of Markdown, for a comment too.
pub(crate) fn markdown(
    columns: &[Column<'_>],
    rows: impl Iterator<Item = Vec<GridCell>> + Clone,
) -> String {
    let visible = visible(columns, rows.clone());
    let line = |cells: Vec<Cow<'_, str>>| format!("| {} |\n", cells.join(" | "));
    let headings = visible.iter().map(|(_, head, _)| escape::comment(head.0));
    let mut out = line(headings.collect());
    let rules = visible
        .iter()
        .map(|(_, head, _)| if head.1 { "--:" } else { "---" });
    out += &line(rules.map(Cow::from).collect());
    for row in rows {
        let cell = |(place, ..): &(usize, Column<'_>, usize)| {
            let cell: &GridCell = &row[*place];
            let mut text = escape::comment(&cell.text).into_owned();
            if cell.is_best {
                text = format!("**{text}**");
            }
            if let Some(detail) = &cell.detail {
                text += &format!(" ({})", escape::comment(detail));
            }
            Cow::from(text)
        };
        out += &line(visible.iter().map(cell).collect());
    }
    out
}

/// A record of CSV or JSON. Names and order of the fields are stable; new ones go to the end.
pub(crate) type Record = Vec<(&'static str, Value)>;

/// A field of text; an empty one is none.
pub(crate) fn text_field(text: impl Into<String>) -> Value {
    let text = text.into();
    match text.is_empty() {
        true => Value::Null,
        false => Value::String(text),
    }
}

/// A field of a number, without a fraction where there is none: `1` instead of `1.0`.
pub(crate) fn number(number: Option<f64>) -> Value {
    /// 2⁵³: every whole number below it is a double.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    match number {
        Some(n) if n.fract() == 0.0 && n.abs() < WHOLE => Value::from(n as i64),
        number => Value::from(number),
    }
}

/// Prints records as CSV, where no text is a formula, or as a JSON array of objects.
pub(crate) fn data(format: OutputFormat, records: impl Iterator<Item = Record>) -> Result<String> {
    let mut out = Vec::new();
    if format == OutputFormat::Csv {
        let mut writer = csv::Writer::from_writer(&mut out);
        let mut records = records.peekable();
        if let Some(first) = records.peek() {
            let names = first.iter().map(|(name, _)| name);
            writer.write_record(names).context("cannot write CSV")?;
        }
        for record in records {
            let fields = record.into_iter().map(|(_, field)| match field {
                Value::Null => String::new(),
                Value::String(text) => text_cell(&text),
                number => number.to_string(),
            });
            writer.write_record(fields).context("cannot write CSV")?;
        }
        writer.flush().context("cannot write CSV")?;
    } else {
        /// A record with the names of its fields, in order.
        struct Object(Record);
        impl Serialize for Object {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, field)| (name, field)))
            }
        }
        let mut serializer = serde_json::Serializer::pretty(&mut out);
        serializer
            .collect_seq(records.map(Object))
            .context("cannot write JSON")?;
        out.push(b'\n');
    }
    String::from_utf8(out).context("a record is not UTF-8")
}

//! Plain tables of text cells, printed for a terminal, as Markdown, as CSV or as JSON.

use crate::cli::Format;
use crate::escape;
use clap::builder::styling::{AnsiColor, Effects, Style};
use unicode_width::UnicodeWidthStr;

/// A column: its name in data, its heading for people, its alignment.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Stable name, for CSV and JSON.
    pub name: &'static str,
    /// Heading of the text and Markdown forms; empty for columns that only data have.
    pub heading: &'static str,
    /// Figures are aligned to the right.
    pub right: bool,
}

impl Column {
    /// A column of data alone.
    pub const fn words(name: &'static str) -> Self {
        Self {
            name,
            heading: "",
            right: false,
        }
    }

    /// A column of data alone, whose values are numbers in JSON.
    pub const fn number(name: &'static str) -> Self {
        Self {
            name,
            heading: "",
            right: true,
        }
    }

    /// A column of a table for people alone.
    pub const fn left(heading: &'static str) -> Self {
        Self {
            name: heading,
            heading,
            right: false,
        }
    }

    /// Likewise, of figures.
    pub const fn right(heading: &'static str) -> Self {
        Self {
            right: true,
            ..Self::left(heading)
        }
    }
}

/// One cell in both forms: what data say and what people read.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// For CSV and JSON: full precision, no unit.
    pub data: String,
    /// For text and Markdown.
    pub shown: String,
    /// On a terminal.
    pub tint: Tint,
}

/// Colours of a terminal. What they say is said in words too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// As the rest.
    #[default]
    None,
    /// Green.
    Good,
    /// Red.
    Bad,
    /// Dimmed.
    Faint,
}

impl Field {
    /// The same in both forms.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            data: text.clone(),
            shown: text,
            tint: Tint::None,
        }
    }

    /// A figure and how it is shown.
    pub fn new(data: impl Into<String>, shown: impl Into<String>) -> Self {
        Self {
            data: data.into(),
            shown: shown.into(),
            tint: Tint::None,
        }
    }

    /// The same in a colour.
    pub fn tinted(self, tint: Tint) -> Self {
        Self { tint, ..self }
    }
}

/// Prints a table.
pub fn print(format: Format, columns: &[Column], rows: &[Vec<Field>]) -> String {
    match format {
        Format::Text => text(columns, rows),
        Format::Markdown => markdown(columns, rows),
        Format::Csv => csv(columns, rows),
        Format::Json => json(columns, rows),
    }
}

/// Columns that people see: those that are not of data alone, unless nothing stands in them.
fn visible(columns: &[Column], rows: &[Vec<Field>]) -> Vec<usize> {
    let holds_something =
        |i: usize| rows.is_empty() || rows.iter().any(|row| !row[i].shown.is_empty());
    let is_seen = |c: &Column| !c.heading.is_empty() || c.name.is_empty();
    (0..columns.len())
        .filter(|i| is_seen(&columns[*i]) && holds_something(*i))
        .collect()
}

impl Tint {
    fn style(self) -> Style {
        match self {
            Self::None => Style::new(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default(),
            Self::Faint => Style::new().effects(Effects::DIMMED),
        }
    }
}

/// Columns as wide as their widest cell, two spaces between them.
fn text(columns: &[Column], rows: &[Vec<Field>]) -> String {
    let visible = visible(columns, rows);
    let heads = visible.iter().map(|i| Field::same(columns[*i].heading));
    let lines = std::iter::once(heads.collect()).chain(
        rows.iter()
            .map(|row| visible.iter().map(|i| row[*i].clone()).collect()),
    );
    let lines: Vec<Vec<(Field, usize)>> = lines
        .map(|line: Vec<Field>| line.into_iter().map(measured).collect())
        .collect();
    let width = |i: usize| lines.iter().map(|line| line[i].1).max().unwrap_or(0);
    let widths: Vec<usize> = (0..visible.len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let mut blank = 0;
        for (i, (field, width)) in line.iter().enumerate() {
            let rest = widths[i] - width;
            let (before, after) = if columns[visible[i]].right {
                (rest, 0)
            } else {
                (0, rest)
            };
            blank += before;
            if *width > 0 {
                let style = field.tint.style();
                text.extend(std::iter::repeat_n(' ', blank));
                text += &format!("{style}{}{style:#}", field.shown);
                blank = 0;
            }
            blank += after + 2;
        }
        text.push('\n');
    }
    text
}

/// What stands in a cell cannot move the cursor or turn the text; and how wide it is.
fn measured(field: Field) -> (Field, usize) {
    let shown = escape::plain(&field.shown).into_owned();
    let width = shown.width();
    (Field { shown, ..field }, width)
}

fn markdown(columns: &[Column], rows: &[Vec<Field>]) -> String {
    let visible = visible(columns, rows);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = line(
        visible
            .iter()
            .map(|i| columns[*i].heading.to_owned())
            .collect(),
    );
    out += &line(
        visible
            .iter()
            .map(|i| if columns[*i].right { "--:" } else { "---" }.to_owned())
            .collect(),
    );
    for row in rows {
        out += &line(
            visible
                .iter()
                .map(|i| escape::comment(&row[*i].shown).into_owned())
                .collect(),
        );
    }
    out
}

fn csv(columns: &[Column], rows: &[Vec<Field>]) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let header = writer.write_record(columns.iter().map(|c| c.name));
    let result = rows.iter().fold(header, |result, row| {
        result.and_then(|()| writer.write_record(row.iter().map(|f| f.data.as_str())))
    });
    // Writing to memory cannot fail, and every row has as many fields as the header.
    debug_assert!(result.is_ok(), "{result:?}");
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn json(columns: &[Column], rows: &[Vec<Field>]) -> String {
    let value = |text: &str, right: bool| match text.parse::<serde_json::Number>() {
        _ if text.is_empty() => serde_json::Value::Null,
        Ok(number) if right => serde_json::Value::Number(number),
        _ => serde_json::Value::String(text.to_owned()),
    };
    let rows: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            columns
                .iter()
                .zip(row)
                .map(|(c, f)| (c.name.to_owned(), value(&f.data, c.right)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        })
        .collect();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}

//! Plain tables of text cells, printed for a terminal, as Markdown, as CSV or as JSON.

use crate::cli::Format;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

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

/// One cell in both forms: what data say and what people read.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// For CSV and JSON: full precision, no unit.
    pub data: String,
    /// For text and Markdown.
    pub shown: String,
}

impl Field {
    /// The same in both forms.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            data: text.clone(),
            shown: text,
        }
    }

    /// A figure and how it is shown.
    pub fn new(data: impl Into<String>, shown: impl Into<String>) -> Self {
        Self {
            data: data.into(),
            shown: shown.into(),
        }
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

/// Columns that people see: those with a heading, unless nothing stands in them.
fn visible(columns: &[Column], rows: &[Vec<Field>]) -> Vec<usize> {
    let holds_something =
        |i: usize| rows.is_empty() || rows.iter().any(|row| !row[i].shown.is_empty());
    (0..columns.len())
        .filter(|i| !columns[*i].heading.is_empty() && holds_something(*i))
        .collect()
}

fn text(columns: &[Column], rows: &[Vec<Field>]) -> String {
    let visible = visible(columns, rows);
    let align = |i: &usize| {
        if columns[*i].right {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        }
    };
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(
        visible
            .iter()
            .map(|i| Cell::new(columns[*i].heading).set_alignment(align(i))),
    );
    for row in rows {
        table.add_row(
            visible
                .iter()
                .map(|i| Cell::new(&row[*i].shown).set_alignment(align(i))),
        );
    }
    let lines: Vec<String> = table.lines().map(|l| l.trim_end().to_owned()).collect();
    let margin = usize::from(lines.iter().all(|l| l.is_empty() || l.starts_with(' ')));
    lines
        .iter()
        .map(|l| format!("{}\n", l.get(margin..).unwrap_or_default()))
        .collect()
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
                .map(|i| markdown_cell(&row[*i].shown))
                .collect(),
        );
    }
    out
}

/// A pipe or a line end would end the cell; the rest could start markup.
fn markdown_cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '~' | '&' => {
                out.extend(['\\', c]);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
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

//! Plain tables of cells, printed for a terminal, as Markdown, as CSV or as JSON.

use crate::base::escape;
use anyhow::Context as _;
use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Effects, Style};
use serde::Serializer as _;
pub(crate) use serde_json::Value;
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

/// A column of a table for people, of data, or of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridColumn {
    /// Stable name in CSV and JSON; `None` for columns that only people see.
    name: Option<&'static str>,
    /// Heading in text and Markdown; `None` for columns of data only.
    heading: Option<&'static str>,
    /// Whether cells are aligned to the right.
    right: bool,
}

impl GridColumn {
    /// A column with the same name in all formats.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name: Some(name),
            heading: Some(name),
            right: false,
        }
    }

    /// A column of data only.
    pub(crate) const fn data(name: &'static str) -> Self {
        let mut column = Self::new(name);
        column.heading = None;
        column
    }

    /// A column that only people see.
    pub(crate) const fn shown(heading: &'static str) -> Self {
        let mut column = Self::new(heading);
        column.name = None;
        column
    }

    pub(crate) const fn headed(mut self, heading: &'static str) -> Self {
        self.heading = Some(heading);
        self
    }

    /// Aligns cells to the right, for figures.
    pub(crate) const fn right(mut self) -> Self {
        self.right = true;
        self
    }
}

/// One cell, as data and as people read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// For CSV and JSON: full precision, no unit.
    data: Value,
    /// For text and Markdown.
    shown: String,
    tint: Tint,
}

/// Colours in a terminal. The text says the same in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tint {
    #[default]
    None,
    Good,
    Bad,
    Faint,
}

impl Field {
    /// The same text as data and for people.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(text.clone(), text)
    }

    /// A count, the same as data and for people.
    pub(crate) fn count(n: usize) -> Self {
        Self::new(Some(n as f64), n.to_string())
    }

    /// A value, and how people read it.
    pub(crate) fn new(data: impl Into<Value>, shown: impl Into<String>) -> Self {
        Self {
            data: data.into(),
            shown: shown.into(),
            tint: Tint::None,
        }
    }

    /// For a column of data only.
    pub(crate) fn data(data: impl Into<Value>) -> Self {
        Self::new(data, "")
    }

    /// For a column that only people see.
    pub(crate) fn shown(text: impl Into<String>) -> Self {
        Self::new(Value::Null, text)
    }

    pub(crate) fn tinted(self, tint: Tint) -> Self {
        Self { tint, ..self }
    }
}

/// Rows to print. They are made anew for each pass, so that a long table is never held.
pub(crate) trait Rows: Iterator<Item = Vec<Field>> + Clone {}

impl<R: Iterator<Item = Vec<Field>> + Clone> Rows for R {}

pub(crate) fn print(
    format: OutputFormat,
    columns: &[GridColumn],
    rows: impl Rows,
) -> anyhow::Result<String> {
    match format {
        OutputFormat::Text => Ok(text(columns, rows)),
        OutputFormat::Markdown => Ok(markdown(columns, rows)),
        OutputFormat::Csv => csv(columns, rows).context("cannot write CSV"),
        OutputFormat::Json => json(columns, rows).context("cannot write JSON"),
    }
}

/// A column that people see.
struct Visible {
    index: usize,
    heading: &'static str,
    right: bool,
    /// Of its widest cell.
    width: usize,
}

/// Returns the columns with a heading, without those whose cells are all empty.
fn visible(columns: &[GridColumn], rows: impl Rows) -> Vec<Visible> {
    let mut is_empty = true;
    let mut widths = vec![0; columns.len()];
    for row in rows {
        is_empty = false;
        for (width, field) in widths.iter_mut().zip(&row) {
            *width = escape::plain(&field.shown).width().max(*width);
        }
    }
    let headed = columns.iter().zip(widths).enumerate();
    let headed = headed.filter_map(|(index, (column, width))| {
        let heading = column.heading?;
        (is_empty || width > 0).then(|| Visible {
            index,
            heading,
            right: column.right,
            width: width.max(heading.width()),
        })
    });
    headed.collect()
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

/// Renders columns as wide as their widest cell, separated by two spaces.
pub(crate) fn text(columns: &[GridColumn], rows: impl Rows) -> String {
    let visible = visible(columns, rows.clone());
    let mut text = String::new();
    push_line(
        &mut text,
        visible.iter().map(|c| (c, c.heading, Tint::None)),
    );
    for row in rows {
        let cells = visible.iter().map(|column| {
            let field = &row[column.index];
            (column, field.shown.as_str(), field.tint)
        });
        push_line(&mut text, cells);
    }
    text
}

fn push_line<'a>(text: &mut String, cells: impl Iterator<Item = (&'a Visible, &'a str, Tint)>) {
    let mut blank = 0;
    for (column, shown, tint) in cells {
        // Escaped, so that a cell cannot move the cursor or reverse the text.
        let shown = escape::plain(shown);
        let rest = column.width - shown.width();
        let before = if column.right { rest } else { 0 };
        blank += before;
        if !shown.is_empty() {
            let style = tint.style();
            *text += &format!("{:blank$}{style}{shown}{style:#}", "");
            blank = 0;
        }
        blank += rest - before + 2;
    }
    text.push('\n');
}

pub(crate) fn markdown(columns: &[GridColumn], rows: impl Rows) -> String {
    let visible = visible(columns, rows.clone());
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let rule = |column: &Visible| if column.right { "--:" } else { "---" };
    let mut out = line(visible.iter().map(|column| column.heading).collect());
    out += &line(visible.iter().map(rule).collect());
    for row in rows {
        let shown = visible.iter().map(|c| escape::comment(&row[c.index].shown));
        let shown: Vec<_> = shown.collect();
        out += &line(shown.iter().map(|s| &**s).collect());
    }
    out
}

fn named(columns: &[GridColumn]) -> impl Iterator<Item = (usize, &'static str)> {
    let columns = columns.iter().enumerate();
    columns.filter_map(|(i, column)| Some((i, column.name?)))
}

fn csv(columns: &[GridColumn], rows: impl Rows) -> anyhow::Result<String> {
    let text = |value: &Value| match (value, value.as_f64()) {
        (Value::String(text), _) => text.clone(),
        // The shortest exact form: `1e-17`, and `1` instead of `1.0`.
        (_, Some(number)) => {
            let text = format!("{number:?}");
            text.strip_suffix(".0").unwrap_or(&text).to_owned()
        }
        _ => String::new(),
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(named(columns).map(|(_, name)| name))?;
    for row in rows {
        writer.write_record(named(columns).map(|(i, _)| text(&row[i].data)))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8(bytes)?)
}

fn json(columns: &[GridColumn], rows: impl Rows) -> anyhow::Result<String> {
    /// 2⁵³: every whole number below it is a double.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    let value = |value: &Value| match (value.as_str(), value.as_f64()) {
        (Some(""), _) => Value::Null,
        (_, Some(n)) if n.fract() == 0.0 && n.abs() < WHOLE => Value::from(n as i64),
        _ => value.clone(),
    };
    let objects = rows.map(|row| {
        let values = named(columns);
        let values = values.map(|(i, name)| (name.to_owned(), value(&row[i].data)));
        Value::Object(values.collect())
    });
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::pretty(&mut out);
    serializer.collect_seq(objects)?;
    out.push(b'\n');
    Ok(String::from_utf8(out)?)
}

//! Entries of tables, whose columns are known by their headings: CSV, Markdown, boxes of a terminal.

use super::template::Template;
use super::{Entry, Missing, Source};
use crate::parse::cite::cite;
use crate::parse::collector::Collector;
use crate::parse::tables::record;
use std::borrow::Cow;

/// The table that a line may be a row of.
pub(in crate::parse) struct Tables<'a> {
    entries: &'a [Entry],
    is_own: bool,
    open: Option<Table<'a>>,
    seen: Vec<&'a str>,
}

struct Table<'a> {
    entries: Vec<&'a Entry>,
    mark: char,
    heading: Vec<String>,
    /// The start of a row whose quotation goes on in the next line, and its line.
    begun: Option<(u32, String)>,
}

impl<'a> Tables<'a> {
    pub(in crate::parse) fn new(entries: &'a [Entry], is_own: bool) -> Self {
        Self {
            entries,
            is_own,
            open: None,
            seen: Vec::new(),
        }
    }

    pub(in crate::parse) fn seen(&self) -> impl Iterator<Item = &'a str> {
        self.seen.iter().copied()
    }

    /// A blank line ends a table of Markdown.
    pub(in crate::parse) fn blank(&mut self) {
        self.open = self.open.take().filter(|table| table.mark != '|');
    }

    /// Reads a row of the table above. Returns whether the line is one.
    pub(in crate::parse) fn row(&mut self, line: &str, out: &mut Collector) -> bool {
        let Some(table) = &mut self.open else {
            return false;
        };
        let line = with_bars(line, table.mark);
        if is_border(&line) {
            return true;
        }
        let (number, text) = match table.begun.take() {
            Some((number, begun)) => (number, format!("{begun}\n{line}")),
            None => (out.line, line.into_owned()),
        };
        let is_quoted = table.mark != '|' && text.matches('"').count() % 2 == 1;
        if is_quoted && text.len() < crate::base::limits::LINE {
            table.begun = Some((number, text));
            return true;
        }
        if !text.contains(table.mark) {
            self.open = None;
            return false;
        }
        let cells = cells(&text, table.mark);
        if cells == table.heading {
            return true;
        }
        let row = Cells {
            heading: &table.heading,
            cells,
        };
        let last = std::mem::replace(&mut out.line, number);
        let mut is_read = false;
        for entry in &table.entries {
            let rows = match row.cells.len() == row.heading.len() {
                true => entry.rows(&row),
                false => Err(Missing::Figure(cite(
                    "not as many cells as in the heading:",
                    &text,
                ))),
            };
            match rows {
                Ok(rows) => {
                    is_read = true;
                    if !rows.is_empty() && !self.seen.contains(&&*entry.tool) {
                        self.seen.push(&entry.tool);
                    }
                    super::add(rows, out);
                }
                Err(Missing::Name(name)) if self.is_own && !row.heading.contains(&name) => {
                    out.problem(format!("{}: there is no column `{name}`", entry.tool));
                }
                // An empty cell.
                Err(Missing::Name(_)) => is_read = true,
                Err(Missing::Figure(message)) if self.is_own => {
                    out.problem(format!("{}: {message}", entry.tool));
                }
                Err(_) => {}
            }
        }
        out.line = number;
        if !is_read && !self.is_own {
            out.unread(&text);
        }
        out.line = last;
        true
    }

    /// Starts a table if a line is its heading. Returns whether it is.
    pub(in crate::parse) fn heading(&mut self, line: &str) -> bool {
        let mut found: Option<Table<'a>> = None;
        for entry in self.entries {
            let Some(mark) = entry.table.filter(|_| entry.may_have(line)) else {
                continue;
            };
            let cells = cells(&with_bars(line, mark), mark);
            let is_other = |table: &Table<'_>| table.entries[0].tool != entry.tool;
            if !entry.has_columns(&cells) || found.as_ref().is_some_and(is_other) {
                continue;
            }
            let table = found.get_or_insert_with(|| Table {
                entries: Vec::new(),
                mark,
                heading: cells,
                begun: None,
            });
            table.entries.push(entry);
        }
        let is_heading = found.is_some();
        if is_heading {
            self.open = found;
        }
        is_heading
    }
}

impl Entry {
    /// Whether a line may be the heading of a table: it has a name of its columns.
    fn may_have(&self, line: &str) -> bool {
        self.is_headed(|name| line.contains(name))
    }

    fn has_columns(&self, heading: &[String]) -> bool {
        let is_there = |name: &str| heading.iter().any(|column| column == name);
        self.is_headed(is_there) && self.has.0.iter().all(|name| is_there(name))
    }

    fn is_headed(&self, is_there: impl Fn(&str) -> bool) -> bool {
        let mut required = self.scenario.0.iter().flat_map(Template::required);
        required.all(&is_there) && self.values().any(is_there)
    }
}

/// The line with `|` for the bars of boxes.
fn with_bars(line: &str, mark: char) -> Cow<'_, str> {
    match mark == '|' && line.contains(['│', '┃', '║']) {
        true => Cow::Owned(line.replace(['│', '┃', '║'], "|")),
        false => Cow::Borrowed(line),
    }
}

/// Whether a line only separates rows.
fn is_border(line: &str) -> bool {
    let is_drawn = |c: char| "|-:=+ ".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c);
    !line.trim().is_empty() && line.chars().all(is_drawn)
}

fn cells(line: &str, mark: char) -> Vec<String> {
    if mark != '|' {
        let (cells, _) = record(line, mark as u8);
        return cells.iter().map(|cell| cell.trim().to_owned()).collect();
    }
    let line = line.trim();
    let line = line.strip_prefix(mark).unwrap_or(line);
    let line = line.strip_suffix(mark).unwrap_or(line);
    line.split(mark)
        .map(|cell| cell.trim().to_owned())
        .collect()
}

struct Cells<'a> {
    heading: &'a [String],
    cells: Vec<String>,
}

impl Source for Cells<'_> {
    fn text(&self, name: &str, _: &[String]) -> Option<String> {
        if let Some(start) = name.strip_suffix('*') {
            let cells = self.heading.iter().zip(&self.cells);
            let parameters =
                cells.filter_map(|(column, cell)| Some((column.strip_prefix(start)?, cell)));
            let parameters = parameters.filter(|(_, cell)| !cell.is_empty());
            let pairs = parameters.map(|(name, cell)| format!("{name}={cell}"));
            return Some(pairs.collect::<Vec<_>>().join(", "));
        }
        let at = self.heading.iter().position(|column| column == name)?;
        // Code in Markdown, and quotation of some tools.
        Some(
            self.cells
                .get(at)?
                .trim_matches(['`', '\''])
                .trim()
                .to_owned(),
        )
    }
}

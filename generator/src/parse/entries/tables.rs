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
    /// The entries that read the open table, which are of one tool.
    open: Vec<&'a Entry>,
    mark: char,
    heading: Vec<String>,
    pub(in crate::parse) seen: Vec<&'a str>,
}

impl<'a> Tables<'a> {
    pub(in crate::parse) fn new(entries: &'a [Entry], is_own: bool) -> Self {
        Self {
            entries,
            is_own,
            open: Vec::new(),
            mark: ',',
            heading: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// A blank line ends a table of Markdown.
    pub(in crate::parse) fn blank(&mut self) {
        if self.mark == '|' {
            self.open.clear();
        }
    }

    /// Reads a row of the table above. Returns whether the line is one.
    pub(in crate::parse) fn row(&mut self, line: &str, out: &mut Collector) -> bool {
        if self.open.is_empty() {
            return false;
        }
        let line = with_bars(line, self.mark);
        if is_border(&line) {
            return true;
        } else if !line.contains(self.mark) {
            self.open.clear();
            return false;
        }
        let cells = cells(&line, self.mark);
        if cells == self.heading {
            return true;
        }
        let heading = &self.heading;
        let is_whole = cells.len() == heading.len();
        let row = Cells { heading, cells };
        let mut is_read = false;
        for entry in &self.open {
            let message = match entry.rows(&row) {
                _ if !is_whole => cite("not as many cells as in the heading:", &line),
                Ok(rows) => {
                    is_read = true;
                    if !rows.is_empty() {
                        self.seen.push(&entry.tool);
                    }
                    super::add(rows, out);
                    continue;
                }
                Err(Missing::Name(name)) if !self.is_own || heading.contains(&name) => {
                    // An empty cell.
                    is_read = true;
                    continue;
                }
                Err(Missing::Name(name)) => format!("there is no column `{name}`"),
                Err(Missing::Figure(message)) => message,
            };
            if self.is_own {
                out.problem(format!("{}: {message}", entry.tool));
            }
        }
        if !is_read && !self.is_own {
            out.unread(&line);
        }
        true
    }

    /// Starts a table if a line is its heading. Returns whether it is.
    pub(in crate::parse) fn heading(&mut self, line: &str) -> bool {
        let mut found: Vec<&Entry> = Vec::new();
        for entry in self.entries {
            // To look for names in the line is faster than to split it for each entry.
            let Some(mark) = entry
                .table
                .filter(|_| entry.is_headed(|name| line.contains(name)))
            else {
                continue;
            };
            let cells = cells(&with_bars(line, mark), mark);
            let is_there = |name: &str| cells.iter().any(|column| column == name);
            let is_other = found.first().is_some_and(|first| first.tool != entry.tool);
            if entry.is_headed(is_there) && !is_other {
                (self.mark, self.heading) = (mark, cells);
                found.push(entry);
            }
        }
        let is_heading = !found.is_empty();
        if is_heading {
            self.open = found;
        }
        is_heading
    }
}

impl Entry {
    /// Whether all names are there that a heading must have.
    fn is_headed(&self, is_there: impl Fn(&str) -> bool) -> bool {
        let has = self.has.0.iter().map(String::as_str);
        let mut required = self
            .scenario
            .0
            .iter()
            .flat_map(Template::required)
            .chain(has);
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
    let cells = line.split(mark);
    cells.map(|cell| cell.trim().to_owned()).collect()
}

struct Cells<'a> {
    heading: &'a [String],
    cells: Vec<String>,
}

impl Source for Cells<'_> {
    fn text(&self, name: &str, _: &[String]) -> Option<String> {
        let mut cells = self.heading.iter().zip(&self.cells);
        if let Some(start) = name.strip_suffix('*') {
            let parameters = cells.filter_map(|(column, cell)| {
                let name = column.strip_prefix(start).filter(|_| !cell.is_empty())?;
                Some(format!("{name}={cell}"))
            });
            return Some(parameters.collect::<Vec<_>>().join(", "));
        }
        let (_, cell) = cells.find(|(column, _)| *column == name)?;
        // Emphasis and code in Markdown, and quotation of some tools.
        let bold = cell.strip_prefix("**");
        let cell = bold
            .and_then(|cell| cell.strip_suffix("**"))
            .unwrap_or(cell);
        Some(cell.trim_matches(['`', '\'']).trim().to_owned())
    }
}

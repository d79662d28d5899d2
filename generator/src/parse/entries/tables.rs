//! Entries of tables, whose columns are known by their headings: CSV, Markdown, boxes of a terminal.

use super::template::Template;
use super::{Entry, Formats, Missing, Source};
use crate::parse::prelude::*;
use crate::parse::tables::{between_bars, record};

/// The table that a line may be a row of.
pub(in crate::parse) struct Tables<'a> {
    formats: &'a Formats,
    /// The entries that read the open table, which are of one tool.
    open: Vec<&'a Entry>,
    mark: char,
    heading: Vec<String>,
}

impl<'a> Tables<'a> {
    pub(in crate::parse) fn new(formats: &'a Formats) -> Self {
        Self {
            formats,
            open: Vec::new(),
            mark: ',',
            heading: Vec::new(),
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
        // What only separates rows.
        let is_drawn = |c: char| "|-:=+ ".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c);
        if line.chars().all(is_drawn) {
            return true;
        }
        let cells = cells(line, self.mark);
        if cells.len() == 1 && self.heading.len() > 1 {
            self.open.clear();
            return false;
        } else if cells == self.heading {
            return true;
        }
        let (heading, is_own) = (&self.heading, self.formats.is_own);
        let is_whole = cells.len() == heading.len();
        let row = Cells { heading, cells };
        let mut is_read = false;
        for entry in self.open.iter().filter(|_| is_whole) {
            match entry.rows(&row, 0, out) {
                Ok(rows) => {
                    is_read = true;
                    super::add(rows, out);
                }
                // An empty cell.
                Err(Missing::Name(name)) if !is_own || heading.contains(&name) => is_read = true,
                Err(why) if is_own => out.problem(why.message(&entry.tool, line)),
                Err(_) => {}
            }
        }
        if is_own && !is_whole {
            let tool = &self.open[0].tool;
            let message = format!("{tool}: not as many cells as in the heading:");
            out.problem(cite(&message, line));
        } else if !is_read && !is_own {
            out.unread(line);
        }
        true
    }

    /// Starts a table if a line, which is no row, is its heading. Returns whether it is.
    pub(in crate::parse) fn heading(&mut self, line: &str) -> bool {
        // To look for names in the line is faster than to split it for each entry.
        let entries = self.formats.entries.iter();
        for entry in entries.filter(|entry| entry.is_headed(|name| line.contains(name))) {
            let is_other = self.open.iter().any(|open| open.tool != entry.tool);
            for mark in entry.table.all().iter().filter(|_| !is_other) {
                let cells = cells(line, *mark);
                if entry.is_headed(|name| cells.iter().any(|column| column == name)) {
                    (self.mark, self.heading) = (*mark, cells);
                    self.open.push(entry);
                    break;
                }
            }
        }
        !self.open.is_empty()
    }
}

impl Entry {
    /// Whether all names are there that a heading must have.
    fn is_headed(&self, is_there: impl Fn(&str) -> bool) -> bool {
        let has = self.has.all().iter().map(String::as_str);
        let names = self.scenario.all().iter().flat_map(Template::required);
        let names = names.filter(|name| *name != "file");
        !self.table.all().is_empty()
            && names.chain(has).all(&is_there)
            && self.values().flat_map(|name| name.split('|')).any(is_there)
    }
}

fn cells(line: &str, mark: char) -> Vec<String> {
    let cells = match mark {
        '|' => between_bars(line),
        mark => record(line, mark as u8).0,
    };
    let cells = cells.iter().map(|cell| cell.trim().to_owned());
    cells.collect()
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
        // Some tools quote names.
        Some(cell.trim_matches(['`', '\'']).trim().to_owned())
    }
}

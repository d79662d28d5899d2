//! Entries of lines: a pattern with named groups, and patterns of lines above whose groups stay.

use super::{Entry, Formats, Missing, Source};
use crate::parse::cite::cite;
use crate::parse::collector::{Collector, Scope};
use crate::parse::pattern::Expression;
use regex::Captures;
use std::collections::{BTreeMap, HashMap};

/// Lines above a row in which a name without a mark is looked for. All other lines look like one.
const ABOVE: usize = 40;

/// What is known of each tool at a line.
pub(in crate::parse) struct Lines<'a> {
    formats: &'a Formats,
    tools: BTreeMap<&'a str, Tool>,
    /// Whether an entry is somebody's own, so that what is wrong with a row is an error.
    is_own: bool,
}

#[derive(Default)]
struct Tool {
    /// Each with its line.
    groups: HashMap<String, (u32, String)>,
    scope: Scope,
    /// Whether a heading stands above since the last figure of the same name.
    is_restarted: bool,
    has_figures: bool,
    /// The line of its last row.
    last: u32,
}

impl<'a> Lines<'a> {
    pub(in crate::parse) fn new(formats: &'a Formats, is_own: bool) -> Self {
        let tools = formats.entries.iter().map(|entry| &*entry.tool);
        Self {
            formats,
            tools: tools.map(|name| (name, Tool::default())).collect(),
            is_own,
        }
    }

    /// The tools of which figures were read.
    pub(in crate::parse) fn seen(&self) -> impl Iterator<Item = &'a str> {
        let seen = self.tools.iter().filter(|(_, tool)| tool.has_figures);
        seen.map(|(name, _)| *name)
    }

    /// Another command starts, or the whole of them anew.
    pub(in crate::parse) fn command(&mut self, command: &str) {
        for tool in self.tools.values_mut() {
            tool.groups.clear();
        }
        for entry in &self.formats.entries {
            let tool = self.tools.entry(&entry.tool).or_default();
            tool.heading(entry, command, 0);
        }
    }

    pub(in crate::parse) fn next_run(&mut self) {
        for tool in self.tools.values_mut() {
            tool.scope.run += 1;
        }
    }

    /// Reads a line, given the text above it. Returns whether it is a row, a heading or another line
    /// that is known.
    pub(in crate::parse) fn read(&mut self, line: &str, above: &str, out: &mut Collector) -> bool {
        let mut is_known = false;
        let mut by: Option<&str> = None;
        let formats = self.formats;
        for index in &formats.marks.matches(line) {
            let entry = &formats.entries[index];
            let tool = self.tools.entry(&entry.tool).or_default();
            is_known |= tool.heading(entry, line, out.line);
            let row = entry.lines.as_ref();
            let Some(captures) = row.and_then(|lines| lines.captures(line.trim_end())) else {
                continue;
            };
            tool.look_above(entry, above, out.line);
            let groups = &tool.groups;
            let target = out.target.as_ref();
            let rows = match entry.rows(&Groups {
                groups,
                captures,
                target,
            }) {
                Ok(rows) => rows,
                Err(why) if self.is_own => {
                    let message = match why {
                        Missing::Name(name) => cite(&format!("nothing above has `{name}`:"), line),
                        Missing::Figure(message) => message,
                    };
                    out.problem(format!("{}: {message}", entry.tool));
                    return true;
                }
                Err(_) => {
                    // A row below that of a name, such as its standard deviation.
                    is_known |= !entry.once.is_empty();
                    continue;
                }
            };
            is_known = true;
            if rows.is_empty() {
                continue;
            }
            if let Some(other) = by.filter(|by| *by != entry.tool) {
                let message = format!("{other} and {} both claim this line:", entry.tool);
                out.problem(cite(&message, line));
                return true;
            }
            by = Some(&entry.tool);
            tool.has_figures = true;
            std::mem::swap(&mut tool.scope, &mut out.scope);
            if tool.is_restarted
                && !entry.repeats
                && rows
                    .iter()
                    .any(|row| out.is_known(&row.scenario, &row.unit))
            {
                tool.is_restarted = false;
                out.scope.run += 1;
            }
            super::add(rows, out);
            std::mem::swap(&mut tool.scope, &mut out.scope);
            for name in &entry.once {
                tool.groups.remove(name);
            }
        }
        is_known
    }
}

impl Tool {
    /// Keeps the groups of a line that is above others. Returns whether only the tool prints such a line.
    fn heading(&mut self, entry: &Entry, line: &str, number: u32) -> bool {
        let mut is_marked = false;
        if let Some(start) = &entry.start
            && let Some(found) = start.captures(line)
        {
            // What stands below the last row is of the new execution.
            let last = self.last;
            self.groups.retain(|_, (line, _)| *line > last);
            self.is_restarted = self.has_figures;
            keep(start, &found, number, &mut self.groups);
            is_marked = true;
        }
        for context in entry.context.0.iter().filter(|one| one.is_marked()) {
            if let Some(found) = context.captures(line) {
                keep(context, &found, number, &mut self.groups);
                is_marked = true;
            }
        }
        is_marked
    }

    /// Looks for names without a mark between the last row and that in line `number`.
    fn look_above(&mut self, entry: &Entry, above: &str, number: u32) {
        for context in entry.context.0.iter().filter(|one| !one.is_marked()) {
            let mut below = "";
            let numbers = (self.last + 1..number).rev().take(ABOVE);
            for (line, number) in above.lines().rev().zip(numbers) {
                // Some names are known by what underlines them.
                let both = match context.text.contains(r"\n") {
                    true => &format!("{line}\n{below}"),
                    false => line,
                };
                if let Some(found) = context.captures(both) {
                    keep(context, &found, number, &mut self.groups);
                    break;
                }
                below = line;
            }
        }
        self.last = number;
    }
}

/// Keeps the groups of a line in the place of those of the last such line.
fn keep(
    expression: &Expression,
    found: &Captures<'_>,
    line: u32,
    groups: &mut HashMap<String, (u32, String)>,
) {
    for name in expression.groups() {
        groups.remove(name);
        if let Some(text) = found.name(name) {
            groups.insert(name.to_owned(), (line, text.as_str().trim().to_owned()));
        }
    }
}

/// The groups of a line, and those of lines above.
struct Groups<'a> {
    groups: &'a HashMap<String, (u32, String)>,
    captures: Captures<'a>,
    target: Option<&'a String>,
}

impl Source for Groups<'_> {
    fn text(&self, name: &str, _: &[String]) -> Option<String> {
        match self.captures.name(name) {
            Some(group) => Some(group.as_str().trim().to_owned()),
            None if name == "target" => self.target.cloned(),
            None => self.groups.get(name).map(|(_, text)| text.clone()),
        }
    }
}

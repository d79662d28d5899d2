//! Entries of lines: a pattern with named groups, and patterns of lines above whose groups stay.

use super::{Entry, Formats, Missing, Source};
use crate::parse::cite::cite;
use crate::parse::collector::{Collector, Scope};
use crate::parse::pattern::Expression;
use regex::Captures;
use std::collections::{HashMap, VecDeque};

/// What is known of each tool at a line.
pub(in crate::parse) struct Lines<'a> {
    formats: &'a Formats,
    tools: Vec<Tool<'a>>,
    /// Whether an entry is somebody's own, so that what is wrong with a row is an error.
    is_own: bool,
    /// The target whose output cargo shows.
    pub(in crate::parse) target: Option<String>,
    /// The last lines, the newest first.
    above: VecDeque<(u32, String)>,
}

#[derive(Default)]
struct Tool<'a> {
    name: &'a str,
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
        let tools = formats.tools.iter().map(|name| Tool {
            name,
            ..Tool::default()
        });
        Self {
            formats,
            tools: tools.collect(),
            is_own,
            target: None,
            above: VecDeque::new(),
        }
    }

    /// The tools of which figures were read.
    pub(in crate::parse) fn seen(&self) -> impl Iterator<Item = &'a str> {
        let seen = self.tools.iter().filter(|tool| tool.has_figures);
        seen.map(|tool| tool.name)
    }

    /// Another command starts, or the whole of them anew.
    pub(in crate::parse) fn command(&mut self, command: &str) {
        for tool in &mut self.tools {
            tool.groups.clear();
        }
        for (entry, at) in self.formats.entries.iter().zip(&self.formats.tool) {
            self.tools[*at].heading(entry, command, 0);
        }
    }

    pub(in crate::parse) fn next_run(&mut self) {
        for tool in &mut self.tools {
            tool.scope.run += 1;
        }
    }

    /// Reads a line. Returns whether it is a row, a heading or another line that is known.
    pub(in crate::parse) fn read(&mut self, line: &str, out: &mut Collector) -> bool {
        let mut is_known = false;
        let mut by: Option<usize> = None;
        let number = out.line;
        let formats = self.formats;
        for index in &formats.marks.matches(line) {
            let (entry, at) = (&formats.entries[index], &formats.tool[index]);
            let tool = &mut self.tools[*at];
            is_known |= tool.heading(entry, line, number);
            let row = entry
                .lines
                .as_ref()
                .and_then(|lines| lines.captures(line.trim_end()));
            let Some(captures) = row else {
                continue;
            };
            for context in entry
                .context
                .all()
                .iter()
                .filter(|context| !context.is_marked())
            {
                let mut below = "";
                for (above, text) in self
                    .above
                    .iter()
                    .take_while(|(number, _)| *number > tool.last)
                {
                    // Some names are known by what underlines them.
                    let both = match context.text.contains(r"\n") {
                        true => &format!("{text}\n{below}"),
                        false => text,
                    };
                    if let Some(found) = context.captures(both) {
                        keep(context, &found, *above, &mut tool.groups);
                        break;
                    }
                    below = text;
                }
            }
            tool.last = number;
            let source = Groups {
                tool,
                captures,
                target: self.target.as_ref(),
            };
            let mut rows = match entry.rows(&source, number) {
                Ok(rows) => rows,
                Err(Missing::Name(name)) if self.is_own => {
                    out.problem(cite(
                        &format!("{}: nothing above has `{name}`:", tool.name),
                        line,
                    ));
                    return true;
                }
                Err(Missing::Figure(message)) if self.is_own => {
                    out.problem(format!("{}: {message}", tool.name));
                    return true;
                }
                Err(_) => {
                    // A row below that of a name, such as its standard deviation.
                    is_known |= !entry.once.is_empty();
                    continue;
                }
            };
            is_known = true;
            if let Some(other) = by.filter(|by| by != at && !rows.is_empty()) {
                let names = (self.tools[other].name, self.tools[*at].name);
                out.problem(cite(
                    &format!("{} and {} both claim this line:", names.0, names.1),
                    line,
                ));
                return true;
            }
            by = by.or((!rows.is_empty()).then_some(*at));
            std::mem::swap(&mut tool.scope, &mut out.scope);
            tool.has_figures |= !rows.is_empty();
            if tool.is_restarted
                && !entry.repeats
                && rows
                    .iter()
                    .any(|row| out.is_known(&row.scenario, &row.unit))
            {
                tool.is_restarted = false;
                out.next_run();
            }
            if entry.first {
                rows.retain(|row| !out.is_known(&row.scenario, &row.unit));
            }
            super::add(rows, out);
            std::mem::swap(&mut tool.scope, &mut out.scope);
            for name in &entry.once {
                tool.groups.remove(name);
            }
            out.line = number;
        }
        let (_, mut text) = match self.above.len() {
            ABOVE => self.above.pop_back().unwrap_or_default(),
            _ => (0, String::new()),
        };
        text.clear();
        text.push_str(line);
        self.above.push_front((number, text));
        is_known
    }
}

/// Lines above a row in which a name without a mark is looked for. All other lines look like one.
const ABOVE: usize = 40;

impl Tool<'_> {
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
        for context in entry
            .context
            .all()
            .iter()
            .filter(|context| context.is_marked())
        {
            if let Some(found) = context.captures(line) {
                keep(context, &found, number, &mut self.groups);
                is_marked = true;
            }
        }
        is_marked
    }
}

/// Keeps the groups of a line in the place of those of the last such line.
fn keep(
    expression: &Expression,
    found: &Captures<'_>,
    line: u32,
    groups: &mut HashMap<String, (u32, String)>,
) {
    for name in &expression.groups {
        match found.name(name) {
            Some(text) => {
                groups.insert(name.clone(), (line, text.as_str().trim().to_owned()));
            }
            None => drop(groups.remove(name)),
        }
    }
}

/// The groups of a line, and those of lines above.
struct Groups<'a> {
    tool: &'a Tool<'a>,
    captures: Captures<'a>,
    target: Option<&'a String>,
}

impl Source for Groups<'_> {
    fn values(&self, name: &str) -> Vec<(Vec<String>, String)> {
        self.text(name, &[])
            .map(|text| (Vec::new(), text))
            .into_iter()
            .collect()
    }

    fn line(&self, name: &str) -> Option<u32> {
        let (line, _) = self.tool.groups.get(name)?;
        self.captures.name(name).is_none().then_some(*line)
    }

    fn text(&self, name: &str, _: &[String]) -> Option<String> {
        match self.captures.name(name) {
            Some(group) => Some(group.as_str().trim().to_owned()),
            None if name == "target" => self.target.cloned(),
            None => self.tool.groups.get(name).map(|(_, text)| text.clone()),
        }
    }
}

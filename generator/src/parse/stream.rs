//! A text as a stream of lines. Each is offered to the readers of tools and then to the entries; a
//! document in JSON or a table may stand among them.

use super::collector::{Scope, Unread};
use super::entries::{Formats, documents, lines, tables};
use super::prelude::*;
use super::{dress, json, tools};
use crate::base::failure::Diagnostic;
use crate::base::limits::LINE;
use std::collections::HashSet;
use std::path::Path;

/// What a text is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Output of tools.
    Output,
    /// Blocks of code and tables, of which those that no tool printed are others'.
    Prose,
    /// Output without figures of tools, in which times of commands count.
    Rest,
    /// What is read by somebody's own entries alone.
    Own,
}

/// Cargo names the target whose output follows.
static RUNNING: Pattern = Pattern::marked(
    "Running ",
    r"^ *Running (?:\S+ )*\(?`?(?:[^ ()`]*[/\\])?deps[/\\]([\w-]+)-[0-9a-f]{16}(?:\.exe)?\b.*$",
);
/// Cargo runs a program with its arguments.
static RUN: Pattern = Pattern::marked("Running ", r"^ *Running `(.*)`$");

/// A tool whose lines are read by code, and what it has read.
struct Reader {
    name: &'static str,
    tool: Box<dyn Tool>,
    scope: Scope,
    is_seen: bool,
}

impl Reader {
    /// Calls the tool with what its next figures belong to.
    fn call<T>(
        &mut self,
        out: &mut Collector,
        call: impl FnOnce(&mut dyn Tool, &mut Collector) -> T,
    ) -> T {
        std::mem::swap(&mut self.scope, &mut out.scope);
        let result = call(&mut *self.tool, out);
        std::mem::swap(&mut self.scope, &mut out.scope);
        result
    }
}

struct Stream<'a> {
    formats: &'a Formats,
    kind: Kind,
    readers: Vec<Reader>,
    lines: lines::Lines<'a>,
    tables: tables::Tables<'a>,
    /// The names of the formats of JSON documents.
    documents: Vec<&'a str>,
    /// Commands and targets so far: a repeated one starts another run.
    started: HashSet<String>,
}

/// Reads a text. Returns the names of the tools that it has figures of.
pub(super) fn read<'a>(
    text: &str,
    kind: Kind,
    formats: &'a Formats,
    out: &mut Collector,
) -> Vec<&'a str> {
    let is_own = kind == Kind::Own;
    let tools = match kind {
        Kind::Output | Kind::Prose => tools::TOOLS,
        Kind::Rest | Kind::Own => &[],
    };
    let readers = tools.iter().map(|(name, tool)| Reader {
        name,
        tool: tool(),
        scope: Scope::default(),
        is_seen: false,
    });
    let stream = Stream {
        formats,
        kind,
        readers: readers.collect(),
        lines: lines::Lines::new(formats, is_own),
        tables: tables::Tables::new(&formats.entries, is_own),
        documents: Vec::new(),
        started: HashSet::new(),
    };
    stream.read(text, out)
}

impl<'a> Stream<'a> {
    fn read(mut self, text: &str, out: &mut Collector) -> Vec<&'a str> {
        let text = dress::undressed(text);
        let text = json::without_infinities(&text);
        // Lines in which no document starts, since one that is unknown or damaged has them.
        let mut without = 0;
        // A document that no format reads may end without a newline.
        let mut is_whole = false;
        let (mut at, mut number) = (0, 0);
        while at < text.len() && !out.is_full() {
            let (above, rest) = text.split_at(at);
            out.line = number + 1;
            let count = |length: usize| {
                memchr::memchr_iter(b'\n', &rest.as_bytes()[..length]).count() as u32
            };
            if number >= without && self.may_start_document(rest) {
                match json::length(rest) {
                    Ok(length) if self.document(&rest[..length], out) => {
                        number += count(length);
                        at += length;
                        continue;
                    }
                    Ok(length) => {
                        is_whole = length == rest.len();
                        without = number + count(length).max(1);
                    }
                    Err(lines) => without = number + lines.max(1) as u32,
                }
            }
            let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
            let line = rest[..end].trim_end_matches(['\n', '\r']);
            number += 1;
            out.line = number;
            // `openssl s_time` prints a character for each connection.
            let is_progress = line.bytes().all(|byte| b"*rt3".contains(&byte));
            let max = if is_progress { usize::MAX } else { LINE };
            let is_prompt = || dress::command(line).is_some_and(str::is_empty);
            if !rest[..end].ends_with('\n') && !is_whole && !is_prompt() {
                // Leaves out the last line, which may be cut.
                out.unread(line);
                out.is_cut = true;
            } else if line.trim().is_empty() {
                self.tables.blank();
            } else if super::check_line(line, max, out) {
                self.line(line, above, out);
            }
            at += end;
        }
        for reader in &mut self.readers {
            reader.call(out, |tool, out| tool.end(out));
        }
        out.line = 0;
        let code = self.readers.iter().filter(|reader| reader.is_seen);
        let mut seen: Vec<&str> = code.map(|reader| reader.name).collect();
        seen.extend(self.documents);
        seen.extend(self.lines.seen());
        seen.extend(self.tables.seen);
        seen
    }

    fn may_start_document(&self, rest: &str) -> bool {
        let text = rest.trim_start_matches([' ', '\t']);
        text.starts_with(['{', '['])
            || (!self.readers.is_empty() && text.starts_with(json::DATA_JS))
    }

    /// Reads a document. Returns whether it is of a format.
    fn document(&mut self, text: &str, out: &mut Collector) -> bool {
        let code = json::format(text).filter(|_| !self.readers.is_empty());
        let name = match code {
            Some((name, _, parse)) => {
                parse(text, out);
                Some(*name)
            }
            None => documents::read(
                text.trim(),
                &self.formats.entries,
                self.kind == Kind::Own,
                out,
            ),
        };
        self.documents.extend(name);
        name.is_some()
    }

    fn line(&mut self, line: &str, above: &str, out: &mut Collector) {
        if self.tables.row(line, out) {
            return;
        }
        if let Some([_, command]) = RUN.groups(line) {
            return self.command(command, out);
        } else if let Some([line, target]) = RUNNING.groups(line) {
            self.start(line);
            out.target = Some(target.to_owned());
            return;
        } else if let Some(command) = dress::command(line) {
            return self.command(command, out);
        }
        let mut is_odd = has_figure(line) && !(self.kind == Kind::Prose && line.starts_with('|'));
        for reader in &mut self.readers {
            match reader.call(out, |tool, out| tool.line(line, out)) {
                Line::Known => {
                    reader.is_seen = true;
                    return;
                }
                Line::Odd => is_odd = true,
                Line::Foreign => {}
            }
        }
        let is_known = self.lines.read(line, above, out) || self.tables.heading(line);
        if !is_known && is_odd && !self.readers.is_empty() {
            out.unread(line);
        }
    }

    fn command(&mut self, command: &str, out: &mut Collector) {
        if command.is_empty() {
            return;
        }
        self.start(command);
        self.lines.command(command);
        for reader in &mut self.readers {
            reader.call(out, |tool, out| tool.command(command, out));
        }
    }

    /// Starts another run if `heading` is repeated.
    fn start(&mut self, heading: &str) {
        if !self.started.insert(heading.to_owned()) {
            self.started = HashSet::from([heading.to_owned()]);
            self.lines.next_run();
            for reader in &mut self.readers {
                reader.scope.run += 1;
            }
        }
    }
}

/// Whether a line has a number with a unit, which somebody may miss.
fn has_figure(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let word = word.trim_start_matches(['(', '[', '~', '+', '-', '=']);
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
        if unit.len() == word.len() {
            continue;
        }
        let unit = match unit {
            "" => words.peek().copied().unwrap_or_default(),
            unit => unit,
        };
        let unit = unit.trim_end_matches([',', ';', ')', ']', '.', ':']);
        if unit.ends_with("/s") || unit.ends_with("/sec") || Unit::parse(unit).is_some() {
            return true;
        }
    }
    false
}

impl Unread {
    /// What to tell readers of a file.
    pub(crate) fn diagnostic(&self, file: &Path) -> Diagnostic {
        let others = match self.count {
            1 => ", which has a figure".to_owned(),
            2 => ", nor another with a figure".to_owned(),
            n => format!(", nor {} others with figures", n - 1),
        };
        let message = format!("no format takes this line{others}: {}", quote(&self.text));
        Diagnostic::at(file, self.line, message)
    }
}

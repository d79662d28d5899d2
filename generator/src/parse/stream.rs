//! A text as a stream of lines. Each is offered to the readers of tools and then to the entries; a
//! document in JSON or a table may stand among them.

use super::collector::Unread;
use super::entries::{self, Formats, documents, lines, tables};
use super::prelude::*;
use super::{dress, json, tools};
use crate::base::limits::LINE;
use std::collections::HashSet;
use std::path::Path;

/// A tool whose lines are read by code, and what it has read.
struct Reader {
    name: &'static str,
    tool: Box<dyn Tool>,
    scope: super::collector::Scope,
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

/// Reads a text in the formats that are built in. Returns the names of the tools that it has figures of.
pub(super) fn read<'a>(text: &str, out: &mut Collector) -> Vec<&'a str> {
    Stream::new(&entries::BUILT_IN[0], readers(), false).read(text, out)
}

/// Reads the blocks of code and the tables of a text, of which those that no tool printed are others'.
pub(super) fn read_prose(text: &str, out: &mut Collector) {
    let mut stream = Stream::new(&entries::BUILT_IN[0], readers(), false);
    stream.is_prose = true;
    stream.read(text, out);
}

fn readers() -> Vec<Reader> {
    let readers = tools::TOOLS.iter().map(|(name, tool)| Reader {
        name,
        tool: tool(),
        scope: Default::default(),
        is_seen: false,
    });
    readers.collect()
}

/// Reads what has no figures otherwise, such as times of commands.
pub(super) fn read_last<'a>(text: &str, out: &mut Collector) -> Vec<&'a str> {
    Stream::new(&entries::BUILT_IN[1], Vec::new(), false).read(text, out)
}

/// Reads a text by somebody's own entries. Returns the names of those that read some of it.
pub(super) fn read_by<'a>(formats: &'a Formats, text: &str, out: &mut Collector) -> Vec<&'a str> {
    Stream::new(formats, Vec::new(), true).read(text, out)
}

/// Cargo names the target whose output follows.
static RUNNING: Pattern = Pattern::marked(
    "Running ",
    r"^ *Running (?:\S+ )*\(?`?(?:[^ ()`]*[/\\])?deps[/\\]([\w-]+)-[0-9a-f]{16}(?:\.exe)?\b.*$",
);
/// Cargo runs a program with its arguments.
static RUN: Pattern = Pattern::marked("Running ", r"^ *Running `(.*)`$");

/// What `time` prints.
static TIME: Pattern =
    Pattern::new(r"^(?:(?:real|user|sys)\s+[\dhms.,]+$|[\d.]+ ?user |\d+inputs\+)");

/// Whether `time` or `cargo` prints a line, beside the figures of the tools.
fn is_other(line: &str) -> bool {
    let may_be_time = starts_with_any(line, &["real", "user", "sys"])
        || line.starts_with(|c: char| c.is_ascii_digit())
            && (line.contains("user ") || line.contains("inputs+"));
    line.trim_start().starts_with("Finished ")
        || line.starts_with("test result: ")
        || may_be_time && TIME.captures(line).is_some()
}

struct Stream<'a> {
    formats: &'a Formats,
    is_own: bool,
    is_prose: bool,
    readers: Vec<Reader>,
    lines: lines::Lines<'a>,
    tables: tables::Tables<'a>,
    /// The names of the formats of JSON documents.
    documents: Vec<&'a str>,
    /// Commands and targets so far: a repeated one starts another run.
    started: HashSet<String>,
}

impl<'a> Stream<'a> {
    fn new(formats: &'a Formats, readers: Vec<Reader>, is_own: bool) -> Self {
        Self {
            formats,
            is_own,
            is_prose: false,
            readers,
            lines: lines::Lines::new(formats, is_own),
            tables: tables::Tables::new(&formats.entries, is_own),
            documents: Vec::new(),
            started: HashSet::new(),
        }
    }

    fn read(mut self, text: &str, out: &mut Collector) -> Vec<&'a str> {
        let text = dress::undressed(text);
        let text = json::without_infinities(&text);
        // Lines in which no document starts, since one that is unknown or damaged has them.
        let mut without = 0;
        // A document that no format reads may end without a newline.
        let mut is_whole = false;
        let (mut rest, mut number) = (&*text, 0);
        while !rest.is_empty() && !out.is_full() {
            let count =
                |length: usize| memchr::memchr_iter(b'\n', &rest.as_bytes()[..length]).count();
            if number >= without && self.may_start_document(rest) {
                match json::length(rest) {
                    Ok(length) if self.document(&rest[..length], number, out) => {
                        number += count(length);
                        rest = &rest[length..];
                        continue;
                    }
                    Ok(length) => {
                        is_whole = length == rest.len();
                        without = number + count(length).max(1);
                    }
                    Err(lines) => without = number + lines.max(1),
                }
            }
            let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
            let line = rest[..end].trim_end_matches(['\n', '\r']);
            number += 1;
            out.line = number as u32;
            // `openssl s_time` prints a character for each connection.
            let is_progress = line.bytes().all(|byte| b"*rt3".contains(&byte));
            let max = if is_progress { usize::MAX } else { LINE };
            let is_prompt = || dress::command(line).is_some_and(str::is_empty);
            if !rest[..end].ends_with('\n') && !is_whole && !is_prompt() {
                out.cut(line);
            } else if line.trim().is_empty() {
                self.tables.blank();
            } else if super::check_line(line, max, out) {
                self.line(line, out);
            }
            rest = &rest[end..];
        }
        self.finish(out)
    }

    fn may_start_document(&self, rest: &str) -> bool {
        let text = rest.trim_start_matches([' ', '\t']);
        text.starts_with(['{', '['])
            || (!self.readers.is_empty() && text.starts_with(json::DATA_JS))
    }

    /// Reads a document. Returns whether it is of a format.
    fn document(&mut self, text: &str, number: usize, out: &mut Collector) -> bool {
        out.above = number as u32;
        let code = json::format(text).filter(|_| !self.readers.is_empty());
        let name = match code {
            Some((name, _, parse)) => {
                parse(text, out);
                Some(*name)
            }
            None => documents::read(text.trim(), &self.formats.entries, self.is_own, out),
        };
        (out.above, out.line) = (0, 0);
        self.documents.extend(name);
        name.is_some()
    }

    fn line(&mut self, line: &str, out: &mut Collector) {
        if self.tables.row(line, out) {
            return;
        }
        if let Some([_, command]) = RUN.groups(line) {
            return self.command(command, out);
        } else if let Some([line, target]) = RUNNING.groups(line) {
            self.start(line);
            out.target = Some(target.to_owned());
            self.lines.target.clone_from(&out.target);
            return;
        } else if let Some(command) = dress::command(line) {
            return self.command(command, out);
        } else if is_other(line) && !self.readers.is_empty() {
            return;
        }
        let mut is_odd = has_figure(line) && !(self.is_prose && line.starts_with('|'));
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
        let is_known = self.lines.read(line, out) || self.tables.heading(line);
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

    fn finish(mut self, out: &mut Collector) -> Vec<&'a str> {
        for reader in &mut self.readers {
            reader.call(out, |tool, out| tool.end(out));
        }
        out.line = 0;
        let code = self.readers.iter().filter(|reader| reader.is_seen);
        let mut seen: Vec<&str> = code.map(|reader| reader.name).collect();
        seen.extend(self.documents);
        seen.extend(self.lines.seen());
        seen.extend(self.tables.seen());
        seen
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
    pub(crate) fn words(&self, file: &Path) -> String {
        let (line, message) = self.problem();
        format!("{}:{line}: {message}", file.display())
    }

    /// The first line, and what is wrong with it.
    pub(crate) fn problem(&self) -> (u32, String) {
        let others = match self.count {
            1 => ", which has a figure".to_owned(),
            2 => ", nor another with a figure".to_owned(),
            n => format!(", nor {} others with figures", n - 1),
        };
        let message = format!("no format takes this line{others}: {}", quote(&self.text));
        (self.line, message)
    }
}

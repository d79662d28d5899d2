//! A text as a stream of lines. Each is offered to the tools in order of how specific their lines
//! are; a document in JSON may stand among them.

use super::collector::{Scope, Unread};
use super::prelude::*;
use super::{dress, json, tools};
use crate::base::limits::LINE;
use std::collections::HashSet;
use std::path::Path;

/// A tool that reads the text, and what it has read.
struct Reader {
    name: &'static str,
    tool: Box<dyn Tool>,
    scope: Scope,
    is_seen: bool,
    damaged: Vec<(u32, String, String)>,
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

/// Reads a text. Returns the names of the tools that it has lines of.
pub(super) fn read(text: &str, out: &mut Collector) -> Vec<&'static str> {
    let text = dress::undressed(text);
    let readers = tools::TOOLS.iter().map(|(name, tool)| Reader {
        name,
        tool: tool(),
        scope: Scope::default(),
        is_seen: false,
        damaged: Vec::new(),
    });
    let mut stream = Stream {
        readers: readers.collect(),
        ..Stream::default()
    };
    let (mut rest, mut number) = (&*text, 0);
    while !rest.is_empty() && !out.is_full() {
        if let Some((name, _, parse)) = json::format(rest) {
            stream.documents.push(name);
            let length = json::length(rest);
            out.above = number;
            parse(&rest[..length], out);
            number += memchr::memchr_iter(b'\n', &rest.as_bytes()[..length]).count() as u32;
            rest = &rest[length..];
            if rest.trim_start().starts_with(['}', ']', ',', '"', ':']) {
                out.above = 0;
                out.line = number + 1;
                out.problem(cite(
                    "text after the end of a JSON document:",
                    rest.trim_start().lines().next().unwrap_or_default(),
                ));
                break;
            }
            out.above = 0;
            continue;
        }
        let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let line = rest[..end].trim_end_matches(['\n', '\r']);
        number += 1;
        out.line = number;
        let is_cut = end == rest.len() && !rest.ends_with('\n');
        if is_cut && dress::command(line).is_none_or(|command| !command.is_empty()) {
            out.problem(super::truncated(line));
        }
        // `openssl s_time` prints a character for each connection.
        let is_progress = line.bytes().all(|byte| b"*rt3".contains(&byte));
        let max = if is_progress { usize::MAX } else { LINE };
        if !line.trim().is_empty() && super::check_line(line, max, out) {
            stream.line(line, out);
        }
        rest = &rest[end..];
    }
    stream.finish(out)
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

#[derive(Default)]
struct Stream {
    readers: Vec<Reader>,
    /// The names of the formats of JSON documents.
    documents: Vec<&'static str>,
    /// Commands and targets so far: a repeated one starts another run.
    started: HashSet<String>,
    /// The line above if it has figures; the first that stands twice in a row, and how many do.
    last: String,
    doubled: Option<(u32, String, usize)>,
}

impl Stream {
    fn line(&mut self, line: &str, out: &mut Collector) {
        let is_double = self.last == line;
        self.last.clear();
        if let Some([_, command]) = RUN.groups(line) {
            return self.command(command, out);
        } else if let Some([line, target]) = RUNNING.groups(line) {
            self.start(line);
            out.target = Some(target.to_owned());
            return;
        } else if let Some(command) = dress::command(line) {
            return self.command(command, out);
        } else if is_other(line) {
            return;
        }
        let mut damaged = None;
        let above = out.parsed.observations.len();
        for (index, reader) in self.readers.iter_mut().enumerate() {
            match reader.call(out, |tool, out| tool.line(line, out)) {
                Err(Foreign) => {}
                Err(Damaged(message)) => damaged = damaged.or(Some((index, message))),
                outcome => {
                    reader.is_seen = true;
                    if let Err(Wrong(message)) = outcome {
                        out.problem(message);
                    }
                    if out.parsed.observations.len() > above {
                        if is_double {
                            let first = || (out.line, line.to_owned(), 0);
                            self.doubled.get_or_insert_with(first).2 += 1;
                        }
                        line.clone_into(&mut self.last);
                    }
                    return;
                }
            }
        }
        match damaged {
            Some((index, message)) => {
                let damaged = &mut self.readers[index].damaged;
                damaged.push((out.line, message, line.to_owned()));
            }
            None if has_figure(line) => out.unread(line),
            None => {}
        }
    }

    fn command(&mut self, command: &str, out: &mut Collector) {
        if command.is_empty() {
            return;
        }
        self.start(command);
        for reader in &mut self.readers {
            reader.call(out, |tool, out| tool.command(command, out));
        }
    }

    /// Starts another run if `heading` is repeated.
    fn start(&mut self, heading: &str) {
        if !self.started.insert(heading.to_owned()) {
            self.started = HashSet::from([heading.to_owned()]);
            for reader in &mut self.readers {
                reader.scope.run += 1;
            }
        }
    }

    /// Damaged rows are problems where their tool has other lines, or where nothing else was found.
    fn finish(mut self, out: &mut Collector) -> Vec<&'static str> {
        for reader in &mut self.readers {
            reader.call(out, |tool, out| tool.end(out));
        }
        let is_empty = out.parsed.observations.is_empty();
        for reader in &mut self.readers {
            for (line, message, text) in reader.damaged.drain(..) {
                out.line = line;
                match reader.is_seen || is_empty {
                    true => out.problem(message),
                    false => out.unread(&text),
                }
            }
        }
        if let Some((line, text, count)) = self.doubled {
            out.line = line;
            let others = match count {
                1 => String::new(),
                n => format!(", as do {} others", n - 1),
            };
            out.note(cite("this line stands twice in a row, and counts twice:", &text) + &others);
        }
        out.line = 0;
        let seen = self.readers.iter().filter(|reader| reader.is_seen);
        self.documents
            .into_iter()
            .chain(seen.map(|reader| reader.name))
            .collect()
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
        let (file, first) = (file.display(), quote(&self.text));
        let others = match self.count {
            1 => ", which has a figure".to_owned(),
            n => format!(", nor {} others with figures", n - 1),
        };
        let line = self.line;
        format!("{file}:{line}: no format takes this line{others}: {first}")
    }
}

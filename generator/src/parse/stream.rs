//! A text as a stream of lines. Each is offered to the reader of `go test` and then to the entries; a
//! document in JSON or a table may stand among them.

use super::collector::Scope;
use super::entries::{self, Entry, Formats, Groups, documents, tables};
use super::go::{Go, Line};
use super::prelude::*;
use super::{dress, json};
use std::collections::BTreeMap;

/// Cargo names the target whose output follows.
static RUNNING: LazyLock<Expression> = LazyLock::new(|| {
    let target = r"(?:[^ ()`]*[/\\])?deps[/\\]([\w-]+)-[0-9a-f]{16}(?:\.exe)?\b.*$";
    Expression::new(&format!(r"^ *Running (?:\S+ )*\(?`?{target}"))
});

/// What is a row, or is damaged: of rustls-bench, and of `openssl speed -mr`, which does not explain some
/// of its figures.
static ODD: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^(?:\+F|(?:bulk|handshakes)\S*\t.*\d)"));

/// Lines above a row in which a name without a mark is looked for. All other lines look like one.
const ABOVE: usize = 40;

/// What is known of a tool at a line.
#[derive(Default)]
struct State {
    scope: Scope,
    /// Groups of lines above, each with its line.
    groups: BTreeMap<String, (u32, String)>,
    /// The line of its last row.
    last: u32,
}

struct Stream<'a> {
    formats: &'a Formats,
    tools: BTreeMap<&'a str, State>,
    go: Go,
    tables: tables::Tables<'a>,
    /// Commands and targets so far: a repeated one starts another run.
    started: HashSet<String>,
}

/// Reads a text.
pub(super) fn read(text: &str, formats: &Formats, out: &mut Collector) {
    let tools = formats.entries.iter().map(|entry| &*entry.tool);
    let mut stream = Stream {
        formats,
        tools: tools.map(|tool| (tool, State::default())).collect(),
        go: Go::default(),
        tables: tables::Tables::new(formats),
        started: HashSet::new(),
    };
    let text = dress::undressed(text);
    stream.read(&json::without_infinities(&text), out);
}

impl<'a> Stream<'a> {
    fn read(&mut self, text: &str, out: &mut Collector) {
        // Lines in which no document starts, since one that is damaged has them.
        let mut without = 0;
        // A document that no format reads may end without a newline.
        let mut is_whole = false;
        let (mut at, mut number) = (0, 0);
        while at < text.len() && !out.is_full() {
            let (above, rest) = text.split_at(at);
            out.line = number + 1;
            if number >= without && json::may_start(rest) {
                let lines = match json::document(rest) {
                    Ok((document, length)) => {
                        let lines = memchr::memchr_iter(b'\n', &rest.as_bytes()[..length]).count();
                        if self.document(&document, out) {
                            number += lines as u32;
                            at += length;
                            continue;
                        }
                        is_whole = length == rest.len();
                        lines
                    }
                    Err(lines) => lines,
                };
                without = number + lines.max(1) as u32;
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
            } else if out.check(super::check_line(line, max)).is_some() {
                self.line(line, above, out);
            }
            at += end;
        }
        out.line = 0;
    }

    /// Reads a document. Returns whether it is of a format.
    fn document(&mut self, document: &Json, out: &mut Collector) -> bool {
        (self.formats.has_code && json::parse(document, out))
            || documents::read(document, self.formats, out)
    }

    fn line(&mut self, line: &str, above: &str, out: &mut Collector) {
        if self.tables.row(line, out) {
            return;
        }
        if let Some(command) = dress::command(line) {
            return self.command(command, out.line);
        } else if let Some([line, target]) = RUNNING.groups(line) {
            self.start(line);
            out.target = Some(target.to_owned());
            return;
        }
        let of_go = match self.formats.has_code {
            true => self.go.line(line, out),
            false => Line::Foreign,
        };
        if of_go == Line::Known || self.entries(line, above, out) || self.tables.heading(line) {
            return;
        }
        let is_odd = || of_go == Line::Odd || ODD.captures(line).is_some();
        if self.formats.has_code && (is_odd() || has_figure(line)) {
            out.unread(line);
        }
    }

    /// Another command starts.
    fn command(&mut self, command: &str, number: u32) {
        if command.is_empty() {
            return;
        }
        self.start(command);
        for tool in self.tools.values_mut() {
            tool.groups.clear();
        }
        let formats = self.formats;
        for entry in formats.marked(command).chain(formats.unmarked()) {
            let tool = self.tools.entry(&entry.tool).or_default();
            tool.heading(entry, command, number);
        }
    }

    /// Starts another run if `heading` is repeated.
    fn start(&mut self, heading: &str) {
        if !self.started.insert(heading.to_owned()) {
            self.started = HashSet::from([heading.to_owned()]);
            for tool in self.tools.values_mut() {
                (tool.scope.run, tool.scope.first) = (tool.scope.run + 1, 0);
            }
        }
    }

    /// Reads a line by entries, given the text above it: what those know that look for a text in it is
    /// none of the others. Returns whether it is a row, a heading or another line that is known.
    fn entries(&mut self, line: &str, above: &str, out: &mut Collector) -> bool {
        let formats = self.formats;
        self.offer(formats.marked(line), line, above, out)
            || self.offer(formats.unmarked(), line, above, out)
    }

    fn offer(
        &mut self,
        entries: impl Iterator<Item = &'a Entry>,
        line: &str,
        above: &str,
        out: &mut Collector,
    ) -> bool {
        let mut is_known = false;
        let mut by: Option<&str> = None;
        for entry in entries {
            let tool = self.tools.entry(&entry.tool).or_default();
            is_known |= tool.heading(entry, line, out.line);
            let Some((at, captures)) = entry.captures(&entry.lines, line) else {
                continue;
            };
            tool.look_above(entry, above, out.line);
            let above = &tool.groups;
            let rows = match entry.rows(&Groups { captures, above }, at, out) {
                Ok(rows) => rows,
                Err(why) if self.formats.is_own => {
                    out.problem(why.message(&entry.tool, line));
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
            out.scope = tool.scope;
            entries::add(rows, out);
            tool.scope = std::mem::take(&mut out.scope);
            for name in &entry.once {
                tool.groups.remove(name);
            }
        }
        is_known
    }
}

impl State {
    /// Keeps the groups of a line that is above others. Returns whether only the tool prints such a line.
    fn heading(&mut self, entry: &Entry, line: &str, number: u32) -> bool {
        let start = entry.start.iter();
        let context = entry.context.all().iter().filter(|one| one.is_marked());
        let mut is_heading = false;
        for (index, expression) in start.chain(context).enumerate() {
            let Some(found) = expression.captures(line) else {
                continue;
            };
            if index == 0 && entry.start.is_some() {
                // What stands below the last row is of the new execution.
                self.groups.retain(|_, (line, _)| *line > self.last);
                self.scope.start = number;
            }
            self.keep(expression, &found, number);
            is_heading = true;
        }
        is_heading
    }

    /// Looks for names without a mark between the last row and that in line `number`.
    fn look_above(&mut self, entry: &Entry, above: &str, number: u32) {
        for context in entry.context.all().iter().filter(|one| !one.is_marked()) {
            let mut below = "";
            let numbers = (self.last + 1..number).rev().take(ABOVE);
            for (line, number) in above.lines().rev().zip(numbers) {
                // Some names are known by what underlines them.
                let both = match context.text.contains(r"\n") {
                    true => &format!("{line}\n{below}"),
                    false => line,
                };
                if let Some(found) = context.captures(both) {
                    self.keep(context, &found, number);
                    break;
                }
                below = line;
            }
        }
        self.last = number;
    }

    /// Keeps the groups of a line in the place of those of the last such line.
    fn keep(&mut self, expression: &Expression, found: &Captures<'_>, line: u32) {
        for name in expression.names() {
            self.groups.remove(name);
            if let Some(text) = found.name(name) {
                let text = text.as_str().trim().to_owned();
                self.groups.insert(name.to_owned(), (line, text));
            }
        }
    }
}

/// Whether a line, unless it is of a table, has a number with a unit, which somebody may miss.
fn has_figure(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut is_figure = words.iter().enumerate().map(|(at, word)| {
        let word = word.trim_start_matches(['(', '[', '~', '+', '-', '=']);
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
        let unit = match unit {
            unit if unit.len() == word.len() => return false,
            "" => words.get(at + 1).copied().unwrap_or_default(),
            unit => unit,
        };
        let unit = unit.trim_end_matches([',', ';', ')', ']', '.', ':']);
        let is_rate = unit.ends_with("/s") || unit.ends_with("/sec");
        is_rate || unit == "k" || Unit::parse(unit).is_some()
    });
    !line.starts_with('|') && is_figure.any(|is_figure| is_figure)
}

//! Counts of a worker, and how those of several are merged.

use super::chunks::Chunk;
use super::line::{parse_any, parse_fast, shown};
use crate::base::failure::Diagnostic;
use crate::base::limits::{LINE, exceeded};
use crate::model::distribution::Distribution;
use crate::parse::saturate;
use std::io;
use std::path::Path;

/// Maximum number of problems to report for a file.
const MAX_PROBLEMS: usize = 20;

/// A line relative to its chunk: the number of lines before the chunk is known only at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    chunk: u32,
    /// From 0.
    line: u32,
}

#[derive(Default)]
pub(super) struct Tally {
    values: Distribution,
    /// Chunk indices with their number of lines.
    lines: Vec<(u32, u32)>,
    /// The first problems in this worker's chunks.
    problems: Vec<(Place, String)>,
    more_problems: u64,
    left_out: u64,
    first_left_out: Option<Place>,
    failure: Option<String>,
}

/// The latencies of a whole file, with a note on omitted ones; or its problems.
pub(super) type Tallied = Result<(Distribution, Option<Diagnostic>), Vec<Diagnostic>>;

impl Tally {
    /// Counts a chunk. A worker's chunks are in the order of the file.
    pub(super) fn take(&mut self, chunk: &Chunk, buffer: &[u8]) {
        let mut rest = &buffer[..chunk.lines];
        if chunk.index == 0 {
            rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
        }
        let mut place = Place {
            chunk: chunk.index,
            line: 0,
        };
        while !rest.is_empty() {
            let length = if let Some((nanos, length)) = parse_fast(rest) {
                self.values.record(nanos);
                length
            } else {
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len() - 1);
                self.line(place, &rest[..end]);
                end + 1
            };
            rest = &rest[length..];
            place.line += 1;
        }
        self.end(place, &buffer[chunk.lines..chunk.filled]);
        self.lines.push((chunk.index, place.line));
    }

    /// Counts a line that the fast path does not parse.
    #[cold]
    fn line(&mut self, place: Place, line: &[u8]) {
        if line.len() > LINE {
            return self.too_long(place, line);
        }
        match parse_any(line) {
            Ok(Some(nanos)) => self.values.record(nanos),
            Ok(None) => {
                self.left_out += 1;
                self.first_left_out.get_or_insert(place);
            }
            Err(message) => self.problem(place, message),
        }
    }

    fn end(&mut self, place: Place, line: &[u8]) {
        if line.len() > LINE {
            self.too_long(place, line);
        } else if !line.is_empty() {
            let message = format!(
                "the file ends without a newline, so its last line may be truncated: {}; add a newline if it is complete",
                shown(line)
            );
            self.problem(place, message);
        }
    }

    fn too_long(&mut self, place: Place, line: &[u8]) {
        let message = format!("a line of {}: {}", exceeded(LINE, "bytes"), shown(line));
        self.problem(place, message);
    }

    fn problem(&mut self, place: Place, message: String) {
        // One more than the maximum, for the line where the others begin.
        if self.problems.len() <= MAX_PROBLEMS {
            self.problems.push((place, message));
        } else {
            self.more_problems += 1;
        }
    }

    pub(super) fn failed(&mut self, error: &io::Error) {
        self.failure = Some(format!("it could not be read: {error}"));
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.values.merge(&other.values);
        self.lines.extend(other.lines);
        self.problems.extend(other.problems);
        self.more_problems += other.more_problems;
        self.left_out += other.left_out;
        let first = self.first_left_out.into_iter().chain(other.first_left_out);
        self.first_left_out = first.min();
        self.failure = self.failure.take().or(other.failure);
    }

    pub(super) fn finish(mut self, path: &Path) -> Tallied {
        let distribution = std::mem::take(&mut self.values);
        self.lines.sort_unstable();
        self.problems.sort();
        let hidden = self.more_problems + self.problems.len().saturating_sub(MAX_PROBLEMS) as u64;
        if let Some((_, message)) = self.problems.get_mut(MAX_PROBLEMS) {
            *message = format!("from here on, {hidden} more lines are invalid");
        }
        self.problems.truncate(MAX_PROBLEMS + 1);
        let placed = std::mem::take(&mut self.problems).into_iter();
        let mut problems: Vec<Diagnostic> = placed
            .map(|(place, message)| Diagnostic::at(path, self.number(place), message))
            .collect();
        let failure = self.failure.take();
        problems.extend(failure.map(|message| Diagnostic::at(path, 0, message)));
        if problems.is_empty() && distribution.count() == 0 {
            problems.push(Diagnostic::at(path, 0, "no positive latency found"));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let note = self.first_left_out.map(|first| {
            let (left_out, all) = (self.left_out, self.left_out + distribution.count());
            let message = format!("{left_out} of {all} latencies left out, being zero or negative: the clock was adjusted during the measurement, or is too coarse");
            Diagnostic::at(path, self.number(first), message)
        });
        Ok((distribution, note))
    }

    /// The line number in the file, from 1.
    fn number(&self, place: Place) -> u32 {
        let chunks = self.lines.iter();
        let before = chunks.take_while(|(chunk, _)| *chunk < place.chunk);
        let before: u64 = before.map(|(_, lines)| u64::from(*lines)).sum();
        saturate(before + u64::from(place.line) + 1)
    }
}

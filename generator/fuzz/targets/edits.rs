//! Damage to files: lines and bytes lost, doubled or swapped, files cut short, and other numbers.

use std::iter;
use std::ops::{Range, RangeInclusive};

/// What stands in the place of a figure.
const NUMBERS: [&str; 6] = ["", "-5.5", "1.2.3", "1e999", "99999999999999999999", "NaN"];

/// One change of a file.
pub(crate) struct Edit {
    /// The bytes to replace.
    range: Range<usize>,
    with: Vec<u8>,
}

/// Returns every edit of a file.
pub(crate) fn edits(text: &[u8]) -> impl Iterator<Item = Edit> {
    let lines: Vec<Range<usize>> = pieces(text, |a, _| a == b'\n').collect();
    let bytes: Vec<Range<usize>> = (0..text.len()).map(|at| at..at + 1).collect();
    let is_figure = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let figures = pieces(text, move |a, b| is_figure(a) != is_figure(b))
        .filter(move |range| text[range.start].is_ascii_digit())
        .flat_map(|range| NUMBERS.map(|number| Edit::new(range.clone(), number)));
    let cuts = (0..text.len()).map(|at| Edit::new(at..text.len(), ""));
    let of_pieces = [lines, bytes].into_iter().flat_map(|all| moved(text, all));
    of_pieces.chain(cuts).chain(figures)
}

/// Splits a text between two bytes that `ends` is true of.
fn pieces(text: &[u8], ends: impl Fn(u8, u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    iter::from_fn(move || {
        let rest = text.get(from..).filter(|rest| !rest.is_empty())?;
        let last = rest.windows(2).position(|pair| ends(pair[0], pair[1]));
        let start = from;
        from = last.map_or(text.len(), |at| start + at + 1);
        Some(start..from)
    })
}

/// Loses, doubles and swaps with its successor each of some pieces.
fn moved(text: &[u8], pieces: Vec<Range<usize>>) -> impl Iterator<Item = Edit> {
    (0..pieces.len()).flat_map(move |at| {
        let piece = pieces[at].clone();
        let this = &text[piece.clone()];
        let swapped = pieces.get(at + 1).map(|next| {
            let reversed = [&text[next.clone()], this].concat();
            Edit::new(piece.start..next.end, reversed)
        });
        let lost = Edit::new(piece.clone(), "");
        [lost, Edit::new(piece, this.repeat(2))]
            .into_iter()
            .chain(swapped)
    })
}

impl Edit {
    fn new(range: Range<usize>, with: impl Into<Vec<u8>>) -> Self {
        Self {
            range,
            with: with.into(),
        }
    }

    /// Returns the changed file.
    pub(crate) fn apply(&self, text: &[u8]) -> Vec<u8> {
        let (before, after) = (&text[..self.range.start], &text[self.range.end..]);
        [before, &self.with, after].concat()
    }

    /// Returns the lines of the original that the edit may change, counted from 1.
    pub(crate) fn lines(&self, text: &[u8]) -> RangeInclusive<usize> {
        let Range { start, end } = self.range;
        let starts_line = start == 0 || text[start - 1] == b'\n';
        // The next line stays as it is if it still starts one.
        let keeps_next = self.with.ends_with(b"\n") || (starts_line && self.with.is_empty());
        let last = if keeps_next { end - 1 } else { end };
        line_of(text, start)..=line_of(text, last)
    }
}

fn line_of(text: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', &text[..at]).count() + 1
}

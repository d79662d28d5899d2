//! Mutates files: their bytes, and the words, cells and lines that parsers see.

use crate::random::Random;
use std::ops::Range;

/// Bytes that end words, cells, fields or lines in various formats.
const ENDS: [&[u8]; 6] = [
    b"\t\n ,;:|/\"[]{}()=+",
    b",\n",
    b"\t\n",
    b"|\n",
    b"\"\n",
    b"\n",
];

const MARKS: &[u8] = b"0 -.,\t\n|;\"'[{/+@:=\xff";

const NUMBERS: [&str; 8] = [
    "0",
    "1",
    "-1",
    "1.5",
    "1e999",
    "4294967296",
    "99999999999999999999",
    "NaN",
];

/// Maximum number of bytes to append from other files.
const TAIL: usize = 500;

/// Returns a file with up to four changes, some of which take parts of `others`, the concatenation of
/// other files.
pub fn change(bytes: &[u8], others: &[u8], seed: u32) -> Vec<u8> {
    let mut random = Random::new(seed.into());
    let mut bytes = bytes.to_vec();
    (0..=random.below(4)).for_each(|_| mutate(&mut bytes, others, &mut random));
    bytes
}

fn mutate(bytes: &mut Vec<u8>, others: &[u8], random: &mut Random) {
    let divide = |ends: &&[u8]| bytes.iter().any(|b| ends.contains(b));
    let ends: Vec<&[u8]> = ENDS.into_iter().filter(divide).collect();
    let ends = ends.get(random.below(ends.len().max(1))).copied();
    let ends = ends.unwrap_or(b"\n");
    let at = random.below(bytes.len() + 1);
    let piece = around(bytes, at, ends);
    let with_end = piece.start..bytes.len().min(piece.end + 1);
    let other_at = random.below(others.len() + 1);
    let other_piece = &others[around(others, other_at, ends)];
    match random.below(15) {
        0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        1 => bytes.insert(at, MARKS[random.below(MARKS.len())]),
        2 => drop(bytes.drain(at..piece.end)),
        3 => drop(bytes.drain(piece.start..at)),
        4 => drop(bytes.drain(piece)),
        5 => drop(bytes.drain(with_end)),
        6 => {
            let copy = bytes[with_end.clone()].to_vec();
            bytes.splice(with_end, copy.repeat(2 + random.below(3)));
        }
        7 => drop(bytes.splice(piece, other_piece.to_vec())),
        8..=10 => {
            let end = ends[random.below(ends.len())];
            let inserted = [other_piece, &[end]].concat();
            bytes.splice(piece.start..piece.start, inserted);
        }
        11 => {
            bytes.truncate(at);
            bytes.extend(others[other_at..].iter().take(TAIL));
        }
        12 => bytes.truncate(at),
        _ => {
            let number = NUMBERS[random.below(NUMBERS.len())];
            let at = [at..at, piece][random.below(2)].clone();
            bytes.splice(at, number.bytes());
        }
    }
}

/// Returns the range around a position up to the nearest of these bytes.
fn around(bytes: &[u8], at: usize, ends: &[u8]) -> Range<usize> {
    let is_end = |b: &u8| ends.contains(b);
    let start = bytes[..at].iter().rposition(is_end);
    let end = bytes[at..].iter().position(is_end);
    start.map_or(0, |end| end + 1)..end.map_or(bytes.len(), |end| at + end)
}

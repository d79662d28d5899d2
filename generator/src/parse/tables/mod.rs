//! Tables: of this project, of other tools, and of published figures.

pub(super) mod markdown;
mod records;
pub mod tidy;
pub(super) mod wide;

use super::cite;
use super::collector::Collector;
use super::{Located, check_lines, lines_at, prelude, start};

/// Checks all lines, of at most `max` bytes each, and calls `read` for each that is not blank.
pub(super) fn lines<'a>(
    text: &'a str,
    max: usize,
    collector: &mut Collector,
    read: impl FnMut(&'a str, &mut Collector) -> Result<(), String>,
) {
    if !check_lines(text, max, collector) {
        return;
    }
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty());
    collector.each(lines.map(|(value, line)| Located { line, value }), read);
}

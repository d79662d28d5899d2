//! Regular expressions for lines.

use regex_lite::{Captures, Regex};
use std::sync::OnceLock;

/// A constant regular expression, compiled when it is first used.
pub(super) struct Pattern {
    pattern: &'static str,
    /// A text that each match has, by which other lines are told in no time.
    mark: &'static str,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    pub(super) const fn new(pattern: &'static str) -> Self {
        Self::marked("", pattern)
    }

    pub(super) const fn marked(mark: &'static str, pattern: &'static str) -> Self {
        Self {
            pattern,
            mark,
            compiled: OnceLock::new(),
        }
    }

    pub(super) fn captures<'a>(&self, line: &'a str) -> Option<Captures<'a>> {
        if !line.contains(self.mark) {
            return None;
        }
        let compile = || Regex::new(self.pattern).expect("a constant pattern");
        self.compiled.get_or_init(compile).captures(line.trim_end())
    }

    /// The text of the match and of its groups; empty for a group that matched nothing.
    pub(super) fn groups<'a, const N: usize>(&self, line: &'a str) -> Option<[&'a str; N]> {
        let parts = self.captures(line)?;
        let group = |at| parts.get(at).map_or("", |part| part.as_str());
        Some(std::array::from_fn(group))
    }
}

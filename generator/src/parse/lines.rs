//! Drives the parsers of tools that print a benchmark and its figures in one line.

use super::number::{measured, number};
use super::{Collector, collector::cite, markdown};
use crate::model::unit::Unit;
use regex_lite::{Captures, Regex};
use std::sync::OnceLock;

/// A constant regular expression, compiled when it is first used.
pub(super) struct Pattern(&'static str, OnceLock<Regex>);

impl Pattern {
    pub(super) const fn new(pattern: &'static str) -> Self {
        Self(pattern, OnceLock::new())
    }

    pub(super) fn captures<'a>(&self, line: &'a str) -> Option<Captures<'a>> {
        let compile = || Regex::new(self.0).expect("a constant pattern");
        self.1.get_or_init(compile).captures(line.trim_end())
    }
}

/// The lines of a tool that have figures.
pub(super) struct Lines {
    pub(super) pattern: Pattern,
    /// Texts of which each of these lines has one, and no other line has any: by them a damaged
    /// line is noticed.
    pub(super) marks: &'static [&'static str],
    /// What these lines look like, for messages.
    pub(super) expected: &'static str,
}

/// A line of a file.
pub(super) enum Line<'a> {
    Figures(Captures<'a>),
    Other(&'a str),
}

impl Lines {
    /// Whether one of the lines has figures; not if prose quotes it.
    pub(super) fn recognise(&self, head: &str) -> bool {
        head.lines().any(|line| self.has_figures(line)) && !markdown::is_prose(head)
    }

    pub(super) fn has_figures(&self, line: &str) -> bool {
        self.is_marked(line) && self.pattern.captures(line).is_some()
    }

    fn is_marked(&self, line: &str) -> bool {
        self.marks.iter().any(|mark| line.contains(mark))
    }

    /// Calls `read` for each line that is not blank. A damaged line of figures is a problem.
    pub(super) fn parse<'a>(
        &self,
        text: &'a str,
        collector: &mut Collector,
        mut read: impl FnMut(Line<'a>, &mut Collector) -> Result<(), String>,
    ) {
        collector.lines(text, |line, collector| {
            let marked = self.is_marked(line);
            match self.pattern.captures(line).filter(|_| marked) {
                Some(parts) => read(Line::Figures(parts), collector),
                None if marked => Err(cite(&format!("expected {}, got", self.expected), line)),
                None => read(Line::Other(line), collector),
            }
        });
    }
}

/// The text of a group; empty if it matched nothing.
pub(super) fn group<'a>(parts: &Captures<'a>, index: usize) -> &'a str {
    parts.get(index).map_or("", |part| part.as_str())
}

/// Converts a figure and its unit as printed, `1.64` and `GB/sec`, to the base unit.
pub(super) fn figure(value: &str, symbol: &str) -> Result<(Unit, f64), String> {
    let unit = Unit::parse(&symbol.replace("/sec", "/s"));
    let (unit, factor) = unit.ok_or_else(|| cite("unknown unit", symbol))?;
    Ok((unit, measured(value, factor)?))
}

/// Parses a number with a metric prefix: `1.21699G`, `194.282k`; `kilo` is 1000 or 1024.
pub(super) fn prefixed(text: &str, kilo: f64) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" | "Ki" => 1,
        "M" | "Mi" => 2,
        "G" | "Gi" => 3,
        "T" | "Ti" => 4,
        _ => return Err(cite("expected a number with a prefix, got", text)),
    };
    Ok(number(digits)? * kilo.powi(power))
}

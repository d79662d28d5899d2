//! Reads TOML key by key. Each value has its line, and all problems are reported together.

use crate::base::failure::{self, Diagnostic, Result};
use crate::base::limits;
use crate::parse;
use crate::parse::collector::MAX_PROBLEMS;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Error};

/// A value with its line.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub line: u32,
    pub value: T,
}

struct Problems<'a> {
    path: &'a Path,
    /// Offsets of the line ends.
    ends: Vec<usize>,
    found: RefCell<Vec<Diagnostic>>,
    /// Number of values so far.
    values: Cell<usize>,
}

/// A table whose keys are taken one by one. Keys that are left in the end are unknown.
pub(super) struct TableReader<'a> {
    problems: &'a Problems<'a>,
    /// Line of its heading.
    pub(super) line: u32,
    entries: Vec<(Spanned<DeString<'a>>, Spanned<DeValue<'a>>)>,
    known: Vec<&'static str>,
}

/// Reads `text`, the content of the file at `path`, with `read`.
///
/// # Errors
/// All problems of the file, up to a hundred.
pub(super) fn read<T>(
    path: &Path,
    text: &str,
    read: impl FnOnce(&mut TableReader<'_>) -> T,
) -> Result<T> {
    let problems = Problems {
        path,
        ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
        found: RefCell::default(),
        values: Cell::new(0),
    };
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(MAX_PROBLEMS) {
        problems.add(error.span(), error.message());
    }
    problems.check_table(root.get_ref());
    failure::if_any(problems.found.take())?;
    let value = TableReader::new(&problems, root.span(), root.into_inner()).read_with(read);
    failure::if_any(problems.found.into_inner()).map(|()| value)
}

impl Problems<'_> {
    fn line(&self, span: &Range<usize>) -> u32 {
        self.ends.partition_point(|end| *end < span.start) as u32 + 1
    }

    /// Checks decoded strings, because [`parse::text`] has not seen the characters behind escapes.
    fn check_table(&self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.check_text(key.get_ref(), key.span());
            self.check_value(value);
        }
    }

    fn check_value(&self, value: &Spanned<DeValue<'_>>) {
        self.values.set(self.values.get() + 1);
        if self.values.get() == limits::VALUES + 1 {
            let message = limits::exceeded(limits::VALUES, "values");
            self.add(Some(value.span()), message);
        }
        match value.get_ref() {
            DeValue::String(text) => self.check_text(text, value.span()),
            DeValue::Array(items) => items.iter().for_each(|item| self.check_value(item)),
            DeValue::Table(table) => self.check_table(table),
            _ => {}
        }
    }

    fn check_text(&self, text: &str, span: Range<usize>) {
        if let Some((_, message)) = parse::direction_change(text) {
            self.add(Some(span), message);
        } else if text.len() > limits::WORDS {
            self.add(
                Some(span),
                limits::exceeded(limits::WORDS, "bytes in a text"),
            );
        } else if text.contains('\n') && text.contains("+++") {
            let message = "`+++` in a text of several lines could end a page's front matter";
            self.add(Some(span), message);
        }
    }

    fn add(&self, span: Option<Range<usize>>, message: impl Display) {
        let line = span.map_or(0, |span| self.line(&span));
        self.at(line, message.to_string().replace('\n', "; "));
    }

    fn at(&self, line: u32, message: String) {
        let mut found = self.found.borrow_mut();
        if found.len() < MAX_PROBLEMS {
            found.push(Diagnostic::at(self.path, line, message));
        }
    }
}

impl<'a> TableReader<'a> {
    fn new(problems: &'a Problems<'a>, span: Range<usize>, table: DeTable<'a>) -> Self {
        Self {
            problems,
            line: problems.line(&span),
            entries: table.into_iter().collect(),
            known: Vec::new(),
        }
    }

    fn read_with<T>(mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let value = read(&mut self);
        for (key, _) in self.entries.iter().take(MAX_PROBLEMS) {
            let known = self.known.join("`, `");
            let message = format!("unknown key `{}`; known keys are `{known}`", key.get_ref());
            self.problems.add(Some(key.span()), message);
        }
        value
    }

    fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'a>>> {
        self.known.push(key);
        let index = self.entries.iter().position(|(k, _)| k.get_ref() == key)?;
        Some(self.entries.remove(index).1)
    }

    /// Reports a problem of the whole table.
    pub(super) fn problem(&self, message: String) {
        self.problem_at(self.line, message);
    }

    pub(super) fn problem_at(&self, line: u32, message: String) {
        self.problems.at(line, message);
    }

    /// Takes the value of a key and deserializes it.
    pub(super) fn value<T: Deserialize<'a>>(&mut self, key: &'static str) -> Option<T> {
        let value = self.take(key)?;
        self.deserialized(key, value)
    }

    /// Takes the value of a required key.
    pub(super) fn required<T: Deserialize<'a>>(&mut self, key: &'static str) -> Option<T> {
        if !self.entries.iter().any(|(k, _)| k.get_ref() == key) {
            self.problem(format!("`{key}` is missing"));
        }
        self.value(key)
    }

    /// Deserializes a value.
    pub(super) fn deserialized<T: Deserialize<'a>>(
        &self,
        key: &str,
        value: Spanned<DeValue<'a>>,
    ) -> Option<T> {
        let span = value.span();
        match T::deserialize(value.into_deserializer()) {
            Ok(read) => Some(read),
            Err(error) => {
                let error: Error = error;
                let message = format!("`{key}`: {}", error.message());
                self.problems.add(error.span().or(Some(span)), message);
                None
            }
        }
    }

    /// Takes the value of a key and converts it, such as text to a pattern.
    pub(super) fn parsed<V: Deserialize<'a>, T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(V) -> Result<T, String>,
    ) -> Option<At<T>> {
        let value = self.value::<Spanned<V>>(key)?;
        self.parse(value, &parse)
    }

    /// Like [`Self::parsed`], without the line.
    pub(super) fn checked<V: Deserialize<'a>, T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(V) -> Result<T, String>,
    ) -> Option<T> {
        self.parsed(key, parse).map(|at| at.value)
    }

    /// Takes a list and converts its values; empty without the key.
    pub(super) fn list<V: Deserialize<'a>, T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(V) -> Result<T, String>,
    ) -> Vec<At<T>> {
        let values: Vec<Spanned<V>> = self.value(key).unwrap_or_default();
        let values = values.into_iter();
        values.filter_map(|v| self.parse(v, &parse)).collect()
    }

    pub(super) fn parse<V, T>(
        &self,
        value: Spanned<V>,
        parse: &impl Fn(V) -> Result<T, String>,
    ) -> Option<At<T>> {
        let line = self.problems.line(&value.span());
        match parse(value.into_inner()) {
            Ok(value) => Some(At { line, value }),
            Err(message) => {
                self.problems.at(line, message);
                None
            }
        }
    }

    /// Takes all remaining entries; `read` may read nested tables.
    pub(super) fn each<T>(
        &mut self,
        read: impl Fn(&Self, &str, Spanned<DeValue<'a>>) -> Option<T>,
    ) -> Vec<T> {
        let entries = std::mem::take(&mut self.entries).into_iter();
        let read = entries.filter_map(|(key, value)| read(self, key.get_ref(), value));
        read.collect()
    }

    /// Reads a table inside this one.
    pub(super) fn nested<T>(
        &self,
        span: Range<usize>,
        table: DeTable<'a>,
        read: impl Fn(&mut Self) -> T,
    ) -> T {
        Self::new(self.problems, span, table).read_with(read)
    }

    /// Takes and reads a `[key]`.
    pub(super) fn table<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(&mut Self) -> T,
    ) -> Option<T> {
        let value = self.take(key)?;
        self.read_table(key, value, &read)
    }

    /// Takes and reads each `[[key]]`.
    pub(super) fn tables<T>(&mut self, key: &'static str, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let Some(value) = self.take(key) else {
            return Vec::new();
        };
        let span = value.span();
        let DeValue::Array(items) = value.into_inner() else {
            let message = format!("`{key}` is a list of tables: write [[{key}]]");
            self.problems.add(Some(span), message);
            return Vec::new();
        };
        let tables = items.into_iter();
        tables
            .filter_map(|item| self.read_table(key, item, &read))
            .collect()
    }

    fn read_table<T>(
        &self,
        key: &str,
        value: Spanned<DeValue<'a>>,
        read: &impl Fn(&mut Self) -> T,
    ) -> Option<T> {
        let span = value.span();
        let DeValue::Table(table) = value.into_inner() else {
            let message = format!("`{key}` must be a table");
            self.problems.add(Some(span), message);
            return None;
        };
        Some(self.nested(span, table, read))
    }
}

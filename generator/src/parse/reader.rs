//! Deserializes TOML, and reports all problems of a file together: a value that is wrong is taken
//! out of the document, and the others are tried again.

use crate::base::failure::{self, Diagnostic, Result};
use crate::base::limits;
use crate::parse;
use crate::parse::collector::MAX_PROBLEMS;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// A value with its line.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub line: u32,
    pub value: T,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// `toml` says where a newtype is, whatever is wrong with it.
        #[derive(Deserialize)]
        struct Placed<T>(T);

        let spanned: Spanned<Placed<T>> = Spanned::deserialize(deserializer)?;
        Ok(Self {
            line: spanned.span().start as u32,
            value: spanned.into_inner().0,
        })
    }
}

/// A document whose spans are not offsets: the start is a line, and the end a number that no other
/// key or value has.
pub(super) struct Document<'a> {
    path: &'a Path,
    root: DeTable<'a>,
    pub(super) problems: Vec<Diagnostic>,
    /// Numbers of keys and values, and of values, so far.
    places: usize,
    values: usize,
}

impl<'a> Document<'a> {
    /// Parses `text`, the content of the file at `path`.
    pub(super) fn parse(path: &'a Path, text: &'a str) -> Result<Self> {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut document = Self {
            path,
            root: DeTable::new(),
            problems: Vec::new(),
            places: 0,
            values: 0,
        };
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let line_at = |offset| ends.partition_point(|end| *end < offset) as u32 + 1;
        for error in errors.iter().take(MAX_PROBLEMS) {
            let line = error.span().map_or(0, |span| line_at(span.start));
            document.problem(line, error.message());
        }
        let root = Spanned::new(0..0, DeValue::Table(root.into_inner()));
        if let DeValue::Table(root) = document.checked(root, &line_at).into_inner() {
            document.root = root;
        }
        failure::if_any(std::mem::take(&mut document.problems)).map(|()| document)
    }

    pub(super) fn problem(&mut self, line: u32, message: impl Display) {
        if self.problems.len() < MAX_PROBLEMS {
            let message = message.to_string().replace('\n', "; ");
            let problem = Diagnostic::at(self.path, line, message);
            self.problems.push(problem);
        }
    }

    fn place(&mut self, line: u32) -> Range<usize> {
        self.places += 1;
        line as usize..self.places
    }

    /// Checks decoded strings, because [`parse::text`] has not seen the characters behind escapes.
    fn checked(
        &mut self,
        value: Spanned<DeValue<'a>>,
        line_at: &impl Fn(usize) -> u32,
    ) -> Spanned<DeValue<'a>> {
        let line = line_at(value.span().start);
        let place = self.place(line);
        self.values += 1;
        // The document is one too.
        if self.values == limits::VALUES + 2 {
            self.problem(line, limits::exceeded(limits::VALUES, "values"));
        }
        let value = match value.into_inner() {
            DeValue::Array(items) => {
                let items = items.into_iter().map(|item| self.checked(item, line_at));
                DeValue::Array(items.collect())
            }
            DeValue::Table(table) => {
                let entries = table.into_iter().map(|(key, value)| {
                    let line = line_at(key.span().start);
                    self.check_text(key.get_ref(), line);
                    let key = Spanned::new(self.place(line), key.into_inner());
                    (key, self.checked(value, line_at))
                });
                DeValue::Table(entries.collect())
            }
            DeValue::String(text) => {
                self.check_text(&text, line);
                DeValue::String(text)
            }
            plain => plain,
        };
        Spanned::new(place, value)
    }

    fn check_text(&mut self, text: &str, line: u32) {
        if let Some((_, message)) = parse::direction_change(text) {
            self.problem(line, message);
        } else if text.len() > limits::WORDS {
            self.problem(line, limits::exceeded(limits::WORDS, "bytes in a text"));
        } else if text.contains('\n') && text.contains("+++") {
            let message = "`+++` in a text of several lines could end a page's front matter";
            self.problem(line, message);
        }
    }

    /// Takes out the entries of a table whose keys are the author's.
    pub(super) fn entries(&mut self, key: &str) -> DeTable<'a> {
        match self.root.get_mut(key).map(Spanned::get_mut) {
            Some(DeValue::Table(table)) => std::mem::take(table),
            _ => DeTable::new(),
        }
    }

    /// Deserializes what is left of the document.
    pub(super) fn rest<T: Deserialize<'a> + Default>(&mut self) -> T {
        let root = DeValue::Table(std::mem::take(&mut self.root));
        self.read("", Spanned::new(0..0, root)).unwrap_or_default()
    }

    /// Deserializes a value of the document, or what is left of it without values that are wrong;
    /// `None` if nothing is.
    pub(super) fn read<T: Deserialize<'a>>(
        &mut self,
        key: &str,
        mut value: Spanned<DeValue<'a>>,
    ) -> Option<T> {
        while self.problems.len() < MAX_PROBLEMS {
            let error = match T::deserialize(value.clone().into_deserializer()) {
                Ok(read) => return Some(read),
                Err(error) => error,
            };
            let error: toml::de::Error = error;
            let place = error.span().unwrap_or_else(|| value.span());
            let removed = remove(key, value.get_mut(), &place);
            let wrong = removed.as_deref().unwrap_or(key);
            self.problem(place.start as u32, explained(wrong, error.message()));
            removed?;
        }
        None
    }
}

/// Removes the key or value in a place, and returns the key that it belonged to.
fn remove(key: &str, value: &mut DeValue<'_>, place: &Range<usize>) -> Option<String> {
    match value {
        DeValue::Table(table) => {
            let mut entries = table.iter();
            let found = entries.find(|(k, v)| [k.span(), v.span()].contains(place));
            let Some(key) = found.map(|(key, _)| key.get_ref().to_string()) else {
                let mut entries = table.iter_mut();
                return entries.find_map(|(k, v)| remove(k.get_ref(), v.get_mut(), place));
            };
            table.remove(&*key);
            Some(key)
        }
        DeValue::Array(items) => {
            if items.iter().any(|item| item.span() == *place) {
                let all = std::mem::replace(items, DeArray::new()).into_iter();
                *items = all.filter(|item| item.span() != *place).collect();
                return Some(key.to_owned());
            }
            let mut items = items.iter_mut();
            items.find_map(|item| remove(key, item.get_mut(), place))
        }
        _ => None,
    }
}

/// Says which key is wrong, in the words of the file's documentation.
fn explained(key: &str, message: &str) -> String {
    let is_list = matches!(key, "implementation" | "comparison");
    let (what, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    if let Some(unknown) = what.strip_prefix("unknown field ") {
        let known = expected
            .trim_start_matches("one of ")
            .replace("` or `", "`, `");
        format!("unknown key {unknown}; known keys are {known}")
    } else if let Some(missing) = what.strip_prefix("missing field ") {
        match is_list {
            true => format!("[[{key}]] has no {}", missing.trim_matches('`')),
            false => format!("{missing} is missing"),
        }
    } else if expected == "a sequence" && is_list {
        format!("`{key}` is a list of tables: write [[{key}]]")
    } else if expected.starts_with("struct ") {
        format!("`{key}` must be a table")
    } else if what.starts_with("invalid ") || what.starts_with("unknown variant ") {
        format!("`{key}`: {message}")
    } else {
        message.to_owned()
    }
}

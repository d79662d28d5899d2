//! Sentences of front matter, which templates may show anywhere.

use super::Chunk;
use super::reader::plain;
use std::collections::{HashMap, HashSet};

/// Sentences with figures, recognised on any page by their words without the figures.
#[derive(Default)]
pub(crate) struct Sentences {
    known: HashSet<String>,
    by_shape: HashMap<String, String>,
}

impl Sentences {
    /// Adds the correct texts of pages.
    pub(crate) fn know<'a>(&mut self, chunks: impl IntoIterator<Item = &'a Chunk>) {
        self.known
            .extend(chunks.into_iter().map(|c| c.text.clone()));
    }

    /// Adds all strings of a front matter value.
    pub(crate) fn watch(&mut self, value: &toml::Value) {
        match value {
            toml::Value::String(text) => {
                let words: Vec<String> = text.split_whitespace().map(plain).collect();
                let text = words.join(" ");
                if let Some(shape) = shape(&text) {
                    self.known.insert(text.clone());
                    self.by_shape.insert(shape, text);
                }
            }
            toml::Value::Array(values) => values.iter().for_each(|v| self.watch(v)),
            toml::Value::Table(table) => table.values().for_each(|v| self.watch(v)),
            _ => {}
        }
    }

    /// The watched sentence that `text` shows with different figures.
    pub(crate) fn meant(&self, text: &str) -> Option<&str> {
        if self.known.contains(text) {
            return None;
        }
        Some(self.by_shape.get(&shape(text)?)?)
    }
}

/// Texts with fewer letters are too short to be recognised.
const MIN_LETTERS: usize = 12;

/// A sentence without its figures; `None` if it has none or is too short.
fn shape(text: &str) -> Option<String> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_figure = |c: char| c.is_ascii_digit();
    let shape: Vec<&str> = text.split(is_figure).collect();
    let figures = shape.len() > 1 && letters >= MIN_LETTERS;
    let shape = shape
        .into_iter()
        .filter(|part| !["", ",", "."].contains(part));
    figures.then(|| shape.collect::<Vec<_>>().join("#"))
}

//! Footnotes of a table, numbered from 1 in the order of their marks. Equal texts share a number.

use std::collections::HashMap;

/// The texts, in order.
#[derive(Clone, Debug, Default)]
pub struct Footnotes {
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Footnotes {
    /// Returns the number of a text, and adds the text if it is new.
    pub fn number(&mut self, text: impl Into<String>) -> usize {
        let text = text.into();
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        self.texts.push(text.clone());
        self.numbers.insert(text, self.texts.len());
        self.texts.len()
    }

    /// Returns the numbers of several texts.
    pub fn numbers(&mut self, texts: Vec<String>) -> Vec<usize> {
        texts.into_iter().map(|text| self.number(text)).collect()
    }

    /// Iterates over numbers and texts.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.texts.iter().map(String::as_str))
    }
}

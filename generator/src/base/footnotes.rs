//! Footnotes of a table, numbered from 1 in the order of their marks. Equal texts share a number.

/// The texts, in order.
#[derive(Clone, Debug, Default)]
pub struct Footnotes(Vec<String>);

impl Footnotes {
    /// Returns the number of a text, and adds the text if it is new.
    pub fn number(&mut self, text: impl Into<String>) -> usize {
        let text = text.into();
        let known = self.0.iter().position(|t| *t == text);
        known.unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        }) + 1
    }

    /// Returns the numbers of several texts.
    pub fn numbers(&mut self, texts: Vec<String>) -> Vec<usize> {
        texts.into_iter().map(|text| self.number(text)).collect()
    }

    /// Iterates over numbers and texts.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        self.0.iter().enumerate().map(|(i, text)| (i + 1, &**text))
    }
}

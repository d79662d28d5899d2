//! Footnotes of a table: each text once, numbered from 1 in the order of the marks.

/// The texts, in order.
#[derive(Clone, Debug, Default)]
pub struct Footnotes(Vec<String>);

impl Footnotes {
    /// The number of a text, which is added if it is new.
    pub fn number(&mut self, text: impl Into<String>) -> usize {
        let text = text.into();
        let known = self.0.iter().position(|t| *t == text);
        known.unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        }) + 1
    }

    /// Numbers with their texts.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        self.0.iter().enumerate().map(|(i, text)| (i + 1, &**text))
    }
}

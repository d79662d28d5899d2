//! Tables and graphs of pages.

use super::phrases::sentences;
use crate::base::footnotes::Footnotes;
use crate::chart::Drawing;
use crate::model::unit::{Scale, group_thousands};
use serde::Serialize;

/// A table with one header row and row headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Its CSS class: `results`, `changes`, `fit`, `history`.
    pub class: &'static str,
    /// Subject, unit and number of runs.
    pub caption: String,
    /// Heading of the row headers.
    pub corner: &'static str,
    /// One per column.
    pub head: Vec<Head>,
    pub rows: Vec<TableRow>,
    pub footnotes: Footnotes,
    /// Link to the explanation on the method page.
    pub about: Option<&'static str>,
    /// Note on the whole table.
    pub note: Option<String>,
    /// The `<summary>` of a collapsed table; `None` for a table that is always shown.
    pub summary: Option<String>,
}

/// A column's heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// `rustls`
    pub text: String,
    /// `0.23.37, aws-lc`, in smaller type.
    pub detail: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TableRow {
    /// Anchor.
    pub id: Option<String>,
    pub label: String,
    /// Link of the row header; without one, it leads to the row's own anchor.
    pub href: Option<String>,
    /// One per column.
    pub cells: Vec<TableCell>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TableCell {
    pub text: String,
    /// Link of the text.
    pub href: Option<String>,
    /// What a sign stands for: its tooltip, and the text for screen readers in its place.
    pub spoken: Option<&'static str>,
    /// Small text beside it, such as `± 0.3%`.
    pub detail: Option<String>,
    /// CSS class of the cell: `best`, `digest`, `missing`, `unsupported`, `untested`, `words`.
    pub class: Option<&'static str>,
    /// CSS class of a change: `faster` …; `None` if the cell is not a change.
    pub change: Option<&'static str>,
    pub footnotes: Vec<usize>,
}

/// An SVG file with its alternative text.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Graph {
    /// File name in the page's folder.
    pub file: String,
    /// Heading above the graph; `None` if the section's own title is enough.
    pub title: Option<String>,
    /// Alternative text: one sentence with the main figures.
    pub alt: String,
    /// The file itself. The page states its width and height, so that loading it shifts nothing.
    #[serde(flatten)]
    pub drawing: Drawing,
}

impl Table {
    /// Returns the first sentence of the caption, without its full stop.
    pub(crate) fn name(&self) -> &str {
        let first = self.caption.split(". ").next().unwrap_or_default();
        first.trim_end_matches('.')
    }

    /// Folds the table, if it is not folded yet.
    pub(crate) fn fold(&mut self) {
        let name = self.name().to_owned();
        self.summary.get_or_insert(name);
    }

    /// Adds a sentence below the table.
    pub(crate) fn noted(mut self, sentence: &str) -> Self {
        self.note = sentences([self.note, Some(sentence.to_owned())]);
        self
    }

    /// Returns the table folded.
    pub(crate) fn folded(mut self) -> Self {
        self.fold();
        self
    }

    /// Removes the links to pages over all reports, for a site without them.
    pub(crate) fn unlink(&mut self) {
        self.about = None;
        for row in &mut self.rows {
            row.href = None;
        }
    }
}

impl From<&str> for Head {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }
}

impl Head {
    pub(super) fn of<const N: usize>(texts: [&str; N]) -> Vec<Self> {
        texts.map(Self::from).to_vec()
    }

    pub(super) fn with_detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }
}

impl TableRow {
    /// Creates a row with an anchor.
    pub(super) fn anchored(id: String, label: String, cells: Vec<TableCell>) -> Self {
        Self {
            id: Some(id),
            ..Self::new(label, cells)
        }
    }

    /// Creates a row whose header is a link.
    pub(super) fn linked(href: String, label: String, cells: Vec<TableCell>) -> Self {
        Self {
            href: Some(href),
            ..Self::new(label, cells)
        }
    }

    /// Returns the cell of the change, the last but one in tables of two sides.
    pub(super) fn change(&mut self) -> &mut TableCell {
        let change = self.cells.len() - 2;
        &mut self.cells[change]
    }

    pub(super) fn new(label: impl Into<String>, cells: Vec<TableCell>) -> Self {
        Self {
            label: label.into(),
            cells,
            ..Self::default()
        }
    }
}

impl TableCell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Creates a left-aligned cell.
    pub(super) fn words(text: impl Into<String>) -> Self {
        Self {
            class: Some("words"),
            ..Self::text(text)
        }
    }

    pub(super) fn figure(value: Option<f64>, scale: &Scale) -> Self {
        value.map_or_else(Self::missing, |v| Self::text(scale.show(v)))
    }

    pub(super) fn number(value: f64, decimals: usize) -> Self {
        Self::text(group_thousands(&format!("{value:.decimals$}")))
    }

    pub(super) fn missing() -> Self {
        Self {
            class: Some("missing"),
            ..Self::text("–")
        }
    }

    pub(super) fn with_detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }
}

impl Graph {
    /// Returns the number of words that it shows, and of its title.
    pub(super) fn words(&self) -> usize {
        let title = self.title.as_deref().unwrap_or_default();
        self.drawing.words() + title.split_whitespace().count() + 1
    }

    /// Draws a graph; `name` is its file name without the extension.
    pub(super) fn new(
        name: &str,
        title: String,
        alt: String,
        draw: impl FnOnce(&str, &str) -> Drawing,
    ) -> Self {
        Self {
            file: format!("{name}.svg"),
            drawing: draw(&title, &alt),
            title: Some(title),
            alt,
        }
    }

    /// Removes the title, for a graph below a section's own title.
    pub(super) fn untitled(mut self) -> Self {
        self.title = None;
        self
    }
}

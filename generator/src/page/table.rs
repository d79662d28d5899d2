//! Tables and graphs of pages.

use crate::chart::{Caption, Drawing};
use crate::footnotes::Footnotes;
use crate::unit::Scale;
use serde::Serialize;

/// A table with one header row and row headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Its CSS class: `results`, `changes`, `comparison`, `fit`, `history`.
    pub class: &'static str,
    /// What it shows, in what unit, of how many runs.
    pub caption: String,
    /// Heading of the row headers.
    pub corner: &'static str,
    /// One a column.
    pub head: Vec<Head>,
    pub rows: Vec<TableRow>,
    pub footnotes: Footnotes,
    /// Where the method page explains it; empty for nowhere.
    pub about: &'static str,
    /// What holds for the whole table; empty for nothing.
    pub note: String,
    /// What a reader opens the table by; empty for one that is in sight.
    pub summary: String,
}

/// A column's heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// `rustls`
    pub text: String,
    /// `0.23.37, aws-lc`, set smaller.
    pub detail: String,
    /// Where the text leads; empty for nowhere.
    pub href: String,
    /// What a screen reader says of the link, beginning with its text.
    pub spoken: String,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableRow {
    /// Anchor; empty for none.
    pub id: String,
    pub label: String,
    /// Where the row header leads; empty for its own anchor or nowhere.
    pub href: String,
    /// One a column.
    pub cells: Vec<TableCell>,
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableCell {
    pub text: String,
    /// Where the text leads; empty for nowhere.
    pub href: String,
    /// What a screen reader says instead of a sign; empty where the text is words.
    pub spoken: &'static str,
    /// What stands small beside it, such as `± 0.3%`.
    pub detail: String,
    /// Shown where a pointer rests.
    pub title: String,
    /// CSS class of the cell: `best`, `digest`, `missing`, `unsupported`, `untested`, `words`.
    pub class: &'static str,
    /// Class of a change's word: `faster` …; empty if the cell is no change.
    pub change: &'static str,
    pub footnotes: Vec<usize>,
}

/// An SVG file with its alternative text.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Graph {
    /// Its name in the page's folder.
    pub file: String,
    /// Above the graph, where a section has several; empty where the section's own title says it.
    pub title: String,
    /// What it shows, with the figures that matter, in a sentence.
    pub alt: String,
    /// Where its figures are, if not where those of the whole page are.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub data: String,
    /// The file itself; a page gives its width and height, so that nothing moves when it comes.
    #[serde(flatten)]
    pub drawing: Drawing,
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
}

impl TableRow {
    /// A row that others can link to.
    pub(super) fn anchored(id: String, label: String, cells: Vec<TableCell>) -> Self {
        Self {
            id,
            ..Self::new(label, cells)
        }
    }

    /// A row that leads elsewhere, or nowhere.
    pub(super) fn linked(href: String, label: String, cells: Vec<TableCell>) -> Self {
        Self {
            href,
            ..Self::new(label, cells)
        }
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

    /// Set like text, to the left.
    pub(super) fn words(text: impl Into<String>) -> Self {
        Self {
            class: "words",
            ..Self::text(text)
        }
    }

    pub(super) fn figure(value: Option<f64>, scale: &Scale) -> Self {
        value.map_or_else(Self::missing, |v| Self::text(scale.show(v)))
    }

    /// `~`, for the reason given.
    pub(super) fn no_difference(reason: &'static str) -> Self {
        Self {
            spoken: reason,
            title: reason.to_owned(),
            change: "none",
            ..Self::text("~")
        }
    }

    pub(super) fn missing() -> Self {
        Self {
            class: "missing",
            ..Self::text("–")
        }
    }

    pub(super) fn with_detail(self, detail: String) -> Self {
        Self { detail, ..self }
    }
}

impl Graph {
    /// The graph that `draw` makes; `name` is its file's without the ending.
    pub(super) fn new(
        name: &str,
        title: String,
        alt: String,
        draw: impl FnOnce(Caption) -> Drawing,
    ) -> Self {
        let caption = Caption {
            title: title.clone(),
            description: alt.clone(),
        };
        Self {
            file: format!("{name}.svg"),
            drawing: draw(caption),
            title,
            alt,
            data: String::new(),
        }
    }

    /// The same under a section's own title.
    pub(super) fn untitled(self) -> Self {
        Self {
            title: String::new(),
            ..self
        }
    }
}

//! Tables in HTML: a header row, row headers, footnotes.

use crate::base::footnotes::Footnotes;
use crate::model::scale::{Scale, group_thousands};
use crate::report::{Cell, words};
use crate::site::words::phrases::sentences;

/// A table with one header row and row headers.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct HtmlTable {
    /// Its CSS classes: `results`, `changes`, `fit`, `fit pairs`, `history`.
    pub class: &'static str,
    /// What it shows.
    pub name: String,
    /// What follows the name in its caption: the unit and what else a reader has to know.
    pub caption: String,
    /// Heading of the row headers.
    pub corner: &'static str,
    /// One per column.
    pub head: Vec<Head>,
    pub rows: Vec<HtmlRow>,
    pub footnotes: Footnotes,
    /// Link to the explanation on the method page.
    pub about: Option<&'static str>,
    /// Note on the whole table.
    pub note: Option<String>,
}

/// A column's heading.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct Head {
    /// `rustls`
    pub text: String,
    /// `0.23.37, aws-lc`, in smaller type.
    pub detail: Option<String>,
    /// The label of the scenario that the column is of; empty if it is of none.
    pub of: String,
}

#[derive(Clone, Debug, Default)]
pub(in crate::site) struct HtmlRow {
    /// Anchor.
    pub id: Option<String>,
    /// The label of its scenario; empty if it is of none.
    pub of: String,
    pub label: String,
    /// Link of the row header; without one, it leads to the row's own anchor.
    pub href: Option<String>,
    /// One per column.
    pub cells: Vec<HtmlCell>,
}

#[derive(Clone, Debug, Default)]
pub(in crate::site) struct HtmlCell {
    pub text: String,
    /// Link of the text.
    pub href: Option<String>,
    /// What a sign stands for: its tooltip, and the text for screen readers in its place.
    pub spoken: Option<String>,
    /// Small text beside it, such as `± 0.3%`.
    pub detail: Option<String>,
    /// Whether it is among the best of its row, which a star marks.
    pub is_best: bool,
    /// CSS class of the cell: `digest`, `missing`, `unsupported`, `untested`, `words`.
    pub class: Option<&'static str>,
    /// CSS class of a change: `faster` …; `None` if the cell is not a change.
    pub change: Option<&'static str>,
    pub footnotes: Vec<usize>,
}

impl HtmlTable {
    /// Adds a sentence below the table.
    pub(in crate::site) fn noted(mut self, sentence: &str) -> Self {
        self.note = sentences([self.note, Some(sentence.to_owned())]);
        self
    }

    /// Removes the links to pages over all reports, for a site without them.
    pub(in crate::site) fn unlink(&mut self) {
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
    pub(in crate::site) fn of<const N: usize>(texts: [&str; N]) -> Vec<Self> {
        texts.map(Self::from).to_vec()
    }

    pub(in crate::site) fn with_detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }

    pub(in crate::site) fn of_scenario(mut self, label: String) -> Self {
        self.of = label;
        self
    }
}

impl HtmlRow {
    /// Creates a row with an anchor.
    pub(in crate::site) fn anchored(id: String, label: String, cells: Vec<HtmlCell>) -> Self {
        Self {
            id: Some(id),
            ..Self::new(label, cells)
        }
    }

    /// Creates a row whose header is a link.
    pub(in crate::site) fn linked(href: String, label: String, cells: Vec<HtmlCell>) -> Self {
        Self {
            href: Some(href),
            ..Self::new(label, cells)
        }
    }

    pub(in crate::site) fn of_scenario(mut self, label: String) -> Self {
        self.of = label;
        self
    }

    /// Returns the cell of the change, the last but one in tables of two sides.
    pub(in crate::site) fn change(&mut self) -> &mut HtmlCell {
        let change = self.cells.len() - 2;
        &mut self.cells[change]
    }

    pub(in crate::site) fn new(label: impl Into<String>, cells: Vec<HtmlCell>) -> Self {
        Self {
            label: label.into(),
            cells,
            ..Self::default()
        }
    }
}

impl HtmlCell {
    pub(in crate::site) fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Creates a left-aligned cell.
    pub(in crate::site) fn words(text: impl Into<String>) -> Self {
        Self {
            class: Some("words"),
            ..Self::text(text)
        }
    }

    /// A figure with half the width of its interval, and the mark of an unsteady one.
    pub(in crate::site) fn figure(cell: &Cell, scale: &Scale) -> Self {
        let Some(figure) = &cell.figure else {
            return Self::missing();
        };
        Self {
            class: cell.is_unsteady.then_some("unsteady"),
            detail: words::spread(figure),
            ..Self::text(figure.shown(scale))
        }
    }

    pub(in crate::site) fn estimate(value: Option<f64>, scale: &Scale) -> Self {
        value.map_or_else(Self::missing, |v| Self::text(scale.show(v)))
    }

    pub(in crate::site) fn number(value: f64, decimals: usize) -> Self {
        Self::text(group_thousands(&format!("{value:.decimals$}")))
    }

    pub(in crate::site) fn missing() -> Self {
        Self {
            class: Some("missing"),
            ..Self::text("–")
        }
    }

    pub(in crate::site) fn with_detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }
}

//! Tables for people: what HTML, terminals and Markdown are written of.

use super::compare::{Compared, Side};
use super::{Cell, Report, words};
use crate::base::footnotes::Footnotes;
use crate::model::scale::group_thousands;
use crate::stats::{Comparison, Verdict};

/// A table with one header row and row headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Its CSS classes: `results`, `changes`, `fit`, `history`.
    pub class: &'static str,
    /// What it shows.
    pub name: String,
    /// What follows the name in its caption: what else a reader has to know.
    pub caption: String,
    /// Heading of the row headers.
    pub corner: &'static str,
    /// One per column.
    pub head: Vec<Head>,
    pub rows: Vec<GridRow>,
    pub footnotes: Footnotes,
    /// Note on the whole table.
    pub note: Option<String>,
}

/// A column's heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// `rustls`
    pub text: String,
    /// `0.23.37, aws-lc`, in smaller type.
    pub detail: Option<String>,
    /// The label of the scenario that the column is of; empty if it is of none.
    pub of: String,
    /// Whether its cells are text, which is aligned to the left.
    pub is_text: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GridRow {
    /// The label of its scenario; empty if it is of none.
    pub of: String,
    pub label: String,
    /// Link of the row header.
    pub link: Option<Link>,
    /// One per column.
    pub cells: Vec<GridCell>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GridCell {
    pub text: String,
    pub look: Look,
    pub link: Option<Link>,
    /// What a sign stands for: its tooltip, and the text for screen readers in its place.
    pub spoken: Option<String>,
    /// Small text beside it, such as `±0.3%`.
    pub detail: Option<String>,
    /// Whether it is among the best of its row, which a star marks.
    pub is_best: bool,
    pub footnotes: Vec<usize>,
}

/// What a cell is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Look {
    #[default]
    Figure,
    Text,
    Missing,
    Unsteady,
    Unsupported,
    Verdict(Verdict),
}

/// Where a link leads; whoever writes a table knows the address, or that there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// The page of the scenario with this label.
    Scenario(String),
    /// The page of this library.
    Library(String),
    /// The comparison of two builds, baseline and candidate: the name of the report of each, and the
    /// build.
    Pair([(String, String); 2]),
    /// An address outside, or an anchor of the page.
    Address(String),
}

impl Link {
    pub(crate) fn pair(sides: [Side<'_>; 2]) -> Self {
        Self::Pair(
            sides.map(|(report, build)| (report.name.clone(), report.build(build).to_string())),
        )
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
    /// The heading of a column of text.
    pub(crate) fn text(text: &str) -> Self {
        Self {
            is_text: true,
            ..Self::from(text)
        }
    }

    /// The heading of a build.
    pub(crate) fn build(report: &Report, build: usize) -> Self {
        let name = &report.builds[build].name;
        let detail = Some(name.version_and_variant()).filter(|detail| !detail.is_empty());
        Self::from(&*name.library).with_detail(detail)
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }

    pub(crate) fn of_scenario(mut self, label: String) -> Self {
        self.of = label;
        self
    }
}

impl GridRow {
    pub(crate) fn new(label: impl Into<String>, cells: Vec<GridCell>) -> Self {
        Self {
            label: label.into(),
            cells,
            ..Self::default()
        }
    }

    /// Says that the row is of a scenario, to whose page it leads.
    pub(crate) fn of_scenario(mut self, label: String) -> Self {
        self.link = Some(Link::Scenario(label.clone()));
        self.of = label;
        self
    }

    pub(crate) fn linked(mut self, link: Link) -> Self {
        self.link = Some(link);
        self
    }
}

impl<T: Into<String>> From<T> for GridCell {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

impl GridCell {
    /// Creates a cell of text, which is aligned to the left, or without text one that is missing.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let cell = Self::from(text);
        match cell.text.is_empty() {
            true => Self::missing(),
            false => Self {
                look: Look::Text,
                ..cell
            },
        }
    }

    /// A figure with half the width of its interval, or why there is none.
    pub(crate) fn figure(cell: Option<&Cell>) -> Self {
        match cell {
            Some(Cell {
                figure: Some(figure),
                is_unsteady,
                ..
            }) => Self {
                look: match is_unsteady {
                    true => Look::Unsteady,
                    false => Look::Figure,
                },
                detail: words::spread(figure),
                ..Self::from(&*figure.text)
            },
            Some(Cell {
                unsupported: Some(_),
                ..
            }) => Self {
                look: Look::Unsupported,
                ..Self::from("unsupported")
            },
            _ => Self::missing(),
        }
    }

    /// The verdict on a row, if there is one, as a sign where no difference is shown.
    pub(crate) fn verdict<'a>(known: impl Into<Option<&'a Comparison>>) -> Self {
        let Some(known) = known.into() else {
            return Self::missing();
        };
        let is_sign = matches!(known.verdict, Verdict::Same | Verdict::NotShown);
        Self {
            spoken: is_sign.then(|| words::verdict_in_words(known)),
            look: Look::Verdict(known.verdict),
            ..Self::from(words::verdict(known))
        }
    }

    /// The verdict with its evidence.
    pub(crate) fn change(one: &Compared<'_>) -> Self {
        Self {
            detail: Some(words::evidence(one)).filter(|_| one.verdict() != Verdict::Untested),
            ..Self::verdict(&one.known)
        }
    }

    pub(crate) fn number(value: f64, decimals: usize) -> Self {
        Self::from(group_thousands(&format!("{value:.decimals$}")))
    }

    pub(crate) fn missing() -> Self {
        Self {
            look: Look::Missing,
            ..Self::from("–")
        }
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into();
        self
    }

    pub(crate) fn linked(mut self, link: Link) -> Self {
        self.link = Some(link);
        self
    }
}

/// The caveats of a table: those of all figures once below it, the others as footnotes.
#[derive(Default)]
pub(crate) struct Caveats {
    /// Caveats that apply to every figure.
    common: Vec<String>,
    pub(crate) footnotes: Footnotes,
}

/// Explains the mark of an unsteady figure.
const UNSTEADY: &str = "unsteady: half of its interval is wider than 5%";

impl Caveats {
    /// Collects the caveats of a table of these cells.
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a Cell> + Clone) -> Self {
        let mut figures = cells.filter(|c| !c.values.is_empty());
        let first = figures.next().map(|c| c.caveats.clone());
        let mut common = first.unwrap_or_default();
        common.retain(|caveat| figures.clone().all(|c| c.caveats.contains(caveat)));
        Self {
            common,
            footnotes: Footnotes::default(),
        }
    }

    /// Returns a figure with its footnotes.
    pub(crate) fn figure(&mut self, cell: Option<&Cell>) -> GridCell {
        let mut shown = GridCell::figure(cell);
        let Some(cell) = cell else { return shown };
        let own = cell.caveats.iter().filter(|c| !self.common.contains(c));
        shown.footnotes = own.map(|c| self.footnotes.number(c)).collect();
        match (shown.look, &cell.unsupported) {
            (Look::Unsupported, Some(reason)) => {
                shown.footnotes.push(self.footnotes.number(reason));
            }
            (Look::Unsteady, _) => shown.footnotes.push(self.footnotes.number(UNSTEADY)),
            _ => {}
        }
        shown.footnotes.sort_unstable();
        shown
    }

    /// Writes what was collected below a table.
    pub(crate) fn below(self, grid: &mut Grid) {
        let all = (!self.common.is_empty())
            .then(|| format!("All figures: {}.", crate::base::words::join(&self.common)));
        grid.note = words::sentences([grid.note.take(), all]);
        grid.footnotes = self.footnotes;
    }
}

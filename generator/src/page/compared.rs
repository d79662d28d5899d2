//! How pages show two implementations side by side.

use super::{Head, TableCell};
use crate::report::{ComparedRow, ComparedTable, p_equation};
use crate::stats::{self, Rules, Verdict};

/// The rows of a table, and what they share.
pub(super) struct Shared<'a> {
    pub(super) table: ComparedTable<'a>,
    /// The runs of every row with a test, if they are the same in all; empty without tests.
    runs: String,
    /// What stands below each change.
    detail: &'static str,
}

impl<'a> Shared<'a> {
    pub(super) fn of(rows: Vec<ComparedRow<'a>>) -> Self {
        let tested = |row: &&ComparedRow| row.comparison.is_some_and(|c| c.test.is_some());
        let mut runs: Vec<String> = rows
            .iter()
            .filter(tested)
            .map(ComparedRow::runs_text)
            .collect();
        runs.dedup();
        let intervals = rows.iter().any(|row| row.interval_text().is_some());
        Self {
            detail: match (runs.is_empty(), intervals) {
                (true, _) => "",
                (_, false) => "p",
                (_, true) => "95% interval, p",
            },
            runs: match runs.as_slice() {
                [same] => same.clone(),
                _ => String::new(),
            },
            table: ComparedTable::new(rows),
        }
    }

    /// The caption with the number of runs.
    pub(super) fn caption(&self, what: String) -> String {
        if self.runs.is_empty() {
            what
        } else {
            format!("{what}, n = {}", self.runs)
        }
    }

    /// The heading of changes.
    pub(super) fn head(&self, text: &str) -> Head {
        Head {
            text: text.to_owned(),
            detail: self.detail.to_owned(),
        }
    }

    pub(super) fn unit(&self, row: &ComparedRow) -> TableCell {
        TableCell {
            class: "words",
            ..TableCell::text(self.table.scale(row).symbol.as_str())
        }
    }

    pub(super) fn figures(&self, row: &ComparedRow) -> [TableCell; 2] {
        let scale = self.table.scale(row);
        let figure = |v: f64| TableCell::text(scale.show(v));
        row.estimates
            .map(|v| v.map_or_else(TableCell::missing, figure))
    }

    /// `0.978–0.992, p = 0.013`: what a change is believed by; empty for single figures.
    pub(super) fn evidence(&self, row: &ComparedRow) -> String {
        let Some(p) = row.p() else {
            return String::new();
        };
        let runs = self
            .runs
            .is_empty()
            .then(|| format!("n\u{a0}=\u{a0}{}", row.runs_text()));
        let interval = row.interval_text().into_iter();
        let parts: Vec<String> = interval.chain([p_equation(p)]).chain(runs).collect();
        parts.join(", ")
    }
}

/// `1.54x slower`; `~` where no difference is shown; below it what it is believed by.
pub(super) fn change_cell(row: &ComparedRow, evidence: String) -> TableCell {
    let Some(known) = row.comparison else {
        return TableCell::missing();
    };
    let cell = match known.verdict {
        Verdict::None if is_significant(&known) => {
            TableCell::no_difference("a difference of less than 1%")
        }
        Verdict::None => TableCell::no_difference("no difference shown"),
        Verdict::TooFew => TableCell::no_difference("too few runs to show a difference"),
        verdict => TableCell {
            text: known.change.to_string(),
            change: known.change.word().word(),
            class: untested_class(verdict),
            ..TableCell::default()
        },
    };
    TableCell {
        detail: evidence,
        ..cell
    }
}

/// What is real may still be too small to speak of.
fn is_significant(known: &stats::Comparison) -> bool {
    known
        .adjusted_p
        .is_some_and(|p| p <= Rules::default().alpha)
}

pub(super) fn untested_class(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Untested {
        "untested"
    } else {
        ""
    }
}

//! A row of a comparison: as a record of CSV and JSON, and as cells of text and Markdown.

use super::{ComparedSides, Line};
use crate::cli::arguments::Compare;
use crate::cli::grid::{Column, Field, Record};
use crate::report::{Cell, Compared, GridCell, Look, words};
use crate::stats::{Comparison, MIN_SAMPLE_FOR_TEST, Verdict};

/// The columns for people.
pub(super) const COLUMNS: [Column; 10] = [
    ("scenario", false),
    ("unit", false),
    ("baseline", true),
    ("candidate", true),
    ("ratio", true),
    ("change", false),
    ("95% interval", false),
    ("p", true),
    ("n", true),
    ("", false),
];

/// Returns the record of a line.
pub(super) fn record(line: &Line<'_>, table: &ComparedSides<'_>) -> Record<22> {
    let unit = &line.row.unit;
    let printed = |value: Option<f64>| Field::Number(value.map(|value| unit.printed(value)));
    let [old, new] = line.cells.map(|cell| cell.and_then(Cell::interval));
    let [baseline, candidate] = match &line.compared {
        Some(one) => one.estimates.map(Some),
        None => line.cells.map(|cell| cell.and_then(Cell::estimate)),
    };
    let [old_runs, new_runs] = line.runs();
    let known = line.compared.map(|one| one.known);
    let ratio = known.map(|c| c.change.ratio).filter(|r| r.is_finite());
    let interval = known.and_then(|c| c.interval);
    let [old_label, new_label] = table.sides.map(|side| side.label.as_str());
    let builds = table.builds.map(|(report, build)| report.build(build));
    let [old_build, new_build] = builds.map(|build| Field::Text(build.to_string()));
    let change = known.map_or_else(String::new, |c| c.change.to_string());
    [
        ("scenario", Field::Text(line.row.scenario.label())),
        ("unit", unit.symbol().into()),
        ("baseline", printed(baseline)),
        ("baseline_low", printed(old.map(|i| i.low))),
        ("baseline_high", printed(old.map(|i| i.high))),
        ("baseline_n", old_runs.into()),
        ("candidate", printed(candidate)),
        ("candidate_low", printed(new.map(|i| i.low))),
        ("candidate_high", printed(new.map(|i| i.high))),
        ("candidate_n", new_runs.into()),
        ("ratio", Field::Number(ratio)),
        ("ratio_low", Field::Number(interval.map(|i| i.low))),
        ("ratio_high", Field::Number(interval.map(|i| i.high))),
        ("p", Field::Number(known.and_then(|c| c.test).map(|t| t.p))),
        (
            "p_adjusted",
            Field::Number(known.and_then(|c| c.adjusted_p)),
        ),
        (
            "verdict",
            known.as_ref().map_or("missing", words::verdict_word).into(),
        ),
        ("change", Field::Text(change)),
        ("baseline_label", old_label.into()),
        ("baseline_implementation", old_build),
        ("candidate_label", new_label.into()),
        ("candidate_implementation", new_build),
        ("remark", Field::Text(line.caveats().join("; "))),
    ]
}

/// `1.543`, or `–` where a side is 0.
fn ratio(ratio: f64) -> String {
    match ratio.is_normal() {
        true => format!("{ratio:.3}"),
        false => "–".to_owned(),
    }
}

impl Line<'_> {
    /// Returns its cells for [`COLUMNS`]; `marks` refer to its footnotes.
    pub(super) fn shown(&self, marks: String) -> Vec<GridCell> {
        let known = self.compared.as_ref().map(|one| &one.known);
        let or_none = |text: Option<String>| text.map_or_else(GridCell::default, GridCell::from);
        vec![
            self.row.scenario.label().into(),
            self.row.scale.symbol.as_str().into(),
            self.figure(0).into(),
            self.figure(1).into(),
            or_none(known.map(|c| ratio(c.change.ratio))),
            known.map_or_else(GridCell::missing, |known| GridCell {
                look: Look::Verdict(known.verdict),
                ..GridCell::from(words::verdict(known))
            }),
            or_none(known.and_then(words::interval)),
            or_none(known.and_then(Comparison::p).map(words::p)),
            words::both_runs(self.runs()).into(),
            marks.into(),
        ]
    }

    /// `6,503.58 ±0.3%`: a side's figure, and half the interval of the median.
    fn figure(&self, side: usize) -> String {
        let Some(cell) = self.cells[side] else {
            return "–".to_owned();
        };
        match (&cell.figure, &cell.unsupported) {
            (Some(figure), _) => {
                let estimate = match &self.compared {
                    Some(one) => one.estimates[side],
                    None => figure.estimate,
                };
                let spread = words::spread(figure).map(|spread| format!(" {spread}"));
                self.row.scale.show(estimate) + &spread.unwrap_or_default()
            }
            (None, Some(_)) => "unsupported".to_owned(),
            (None, None) => "–".to_owned(),
        }
    }

    /// Returns the number of values of each side.
    pub(super) fn runs(&self) -> [usize; 2] {
        self.cells.map(|cell| cell.map_or(0, |c| c.values.len()))
    }

    /// Returns what the sides lack, and the caveats in their files.
    pub(super) fn caveats(&self) -> Vec<String> {
        let mut caveats = Vec::new();
        for (name, cell) in ["baseline", "candidate"].into_iter().zip(self.cells) {
            caveats.extend(match (cell, cell.and_then(Cell::unsupported)) {
                (_, Some(unsupported)) => Some(format!("{name}: {unsupported}")),
                (Some(cell), None) if !cell.values.is_empty() => None,
                _ => Some(format!("not in the {name}")),
            });
        }
        match &self.compared {
            Some(one) => {
                let sides = ["both sides", "baseline", "candidate"].into_iter();
                for (whose, own) in sides.zip(one.caveats()) {
                    caveats.extend(own.iter().map(|caveat| format!("{whose}: {caveat}")));
                }
            }
            None if caveats.is_empty() => {
                caveats.push("the figures are too far apart for a ratio".to_owned());
            }
            None => {}
        }
        caveats
    }

    /// Returns its footnotes in text and Markdown: the caveats, and why the verdict is not what
    /// ratio or p suggest.
    pub(super) fn footnotes(&self, arguments: &Compare) -> Vec<String> {
        let mut footnotes = self.caveats();
        footnotes.extend(self.compared.and_then(|one| why_not(&one, arguments)));
        footnotes
    }
}

/// Returns why a comparison shows less than its ratio or p suggest.
fn why_not(one: &Compared<'_>, arguments: &Compare) -> Option<String> {
    let rules = arguments.rules();
    let is_significant = one.known.adjusted_p.is_some_and(|p| p <= rules.alpha);
    match one.verdict() {
        Verdict::Untested => Some(format!(
            "untested, since a test needs {MIN_SAMPLE_FOR_TEST} runs a side"
        )),
        Verdict::NotShown if one.known.is_too_small(rules.alpha) => Some(format!(
            "too few runs: p stays above {} however clear the difference",
            rules.alpha
        )),
        _ if one.is_change() => None,
        _ if is_significant && one.known.change.size() - 1.0 < rules.threshold => Some(format!(
            "significant, but less than {}%",
            arguments.threshold
        )),
        _ => one.is_within_control(&rules),
    }
}

//! A row of a comparison: as a record of CSV and JSON, and as cells of text and Markdown.

use super::{ComparedSides, Line};
use crate::cli::arguments::Compare;
use crate::cli::grid::{Column, OutputFormat, field, number};
use crate::report::{Cell, Compared, GridCell, Look, words};
use crate::stats::{Comparison, MIN_SAMPLE_FOR_TEST, Verdict};
use serde::Serialize;

/// Names and order of the fields are stable; new ones go to the end.
#[derive(Debug, Serialize)]
pub(super) struct Record {
    scenario: Option<String>,
    unit: Option<String>,
    #[serde(serialize_with = "number")]
    baseline: Option<f64>,
    #[serde(serialize_with = "number")]
    baseline_low: Option<f64>,
    #[serde(serialize_with = "number")]
    baseline_high: Option<f64>,
    baseline_n: usize,
    #[serde(serialize_with = "number")]
    candidate: Option<f64>,
    #[serde(serialize_with = "number")]
    candidate_low: Option<f64>,
    #[serde(serialize_with = "number")]
    candidate_high: Option<f64>,
    candidate_n: usize,
    #[serde(serialize_with = "number")]
    ratio: Option<f64>,
    #[serde(serialize_with = "number")]
    ratio_low: Option<f64>,
    #[serde(serialize_with = "number")]
    ratio_high: Option<f64>,
    #[serde(serialize_with = "number")]
    p: Option<f64>,
    #[serde(serialize_with = "number")]
    p_adjusted: Option<f64>,
    verdict: &'static str,
    change: Option<String>,
    baseline_label: Option<String>,
    baseline_implementation: Option<String>,
    candidate_label: Option<String>,
    candidate_implementation: Option<String>,
    remark: Option<String>,
}

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

impl Record {
    pub(super) fn new(line: &Line<'_>, table: &ComparedSides<'_>, format: OutputFormat) -> Self {
        let text = |text: String| field(format, &text);
        let unit = &line.row.unit;
        let [old, new] = line.cells.map(|cell| cell.and_then(Cell::interval));
        let estimates = match &line.compared {
            Some(one) => one.estimates.map(Some),
            None => line.cells.map(|cell| cell.and_then(Cell::estimate)),
        };
        let [old_runs, new_runs] = line.runs();
        let known = line.compared.map(|one| one.known);
        let interval = known.and_then(|c| c.interval);
        let labels = table.sides.map(|side| text(side.label.clone()));
        let builds = table
            .builds
            .map(|(report, build)| report.build(build).to_string());
        let [baseline_label, candidate_label] = labels;
        let [baseline_implementation, candidate_implementation] = builds.map(text);
        Self {
            scenario: text(line.row.scenario.label()),
            unit: text(unit.symbol().to_owned()),
            baseline: estimates[0].map(|value| unit.printed(value)),
            baseline_low: old.map(|i| unit.printed(i.low)),
            baseline_high: old.map(|i| unit.printed(i.high)),
            baseline_n: old_runs,
            candidate: estimates[1].map(|value| unit.printed(value)),
            candidate_low: new.map(|i| unit.printed(i.low)),
            candidate_high: new.map(|i| unit.printed(i.high)),
            candidate_n: new_runs,
            ratio: known.map(|c| c.change.ratio).filter(|r| r.is_finite()),
            ratio_low: interval.map(|i| i.low),
            ratio_high: interval.map(|i| i.high),
            p: known.and_then(|c| c.test).map(|t| t.p),
            p_adjusted: known.and_then(|c| c.adjusted_p),
            verdict: known.as_ref().map_or("missing", words::verdict_word),
            change: known.and_then(|c| text(c.change.to_string())),
            baseline_label,
            baseline_implementation,
            candidate_label,
            candidate_implementation,
            remark: text(line.caveats().join("; ")),
        }
    }
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
            GridCell {
                look: known.map_or(Look::Missing, |known| Look::Verdict(known.verdict)),
                ..GridCell::from(self.change())
            },
            or_none(known.and_then(words::interval)),
            or_none(known.and_then(Comparison::p).map(words::p)),
            words::both_runs(self.runs()).into(),
            marks.into(),
        ]
    }

    /// `1.54x slower`, `~`, or `–` if there is nothing to compare.
    pub(super) fn change(&self) -> String {
        let known = self.compared.as_ref();
        known.map_or_else(|| "–".to_owned(), |one| words::verdict(&one.known))
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
            let lack = match cell.map(|c| (c.unsupported.as_deref(), c.values.as_slice())) {
                None => format!("not in the {name}"),
                Some((Some("unsupported"), _)) => format!("{name}: unsupported"),
                Some((Some(reason), _)) => format!("{name} unsupported: {reason}"),
                Some((None, [])) => format!("no figure in the {name}"),
                Some((None, _)) => continue,
            };
            caveats.push(lack);
        }
        let sides = ["both sides", "baseline", "candidate"];
        let of_sides = self
            .compared
            .iter()
            .flat_map(|one| sides.into_iter().zip(one.caveats()));
        for (whose, of_sides) in of_sides {
            caveats.extend(of_sides.iter().map(|caveat| format!("{whose}: {caveat}")));
        }
        let has_figures = self
            .cells
            .iter()
            .all(|cell| cell.is_some_and(|c| c.figure.is_some()));
        if self.compared.is_none() && has_figures {
            caveats.push("the figures are too far apart for a ratio".to_owned());
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

/// Whether a row is significant, but too small for a change.
pub(super) fn is_below_threshold(one: &Compared<'_>, arguments: &Compare) -> bool {
    let known = &one.known;
    let is_significant = known
        .adjusted_p
        .is_some_and(|p| p <= arguments.rules().alpha);
    let is_small = (known.change.size() - 1.0) * 100.0 < arguments.threshold;
    is_significant && is_small && !one.is_change()
}

/// Returns why a comparison shows less than its ratio or p suggest.
fn why_not(one: &Compared<'_>, arguments: &Compare) -> Option<String> {
    let rules = arguments.rules();
    let least = one.runs()[0].min(one.runs()[1]);
    match one.verdict() {
        Verdict::Untested if least == 1 => Some(
            "untested, since a side has a single value and nothing distinguishes a change from noise"
                .to_owned(),
        ),
        Verdict::Untested => Some(format!(
            "untested, since a test needs {MIN_SAMPLE_FOR_TEST} runs a side"
        )),
        Verdict::NotShown if one.known.is_too_small(rules.alpha) => Some(format!(
            "too few runs: p stays above {} however clear the difference", rules.alpha
        )),
        _ if is_below_threshold(one, arguments) => {
            Some(format!("significant, but less than {}%", arguments.threshold))
        }
        _ => one.is_within_control(&rules),
    }
}

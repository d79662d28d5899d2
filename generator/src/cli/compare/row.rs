//! A row of a comparison: as a record of CSV and JSON, and as cells of text and Markdown.

use super::ComparedSides;
use crate::cli::arguments::Compare;
use crate::cli::grid::{Column, OutputFormat, Shown, Tint, field, number};
use crate::model::scale::Scale;
use crate::report::{Cell, ComparedRow, words};
use crate::stats::{Comparison, MAX_CONTROL, MIN_SAMPLE_FOR_TEST, Verdict};
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
    pub(super) fn new(row: &ComparedRow, table: &ComparedSides, format: OutputFormat) -> Self {
        let text = |text: String| field(format, &text);
        let printed = |value: f64| row.row.unit.printed(value);
        let [old, new] = row.cells.map(|cell| cell.and_then(Cell::interval));
        let [old_runs, new_runs] = row.runs();
        let known = row.comparison.as_ref();
        let interval = known.and_then(|c| c.interval);
        let [(baseline, old_build), (candidate, new_build)] = table.sides;
        Self {
            scenario: text(row.row.scenario.label()),
            unit: text(row.row.unit.symbol().to_owned()),
            baseline: row.estimates[0].map(printed),
            baseline_low: old.map(|i| printed(i.low)),
            baseline_high: old.map(|i| printed(i.high)),
            baseline_n: old_runs,
            candidate: row.estimates[1].map(printed),
            candidate_low: new.map(|i| printed(i.low)),
            candidate_high: new.map(|i| printed(i.high)),
            candidate_n: new_runs,
            ratio: known.map(|c| c.change.ratio).filter(|r| r.is_finite()),
            ratio_low: interval.map(|i| i.low),
            ratio_high: interval.map(|i| i.high),
            p: known.and_then(|c| c.test).map(|t| t.p),
            p_adjusted: known.and_then(|c| c.adjusted_p),
            verdict: known.map_or("missing", words::verdict_word),
            change: known.and_then(|c| text(c.change.to_string())),
            baseline_label: text(baseline.label.clone()),
            baseline_implementation: text(old_build.to_string()),
            candidate_label: text(candidate.label.clone()),
            candidate_implementation: text(new_build.to_string()),
            remark: text(caveats(row).join("; ")),
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

/// Returns a row's cells for [`COLUMNS`]; `marks` refer to its footnotes.
pub(super) fn shown(row: &ComparedRow, table: &ComparedSides, marks: String) -> Vec<Shown> {
    let scale = table.compared.scale(row);
    let known = row.comparison.as_ref();
    vec![
        row.row.scenario.label().into(),
        scale.symbol.as_str().into(),
        figure(row, 0, scale).into(),
        figure(row, 1, scale).into(),
        known
            .map_or_else(String::new, |c| ratio(c.change.ratio))
            .into(),
        Shown::from(change(row)).tinted(tint(row)),
        known.and_then(words::interval).unwrap_or_default().into(),
        known
            .and_then(Comparison::p)
            .map_or_else(String::new, words::p)
            .into(),
        words::both_runs(row.runs()).into(),
        marks.into(),
    ]
}

/// Green for better, red for worse; the words say the same.
fn tint(row: &ComparedRow) -> Tint {
    match row.verdict() {
        Some(Verdict::Better) => Tint::Good,
        Some(Verdict::Worse) => Tint::Bad,
        Some(Verdict::Differs) => Tint::None,
        _ => Tint::Faint,
    }
}

/// `1.54x slower`, `~`, or `–` if there is nothing to compare.
pub(super) fn change(row: &ComparedRow) -> String {
    let known = row.comparison.as_ref();
    known.map_or_else(|| "–".to_owned(), words::verdict)
}

/// `6,503.58 ±0.3%`: a side's figure in the table's scale, and half the interval of the median.
fn figure(row: &ComparedRow, side: usize, scale: &Scale) -> String {
    match (row.estimates[side], row.cells[side]) {
        (Some(estimate), cell) => {
            // Of 0 there is no share.
            let interval = cell.and_then(Cell::interval).filter(|_| estimate != 0.0);
            let spread = interval.map(|i| format!(" ±{}", i.half_width_text(estimate)));
            scale.show(estimate) + &spread.unwrap_or_default()
        }
        (None, Some(cell)) if cell.unsupported.is_some() => "unsupported".to_owned(),
        (None, _) => "–".to_owned(),
    }
}

/// Returns what the sides lack, and the caveats in their files.
pub(super) fn caveats(row: &ComparedRow) -> Vec<String> {
    let mut caveats = Vec::new();
    for (name, cell) in ["baseline", "candidate"].into_iter().zip(row.cells) {
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
    for (whose, of_sides) in sides.into_iter().zip(row.caveats()) {
        caveats.extend(of_sides.iter().map(|caveat| format!("{whose}: {caveat}")));
    }
    if row.comparison.is_none() && row.estimates.iter().all(Option::is_some) {
        caveats.push("the figures are too far apart for a ratio".to_owned());
    }
    caveats
}

/// Whether a row is significant, but too small for a change.
pub(super) fn is_below_threshold(row: &ComparedRow, arguments: &Compare) -> bool {
    row.comparison.is_some_and(|known| {
        let is_significant = known.adjusted_p.is_some_and(|p| p <= arguments.alpha);
        let is_small = (known.change.size() - 1.0) * 100.0 < arguments.threshold;
        is_significant && is_small && !known.verdict.is_change()
    })
}

/// Returns a row's footnotes in text and Markdown: the caveats, and why the verdict is not what
/// ratio or p suggest.
pub(super) fn footnotes(row: &ComparedRow, arguments: &Compare) -> Vec<String> {
    let mut footnotes = caveats(row);
    if let Some(known) = &row.comparison {
        footnotes.extend(why_not(row, known, arguments));
    }
    footnotes
}

/// Returns why a comparison shows less than its ratio or p suggest.
fn why_not(row: &ComparedRow, known: &Comparison, arguments: &Compare) -> Option<String> {
    let alpha = arguments.alpha;
    let least = row.runs()[0].min(row.runs()[1]);
    Some(match (known.verdict, row.control) {
        (Verdict::Untested, _) if least == 1 => {
            "untested, since a side has a single value and nothing distinguishes a change from noise"
                .to_owned()
        }
        (Verdict::Untested, _) => {
            format!("untested, since a test needs {MIN_SAMPLE_FOR_TEST} runs a side")
        }
        (Verdict::NotShown, Some(control)) if control > MAX_CONTROL => format!(
            "no verdict: the same program, measured twice, differed by {}",
            words::control(control)
        ),
        (Verdict::NotShown, _) if known.is_too_small(alpha) => {
            format!("too few runs: p stays above {alpha} however clear the difference")
        }
        _ if is_below_threshold(row, arguments) => {
            format!("significant, but less than {}%", arguments.threshold)
        }
        (Verdict::NotShown, Some(control)) if known.adjusted_p.is_some_and(|p| p <= alpha) => {
            format!(
                "within the control: the same program, measured twice, differed by {}",
                words::control(control)
            )
        }
        _ => return None,
    })
}

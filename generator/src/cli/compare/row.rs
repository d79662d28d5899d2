//! A row of a comparison: its cells for people, and all columns of text, CSV and JSON.

use super::ComparedSides;
use crate::cli::arguments::Compare;
use crate::cli::grid::{Field, GridColumn, Tint, Value};
use crate::model::unit::{Better, Scale};
use crate::report::{Cell, ComparedRow, p_text};
use crate::stats::{Comparison, MIN_SAMPLE_FOR_TEST, Verdict};

/// Names and order of the data columns are stable; new ones go to the end.
pub(super) const COLUMNS: &[GridColumn] = &[
    GridColumn::new("scenario"),
    GridColumn::new("unit"),
    GridColumn::new("baseline").right(),
    GridColumn::data("baseline_low"),
    GridColumn::data("baseline_high"),
    GridColumn::data("baseline_n"),
    GridColumn::new("candidate").right(),
    GridColumn::data("candidate_low"),
    GridColumn::data("candidate_high"),
    GridColumn::data("candidate_n"),
    GridColumn::new("ratio").right(),
    GridColumn::shown("95% CI"),
    GridColumn::data("ratio_low"),
    GridColumn::data("ratio_high"),
    GridColumn::shown("change"),
    GridColumn::shown("p").right(),
    GridColumn::shown("n").right(),
    GridColumn::data("p"),
    GridColumn::data("p_adjusted"),
    GridColumn::data("verdict"),
    GridColumn::data("change"),
    GridColumn::data("baseline_label"),
    GridColumn::data("baseline_implementation"),
    GridColumn::data("candidate_label"),
    GridColumn::data("candidate_implementation"),
    GridColumn::data("remark"),
    GridColumn::shown(""),
];

/// Returns a row's fields for all columns; `marks` refer to its footnotes.
pub(super) fn fields(row: &ComparedRow, table: &ComparedSides, marks: String) -> Vec<Field> {
    let scale = table.compared.scale(row);
    let mut fields = vec![
        Field::text(row.scenario.label()),
        Field::new(row.unit.symbol().to_owned(), &scale.symbol),
    ];
    let value = |value: Option<f64>| Value::from(value.map(|v| row.unit.printed(v)));
    for side in [0, 1] {
        let interval = row.cells[side].and_then(Cell::interval);
        fields.extend([
            Field::new(value(row.estimates[side]), figure(row, side, scale)),
            Field::data(value(interval.map(|i| i.low))),
            Field::data(value(interval.map(|i| i.high))),
            Field::data(Some(row.runs()[side] as f64)),
        ]);
    }
    let known = row.comparison.as_ref();
    let ratio = known.map(|c| c.change.ratio);
    let interval = known.and_then(|c| c.interval);
    fields.extend([
        Field::new(ratio, ratio.map_or_else(String::new, |r| format!("{r:.3}"))),
        Field::shown(row.interval_text().unwrap_or_default()),
        Field::data(interval.map(|i| i.low)),
        Field::data(interval.map(|i| i.high)),
        Field::shown(change(row)).tinted(tint(row)),
        Field::shown(row.p().map_or_else(String::new, p_text)),
        Field::shown(row.runs_text()),
        Field::data(known.and_then(|c| c.test).map(|t| t.p)),
        Field::data(known.and_then(|c| c.adjusted_p)),
        Field::data(known.map_or("missing", |c| c.verdict.word()).to_owned()),
        Field::data(known.map_or_else(String::new, |c| c.change.to_string())),
    ]);
    for (side, implementation) in table.sides {
        fields.extend([
            Field::data(side.label.clone()),
            Field::data(implementation.to_string()),
        ]);
    }
    fields.extend([Field::data(caveats(row).join("; ")), Field::shown(marks)]);
    fields
}

/// Green for better, red for worse; the words say the same.
fn tint(row: &ComparedRow) -> Tint {
    let better = row.unit.better();
    match row.verdict() {
        Some(Verdict::Faster) => Tint::Good,
        Some(Verdict::Less) if better == Better::Lower => Tint::Good,
        Some(verdict) if verdict.is_regression(better) => Tint::Bad,
        Some(Verdict::Less | Verdict::More) => Tint::None,
        _ => Tint::Faint,
    }
}

/// `1.54x slower`, `~`, or `–` if there is nothing to compare.
pub(super) fn change(row: &ComparedRow) -> String {
    row.comparison.map_or_else(|| "–".to_owned(), |c| c.words())
}

/// `6,503.58 ±0.3%`: a side's figure in the table's scale, and half the interval of the median.
fn figure(row: &ComparedRow, side: usize, scale: &Scale) -> String {
    match (row.estimates[side], row.cells[side]) {
        (Some(estimate), cell) => {
            let interval = cell.and_then(Cell::interval);
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
    let is_below = |c: Comparison| {
        c.verdict == Verdict::None && c.adjusted_p.is_some_and(|p| p <= arguments.alpha)
    };
    row.comparison.is_some_and(is_below)
}

/// Returns a row's footnotes in text and Markdown: the caveats, and why the verdict is not what ratio
/// or p suggest.
pub(super) fn footnotes(row: &ComparedRow, arguments: &Compare) -> Vec<String> {
    let alpha = arguments.alpha;
    let reason = row.comparison.and_then(|c| match (c.verdict, c.adjusted_p) {
        (Verdict::Untested, _) => Some(
            "untested, since a side has a single value and nothing distinguishes a change from noise"
                .to_owned(),
        ),
        (Verdict::TooFew, None) if c.test.is_none() => {
            Some(format!("too few runs: a test needs {MIN_SAMPLE_FOR_TEST} a side"))
        }
        (Verdict::TooFew, None) => Some(format!(
            "too few runs, so p stays above {alpha} whatever the figures are"
        )),
        (Verdict::TooFew, Some(_)) => Some(format!(
            "too few runs, since the sides do not even overlap and p still stays above {alpha} in a table with this many rows"
        )),
        (Verdict::Unsteady, _) => Some("unsteady: too noisy to say".to_owned()),
        _ => None,
    });
    let mut footnotes = caveats(row);
    footnotes.extend(reason);
    if is_below_threshold(row, arguments) {
        footnotes.push(format!(
            "significant, but less than {}%",
            arguments.threshold
        ));
    }
    footnotes.extend(row.control_mark());
    footnotes
}

//! Tables of releases: a column per release with what it changed, or a row per release.

use crate::base::escape;
use crate::base::footnotes::Footnotes;
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use crate::report::{ComparedRow, ComparedTable, ReleaseRow, ReleaseSeries};
use crate::site::caveats::Caveats;
use crate::site::compared::change_cell;
use crate::site::highlights::stands_out;
use crate::site::matrix::anchor;
use crate::site::{Head, Table, TableCell, TableRow};

/// Returns the anchor of a row.
pub(super) fn anchor_of(series: &ReleaseSeries<'_>, scenario: &Scenario, unit: &Unit) -> String {
    format!("across-{}-{}", series.number, anchor(scenario, unit))
}

/// Returns the table of the rows that changed: a column for each release that changed anything, with the
/// change from the release before it, and one for the change from the first to the last. The figures
/// are in the tables of all builds.
pub(super) fn changes(series: &ReleaseSeries<'_>) -> Option<Table> {
    let untested = series.is_untested();
    let stands_out = |step: &Option<ComparedRow<'_>>| {
        step.as_ref()
            .is_some_and(|row| stands_out(row.comparison.as_ref(), untested))
    };
    let whole = series.whole_step();
    let mut steps = Vec::from_iter(0..series.steps().len());
    steps.retain(|step| {
        Some(*step) == whole || series.rows.iter().any(|row| stands_out(&row.steps[*step]))
    });
    let mut footnotes = Footnotes::default();
    let cell = |step: &Option<ComparedRow<'_>>, footnotes: &mut Footnotes| {
        let known = step.as_ref().filter(|_| stands_out(step));
        let Some((row, known)) = known.and_then(|row| Some((row, row.comparison?))) else {
            return TableCell::default();
        };
        let mark = row.control_mark().into_iter();
        TableCell {
            footnotes: mark.map(|mark| footnotes.number(mark)).collect(),
            ..change_cell(&known, None)
        }
    };
    let mut rows = Vec::new();
    for ReleaseRow { row, steps: known } in &series.rows {
        if steps.iter().any(|step| stands_out(&known[*step])) {
            let cells = steps.iter().map(|step| cell(&known[*step], &mut footnotes));
            let label = match &row.unit {
                Unit::Count(_) => format!("{} of {}", row.unit, row.scenario.label()),
                _ => row.scenario.label(),
            };
            let id = anchor_of(series, &row.scenario, &row.unit);
            rows.push(TableRow::anchored(id, label, cells.collect()));
        }
    }
    let empty = if untested {
        "differs by less than 5%"
    } else {
        "shows no change"
    };
    (!rows.is_empty()).then(|| Table {
        class: "changes",
        about: Some("../method/#releases"),
        caption: format!(
            "{}: what each release changed from the one before it. An empty cell {empty}.",
            series.name()
        ),
        corner: "scenario",
        summary: Some(format!("{}, release by release", series.name())),
        head: steps.iter().map(|step| step_head(series, *step)).collect(),
        rows,
        footnotes,
        ..Table::default()
    })
}

/// `0.23.31`, which leads to the comparison with the release before it.
fn step_head(series: &ReleaseSeries<'_>, step: usize) -> Head {
    let [from, to] = series.steps()[step].map(|place| series.implementation(place));
    let text = match series.whole_step() == Some(step) {
        true => "first to last".to_owned(),
        false => to.version.words(),
    };
    Head {
        href: Some(format!("../compare/{}", compare_address(series, step))),
        spoken: Some(format!(
            "{text}: from {} to {}",
            from.version.words(),
            to.version.words()
        )),
        text,
        ..Head::default()
    }
}

/// Returns the change of a step, with evidence only if it is a change.
pub(super) fn step_cell(
    row: Option<&ComparedRow<'_>>,
    compared: &ComparedTable<'_>,
    caveats: &mut Caveats,
) -> TableCell {
    let Some((row, known)) = row.and_then(|row| Some((row, row.comparison?))) else {
        return TableCell::missing();
    };
    let evidence = compared.evidence(row).filter(|_| row.is_change());
    let mark = row.control_mark().into_iter();
    TableCell {
        title: None,
        footnotes: mark.map(|m| caveats.footnotes.number(m)).collect(),
        ..change_cell(&known, evidence)
    }
}

/// Returns the fragment of the compare page that shows a step.
pub(crate) fn compare_address(series: &ReleaseSeries<'_>, step: usize) -> String {
    let [old, new] = series.steps()[step].map(|place| {
        let side = format!("{}:{}", series.report.name, series.implementation(place));
        escape::query(&side)
    });
    format!("#old={old}&new={new}")
}

//! The steps from one release to the next, of all series: one row for each that changed anything.

use super::changes::{change_cell, change_head, comparison_of, evidence};
use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::base::words::join;
use crate::report::{ComparedRow, ComparedTable, ReleaseSeries, Row, titles};
use crate::site::pages::topics::MAX_ROWS;
use crate::site::words::highlights::stands_out;
use crate::stats::Verdict;

/// A step and its changes, the largest first, those of unsteady figures last.
struct ReleaseStep<'b, 'a> {
    /// `rustls 0.23.29 ➡️ 0.23.42`
    name: String,
    /// The comparison of its two releases.
    href: String,
    /// Number of rows that both releases have.
    compared: usize,
    changes: Vec<&'b ComparedRow<'a>>,
    /// Its place in the series.
    index: usize,
}

/// Returns the table of steps with changes, those with the largest first, and a sentence on the
/// others.
pub(in crate::site) fn steps(all: &[ReleaseSeries<'_>]) -> (Option<HtmlTable>, String) {
    let mut steps: Vec<ReleaseStep<'_, '_>> = all.iter().flat_map(of_series).collect();
    let unchanged = steps.iter().filter(|step| step.changes.is_empty());
    let unchanged: Vec<String> = unchanged.map(|step| step.name.clone()).collect();
    let sentence = match unchanged.as_slice() {
        [] => String::new(),
        names => format!("No change in speed is shown from {}.", join(names)),
    };
    steps.retain(|step| !step.changes.is_empty());
    steps.sort_by(|a, b| size(b.changes[0]).total_cmp(&size(a.changes[0])));
    let largest = steps.iter().map(|step| step.changes[0].clone());
    let largest = ComparedTable::new(largest.collect());
    let mut rows = Vec::new();
    for step in steps {
        let row = step.changes[0];
        let scale = largest.scale(row);
        let [before, after] = row.estimates.map(|value| HtmlCell::estimate(value, scale));
        let evidence = evidence(&largest, row).filter(|_| row.is_change());
        let change = row.comparison.map(|known| change_cell(&known, evidence));
        let cells = vec![
            HtmlCell::words(titles::title(&row.row.scenario)),
            before,
            after.with_detail(scale.symbol.clone()),
            change.unwrap_or_else(HtmlCell::missing),
            HtmlCell::text(format!("{} of {}", step.changes.len(), step.compared)),
        ];
        rows.push(HtmlRow::linked(step.href, step.name, cells));
    }
    let table = (!rows.is_empty()).then(|| HtmlTable {
        class: "changes",
        about: Some("../method/#releases"),
        name: "Steps that changed anything, each with its largest change".to_owned(),
        corner: "step",
        head: vec![
            Head::from("scenario"),
            Head::from("before"),
            Head::from("after"),
            change_head(&largest, "change"),
            Head::from("changed"),
        ],
        rows,
        ..HtmlTable::default()
    });
    (table, sentence)
}

/// Columns of scenarios in the table of releases.
const MAX_COLUMNS: usize = 4;

/// Returns a row for each of the releases that changed most, and of the newest of each library,
/// with the change of each headline scenario; `None` without steps.
pub(in crate::site) fn by_release(
    all: &[ReleaseSeries<'_>],
    headlines: &[&Row],
) -> Option<HtmlTable> {
    let mut headlines = headlines.to_vec();
    headlines.truncate(MAX_COLUMNS);
    // Each with its place: the series, and the number of the step from the newest.
    let mut rows: Vec<((usize, usize), f64, HtmlRow)> = Vec::new();
    for (place, series) in all.iter().enumerate() {
        let mut steps = of_series(series);
        steps.reverse();
        let is_final = |step: &ReleaseStep<'_, '_>| {
            !series
                .implementation(step.index + 1)
                .version
                .is_pre_release()
        };
        let newest = steps.iter().position(is_final);
        for (number, step) in steps.iter().enumerate() {
            let mut cells = Vec::new();
            for row in &headlines {
                let known = series
                    .row(row)
                    .and_then(|known| known.steps[step.index].as_ref());
                let known = known.and_then(|step| step.comparison);
                cells.push(known.map_or_else(HtmlCell::missing, |known| change_cell(&known, None)));
            }
            cells.push(HtmlCell::text(format!(
                "{} of {}",
                step.changes.len(),
                step.compared
            )));
            let largest = step.changes.first().map(|row| {
                let title = titles::title(&row.row.scenario);
                HtmlCell::words(match row.comparison {
                    Some(known) => format!("{}: {title}", known.change),
                    None => title,
                })
            });
            cells.push(largest.unwrap_or_else(|| HtmlCell::words("–")));
            let size = match Some(number) == newest {
                true => f64::INFINITY,
                false => step.changes.first().map_or(0.0, |row| size(row)),
            };
            let name = series
                .report
                .data
                .name(series.columns[step.index + 1])
                .full();
            rows.push((
                (place, number),
                size,
                HtmlRow::linked(step.href.clone(), name, cells),
            ));
        }
    }
    let count = rows.len();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    rows.truncate(MAX_ROWS);
    rows.sort_by_key(|(place, ..)| *place);
    let (shared, own) = titles::shared(&headlines);
    let short = |title: &String| Head::from(&*title.replace(" handshake", ""));
    let mut head: Vec<Head> = own.iter().map(short).collect();
    head.extend(["changed", "largest change"].map(Head::from));
    let shared = match shared.is_empty() || headlines.len() < 2 {
        true => String::new(),
        false => format!("{}. ", shared.join(", ")),
    };
    let chosen = if count > MAX_ROWS {
        " The newest releases and those that changed most."
    } else {
        ""
    };
    (!rows.is_empty()).then(|| HtmlTable {
        class: "fit releases",
        about: Some("../method/#releases"),
        name: "Each release against the one before it".to_owned(),
        caption: format!(
            "{shared}▲ is faster, ▼ slower, = a difference below 1%, ~ none that is shown.{chosen}"
        ),
        corner: "release",
        head,
        rows: rows.into_iter().map(|(.., row)| row).collect(),
        ..HtmlTable::default()
    })
}

fn size(row: &ComparedRow<'_>) -> f64 {
    row.comparison.map_or(0.0, |known| known.change.size())
}

fn of_series<'b, 'a>(series: &'b ReleaseSeries<'a>) -> Vec<ReleaseStep<'b, 'a>> {
    let data = &series.report.data;
    let all = series
        .rows
        .iter()
        .flat_map(|row| row.steps.iter().flatten());
    // Each figure is from a single run.
    let is_untested = all
        .map(ComparedRow::verdict)
        .all(|v| v == Some(Verdict::Untested));
    let mut steps = Vec::new();
    for (step, sides) in series.columns.windows(2).enumerate() {
        let rows = series.rows.iter();
        let mut changes: Vec<&ComparedRow<'_>> =
            rows.filter_map(|row| row.steps[step].as_ref()).collect();
        let compared = changes.len();
        if compared == 0 {
            continue;
        }
        changes.retain(|row| stands_out(row.comparison.as_ref(), is_untested));
        changes.sort_by(|a, b| size(b).total_cmp(&size(a)));
        changes.sort_by_key(|row| row.cells.iter().flatten().any(|cell| cell.is_unsteady));
        let [old, new] = [sides[0], sides[1]];
        let href = comparison_of(series.report, [old, new]);
        let [old, new] = [old, new].map(|column| data.name(column));
        steps.push(ReleaseStep {
            name: format!("{} ➡️ {}", old.full(), new.beside(old)),
            href,
            compared,
            changes,
            index: step,
        });
    }
    steps
}

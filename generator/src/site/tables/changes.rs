//! Tables of two implementations side by side: changes since another report, and the comparisons
//! that `report.toml` lists.

use super::caveats::of_factor;
use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use super::results::head;
use crate::base::escape;
use crate::base::failure::{self, Failure, Result};
use crate::base::footnotes::Footnotes;
use crate::base::limits::{RESULT, exceeded};
use crate::model::scale::Scale;
use crate::model::scenario::Scenario;
use crate::parse::{Located, PreparedComparison};
use crate::report::{
    Before, ComparedRow, ComparedTable, Report, Row, Since, Table, control_note,
    history::OPEN_EXCHANGE, leaves_key_exchange_open, of_judged, titles, words,
};
use crate::site::graphs::dots::{DotPlot, DotRow, with_three_digits};
use crate::site::words::highlights::{Highlights, sentence, stands_out};
use crate::site::words::phrases::sentences;
use crate::stats::{Comparison, MAX_CONTROL, Rules, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

/// Changes in the plot; the tables have all of them.
const MAX_DOTS: usize = 9;

/// The changes since earlier reports.
#[derive(Debug, Default)]
pub(in crate::site) struct Changes {
    /// The largest changes; `None` without any.
    pub plot: Option<DotPlot>,
    /// One table per implementation that an earlier report has, of their common scenarios.
    pub tables: Vec<HtmlTable>,
    /// The most important changes.
    pub highlights: Highlights,
}

/// Compares with earlier reports, the newest first. All estimates use this report's estimator, so
/// that like is compared with like.
pub(in crate::site) fn changes<'a>(
    report: &'a Report,
    earlier: &[&'a Report],
    wanted: impl Fn(&Row) -> bool,
) -> Changes {
    let rows = Table::of(report).with(wanted).rows;
    let earlier = Before::all(report, earlier);
    let (mut tables, mut highlights, mut dots) = (Vec::new(), Vec::new(), Vec::new());
    for new in 0..report.data.implementations.len() {
        let Some(since) = Since::newest(report, &rows, new, &earlier) else {
            continue;
        };
        let to = report.data.name(new);
        let table = since_table(&since, report, &format!("since-{}", tables.len() + 1));
        let mut known = since.table.known();
        let untested = known.all(|(_, known)| known.verdict == Verdict::Untested);
        for ((row, known), shown) in since.table.known().zip(&table.rows) {
            let (before, old) = since.baseline(row);
            let sides = [(before, old), (report, new)];
            if sides.iter().all(|(of, column)| is_release(of, *column)) {
                let from = before.data.name(old).beside(to);
                highlights.push((sentence(row, &known, [&from, &to.full()]), known));
            }
            if stands_out(Some(&known), untested) {
                let mut dot =
                    DotRow::of(row, &known, &with_three_digits(row, since.table.scale(row)));
                dot.label = format!("{}: {}", to.full(), dot.label);
                dot.href = shown.id.as_ref().map(|id| format!("#{id}"));
                dots.push((known.change.size(), dot));
            }
        }
        tables.push(table);
    }
    dots.sort_by(|a, b| b.0.total_cmp(&a.0));
    let caption = match dots.len() > MAX_DOTS {
        false => "All changes".to_owned(),
        true => format!("The {MAX_DOTS} largest changes"),
    };
    let rows = dots.into_iter().take(MAX_DOTS).map(|(_, dot)| dot);
    let rows: Vec<DotRow> = rows.collect();
    Changes {
        plot: (!rows.is_empty()).then(|| DotPlot {
            caption,
            sides: ["after", "before"].map(str::to_owned),
            rows,
            ..DotPlot::default()
        }),
        tables,
        highlights: Highlights::of(highlights),
    }
}

fn is_release(report: &Report, column: usize) -> bool {
    let version = &report.data.implementations[column].version;
    !version.is_pre_release()
}

/// Returns the table of one implementation of a report since earlier ones. A note names the report of
/// each baseline that is not of the usual one, the most recent of all.
fn since_table(since: &Since<'_, '_>, report: &Report, anchors: &str) -> HtmlTable {
    let rows = &since.table.rows;
    let newest = rows.iter().min_by_key(|row| since.place_of(row));
    let usual = newest.map_or(0, |row| since.place_of(row));
    let name = |row: &ComparedRow<'_>| {
        let (before, column) = since.baseline(row);
        [before.data.name(column).full(), before.day_or_name()]
    };
    let [from, day] = newest.map(name).unwrap_or_default();
    let mut what = format!("{from} ➡️ {}", report.data.name(since.new).full());
    if usual > 0 {
        what += &format!(", since {day}");
    }
    let mut table = pair_table(&since.table, &what, anchors, ["old", "new"].map(Head::from));
    for (row, shown) in rows.iter().zip(&mut table.rows) {
        if since.place_of(row) != usual {
            let [from, day] = name(row);
            let note = format!("against {from} in the report of {day}");
            shown.change().footnotes.push(table.footnotes.number(note));
        }
    }
    table
}

/// Returns the table of two sides under these headings, with the change between their figures.
pub(in crate::site) fn pair_table(
    compared: &ComparedTable<'_>,
    what: &str,
    anchors: &str,
    [old, new]: [Head; 2],
) -> HtmlTable {
    let n = match &*compared.runs {
        "" => String::new(),
        runs => format!(", n = {runs}"),
    };
    let known = compared.known();
    let symbols: BTreeSet<&str> = known.map(|(row, _)| &*compared.scale(row).symbol).collect();
    // A column for the units, if there are several.
    let (unit, column) = match Vec::from_iter(symbols)[..] {
        [symbol] => (format!(" in {symbol}"), None),
        _ => (String::new(), Some(Head::from("unit"))),
    };
    let mut footnotes = Footnotes::default();
    let mut rows = Vec::new();
    for (row, known) in compared.known() {
        let scale = compared.scale(row);
        let [was, is] = [0, 1].map(|side| figure(row, side, scale));
        let mut change = change_cell(&known, evidence(compared, row));
        if let Some(reason) = why_not_shown(row, &known) {
            change.footnotes.push(footnotes.number(reason));
        }
        let id = format!("{anchors}-{}", row.row.id);
        let symbol = column.as_ref().map(|_| HtmlCell::words(&scale.symbol));
        let cells = symbol.into_iter().chain([was, change, is]).collect();
        let shown = HtmlRow::anchored(id, titles::title(&row.row.scenario), cells);
        rows.push(shown.of_scenario(row.row.scenario.label()));
    }
    let is_untested = |(_, known): (_, Comparison)| known.verdict == Verdict::Untested;
    let untested = compared
        .known()
        .any(is_untested)
        .then(|| UNTESTED.to_owned());
    let is_open = |row: &ComparedRow<'_>| leaves_key_exchange_open(&row.row.scenario);
    let open = compared.rows.iter().any(is_open);
    HtmlTable {
        class: "changes",
        about: Some("../method/#changes"),
        name: format!("{what}{unit}{n}"),
        corner: "scenario",
        head: column
            .into_iter()
            .chain([old, change_head(compared, "change"), new])
            .collect(),
        rows,
        note: sentences([
            control_note(compared.rows.iter().map(|row| row.control)),
            untested,
            open.then(|| {
                format!("Handshakes that name no key exchange are {OPEN_EXCHANGE}, which may have changed between them.")
            }),
        ]),
        footnotes,
        ..HtmlTable::default()
    }
}

/// A side's figure with its mark; an older report's is estimated as this report's.
fn figure(row: &ComparedRow<'_>, side: usize, scale: &Scale) -> HtmlCell {
    let is_unsteady = row.cells[side].is_some_and(|cell| cell.is_unsteady);
    HtmlCell {
        class: is_unsteady.then_some("unsteady"),
        ..HtmlCell::estimate(row.estimates[side], scale)
    }
}

/// Explains `*`.
const UNTESTED: &str = "* Not tested: a side has too few runs.";

/// Returns why a difference that stands out is not shown: the control.
fn why_not_shown(row: &ComparedRow<'_>, known: &Comparison) -> Option<String> {
    let control = row.control?;
    let is_significant = known
        .adjusted_p
        .is_some_and(|p| p <= Rules::default().alpha);
    let is_hidden = known.verdict == Verdict::NotShown
        && (control > MAX_CONTROL || is_significant && known.change.size() >= 1.01);
    is_hidden.then(|| {
        let differed = words::control(control);
        format!("not beyond the control: the same program, measured twice, differed by {differed}")
    })
}

/// Whether either report has a cell with a single run, whose changes cannot be told from noise.
pub(in crate::site) fn untested(report: &Report, previous: &Report) -> bool {
    let alone = |r: &Report| r.data.run_counts().is_none_or(|(min, _)| min < 2);
    alone(report) || alone(previous)
}

/// Returns the tables of the `[[comparison]]` entries with their titles; rates as factors, memory
/// in percent.
///
/// # Errors
/// Fails if a comparison names an implementation that the report lacks, or has no common scenario.
pub(in crate::site) fn comparisons(
    report: &Report,
    path: &Path,
) -> Result<Vec<(String, HtmlTable)>> {
    let wanted = report.manifest.comparisons.iter().enumerate();
    let filters = wanted
        .clone()
        .filter_map(|(_, at)| at.value.filter.as_ref());
    let checked = report.data.check_filters(filters);
    checked.map_err(|message| Failure::at(path, 0, message))?;
    let (mut tables, mut rows) = (Vec::new(), 0);
    for (index, wanted) in wanted {
        let table = comparison(report, path, index + 1, wanted);
        rows += table.as_ref().map_or(0, |table| table.rows.len());
        if rows > RESULT {
            let more = exceeded(RESULT, "rows in the tables of all comparisons");
            return Err(Failure::at(path, wanted.line, more));
        }
        tables.push(table.map(|table| (wanted.value.title.clone(), table)));
    }
    failure::all(tables)
}

fn comparison(
    report: &Report,
    path: &Path,
    index: usize,
    wanted: &Located<PreparedComparison>,
) -> Result<HtmlTable> {
    let Located {
        line,
        value: wanted,
    } = wanted;
    let find = |name: &Located<String>| {
        let mut names = report.data.implementations.iter().map(ToString::to_string);
        names.position(|n| n == name.value).ok_or_else(|| {
            let known = report.data.list();
            let message = format!(
                "a [[comparison]] names `{}`, but the report has {known}",
                name.value
            );
            Failure::at(path, name.line, message)
        })
    };
    let sides = [find(&wanted.baseline)?, find(&wanted.candidate)?];
    let matches = |label: &str| wanted.filter.as_ref().is_none_or(|f| f.is_match(label));
    let excluded = |s: &Scenario| wanted.exclude.iter().any(|at| at.value == *s);
    let of = Table::of(report).with(|r| matches(&r.scenario.label()) && !excluded(&r.scenario));
    let rows = of.rows.iter().map(|row| report.compared(row, sides));
    let compared = of_judged(rows.collect()).ok_or_else(|| {
        let message = "no scenario of this [[comparison]] has a figure on both sides";
        Failure::at(path, *line, message)
    })?;
    let heads = sides.map(|side| head(&of, side));
    let mut table = pair_table(&compared, &wanted.title, &format!("p{index}"), heads);
    let names = sides.map(|side| of.name(side));
    for (row, shown) in compared.rows.iter().zip(&mut table.rows) {
        for caveat in of_factor(row, &names) {
            let number = table.footnotes.number(caveat);
            shown.change().footnotes.push(number);
        }
    }
    Ok(table)
}

/// Returns the heading of a column of changes.
pub(in crate::site) fn change_head(compared: &ComparedTable<'_>, text: &str) -> Head {
    let mut known = compared
        .rows
        .iter()
        .filter_map(|row| row.comparison.as_ref());
    let has_interval = known.clone().any(|known| known.interval.is_some());
    let is_tested = known.any(|known| known.test.is_some());
    match (is_tested, has_interval) {
        (false, _) => Head::from(text),
        (true, false) => Head::from(text).with_detail("p".to_owned()),
        (true, true) => Head::from(text).with_detail("95% interval, p".to_owned()),
    }
}

/// `1.21x to 1.22x, p = 0.013`: the evidence for a change; `None` for single figures. The number of runs
/// stands there if it varies over the table.
pub(in crate::site) fn evidence(
    compared: &ComparedTable<'_>,
    row: &ComparedRow<'_>,
) -> Option<String> {
    let runs = compared.runs.is_empty().then(|| words::n_equation(row));
    let Some(p) = row.comparison.and_then(|known| known.p()) else {
        return runs.filter(|_| row.is_counted());
    };
    let interval = row.comparison.as_ref().and_then(words::interval);
    let parts = [interval, Some(words::p_equation(p)), runs];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// Returns the address of the comparison of two builds, from the page of their report.
pub(super) fn comparison_of(report: &Report, sides: [usize; 2]) -> String {
    let [old, new] = sides.map(|column| {
        let build = &report.data.implementations[column];
        escape::query(&format!("{}:{build}", report.name))
    });
    format!("../compare/#old={old}&new={new}")
}

/// A verdict in a cell; the evidence is the cell's detail.
pub(in crate::site) fn change_cell(known: &Comparison, evidence: Option<String>) -> HtmlCell {
    let is_sign = matches!(known.verdict, Verdict::Same | Verdict::NotShown);
    HtmlCell {
        spoken: is_sign.then(|| words::verdict_in_words(known)),
        change: Some(words::verdict_class(known)),
        class: (known.verdict == Verdict::Untested).then_some("untested"),
        detail: evidence,
        ..HtmlCell::text(words::verdict_sign(known))
    }
}

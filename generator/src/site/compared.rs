//! Tables of two implementations side by side: changes since another report, and the comparisons
//! that `report.toml` lists.

use super::caveats::of_factor;
use super::dots::at_a_glance;
use super::highlights::{Highlights, sentence, stands_out};
use super::phrases::{joined, sentences};
use super::{DotPlot, DotRow, Head, Part, Table, TableCell, TableRow};
use crate::base::failure::{self, Failure, Result};
use crate::base::footnotes::Footnotes;
use crate::base::limits::{RESULT, exceeded};
use crate::model::scenario::Scenario;
use crate::parse::{At, PreparedComparison};
use crate::report::{Before, ComparedRow, ComparedTable, Report, Row, Since};
use crate::report::{compared, control_note, p_equation};
use crate::stats::{Comparison, Rules, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Changes in the plot; the tables have all of them.
const MAX_DOTS: usize = 12;

/// The changes since earlier reports.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Changes {
    /// The largest changes; `None` without any.
    #[serde(skip)]
    pub plot: Option<DotPlot>,
    /// One table per implementation that an earlier report has, of their common scenarios.
    pub tables: Vec<Table>,
    /// Changes since the oldest of the last reports that no report shows against the one before it.
    pub crept: Vec<Table>,
    /// The most important changes.
    pub highlights: Highlights,
}

/// Compares with earlier reports, the newest first. All estimates use this report's estimator, so
/// that like is compared with like.
pub(crate) fn changes<'a>(
    report: &'a Report,
    earlier: &[&'a Report],
    wanted: impl Fn(&Row) -> bool,
) -> Changes {
    let part = Part::of(report).with(wanted);
    let earlier = Before::all(report, earlier);
    let (mut tables, mut crept) = (Vec::new(), Vec::new());
    let (mut highlights, mut dots) = (Vec::new(), Vec::new());
    for new in 0..report.data.implementations.len() {
        let Some(since) = Since::newest(report, &part.rows, new, &earlier) else {
            continue;
        };
        let to = part.name(new);
        let is_release = |report: &Report, column: usize| {
            !report.data.implementations[column].version.is_pre_release()
        };
        let table = since_table(&since, &part, &format!("since-{}", tables.len() + 1));
        let mut known = since.table.known();
        let untested = known.all(|(_, known)| known.verdict == Verdict::Untested);
        for ((row, known), shown) in since.table.known().zip(&table.rows) {
            let (before, old) = since.baseline(row);
            if is_release(before, old) && is_release(report, new) {
                let from = Part::without_rows(before).name_beside(old, (&part, new));
                highlights.push((sentence(row, &known, [&from, &to]), known));
            }
            if stands_out(Some(&known), untested) {
                let mut dot = DotRow::of(row, &known, &at_a_glance(row, since.table.scale(row)));
                dot.label = format!("{to}: {}", dot.label);
                dot.href = shown.id.as_ref().map(|id| format!("#{id}"));
                dots.push((known.change.size(), dot));
            }
        }
        tables.push(table);
        let since = since.crept_in();
        let anchors = format!("crept-{}", crept.len() + 1);
        crept.extend(since.map(|since| since_table(&since, &part, &anchors)));
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
        crept,
        highlights: Highlights::of(highlights),
    }
}

/// Returns the table of one implementation, of `part`, since earlier reports. A note names the report of
/// each baseline that is not of the usual one, the most recent of all.
fn since_table(since: &Since<'_, '_>, part: &Part<'_>, anchors: &str) -> Table {
    let newest = since
        .table
        .rows
        .iter()
        .min_by_key(|row| since.place_of(row));
    let usual = newest.map_or(0, |row| since.place_of(row));
    let name = |row: &ComparedRow<'_>| {
        let (report, column) = since.baseline(row);
        [
            Part::without_rows(report).name(column),
            report.day_or_name(),
        ]
    };
    let [from, day] = newest.map(name).unwrap_or_default();
    let mut caption = format!("{from} ➡️ {}", part.name(since.new));
    if usual > 0 {
        caption += &format!(", since {day}");
    }
    let heads = ["old", "new"].map(Head::from);
    let mut table = pair_table(&since.table, &caption, anchors, heads);
    for (row, shown) in since.table.rows.iter().zip(&mut table.rows) {
        if since.place_of(row) != usual {
            let [from, day] = name(row);
            let note = format!("against {from} in the report of {day}");
            shown.change().footnotes.push(table.footnotes.number(note));
        }
    }
    table
}

/// Returns the table of two sides under these headings, with the change between their figures.
pub(super) fn pair_table(
    compared: &ComparedTable<'_>,
    what: &str,
    anchors: &str,
    [old, new]: [Head; 2],
) -> Table {
    let n = if compared.runs.is_empty() {
        ""
    } else {
        ", n = "
    };
    let symbols = compared
        .known()
        .map(|(row, _)| &*compared.scale(row).symbol);
    let symbols: BTreeSet<&str> = symbols.collect();
    // A column for the units, if there are several.
    let (unit, column) = match Vec::from_iter(symbols)[..] {
        [symbol] => (format!(" in {symbol}"), None),
        _ => (String::new(), Some(Head::from("unit"))),
    };
    let mut footnotes = Footnotes::default();
    let mut rows = Vec::new();
    for (row, known) in compared.known() {
        let scale = compared.scale(row);
        let [was, is] = row.estimates.map(|value| TableCell::figure(value, scale));
        let mut change = change_cell(&known, compared.evidence(row));
        let mark = row.control_mark().into_iter();
        change
            .footnotes
            .extend(mark.map(|mark| footnotes.number(mark)));
        let id = format!("{anchors}-{}", row.id);
        let symbol = column.as_ref().map(|_| TableCell::words(&scale.symbol));
        let cells = symbol.into_iter().chain([was, change, is]).collect();
        rows.push(TableRow::anchored(id, row.scenario.label(), cells));
    }
    Table {
        class: "changes",
        about: Some("../method/#changes"),
        caption: format!("{what}{unit}{n}{}", compared.runs),
        corner: "scenario",
        head: column
            .into_iter()
            .chain([old, compared.head("change"), new])
            .collect(),
        rows,
        note: control_note(compared.rows.iter().map(|row| row.control)),
        footnotes,
        ..Table::default()
    }
}

/// Whether either report has a cell with a single run, whose changes cannot be told from noise.
pub(crate) fn untested(report: &Report, previous: &Report) -> bool {
    let alone = |r: &Report| r.data.run_counts().is_none_or(|(min, _)| min < 2);
    alone(report) || alone(previous)
}

/// Returns the tables of the `[[comparison]]` entries with their titles; rates as factors, memory
/// in percent.
///
/// # Errors
/// Fails if a comparison names an implementation that the report lacks, or has no common scenario.
pub(crate) fn comparisons(report: &Report, path: &Path) -> Result<Vec<(String, Table)>> {
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
    wanted: &At<PreparedComparison>,
) -> Result<Table> {
    let At {
        line,
        value: wanted,
    } = wanted;
    let find = |name: &At<String>| {
        let mut names = report.data.implementations.iter().map(ToString::to_string);
        names.position(|n| n == name.value).ok_or_else(|| {
            let known = report.data.names();
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
    let part = Part::of(report).with(|r| matches(&r.scenario.label()) && !excluded(&r.scenario));
    let rows = part.rows.iter();
    let both = rows.map(|row| (*row, sides.map(|side| row.cell(side))));
    let compared = compared(both, part.estimator, report.data.is_paired).ok_or_else(|| {
        let message = "no scenario of this [[comparison]] has a figure on both sides";
        Failure::at(path, *line, message)
    })?;
    let heads = sides.map(|side| part.head(side));
    let mut table = pair_table(&compared, &wanted.title, &format!("p{index}"), heads);
    let names = sides.map(|side| part.name(side));
    for (row, shown) in compared.rows.iter().zip(&mut table.rows) {
        let numbers = of_factor(row, &names).into_iter();
        let numbers = numbers.map(|caveat| table.footnotes.number(caveat));
        shown.change().footnotes.extend(numbers);
    }
    let mut verdicts = compared.rows.iter().map(ComparedRow::verdict);
    if verdicts.any(|verdict| verdict == Some(Verdict::Untested)) {
        table.note = sentences([table.note, Some(UNTESTED.to_owned())]);
    }
    Ok(table)
}

/// Explains `*`.
const UNTESTED: &str = "* Between single figures: not tested.";

impl<'a> ComparedTable<'a> {
    /// Returns the heading of a column of changes.
    pub(super) fn head(&self, text: &str) -> Head {
        let tested = self.rows.iter().any(|row| row.p().is_some());
        let detail = match self.rows.iter().any(|row| row.interval_text().is_some()) {
            _ if !tested => return Head::from(text),
            false => "p",
            true => "95% interval, p",
        };
        Head::from(text).with_detail(detail.to_owned())
    }

    /// `0.978–0.992, p = 0.013`: the evidence for a change; `None` for single figures.
    pub(super) fn evidence(&self, row: &ComparedRow) -> Option<String> {
        let runs = self.runs.is_empty().then(|| row.n_equation());
        let Some(p) = row.p() else {
            return runs.filter(|_| row.is_counted());
        };
        let interval = row.interval_text().unwrap_or_default();
        joined([interval, p_equation(p), runs.unwrap_or_default()])
    }
}

/// `1.54x slower`, or `~` if no difference is shown; the evidence is the cell's detail.
pub(super) fn change_cell(known: &Comparison, evidence: Option<String>) -> TableCell {
    let alpha = Rules::default().alpha;
    let reason = match known.verdict {
        // Significant, but below the noise threshold.
        Verdict::None if known.adjusted_p.is_some_and(|p| p <= alpha) => {
            "a difference of less than 1%"
        }
        Verdict::None => "no difference shown",
        Verdict::Unsteady => "too noisy to say",
        Verdict::TooFew => "too few runs to show a difference",
        verdict => {
            return TableCell {
                change: Some(known.change.word().word()),
                class: (verdict == Verdict::Untested).then_some("untested"),
                detail: evidence,
                ..TableCell::text(known.words())
            };
        }
    };
    TableCell {
        spoken: Some(reason),
        change: Some("none"),
        detail: evidence,
        ..TableCell::text(known.words())
    }
}

//! What changed since another report, and prepared comparisons.

use super::anchor::anchor;
use super::highlights::{Highlight, Highlights};
use super::{Head, Part, Table, TableCell, TableRow};
use crate::failure::{self, Diagnostic, Failure, Result};
use crate::report::{
    At, ComparedRow, Dataset, PreparedComparison, Report, equation, judge, pairs, scales,
};
use crate::scenario::Workload;
use crate::stats::{self, Rules, Verdict};
use crate::unit::{Scale, Unit};
use std::collections::HashMap;
use std::path::Path;

/// What changed since another report: one table for each implementation that both have, of their
/// common scenarios, and the most important of it in sentences. All figures are made by this
/// report's estimator, so that like is compared with like.
pub fn changes(
    report: &Report,
    previous: &Report,
    wanted: impl Fn(&str) -> bool + Copy,
) -> (Vec<Table>, Highlights) {
    let part = Part::of(&report.data, report.manifest.estimator, wanted);
    let before = Part::of(&previous.data, report.manifest.estimator, wanted);
    let old_rows = previous.data.by_key();
    let mut tables = Vec::new();
    let mut highlights = Vec::new();
    for (old, new) in pairs(&previous.data.implementations, &report.data.implementations) {
        let (from, to) = (before.name(old), part.name(new));
        let both = part.rows.iter().filter_map(|row| {
            let was = old_rows.get(&(&row.scenario, &row.unit))?.cell(old)?;
            Some((*row, Some(was), Some(row.cell(new)?)))
        });
        let mut rows = judge(both, part.estimator, &Rules::default());
        rows.retain(|row| row.comparison.is_some());
        if rows.is_empty() {
            continue;
        }
        let sheet = Sheet::of(&rows);
        let mut table = Table {
            class: "changes",
            caption: sheet.caption(format!("{from} ➡️ {to}")),
            corner: "scenario",
            head: vec![
                Head::new("unit"),
                Head::new("old"),
                sheet.head("change"),
                Head::new("new"),
            ],
            ..Table::default()
        };
        for row in &rows {
            let label = row.scenario.label();
            let [was, is] = sheet.figures(row);
            let change = change_cell(row, sheet.evidence(row));
            let cells = vec![sheet.unit(row), was, change, is];
            let id = format!(
                "since-{}-{}",
                tables.len() + 1,
                anchor(row.scenario, row.unit)
            );
            highlights.extend(Highlight::of(row, &id, (&from, &to)));
            table.rows.push(TableRow {
                id,
                label,
                href: String::new(),
                cells,
            });
        }
        tables.push(table);
    }
    (tables, Highlights::of(highlights))
}

/// `1.54x slower`; `~` where no difference is shown; below it what it is believed by.
fn change_cell(row: &ComparedRow, evidence: String) -> TableCell {
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

fn untested_class(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Untested {
        "untested"
    } else {
        ""
    }
}

/// What the rows of a table share.
struct Sheet<'a> {
    scales: HashMap<&'a Unit, Scale>,
    /// The runs of every row with a test, if they are the same in all; empty without tests.
    runs: String,
    /// Some rows have a test; some have so many runs that their ratio has an interval.
    tested: bool,
    intervals: bool,
}

impl<'a> Sheet<'a> {
    fn of(rows: &[ComparedRow<'a>]) -> Self {
        let known = || rows.iter().filter_map(|row| Some((row, row.comparison?)));
        let mut runs: Vec<String> = known()
            .filter(|(_, c)| c.test.is_some())
            .map(|(row, _)| row.runs_text())
            .collect();
        let tested = !runs.is_empty();
        runs.dedup();
        Self {
            scales: scales(rows),
            runs: match runs.as_slice() {
                [same] => same.clone(),
                _ => String::new(),
            },
            tested,
            intervals: known().any(|(_, c)| c.interval.is_some()),
        }
    }

    /// The caption with the number of runs.
    fn caption(&self, what: String) -> String {
        if self.runs.is_empty() {
            what
        } else {
            format!("{what}, n = {}", self.runs)
        }
    }

    /// The heading of changes: what stands below each.
    fn head(&self, text: &str) -> Head {
        let detail = match (self.tested, self.intervals) {
            (false, _) => "",
            (_, false) => "p",
            (_, true) => "95% interval, p",
        };
        Head {
            text: text.to_owned(),
            detail: detail.to_owned(),
        }
    }

    fn unit(&self, row: &ComparedRow) -> TableCell {
        TableCell {
            class: "words",
            ..TableCell::text(self.scales[row.unit].symbol.as_str())
        }
    }

    fn figures(&self, row: &ComparedRow) -> [TableCell; 2] {
        let scale = &self.scales[row.unit];
        let figure = |v: f64| TableCell::text(scale.show(v));
        row.estimates
            .map(|v| v.map_or_else(TableCell::missing, figure))
    }

    /// `0.978–0.992, p = 0.013`: what a change is believed by; empty for single figures.
    fn evidence(&self, row: &ComparedRow) -> String {
        let Some((known, test)) = row.comparison.and_then(|c| Some((c, c.test?))) else {
            return String::new();
        };
        let interval = known
            .interval
            .map(|i| format!("{:.3}–{:.3}", i.low, i.high));
        let p = equation("p", known.adjusted_p.unwrap_or(test.p));
        let runs = self
            .runs
            .is_empty()
            .then(|| format!("n\u{a0}=\u{a0}{}", row.runs_text()));
        let parts: Vec<String> = interval.into_iter().chain([p]).chain(runs).collect();
        parts.join(", ")
    }
}

/// True if a figure of both reports' common scenarios stands alone, so that no change of it
/// can be told from noise.
pub fn untested(report: &Report, previous: &Report) -> bool {
    let alone = |r: &Report| r.data.runs().is_none_or(|(least, _)| least < 2);
    alone(report) || alone(previous)
}

/// The comparisons that a report asks for, with their titles; rates as factors, memory in
/// percent.
///
/// # Errors
/// A comparison of an implementation that the report has not, or of no common scenario.
pub fn comparisons(report: &Report, path: &Path) -> Result<Vec<(String, Table)>> {
    let prepared = report.manifest.comparisons.iter().enumerate();
    failure::all(prepared.map(|(index, wanted)| {
        let table = comparison(report, index + 1, wanted).map_err(|at| {
            Failure::BadInput(vec![Diagnostic {
                path: path.to_owned(),
                line: at.line,
                message: at.value,
            }])
        })?;
        Ok((wanted.title.clone(), table))
    }))
}

/// The error is a message for a line of `report.toml`.
fn comparison(
    report: &Report,
    index: usize,
    wanted: &PreparedComparison,
) -> std::result::Result<Table, At<String>> {
    let data = &report.data;
    let baseline = find(data, &wanted.baseline)?;
    let candidate = find(data, &wanted.candidate)?;
    let is_wanted = |label: &str| wanted.filter.as_ref().is_none_or(|f| f.is_match(label));
    let part = Part::of(data, report.manifest.estimator, is_wanted)
        .with(|row| !wanted.exclude.contains(&row.scenario));
    let both = part
        .rows
        .iter()
        .map(|row| (*row, row.cell(baseline), row.cell(candidate)));
    let mut rows = judge(both, part.estimator, &Rules::default());
    rows.retain(|row| row.comparison.is_some());
    if rows.is_empty() {
        return Err(At {
            line: wanted.line,
            value: format!(
                "the comparison `{}` has no scenario that both sides have a figure for",
                wanted.title
            ),
        });
    }
    let is_memory = |row: &ComparedRow| row.scenario.workload == Workload::Memory;
    let memory = rows.iter().all(is_memory);
    let sheet = Sheet::of(&rows);
    let mut table = Table {
        class: "comparison",
        caption: sheet.caption(wanted.title.clone()),
        corner: "scenario",
        head: part.head(&[baseline, candidate]),
        ..Table::default()
    };
    table.head.insert(0, Head::new("unit"));
    table
        .head
        .push(sheet.head(if memory { "vs." } else { "factor" }));
    for row in &rows {
        let caveats = [row.old, row.new]
            .into_iter()
            .flatten()
            .flat_map(|c| &c.caveats);
        let remarks = caveats.map(|c| table.remark(c)).collect();
        let label = row.scenario.label();
        let [was, is] = sheet.figures(row);
        let factor = factor_cell(row, memory, sheet.evidence(row), remarks);
        table.rows.push(TableRow {
            id: format!("p{index}-{}", anchor(row.scenario, row.unit)),
            label,
            href: String::new(),
            cells: vec![sheet.unit(row), was, is, factor],
        });
    }
    if rows.iter().any(|r| r.verdict() == Some(Verdict::Untested)) {
        table.note = "* A factor of single figures is untested: it says what was measured, and nothing tells it from noise.";
    }
    Ok(table)
}

/// The factor, or for memory the percentage, of a prepared comparison.
fn factor_cell(
    row: &ComparedRow,
    memory: bool,
    evidence: String,
    remarks: Vec<usize>,
) -> TableCell {
    let Some(known) = row.comparison else {
        return TableCell::missing();
    };
    let change = known.change;
    let text = if memory {
        change.signed_percent()
    } else {
        change.ratio_text()
    };
    let cell = match known.verdict {
        Verdict::None | Verdict::TooFew => TableCell {
            detail: format!("{text}, {evidence}"),
            ..change_cell(row, String::new())
        },
        verdict => TableCell {
            text,
            detail: evidence,
            change: change.word().word(),
            class: untested_class(verdict),
            ..TableCell::default()
        },
    };
    TableCell {
        title: change.to_string(),
        remarks,
        ..cell
    }
}

/// An implementation by what it is displayed as.
fn find(data: &Dataset, name: &At<String>) -> std::result::Result<usize, At<String>> {
    let known: Vec<String> = data
        .implementations
        .iter()
        .map(ToString::to_string)
        .collect();
    known
        .iter()
        .position(|i| *i == name.value)
        .ok_or_else(|| At {
            line: name.line,
            value: format!(
                "a [[comparison]] names `{}`, but the report has {}",
                name.value,
                known.join("; ")
            ),
        })
}

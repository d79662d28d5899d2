//! What changed since another report, and prepared comparisons.

use super::news::{News, Novelty};
use super::words::slug;
use super::{Head, Part, Table, TableCell, TableRow};
use crate::failure::{Failure, Outcome};
use crate::report::{Comparison, Dataset, Judged, Report, judge, p_text, pairs, scales};
use crate::scenario::Workload;
use crate::stats::{Rules, Verdict};
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
) -> (Vec<Table>, News) {
    let part = Part::of(&report.data, report.manifest.estimator, wanted);
    let before = Part::of(&previous.data, report.manifest.estimator, wanted);
    let old_rows = previous.data.by_key();
    let mut tables = Vec::new();
    let mut novelties = Vec::new();
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
        let mut table = Table {
            class: "changes",
            caption: format!("{from} ➡️ {to}"),
            corner: "scenario",
            head: ["unit", "old", "change", "new"].map(Head::new).to_vec(),
            ..Table::default()
        };
        let sheet = Sheet::of(&rows);
        sheet.add_head(&mut table);
        for row in &rows {
            let label = row.scenario.label();
            let [was, is] = sheet.figures(row);
            let mut cells = vec![sheet.unit(row), was, change_cell(row), is];
            cells.extend(sheet.evidence(row));
            let id = slug(&format!("since {} {label}", tables.len() + 1));
            novelties.extend(Novelty::of(row, &id, (&from, &to)));
            table.rows.push(TableRow { id, label, cells });
        }
        tables.push(table);
    }
    (tables, News::of(novelties))
}

/// `1.54x slower`; `~` where no difference is shown.
fn change_cell(row: &Judged) -> TableCell {
    let Some(known) = row.comparison else {
        return TableCell::missing();
    };
    match known.verdict {
        Verdict::None => TableCell::no_difference("no difference shown"),
        Verdict::TooFew => TableCell::no_difference("too few runs to show a difference"),
        verdict => TableCell {
            text: known.change.to_string(),
            change: known.change.word().word(),
            class: untested_class(verdict),
            ..TableCell::default()
        },
    }
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
    /// Some rows have several values a side.
    tested: bool,
    /// Some rows have so many that their ratio has an interval.
    intervals: bool,
}

impl<'a> Sheet<'a> {
    fn of(rows: &[Judged<'a>]) -> Self {
        let tested = |row: &Judged| row.comparison.is_some_and(|c| c.test.is_some());
        let interval = |row: &Judged| row.comparison.is_some_and(|c| c.interval.is_some());
        Self {
            scales: scales(rows),
            tested: rows.iter().any(tested),
            intervals: rows.iter().any(interval),
        }
    }

    fn unit(&self, row: &Judged) -> TableCell {
        TableCell {
            class: "words",
            ..TableCell::text(self.scales[row.unit].symbol.as_str())
        }
    }

    /// Both figures, with the spread that each has.
    fn figures(&self, row: &Judged) -> [TableCell; 2] {
        let scale = &self.scales[row.unit];
        [0, 1].map(|side| {
            let Some(estimate) = row.estimates[side] else {
                return TableCell::missing();
            };
            let interval = [row.old, row.new][side].and_then(|cell| cell.interval());
            TableCell {
                text: scale.show(estimate),
                detail: interval.map_or_else(String::new, |i| {
                    format!("± {:.1}%", i.relative_half_width(estimate) * 100.0)
                }),
                ..TableCell::default()
            }
        })
    }

    /// Headings of [`Self::evidence`].
    fn add_head(&self, table: &mut Table) {
        if self.tested {
            let ratio = Head {
                text: "ratio".to_owned(),
                detail: if self.intervals { "95% interval" } else { "" }.to_owned(),
            };
            table.head.extend([ratio, Head::new("p"), Head::new("n")]);
        }
    }

    /// What a change is believed by: nothing where all figures of the table stand alone.
    fn evidence(&self, row: &Judged) -> Vec<TableCell> {
        let Some(known) = row.comparison.filter(|_| self.tested) else {
            return Vec::new();
        };
        let interval = known.interval;
        let ratio = TableCell {
            text: format!("{:.3}", known.change.ratio),
            detail: interval.map_or_else(String::new, |i| format!("{:.3}–{:.3}", i.low, i.high)),
            ..TableCell::default()
        };
        let p = known.adjusted_p.or(known.test.map(|t| t.p));
        let p = p.map_or_else(TableCell::missing, |p| TableCell::text(p_text(p)));
        vec![ratio, p, TableCell::text(row.runs_text())]
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
pub fn comparisons(report: &Report, path: &Path) -> Outcome<Vec<(String, Table)>> {
    report
        .manifest
        .comparison
        .iter()
        .enumerate()
        .map(|(index, wanted)| {
            let table = comparison(report, index + 1, wanted)
                .map_err(|message| Failure::bad_file(path, message))?;
            Ok((wanted.title.clone(), table))
        })
        .collect()
}

fn comparison(report: &Report, index: usize, wanted: &Comparison) -> Result<Table, String> {
    let data = &report.data;
    let baseline = find(data, &wanted.baseline)?;
    let candidate = find(data, &wanted.candidate)?;
    // The expression was checked when report.toml was read.
    let filter = wanted
        .filter
        .as_ref()
        .and_then(|f| regex::Regex::new(f).ok());
    let part = Part::of(data, report.manifest.estimator, |label| {
        filter.as_ref().is_none_or(|f| f.is_match(label))
            && !wanted.exclude.iter().any(|e| e == label)
    });
    let both = part
        .rows
        .iter()
        .map(|row| (*row, row.cell(baseline), row.cell(candidate)));
    let mut rows = judge(both, part.estimator, &Rules::default());
    rows.retain(|row| row.comparison.is_some());
    if rows.is_empty() {
        return Err(format!(
            "the comparison `{}` has no scenario that both sides have a figure for",
            wanted.title
        ));
    }
    let is_memory = |row: &Judged| row.scenario.workload == Workload::Memory;
    let memory = rows.iter().all(is_memory);
    let mut table = Table {
        class: "comparison",
        caption: wanted.title.clone(),
        corner: "scenario",
        head: part.head(&[baseline, candidate]),
        ..Table::default()
    };
    table.head.insert(0, Head::new("unit"));
    table
        .head
        .push(Head::new(if memory { "vs." } else { "factor" }));
    let sheet = Sheet::of(&rows);
    sheet.add_head(&mut table);
    for row in &rows {
        let caveats = [row.old, row.new]
            .into_iter()
            .flatten()
            .flat_map(|c| &c.caveats);
        let remarks = caveats.map(|c| table.remark(c)).collect();
        let label = row.scenario.label();
        let [was, is] = sheet.figures(row);
        let mut cells = vec![sheet.unit(row), was, is, factor_cell(row, memory, remarks)];
        cells.extend(sheet.evidence(row));
        table.rows.push(TableRow {
            id: slug(&format!("pair {index} {label}")),
            label,
            cells,
        });
    }
    if rows.iter().any(|r| r.verdict() == Some(Verdict::Untested)) {
        table.note = "A factor of single figures is untested: it says what was measured, and nothing tells it from noise.";
    }
    Ok(table)
}

/// The factor, or for memory the percentage, of a prepared comparison.
fn factor_cell(row: &Judged, memory: bool, remarks: Vec<usize>) -> TableCell {
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
            detail: text,
            ..change_cell(row)
        },
        verdict => TableCell {
            text,
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
fn find(data: &Dataset, name: &str) -> Result<usize, String> {
    data.implementations
        .iter()
        .position(|i| i.to_string() == name)
        .ok_or_else(|| {
            let known: Vec<String> = data
                .implementations
                .iter()
                .map(ToString::to_string)
                .collect();
            format!(
                "a [[comparison]] names `{name}`, but the report has {}",
                known.join("; ")
            )
        })
}

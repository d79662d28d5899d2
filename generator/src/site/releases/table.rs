//! Tables of releases: a column per release with the changes between them, or a row per release.

use super::changed;
use crate::base::escape;
use crate::model::scenario::Scenario;
use crate::model::unit::{Scale, Unit};
use crate::report::{Cell, ComparedRow, ComparedTable, ReleaseRow, ReleaseSeries, Row};
use crate::site::caveats::Caveats;
use crate::site::compared::change_cell;
use crate::site::matrix::anchor;
use crate::site::phrases::sentences;
use crate::site::{Head, Part, Table, TableCell, TableRow, count};
use std::collections::BTreeMap;

/// With more releases, a table shows only those around a change.
pub(crate) const MAX_RELEASES: usize = 6;

/// Returns the anchor of a row.
pub(super) fn anchor_of(series: &ReleaseSeries<'_>, scenario: &Scenario, unit: &Unit) -> String {
    format!("across-{}-{}", series.number, anchor(scenario, unit))
}

/// A column of a table of releases.
#[derive(Clone, Copy)]
enum ReleaseColumn {
    /// Index in the series' columns.
    Release(usize),
    /// Index in [`ReleaseSeries::steps`].
    Step(usize),
}

/// A series with the data that its tables share.
struct ReleaseTables<'a> {
    series: &'a ReleaseSeries<'a>,
    part: Part<'a>,
    compared: ComparedTable<'a>,
    columns: Vec<ReleaseColumn>,
    scales: BTreeMap<&'a Unit, Scale>,
}

/// Returns the table of scenarios that changed, with all steps, and the collapsed table of the
/// others, without steps.
pub(super) fn tables(series: &ReleaseSeries<'_>) -> Vec<Table> {
    let untested = series.is_untested();
    let is_changed = |r: &&ReleaseRow<'_>| changed(&r.steps, untested);
    let (shown, folded): (Vec<_>, Vec<_>) = series.rows.iter().partition(is_changed);
    let layout = ReleaseTables::of(series, untested);
    let table = (!shown.is_empty()).then(|| layout.changes(&shown));
    let folded = (!folded.is_empty()).then(|| {
        let scenarios = count(folded.len(), "scenario");
        Table {
            summary: Some(match (shown.is_empty(), untested) {
                (true, _) => format!("The figures of {scenarios}"),
                (_, false) => format!("{scenarios} in which no change is shown"),
                (_, true) => format!("{scenarios} in which nothing differs by 5%"),
            }),
            ..layout.figures(&folded)
        }
    });
    table.into_iter().chain(folded).collect()
}

impl<'a> ReleaseTables<'a> {
    fn of(series: &'a ReleaseSeries<'a>, untested: bool) -> Self {
        let part = Part {
            rows: series.rows.iter().map(|r| r.row).collect(),
            ..Part::of(series.report)
        };
        let steps = series.rows.iter().flat_map(|r| r.steps.iter().flatten());
        let of_unit = part.by(|r| r.unit.clone());
        let scales = of_unit.iter();
        let scales = scales.filter_map(|(_, part)| Some((&part.rows.first()?.unit, part.scale()?)));
        Self {
            scales: scales.collect(),
            compared: ComparedTable::new(steps.cloned().collect()),
            columns: columns(series, untested),
            part,
            series,
        }
    }

    fn changes(&self, rows: &[&ReleaseRow<'_>]) -> Table {
        let table = self.table(rows, &self.columns);
        let runs = &self.compared.runs;
        let n = if runs.is_empty() { "" } else { ", n = " };
        let left_out = match self.columns.len() < 2 * self.series.columns.len() - 1 {
            true => " Releases without a change before or after them are left out.",
            false => "",
        };
        Table {
            caption: format!(
                "{}, release by release{n}{runs}. A change is from the release on its left to that on its right.{left_out}",
                self.series.name()
            ),
            note: sentences([self.compared.control_note(), table.note]),
            ..table
        }
    }

    /// Returns the table without steps.
    fn figures(&self, rows: &[&ReleaseRow<'_>]) -> Table {
        let last = self.series.columns.len() - 1;
        let is_shown = |place: usize| last < MAX_RELEASES || [0, last].contains(&place);
        let mut columns = self.columns.clone();
        columns.retain(|c| matches!(c, ReleaseColumn::Release(place) if is_shown(*place)));
        let mut table = self.table(rows, &columns);
        table.rows.iter_mut().for_each(|row| row.id = None);
        let name = self.series.name();
        table.caption = format!("{name}, scenarios in which no change is shown");
        table
    }

    fn table(&self, rows: &[&ReleaseRow<'_>], columns: &[ReleaseColumn]) -> Table {
        let head = columns.iter().map(|column| match column {
            ReleaseColumn::Release(place) => release_head(self.series, *place),
            ReleaseColumn::Step(step) => self.step_head(*step),
        });
        let mut caveats = Caveats::of(&self.part);
        let mut table_rows = Vec::new();
        for ReleaseRow { row, steps } in rows {
            let scale = &self.scales[&row.unit];
            let mut cells = vec![TableCell::words(&scale.symbol)];
            for column in columns {
                cells.push(match column {
                    ReleaseColumn::Release(place) => {
                        let cell = row.cell(self.series.columns[*place]);
                        figure(&self.part, cell, scale, &mut caveats)
                    }
                    ReleaseColumn::Step(step) => {
                        step_cell(steps[*step].as_ref(), &self.compared, &mut caveats)
                    }
                });
            }
            let id = anchor_of(self.series, &row.scenario, &row.unit);
            table_rows.push(TableRow::anchored(id, row.scenario.label(), cells));
        }
        Table {
            class: "changes steps",
            about: Some("../method/#releases"),
            corner: "scenario",
            head: [Head::from("unit")].into_iter().chain(head).collect(),
            rows: table_rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        }
    }

    fn step_head(&self, step: usize) -> Head {
        let [from, to] = self.series.steps()[step].map(|place| self.series.implementation(place));
        let text = match self.series.whole_step() == Some(step) {
            true => "first to last",
            false => "change",
        };
        Head {
            href: Some(format!("../compare/{}", compare_address(self.series, step))),
            spoken: Some(format!("{text}: from {} to {}", from.version, to.version)),
            ..self.compared.head(text)
        }
    }
}

/// Returns a figure with half the width of its interval.
fn figure(part: &Part<'_>, cell: Option<&Cell>, scale: &Scale, caveats: &mut Caveats) -> TableCell {
    cell.map_or_else(TableCell::missing, |c| part.cell(c, scale, caveats))
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

/// `0.23.31`, with the day of publication as detail.
fn release_head(series: &ReleaseSeries<'_>, place: usize) -> Head {
    let implementation = series.implementation(place);
    let day = series.report.manifest.released(implementation);
    Head {
        text: implementation.version.to_string(),
        detail: day.map(|day| day.to_string()),
        ..Head::default()
    }
}

/// Returns every release and step; if there are many, the first and last release, and the two
/// releases of each step with a change.
fn columns(series: &ReleaseSeries<'_>, untested: bool) -> Vec<ReleaseColumn> {
    let releases = series.columns.len();
    let few = releases <= MAX_RELEASES;
    let is_shown = |step: usize| {
        let mut rows = series.rows.iter();
        few || rows.any(|r| changed(&r.steps[step..=step], untested))
    };
    let mut columns = Vec::new();
    for place in 0..releases {
        let before = place.checked_sub(1).filter(|step| is_shown(*step));
        let is_end = place == 0 || place + 1 == releases;
        columns.extend(before.map(ReleaseColumn::Step));
        if is_end || before.is_some() || is_shown(place) {
            columns.push(ReleaseColumn::Release(place));
        }
    }
    columns.extend(series.whole_step().map(ReleaseColumn::Step));
    columns
}

/// Returns the fragment of the compare page that shows a step.
pub(crate) fn compare_address(series: &ReleaseSeries<'_>, step: usize) -> String {
    let [old, new] = series.steps()[step].map(|place| {
        let side = format!("{}:{}", series.report.name, series.implementation(place));
        escape::query(&side)
    });
    format!("#old={old}&new={new}")
}

/// Returns a table with one row per release, newest first: the figures of `rows`, each with the
/// change from the previous release.
pub(in crate::site) fn by_release(series: &ReleaseSeries<'_>, rows: &[&Row]) -> Table {
    let part = Part::of(series.report);
    let find = |row: &&Row| {
        let found = series.rows.iter().find(|r| std::ptr::eq(r.row, *row))?;
        let scale = part.with(|one| std::ptr::eq(one, *row)).scale()?;
        Some((found, scale))
    };
    let found: Vec<(&ReleaseRow<'_>, Scale)> = rows.iter().filter_map(find).collect();
    let steps = found.iter().flat_map(|(r, _)| r.steps.iter().flatten());
    let compared = ComparedTable::new(steps.cloned().collect());
    let mut caveats = Caveats::default();
    let mut row = |place: usize| {
        let day = release_head(series, place).detail;
        let mut cells = vec![TableCell::text(day.unwrap_or_else(|| "–".to_owned()))];
        for (r, scale) in &found {
            let step = place.checked_sub(1).and_then(|step| r.steps[step].as_ref());
            let cell = r.row.cell(series.columns[place]);
            cells.push(figure(&part, cell, scale, &mut caveats));
            cells.push(step_cell(step, &compared, &mut caveats));
        }
        TableRow::new(series.implementation(place).version.to_string(), cells)
    };
    let rows = (0..series.columns.len()).rev().map(&mut row).collect();
    let mut head = vec![Head::from("published")];
    for (r, scale) in &found {
        head.push(Head::from(&*r.row.scenario.label()).with_detail(scale.symbol.clone()));
        head.push(compared.head("change"));
    }
    Table {
        class: "history steps",
        about: Some("../../method/#releases"),
        caption: format!(
            "Releases of {}, newest first. A change is from the previous release.",
            series.name()
        ),
        corner: "release",
        head,
        rows,
        footnotes: caveats.footnotes,
        ..Table::default()
    }
}

//! The usual table of results: one row per scenario, one column per build.

use super::caveats::Caveats;
use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::model::scale::Scale;
use crate::model::unit::Unit;
use crate::report::{Cell, Row, Table, run_counts, titles, words};

/// Explains the mark of an unsteady figure.
const UNSTEADY: &str = "unsteady: half of its interval is wider than 5%";

/// A count that is shown as the names of what it counts.
const TOOLS: Unit = Unit::Count("tools");

/// More builds than this and than rows, such as the commits of a branch, are rows themselves.
const MAX_COLUMNS: usize = 40;

/// Returns the heading of a build.
pub(in crate::site) fn head(table: &Table<'_>, column: usize) -> Head {
    let name = table.data.name(column);
    let detail = Some(name.version_and_variant()).filter(|detail| !detail.is_empty());
    Head::from(&*name.library).with_detail(detail)
}

/// Returns the tables of all rows, which share one unit: first the main builds, then the others. Empty
/// without rows.
pub(in crate::site) fn results(table: &Table<'_>, what: &str) -> Vec<HtmlTable> {
    let (columns, others) = table.split_columns();
    let mut tables: Vec<HtmlTable> = results_of(table, &columns, what).into_iter().collect();
    let with_others = table.with(|row| others.iter().any(|c| row.cell(*c).is_some()));
    if others.len() > MAX_COLUMNS.max(with_others.rows.len()) {
        let head = |row: &Row, scale: Scale| {
            Head::from(&*titles::title(&row.scenario))
                .with_detail(scale.symbol)
                .of_scenario(row.scenario.label())
        };
        tables.push(HtmlTable {
            name: format!("{what}, other builds"),
            ..builds_by_rows(&with_others, &others, head)
        });
    } else if !others.is_empty() {
        tables.extend(results_of(&with_others, &others, what));
    }
    tables
}

/// Returns the table of these columns; `None` without rows.
pub(in crate::site) fn results_of(
    table: &Table<'_>,
    columns: &[usize],
    what: &str,
) -> Option<HtmlTable> {
    let scale = table.scale()?;
    let is_per_row = table.is_per_row();
    let mut shown = rows_by_builds(table, columns, |row, column, caveats| {
        let Some(one) = row.cell(column) else {
            return HtmlCell::missing();
        };
        let own = is_per_row.then(|| row.scale());
        let mut shown = cell(one, own.as_ref().unwrap_or(&scale), caveats);
        if let Some(own) = own.filter(|_| one.figure.is_some()) {
            shown.text += &format!("\u{a0}{}", own.symbol);
        }
        shown
    });
    let (shared, own) = titles::shared(&table.rows);
    for (name, shown) in own.into_iter().zip(&mut shown.rows) {
        shown.label = name;
    }
    let what = match shared.is_empty() || table.rows.len() < 2 {
        true => what.to_owned(),
        false => shared.join(", "),
    };
    (shown.name, shown.caption) = caption(table, &what, &scale);
    Some(shown)
}

/// Returns a table with a row for each row and a column for each build.
pub(in crate::site) fn rows_by_builds(
    table: &Table<'_>,
    columns: &[usize],
    mut cell: impl FnMut(&Row, usize, &mut Caveats) -> HtmlCell,
) -> HtmlTable {
    let mut caveats = Caveats::of(table);
    let mut rows = Vec::new();
    for row in &table.rows {
        let mut cells = Vec::new();
        for column in columns {
            let shown = cell(row, *column, &mut caveats);
            cells.push(starred(table, row, *column, shown));
        }
        let shown = HtmlRow::anchored(row.id.clone(), titles::title(&row.scenario), cells);
        rows.push(shown.of_scenario(row.scenario.label()));
    }
    HtmlTable {
        class: "results",
        corner: "scenario",
        head: columns.iter().map(|column| head(table, *column)).collect(),
        rows,
        note: caveats.note(),
        footnotes: caveats.footnotes,
        ..HtmlTable::default()
    }
}

/// Returns a table with a row for each build and a column for each row, in its own scale.
pub(in crate::site) fn builds_by_rows(
    table: &Table<'_>,
    builds: &[usize],
    head: impl Fn(&Row, Scale) -> Head,
) -> HtmlTable {
    let scales: Vec<Scale> = table.rows.iter().map(|row| row.scale()).collect();
    let mut caveats = Caveats::of(table);
    let mut rows = Vec::new();
    for build in builds {
        let mut cells = Vec::new();
        for (row, scale) in table.rows.iter().zip(&scales) {
            let shown = match row.cell(*build) {
                None => HtmlCell::missing(),
                Some(cell) if row.unit == TOOLS => HtmlCell::words(cell.caveats.join("; ")),
                Some(one) => cell(one, scale, &mut caveats),
            };
            cells.push(starred(table, row, *build, shown));
        }
        rows.push(HtmlRow::new(table.name(*build), cells));
    }
    let heads = table.rows.iter().zip(scales);
    HtmlTable {
        class: "results",
        corner: "build",
        head: heads.map(|(row, scale)| head(row, scale)).collect(),
        rows,
        note: caveats.note(),
        footnotes: caveats.footnotes,
        ..HtmlTable::default()
    }
}

/// Marks a cell whose build is among the best of its row, and another is not.
fn starred(table: &Table<'_>, row: &Row, column: usize, mut shown: HtmlCell) -> HtmlCell {
    shown.is_best = table.report.leads(row, column);
    shown
}

/// Returns the name `Transfer in MiB/s, higher is better`, and the number of runs if it is not the largest
/// of the report, which the page states once.
pub(in crate::site) fn caption(table: &Table<'_>, what: &str, scale: &Scale) -> (String, String) {
    let better = table.rows[0].unit.better().suffix();
    let own = run_counts(table.rows.iter().copied());
    let usual = table.data.run_counts().map(|(_, most)| (most, most));
    let runs = match own.filter(|_| own != usual) {
        None => String::new(),
        Some((min, max)) => format!("{}.", words::runs(min, max)),
    };
    let unit = match table.is_per_row() {
        true => String::new(),
        false => format!(" in {}", scale.symbol),
    };
    (format!("{what}{unit}{better}"), runs)
}

/// Returns a figure with half the width of its interval.
pub(in crate::site) fn cell(cell: &Cell, scale: &Scale, caveats: &mut Caveats) -> HtmlCell {
    let mut numbers = caveats.numbers(cell);
    if let (None, Some(reason)) = (&cell.figure, &cell.unsupported) {
        numbers.push(caveats.footnotes.number(reason));
        return HtmlCell {
            class: Some("unsupported"),
            footnotes: numbers,
            ..HtmlCell::text("unsupported")
        };
    }
    if cell.is_unsteady {
        numbers.push(caveats.footnotes.number(UNSTEADY));
        numbers.sort_unstable();
    }
    HtmlCell {
        footnotes: numbers,
        ..HtmlCell::figure(cell, scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{SENDING, cells, report};
    use crate::site::graphs::bars::bars;

    const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";

    #[test]
    fn unlike_times_have_a_unit_each() {
        let labels = ["open", "parse"];
        let random = &mut Random::new(2);
        let levels = [1.5, 35e-9].map(|level| cells(random, 20, &[level]));
        let rows: Vec<_> = labels.into_iter().zip(levels).collect();
        let mut report = report(&["version = \"0.1\""], &rows);
        for row in &mut report.data.rows {
            row.unit = Unit::Time;
        }
        let table = &results(&Table::of(&report), "Benchmarks")[0];
        assert_eq!(table.name, "Benchmarks, lower is better");
        let shown = table
            .rows
            .iter()
            .map(|row| row.cells[0].text.split('\u{a0}').nth(1));
        assert_eq!(shown.collect::<Vec<_>>(), [Some("s"), Some("ns")]);
    }

    #[test]
    fn charts_and_tables_agree_on_the_best() {
        let builds = (0..9).map(|build| format!("version = \"0.2\"\nvariant = [\"{build}\"]"));
        let builds: Vec<String> = builds.collect();
        let older = "version = \"0.1\"\nvariant = [\"0\"]";
        let keys: Vec<&str> = builds.iter().map(String::as_str).chain([older]).collect();
        // The first table has the older build beside the first; the second has those from the seventh on.
        for (best, stars) in [(2, [2, 0]), (8, [0, 2])] {
            let mut levels = [100.0; 10];
            levels[best] = 200.0;
            let random = &mut Random::new(1);
            let rows = [RECEIVING, SENDING].map(|label| (label, cells(random, 20, &levels)));
            let report = report(&keys, &rows);
            let table = Table::of(&report);
            let marked = results(&table, "Transfer").into_iter().map(|table| {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.filter(|cell| cell.is_best).count()
            });
            assert_eq!(marked.collect::<Vec<_>>(), stars);
            let graph = bars(&table, "transfer", "Transfer").expect("a chart");
            let drawn = graph.drawing.svg.matches("class=\"mark\"").count();
            // The older build is a stroke.
            assert_eq!(drawn, 2 * 6, "build {best}");
            let leads = format!("{} leads in 2 of 2 scenarios.", table.name(best));
            assert_eq!(graph.alt.contains(&leads), stars[0] > 0, "{}", graph.alt);
        }
    }
}

//! Results: one row per scenario and one column per build, or the other way round.

use crate::report::{
    Caveats, Grid, GridCell, GridRow, Head, Report, Row, Table, run_counts, titles, words,
};

/// More builds than this and than rows, such as the commits of a branch, are rows themselves.
const MAX_COLUMNS: usize = 40;

/// Returns the tables of all rows, which share one unit: first the builds that are shown, then the others.
pub(in crate::site) fn results(table: &Table<'_>, what: &str) -> Vec<Grid> {
    let mut tables = Vec::new();
    for builds in [table.shown(), table.others()] {
        let own = table.with(|row| builds.iter().any(|build| row.cell(*build).is_some()));
        if builds.len() > MAX_COLUMNS.max(own.rows.len()) {
            tables.push(Grid {
                name: format!("{what}, other builds"),
                ..builds_by_rows(&own, &builds, head)
            });
        } else if !own.rows.is_empty() {
            tables.push(results_of(&own, &builds, what));
        }
    }
    tables
}

/// Returns the table of these builds.
pub(in crate::site) fn results_of(table: &Table<'_>, builds: &[usize], what: &str) -> Grid {
    let (shared, own) = titles::shared(&table.rows);
    let what = shared.unwrap_or_else(|| what.to_owned());
    let mut grid = rows_by_builds(table, builds);
    for ((title, row), shown) in own.into_iter().zip(&table.rows).zip(&mut grid.rows) {
        // Rows of unlike times have units of their own.
        shown.label = match table.symbol() {
            Some(_) => title,
            None => format!("{title}, {}", row.scale.symbol),
        };
    }
    (grid.name, grid.caption) = caption(table, &what);
    grid
}

/// Returns a table with a row for each row and a column for each build.
pub(in crate::site) fn rows_by_builds(table: &Table<'_>, builds: &[usize]) -> Grid {
    let report = table.report;
    let mut caveats = Caveats::of(table.cells());
    let rows = table.rows.iter().map(|row| {
        let cells = builds.iter();
        let cells = cells.map(|build| figure(report, row, *build, &mut caveats));
        let shown = GridRow::new(titles::title(&row.scenario), cells.collect());
        shown.of_scenario(row.scenario.label())
    });
    let rows = rows.collect();
    let head = builds.iter().map(|build| Head::build(report, *build));
    grid("scenario", head.collect(), rows, caveats)
}

/// Returns a table with a row for each build and a column for each row.
pub(in crate::site) fn builds_by_rows(
    table: &Table<'_>,
    builds: &[usize],
    head: impl Fn(&Row) -> Head,
) -> Grid {
    let report = table.report;
    let mut caveats = Caveats::of(table.cells());
    let rows = builds.iter().map(|build| {
        let cells = table.rows.iter();
        let cells = cells.map(|row| figure(report, row, *build, &mut caveats));
        GridRow::new(report.full_name(*build), cells.collect())
    });
    let rows = rows.collect();
    let head = table.rows.iter().map(|row| head(row));
    grid("build", head.collect(), rows, caveats)
}

fn grid(corner: &'static str, head: Vec<Head>, rows: Vec<GridRow>, caveats: Caveats) -> Grid {
    let mut grid = Grid {
        class: "results",
        corner,
        head,
        rows,
        ..Grid::default()
    };
    caveats.below(&mut grid);
    grid
}

/// Returns the figure of a build, with a star if it is among the best of its row, and another is not.
fn figure(report: &Report, row: &Row, build: usize, caveats: &mut Caveats) -> GridCell {
    let order = report.order(row);
    GridCell {
        is_best: order.is_some_and(|found| found.first.contains(&build)),
        ..caveats.figure(row.cell(build))
    }
}

/// The heading of a scenario, with its unit.
pub(in crate::site) fn head(row: &Row) -> Head {
    Head::from(&*titles::title(&row.scenario))
        .with_detail(row.scale.symbol.clone())
        .of_scenario(row.scenario.label())
}

/// Returns the name `Transfer in MiB/s, higher is better`, and the number of runs if it is not that of all
/// figures of the report, which the page states once.
pub(in crate::site) fn caption(table: &Table<'_>, what: &str) -> (String, String) {
    let better = table.rows[0].unit.better().suffix();
    let own = run_counts(table.rows.iter().copied());
    let runs = match own.filter(|_| own != table.report.run_counts) {
        None => String::new(),
        Some((min, max)) => format!("{}.", words::runs(min, max)),
    };
    let unit = table
        .symbol()
        .map_or_else(String::new, |symbol| format!(" in {symbol}"));
    (format!("{what}{unit}{better}"), runs)
}

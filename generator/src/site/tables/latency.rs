//! Percentiles of times: a row per scenario and build, a column per percentile.

use crate::base::slug::slug;
use crate::model::scenario::{Percentile, Scenario};
use crate::report::{Caveats, Cell, Grid, GridCell, GridRow, Head, Report, Row, Table, titles};

/// Returns the table of all builds and scenarios.
pub(in crate::site) fn latency(table: &Table<'_>) -> Option<Grid> {
    let builds = [table.shown(), table.others()].concat();
    let note = "Each figure is the median over the runs, max the median of their longest times; n counts handshakes.";
    percentiles(table, &builds, "Time of one handshake", note)
}

/// Returns a table with one row per scenario and build, one column per percentile, and the number
/// of values where it is known. A row is in the unit of its median.
pub(in crate::site) fn percentiles(
    table: &Table<'_>,
    builds: &[usize],
    what: &str,
    note: &str,
) -> Option<Grid> {
    let report: &Report = table.report;
    let mut caveats = Caveats::of(table.cells());
    let mut shown = Percentile::ALL.to_vec();
    shown.retain(|p| table.rows.iter().any(|r| r.scenario.percentile == Some(*p)));
    let counted = |cell: &Cell| Some(cell.distribution.as_ref()?.count());
    let has_counts = table.cells().filter_map(counted).next().is_some();
    let mut symbols: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for (base, of_scenario) in &table.by(without_percentile) {
        let row_of = |percentile| {
            let mut rows = of_scenario.rows.iter();
            rows.find(|row| row.scenario.percentile == percentile)
        };
        for build in builds {
            let cells = shown.iter().map(|p| Some((*row_of(Some(*p))?, *p)));
            let own: Vec<Option<(&Row, Percentile)>> = cells.collect();
            let has_figure = |one: &Option<(&Row, Percentile)>| {
                one.is_some_and(|(row, _)| row.figure(*build).is_some())
            };
            if !own.iter().any(has_figure) {
                continue;
            }
            let name = report.full_name(*build);
            let id = slug(&format!("{base} {name}"));
            let mut cells = vec![GridCell::text(name)];
            if has_counts {
                let cell = row_of(None).and_then(|row| row.cell(*build));
                let count = cell.and_then(counted);
                let count = count.map(|n| GridCell::number(n as f64, 0));
                cells.push(count.unwrap_or_else(GridCell::missing));
            }
            for one in own {
                let mut cell = caveats.figure(one.and_then(|(row, _)| row.cell(*build)));
                if let Some((row, _)) = one {
                    // A maximum may have another unit than the median.
                    if !symbols.contains(&&*row.scale.symbol) {
                        symbols.push(&row.scale.symbol);
                    }
                    cell.text += &format!("\u{a0}{}", row.scale.symbol);
                }
                cells.push(cell);
            }
            let row = GridRow::new(titles::title(base), cells);
            rows.push(row.of_scenario(base.label()).with_id(id));
        }
    }
    let mut head = vec![Head::text("build")];
    head.extend(has_counts.then_some(Head::from("n")));
    head.extend(shown.iter().map(|percentile| Head::from(percentile.word())));
    let unit = match symbols[..] {
        [symbol] => {
            // One unit stands in the caption.
            let unit = format!("\u{a0}{symbol}");
            for cell in rows.iter_mut().flat_map(|row| &mut row.cells) {
                cell.text = cell.text.trim_end_matches(&unit).to_owned();
            }
            format!(" in {symbol}")
        }
        _ => String::new(),
    };
    let mut grid = Grid {
        class: "results",
        name: format!("{what}{unit}, lower is better"),
        caption: note.to_owned(),
        corner: "scenario",
        head,
        rows,
        ..Grid::default()
    };
    caveats.below(&mut grid);
    (!grid.rows.is_empty()).then_some(grid)
}

/// Returns a row's scenario without its percentile.
fn without_percentile(row: &Row) -> Scenario {
    Scenario {
        percentile: None,
        ..row.scenario.clone()
    }
}

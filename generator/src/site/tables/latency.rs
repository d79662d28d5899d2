//! Percentiles of times: a row per scenario and build, a column per percentile.

use super::caveats::Caveats;
use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use super::results::cell;
use crate::base::slug::slug;
use crate::model::scale::Scale;
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::Unit;
use crate::report::{Cell, Row, Table, distinct, titles};

/// Returns the table of all builds and scenarios.
pub(in crate::site) fn latency(table: &Table<'_>) -> Vec<HtmlTable> {
    let all = Vec::from_iter(0..table.data.implementations.len());
    let note = "Each figure is the median over the runs, max the median of their longest times; n counts handshakes.";
    percentiles(table, &all, "Time of one handshake", note)
        .into_iter()
        .collect()
}

/// Returns a table with one row per scenario and build, one column per percentile, and the number
/// of values where it is known. Its scale fits the medians: one that fits the maxima would print
/// small figures with leading zeros.
pub(in crate::site) fn percentiles(
    table: &Table<'_>,
    columns: &[usize],
    what: &str,
    note: &str,
) -> Option<HtmlTable> {
    let medians = table.with(|r| r.scenario.percentile == Some(Percentile::P50));
    let mut scale = Scale::of(&Unit::Time, medians.figures().map(|f| f.estimate));
    scale.decimals = if scale.symbol == "ns" { 0 } else { 1 };
    let mut caveats = Caveats::of(table);
    let mut shown = Percentile::ALL.to_vec();
    shown.retain(|p| table.rows.iter().any(|r| r.scenario.percentile == Some(*p)));
    let counted = |cell: &Cell| Some(cell.distribution.as_ref()?.count());
    let has_counts = table.cells().filter_map(counted).next().is_some();
    let (mut rows, mut ids) = (Vec::new(), Vec::new());
    for (base, of_scenario) in &table.by(without_percentile) {
        let label = titles::title(base).replace("Latency of a ", "a ");
        let row_of = |percentile| {
            let mut rows = of_scenario.rows.iter();
            rows.find(|row| row.scenario.percentile == percentile)
        };
        for column in columns {
            let figures = shown.iter().map(|p| row_of(Some(*p))?.cell(*column));
            let figures: Vec<Option<&Cell>> = figures.collect();
            if figures.iter().flatten().all(|cell| cell.figure.is_none()) {
                continue;
            }
            let name = table.name(*column);
            let text = format!("{base} {name}");
            ids.push((text.clone(), slug(&text)));
            let mut cells = vec![HtmlCell::words(name)];
            if has_counts {
                let count = row_of(None)
                    .and_then(|row| row.cell(*column))
                    .and_then(counted);
                let count = count.map(|n| HtmlCell::number(n as f64, 0));
                cells.push(count.unwrap_or_else(HtmlCell::missing));
            }
            for figure in figures {
                let shown = figure.map(|one| cell(one, &scale, &mut caveats));
                cells.push(shown.unwrap_or_else(HtmlCell::missing));
            }
            rows.push(HtmlRow::new(label.clone(), cells).of_scenario(base.label()));
        }
    }
    for (row, id) in rows.iter_mut().zip(distinct(&ids)) {
        row.id = Some(id);
    }
    let mut head = vec![Head::from("implementation")];
    head.extend(has_counts.then_some(Head::from("n")));
    head.extend(shown.iter().map(|percentile| Head::from(percentile.word())));
    (!rows.is_empty()).then(|| HtmlTable {
        class: "results",
        about: Some("../method/#latency"),
        name: format!("{what} in {}, lower is better", scale.symbol),
        caption: note.to_owned(),
        corner: "scenario",
        head,
        rows,
        note: caveats.note(),
        footnotes: caveats.footnotes,
    })
}

/// Returns a row's scenario without its percentile.
fn without_percentile(row: &Row) -> Scenario {
    Scenario {
        percentile: None,
        ..row.scenario.clone()
    }
}

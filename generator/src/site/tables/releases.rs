//! Releases: the tested change of each from the one before it, and commits with new levels.

use super::ahead::SIGNS;
use crate::base::words::count;
use crate::report::{
    Grid, GridCell, GridRow, Head, Link, Look, Report, Row, Series, titles, words,
};

/// Columns of scenarios.
const MAX_COLUMNS: usize = 4;

/// Returns a row for each step from a release to the next, the newest first, and from the first to the newest final
/// one, with the change of each headline scenario and the number of those that changed.
pub(in crate::site) fn steps(report: &Report, all: &[Series<'_>]) -> Option<Grid> {
    let mut headlines = report.headlines();
    headlines.truncate(MAX_COLUMNS);
    let mut rows = Vec::new();
    for series in all {
        let mut steps = series.steps();
        // It may be a step itself.
        let whole = series.whole().filter(|whole| !steps.contains(whole));
        steps.reverse();
        steps.extend(whole);
        rows.extend(steps.into_iter().map(|step| row(report, step, &headlines)));
    }
    let (shared, own) = titles::shared(&headlines);
    let heads = own.iter().zip(&headlines);
    let mut head: Vec<Head> = heads
        .map(|(title, row)| Head::from(&**title).of_scenario(row.scenario.label()))
        .collect();
    head.push(Head::from("changed"));
    head.push(Head::text("largest change"));
    let shared = shared.map_or_else(String::new, |shared| format!("{shared}. "));
    (!rows.is_empty()).then(|| Grid {
        class: "fit",
        name: "Each release against the one before it".to_owned(),
        caption: format!("{shared}{SIGNS}."),
        corner: "release",
        head,
        rows,
        ..Grid::default()
    })
}

/// Returns the row of a step: `rustls 0.23.29 ➡️ 0.23.42`.
fn row(report: &Report, sides: [usize; 2], headlines: &[&Row]) -> GridRow {
    let tally = report.tally(sides);
    let verdicts = headlines.iter().map(|row| report.verdict(row, sides));
    let cells = verdicts.map(|known| GridCell::verdict(known.as_ref()));
    let mut cells: Vec<GridCell> = cells.collect();
    let changed = format!("{} of {}", tally.changed(), tally.compared());
    cells.push(GridCell::from(changed));
    let largest = words::largest(&tally);
    cells.push(GridCell::text(largest.unwrap_or_else(|| "–".to_owned())));
    let [old, new] = sides.map(|build| &report.builds[build].name);
    let name = format!("{} ➡️ {}", old.full(), new.beside(old));
    GridRow::new(name, cells).linked(Link::pair(sides.map(|build| (report, build))))
}

/// Returns a table with one row per release, the highest version first: the figures of `rows`, each with the
/// change from the release before.
pub(in crate::site) fn by_release(series: &Series<'_>, rows: &[&Row]) -> Grid {
    let report = series.report;
    let mut head = Vec::new();
    let mut builds = series.builds.iter();
    let has_days = builds.any(|build| report.builds[*build].day.is_some());
    if has_days {
        head.push(Head::from("published"));
    }
    for row in rows {
        head.push(super::results::head(row));
        head.push(Head::from("change"));
    }
    let mut shown = Vec::new();
    for (place, build) in series.builds.iter().enumerate().rev() {
        let mut cells = Vec::new();
        if has_days {
            let day = report.builds[*build].day;
            cells.push(day.map_or_else(GridCell::missing, |day| day.to_string().into()));
        }
        for row in rows {
            cells.push(GridCell::figure(row.cell(*build)));
            let before = place.checked_sub(1).map(|before| series.builds[before]);
            let known = before.and_then(|before| report.verdict(row, [before, *build]));
            cells.push(GridCell::verdict(known.as_ref()));
        }
        shown.push(GridRow::new(report.build(*build).version.words(), cells));
    }
    let (what, order, release) = match series.is_of_branch() {
        true => ("Commits", "the newest first", "commit"),
        false => ("Releases", "the highest version first", "release"),
    };
    Grid {
        class: "history",
        name: format!("{what} of {}, {order}", series.name()),
        caption: format!("A change is from the {release} before."),
        corner: release,
        head,
        rows: shown,
        ..Grid::default()
    }
}

/// Returns a row for each commit with new levels, with its largest change; `None` without any.
pub(in crate::site) fn levels(report: &Report) -> Option<Grid> {
    let mut rows = Vec::new();
    for (commit, levels) in report.shifts() {
        let (row, level) = levels[0];
        let cells = vec![
            GridCell::text(titles::title(&row.scenario)),
            GridCell {
                look: Look::Verdict(level.change.direction()),
                ..GridCell::from(level.change.to_string())
            },
            GridCell::from(count(levels.len(), "scenario")),
            GridCell::from(format!("{:.3}", level.p)),
        ];
        rows.push(GridRow {
            link: report.page_of(commit),
            ..GridRow::new(commit.to_string(), cells)
        });
    }
    let head = ["change", "changed", "p"].map(Head::from);
    (!rows.is_empty()).then(|| Grid {
        class: "changes",
        name: "Commits with new levels, newest first, each with its largest change".to_owned(),
        corner: "since",
        head: [Head::text("scenario")].into_iter().chain(head).collect(),
        rows,
        note: Some(
            "A level is new where the figures from a commit on differ from those before it. It may have changed a commit or two earlier or later."
                .to_owned(),
        ),
        ..Grid::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pre-release is a step of its own, and the way from the first release to the newest final one
    /// is no second row of the only step to it.
    #[test]
    fn each_step_is_one_row() {
        let mut table = "scenario,unit,run,a 1.0.0,a 1.1.0,a 1.2.0-rc.1\n".to_owned();
        for run in 1..=6 {
            table += &format!("parse,ns,{run},{},{},{}\n", 100 + run, 200 + run, 300 + run);
        }
        let report = Report::example("2026-01-01", "", &table);
        let grid = steps(&report, &report.series()).expect("a table");
        let rows: Vec<String> = grid.rows.into_iter().map(|row| row.label).collect();
        assert_eq!(rows, ["a 1.1.0 ➡️ 1.2.0-rc.1", "a 1.0.0 ➡️ 1.1.0"]);
    }
}

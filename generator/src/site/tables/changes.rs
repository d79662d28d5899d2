//! Tables of two sides: changes since other reports, and the comparisons that `report.toml` lists.

use crate::base::failure::{self, Failure, Result};
use crate::base::footnotes::Footnotes;
use crate::base::limits::{RESULT, exceeded};
use crate::model::scenario::Scenario;
use crate::parse::{Located, PreparedComparison};
use crate::report::{
    Compared, Grid, GridCell, GridRow, Head, Look, Report, Row, Side, control_note,
    history::OPEN_EXCHANGE, leaves_key_exchange_open, since, titles, words,
};
use crate::stats::{Rules, Verdict};
use std::collections::BTreeSet;

/// The changes of one build since earlier reports.
pub(in crate::site) struct Changes<'a> {
    pub new: usize,
    pub rows: Vec<(Compared<'a>, Side<'a>)>,
    pub grid: Grid,
}

/// Compares each build with earlier reports, the newest first.
pub(in crate::site) fn changes<'a>(
    report: &'a Report,
    earlier: &[&'a Report],
    wanted: impl Fn(&Row) -> bool,
) -> Vec<Changes<'a>> {
    let mut all: Vec<Changes<'a>> = Vec::new();
    for new in 0..report.builds.len() {
        let mut rows = since(report, earlier.first().copied(), new);
        rows.retain(|(one, _)| wanted(one.row));
        if !rows.is_empty() {
            let anchors = format!("since-{}", all.len() + 1);
            let grid = since_table(&rows, (report, new), &anchors);
            all.push(Changes { new, rows, grid });
        }
    }
    all
}

/// Returns the table of one build since earlier reports. A note names the report of each baseline that is not
/// of the first.
fn since_table(rows: &[(Compared<'_>, Side<'_>)], (report, new): Side<'_>, anchors: &str) -> Grid {
    let name = |(before, build): Side<'_>| [before.full_name(build), before.day_or_name()];
    let days = rows.iter().map(|(_, side)| *side);
    let usual = days.max_by_key(|(before, _)| before.when());
    let [from, day] = usual.map(name).unwrap_or_default();
    let what = format!("{from} ➡️ {}, since {day}", report.full_name(new));
    let compared: Vec<Compared<'_>> = rows.iter().map(|(one, _)| *one).collect();
    let mut grid = pair_table(&compared, &what, anchors, ["old", "new"].map(Head::from));
    for ((_, side), shown) in rows.iter().zip(&mut grid.rows) {
        if usual.is_some_and(|(usual, _)| usual.name != side.0.name) {
            let [from, day] = name(*side);
            let note = format!("against {from} in the report of {day}");
            let number = grid.footnotes.number(note);
            change_of(shown).footnotes.push(number);
        }
    }
    grid
}

/// Returns the cell of the change, the last but one.
fn change_of(row: &mut GridRow) -> &mut GridCell {
    let change = row.cells.len() - 2;
    &mut row.cells[change]
}

/// Returns the table of two sides under these headings, with the change between their figures.
pub(in crate::site) fn pair_table(
    rows: &[Compared<'_>],
    what: &str,
    anchors: &str,
    [old, new]: [Head; 2],
) -> Grid {
    let symbols: BTreeSet<&str> = rows.iter().map(|one| &*one.row.scale.symbol).collect();
    // A column for the units, if there are several.
    let (unit, column) = match Vec::from_iter(symbols)[..] {
        [symbol] => (format!(" in {symbol}"), None),
        _ => (String::new(), Some(Head::text("unit"))),
    };
    let mut footnotes = Footnotes::default();
    let mut shown = Vec::new();
    for one in rows {
        let figures = one.figures();
        let [was, is] = [0, 1].map(|side| GridCell {
            look: match one.cells[side].is_unsteady {
                true => Look::Unsteady,
                false => Look::Figure,
            },
            ..GridCell::from(&*figures[side])
        });
        let mut change = GridCell::change(one);
        if let Some(reason) = one.is_within_control(&Rules::default()) {
            change.footnotes.push(footnotes.number(reason));
        }
        let symbol = column
            .as_ref()
            .map(|_| GridCell::text(&*one.row.scale.symbol));
        let cells = symbol.into_iter().chain([was, change, is]).collect();
        let row = GridRow::new(titles::title(&one.row.scenario), cells);
        let row = row.with_id(format!("{anchors}-{}", one.row.id));
        shown.push(row.of_scenario(one.row.scenario.label()));
    }
    let untested = rows.iter().any(|one| one.verdict() == Verdict::Untested);
    let open = rows
        .iter()
        .any(|one| leaves_key_exchange_open(&one.row.scenario));
    Grid {
        class: "changes",
        name: format!("{what}{unit}"),
        corner: "scenario",
        head: column
            .into_iter()
            .chain([old, change_head(rows), new])
            .collect(),
        rows: shown,
        note: words::sentences([
            control_note(rows.iter().map(|one| one.control)),
            untested.then(|| "* Not tested: a side has too few runs.".to_owned()),
            open.then(|| {
                format!("Handshakes that name no key exchange are {OPEN_EXCHANGE}, which may have changed between them.")
            }),
        ]),
        footnotes,
        ..Grid::default()
    }
}

/// Returns the heading of a column of changes with their evidence.
pub(in crate::site) fn change_head(rows: &[Compared<'_>]) -> Head {
    let has_interval = rows.iter().any(|one| one.known.interval.is_some());
    let is_tested = rows.iter().any(|one| one.known.test.is_some());
    let detail = match (is_tested, has_interval) {
        (false, _) => None,
        (true, false) => Some("p, n"),
        (true, true) => Some("95% interval, p, n"),
    };
    Head::from("change").with_detail(detail.map(str::to_owned))
}

/// Returns the tables of the `[[comparison]]` entries with their titles. One without a common row is left out,
/// with a warning.
///
/// # Errors
/// Fails if a comparison names a build that the report lacks.
pub(in crate::site) fn comparisons(report: &Report) -> Result<Vec<(String, Grid)>> {
    let path = report.folder.join("report.toml");
    let wanted = || report.manifest.comparisons.iter();
    let filters = wanted().filter_map(|at| at.value.filter.as_ref());
    let checked = report.check_filters(filters);
    checked.map_err(|message| Failure::at(&path, 0, message))?;
    let (mut tables, mut rows) = (Vec::new(), 0);
    for (index, wanted) in wanted().enumerate() {
        let table = comparison(report, index + 1, wanted);
        rows += table.as_ref().map_or(0, |table| table.rows.len());
        if rows > RESULT {
            let more = exceeded(RESULT, "rows in the tables of all comparisons");
            return Err(Failure::at(&path, wanted.line, more));
        }
        tables.push(table.map(|table| (wanted.value.title.clone(), table)));
    }
    let mut tables = failure::all(tables)?;
    tables.retain(|(title, table)| {
        if table.rows.is_empty() {
            crate::inform!(
                "warning: {}: no scenario of the comparison `{title}` has a figure on both sides",
                report.name
            );
        }
        !table.rows.is_empty()
    });
    Ok(tables)
}

fn comparison(
    report: &Report,
    index: usize,
    Located { value: wanted, .. }: &Located<PreparedComparison>,
) -> Result<Grid> {
    let find = |name: &Located<String>| {
        let mut builds = report.builds.iter();
        builds
            .position(|build| build.implementation.to_string() == name.value)
            .ok_or_else(|| {
                let known = report.list();
                let message = format!(
                    "a [[comparison]] names `{}`, but the report has {known}",
                    name.value
                );
                Failure::at(report.folder.join("report.toml"), name.line, message)
            })
    };
    let sides = [find(&wanted.baseline)?, find(&wanted.candidate)?];
    let matches = |label: &str| wanted.filter.as_ref().is_none_or(|f| f.is_match(label));
    let excluded = |s: &Scenario| wanted.exclude.iter().any(|at| at.value == *s);
    let mut rows = report.compare(sides);
    rows.retain(|one| {
        let scenario = &one.row.scenario;
        matches(&scenario.label()) && !excluded(scenario)
    });
    let heads = sides.map(|side| Head::build(report, side));
    let mut grid = pair_table(&rows, &wanted.title, &format!("p{index}"), heads);
    let names = sides.map(|side| report.full_name(side));
    for (one, shown) in rows.iter().zip(&mut grid.rows) {
        for caveat in caveats(one, &names) {
            let number = grid.footnotes.number(caveat);
            change_of(shown).footnotes.push(number);
        }
    }
    Ok(grid)
}

/// Returns the caveats on a change; those of one side only start with its name.
fn caveats(one: &Compared<'_>, [old, new]: &[String; 2]) -> Vec<String> {
    let [both, only_old, only_new] = one.caveats();
    let mut caveats: Vec<String> = both.into_iter().cloned().collect();
    caveats.extend(only_old.iter().map(|caveat| format!("{old}: {caveat}")));
    caveats.extend(only_new.iter().map(|caveat| format!("{new}: {caveat}")));
    caveats
}

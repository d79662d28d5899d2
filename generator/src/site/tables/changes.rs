//! Tables of two sides: changes since other reports, and the comparisons that `report.toml` lists.

use crate::base::failure::{self, Failure, Result};
use crate::base::footnotes::Footnotes;
use crate::base::limits::{RESULT, exceeded};
use crate::model::scenario::Scenario;
use crate::parse::{Located, PreparedComparison};
use crate::report::{
    Compared, Grid, GridCell, GridRow, Head, Report, Row, control_note, history::OPEN_EXCHANGE,
    leaves_key_exchange_open, since, titles, words,
};
use crate::stats::{Rules, Verdict};

/// The changes of one build since the report before.
pub(in crate::site) struct Changes<'a> {
    pub rows: Vec<Compared<'a>>,
    pub grid: Grid,
}

/// Compares each build with that of the report before, if there is one.
pub(in crate::site) fn changes<'a>(
    report: &'a Report,
    previous: Option<&'a Report>,
    wanted: impl Fn(&Row) -> bool,
) -> Vec<Changes<'a>> {
    let mut all = Vec::new();
    let Some(before) = previous else {
        return all;
    };
    for ([old, new], mut rows) in since(report, before) {
        rows.retain(|one| wanted(one.row));
        if !rows.is_empty() {
            let [from, to] = [before.full_name(old), report.full_name(new)];
            let what = format!("{from} ➡️ {to}, since {}", before.day_or_name());
            let grid = pair_table(&rows, &what, ["old", "new"].map(Head::from), |_| Vec::new());
            all.push(Changes { rows, grid });
        }
    }
    all
}

/// Returns the table of two sides under these headings, with the change between their figures and notes on it.
fn pair_table(
    rows: &[Compared<'_>],
    what: &str,
    [old, new]: [Head; 2],
    notes: impl Fn(usize) -> Vec<String>,
) -> Grid {
    let mut symbols = rows.iter().map(|one| &one.row.scale.symbol);
    let first = symbols.next();
    // A column for the units, if there are several.
    let has_several = symbols.any(|symbol| Some(symbol) != first);
    let unit = first.filter(|_| !has_several);
    let unit = unit.map_or_else(String::new, |symbol| format!(" in {symbol}"));
    let mut footnotes = Footnotes::default();
    let mut shown = Vec::new();
    for (place, one) in rows.iter().enumerate() {
        let figures = one.figures();
        let [was, is] = [0, 1].map(|side| GridCell {
            text: figures[side].clone(),
            detail: None,
            ..GridCell::figure(Some(one.cells[side]))
        });
        let mut change = GridCell::change(one);
        let reason = one.is_within_control(&Rules::default());
        for note in reason.into_iter().chain(notes(place)) {
            change.footnotes.push(footnotes.number(note));
        }
        let symbol = has_several.then(|| GridCell::text(&*one.row.scale.symbol));
        let cells = symbol.into_iter().chain([was, change, is]).collect();
        let row = GridRow::new(titles::title(&one.row.scenario), cells);
        shown.push(row.of_scenario(one.row.scenario.label()));
    }
    let is_tested = rows.iter().any(|one| one.known.test.is_some());
    let evidence = is_tested.then(|| "95% interval, p, n".to_owned());
    let change = Head::from("change").with_detail(evidence);
    let units = has_several.then(|| Head::text("unit"));
    let untested = rows.iter().any(|one| one.verdict() == Verdict::Untested);
    let mut scenarios = rows.iter().map(|one| &one.row.scenario);
    let open = scenarios.any(leaves_key_exchange_open);
    Grid {
        class: "changes",
        name: format!("{what}{unit}"),
        corner: "scenario",
        head: units.into_iter().chain([old, change, new]).collect(),
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
    for wanted in wanted() {
        let table = comparison(report, wanted);
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
    Located { value: wanted, .. }: &Located<PreparedComparison>,
) -> Result<Grid> {
    let find = |name: &Located<String>| {
        report.named(&name.value).ok_or_else(|| {
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
    let names = sides.map(|side| report.full_name(side));
    // What holds for one side only starts with its name.
    Ok(pair_table(&rows, &wanted.title, heads, |place| {
        let [both, only_old, only_new] = rows[place].caveats();
        let of = |side: usize| {
            let name = &names[side];
            move |caveat: &String| format!("{name}: {caveat}")
        };
        let own = only_old.into_iter().map(of(0));
        let own = own.chain(only_new.into_iter().map(of(1)));
        both.into_iter().cloned().chain(own).collect()
    }))
}

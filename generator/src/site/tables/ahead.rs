//! Who is ahead: the subject in the rows that say most, against its rivals.

use crate::report::{Grid, GridCell, GridRow, Head, Link, Report, Row, titles};
use crate::site::pages::topics::MAX_ROWS;
use crate::stats::Verdict;

/// Rivals of a table.
const MAX_RIVALS: usize = 8;

/// What the signs of verdicts are.
pub(in crate::site) const SIGNS: &str = "▲ is faster or less, ▼ slower or more, = a difference below 1%, ~ none that is shown, * not tested";

/// The question that [`ahead`] answers.
pub(in crate::site) fn question(report: &Report) -> &'static str {
    match report.revisions() {
        Some(_) => "What changed",
        None if report.is_of_one_library() => "Against other builds",
        None => "Who is ahead",
    }
}

/// Returns a row for each scenario that says most, a column for each rival of the subject; `None` without any, and
/// for the commits of a branch, of which a single one cannot tell.
pub(in crate::site) fn ahead(report: &Report) -> Option<Grid> {
    let roles = report.roles();
    let subject = roles.subject.filter(|_| !report.is_of_branch())?;
    against(report, subject, &roles.rivals, false)
}

/// Returns the same for the default build of a library, with its place in each row.
pub(in crate::site) fn of_library(report: &Report, library: &str) -> Option<Grid> {
    let mut others = report.roles().ranked.clone();
    let is_own = |build: &usize| report.library(*build) == library;
    let own = others.iter().position(is_own)?;
    let own = others.remove(own);
    against(report, own, &others, true)
}

/// Returns the place of a build in a row: one more than the number of those that are shown to be better.
fn place(report: &Report, row: &Row, build: usize) -> GridCell {
    let ranked = report
        .order(row)
        .map(|found| [&*found.first, &found.behind].concat());
    let Some(ranked) = ranked.filter(|ranked| ranked.contains(&build)) else {
        return GridCell::missing();
    };
    let verdicts = ranked
        .iter()
        .filter_map(|other| report.verdict(row, [build, *other]));
    let better = verdicts
        .filter(|known| known.verdict == Verdict::Better)
        .count();
    GridCell::from(format!("{} of {}", better + 1, ranked.len()))
}

fn against(report: &Report, subject: usize, all: &[usize], has_place: bool) -> Option<Grid> {
    let rivals = &all[..all.len().min(MAX_RIVALS)];
    let mut shown = report.key_rows();
    shown.retain(|row| {
        let mut rivals = rivals.iter();
        rivals.any(|rival| report.verdict(row, [*rival, subject]).is_some())
    });
    shown.truncate(MAX_ROWS);
    let (shared, own) = titles::shared(&shown);
    let mut rows = Vec::new();
    for (row, title) in shown.iter().zip(own) {
        let figure = GridCell::figure(row.cell(subject));
        let mut cells = vec![figure.with_detail(row.scale.symbol.clone())];
        cells.extend(has_place.then(|| place(report, row, subject)));
        for rival in rivals {
            let known = report.verdict(row, [*rival, subject]);
            let pair = Link::pair([(report, *rival), (report, subject)]);
            cells.push(known.map_or_else(GridCell::missing, |known| {
                GridCell::verdict(&known).linked(pair)
            }));
        }
        rows.push(GridRow::new(title, cells).of_scenario(row.scenario.label()));
    }
    let mut head = vec![Head::build(report, subject)];
    head.extend(has_place.then(|| Head::from("place")));
    head.extend(rivals.iter().map(|rival| Head::build(report, *rival)));
    let of_all = shared.map_or_else(String::new, |shared| format!("{shared}. "));
    let against = match rivals {
        [one] => report.full_name(*one),
        _ if report.is_of_one_library() => "other builds".to_owned(),
        _ => "the newest measured release of each".to_owned(),
    };
    let more = match all.len() - rivals.len() {
        0 => String::new(),
        n => format!(" {n} more are on the page of all figures."),
    };
    (!rows.is_empty()).then(|| Grid {
        class: "fit ahead",
        name: format!("{} against {against}", report.full_name(subject)),
        caption: format!("{of_all}{SIGNS}.{more}"),
        corner: "scenario",
        head,
        rows,
        ..Grid::default()
    })
}

//! The sentences that answer what a page is about. Each ranks only by tested differences; the tests
//! of the website compute them again from the downloads.

use super::phrases::own_words;
use crate::base::words::{count, join};
use crate::model::scale::Scale;
use crate::model::scenario::{Side, Workload};
use crate::report::{
    Leaders, ReleaseSeries, Report, Row, Table, leaves_key_exchange_open, one_of_each_kind, titles,
    words,
};
use crate::stats::{MIN_SAMPLE_FOR_TEST, Verdict};
use std::collections::BTreeSet;

/// Names in a sentence.
const MAX_NAMED: usize = 4;

/// Names builds: each release once, by its first build.
fn releases_of(report: &Report, columns: &[usize]) -> Vec<String> {
    let builds = &report.data.implementations;
    let mut named: Vec<usize> = Vec::new();
    for column in columns {
        if !named
            .iter()
            .any(|known| builds[*known].is_release(&builds[*column]))
        {
            named.push(*column);
        }
    }
    report.data.full_names(&named)
}

/// The word for the best in a unit: `fastest`, or `best` where it is no rate.
pub(in crate::site) fn superlative(row: &Row) -> &'static str {
    match row.unit.kind().is_speed() {
        true => "fastest",
        false => "best",
    }
}

/// The names of the leaders; `None` if there are none, or all are equal.
pub(in crate::site) fn leaders(report: &Report, row: &Row) -> Option<Vec<String>> {
    let found = report.leaders(row).filter(|l| !l.behind.is_empty())?;
    Some(releases_of(report, &found.first))
}

/// `Of the newest releases, rustls 0.23.46 is fastest: 15,698 hs/s, 1.03x faster than OpenSSL 4.0.3.`
pub(in crate::site) fn ranking(report: &Report, row: &Row) -> String {
    let scale = row.scale();
    let Some(Leaders { first, behind }) = report.leaders(row) else {
        return figures(report, row, &scale);
    };
    let names = releases_of(report, first);
    let best = first[0];
    let is_same = |column: &usize| {
        let known = report.verdict(row, [*column, best]);
        known.is_some_and(|known| known.verdict == Verdict::Same)
    };
    let are_same = first[1..].iter().all(is_same);
    let threshold = words::threshold_percent();
    let missing = not_measured(report, row);
    if behind.is_empty() {
        let lead = match (names.as_slice(), are_same) {
            ([one], true) => format!(
                "{one} is the only newest release, and its builds differ by less than {threshold}%."
            ),
            ([one], false) => format!(
                "{one} is the only newest release, and no difference between its builds is shown."
            ),
            (_, true) => format!("{} differ by less than {threshold}%.", join(&names)),
            (_, false) => format!("No difference between {} is shown.", join(&names)),
        };
        return lead + &missing;
    }
    let figure = row
        .estimate(best)
        .map_or_else(String::new, |v| scale.show(v));
    let (symbol, word) = (&scale.symbol, superlative(row));
    let lead = match names.as_slice() {
        [one] => format!("{one} is {word}: {figure} {symbol}"),
        [one, ..] => {
            let others = match are_same {
                true => format!("the others differ from it by less than {threshold}%"),
                false => "no difference from it is shown".to_owned(),
            };
            format!(
                "{} are {word}: {one} with {figure} {symbol}, and {others}",
                join(&names)
            )
        }
        [] => String::new(),
    };
    let builds = &report.data.implementations;
    let mut next = String::new();
    let is_other = |column: &&usize| {
        first
            .iter()
            .all(|f| !builds[*f].is_release(&builds[**column]))
    };
    if let Some(other) = behind.iter().find(is_other)
        && let Some(known) = report.verdict(row, [*other, best])
    {
        let than = report.data.name(*other).full();
        next = match names.len() {
            1 => format!(", {} than {than}", known.change),
            _ => format!(". {} is {} than {than}", names[0], known.change),
        };
    }
    format!("Of the newest releases, {lead}{next}.{missing}")
}

/// ` Not measured here: Go. Unsteady here: OpenSSL 4.0.3.`: the newest releases to which a ranking says
/// nothing or little. Empty without any.
fn not_measured(report: &Report, row: &Row) -> String {
    let (mut missing, mut unsteady) = (Vec::new(), Vec::new());
    for column in report.data.newest_columns(&report.data.rows) {
        if report.data.implementations[column].version.is_pre_release() {
            continue;
        }
        match row.cell(column).filter(|cell| cell.figure.is_some()) {
            None => missing.push(column),
            Some(cell) if cell.is_unsteady => unsteady.push(column),
            Some(_) => {}
        }
    }
    let library = |column: usize| &report.data.implementations[column].name;
    let has_figure = |library: &String| {
        let cells = report.data.implementations.iter().zip(&row.cells);
        let mut own = cells.filter(|(build, _)| build.name == *library);
        own.any(|(_, cell)| cell.as_ref().is_some_and(|cell| cell.figure.is_some()))
    };
    // Another build of the library may stand for it.
    missing.retain(|column| !has_figure(library(*column)));
    let mut said = String::new();
    for (word, columns) in [("Not measured", missing), ("Unsteady", unsteady)] {
        if !columns.is_empty() {
            let names = releases_of(report, &columns);
            said += &format!(" {word} here: {}.", join(&names));
        }
    }
    said
}

/// The figures of a row without a ranking, and why there is none.
fn figures(report: &Report, row: &Row, scale: &Scale) -> String {
    let table = Table::of_rows(report, vec![row]);
    let columns = table.columns();
    let mut figures = row.estimates();
    figures.retain(|(column, _)| columns.contains(column));
    let runs = |column: usize| row.cell(column).map_or(0, |cell| cell.values.len());
    let least = figures.iter().map(|(column, _)| runs(*column)).min();
    let why = match figures.as_slice() {
        [] | [_] => "",
        _ if leaves_key_exchange_open(&row.scenario) => {
            " Each library chooses its key exchange here, so they are not ranked."
        }
        _ if least == Some(1) => " Single figures are not ranked.",
        _ if least < Some(MIN_SAMPLE_FOR_TEST) => " They are of too few runs to be ranked.",
        _ => " They are not ranked.",
    };
    let mut seen = BTreeSet::new();
    let mut named = Vec::new();
    for (column, value) in figures {
        if seen.insert(&table.build(column).name) && named.len() < MAX_NAMED {
            named.push(format!(
                "{} with {}",
                table.build(column).release(),
                scale.show(value)
            ));
        }
    }
    format!("{} {}.{why}", join(&named), scale.symbol)
}

/// `From 0.20.8 to 0.23.46, on one machine: full handshakes 1.62x faster, receiving as fast.` `None`
/// unless a headline scenario was tested.
pub(in crate::site) fn since_first(series: &ReleaseSeries<'_>) -> Option<String> {
    let report = series.report;
    let version = |column: usize| &report.data.implementations[column].version;
    let mut finals = series.columns.iter().rev();
    let newest = *finals.find(|column| !version(**column).is_pre_release())?;
    let first = *series.columns.first().filter(|first| **first != newest)?;
    // The details of each row with its change, by kind of work.
    let mut changes: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for row in report.headlines() {
        let found = report.verdict(row, [first, newest]);
        let found = found.filter(|_| !leaves_key_exchange_open(&row.scenario));
        let words = match found.map(|known| (known.verdict, known.change)) {
            Some((Verdict::Same, change)) if change.kind.is_speed() => "as fast".to_owned(),
            Some((Verdict::Same, _)) => "as much".to_owned(),
            Some((Verdict::NotShown, _)) => "no difference shown".to_owned(),
            Some((verdict, change)) if verdict.is_change() => change.to_string(),
            _ => continue,
        };
        let work = match (&row.scenario.workload, row.scenario.side) {
            (Workload::Transfer, Some(side @ (Side::Sending | Side::Receiving))) => side.word(),
            (workload, _) => workload.word(),
        };
        let change = (titles::title(&row.scenario), words);
        match changes.iter_mut().find(|(known, _)| *known == work) {
            Some((_, all)) => all.push(change),
            None => changes.push((work, vec![change])),
        }
    }
    if changes.is_empty() {
        return None;
    }
    let changes = changes.iter().map(|(work, all)| {
        let details: Vec<String> = all.iter().map(|(details, _)| details.clone()).collect();
        let each = all
            .iter()
            .map(|(own, words)| match own_words(own, &details) {
                own if own.is_empty() => words.clone(),
                own => format!("{words} ({own})"),
            });
        format!("{work} {}", join(&each.collect::<Vec<_>>()))
    });
    let changes = changes.collect::<Vec<_>>().join(", ");
    let to = report.data.name(newest).version_and_variant();
    let from = version(first).words();
    Some(format!("From {from} to {to}, on one machine: {changes}."))
}

/// `Of the newest releases of all libraries, rustls is fastest in 12 of 40 scenarios.` `None` if none
/// is ranked.
pub(in crate::site) fn leads(report: &Report, library: &str) -> Option<String> {
    let [leads, ranked] = leads_in(report, library)?;
    let scenarios = count(ranked, "scenario");
    Some(format!(
        "Of the newest releases of all libraries, {library} is fastest, alone or with others, in {leads} of {scenarios}."
    ))
}

/// Returns in how many scenarios a library is among the fastest, and in how many it is ranked.
pub(in crate::site) fn leads_in(report: &Report, library: &str) -> Option<[usize; 2]> {
    let is_own = |column: &usize| report.data.implementations[*column].name == library;
    let (mut leads, mut ranked) = (0, 0);
    for row in rows_of_own_kind(report) {
        if let Some(Leaders { first, behind }) = report.leaders(row)
            && !behind.is_empty()
        {
            let is_first = first.iter().any(is_own);
            leads += usize::from(is_first);
            ranked += usize::from(is_first || behind.iter().any(is_own));
        }
    }
    (ranked > 0).then_some([leads, ranked])
}

/// Returns the rates and times of a report, one row of each kind of work.
pub(in crate::site) fn rows_of_own_kind(report: &Report) -> Vec<&Row> {
    let mut rows: Vec<&Row> = report.data.rows.iter().collect();
    rows.retain(|r| r.unit.kind().is_speed() && r.scenario.percentile.is_none());
    let keys = rows.iter().map(|row| (&row.scenario, &row.unit));
    one_of_each_kind(keys)
        .into_iter()
        .map(|place| rows[place])
        .collect()
}

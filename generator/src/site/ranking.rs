//! The sentences that answer what a page is about. Each ranks only by tested differences; the tests of
//! the website compute them again from the downloads.

use super::matrix::row_scale;
use super::phrases::{joined, own_words};
use super::{Part, count, join};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Side, Workload};
use crate::model::unit::{Kind, Scale};
use crate::report::{Leaders, ReleaseSeries, Report, Row, leaves_key_exchange_open};
use crate::stats::Verdict;
use std::collections::BTreeSet;

/// Names in a sentence.
const MAX_NAMED: usize = 4;

/// Names the columns: each release once, with the parts of the variant that all of its columns have
/// and another of the `ranked` builds of the release lacks.
fn releases_of(report: &Report, columns: &[usize], ranked: &[usize]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let build = |column: &usize| &report.data.implementations[*column];
    for one in columns.iter().map(build) {
        let [named, all] = [columns, ranked].map(|of| {
            let same = of.iter().map(build).filter(|other| other.is_release(one));
            same.collect::<Vec<&Implementation>>()
        });
        let mut parts = one.variant.clone();
        parts.retain(|part| {
            let has = |build: &&Implementation| build.variant.contains(part);
            named.iter().all(has) && !all.iter().all(has)
        });
        let name = match parts.as_slice() {
            [] => one.release(),
            parts => format!("{} ({})", one.release(), parts.join(", ")),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The word for the best in a unit: `fastest`, or `best` where it is no rate.
pub(super) fn superlative(row: &Row) -> &'static str {
    match row.unit.kind() {
        Kind::Rate => "fastest",
        _ => "best",
    }
}

/// The names of the leaders; `None` if there are none, or all are equal.
pub(super) fn leaders(report: &Report, row: &Row) -> Option<Vec<String>> {
    let Leaders { first, behind } = report.leaders(row).filter(|l| !l.behind.is_empty())?;
    Some(releases_of(report, first, &[&**first, behind].concat()))
}

/// `Of the newest releases, rustls 0.23.46 is fastest: 15,698 hs/s, 1.03x faster than OpenSSL 4.0.3.`
pub(super) fn ranking<'a>(report: &'a Report, row: &'a Row) -> String {
    let part = Part::of_rows(report, vec![row]);
    let scale = row_scale(row);
    let Some(Leaders { first, behind }) = report.leaders(row) else {
        return figures(&part, row, &scale);
    };
    let ranked = [&**first, behind].concat();
    let names = releases_of(report, first, &ranked);
    if behind.is_empty() {
        return match names.as_slice() {
            [one] => format!("{one} is the only newest release, and its builds do not differ."),
            _ => format!("No difference between {} is shown.", join(&names)),
        };
    }
    let best = first[0];
    let figure = part
        .estimate(row, best)
        .map_or_else(String::new, |v| scale.show(v));
    let symbol = &scale.symbol;
    let word = superlative(row);
    let lead = match names.as_slice() {
        [one] => format!("{one} is {word}: {figure} {symbol}"),
        [one, ..] => format!(
            "{} are {word}: {one} with {figure} {symbol}, and no difference from it is shown",
            join(&names)
        ),
        [] => String::new(),
    };
    let release = |column: &usize| part.build(*column).release();
    let is_other = |column: &&usize| first.iter().all(|f| release(f) != release(column));
    let next = behind.iter().find(is_other).and_then(|next| {
        let change = report.verdict(row, [*next, best])?.change;
        let than = release(next);
        Some(match names.len() {
            1 => format!(", {change} than {than}"),
            _ => format!(". {} is {change} than {than}", names[0]),
        })
    });
    format!(
        "Of the newest releases, {lead}{}.",
        next.unwrap_or_default()
    )
}

/// The figures of a row without a ranking, and why there is none.
fn figures(part: &Part<'_>, row: &Row, scale: &Scale) -> String {
    let mut figures = part.figures(row);
    figures.retain(|(column, _)| !part.data.is_older(*column));
    let is_single =
        |(column, _): &(usize, f64)| row.cell(*column).is_some_and(|c| c.values.len() < 2);
    let why = match figures.as_slice() {
        [] | [_] => "",
        _ if leaves_key_exchange_open(&row.scenario) => {
            " Each library chooses its key exchange here, so they are not ranked."
        }
        all if all.iter().any(is_single) => " Single figures are not ranked.",
        _ => " They are not ranked: some are unsteady, or of too few runs.",
    };
    let mut seen = BTreeSet::new();
    figures.retain(|(column, _)| seen.insert(&part.build(*column).name));
    let named = figures.iter().take(MAX_NAMED);
    let named = named
        .map(|(column, v)| format!("{} with {}", part.build(*column).release(), scale.show(*v)));
    format!(
        "{} {}.{why}",
        join(&named.collect::<Vec<_>>()),
        scale.symbol
    )
}

/// `From 0.20.8 to 0.23.46, on one machine: full handshakes 1.62x faster, receiving as fast.` `None`
/// unless a headline scenario was tested.
pub(super) fn since_first(series: &ReleaseSeries<'_>) -> Option<String> {
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
            Some((Verdict::None, change)) if change.kind == Kind::Rate => "as fast".to_owned(),
            Some((Verdict::None, _)) => "as much".to_owned(),
            Some((verdict, change)) if verdict.is_change() => change.to_string(),
            _ => continue,
        };
        let work = match (&row.scenario.workload, row.scenario.side) {
            (Workload::Transfer, Some(side @ (Side::Sending | Side::Receiving))) => side.word(),
            (workload, _) => workload.word(),
        };
        let change = (row.scenario.details(), words);
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
    let of = format!("{} to {}", version(first).words(), version(newest).words());
    let of = joined([of, Part::without_rows(report).distinction(newest)]).unwrap_or_default();
    Some(format!("From {of}, on one machine: {changes}."))
}

/// `Of the newest releases of all libraries, rustls is fastest in 12 of 40 scenarios.` `None` if none
/// is ranked.
pub(super) fn leads(report: &Report, library: &str) -> Option<String> {
    let [leads, ranked] = leads_in(report, library)?;
    let scenarios = count(ranked, "scenario");
    Some(format!(
        "Of the newest releases of all libraries, {library} is fastest, alone or with others, in {leads} of {scenarios}."
    ))
}

/// Returns in how many scenarios a library is among the fastest, and in how many it is ranked.
pub(super) fn leads_in(report: &Report, library: &str) -> Option<[usize; 2]> {
    let is_own = |column: &usize| report.data.implementations[*column].name == library;
    let rows = report.data.rows.iter();
    let speeds = rows.filter(|r| r.unit.kind() == Kind::Rate && r.scenario.percentile.is_none());
    let (mut leads, mut ranked) = (0, 0);
    for Leaders { first, behind } in speeds.filter_map(|row| report.leaders(row)) {
        if !behind.is_empty() {
            let is_first = first.iter().any(is_own);
            leads += usize::from(is_first);
            ranked += usize::from(is_first || behind.iter().any(is_own));
        }
    }
    (ranked > 0).then_some([leads, ranked])
}

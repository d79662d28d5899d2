//! The sentences of reports, scenarios and libraries: findings, rankings and what changed. All are made of tested
//! verdicts; the tests of the website compute them again from the downloads.

use super::answer::summary;
use crate::base::words::{count, join};
use crate::model::scenario::Group;
use crate::model::unit::Unit;
use crate::report::{
    Compared, Exchange, Lead, Leaders, Report, Row, Series, Table, leaves_key_exchange_open,
    titles, words,
};
use crate::site::graphs::sizes::USUAL;
use crate::stats::Change;
use std::collections::HashSet;

/// Figures that stand for a finding where nothing can be compared, and names in a sentence.
const MAX_FIGURES: usize = 3;
const MAX_NAMED: usize = 4;

/// Returns the key finding in a sentence or two: the report's own summary, or who leads in how many scenarios,
/// or what the last release changed, or the subject against its rival, or else the figures.
pub(in crate::site) fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let main = Table::of_rows(report, report.main_rows());
    let mut found = None;
    if report.revisions().is_none() {
        let led = leaders(&main).filter(|_| !report.is_of_one_library());
        found = led.or_else(|| report.series().iter().find_map(last_release));
    }
    let found = found.or_else(|| last_level(report));
    found.or_else(|| against(&main, &main)).unwrap_or_else(|| {
        let rows = report.key_rows().into_iter().take(MAX_FIGURES);
        let said = rows.map(|row| {
            let title = titles::title(&row.scenario);
            format!("{title}: {}", ranking(report, row))
        });
        said.collect::<Vec<_>>().join(" ")
    })
}

/// `rustls 0.23.46 is faster than 0.23.44 in 1 of 61 scenarios. The largest change: 1.02x faster in …`, or
/// `rustls 0.23.46: no change from 0.23.44 is shown in 41 scenarios. Last change: 0.23.42, …`
pub(in crate::site) fn last_release(series: &Series<'_>) -> Option<String> {
    let report = series.report;
    let mut steps = series.steps();
    steps.retain(|step| report.builds[step[1]].is_final);
    let mut newest_first = steps.into_iter().rev();
    let last = newest_first.next()?;
    let all = report.tally(last);
    if all.tested() == 0 {
        return None;
    }
    let newest = report.full_name(last[1]);
    let before = &report.build(last[0]).version;
    let scenarios = count(all.tested(), "scenario");
    let Some(largest) = words::largest(&all) else {
        let earlier = newest_first.find_map(|step| {
            let largest = words::largest(&report.tally(step))?;
            let version = &report.build(step[1]).version;
            Some(format!(" Last change: {version}, {largest}."))
        });
        let earlier = earlier.unwrap_or_default();
        return Some(format!(
            "{newest}: no change from {before} is shown in {scenarios}.{earlier}"
        ));
    };
    let changes = match (all.better, all.worse) {
        (better, 0) => format!("faster than {before} in {better}"),
        (0, worse) => format!("slower than {before} in {worse}"),
        (better, worse) => format!("faster than {before} in {better} and slower in {worse}"),
    };
    Some(format!(
        "{newest} is {changes} of {scenarios}. The largest change: {largest}."
    ))
}

/// `The last new level is since 2024-01-22.0433+b2580df: 5 of 50 scenarios, the largest 1.50x slower in seal.`
/// `None` unless the report is about a branch.
pub(in crate::site) fn last_level(report: &Report) -> Option<String> {
    if !report.is_of_branch() {
        return None;
    }
    let rows = count(report.rows.len(), "scenario");
    Some(match report.shifts().first() {
        None => {
            let commits = count(report.commits, "commit");
            format!("No new level in {rows} over {commits}.")
        }
        Some((commit, levels)) => {
            let (row, largest) = levels[0];
            format!(
                "The last new level is since {}: {} of {rows}, the largest {} in {}.",
                commit.version,
                levels.len(),
                largest.change,
                titles::title(&row.scenario)
            )
        }
    })
}

/// The names of builds for a sentence, at most a few.
pub(in crate::site) fn named(report: &Report, builds: &[usize]) -> String {
    let mut names = report.full_names(&builds[..builds.len().min(MAX_NAMED)]);
    if builds.len() > MAX_NAMED {
        names.push(count(builds.len() - MAX_NAMED, "other"));
    }
    join(&names)
}

/// `Of the newest measured releases, rustls 0.23.46 is fastest: 15,698 hs/s, 1.03x faster than OpenSSL 4.0.3.`
pub(in crate::site) fn ranking(report: &Report, row: &Row) -> String {
    let symbol = &row.scale.symbol;
    let figure = |build: usize| row.figure(build).map_or("", |figure| &figure.text);
    let Some(Leaders { first, behind }) = report.leaders(row) else {
        let mut builds = report.roles().shown.clone();
        builds.retain(|build| row.figure(*build).is_some());
        if builds.is_empty() {
            builds = row.figures().map(|(build, _)| build).collect();
        }
        let why = match builds.len() {
            0 | 1 => "",
            _ if leaves_key_exchange_open(&row.scenario) => {
                " Each library chooses its key exchange here, so they are not ranked."
            }
            _ => " They are not ranked.",
        };
        builds.truncate(MAX_NAMED);
        let shown = builds.iter();
        let shown =
            shown.map(|build| format!("{} with {}", report.full_name(*build), figure(*build)));
        return format!("{} {symbol}.{why}", join(&Vec::from_iter(shown)));
    };
    let (best, names) = (first[0], named(report, first));
    let Some(next) = behind.first() else {
        return format!("No difference between {names} is shown.");
    };
    let word = match row.unit.kind().is_speed() {
        true => "fastest",
        false => "best",
    };
    let [ours, than] = [best, *next].map(|build| report.full_name(build));
    let known = report.verdict(row, [*next, best]);
    let change = known.map_or_else(String::new, |known| known.change.to_string());
    let figure = figure(best);
    let lead = match first.len() {
        1 => format!("{ours} is {word}: {figure} {symbol}, {change} than {than}"),
        _ => format!(
            "{names} are {word}, and no difference between them is shown: {ours} with {figure} {symbol}, {change} than {than}"
        ),
    };
    format!("Of the newest measured releases, {lead}.")
}

/// `From 0.20.8 to 0.23.46, on one machine: full handshakes 1.62x faster; transfer as fast.` `None` unless a headline
/// scenario was tested.
pub(in crate::site) fn since_first(series: &Series<'_>) -> Option<String> {
    let report = series.report;
    let [first, newest] = series.whole()?;
    let mut rows = report.headlines();
    rows.retain(|row| !leaves_key_exchange_open(&row.scenario));
    let compared = rows
        .iter()
        .filter_map(|row| report.compared(row, [first, newest]));
    let changes = summary(&Vec::from_iter(compared))?;
    let to = report.builds[newest].name.version_and_variant();
    let from = report.build(first).version.words();
    Some(format!("From {from} to {to}, on one machine: {changes}."))
}

/// Returns in how many scenarios a library's default build is among the fastest, and in how many it is ranked;
/// `None` if in none.
pub(in crate::site) fn lead(report: &Report, library: &str) -> Option<Lead> {
    let (builds, _) = report.leads(report.main_rows());
    let mut builds = builds.into_iter();
    builds.find(|lead| report.library(lead.build) == library)
}

/// `In writes of 1 MiB, rustls 0.23.46 against OpenSSL 4.0.3: 1.13x to 1.17x slower. But 1.96x faster in Sending,
/// TLS 1.3, AES-256-GCM, writes of 16 B.`: what the main rows say, of which size they are, and the row of all
/// that contradicts them most. `None` where nothing is tested.
pub(in crate::site) fn against<'a>(main: &Table<'a>, all: &Table<'a>) -> Option<String> {
    let report = main.report;
    let roles = report.roles();
    let sides = [roles.rival?, roles.subject?];
    let compared = |rows: &[&'a Row]| -> Vec<Compared<'a>> {
        let rows = rows.iter();
        rows.filter_map(|row| report.compared(row, sides)).collect()
    };
    let own = compared(&main.rows);
    let mut others = compared(&all.rows);
    others.retain(|one| {
        let contradicts = |own: &Compared<'_>| !own.is_change() || own.verdict() != one.verdict();
        let is_main = main.rows.iter().any(|row| row.index == one.row.index);
        one.is_change() && !is_main && own.iter().all(contradicts)
    });
    let most = others.into_iter();
    let most = most.max_by(|a, b| a.known.change.size().total_cmp(&b.known.change.size()));
    let [rival, ours] = sides.map(|build| report.full_name(build));
    let has_sizes = all.rows.iter().any(|row| row.scenario.write_size.is_some());
    let lead = match has_sizes {
        true => format!("In writes of {}, ", titles::bytes(USUAL)),
        false => String::new(),
    };
    let but = most.map_or_else(String::new, |one| {
        let title = titles::title(&one.row.scenario);
        let is_usual = main.rows.iter().any(|row| row.unit == one.row.unit);
        let unit = match is_usual {
            true => String::new(),
            false => format!(" {}", one.row.unit),
        };
        format!(" But {}{unit} in {title}.", one.known.change)
    });
    let said = summary(&own)?;
    Some(format!("{lead}{ours} against {rival}: {said}.{but}"))
}

/// `The ClientHello of rustls 0.23.46 has 226 bytes with X25519 and 1,410 with X25519MLKEM768.`
pub(in crate::site) fn size_of_hello(table: &Table<'_>) -> Option<String> {
    let report = table.report;
    let subject = report.roles().subject?;
    let mut sizes: Vec<String> = Vec::new();
    for row in &table.with(|row| row.unit == Unit::TRAFFIC).rows {
        if let Some(figure) = row.figure(subject) {
            let bytes = if sizes.is_empty() { " bytes" } else { "" };
            let with = titles::parts(&row.scenario)[1..].join(", ");
            sizes.push(format!("{}{bytes} with {with}", figure.text));
        }
    }
    (!sizes.is_empty()).then(|| {
        let name = report.full_name(subject);
        format!("The ClientHello of {name} has {}.", join(&sizes))
    })
}

/// `rustls 0.23.46 leads in 20 of 28 scenarios with a tested order, alone or with others, AWS-LC 5.12.0 in 6 and
/// OpenSSL 4.0.3 in 2.` `None` if there is no order.
pub(in crate::site) fn leaders(table: &Table<'_>) -> Option<String> {
    /// Those after the first.
    const MAX_OTHERS: usize = 3;
    let report = table.report;
    let own: HashSet<usize> = table.rows.iter().map(|row| row.index).collect();
    let mut rows = report.main_rows();
    rows.retain(|row| own.contains(&row.index));
    let (mut leads, ranked) = report.leads(rows);
    leads.retain(|lead| lead.first > 0);
    let (first, others) = leads.split_first()?;
    let others = others.iter().take(MAX_OTHERS);
    let others = others.map(|lead| format!("{} in {}", report.full_name(lead.build), lead.first));
    let others: Vec<String> = others.collect();
    let comma = if others.is_empty() { "" } else { ", " };
    let of = count(ranked, "scenario");
    Some(format!(
        "{} leads in {} of {of} with a tested order, alone or with others{comma}{}.",
        report.full_name(first.build),
        first.first,
        join(&others)
    ))
}

/// `X25519MLKEM768 instead of X25519 makes these handshakes 1.06x to 1.40x slower.` `None` where that was
/// not tested, or not for all slower.
pub(in crate::site) fn cost_of_hybrids(found: &[Exchange<'_>]) -> Option<String> {
    let costs = found.iter().flat_map(|one| &one.costs);
    let costs: Vec<&Compared<'_>> = costs.map(|(_, cost)| cost).collect();
    let changes = costs.iter().filter(|cost| cost.is_change());
    let mut changes: Vec<Change> = changes.map(|cost| cost.known.change).collect();
    changes.sort_by(|a, b| a.size().total_cmp(&b.size()));
    let (first, last) = (changes.first()?, changes.last()?);
    let is_one_way = changes.iter().all(|one| one.word() == first.word());
    let hybrid = titles::group(Group::X25519MlKem768);
    let of = match (changes.len(), costs.len()) {
        (n, all) if n == all => "these handshakes".to_owned(),
        (n, all) => format!("{n} of {all} of these handshakes"),
    };
    let least = first.amount();
    is_one_way.then(|| format!("{hybrid} instead of X25519 makes {of} {least} to {last}."))
}

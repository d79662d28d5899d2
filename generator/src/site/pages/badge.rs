//! The badge: what the newest report says of its subject in a few words, as an image for a README.

use crate::base::words::count;
use crate::chart::badge::{BAD, Badge, EVEN, GOOD, UNKNOWN};
use crate::model::unit::Better;
use crate::model::version::Version;
use crate::report::history::Histories;
use crate::report::{
    ReleaseSeries, Report, Shift, leaves_key_exchange_open, newest_steady, shifts,
};
use crate::site::words::finding::speeds;
use crate::site::words::ranking::rows_of_own_kind;
use crate::stats::{Verdict, geometric_mean};

/// Its file in the section of the reports.
pub(crate) const BADGE: &str = "badge.svg";

/// Below this factor, a second digit after the point shows a difference.
const SMALL: f64 = 1.1;

/// A text with its colour, and over what it is.
type Found = (String, &'static str, String);

/// Draws the badge of the report that the front page is about: against a rival, or else against the
/// release before. `None` if no report has either.
pub(crate) fn badge(newest_first: &[&Report], histories: &Histories<'_>) -> Option<Vec<u8>> {
    let mut compared = newest_first.to_vec();
    compared.retain(|report| matches!(report.subject_and_rival(), Some((_, Some(_)))));
    let report = newest_steady(&compared)?;
    let (subject, other) = report.subject_and_rival()?;
    let other = other?;
    let builds = &report.data.implementations;
    let version = &builds[subject].version;
    let name = match version.is_on_branch() {
        true => format!("{} {}", builds[subject].name, short(version)),
        false => report.data.name(subject).full(),
    };
    let found = match builds[subject].name == builds[other].name {
        false => against(report, [other, subject]),
        true => {
            let mut series = histories.releases_in(report).iter();
            let series = series.find(|series| series.columns.contains(&subject));
            series.and_then(|series| since(series, subject))
        }
    };
    let (text, color, basis) = found.unwrap_or_else(|| {
        let why = "No rate or time is tested".to_owned();
        ("no figure".to_owned(), UNKNOWN, why)
    });
    let title = format!(
        "{name}: {text}. {basis}, report of {}.",
        report.day_or_name()
    );
    let badge = Badge {
        name,
        text,
        color,
        title,
    };
    Some(badge.render().into_bytes())
}

/// `1.9x OpenSSL`: the geometric mean over the rates and times in which the two are compared by a
/// test.
fn against(report: &Report, [rival, subject]: [usize; 2]) -> Option<Found> {
    let (mut ratios, mut is_change) = (Vec::new(), false);
    for row in rows_of_own_kind(report) {
        if leaves_key_exchange_open(&row.scenario) {
            continue;
        }
        let known = report.verdict(row, [rival, subject]);
        let Some(known) = known.filter(|known| known.adjusted_p.is_some()) else {
            continue;
        };
        match row.unit.better() {
            Better::Higher => ratios.push(known.change.ratio),
            Better::Lower => ratios.push(1.0 / known.change.ratio),
            Better::Unknown => continue,
        }
        is_change |= known.verdict.is_change();
    }
    let mean = geometric_mean(&ratios)?;
    let library = &report.data.name(rival).library;
    let (text, color) = match (is_change, mean) {
        (false, _) => (format!("no difference from {library}"), EVEN),
        (true, mean) if mean >= SMALL => (format!("{mean:.1}x {library}"), GOOD),
        (true, mean) => {
            let color = if mean < 1.0 { BAD } else { GOOD };
            (format!("{mean:.2}x {library}"), color)
        }
    };
    let rows = count(ratios.len(), "scenario");
    let rival = report.data.name(rival).full();
    let basis = format!(
        "Geometric mean of its speed relative to {rival} over {rows} with a tested comparison"
    );
    Some((text, color, basis))
}

/// `3 rows slower since 1.4`: the rates and times that changed from the release before, or of a branch
/// whose commits are not tested one by one, those that have a new level since its last shift.
fn since(series: &ReleaseSeries<'_>, subject: usize) -> Option<Found> {
    let report = series.report;
    let place = series
        .columns
        .iter()
        .position(|column| *column == subject)?;
    let step = place.checked_sub(1)?;
    let rows = speeds(series, step);
    if !rows.is_empty() {
        let verdicts: Vec<Verdict> = rows.iter().filter_map(|row| row.verdict()).collect();
        let scenarios = count(rows.len(), "scenario");
        let basis = format!("Over the rates and times of {scenarios} with a tested comparison");
        return Some(changed(
            &verdicts,
            &series.implementation(step).version,
            basis,
        ));
    }
    if !series.is_of_branch() {
        return None;
    }
    let speeds = report.data.rows.iter();
    let speeds = speeds.filter(|row| row.unit.kind().is_speed());
    let commits = count(report.data.commits, "commit");
    let basis = format!("Over the levels of {commits}");
    let Some(Shift { commit, levels }) = shifts(speeds).into_iter().next() else {
        return Some((format!("no change in {commits}"), EVEN, basis));
    };
    let levels = levels.iter().map(|(_, level)| level.change.direction());
    Some(changed(&levels.collect::<Vec<_>>(), &commit.version, basis))
}

/// `3 rows slower, 2 faster since 1.4`
fn changed(rows: &[Verdict], version: &Version, basis: String) -> Found {
    let mut numbers = Vec::new();
    let mut color = EVEN;
    for (verdict, word, of_verdict) in [
        (Verdict::Worse, "slower", BAD),
        (Verdict::Better, "faster", GOOD),
        (Verdict::Differs, "changed", EVEN),
    ] {
        let n = rows.iter().filter(|row| **row == verdict).count();
        if n > 0 && numbers.is_empty() {
            numbers.push(format!("{} {word}", count(n, "row")));
            color = of_verdict;
        } else if n > 0 {
            numbers.push(format!("{n} {word}"));
        }
    }
    let numbers = match numbers.is_empty() {
        true => "no change".to_owned(),
        false => numbers.join(", "),
    };
    (format!("{numbers} since {}", short(version)), color, basis)
}

/// The version; of a commit that is called by its time, the commit.
fn short(version: &Version) -> &str {
    let commit = version.as_str().split_once('+').map(|(_, commit)| commit);
    commit
        .filter(|_| version.is_on_branch())
        .unwrap_or(version.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::model::implementation::Implementation;
    use crate::model::unit::Kind;
    use crate::report::NewLevel;
    use crate::report::release_tests::{FULL, SENDING, cells, report, versions};
    use crate::stats::Change;

    const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";

    /// The texts of the badge of a report with these builds, whose rows have `runs` runs around
    /// levels.
    fn texts_of(builds: &[&str], runs: usize, rows: &[(&str, &[f64])]) -> Vec<String> {
        texts(&of(builds, runs, rows))
    }

    fn of(builds: &[&str], runs: usize, rows: &[(&str, &[f64])]) -> Report {
        let random = &mut Random::new(3);
        let rows = rows
            .iter()
            .map(|(label, levels)| (*label, cells(random, runs, levels)));
        let found: Vec<Implementation> = builds
            .iter()
            .map(|name| Implementation::from_heading(name))
            .collect();
        let releases: Vec<&str> = found.iter().map(|build| build.version.as_str()).collect();
        let releases = versions(&releases);
        let releases: Vec<&str> = releases.iter().map(String::as_str).collect();
        let mut report = report(&releases, &rows.collect::<Vec<_>>());
        if found.iter().any(|build| build.name != found[0].name) {
            report.data.older.clear();
        }
        report.data.implementations = found;
        report
    }

    /// The title, the name and the text.
    fn texts(report: &Report) -> Vec<String> {
        let reports = std::slice::from_ref(report);
        let Some(svg) = badge(&[report], &Histories::of(reports)) else {
            return Vec::new();
        };
        let svg = String::from_utf8(svg).expect("text");
        let document = roxmltree::Document::parse(&svg).expect("XML");
        let texts = document.descendants().filter(roxmltree::Node::is_text);
        let texts = texts.map(|node| node.text().unwrap_or_default().trim().to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn against_a_library_it_is_a_geometric_mean() {
        let builds = ["rustls 1.2", "OpenSSL 4"];
        // The mean of 4 and 1; in a full handshake, each library chooses its key exchange.
        let rows: [(&str, &[f64]); 3] = [
            (SENDING, &[400.0, 100.0]),
            (RECEIVING, &[100.0, 100.0]),
            (FULL, &[900.0, 100.0]),
        ];
        let found = texts_of(&builds, 20, &rows);
        assert_eq!(found[1..], ["rustls 1.2", "2.0x OpenSSL"]);
        assert!(
            found[0].starts_with("rustls 1.2: 2.0x OpenSSL. Geometric mean of its speed relative to OpenSSL 4 over 2 scenarios"),
            "{}",
            found[0]
        );
        let found = texts_of(&builds, 20, &[(SENDING, &[90.0, 100.0])]);
        assert_eq!(found[2], "0.90x OpenSSL");
        let found = texts_of(&builds, 20, &[(SENDING, &[100.0, 100.0])]);
        assert_eq!(found[2], "no difference from OpenSSL");
        // Text of others stays text.
        let found = texts_of(
            &["rustls 1", "<b>&\"x\" 1"],
            20,
            &[(SENDING, &[200.0, 100.0])],
        );
        assert_eq!(found[2], "2.0x <b>&\"x\"");
    }

    #[test]
    fn without_a_tested_figure_there_is_none() {
        let builds = ["rustls 1.2", "OpenSSL 4"];
        let rows: [(&str, &[f64]); 1] = [(SENDING, &[200.0, 100.0])];
        let found = texts_of(&builds, 1, &rows);
        assert_eq!(found[1..], ["rustls 1.2", "no figure"]);
        assert!(
            found[0].contains("No rate or time is tested"),
            "{}",
            found[0]
        );
        // One build is compared with nothing.
        assert!(texts_of(&["rustls 1"], 20, &[(SENDING, &[100.0])]).is_empty());
    }

    #[test]
    fn of_one_library_it_is_what_the_newest_release_changed() {
        let builds = ["mine 1.4", "mine 1.5"];
        let said = |new: [f64; 3]| {
            let rows = [SENDING, RECEIVING, FULL].iter().zip(new);
            let rows = rows.map(|(label, level)| (*label, [100.0, level]));
            let rows: Vec<(&str, [f64; 2])> = rows.collect();
            let rows: Vec<(&str, &[f64])> = rows
                .iter()
                .map(|(label, levels)| (*label, &levels[..]))
                .collect();
            texts_of(&builds, 20, &rows)[1..].join(": ")
        };
        assert_eq!(said([100.0, 100.0, 100.0]), "mine 1.5: no change since 1.4");
        assert_eq!(
            said([90.0, 90.0, 100.0]),
            "mine 1.5: 2 rows slower since 1.4"
        );
        assert_eq!(
            said([100.0, 120.0, 100.0]),
            "mine 1.5: 1 row faster since 1.4"
        );
        assert_eq!(
            said([90.0, 120.0, 120.0]),
            "mine 1.5: 1 row slower, 2 faster since 1.4"
        );
    }

    #[test]
    fn of_a_branch_it_is_the_last_new_level() {
        let commit = |n: usize| format!("codec 2024-01-{:02}.0000+{n:07x}", n + 1);
        let commits: Vec<String> = (0..20).map(commit).collect();
        let builds: Vec<&str> = commits.iter().map(String::as_str).collect();
        let levels: Vec<f64> = (0..20).map(|n| if n < 10 { 100.0 } else { 50.0 }).collect();
        let mut report = of(&builds, 1, &[(SENDING, &levels)]);
        report.data.commits = 20;
        assert_eq!(
            texts(&report)[1..],
            ["codec 0000013", "no change in 20 commits"]
        );
        let change = Change::new(100.0, 50.0, Better::Higher, Kind::Rate);
        report.data.rows[0].levels.push(NewLevel {
            commit: report.data.implementations[10].clone(),
            change: change.expect("a change"),
            p: 0.001,
        });
        assert_eq!(texts(&report)[2], "1 row slower since 000000a");
    }
}

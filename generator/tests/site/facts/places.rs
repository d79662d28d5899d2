//! The badge and the places of libraries, computed again.

use super::{Build, Report, is_final, is_named, kinds_of_work, report, verdict, version};
use crate::common::{read, repository};
use crate::{BASES, built, pages, select};
use regex::Regex;
use std::collections::BTreeSet;

/// The report of a day, as the folders of `data/` name it.
fn of_day(day: &str) -> &'static Report {
    let folders = std::fs::read_dir(repository().join("data")).expect("reports");
    let names = folders.map(|folder| folder.expect("a folder").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    let name = names.iter().rfind(|name| name.starts_with(day));
    report(name.unwrap_or_else(|| panic!("no report of {day}")))
}

/// The rates and times of a report, one scenario of each kind of work in which each library does
/// the same.
fn scenarios(report: &Report) -> Vec<&str> {
    let all: BTreeSet<&str> = report.figures.keys().map(|(_, s, _)| s.as_str()).collect();
    let others = ["latency", "memory", "writes"];
    let is_rate = |scenario: &&str| !others.iter().any(|word| scenario.starts_with(word));
    let is_open = |scenario: &&str| {
        let exchanges = ["full handshakes", "resumed handshakes, 1.3"];
        exchanges.iter().any(|start| scenario.starts_with(start))
            && !["x25519", "secp"]
                .iter()
                .any(|group| scenario.contains(group))
    };
    let mut kinds = kinds_of_work(all.into_iter().filter(is_rate));
    kinds.retain(|scenario| !is_open(scenario));
    kinds
}

/// The first build of the newest final release of each library.
fn newest(report: &Report) -> Vec<&Build> {
    let mut found: Vec<&Build> = Vec::new();
    for build in report.builds.iter().filter(|build| is_final(build)) {
        match found.iter_mut().find(|known| known.0 == build.0) {
            None => found.push(build),
            Some(known) if version(build).cmp_release(&version(known)).is_gt() => *known = build,
            Some(_) => {}
        }
    }
    found
}

#[test]
fn places_of_libraries() {
    let pages = pages("/");
    let list = pages
        .iter()
        .find(|(name, _)| name == "perf/implementations/index.html");
    let (_, list) = list.expect("the list of libraries");
    let tables = select(list, "table");
    let table = tables.last().expect("a table");
    let text: String = table.text().collect();
    let said = Regex::new(
        r"Over (\d+) scenarios that all (\d+) libraries have in the report of (\d{4}-\d\d-\d\d)(?:; (\d+|one) more)?",
    );
    let said = said
        .expect("an expression")
        .captures(&text)
        .expect("a caption");
    let report = of_day(&said[3]);
    let libraries = newest(report);
    assert_eq!(said[2], libraries.len().to_string());
    let row = scraper::Selector::parse("tbody tr").expect("a selector");
    let cells = |row: scraper::ElementRef<'_>| -> Vec<String> {
        row.child_elements()
            .map(|cell| cell.text().collect())
            .collect()
    };
    let rows: Vec<Vec<String>> = table.select(&row).map(cells).collect();
    assert_eq!(rows.len(), libraries.len());
    // Those of two are enough: the others would take as long again.
    let of = |name: &str| libraries.iter().find(|build| is_named(name, build));
    let [first, .., last] = rows.as_slice() else {
        panic!("two libraries");
    };
    let own = [first, last].map(|row| of(&row[0]).expect("a library"));
    let mut numbers = [[0; 4]; 2];
    let mut placed = 0;
    for scenario in scenarios(report) {
        let has = |build: &&Build| report.runs(build, scenario).is_some();
        if !libraries.iter().all(has) {
            continue;
        }
        placed += 1;
        for (own, numbers) in own.iter().zip(&mut numbers) {
            let is_better = |other: &&&Build| {
                other != own && verdict(report, scenario, own, other).ends_with("faster")
            };
            numbers[libraries.iter().filter(is_better).count().min(3)] += 1;
        }
    }
    assert_eq!(said[1], placed.to_string());
    // All have as many runs as a test needs.
    assert!(said.get(4).is_none(), "{text}");
    for (row, numbers) in [first, last].into_iter().zip(numbers) {
        assert_eq!(
            row[1..],
            numbers.map(|n: usize| n.to_string()),
            "{}",
            row[0]
        );
    }
    let places = |row: &Vec<String>| -> Vec<usize> {
        let numbers = row[1..].iter();
        numbers.map(|n| n.parse().expect("a number")).collect()
    };
    let is_in_order = rows.is_sorted_by(|one, next| places(one) >= places(next));
    assert!(is_in_order, "the most first places come first");
}

/// The image is where a README links to it, needs nothing from elsewhere, and says what the
/// downloads give.
#[test]
fn the_badge() {
    let text = built(BASES[0]).read("public/perf/badge.svg");
    assert_eq!(built(BASES[1]).read("public/perf/badge.svg"), text);
    assert_eq!(read(&repository().join("content/perf/badge.svg")), text);
    for never in ["<script", "href", "url(", "@import", "<style", "<image"] {
        assert!(!text.contains(never), "{never}");
    }
    let said = Regex::new(
        r#"<title id="t">(.+): (\d\.\d)x (\S+)\. Geometric mean of its speed relative to (.+) over (\d+) scenarios with a tested comparison, report of (.+)\.</title>"#,
    );
    let said = said
        .expect("an expression")
        .captures(&text)
        .expect("a title");
    let report = of_day(&said[6]);
    let [new, old] = [&said[1], &said[4]].map(|name| report.build(name));
    assert_eq!(old.0, said[3]);
    let mut logarithms = Vec::new();
    for scenario in scenarios(report) {
        let have_both = [old, new].map(|build| report.runs(build, scenario).is_some());
        if have_both == [true, true] && verdict(report, scenario, old, new) != "untested" {
            let (unit, _) = report.runs(new, scenario).expect("a figure");
            let logarithm = report.ratio(scenario, old, new).ln();
            logarithms.push(if unit.ends_with("/s") {
                logarithm
            } else {
                -logarithm
            });
        }
    }
    assert_eq!(said[5], logarithms.len().to_string());
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    assert_eq!(said[2], format!("{:.1}", mean.exp()));
}

//! Sentences that were once false, each kind with the fact behind it.

use super::{built, pages, select};
use crate::common::{read, repository};
use regex::Regex;
use scraper::Selector;
use std::collections::{BTreeMap, BTreeSet};

fn expression(text: &str) -> Regex {
    Regex::new(text).expect("an expression")
}

/// All texts of the site, with the names of their pages.
fn texts() -> Vec<(String, String)> {
    let pages = pages("/").into_iter();
    pages
        .map(|(name, _)| {
            let html = read(&built("/").join("public").join(&name));
            (name, html)
        })
        .collect()
}

#[test]
fn nothing_claims_every_release_or_an_order_that_is_not() {
    let wrong = expression("[Ee]very release[,.]|Releases of [^<]*, newest first|, 1 run[<\"]");
    for (name, html) in texts() {
        assert_eq!(wrong.find(&html).map(|m| m.as_str()), None, "{name}");
    }
    let front = read(&built("/").join("public/index.html"));
    assert!(front.contains("Other releases were not measured."));
}

/// A library's default key exchange changed between releases: a change point of a handshake that names
/// none says so.
#[test]
fn change_points_say_where_the_key_exchange_was_open() {
    let item = expression("<li>(.*?)</li>");
    let open = expression(
        "full-handshakes|resumed-handshakes-1-3|Full handshake|Resumed handshake, TLS 1.3",
    );
    let mut found = 0;
    for (name, html) in texts()
        .into_iter()
        .filter(|(name, _)| name.starts_with("perf/"))
    {
        let page = name.split('/').nth(2).unwrap_or_default();
        for point in item
            .captures_iter(&html)
            .filter(|c| c[1].contains("class=\"change"))
        {
            let text = format!("{page} {}", &point[1]);
            if open.is_match(&text) && !text.to_lowercase().contains("x25519") {
                found += 1;
                assert!(point[1].contains("by default"), "{name}: {}", &point[1]);
            }
        }
    }
    assert!(found > 10, "{found}");
}

/// 110 threads on 80 cores cannot scale perfectly.
#[test]
fn no_share_of_scaling_is_claimed_beyond_the_processors() {
    let row = expression("<tr id=\"[^\"]*-(\\d+)-threads\"[^>]*>.*?</tr>");
    let mut shares = [0, 0];
    for (name, html) in texts() {
        if !name.starts_with("perf/2024-11-28-arm64/") {
            continue;
        }
        for found in row.captures_iter(&html) {
            let threads: u32 = found[1].parse().expect("a number");
            shares[usize::from(threads > 80)] += found[0].matches("%</i>").count();
        }
    }
    assert!(shares[0] > 100 && shares[1] == 0, "{shares:?}");
}

#[test]
fn the_description_names_every_library() {
    let config = read(&repository().join("config.toml"));
    let description = config
        .lines()
        .find(|line| line.starts_with("description"))
        .expect("one");
    let (_, page) = pages("/")
        .into_iter()
        .find(|(name, _)| name == "perf/implementations/index.html")
        .expect("the list");
    let names: BTreeSet<String> = select(&page, "table.history tbody th")
        .iter()
        .map(|th| th.text().collect())
        .collect();
    assert!(names.len() > 4, "{names:?}");
    for name in names {
        assert!(
            description.contains(name.trim_end_matches('#').trim()),
            "{name}"
        );
    }
}

/// The memory of the load that the front page starts with is that of the plot above it.
#[test]
fn the_load_agrees_with_the_plot() {
    let (_, page) = pages("/")
        .into_iter()
        .find(|(name, _)| name == "index.html")
        .expect("the front page");
    let loads: Vec<String> = select(&page, "#load dd")
        .iter()
        .map(|dd| dd.text().collect())
        .collect();
    let rows = select(&page, ".dots tbody tr");
    let memory = rows.iter().find(|row| {
        row.text()
            .collect::<String>()
            .to_lowercase()
            .contains("memory")
    });
    let text = memory.expect("a row of memory").html();
    let figure = expression("<td data-of=\"[^\"]*\">([\\d,]+)");
    for (figure, load) in figure.captures_iter(&text).zip(loads) {
        let kib: f64 = figure[1].replace(',', "").parse().expect("KiB");
        let mib = load
            .split(", ")
            .nth(1)
            .expect("memory")
            .trim_end_matches(" MiB");
        let mib: f64 = mib.parse().expect("MiB");
        assert!(
            (kib / 1024.0 / mib - 1.0).abs() < 0.02,
            "{kib} KiB against {load}"
        );
    }
}

/// A release is drawn as many times the first one of its line as its figure is.
#[test]
fn releases_are_drawn_as_ratios_to_the_first() {
    let mark = expression(r"^(.+), [^,]+: ([0-9,.]+) [^;]+; ([0-9.]+) times the first release");
    let titles = Selector::parse(".mark > title").expect("a selector");
    let mut drawn = 0;
    for (name, page) in pages("/") {
        for panel in select(&page, ".panels > svg") {
            let mut first: BTreeMap<String, f64> = BTreeMap::new();
            for title in panel.select(&titles) {
                let text: String = title.text().collect();
                let Some(said) = mark.captures(&text) else {
                    continue;
                };
                let number = |n: usize| said[n].replace(',', "").parse::<f64>().expect("a number");
                let base = *first.entry(said[1].to_owned()).or_insert(number(2));
                let share = number(2) / base;
                // Of paired runs, it is the median of their ratios: another one where figures are unsteady.
                assert!(
                    (number(3) / share - 1.0).abs() < 0.15,
                    "{name}: {text}, {share}"
                );
                drawn += usize::from(share != 1.0);
            }
        }
    }
    assert!(drawn > 20, "{drawn}");
}

//! The pages of the reports in `data/` have the published figures and correct factors.
//!
//! Expected factors are computed here independently, in integers, from the tables in `data/`.

use crate::common::{Folder, copy, generator, read, repository, rows};
use regex::Regex;
use scraper::{ElementRef, Html, Selector};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A site with freshly generated pages, which may differ from the committed ones.
fn site() -> &'static Folder {
    static SITE: OnceLock<Folder> = OnceLock::new();
    SITE.get_or_init(|| {
        let site = Folder::new().with_config();
        site.ingest(&repository().join("data"), &["-q"]).success();
        site
    })
}

/// All figures of a report, and its own page.
fn page(report: &str) -> Html {
    let of = |file: &str| site().read(&format!("content/perf/{report}/{file}"));
    Html::parse_document(&(of("figures/index.md") + &of("index.md")))
}

/// What a row is of: the label of its scenario, or its header.
fn label(row: &ElementRef) -> Option<String> {
    let of = row.attr("data-of").map(str::to_owned);
    of.or_else(|| select(row, "th").first().map(text))
}

fn select<'a>(within: &ElementRef<'a>, what: &str) -> Vec<ElementRef<'a>> {
    within
        .select(&Selector::parse(what).expect("a selector"))
        .collect()
}

fn text(element: &ElementRef) -> String {
    element.text().collect::<String>().trim().to_owned()
}

/// The rows of the first table with this caption (without its link to the method): scenario and
/// cells.
fn table(page: &Html, caption: &str) -> BTreeMap<String, Vec<String>> {
    let tables = select(&page.root_element(), "table");
    let table = tables
        .iter()
        .find(|t| {
            let captions = select(t, "caption");
            let mut captions = captions.iter().map(text);
            captions.any(|c| {
                let title = c.trim_end_matches("How to read this").trim_end();
                title.split(" in ").next() == Some(caption)
            })
        })
        .unwrap_or_else(|| panic!("no table is called {caption}"));
    select(table, "tbody tr")
        .iter()
        .map(|row| {
            (
                label(row).expect("a header"),
                select(row, "td").iter().map(text).collect(),
            )
        })
        .collect()
}

/// Parses `6,503.58 MiB/s` as 6503.58.
fn figure(cell: &str) -> Option<f64> {
    let number = cell.split_whitespace().next()?;
    let Ok(figure) = number.replace(',', "").parse() else {
        return None;
    };
    Some(figure)
}

/// Reads a table in `data/`: figures as printed, by scenario and heading.
fn published(path: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut table = BTreeMap::new();
    for mut row in rows(&read(path)) {
        row.retain(|_, cell| !cell.is_empty());
        let scenario = row.remove("scenario").expect("a scenario");
        row.remove("unit");
        table.insert(scenario, row);
    }
    table
}

/// A decimal number as an integer of hundred-thousandths.
fn whole(decimal: &str) -> u128 {
    let (integer, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    assert!(fraction.len() <= 5, "{decimal}");
    format!("{integer}{fraction:0<5}").parse().expect("digits")
}

/// a / b, rounded half to even.
fn divided(a: u128, b: u128) -> u128 {
    let (quotient, twice_rest) = (a / b, 2 * (a % b));
    quotient + u128::from(twice_rest > b || (twice_rest == b && quotient % 2 == 1))
}

fn factor(baseline: &str, candidate: &str) -> String {
    let (old, new) = (whole(baseline), whole(candidate));
    let hundredths = divided(100 * old.max(new), old.min(new));
    let word = if new > old { "faster" } else { "slower" };
    match hundredths {
        100 => "no change".to_owned(),
        _ => format!("{}.{:02}x {word}", hundredths / 100, hundredths % 100),
    }
}

fn percent(baseline: &str, candidate: &str) -> String {
    let (old, new) = (whole(baseline), whole(candidate));
    let word = if new > old { "more" } else { "less" };
    match divided(100 * old.abs_diff(new), old) {
        0 => "no change".to_owned(),
        change => format!("{change}% {word}"),
    }
}

fn tables(report: &str) -> Vec<PathBuf> {
    let folder = repository().join("data").join(report);
    let mut tables = crate::common::files(&folder);
    tables.retain(|path| path.extension().is_some_and(|e| e == "csv"));
    tables
}

#[test]
fn every_published_figure_is_on_its_page() {
    let mut checked = 0;
    for report in [
        "2019-07-02-rustls-openssl",
        "2023-12-13-x86_64",
        "2024-10-18-x86_64",
        "2024-10-31-arm64",
        "2025-07-31-x86_64",
        "2026-03-07-x86_64",
    ] {
        let page = page(report);
        let mut shown: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for table in select(&page.root_element(), "table") {
            for row in select(&table, "tbody tr") {
                let Some(label) = label(&row) else {
                    continue;
                };
                let cells = select(&row, "td");
                let figures = cells.iter().filter_map(|c| figure(&text(c)));
                let figures: Vec<f64> = figures.collect();
                shown.entry(label).or_default().extend(&figures);
            }
        }
        for path in tables(report) {
            for (scenario, cells) in published(&path) {
                let label = scenario.replace(" sessions", "");
                let found = shown.get(&scenario).or_else(|| shown.get(&label));
                let found = found.unwrap_or_else(|| panic!("{report} has no row {scenario}"));
                for (heading, cell) in cells.iter().filter(|(_, c)| figure(c).is_some()) {
                    let value = figure(cell).expect("a figure");
                    // At least two decimals are shown, and bytes per second always as MiB/s.
                    let mebi = value * 1e6 / 1_048_576.0;
                    let as_shown = |f: &f64| {
                        (f - value).abs() < 0.0051
                            || (scenario.contains("encryption") && (f - mebi).abs() < 0.0051)
                    };
                    assert!(
                        found.iter().any(as_shown),
                        "{report}: {scenario} of {heading} is {value}, not one of {found:?}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
    println!("{checked} published figures found on their pages");
}

/// What the page of 2023 is to compare, as its report.toml says.
#[derive(Deserialize)]
struct Comparison {
    title: String,
    baseline: String,
    candidate: String,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    exclude: Vec<String>,
}

#[test]
fn factors_of_2023() {
    let report = "2023-12-13-x86_64";
    let manifest = read(&repository().join("data").join(report).join("report.toml"));
    let manifest: toml::Table = manifest.parse().expect("report.toml");
    let comparisons: Vec<Comparison> = manifest["comparison"].clone().try_into().expect("tables");
    let figures: BTreeMap<_, _> = tables(report).iter().flat_map(|t| published(t)).collect();
    let page = page(report);
    let mut factors = 0;
    for comparison in &comparisons {
        let Comparison { title, exclude, .. } = comparison;
        let filter = Regex::new(&comparison.filter).expect("an expression");
        let rows = table(&page, title);
        let mut expected = 0;
        for (scenario, cells) in &figures {
            let sides = [&comparison.baseline, &comparison.candidate].map(|side| cells.get(side));
            let [Some(old), Some(new)] = sides else {
                continue;
            };
            if !filter.is_match(scenario) || exclude.contains(scenario) {
                continue;
            }
            let row = rows.get(scenario);
            let row = row.unwrap_or_else(|| panic!("{title} has no row {scenario}"));
            let [.., was, shown, is] = &row[..] else {
                panic!("{title}: {scenario} has {row:?}")
            };
            assert_eq!(figure(was), figure(old), "{title}: {scenario}");
            assert_eq!(figure(is), figure(new), "{title}: {scenario}");
            let change = match scenario.starts_with("memory") {
                true => percent(old, new),
                false => factor(old, new),
            };
            // One published figure a side: untested.
            assert_eq!(*shown, change + " *", "{title}: {scenario}");
            expected += 1;
        }
        assert_eq!(rows.len(), expected, "{title} has other rows too");
        factors += expected;
    }
    // Seven tables of speed and one of memory.
    assert_eq!(comparisons.len(), 8);
    assert_eq!(factors, 103);
}

#[test]
fn lines_through_memory_of_2019() {
    let page = page("2019-07-02-rustls-openssl");
    let rows: Vec<Vec<String>> = select(&page.root_element(), "table.fit tbody tr")
        .iter()
        .map(|row| select(row, "th, td").iter().map(text).collect())
        .collect();
    for (name, slope, constant) in [
        ("rustls 6a47cd5c", "27.2", "3,417"),
        ("OpenSSL fdbb3a86", "59.3", "6,789"),
    ] {
        assert!(
            rows.iter()
                .any(|r| r[0] == name && r[1] == "1.3" && r[2] == slope && r[3] == constant),
            "{name}: {rows:?}"
        );
    }
}

/// The raw outputs of the report of 2023, which are too large for the repository: a checkout of
/// github.com/aochagavia/rustls-bench-results in the folder named by SAMPLES.
fn samples() -> PathBuf {
    let folder = std::env::var_os("SAMPLES").expect("SAMPLES names a folder");
    PathBuf::from(folder).join("rustls-bench-results")
}

const PAIR: [(&str, &str); 2] = [
    ("openssl-throughput/openssl_3.2.0_gcc", "OpenSSL 3.2.0, gcc"),
    (
        "rustls-throughput/rustls_0.22.0_aws-lc_gcc_jemalloc",
        "rustls 0.22.0, aws-lc, gcc, jemalloc",
    ),
];

#[test]
#[ignore = "reads the folder that SAMPLES names"]
fn published_samples_give_the_published_table() {
    let samples = samples();
    let options = ["--estimator", "median-high", "--format", "csv"];
    let sides = PAIR.map(|side| side.0);
    let printed = generator(&samples, &[&["compare"], &sides[..], &options].concat()).success();
    let figures = published(&repository().join("data/2023-12-13-x86_64/throughput.csv"));
    let rows = rows(&printed.stdout);
    for row in &rows {
        let expected = &figures[&row["scenario"]];
        for (side, (_, heading)) in ["baseline", "candidate"].into_iter().zip(PAIR) {
            assert_eq!(figure(&row[side]), figure(&expected[heading]), "{row:?}");
            assert_eq!(row[&format!("{side}_n")], "30");
        }
    }
    assert_eq!(rows.len(), 20);
}

#[test]
#[ignore = "reads the folder that SAMPLES names"]
fn a_page_of_published_samples_has_their_medians() {
    let samples = samples();
    let page = |estimator: &str| {
        let site = Folder::new().with_config();
        copy(&samples, &site.join("rustls-bench-results"));
        site.write("rustls-bench-results/report.toml", estimator);
        generator(site.path(), &["ingest", "-q", "rustls-bench-results"]).success();
        let page = site.read("content/perf/rustls-bench-results/figures/index.md");
        text(&Html::parse_document(&page).root_element())
    };
    // The mean of the two middle values, 6711.855; a page has as many digits as the interval
    // supports.
    assert!(page("").contains("6,711.9 ±0.1%"));
    let page = page("estimator = \"median-high\"\n");
    let table = published(&repository().join("data/2023-12-13-x86_64/throughput.csv"));
    for (scenario, cells) in table.iter().filter(|(s, _)| s.starts_with("transfer")) {
        for (_, heading) in PAIR {
            let figure = figure(&cells[heading]).unwrap();
            let shown = [0, 1, 2].map(|decimals| {
                let mut shown = format!("{figure:.decimals$}");
                let thousands = shown.find('.').unwrap_or(shown.len()) - 3;
                shown.insert(thousands, ',');
                format!("{shown} ±")
            });
            let is_there = shown.iter().any(|shown| page.contains(shown));
            assert!(is_there, "{scenario}: {shown:?}");
        }
    }
}

/// A scenario, and the start of its lines in the output of openssl-bench and of rustls-bench.
const LINES: [(&str, &str, &str); 6] = [
    (
        "transfer, 1.2, aes-128-gcm, sending",
        "bulk\tsend\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\t",
        "bulk\tTLSv1_2\tTLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\tmax_fragment_size:default\tsend\t",
    ),
    (
        "transfer, 1.3, aes-256-gcm, receiving",
        "bulk\trecv\tTLSv1.3\tTLS_AES_256_GCM_SHA384\t",
        "bulk\tTLSv1_3\tTLS13_AES_256_GCM_SHA384\tmax_fragment_size:default\trecv\t",
    ),
    (
        "full handshakes, 1.2, rsa, client",
        "handshakes\tclient\tTLSv1.2\tECDHE-RSA-AES256-GCM-SHA384\t",
        "handshakes\tTLSv1_2\tRsa2048\tTLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384\tclient\tserver-auth\tno-resume\t",
    ),
    (
        "full handshakes, 1.2, ecdsa, server",
        "handshakes\tserver\tTLSv1.2\tECDHE-ECDSA-AES256-GCM-SHA384\t",
        "handshakes\tTLSv1_2\tEcdsaP256\tTLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384\tserver\tserver-auth\tno-resume\t",
    ),
    (
        "resumed handshakes, 1.2, session id, server",
        "handshake-resume\tserver\tTLSv1.2\tECDHE-RSA-AES256-GCM-SHA384\t",
        "handshakes\tTLSv1_2\tRsa2048\tTLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384\tserver\tserver-auth\tsessionid\t",
    ),
    (
        "resumed handshakes, 1.3, ticket, client",
        "handshake-ticket\tclient\tTLSv1.3\tTLS_AES_256_GCM_SHA384\t",
        "handshakes\tTLSv1_3\tRsa2048\tTLS13_AES_256_GCM_SHA384\tclient\tserver-auth\ttickets\t",
    ),
];

/// The median of seven runs, read without the parsers.
fn median_of_lines(folder: &Path, start: &str) -> f64 {
    let figures = crate::common::files(folder).into_iter().map(|file| -> f64 {
        let text = read(&file);
        let mut rest = text.lines().filter_map(|line| line.strip_prefix(start));
        let figure = rest.next().and_then(|r| r.split('\t').next());
        figure
            .unwrap_or_else(|| panic!("{}: {start}", file.display()))
            .parse()
            .expect("a figure")
    });
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    assert_eq!(figures.len(), 7);
    figures[3]
}

#[test]
fn outputs_of_the_tools_give_their_medians() {
    let tools = crate::common::fixture("tools");
    let sides = ["openssl_3.0.22", "rustls_0.24.0-dev.2_aws-lc-rs_jemalloc"];
    let options = ["--format", "csv"];
    let printed = generator(&tools, &[&["compare"], &sides[..], &options].concat()).success();
    let rows = rows(&printed.stdout);
    for (scenario, openssl, rustls) in LINES {
        let row = rows.iter().find(|row| row["scenario"] == scenario);
        let row = row.unwrap_or_else(|| panic!("no {scenario} in\n{}", printed.stdout));
        for ((column, side), start) in ["baseline", "candidate"]
            .into_iter()
            .zip(sides)
            .zip([openssl, rustls])
        {
            let expected = median_of_lines(&tools.join(side), start);
            assert_eq!(figure(&row[column]), Some(expected), "{scenario}, {side}");
            assert_eq!(row[&format!("{column}_n")], "7", "{scenario}, {side}");
        }
    }
}

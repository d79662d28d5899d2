//! The reports in `data/` have the published figures.

use crate::common::{Folder, copy, generator, read, repository, rows};
use scraper::Html;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn text(html: &str) -> String {
    Html::parse_document(html).root_element().text().collect()
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

fn tables(report: &str) -> Vec<PathBuf> {
    let folder = repository().join("data").join(report);
    let mut tables = crate::common::files(&folder);
    tables.retain(|path| path.extension().is_some_and(|e| e == "csv"));
    tables
}

/// Pages show what `data.csv` has, which has what was published.
#[test]
fn every_published_figure_is_in_the_downloads() {
    let mut checked = 0;
    for report in [
        "2019-07-02-rustls-openssl",
        "2023-12-13-x86_64",
        "2024-10-18-x86_64",
        "2024-10-31-arm64",
        "2025-07-31-x86_64",
        "2026-03-07-x86_64",
    ] {
        let path = format!("content/perf/{report}/data.csv");
        let mut known: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for row in rows(&read(&repository().join(path))) {
            let value = row["value"].parse().expect("a figure");
            known
                .entry(row["scenario"].clone())
                .or_default()
                .push(value);
        }
        for path in tables(report) {
            for (scenario, cells) in published(&path) {
                let found = known.get(&scenario).map_or(&[][..], Vec::as_slice);
                for (heading, cell) in cells.iter().filter(|(_, c)| figure(c).is_some()) {
                    let value = figure(cell).expect("a figure");
                    let mebi = value * 1e6 / 1_048_576.0;
                    let is_it = |f: &f64| {
                        *f == value || scenario.contains("encryption") && (f - mebi).abs() < 1e-6
                    };
                    assert!(
                        found.iter().any(is_it),
                        "{report}: {scenario} of {heading} is {value}, not one of {found:?}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
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
    let folder = Folder::new();
    for (side, _) in PAIR {
        copy(&samples.join(side), &folder.join(side));
        folder.write(
            &format!("{side}/report.toml"),
            "estimator = \"median-high\"\n",
        );
    }
    let [old, new] = PAIR.map(|side| side.0);
    let printed = generator(folder.path(), &["compare", old, new, "--format", "csv"]).success();
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
        text(&page)
    };
    // The mean of the two middle values, 6711.855; a page has as many digits as the interval
    // supports.
    assert!(page("").contains("6,712 ±0.1%"));
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

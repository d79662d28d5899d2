//! Fuzz targets for pages: whatever a report's folder holds, its words stay text, and the figures on
//! the page are those of the data.

use super::front_matter::FrontMatter;
use super::{Origin, Pages, Renderer};
use crate::day;
use crate::escape::plain;
use crate::implementation::Implementation;
use crate::load::Loaded;
use crate::observation::{Observation, Value};
use crate::page;
use crate::parse::{self, tidy};
use crate::report::{Manifest, OVERVIEWS, Report};
use crate::scenario::Scenario;
use crate::unit::{MIB, Unit};
use regex_lite::Regex;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

pub(crate) use super::notes::fuzz as notes;

static RENDERER: LazyLock<Renderer<'static>> =
    LazyLock::new(|| Renderer::new("perf", OVERVIEWS.to_vec()).expect("the templates are whole"));

/// How Zola splits a page into front matter and text.
static SPLIT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?s)^[[:space:]]*\+\+\+(\r?\n.*?)\+\+\+[[:space:]]*(?:$|\r?\n(.*)$)";
    Regex::new(pattern).expect("a constant pattern")
});

/// Checks that the values of any `report.toml` stay in their place in the front matter of a page.
pub(crate) fn report_toml(bytes: &[u8]) {
    let folder = Path::new("2026-03-07-fuzz");
    let Ok(manifest) = Manifest::parse(&folder.join("report.toml"), bytes) else {
        return;
    };
    let Ok(report) = Report::assemble(folder, manifest, &[], None) else {
        return;
    };
    let Ok(added) = page::extra(&report) else {
        return;
    };
    let Manifest {
        title,
        summary,
        machine,
        template,
        taxonomies,
        ..
    } = &report.manifest;
    let [title, summary] = [title, summary].map(|words| words.as_deref().unwrap_or_default());
    let mut head = FrontMatter::page("report", &report.name, title, summary);
    head.date = report.day.map(day::to_toml);
    head.extra.machine = machine.as_deref().map(plain);
    head.extra.added = added.clone();
    head.template = template.as_deref();
    head.taxonomies.clone_from(taxonomies);
    let mut pages = Pages::new();
    let put = RENDERER.put_text(&mut pages, "p".to_owned(), head, "the text");
    put.expect("any words can be written as TOML");
    let text = std::str::from_utf8(&pages["p"]).expect("UTF-8");
    let parts = SPLIT.captures(text).expect("front matter");
    assert_eq!(parts.get(2).map(|m| m.as_str()), Some("the text"), "{text}");
    let read: toml::Table = toml::from_str(&parts[1]).expect("TOML");
    let said = |key: &str| read.get(key).and_then(toml::Value::as_str);
    assert_eq!(said("title"), Some(&*plain(title)));
    assert_eq!(said("path"), Some(&*format!("perf/{}", report.name)));
    assert_eq!(said("template"), template.as_deref());
    let extra = read["extra"].as_table().expect("a table");
    for (key, value) in &added {
        // Compared as JSON, since tables may be reordered, and NaN is not equal to itself.
        let [there, said] = [extra.get(key), Some(value)].map(|v| json!(v));
        assert_eq!(there, said, "{key}");
    }
    let known = [
        "title",
        "description",
        "date",
        "path",
        "template",
        "taxonomies",
        "extra",
    ];
    assert!(
        read.keys().all(|key| known.contains(&key.as_str())),
        "{text}"
    );
}

/// Makes a report from any bytes, and checks the figures on its pages against the data.
pub(crate) fn pages(bytes: &[u8]) {
    let rows = observations(&mut Bytes(bytes));
    let expected = estimates(&rows);
    if expected.values().flatten().next().is_none() {
        return;
    }
    let written = tidy::write(&rows);
    let parsed = parse::parse("table.csv", written.as_bytes());
    let loaded = Loaded {
        path: "2026-03-07-fuzz/table.csv".into(),
        parsed: parsed.unwrap_or_else(|problems| panic!("{problems:?} in\n{written}")),
        digest: Some("5".repeat(64)),
    };
    let folder = Path::new("2026-03-07-fuzz");
    let report = Report::assemble(folder, Manifest::default(), &[loaded], None);
    let report = report.expect("every figure has its implementation");
    let pages = RENDERER.report(&report, [None, None], &[], Origin::default());
    let pages = pages.expect("sound data have pages");
    let texts = pages.iter().filter(|(path, _)| path.ends_with(".md"));
    let texts: Vec<&str> = texts
        .map(|(_, bytes)| std::str::from_utf8(bytes).expect("UTF-8"))
        .collect();
    check_tables(&texts, &expected);
    let download = |name: &str| &pages[&format!("{}/{name}", report.name)];
    check_json(download("data.json"), &expected);
    let read = parse::parse("data.csv", download("data.csv")).expect("our own CSV");
    assert_eq!(estimates(&read.observations), expected);
}

/// Takes numbers from a fuzzer's bytes; 0 once they are used up.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        usize::from(*first) % n
    }
}

const LABELS: [(&str, Unit); 12] = [
    ("transfer, 1.3, aes-256-gcm, sending", Unit::Throughput),
    ("transfer, 1.2, aes-128-gcm, receiving", Unit::Throughput),
    (
        "transfer, 1.3, chacha20-poly1305, sending, 16384-byte writes",
        Unit::Throughput,
    ),
    ("full handshakes, 1.3, rsa, server", Unit::HandshakeRate),
    (
        "full handshakes, 1.2, ecdsa, client, mutual",
        Unit::HandshakeRate,
    ),
    (
        "resumed handshakes, 1.3, ticket, client",
        Unit::HandshakeRate,
    ),
    ("memory, 1.3, 100 sessions", Unit::Memory),
    ("memory, 1.3, 10000 sessions", Unit::Memory),
    ("encode <b> & {{ x }} | \"y\"", Unit::Time),
    ("decode/64", Unit::Time),
    ("a b", Unit::Rate),
    ("full handshakes, 1.3, rsa, client", Unit::INSTRUCTIONS),
];

/// Makes figures of several implementations, as a parser returns them.
fn observations(bytes: &mut Bytes<'_>) -> Vec<Observation> {
    let all = [
        ("rustls", "0.23.43", "ring"),
        ("OpenSSL", "3.5.1", "gcc"),
        ("BoringSSL", "30cd935", "<i>"),
        ("a & b", "", "{% x %}"),
    ];
    let implementations = &all[..=bytes.below(all.len())];
    let mut rows = Vec::new();
    for (label, unit) in &LABELS[..=bytes.below(LABELS.len())] {
        for (name, version, variant) in implementations {
            let runs = match bytes.below(10) {
                0 => continue,
                // The scenario is unsupported.
                1 => 0,
                more => more as u32 - 1,
            };
            let row = |run, value| Observation {
                implementation: Some(Implementation::new(name, version, &[variant])),
                run,
                scenario: Scenario::from_label(label).expect("a label"),
                unit: unit.clone(),
                value,
                line: 0,
                caveat: None,
            };
            let scale = unit.symbol_factor() / 10_f64.powi(bytes.below(4) as i32);
            rows.extend((0..runs).map(|run| {
                let digits = (0..3).fold(0, |digits, _| digits * 256 + bytes.below(256));
                row(run, Value::Number((digits + 1) as f64 * scale))
            }));
            if runs == 0 {
                rows.push(row(0, Value::Unsupported("unsupported".to_owned())));
            }
        }
    }
    rows
}

/// The median of each scenario and implementation in base units, rounded to the digits written to
/// files; `None` if it is unsupported.
type Estimates = BTreeMap<(String, String), Option<f64>>;

fn estimates(rows: &[Observation]) -> Estimates {
    let mut samples: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for row in rows {
        let name = row.implementation.as_ref().map_or("", |i| &i.name);
        let sample = samples
            .entry((row.scenario.label(), name.to_owned()))
            .or_default();
        if let Value::Number(base) = row.value {
            sample.push(base);
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let (high, low) = (
            values.get(values.len() / 2)?,
            values.get((values.len() - 1) / 2)?,
        );
        let middle = (low + high) / 2.0;
        Some(format!("{middle:.12e}").parse::<f64>().expect("a number"))
    };
    samples
        .into_iter()
        .map(|(key, values)| (key, median(values)))
        .collect()
}

/// Checks that every cell of the tables of results is an estimate, and every estimate has a cell.
fn check_tables(texts: &[&str], expected: &Estimates) {
    let mut missing = expected.clone();
    let (start, end) = ("<table class=\"results\">", "</table>");
    for text in texts.iter().flat_map(|text| text.split(start).skip(1)) {
        let (table, _) = text.split_once(end).expect("its end");
        let table = format!("{start}{table}{end}");
        let table = roxmltree::Document::parse(&table).unwrap_or_else(|e| panic!("{e}: {table}"));
        let all = |name: &'static str| table.descendants().filter(move |n| n.has_tag_name(name));
        let caption = words(all("caption").next().expect("a caption"));
        let (_, unit) = caption.split_once(" in ").expect("a unit");
        let factor = factor(unit.split([',', '.']).next().unwrap_or_default());
        let head: Vec<String> = all("thead")
            .flat_map(|head| head.descendants())
            .filter(|n| n.has_tag_name("th"))
            .skip(1)
            .map(|th| th.text().unwrap_or_default().trim().to_owned())
            .collect();
        for row in all("tbody")
            .flat_map(|body| body.children())
            .filter(|n| n.has_tag_name("tr"))
        {
            let mut cells = row.children().filter(roxmltree::Node::is_element);
            let label = words(cells.next().expect("a row header"));
            for (name, cell) in head.iter().zip(cells) {
                let key = (label.clone(), name.clone());
                let shown = cell
                    .descendants()
                    .find_map(|n| n.text())
                    .unwrap_or_default()
                    .trim();
                let wanted = match cell.attribute("class") {
                    Some("missing") => {
                        assert!(!expected.contains_key(&key), "{key:?} is missing");
                        continue;
                    }
                    _ => missing.remove(&key),
                };
                match wanted.unwrap_or_else(|| panic!("{key:?} = {shown} is not in the data")) {
                    None => assert_eq!(shown, "unsupported", "{key:?}"),
                    Some(base) => check_figure(shown, base / factor),
                }
            }
        }
    }
    assert!(missing.is_empty(), "not on the page: {missing:?}");
}

fn words(node: roxmltree::Node<'_, '_>) -> String {
    node.descendants()
        .filter(roxmltree::Node::is_text)
        .filter_map(|n| n.text())
        .collect()
}

/// Returns the base units that a symbol on a page stands for.
fn factor(symbol: &str) -> f64 {
    match symbol {
        "MiB/s" => MIB,
        "KiB" => 1024.0,
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "s" | "B" | "hs/s" | "ops/s" | "instructions" => 1.0,
        other => panic!("no unit: {other}"),
    }
}

/// Checks that a figure is the number, rounded to the figure's decimals.
fn check_figure(shown: &str, number: f64) {
    let plain = shown.replace(',', "");
    let decimals = plain
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let read: f64 = plain
        .parse()
        .unwrap_or_else(|_| panic!("no figure: {shown}"));
    let tolerance = 0.5 * 10_f64.powi(-(decimals as i32)) + number * 1e-12;
    assert!((read - number).abs() <= tolerance, "{shown} of {number}");
}

fn check_json(bytes: &[u8], expected: &Estimates) {
    let document: Json = serde_json::from_slice(bytes).expect("JSON");
    let figures = document["figures"].as_array().expect("a list");
    let text = |value: &Json| value.as_str().expect("text").to_owned();
    let mut found = Estimates::new();
    for figure in figures {
        let column = figure["implementation"].as_u64().expect("an index") as usize;
        let name = text(&document["implementations"][column]["name"]);
        let (_, factor) = Unit::parse(&text(&figure["unit"])).expect("a unit");
        let estimate = figure["estimate"].as_f64().map(|printed| printed * factor);
        found.insert((text(&figure["scenario"]), name), estimate);
    }
    assert!(found.keys().eq(expected.keys()), "{found:?} {expected:?}");
    for (found, expected) in found.values().zip(expected.values()) {
        let both = found.zip(*expected);
        assert_eq!(found.is_some(), expected.is_some());
        assert!(
            both.is_none_or(|(a, b)| (a / b - 1.0).abs() < 1e-9),
            "{both:?}"
        );
    }
}

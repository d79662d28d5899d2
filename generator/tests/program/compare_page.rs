//! The files of the compare page: every verdict must be the one that `generator compare` prints.

use crate::common::{Folder, copy, fixture, generator};
use serde_json::Value;
use std::collections::BTreeMap;

/// Two reports of one machine, and one of another.
const REPORTS: [&str; 3] = [
    "report/2026-02-14-small",
    "releases/2026-03-01-dated",
    "releases/2026-04-01-undated",
];

fn file(folder: &Folder, name: &str) -> Value {
    let text = folder.read(&format!("site/content/perf/compare/{name}.json"));
    serde_json::from_str(&text).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn all(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// What `generator compare` prints of each row, as the page's files have it.
fn expected(folder: &Folder, [old, new]: &[String; 2]) -> BTreeMap<(String, String), String> {
    // The estimator of the newer report.
    let (report, _) = old.max(new).split_once(':').expect("a build");
    let manifest = folder.read(&format!("{report}/report.toml"));
    let named = manifest.split("estimator = \"").nth(1);
    let estimator = named.and_then(|rest| rest.split('"').next());
    let run = generator(
        folder.path(),
        &[
            "compare",
            old,
            new,
            "-q",
            "--format",
            "json",
            "-e",
            estimator.unwrap_or("median"),
        ],
    );
    let printed: Value = serde_json::from_str(&run.success().stdout).expect("JSON");
    let rows = all(&printed).iter().filter(|r| !r["ratio"].is_null());
    let verdict = |row: &Value| {
        let change = row["change"].as_str().unwrap_or_default();
        let (size, word) = change.split_once(' ').unwrap_or_default();
        let verdict = text(&row["verdict"]);
        let ratio = || format!("{:.3}", row["ratio"].as_f64().expect("a ratio"));
        let shown = match verdict {
            "none" | "too-few" | "unsteady" => {
                format!("{}{}", &verdict[..1].replace('u', "y"), ratio())
            }
            _ if change == "no change" => format!("n{}", ratio()),
            _ => format!("{}{}", &word[..1], size.trim_end_matches('x')),
        };
        let shown = match verdict {
            "untested" => format!("u{shown}"),
            _ => shown,
        };
        let end = |key: &str| {
            row[key]
                .as_f64()
                .map_or_else(String::new, |v| format!("{v:.3}"))
        };
        let is_changed = !["none", "too-few", "unsteady", "untested"].contains(&verdict);
        let has_interval = !row["ratio_low"].is_null();
        let p = match row["p_adjusted"].as_f64().or(row["p"].as_f64()) {
            Some(p) if p < 0.001 && is_changed && has_interval => String::new(),
            Some(p) if p < 0.001 => "<0.001".to_owned(),
            Some(p) => format!("{p:.3}").trim_start_matches('0').to_owned(),
            None => String::new(),
        };
        let text = format!("{shown}|{}|{}|{p}", end("ratio_low"), end("ratio_high"));
        text.trim_end_matches('|').to_owned()
    };
    let key = |row: &Value| {
        (
            text(&row["scenario"]).to_owned(),
            text(&row["unit"]).to_owned(),
        )
    };
    rows.map(|row| (key(row), verdict(row))).collect()
}

#[test]
fn verdicts_are_those_of_the_program() {
    let folder = Folder::new().with("site/config.toml", "base_url = \"/\"\n");
    for report in REPORTS {
        let (_, name) = report.split_once('/').expect("a folder");
        copy(&fixture(report), &folder.join("data").join(name));
    }
    generator(folder.path(), &["ingest", "data", "--site", "site"]).success();
    let (mut checked, mut apart) = (0, 0);
    for machine in all(&file(&folder, "index")) {
        let name = text(&machine["file"]);
        let data = file(&folder, name);
        for new in 0..all(&machine["builds"]).len() - 1 {
            let pairs = file(&folder, &format!("{name}.{new}"));
            for (later, pair) in all(&pairs).iter().enumerate() {
                let old = new + 1 + later;
                let Some([from, to]) = pair.as_array().map(|p| [&p[0], &p[1]]) else {
                    continue;
                };
                apart += usize::from(from != to);
                let side = |report: &Value, build: usize| {
                    let report = &data["reports"][report.as_u64().expect("a place") as usize][0];
                    format!("data/{}:{}", text(report), text(&machine["builds"][build]))
                };
                let sides = [side(from, old), side(to, new)];
                let expected = expected(&folder, &sides);
                let verdicts = text(&pair[3]).split(';');
                let found = all(&data["rows"]).iter().zip(verdicts);
                let found = found.filter(|(_, verdict)| !verdict.is_empty());
                // What a percentage is from the other side, the program does not print.
                let found = found.map(|(row, verdict)| {
                    let (size, rest) = verdict.split_once('|').unwrap_or((verdict, ""));
                    let size = size.split('/').next().expect("a size");
                    let verdict = format!("{size}|{rest}");
                    (text(&row[0]), verdict.trim_end_matches('|').to_owned())
                });
                let found: Vec<(&str, String)> = found.collect();
                assert_eq!(found.len(), expected.len(), "{sides:?}");
                for ((scenario, _), verdict) in &expected {
                    assert!(
                        found
                            .iter()
                            .any(|(of, found)| of == scenario && found == verdict),
                        "{sides:?}: {scenario}: {verdict} is not among {found:?}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(
        checked > 50 && apart > 0,
        "{checked} verdicts, {apart} pairs of two reports"
    );
}

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
        let is_shown = !["none", "too-few"].contains(&verdict) && change != "no change";
        let direction = if change == "no change" {
            "n"
        } else {
            &word[..1]
        };
        let end = |key: &str| {
            row[key]
                .as_f64()
                .map_or_else(String::new, |v| format!("{v:.3}"))
        };
        let p = match row["p_adjusted"].as_f64().or(row["p"].as_f64()) {
            Some(p) if p < 0.001 => "<0.001".to_owned(),
            Some(p) => format!("{p:.3}"),
            None => String::new(),
        };
        let size = if is_shown { size } else { "" };
        let letter = &verdict[..1];
        let text = format!(
            "{letter}{direction}{size}|{}|{}|{p}",
            end("ratio_low"),
            end("ratio_high")
        );
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
        let data = file(&folder, text(&machine["file"]));
        for (new, pairs) in all(&data["pairs"]).iter().enumerate() {
            for (old, pair) in all(pairs).iter().enumerate() {
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
                let found: Vec<(&str, &str)> = found
                    .map(|(row, verdict)| (text(&row[0]), verdict))
                    .collect();
                assert_eq!(found.len(), expected.len(), "{sides:?}");
                for ((scenario, _), verdict) in &expected {
                    assert!(
                        found.contains(&(scenario, verdict)),
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

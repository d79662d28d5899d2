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

/// What `generator compare` prints of each row: the words of its verdict.
fn expected(folder: &Folder, [old, new]: [&String; 2]) -> BTreeMap<(String, String), String> {
    let command = ["compare", old, new, "-q", "--format", "json"];
    let run = generator(folder.path(), &command);
    let printed: Value = serde_json::from_str(&run.success().stdout).expect("JSON");
    let mut rows = BTreeMap::new();
    for row in all(&printed)
        .iter()
        .filter(|row| text(&row["verdict"]) != "missing")
    {
        let words = match text(&row["verdict"]) {
            "same" => "no difference".to_owned(),
            "not-shown" => "not shown".to_owned(),
            "untested" => format!("{} *", text(&row["change"])),
            _ => text(&row["change"]).to_owned(),
        };
        let key = [&row["scenario"], &row["unit"]].map(|key| text(key).to_owned());
        rows.insert(key.into(), words);
    }
    rows
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
            for (later, pair) in all(&pairs["pairs"]).iter().enumerate() {
                let old = new + 1 + later;
                let Some([reports, _, _, groups]) =
                    pair.as_array().map(|p| [&p[0], &p[1], &p[2], &p[3]])
                else {
                    continue;
                };
                apart += usize::from(reports[0] != reports[1]);
                let side = |report: &Value, build: usize| {
                    let report = &data["reports"][report.as_u64().expect("a place") as usize][0];
                    format!("data/{}:{}", text(report), text(&machine["builds"][build]))
                };
                let [old, new] = [side(&reports[0], old), side(&reports[1], new)];
                // After its marks, a row has the number of the words of both directions.
                for (direction, sides) in [[&old, &new], [&new, &old]].into_iter().enumerate() {
                    let mut found = Vec::new();
                    for row in all(groups).iter().flat_map(|group| all(&group[3][2])) {
                        let number = |place: usize| row[place].as_u64().expect("a number") as usize;
                        let words = text(&pairs["texts"][number(5)][direction]).to_owned();
                        found.push((text(&data["rows"][number(0)][0]), words));
                    }
                    let expected = expected(&folder, sides);
                    assert_eq!(found.len(), expected.len(), "{sides:?}");
                    for ((scenario, _), words) in &expected {
                        assert!(
                            found
                                .iter()
                                .any(|(of, found)| of == scenario && found == words),
                            "{sides:?}: {scenario}: {words} is not among {found:?}"
                        );
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(
        checked > 100 && apart > 0,
        "{checked} verdicts, {apart} pairs of two reports"
    );
}

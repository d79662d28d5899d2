//! The compare and capacity pages compute in JavaScript, in the browser: all figures and verdicts of
//! a comparison must be those of the program, and the sums of costs those by hand.

use crate::common::{Folder, Random, copy, repository};
use clap::ValueEnum;
use generator::model::unit::{Scale, Unit};
use generator::stats::{Estimator, Pair, Rules, Sample, Verdict};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const SCRIPT: &str = r#"
import { judge } from "./compare/verdict.js";
import { scale } from "./compare/units.js";
import { needs } from "./capacity/model.js";
import { readFileSync } from "node:fs";
const { tables = [], scales = [], loads = [] } = JSON.parse(readFileSync(0, "utf8"));
const answer = {
  tables: tables.map(({ estimator, rows }) => judge(rows, estimator)),
  scales: scales.map(({ unit, values }) => {
    const { symbol, show } = scale(unit, values);
    return { symbol, shown: values.map(show) };
  }),
  loads: loads.map(({ costs, load }) => needs(costs, load)),
};
process.stdout.write(JSON.stringify(answer));
"#;

/// The answer of the pages' modules.
fn page(question: &Value) -> Value {
    let folder = Folder::new();
    for module in ["capacity", "compare"] {
        copy(
            &repository().join("static").join(module),
            &folder.join(module),
        );
    }
    folder.write("package.json", r#"{"type": "module"}"#);
    folder.write("ask.js", SCRIPT);
    let mut node = Command::new("node")
        .arg(folder.join("ask.js"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node: install Node.js");
    let mut input = node.stdin.take().expect("a pipe");
    input
        .write_all(question.to_string().as_bytes())
        .expect("node reads");
    drop(input);
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("an answer in JSON")
}

/// Units of every kind: higher is better, lower is better, amounts, counts, and unknown.
const UNITS: [&str; 6] = [
    "MiB/s",
    "handshakes/s",
    "ns",
    "KiB",
    "instructions",
    "furlongs",
];

fn unit(symbol: &str) -> (Unit, f64) {
    Unit::parse(symbol).unwrap_or((Unit::Other(symbol.into()), 1.0))
}

/// The rows of a table: unit, baseline and candidate.
type Table = Vec<(&'static str, [Vec<f64>; 2])>;

/// Two samples as tools print them: with many digits, or few enough for ties; different or not.
fn samples(rng: &mut Random) -> [Vec<f64>; 2] {
    let coarse = rng.below(3) == 0;
    let centre = 10f64.powi(rng.below(6) as i32 + 1);
    let shift = [0.0, 0.005, 0.02, 0.5, -0.3][rng.below(5)];
    let most = [1, 2, 4, 6, 12, 32, 60][rng.below(7)];
    [0.0, shift].map(|shift| {
        let n = 1 + rng.below(most);
        let mut value = || {
            let noise = rng.below(2000) as f64 / 1e5;
            let value = centre * (1.0 + shift + noise);
            if coarse {
                value.round()
            } else {
                (value * 100.0).round() / 100.0
            }
        };
        (0..n).map(|_| value()).collect()
    })
}

#[test]
fn verdicts_match_the_program() {
    let mut rng = Random(11);
    let estimators = Estimator::value_variants();
    let tables: Vec<(Estimator, Table)> = (0..60)
        .map(|index| {
            let rows = (0..1 + rng.below(8)).map(|_| (UNITS[rng.below(6)], samples(&mut rng)));
            (estimators[index % estimators.len()], rows.collect())
        })
        .collect();
    let question = tables.iter().map(|(estimator, rows)| {
        let rows = rows
            .iter()
            .map(|(unit, [old, new])| json!({"unit": unit, "baseline": old, "candidate": new}));
        json!({"estimator": estimator.to_string(), "rows": rows.collect::<Vec<_>>()})
    });
    let answer = page(&json!({"tables": question.collect::<Vec<_>>()}));
    let mut seen = [0; 7];
    for (index, (estimator, rows)) in tables.iter().enumerate() {
        let units: Vec<Unit> = rows.iter().map(|(symbol, _)| unit(symbol).0).collect();
        let samples: Vec<[Sample; 2]> = rows
            .iter()
            .map(|(symbol, sides)| {
                let base = unit(symbol).1;
                let side =
                    |values: &Vec<f64>| Sample::new(values.iter().map(|v| v * base).collect());
                sides.each_ref().map(|s| side(s).expect("a sample"))
            })
            .collect();
        let pairs: Vec<Pair> = samples
            .iter()
            .zip(&units)
            .map(|([old, new], unit)| {
                Pair::new(old, new, *estimator, unit.better(), unit.kind()).expect("a pair")
            })
            .collect();
        for (row, expected) in Rules::default().judge(&pairs).iter().enumerate() {
            let found = &answer["tables"][index][row];
            let context = format!("{:?} {estimator} {found} {expected:?}", rows[row]);
            seen[expected.verdict as usize] += 1;
            assert_eq!(found["verdict"], word(expected.verdict), "{context}");
            assert_eq!(found["change"], expected.change.to_string(), "{context}");
            close(&found["ratio"], Some(expected.change.ratio), &context);
            close(&found["p"], expected.test.map(|t| t.p), &context);
            close(&found["adjustedP"], expected.adjusted_p, &context);
            let (low, high) = expected.interval.map(|i| (i.low, i.high)).unzip();
            close(&found["interval"]["low"], low, &context);
            close(&found["interval"]["high"], high, &context);
        }
    }
    assert!(
        seen.iter().all(|n| *n > 0),
        "a verdict never occurred: {seen:?}"
    );
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Less => "less",
        Verdict::More => "more",
        Verdict::None => "none",
        Verdict::TooFew => "too-few",
        Verdict::Untested => "untested",
    }
}

#[track_caller]
fn close(found: &Value, expected: Option<f64>, context: &str) {
    match (found.as_f64(), expected) {
        (None, None) => {}
        (Some(found), Some(expected)) if (found - expected).abs() <= 1e-12 * expected.abs() => {}
        _ => panic!("{found} and {expected:?}: {context}"),
    }
}

#[test]
fn displayed_figures_match_the_program() {
    let mut rng = Random(12);
    let mut columns: Vec<(&str, Vec<f64>)> = vec![
        (
            "KiB",
            vec![0.125 * 1024.0, 0.375 * 1024.0, 1234567.5 * 1024.0],
        ),
        ("ns", vec![2.5, 1.0]),
        ("ns", vec![53.27e-9, 3e-3, 4e-3]),
        ("ns", vec![0.3, 2.0, 4.0]),
        ("KiB", vec![16.0, 20.0, 4096.0]),
        ("furlongs", vec![0.0, 0.001234]),
    ];
    columns.extend((0..300).map(|_| {
        let symbol = UNITS[rng.below(6)];
        let [values, _] = samples(&mut rng);
        let base = unit(symbol).1 / 10f64.powi(rng.below(8) as i32);
        (symbol, values.iter().map(|v| v * base).collect())
    }));
    let question = columns
        .iter()
        .map(|(unit, values)| json!({"unit": unit, "values": values}));
    let answer = page(&json!({"scales": question.collect::<Vec<_>>()}));
    for ((symbol, values), found) in columns
        .iter()
        .zip(answer["scales"].as_array().expect("a list"))
    {
        let scale = Scale::of(&unit(symbol).0, values.iter().copied());
        assert_eq!(found["symbol"], scale.symbol);
        let shown: Vec<String> = values.iter().map(|v| scale.show(*v)).collect();
        assert_eq!(found["shown"], json!(shown), "{values:?}");
    }
}

/// Of 1,000 connections a second 750 take 400 µs and 250 take 100 µs, and 1,000 MiB (8.388608 Gbit) take
/// 200 µs each: 0.3 + 0.025 + 0.2 cores. 10,000 sessions of 27.2 KiB and 3,417 KiB are 269 MiB.
#[test]
fn capacity_adds_costs_up() {
    let cost =
        |estimate: f64, low: f64, high: f64| json!({"estimate": estimate, "ends": [low, high]});
    let single = |estimate: f64| json!({"estimate": estimate, "ends": null});
    let all = json!({
        "full handshake": cost(400.0, 300.0, 480.0),
        "resumed handshake": cost(100.0, 80.0, 120.0),
        "MiB sent": cost(200.0, 180.0, 220.0),
        "KiB a session": single(27.2),
        "KiB without sessions": single(3417.0),
    });
    let mut partly = all.clone();
    partly["resumed handshake"] = Value::Null;
    partly["MiB sent"] = single(200.0);
    partly["KiB a session"] = Value::Null;
    let load = json!({"connections": 1000, "resumed": 0.25, "gbit": 8.388608, "idle": 10_000});
    let mut without = load.clone();
    without["resumed"] = json!(0);
    let loads = [(&all, &load), (&partly, &load), (&partly, &without)];
    let loads = loads.map(|(costs, load)| json!({"costs": costs, "load": load}));
    let answer = page(&json!({"loads": loads}));
    let [first, unknown, single] = [0, 1, 2].map(|index| &answer["loads"][index]);
    let cores = &first["cores"];
    close(&cores["estimate"], Some(0.525), "cores");
    close(&cores["ends"][0], Some(0.225 + 0.02 + 0.18), "lower end");
    close(&cores["ends"][1], Some(0.36 + 0.03 + 0.22), "upper end");
    close(
        &first["memory"]["estimate"],
        Some(275_417.0 / 1024.0),
        "MiB",
    );
    // A cost that the load needs is unknown; one that it does not need may be.
    assert_eq!(unknown, &json!({"cores": null, "memory": null}));
    close(&single["cores"]["estimate"], Some(0.6), "no resumption");
    assert_eq!(single["cores"]["ends"], Value::Null);
}

//! The compare and capacity pages compute in JavaScript, in the browser: all of their figures and
//! verdicts must be those of the program.

use crate::common::{Folder, Random, copy, repository};
use clap::ValueEnum;
use generator::model::unit::{Scale, Unit};
use generator::report::capacity::{Amount, Load, Performance, decimals};
use generator::stats::{Estimator, Pair, Rules, Sample, Verdict};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const SCRIPT: &str = r#"
import { judge } from "./compare/verdict.js";
import { scale } from "./compare/units.js";
import * as model from "./capacity/model.js";
import { readFileSync } from "node:fs";
const { tables = [], scales = [], loads = [] } = JSON.parse(readFileSync(0, "utf8"));
const answer = {
  tables: tables.map(({ estimator, rows }) => judge(rows, estimator)),
  scales: scales.map(({ unit, values }) => {
    const { symbol, show } = scale(unit, values);
    return { symbol, shown: values.map(show) };
  }),
  loads: loads.map(({ library, load }) => ({
    parts: model.parts(library, load),
    cores: model.cores(library, load),
    mebibytes: model.mebibytes(library, load),
    decimals: model.decimals(load.gbit),
  })),
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

/// A random figure, sometimes without an interval, sometimes `None`.
fn measured(rng: &mut Random) -> Option<Amount> {
    let estimate = (1 + rng.below(1_000_000)) as f64 / 7.0;
    let ends = (rng.below(4) > 0).then_some([estimate * 0.9, estimate * 1.2]);
    (rng.below(6) > 0).then_some(Amount { estimate, ends })
}

#[test]
fn capacity_matches_the_program() {
    let mut rng = Random(13);
    let cases: Vec<(Performance, Load)> = (0..300)
        .map(|_| {
            let points =
                (0..rng.below(6)).filter_map(|k| Some((k as f64 * 500.0, measured(&mut rng)?)));
            let memory = points.collect();
            let [full, resumed, transfer] = [(); 3].map(|()| measured(&mut rng));
            let library = Performance {
                full,
                resumed,
                transfer,
                memory,
            };
            let load = Load {
                connections: rng.below(3) as f64 * 1234.5,
                resumed: rng.below(5) as f64 / 4.0,
                gbit: rng.below(2) as f64 * rng.below(100_000) as f64 / 77.0,
                idle: rng.below(3) as f64 * 20_000.0,
            };
            (library, load)
        })
        .collect();
    let question = cases.iter().map(|(one, load)| {
        let library = json!({"full": one.full, "resumed": one.resumed, "transfer": one.transfer, "memory": one.memory});
        let Load { connections, resumed, gbit, idle } = load;
        let load = json!({"connections": connections, "resumed": resumed, "gbit": gbit, "idle": idle});
        json!({"library": library, "load": load})
    });
    let answer = page(&json!({"loads": question.collect::<Vec<_>>()}));
    let mut known = 0;
    for (index, (library, load)) in cases.iter().enumerate() {
        let found = &answer["loads"][index];
        let context = format!("{library:?} {load:?}");
        let figures = library
            .parts(load)
            .into_iter()
            .chain([library.cores(load), library.mebibytes(load)]);
        let parts = found["parts"].as_array().expect("three parts").iter();
        for (found, expected) in parts
            .chain([&found["cores"], &found["mebibytes"]])
            .zip(figures)
        {
            known += usize::from(expected.is_some_and(|f| f.ends.is_some()));
            close(&found["estimate"], expected.map(|f| f.estimate), &context);
            for end in 0..2 {
                close(
                    &found["ends"][end],
                    expected.and_then(|f| Some(f.ends?[end])),
                    &context,
                );
            }
        }
        assert_eq!(found["decimals"], decimals(load.gbit), "{context}");
    }
    assert!(known > 300, "only {known} intervals");
}

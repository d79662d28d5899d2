//! `generator compare`, as used by people and by other programs.

use crate::common::{Folder, Run, copy, generator, repository, rows};
use pulldown_cmark::{Event, Options, Parser};
use std::collections::BTreeMap;
use std::path::Path;

const OLD: &str = "old/rustls_1.0";
const NEW: &str = "new/rustls_1.1";

/// Scenarios with the values of their runs.
type Figures<'a> = &'a [(&'a str, &'a [f64])];

fn with_runs(folder: Folder, path: &str, figures: Figures) -> Folder {
    let runs = figures.iter().map(|f| f.1.len()).max().unwrap_or(0);
    (0..runs).fold(folder, |folder, run| {
        let mut table = "scenario,unit,value\n".to_owned();
        for (label, values) in figures {
            if let Some(value) = values.get(run) {
                let unit = if label.starts_with("memory") {
                    "KiB"
                } else {
                    "handshakes/s"
                };
                table += &format!("\"{label}\",{unit},{value}\n");
            }
        }
        folder.with(&format!("{path}/run_{run}.csv"), table)
    })
}

fn two(old: Figures, new: Figures) -> Folder {
    with_runs(with_runs(Folder::new(), OLD, old), NEW, new)
}

fn compare(folder: &Folder, options: &[&str]) -> Run {
    generator(
        folder.path(),
        &[&["compare", OLD, NEW, "-q"], options].concat(),
    )
}

/// The named columns of the CSV output, row by row.
fn columns(run: Run, names: &[&str]) -> Vec<Vec<String>> {
    let cells = |row: BTreeMap<String, String>| names.iter().map(|n| row[*n].clone()).collect();
    rows(&run.stdout).into_iter().map(cells).collect()
}

const FULL: &str = "full handshakes, 1.3, rsa, client";
const RESUMED: &str = "resumed handshakes, 1.3, client";
const MEMORY: &str = "memory, 1.3, 100 sessions";
const SLOW: &[f64] = &[90.0, 90.1, 90.2, 90.3, 90.4, 90.5];
const FAST: &[f64] = &[100.0, 100.1, 100.2, 100.3, 100.4, 100.5];
const ALIKE: &[f64] = &[100.05, 100.0, 100.15, 100.45, 100.35, 100.6];

/// The levels of the runs differ by more than the sides do; a minimum is not compared run by run.
#[test]
fn runs_of_one_report_are_compared_in_pairs() {
    let old = [100.0, 104.0, 97.0, 102.0, 98.0, 101.0];
    let new = old.map(|value| value * 1.03);
    let folder = with_runs(Folder::new(), "report/rustls_1.0", &[(FULL, &old)]);
    let folder = with_runs(folder, "report/rustls_1.1", &[(FULL, &new)]);
    let compare = |settings: &str| {
        folder.write("report/report.toml", settings);
        let sides = ["compare", "report:rustls@1.0", "report:rustls@1.1", "-q"];
        generator(folder.path(), &sides).stdout
    };
    let paired = compare("paired = true\n");
    assert!(
        paired.contains("1.03x faster") && paired.contains("p: Wilcoxon's signed-rank test"),
        "{paired}"
    );
    let unpaired = compare("paired = true\nestimator = \"min\"\n");
    assert!(
        !unpaired.contains("faster") && unpaired.contains("p: Mann-Whitney U, adjusted"),
        "{unpaired}"
    );
}

/// A folder that `report.toml` declares is the same side as its name: with its control, in pairs.
#[test]
fn a_folder_of_a_report_is_its_implementation() {
    let old = [100.0, 104.0, 97.0, 102.0, 98.0, 101.0];
    let report = "paired = true\n\
        [[implementation]]\nname = \"mine\"\nfiles = [\"a/\"]\n\
        [[implementation]]\nname = \"yours\"\nfiles = [\"b/\"]\n\
        [[implementation]]\nname = \"mine\"\nvariant = [\"control\"]\nfiles = [\"a_control/\"]\n";
    let mut folder = Folder::new().with("report/report.toml", report);
    for (name, factor) in [("a", 1.0), ("b", 1.03), ("a_control", 1.04)] {
        let values = old.map(|value| value * factor);
        folder = with_runs(folder, &format!("report/{name}"), &[(FULL, &values)]);
    }
    let compare = |place: &Path, sides: [&str; 2]| {
        generator(place, &["compare", sides[0], sides[1], "-q"])
            .success()
            .stdout
    };
    let named = compare(folder.path(), ["report:mine", "report:yours"]);
    assert!(
        named.contains("  ~  ") && named.contains("Wilcoxon"),
        "{named}"
    );
    assert_eq!(compare(folder.path(), ["report/a", "report/b/"]), named);
    assert_eq!(compare(&folder.path().join("report"), ["a", "./b"]), named);
    let dotted = ["report:mine", "./report:yours"];
    assert_eq!(compare(folder.path(), dotted), named);
    // The control itself has no column in a report.
    compare(folder.path(), ["report/a", "report/a_control"]);
}

/// Other programs read the first columns, so they never change.
#[test]
fn the_first_columns_are_stable() {
    let folder = two(&[(FULL, FAST)], &[(FULL, SLOW)]);
    let printed = compare(&folder, &["--format", "csv"]).success().stdout;
    let head = "scenario,unit,baseline,baseline_low,baseline_high,baseline_n,candidate,candidate_low,candidate_high,candidate_n,ratio,ratio_low,ratio_high,p,p_adjusted,verdict,change,";
    assert!(printed.starts_with(head), "{printed}");
    let printed = compare(&folder, &["--format", "json"]).success().stdout;
    let rows: serde_json::Value = serde_json::from_str(&printed).unwrap();
    for name in head.trim_end_matches(',').split(',') {
        assert!(rows[0].get(name).is_some(), "{name}");
    }
    assert_eq!(rows[0]["verdict"], "slower");
    assert_eq!(rows[0]["ratio_low"], serde_json::Value::Null);
}

#[test]
fn verdicts_in_csv() {
    let one: &[f64] = &[5.0];
    let other: &[f64] = &[6.0];
    let folder = two(
        &[
            (FULL, FAST),
            (RESUMED, FAST),
            (MEMORY, SLOW),
            ("a", one),
            ("b", &FAST[..3]),
            ("c", one),
        ],
        &[
            (FULL, SLOW),
            (RESUMED, ALIKE),
            (MEMORY, FAST),
            ("a", other),
            ("b", &SLOW[..3]),
            ("d", one),
        ],
    );
    let rows = columns(
        compare(&folder, &["--format", "csv"]).success(),
        &["scenario", "verdict"],
    );
    let expected = [
        [FULL, "slower"],
        [RESUMED, "not-shown"],
        [MEMORY, "more"],
        ["a", "untested"],
        ["b", "untested"],
        ["c", "missing"],
        ["d", "missing"],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn choice_of_rows() {
    let folder = two(
        &[(RESUMED, ALIKE), (FULL, FAST), (MEMORY, FAST)],
        &[
            (RESUMED, FAST),
            (FULL, SLOW),
            (MEMORY, &[50.0, 50.1, 50.2, 50.3, 50.4, 50.5]),
        ],
    );
    let verdicts = |options: &[&str]| -> Vec<String> {
        let printed = compare(&folder, &[&["--format", "csv"], options].concat()).success();
        columns(printed, &["scenario", "verdict"])
            .into_iter()
            .map(|row| row.join(": "))
            .collect()
    };
    let [full, resumed, memory] =
        [FULL, RESUMED, MEMORY].map(|label| move |verdict: &str| format!("{label}: {verdict}"));
    let all = [full("slower"), resumed("not-shown"), memory("less")];
    assert_eq!(verdicts(&[]), all);
    let large = [full("not-shown"), resumed("not-shown"), memory("less")];
    assert_eq!(verdicts(&["--threshold", "20%"]), large);
}

#[test]
fn a_mean_has_the_unit_of_its_rows() {
    let table = "scenario,unit,value\na,ms,5\nb,ms,6\n";
    let folder = Folder::new()
        .with("old.csv", table)
        .with("new.csv", table.replace("ms", "us"));
    let compared = generator(folder.path(), &["compare", "old.csv", "new.csv"]).success();
    compared.prints("geometric mean: 1000.00x faster over 2 scenarios of benchmarks in ns\n");
}

#[test]
fn a_regression_fails() {
    let folder = two(
        &[(FULL, FAST), (MEMORY, FAST)],
        &[(FULL, SLOW), (MEMORY, SLOW)],
    );
    let output = compare(&folder, &["--fail-on-regression", "5"]).code_is(1);
    assert_eq!(
        output.stderr,
        format!(
            "error: 1 row is worse by more than 5%:\n  {FULL}, handshakes/s: 1.11x slower (-10.0%), p = 0.002, n = 6\n"
        )
    );
    output.prints("1.11x slower");
    compare(&folder, &["--fail-on-regression", "11%"]).success();
    // Using more memory is a regression.
    let folder = two(&[(MEMORY, SLOW)], &[(MEMORY, FAST)]);
    compare(&folder, &["--fail-on-regression", "5"]).code_is(1);
}

#[test]
fn untestable_rows_pass_with_a_note() {
    let folder = two(
        &[(FULL, &[100.0]), (RESUMED, FAST), ("a", FAST)],
        &[(FULL, &[50.0]), (RESUMED, ALIKE)],
    );
    let output = compare(&folder, &["--fail-on-regression", "5"]).success();
    assert_eq!(
        output.stderr,
        "note: of 3 rows, 1 cannot be tested, for lack of runs and 1 have no figure in the candidate, and cannot fail\n"
    );
    let output = compare(&folder, &["--fail-on", "missing,untested"]).code_is(1);
    assert_eq!(
        output.stderr,
        format!(
            "error: 2 rows without a verdict:\n  {FULL}: too few runs for a test, n = 1\n  a: missing in the candidate\n"
        )
    );
    let output = compare(&folder, &["--fail-on-regression", "5", "-f", "^a$"]).code_is(2);
    output.says("have no row in common");
}

/// Four runs a side reach p = 0.029, and a change that fails needs 0.01.
#[test]
fn a_check_that_cannot_fail_says_so() {
    let folder = two(&[(FULL, &FAST[..4])], &[(FULL, &SLOW[..4])]);
    let gate = ["--fail-on-regression", "5"];
    let output = compare(&folder, &gate).success();
    assert!(
        output.stderr.contains("1 cannot be tested"),
        "{}",
        output.stderr
    );
    compare(&folder, &[&gate[..], &["--fail-on", "untested"]].concat()).code_is(1);
    let comment = compare(&folder, &[&gate[..], &["--format", "markdown"]].concat()).stdout;
    assert!(
        comment.contains("none of 1 row can reach p ≤ 0.01"),
        "{comment}"
    );
    // At 0.05 they are a change.
    compare(&folder, &[]).success().prints("1.11x slower");
}

#[test]
fn a_filter_that_leaves_out_everything_is_an_error() {
    let folder = two(&[(FULL, FAST), ("a", FAST)], &[(FULL, SLOW)]);
    let output = compare(&folder, &["-f", "typo"]).code_is(3);
    output.says(&format!(
        "error: --filter: leaves out all scenarios; there are: a; {FULL}"
    ));
}

#[test]
fn three_runs_are_too_few_for_p_and_verdict() {
    let folder = two(&[(FULL, FAST)], &[(FULL, &SLOW[..3])]);
    let output = compare(&folder, &[]).success();
    let output = output.prints("¹ untested, since a test needs 4 runs a side");
    assert!(output.stdout.contains("1.11x slower *") && !output.stdout.contains("0.0"));
}

#[test]
fn several_candidates_and_labels() {
    let folder = two(&[(FULL, &FAST[..3])], &[(FULL, SLOW)]);
    let folder = with_runs(folder, "more/rustls_1.0", &[(FULL, &FAST[3..])]);
    let names = [
        "baseline_label",
        "baseline_n",
        "candidate_label",
        "candidate_n",
        "verdict",
    ];
    let sides = [
        "compare",
        "main=old",
        "patch=new",
        "main=more",
        "-q",
        "--format",
        "csv",
    ];
    let rows = columns(generator(folder.path(), &sides).success(), &names);
    assert_eq!(rows, [["main", "6", "patch", "6", "slower"]]);
    let each = generator(
        folder.path(),
        &["compare", OLD, NEW, "more", "-q", "--format", "csv"],
    );
    let rows = columns(each.success(), &["candidate_label"]);
    assert_eq!(rows.concat(), [NEW, "more"]);
    for (arguments, words) in [
        (
            &["compare", "a=old", "a=old/rustls_1.0", "b=new"][..],
            "would count twice",
        ),
        (&["compare", "a=old", "a=new"], "nothing to compare it with"),
        (
            &["compare", "old:openssl", "new"],
            "old has no openssl; it has rustls 1.0",
        ),
    ] {
        let output = generator(folder.path(), arguments).code_is(2);
        output.says(words);
    }
}

#[test]
fn reports_of_different_machines() {
    let sides = [
        "data/2026-03-07-x86_64:OpenSSL",
        "data/2024-10-31-arm64:rustls",
    ];
    let output = generator(&repository(), &["compare", sides[0], sides[1]]).success();
    for words in [
        "OpenSSL 3.6.1 ➡️ rustls 0.23.15",
        "different machines, Xeon E-2386G and Ampere",
        "none of 16 rows can be tested",
    ] {
        assert!(output.stdout.contains(words), "{words}: {}", output.stdout);
    }
}

#[test]
fn colours_are_for_terminals() {
    let folder = two(&[(FULL, FAST)], &[(FULL, SLOW)]);
    let plain = compare(&folder, &[]).success().stdout;
    assert!(!plain.contains('\u{1b}'));
    let coloured = compare(&folder, &["--color", "always"]).success().stdout;
    assert!(coloured.contains("\u{1b}[31m1.11x slower"), "{coloured}");
    for form in ["markdown", "csv", "json"] {
        let printed = compare(&folder, &["--color", "always", "--format", form])
            .success()
            .stdout;
        assert!(!printed.contains('\u{1b}'), "{printed}");
    }
}

/// A comment shows a hostile label as text.
#[test]
fn a_comment_shows_labels_as_text() {
    let hostile = "<img src=x> | @everyone #1 **b** `c` [d](e) www.f.g &lt;";
    let folder = two(
        &[(hostile, FAST), (FULL, FAST)],
        &[(hostile, SLOW), (FULL, ALIKE)],
    );
    let printed = compare(&folder, &["--format", "markdown"]).success().stdout;
    assert!(
        !printed.contains('@') && !printed.contains("www."),
        "{printed}"
    );
    let rendered: Vec<Event> = Parser::new_ext(&printed, Options::all()).collect();
    let html: Vec<&str> = rendered
        .iter()
        .filter_map(|event| match event {
            Event::Html(html) | Event::InlineHtml(html) => Some(html.trim()),
            _ => None,
        })
        .collect();
    let ours = [
        "<details>",
        "<summary>No significant change: 1 row</summary>",
        "</details>",
        "<sub>",
        "</sub>",
    ];
    assert!(html.iter().all(|h| ours.contains(h)), "{html:?}");
    let text: String = rendered
        .iter()
        .filter_map(|event| match event {
            Event::Text(text) => Some(text.replace('\u{200b}', "")),
            _ => None,
        })
        .collect();
    assert!(text.contains(hostile), "{text}");
    assert_eq!(printed.matches("### ").count(), 1);
}

/// Comments on pull requests.
#[test]
fn comments_of_a_pull_request() {
    let once: &[f64] = &FAST[..3];
    let cases: [(&str, Figures, Figures); 5] = [
        (
            "regression",
            &[(FULL, FAST), (RESUMED, FAST), (MEMORY, FAST)],
            &[(FULL, SLOW), (RESUMED, ALIKE), (MEMORY, SLOW)],
        ),
        (
            "small_regression",
            &[(FULL, FAST), (RESUMED, FAST)],
            &[
                (FULL, &FAST.iter().map(|v| v * 0.97).collect::<Vec<_>>()),
                (RESUMED, ALIKE),
            ],
        ),
        (
            "improvement",
            &[(FULL, SLOW), (RESUMED, FAST)],
            &[(FULL, FAST), (RESUMED, ALIKE)],
        ),
        (
            "no_change",
            &[(FULL, FAST), (RESUMED, FAST), ("gone", FAST)],
            &[(FULL, ALIKE), (RESUMED, ALIKE)],
        ),
        (
            "too_few_runs",
            &[(FULL, once), (RESUMED, once)],
            &[(FULL, &SLOW[..3]), (RESUMED, once)],
        ),
    ];
    for (name, old, new) in cases {
        let mut folder = two(old, new);
        for side in ["old", "new"] {
            folder = folder.with(
                &format!("{side}/report.toml"),
                "machine = \"Xeon E-2386G\"\n",
            );
        }
        let more = ["--format", "markdown", "--fail-on-regression", "5"];
        let code = if name == "regression" { 1 } else { 0 };
        let printed = compare(&folder, &more).code_is(code).stdout;
        insta::assert_snapshot!(format!("comment_{name}"), printed);
    }
}

/// Whole parts are left out of a comment that would be too long for GitHub.
#[test]
fn a_comment_is_within_the_limit_of_github() {
    let slow: Vec<f64> = (0..12).map(|n| 90.0 + f64::from(n) / 10.0).collect();
    let fast: Vec<f64> = slow.iter().map(|v| v + 10.0).collect();
    let labels: Vec<String> = (0..300)
        .map(|n| format!("{n} {}", "x".repeat(200)))
        .collect();
    let compared = |changed: usize| {
        let label = |n: usize| labels[n].as_str();
        let old: Vec<(&str, &[f64])> = (0..300).map(|n| (label(n), &fast[..])).collect();
        let mut new = old.clone();
        new[..changed].iter_mut().for_each(|row| row.1 = &slow);
        let run = compare(&two(&old, &new), &["--format", "markdown"]);
        run.success().stdout
    };
    for (changed, heading, left_out) in [
        (
            1,
            "### Regression: 1 of 300 rows is worse\n",
            "Rows without a change are left out",
        ),
        (
            300,
            "### Regression: 300 of 300 rows are worse\n",
            "The table is left out",
        ),
    ] {
        let printed = compared(changed);
        assert!(printed.len() <= 65_536, "{}", printed.len());
        assert!(printed.starts_with(heading), "{printed}");
        assert!(printed.contains(left_out), "{printed}");
        assert_eq!(
            printed.matches("slower").count(),
            usize::from(changed == 1),
            "{printed}"
        );
    }
}

/// criterion's fixture has one execution for `new` and for the `base` before it.
#[test]
fn baselines_of_criterion() {
    let folder = repository().join("generator/tests/fixtures/criterion/dtoa_1.0.11");
    let sides = ["criterion:base", "criterion:new", "--fail-on", "untested"];
    let arguments = [&["compare"][..], &sides].concat();
    let output = generator(&folder, &arguments).code_is(1);
    let output = output.says("4 rows without a verdict");
    let output = output.says("one run is one execution of `cargo bench`");
    output.prints("f64[short]/dtoa");
}

/// Executions that are named one by one are enough together, and nothing asks for more.
#[test]
fn executions_of_criterion_add_up() {
    let fixture = repository().join("generator/tests/fixtures/criterion/dtoa_1.0.11");
    let (folder, mut sides) = (Folder::new(), Vec::new());
    for side in ["old", "new"] {
        for run in 1..=4 {
            copy(&fixture, &folder.join(&format!("{side}{run}")));
            sides.push(format!("{side}={side}{run}"));
        }
    }
    let compare = |sides: &[String]| {
        let sides = sides.iter().map(String::as_str);
        let words = Vec::from_iter(["compare"].into_iter().chain(sides));
        generator(folder.path(), &words).success().stderr
    };
    let few = "one run is one execution of `cargo bench`";
    let (all, some) = (compare(&sides), compare(&sides[1..]));
    assert!(!all.contains(few) && some.contains(few), "{all} {some}");
}

/// Where a group has several functions, criterion also writes pages on each value.
#[test]
fn pages_of_criterion_are_left_out() {
    let names = r#"{"group_id":"encode","function_id":"fast","value_str":"3","full_id":"encode/fast/3","directory_name":"encode/fast/3"}"#;
    let figures = r#"{"sampling_mode":"Flat","iters":[1.0],"times":[5.0]}"#;
    let folder = Folder::new()
        .with("criterion/encode/fast/3/new/benchmark.json", names)
        .with("criterion/encode/fast/3/new/sample.json", figures)
        .with(
            "criterion/encode/fast/3/report/index.html",
            "<!DOCTYPE html>",
        )
        .with("criterion/encode/fast/report/index.html", "<!DOCTYPE html>")
        .with("criterion/encode/3/report/index.html", "<!DOCTYPE html>")
        .with("criterion/report/index.html", "<!DOCTYPE html>");
    let output = generator(folder.path(), &["show", "criterion"]).success();
    output.prints("encode/fast/3");
}

/// Saved with `cargo bench -- --save-baseline v1`, then measured again.
#[test]
fn criterion_beside_its_package() {
    let folder = repository().join("generator/tests/fixtures/criterion/records");
    let arguments = ["compare", "target/criterion:v1", "target/criterion:new"];
    let output = generator(&folder, &arguments).success();
    // The medians' point estimates for 1024 bytes.
    output.prints("records 0.3.0").prints("558.71     447.08");
}

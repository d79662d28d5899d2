//! Tests of all formats. See `fuzz/targets/parsers.rs` for properties that hold for any bytes.

mod mutants;

use super::*;
use crate::model::observation::Value;
use std::path::Path;

const FIXTURES: &str = "tests/fixtures";

/// Compares what is read of each file of a folder, given its name and text, with `expected.txt` in
/// it, which is rewritten with UPDATE=1.
pub(super) fn check_folder(folder: &Path, read: impl Fn(&str, &str) -> Vec<String>) {
    let mut found = String::new();
    for file in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let file = file.expect("an entry");
        if file.file_type().is_dir() || file.file_name() == "expected.txt" {
            continue;
        }
        let name = file.path().strip_prefix(folder).expect("below").display();
        let text = std::fs::read_to_string(file.path()).expect("a text");
        found += &format!("{name}\n");
        for line in read(&name.to_string(), &text) {
            found += &format!("    {line}\n");
        }
    }
    let expected = folder.join("expected.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&expected, &found).expect("a file");
    }
    let expected = std::fs::read_to_string(&expected).expect("a file");
    assert_eq!(found, expected, "{}", folder.display());
}

#[test]
fn fixtures_are_read_as_expected() {
    let folders = std::fs::read_dir(Path::new(FIXTURES).join("formats")).expect("a folder");
    let folders: Vec<_> = folders.map(|f| f.expect("an entry").path()).collect();
    assert!(folders.len() >= 35);
    for folder in folders {
        check_folder(&folder, read);
    }
}

/// Formats what is read of a file: `12: IMPLEMENTATION: SCENARIO = VALUE UNIT, run 1 (CAVEAT)`,
/// then notes `12~ …`; or problems `12! …`.
fn read(name: &str, text: &str) -> Vec<String> {
    match parse(name, text.as_bytes()) {
        Ok(parsed) => {
            let notes = parsed.notes.iter();
            let notes = notes.map(|n| format!("{}~ {}", n.line, n.message));
            let unread = parsed.unread.iter();
            let unread = unread.map(|lines| format!("?:{}: {}", lines.line, lines.message));
            let rows = parsed.observations.iter().map(show);
            rows.chain(notes).chain(unread).collect()
        }
        Err(problems) => problems.iter().map(problem).collect(),
    }
}

pub(super) fn problem(problem: &Diagnostic) -> String {
    format!("{}! {}", problem.line, problem.message)
}

fn show(row: &Observation) -> String {
    let named = row.implementation.as_ref().map(|i| format!("{i}: "));
    let value = match &row.value {
        Value::Number(base) => format!(" = {} {}", row.unit.printed(*base), row.unit),
        Value::Unsupported(why) => format!(" unsupported: {why}"),
        Value::Distribution(all) => {
            let [min, mean, max] = [all.min(), all.mean(), all.max()].map(|s| row.unit.printed(s));
            let (count, unit) = (all.count(), &row.unit);
            format!(" = {count} of {min} to {max} {unit}, mean {mean}")
        }
    };
    let run = (row.run > 0).then(|| format!(", run {}", row.run));
    let [named, run] = [named, run].map(Option::unwrap_or_default);
    let caveat: String = row.caveats.iter().map(|c| format!(" ({c})")).collect();
    format!("{}: {named}{}{value}{run}{caveat}", row.line, row.scenario)
}

#[test]
fn other_files_have_no_format() {
    for other in [
        "",
        "\n",
        "hello\n",
        "a,b\n1,2\n",
        "{}",
        "[1]",
        "scenario\n",
        "1\t2\n",
        "1795253337.5 10\n",
        "1.5\t2\t3\n",
        "a\t1.5\n",
        "# Title\n\n```\n$ make\n```\n\nBenchmarkX-8 1 2 ns/op\n",
    ] {
        let problems = parse("x", other.as_bytes()).expect_err(other);
        let message = &problems[problems.len() - 1].message;
        let is_unknown = ["no known format", "the file is empty", "the file ends"];
        assert!(
            is_unknown.iter().any(|start| message.starts_with(start)),
            "{other:?}: {message}"
        );
    }
}

#[test]
fn committed_outputs_are_read() {
    assert_eq!(outputs_below(&Path::new(FIXTURES).join("report")), 36);
}

#[test]
#[ignore = "reads the folder that SAMPLES names"]
fn published_samples_are_read() {
    let folder = std::env::var_os("SAMPLES").expect("SAMPLES names a folder");
    assert!(outputs_below(Path::new(&folder)) > 0);
}

/// Counts the files with figures.
fn outputs_below(folder: &Path) -> usize {
    let mut outputs = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.expect("an entry");
        if !entry.file_type().is_file() || entry.file_name() == "notes.md" {
            continue;
        }
        let path = entry.path();
        let bytes = std::fs::read(path).expect("a file");
        match parse(path, &bytes) {
            Ok(_) => outputs += 1,
            Err(problems) => assert!(problems[0].is_unknown, "{}: {problems:?}", path.display()),
        }
    }
    outputs
}

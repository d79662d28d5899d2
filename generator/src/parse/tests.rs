//! What must hold of every format alike: it is told from all others, and no byte or line that is
//! lost, doubled or swapped puts a figure under another scenario. Of any bytes: [`super::fuzz`].

use super::*;
use crate::observation::Value;
use crate::scenario::Scenario;
use crate::unit::Unit;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

const FIXTURES: &str = "tests/fixtures";

/// Good files, and those of their lines that say what other lines mean.
const GOOD: &[(&str, &[usize])] = &[
    ("report/2026-01-10-small/rustls/output_1", &[]),
    ("report/2026-01-10-small/rustls/threads.txt", &[]),
    ("report/2026-01-10-small/openssl/output_1", &[1, 4, 7, 10]),
    ("report/2026-01-10-small/openssl/threads.txt", &[1, 3, 5]),
    (
        "report/2026-01-10-small/openssl_3.2.0_clang/output_1",
        &[1, 2, 5, 6, 9, 10],
    ),
    (
        "report/2026-01-10-small/openssl/memory.txt",
        &[1, 3, 5, 7, 9, 11],
    ),
    ("formats/bssl_speed/figures.txt", &[]),
    ("formats/ci_bench/icounts.csv", &[]),
    ("formats/ci_bench/walltime.csv", &[]),
    (
        "formats/criterion/report/criterion/grp/fun/64/new/sample.json",
        &[1],
    ),
    (
        "formats/criterion/data/rustls_0.23.1/plain name/new/estimates.json",
        &[1, 2, 3],
    ),
    ("formats/go/figures.txt", &[3]),
    ("formats/hyperfine/figures.json", &[]),
    (
        "formats/latency/latency-fullhs-tls13-server-1-latency.tsv",
        &[],
    ),
    ("formats/libtest/figures.txt", &[]),
    ("formats/markdown/figures.md", &[9, 10, 15, 16, 20, 21]),
    ("formats/markdown/tight.md", &[1, 2]),
    ("formats/openssl_speed/figures.txt", &[2, 7, 10, 12, 14]),
    ("formats/openssl_speed/multi.txt", &[1, 2, 5, 8, 11, 16]),
    ("formats/openssl_speed/machine_readable.txt", &[3]),
    ("formats/tidy/figures.csv", &[1]),
    ("formats/wide/figures.csv", &[1]),
    ("formats/writev/figures.csv", &[1]),
];

/// What each file of `formats/FORMAT` is read as stands in `expected.txt` beside it; with UPDATE=1
/// that is written anew.
#[test]
fn fixtures_are_read_as_expected() {
    let folders = std::fs::read_dir(Path::new(FIXTURES).join("formats")).expect("a folder");
    let folders: Vec<_> = folders.map(|f| f.expect("an entry").path()).collect();
    assert_eq!(folders.len(), 15);
    for folder in folders {
        let mut found = String::new();
        let files = walkdir::WalkDir::new(&folder).sort_by_file_name();
        for file in files.into_iter().map(|f| f.expect("an entry")) {
            if file.file_type().is_dir() || file.file_name() == "expected.txt" {
                continue;
            }
            let below = file.path().strip_prefix(&folder).expect("below");
            let text = std::fs::read_to_string(file.path()).expect("a text");
            let format = format!("{:?}", recognisers(&text)).to_lowercase();
            let module = folder.file_name().expect("a name").to_string_lossy();
            let module = module.replace('_', "");
            assert_eq!(format, format!("[{module}]"), "{below:?}");
            found += &format!("{}\n", below.display());
            for line in read(&below.to_string_lossy(), &text) {
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
}

/// A file as lines of text: `12: IMPLEMENTATION: SCENARIO = VALUE UNIT, run 1 (CAVEAT)`, then
/// notes `12~ …`; or problems `12! …`.
fn read(name: &str, text: &str) -> Vec<String> {
    match parse(name, text.as_bytes()) {
        Ok(parsed) => {
            let notes = parsed.notes.iter().map(|n| format!("{}~ {n}", n.line));
            parsed.observations.iter().map(show).chain(notes).collect()
        }
        Err(problems) => problems
            .iter()
            .map(|p| format!("{}! {p}", p.line))
            .collect(),
    }
}

fn show(row: &Observation) -> String {
    let implementation = row
        .implementation
        .as_ref()
        .map(|i| format!("{i}: "))
        .unwrap_or_default();
    let value = match &row.value {
        Value::Number(base) => format!(" = {} {}", row.unit.print(*base), row.unit),
        Value::Unsupported(why) => format!(" unsupported: {why}"),
        Value::Distribution(_) => " = a distribution".to_owned(),
    };
    let run = if row.run > 0 {
        format!(", run {}", row.run)
    } else {
        String::new()
    };
    let caveat = row
        .caveat
        .as_ref()
        .map(|c| format!(" ({c})"))
        .unwrap_or_default();
    format!(
        "{}: {implementation}{}{value}{run}{caveat}",
        row.line, row.scenario
    )
}

fn recognisers(text: &str) -> Vec<Format> {
    let found = PARSERS.iter().filter(|(_, recognise, _)| recognise(text));
    found.map(|parser| parser.0).collect()
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
        "# Title\n\n```\nBenchmarkX-8 1 2 ns/op\n```\n",
    ] {
        assert_eq!(recognisers(other), [], "{other:?}");
    }
}

#[test]
fn committed_outputs_have_one_format() {
    assert_eq!(outputs_below(&Path::new(FIXTURES).join("report")), 36);
}

#[test]
#[ignore = "reads the folder that SAMPLES names"]
fn published_samples_have_one_format() {
    let folder = std::env::var_os("SAMPLES").expect("SAMPLES names a folder");
    assert!(outputs_below(Path::new(&folder)) > 0);
}

/// How many files have a format: never more than one, and each is read without a problem.
fn outputs_below(folder: &Path) -> usize {
    let mut outputs = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.expect("an entry");
        if !entry.file_type().is_file() || entry.file_name() == "notes.md" {
            continue;
        }
        let path = entry.path();
        let bytes = std::fs::read(path).expect("a file");
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let found = recognisers(text);
        assert!(found.len() <= 1, "{}: {found:?}", path.display());
        if !found.is_empty() {
            let parsed = parse(&path.to_string_lossy(), &bytes);
            assert!(parsed.is_ok(), "{}: {:?}", path.display(), parsed.err());
            outputs += 1;
        }
    }
    outputs
}

/// A changed file, and the lines of the original that are not as they were.
type Mutant = (Vec<u8>, Vec<usize>);

/// Every line and every byte lost, doubled and swapped with the next, and every cut.
fn mutants(text: &str) -> impl Iterator<Item = Mutant> {
    let bytes = text.as_bytes();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let of_lines = (0..lines.len()).flat_map(move |at| {
        [
            (lost(&lines, at).concat(), vec![at + 1]),
            (doubled(&lines, at).concat(), vec![at + 1]),
            (swapped(&lines, at).concat(), vec![at + 1, at + 2]),
        ]
    });
    let of_bytes = (0..bytes.len()).flat_map(move |at| {
        let line = line_of(bytes, at);
        let joined = bytes[at] == b'\n' || bytes.get(at + 1) == Some(&b'\n');
        let touched = vec![line, line + usize::from(joined)];
        [
            (lost(bytes, at), touched.clone()),
            (doubled(bytes, at), touched.clone()),
            (swapped(bytes, at), touched),
            (bytes[..at].to_vec(), vec![line]),
        ]
    });
    of_lines.chain(of_bytes)
}

fn lost<T: Copy>(list: &[T], at: usize) -> Vec<T> {
    [&list[..at], &list[at + 1..]].concat()
}

fn doubled<T: Copy>(list: &[T], at: usize) -> Vec<T> {
    [&list[..=at], &list[at..]].concat()
}

/// As it was where there is no next one.
fn swapped<T: Copy>(list: &[T], at: usize) -> Vec<T> {
    let mut list = list.to_vec();
    if at + 1 < list.len() {
        list.swap(at, at + 1);
    }
    list
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1
}

#[test]
fn no_mutant_moves_a_figure() {
    GOOD.par_iter().for_each(|(path, headings)| {
        let text = std::fs::read_to_string(Path::new(FIXTURES).join(path)).expect("a text");
        let original = Original::of(path, &text, headings);
        for (bytes, touched) in mutants(&text) {
            original.check(&bytes, &touched);
        }
    });
}

type Key = (Option<String>, Scenario, Unit);

fn by_key(parsed: Parsed) -> BTreeMap<Key, Vec<Observation>> {
    let mut rows: BTreeMap<Key, Vec<Observation>> = BTreeMap::new();
    for row in parsed.observations {
        let key = (
            row.implementation.as_ref().map(ToString::to_string),
            row.scenario.clone(),
            row.unit.clone(),
        );
        rows.entry(key).or_default().push(row);
    }
    rows
}

/// A fixture as it is read unchanged.
struct Original {
    path: &'static str,
    headings: &'static [usize],
    rows: BTreeMap<Key, Vec<Observation>>,
}

impl Original {
    fn of(path: &'static str, text: &str, headings: &'static [usize]) -> Self {
        let rows = by_key(parse(path, text.as_bytes()).expect("a good file"));
        Self {
            path,
            headings,
            rows,
        }
    }

    /// A changed file is refused, or the figures of every scenario whose lines were not touched
    /// are what they were, and no figure moved to its neighbour in the row. A figure of a touched
    /// line may come under any name, for the name itself may be what was changed.
    fn check(&self, changed: &[u8], touched: &[usize]) {
        let Ok(read) = parse(self.path, changed) else {
            return;
        };
        if touched.iter().any(|line| self.headings.contains(line)) {
            return;
        }
        let is_touched =
            |row: &Observation| row.line == 0 || touched.contains(&(row.line as usize));
        let touched_rows = self.rows.values().flatten().filter(|row| is_touched(row));
        let loose: Vec<&Value> = touched_rows.map(|row| &row.value).collect();
        for (key, rows) in by_key(read) {
            let Some(old) = self.rows.get(&key) else {
                continue;
            };
            let in_row = |row: &Observation| row.line > 0 && old.iter().any(|o| o.line == row.line);
            for row in rows
                .iter()
                .filter(|row| old.iter().all(|o| o.value != row.value))
            {
                let text = String::from_utf8_lossy(changed);
                let mut others = self.rows.iter().filter(|(other, _)| **other != key);
                let is_shifted =
                    others.any(|(_, o)| o.iter().any(|o| in_row(o) && o.value == row.value));
                assert!(!is_shifted, "{row:?} has a neighbour's figure in\n{text}");
                // A touched line that had no figure, as zero is none, may get one.
                let is_new = row.line > 0 && is_touched(row);
                assert!(
                    is_new || loose.contains(&&row.value) || old.iter().any(is_touched),
                    "{:?} became {row:?} in\n{text}",
                    old[0]
                );
            }
        }
    }
}

//! What must hold of every format alike: it is told from all others, and no byte or line that is
//! lost, doubled or swapped puts a figure under another scenario. Of any bytes: [`super::fuzz`].

use super::*;
use crate::observation::Value;
use crate::scenario::Scenario;
use crate::unit::Unit;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// A good file, and those of its lines that say what other lines mean.
struct Fixture {
    format: Format,
    name: &'static str,
    text: &'static str,
    headings: &'static [usize],
}

const fn of(
    format: Format,
    name: &'static str,
    text: &'static str,
    headings: &'static [usize],
) -> Fixture {
    Fixture {
        format,
        name,
        text,
        headings,
    }
}

/// An output of a tool in the committed report.
macro_rules! committed {
    ($path:literal) => {
        include_str!(concat!(
            "../../tests/fixtures/report/2026-01-10-small/",
            $path
        ))
    };
}

const FIXTURES: &[Fixture] = &[
    of(
        Format::RustlsBench,
        "out",
        committed!("rustls/output_1"),
        &[],
    ),
    of(
        Format::RustlsBench,
        "out",
        committed!("rustls/threads.txt"),
        &[],
    ),
    of(
        Format::OpensslBench,
        "out",
        committed!("openssl/output_1"),
        &[1, 4, 7, 10],
    ),
    of(
        Format::OpensslBench,
        "out",
        committed!("openssl/threads.txt"),
        &[1, 3, 5],
    ),
    of(
        Format::OpensslBench,
        "out",
        committed!("openssl_3.2.0_clang/output_1"),
        &[1, 2, 5, 6, 9, 10],
    ),
    of(
        Format::Memory,
        "out",
        committed!("openssl/memory.txt"),
        &[1, 3, 5, 7, 9, 11],
    ),
    of(
        Format::Latency,
        "latency-fullhs-tls13-server-1-latency.tsv",
        LATENCY,
        &[],
    ),
    of(Format::BsslSpeed, "out", bssl_speed::tests::FIXTURE, &[]),
    of(
        Format::OpensslSpeed,
        "out",
        openssl_speed::tests::FIXTURE,
        &[2, 7, 10, 12, 14],
    ),
    of(
        Format::OpensslSpeed,
        "out",
        openssl_speed::tests::MULTI,
        &[1, 2, 5, 8, 11, 16],
    ),
    of(
        Format::OpensslSpeed,
        "out",
        openssl_speed::tests::MACHINE_READABLE,
        &[3],
    ),
    of(Format::Writev, "results.csv", writev::tests::FIXTURE, &[1]),
    of(Format::Libtest, "out", libtest::tests::FIXTURE, &[]),
    of(Format::Go, "out", go::tests::FIXTURE, &[3]),
    of(
        Format::CiBench,
        "icounts.csv",
        ci_bench::tests::ICOUNTS,
        &[],
    ),
    of(Format::CiBench, "out", ci_bench::tests::WALLTIME, &[]),
    of(Format::Tidy, "a.csv", tidy::tests::FIXTURE, &[1]),
    of(Format::Wide, "a.csv", wide::tests::FIXTURE, &[1]),
    of(
        Format::Markdown,
        "a.md",
        markdown::tests::FIXTURE,
        &[9, 10, 15, 16, 20, 21],
    ),
    of(Format::Markdown, "a.md", TIGHT, &[1, 2]),
    of(
        Format::Criterion,
        criterion::tests::PATH,
        criterion::tests::SAMPLE,
        &[1],
    ),
    of(
        Format::Criterion,
        criterion::tests::PATH,
        criterion::tests::ESTIMATES,
        &[1, 2, 3],
    ),
    of(Format::Hyperfine, "a.json", hyperfine::tests::FIXTURE, &[]),
];

const LATENCY: &str = "\
1768000000.00121713\t608.59117214
1768000000.00231934\t551.12747599
1768000000.00331450\t497.59487377
";

const TIGHT: &str = "\
|Scenario|rustls 1.0|OpenSSL 1.0|BoringSSL 1.0|
|-|-|-|-|
|transfer, 1.3, sending|11|12|13|
|transfer, 1.3, receiving|21|22|-|
";

/// A file as lines of text: `12: IMPLEMENTATION: SCENARIO = VALUE UNIT, run 1 (CAVEAT)`, then
/// notes `12~ …`; or problems `12! …`.
pub(super) fn read(format: Format, name: &str, text: &str) -> Vec<String> {
    assert_eq!(parser_of(text).map(|parser| parser.0), Some(format));
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
fn each_fixture_has_one_format() {
    for fixture in FIXTURES {
        assert_eq!(
            recognisers(fixture.text),
            [fixture.format],
            "{}",
            fixture.text
        );
    }
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
    assert_eq!(outputs_below(Path::new("tests/fixtures/report")), 36);
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
    FIXTURES.par_iter().for_each(|fixture| {
        let original = Original::of(fixture);
        for (bytes, touched) in mutants(fixture.text) {
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
    fixture: &'static Fixture,
    rows: BTreeMap<Key, Vec<Observation>>,
}

impl Original {
    fn of(fixture: &'static Fixture) -> Self {
        let parsed = parse(fixture.name, fixture.text.as_bytes()).expect("a good file");
        assert!(!parsed.observations.is_empty());
        let rows = by_key(parsed);
        Self { fixture, rows }
    }

    /// A changed file is refused, or the figures of every scenario whose lines were not touched
    /// are what they were, and no figure moved to its neighbour in the row. A figure of a touched
    /// line may come under any name, for the name itself may be what was changed.
    fn check(&self, changed: &[u8], touched: &[usize]) {
        let Ok(read) = parse(self.fixture.name, changed) else {
            return;
        };
        let headings = self.fixture.headings;
        if touched.iter().any(|line| headings.contains(line)) {
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

//! Losing, doubling or swapping bytes or lines, or another number, never assigns a figure to
//! another scenario.

use super::super::*;
use super::FIXTURES;
use crate::fuzz::edits::edits;
use crate::model::observation::Value;
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// Valid files, and those of their lines that determine the meaning of others.
const GOOD: &[(&str, &[usize])] = &[
    ("formats/tls_bench/rustls/columns.txt", &[1]),
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
    ("formats/botan/figures.txt", &[]),
    ("formats/bssl_speed/figures.txt", &[]),
    ("formats/ci_bench/icounts.csv", &[]),
    ("formats/ci_bench/walltime.csv", &[]),
    ("formats/criterion_output/figures.txt", &[]),
    ("formats/criterion_output/changes.txt", &[2]),
    ("formats/data_js/data.js", &[]),
    ("formats/divan/figures.txt", &[2, 3, 10, 11]),
    ("formats/gnutls/key_exchanges.txt", &[1]),
    ("formats/gnutls/records.txt", &[1, 12]),
    ("formats/go/figures.txt", &[3]),
    ("formats/go/events_split.json", &[1]),
    ("formats/google_benchmark/console.txt", &[2]),
    ("formats/google_benchmark/figures.json", &[]),
    ("formats/hyperfine/figures.json", &[]),
    ("formats/jmh/figures.json", &[]),
    (
        "formats/latency/latency-fullhs-tls13-server-1-latency.tsv",
        &[],
    ),
    ("formats/libtest/figures.txt", &[]),
    ("formats/markdown/figures.md", &[9, 10, 15, 16]),
    ("formats/markdown/tight.md", &[1, 2]),
    ("formats/openssl_speed/figures.txt", &[2, 7, 10, 12, 14]),
    ("formats/openssl_speed/multi.txt", &[1, 2, 5, 8, 11, 16]),
    ("formats/openssl_speed/machine_readable.txt", &[3]),
    ("formats/s_time/figures.txt", &[1, 8]),
    ("formats/tidy/figures.csv", &[1]),
    ("formats/wide/figures.csv", &[1]),
    ("formats/wolfcrypt/figures.txt", &[2]),
    ("formats/writev/figures.csv", &[1]),
    ("formats/liboqs/figures.txt", &[3, 7, 9, 12]),
    ("formats/mbedtls/figures.txt", &[]),
    ("formats/wolfssl/figures.txt", &[]),
    ("formats/h2load/figures.txt", &[1, 9]),
    ("formats/hgrm/figures.hgrm", &[1]),
];

/// Tries one of so many edits: no multiple of 2 or 3, since edits of three or six kinds take turns.
const STEP: usize = 25;

/// `MUTANTS=all` tries all of them (`make test-mutants`).
#[test]
fn no_mutant_moves_a_figure() {
    let step = match std::env::var("MUTANTS").as_deref() {
        Ok("all") => 1,
        _ => STEP,
    };
    GOOD.par_iter().for_each(|(path, headings)| {
        let text = std::fs::read_to_string(Path::new(FIXTURES).join(path)).expect("a text");
        let original = Original::of(path, &text, headings);
        for edit in edits(text.as_bytes()).step_by(step) {
            let changed = edit.apply(text.as_bytes());
            original.check(&changed, &edit.lines(text.as_bytes()));
        }
    });
}

/// Two figures that run together, as where a blank is lost, are none of another scenario, and no
/// other figure of their own.
#[test]
fn joined_digits_are_noticed() {
    for (path, _) in GOOD {
        let text = std::fs::read_to_string(Path::new(FIXTURES).join(path)).expect("a text");
        let original = by_key(parse(path, text.as_bytes()).expect("a good file"));
        let bytes = text.as_bytes();
        let blanks = (1..bytes.len())
            .filter(|at| bytes[at - 1].is_ascii_digit() && matches!(bytes[*at], b' ' | b'\t'));
        for at in blanks {
            let rest = text[at..].trim_start_matches([' ', '\t']);
            if !rest.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let joined = format!("{}{rest}", &text[..at]);
            let Ok(read) = parse(path, joined.as_bytes()) else {
                continue;
            };
            let noted = !read.notes.is_empty() || read.unread.is_some();
            for (key, rows) in by_key(read) {
                let known = original.get(&key).into_iter().flatten();
                let known: Vec<&Value> = known.map(|row| &row.value).collect();
                let is_known = rows.iter().all(|row| known.contains(&&row.value));
                assert!(
                    noted || known.is_empty() || is_known,
                    "{path}: {rows:?} in\n{joined}"
                );
            }
        }
    }
}

type Key = (Option<String>, Scenario, Unit);

fn by_key(parsed: Parsed) -> BTreeMap<Key, Vec<Observation>> {
    let mut rows: BTreeMap<Key, Vec<Observation>> = BTreeMap::new();
    for row in parsed.observations {
        let key = (
            row.implementation.as_ref().map(ToString::to_string),
            (*row.scenario).clone(),
            row.unit.clone(),
        );
        rows.entry(key).or_default().push(row);
    }
    rows
}

/// What is read of an unchanged fixture.
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

    /// Checks that a changed file is refused, or that the figures of all scenarios in untouched
    /// lines are unchanged and no figure moved to its neighbour in the row. A figure of a touched
    /// line may have any name, since the name itself may have been changed.
    fn check(&self, changed: &[u8], touched: &RangeInclusive<usize>) {
        let Ok(read) = parse(self.path, changed) else {
            return;
        };
        if self.headings.iter().any(|line| touched.contains(line)) {
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
                // A touched line without a figure, such as one of zero, may get one.
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

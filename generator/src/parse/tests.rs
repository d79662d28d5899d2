//! What must hold of every format alike: it is told from all others, and no byte that is
//! changed, lost or doubled makes a parser panic or puts a figure under another scenario.

use super::*;
use crate::observation::Value;
use crate::scenario::Scenario;
use crate::unit::Unit;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A good file, and those of its lines that say what other lines mean.
struct Fixture {
    format: Format,
    name: &'static str,
    text: &'static str,
    headings: &'static [usize],
}

const FIXTURES: &[Fixture] = &[
    Fixture {
        format: Format::BsslSpeed,
        name: "out",
        text: bssl_speed::tests::FIXTURE,
        headings: &[],
    },
    Fixture {
        format: Format::OpensslSpeed,
        name: "out",
        text: openssl_speed::tests::FIXTURE,
        headings: &[2, 7, 10, 12, 14],
    },
    Fixture {
        format: Format::OpensslSpeed,
        name: "out",
        text: openssl_speed::tests::MULTI,
        headings: &[1, 2, 5, 8, 11, 16],
    },
    Fixture {
        format: Format::OpensslSpeed,
        name: "out",
        text: openssl_speed::tests::MACHINE_READABLE,
        headings: &[3],
    },
    Fixture {
        format: Format::Writev,
        name: "results.csv",
        text: writev::tests::FIXTURE,
        headings: &[1],
    },
    Fixture {
        format: Format::Libtest,
        name: "out",
        text: libtest::tests::FIXTURE,
        headings: &[],
    },
    Fixture {
        format: Format::Go,
        name: "out",
        text: go::tests::FIXTURE,
        headings: &[3],
    },
    Fixture {
        format: Format::CiBench,
        name: "icounts.csv",
        text: ci_bench::tests::ICOUNTS,
        headings: &[],
    },
    Fixture {
        format: Format::CiBench,
        name: "out",
        text: ci_bench::tests::WALLTIME,
        headings: &[],
    },
    Fixture {
        format: Format::Tidy,
        name: "a.csv",
        text: tidy::tests::FIXTURE,
        headings: &[1],
    },
    Fixture {
        format: Format::Wide,
        name: "a.csv",
        text: wide::tests::FIXTURE,
        headings: &[1],
    },
    Fixture {
        format: Format::Markdown,
        name: "a.md",
        text: markdown::tests::FIXTURE,
        headings: &[9, 10, 15, 16, 20, 21],
    },
    Fixture {
        format: Format::Markdown,
        name: "a.md",
        text: TIGHT,
        headings: &[1, 2],
    },
    Fixture {
        format: Format::Criterion,
        name: criterion::tests::PATH,
        text: criterion::tests::SAMPLE,
        headings: &[1],
    },
    Fixture {
        format: Format::Criterion,
        name: criterion::tests::PATH,
        text: criterion::tests::ESTIMATES,
        headings: &[1, 2, 3],
    },
    Fixture {
        format: Format::Hyperfine,
        name: "a.json",
        text: hyperfine::tests::FIXTURE,
        headings: &[],
    },
];

const TIGHT: &str = "\
|Scenario|rustls 1.0|OpenSSL 1.0|BoringSSL 1.0|
|-|-|-|-|
|transfer, 1.3, sending|11|12|13|
|transfer, 1.3, receiving|21|22|-|
";

/// A file as lines of text: `12: IMPLEMENTATION: SCENARIO = VALUE UNIT, run 1 (CAVEAT)`, then
/// notes `12~ …`; or problems `12! …`.
pub(super) fn read(format: Format, name: &str, text: &str) -> Vec<String> {
    assert_eq!(Format::recognise(text), Some(format));
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
    PARSERS
        .iter()
        .filter(|p| (p.recognise)(text))
        .map(|p| p.format)
        .collect()
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
fn each_fixture_is_read_with_windows_line_ends_and_a_byte_order_mark() {
    for fixture in FIXTURES {
        let plain = parse(fixture.name, fixture.text.as_bytes());
        let windows = format!("\u{feff}{}", fixture.text.replace('\n', "\r\n"));
        assert!(plain.is_ok());
        assert_eq!(
            parse(fixture.name, windows.as_bytes()),
            plain,
            "{}",
            fixture.text
        );
    }
}

/// Real outputs, where they lie beside the checkout.
#[test]
fn real_files_have_one_format() {
    let mut files = Vec::new();
    collect(Path::new("../../shared"), &mut files);
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let found = recognisers(&text);
        assert!(found.len() <= 1, "{}: {found:?}", file.display());
        let parsed = parse(&file.to_string_lossy(), text.as_bytes());
        let is_output = file.components().any(|c| c.as_os_str() == "samples");
        let is_good = found.is_empty() || !is_output || parsed.is_ok();
        assert!(is_good, "{}: {:?}", file.display(), parsed.err());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[test]
fn lines_lost_doubled_and_swapped() {
    for fixture in FIXTURES {
        let lines: Vec<&str> = fixture.text.split_inclusive('\n').collect();
        for at in 0..lines.len() {
            let mut lost = lines.clone();
            lost.remove(at);
            check(fixture, lost.concat().as_bytes(), &[at + 1]);
            let mut doubled = lines.clone();
            doubled.insert(at, lines[at]);
            check(fixture, doubled.concat().as_bytes(), &[at + 1]);
            if at + 1 < lines.len() {
                let mut swapped = lines.clone();
                swapped.swap(at, at + 1);
                check(fixture, swapped.concat().as_bytes(), &[at + 1, at + 2]);
            }
        }
    }
}

#[test]
fn every_byte_lost_doubled_and_swapped_and_every_cut() {
    for fixture in FIXTURES {
        let bytes = fixture.text.as_bytes();
        for at in 0..bytes.len() {
            let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
            let touched = [
                line,
                line + usize::from(bytes[at] == b'\n' || bytes.get(at + 1) == Some(&b'\n')),
            ];
            let mut changed = bytes.to_vec();
            changed.remove(at);
            check(fixture, &changed, &touched);
            changed = bytes.to_vec();
            changed.insert(at, bytes[at]);
            check(fixture, &changed, &touched);
            if at + 1 < bytes.len() {
                changed = bytes.to_vec();
                changed.swap(at, at + 1);
                check(fixture, &changed, &touched);
            }
            check(fixture, &bytes[..at], &[line]);
        }
    }
}

proptest! {
    #[test]
    fn any_byte_anywhere(index in 0..FIXTURES.len(), at in any::<prop::sample::Index>(), byte in any::<u8>(), insert in any::<bool>()) {
        let fixture = &FIXTURES[index];
        let mut bytes = fixture.text.as_bytes().to_vec();
        let at = at.index(bytes.len());
        let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
        let touched = [line, line + usize::from(bytes[at] == b'\n')];
        if insert { bytes.insert(at, byte) } else { bytes[at] = byte }
        check(fixture, &bytes, &touched);
    }

    #[test]
    fn many_changes_do_not_panic(
        index in 0..FIXTURES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..12),
    ) {
        let fixture = &FIXTURES[index];
        let mut bytes = fixture.text.as_bytes().to_vec();
        for (from, to, what, byte) in changes {
            let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
            match what {
                0 => bytes[from] = byte,
                1 => bytes.swap(from, to),
                2 => bytes.extend_from_within(from.min(to)..from.max(to)),
                _ => { bytes.drain(from.min(to)..(from.max(to)).min(from.min(to) + 40)); }
            }
            if bytes.is_empty() { bytes.push(byte); }
        }
        drop(parse(fixture.name, &bytes));
        // Also what `parse` would not let a parser see.
        let text = String::from_utf8_lossy(&bytes);
        for parser in PARSERS {
            (parser.parse)(fixture.name, &text, &mut Collector::default());
        }
    }
}

type Key = (Option<String>, Scenario, Unit);

fn by_key(parsed: &Parsed) -> BTreeMap<Key, Vec<&Observation>> {
    let mut rows: BTreeMap<Key, Vec<&Observation>> = BTreeMap::new();
    for row in &parsed.observations {
        let key = (
            row.implementation.as_ref().map(ToString::to_string),
            row.scenario.clone(),
            row.unit.clone(),
        );
        rows.entry(key).or_default().push(row);
    }
    rows
}

/// A changed file is refused, or the figures of every scenario whose lines were not touched
/// are what they were, and no figure moved to its neighbour in the row. A figure of a touched
/// line may come under any name, for the name itself may be what was changed.
fn check(fixture: &Fixture, changed: &[u8], touched: &[usize]) {
    let whole = parse(fixture.name, fixture.text.as_bytes()).expect("a good file");
    let Ok(read) = parse(fixture.name, changed) else {
        return;
    };
    if touched.iter().any(|line| fixture.headings.contains(line)) {
        return;
    }
    let is_touched = |row: &Observation| row.line == 0 || touched.contains(&(row.line as usize));
    let loose: BTreeSet<String> = whole
        .observations
        .iter()
        .filter(|r| is_touched(r))
        .map(|r| format!("{:?}", r.value))
        .collect();
    let before = by_key(&whole);
    for (key, rows) in by_key(&read) {
        let Some(old) = before.get(&key) else {
            continue;
        };
        let lines: Vec<u32> = old.iter().map(|r| r.line).filter(|l| *l > 0).collect();
        let neighbours: BTreeSet<String> = before
            .iter()
            .filter(|(other, _)| **other != key)
            .flat_map(|(_, rows)| rows)
            .filter(|r| lines.contains(&r.line))
            .map(|r| format!("{:?}", r.value))
            .collect();
        for row in rows {
            let is_own = old.iter().any(|o| o.value == row.value);
            let is_shifted = !is_own && neighbours.contains(&format!("{:?}", row.value));
            let text = String::from_utf8_lossy(changed);
            assert!(!is_shifted, "{row:?} has a neighbour's figure in\n{text}");
            let untouched = !old.iter().any(|r| is_touched(r));
            let is_loose = loose.contains(&format!("{:?}", row.value));
            assert!(
                is_own || is_loose || !untouched,
                "{:?} became {row:?} in\n{text}",
                old[0]
            );
        }
    }
}

use super::*;
use crate::parse::Parsed;

/// Other cases are in the fixtures.
const LOG: &str = include_str!("../../../tests/fixtures/formats/histogram/figures.hlog");

fn parsed(log: &str) -> Result<Parsed, u32> {
    crate::parse::parse("x", log.as_bytes()).map_err(|problems| problems[0].line)
}

#[test]
fn writing_reproduces_what_was_read() {
    let read = parsed(LOG).expect("a log");
    let rows = read.observations.iter().map(|row| match &row.value {
        Value::Distribution(all) => (&*row.scenario, &**all, &*row.caveats),
        other => panic!("no distribution: {other:?}"),
    });
    let implementation = read.observations[0].implementation.as_ref();
    let written = write(implementation.expect("it is named"), rows);
    let mut again = parsed(&written).expect("our own");
    for (row, original) in again.observations.iter_mut().zip(&read.observations) {
        row.line = original.line;
    }
    assert_eq!(again, read);
}

#[test]
fn damaged_histograms_are_refused() {
    let start = LOG.find("HISTFAAA").expect("a histogram");
    let end = start + LOG[start..].find('\n').expect("its end");
    let line = LOG[..start].lines().count() as u32;
    for at in start..end {
        let other = match LOG.as_bytes()[at] {
            b'A' => "B",
            _ => "A",
        };
        for with in [other, ""] {
            let damaged = LOG[..at].to_owned() + with + &LOG[at + 1..];
            match parsed(&damaged) {
                Err(wrong) => assert_eq!(wrong, line),
                // The compressed length is redundant and not checked.
                same => assert_eq!(same, parsed(LOG)),
            }
        }
    }
}

//! Whole files: real, truncated and invalid ones.

mod generated;

use super::*;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

const NAME: &str = "latency-fullhs-tls13-server-1-latency.tsv";

/// Reads a text of which the system gives so many bytes at once.
fn in_chunks(text: &[u8], size: usize) -> Result<Parsed, Vec<Diagnostic>> {
    struct Slow<'a>(&'a [u8], usize);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.1.min(buffer.len());
            self.0.read(&mut buffer[..size])
        }
    }
    stream(NAME, Slow(text, size))
}

fn problems(text: &[u8]) -> Vec<(u32, String)> {
    let found = stream(NAME, text).expect_err("the file is wrong");
    found
        .into_iter()
        .map(|problem| (problem.line, problem.message))
        .collect()
}

/// The first lines of a capture by rustls-bench, and of one by openssl-bench.
const REAL: &str = "1795253336.99399662\t282.69100000\n1795253336.99457073\t182.66200000\n\
    1795253337.51890898\t1024.24621582\n1795253337.52016592\t740.05126953\n";

#[test]
fn in_memory_and_with_other_line_ends() {
    let streamed = stream(NAME, REAL.as_bytes());
    for text in [
        REAL.to_owned(),
        REAL.replace('\n', "\r\n"),
        format!("\u{feff}{REAL}"),
    ] {
        assert_eq!(stream(NAME, text.as_bytes()), streamed, "{text:?}");
        assert_eq!(
            crate::parse::parse(NAME, text.as_bytes()),
            streamed,
            "{text:?}"
        );
    }
}

/// Other invalid lines are in the fixtures.
#[test]
fn bytes_that_are_no_text_are_refused() {
    for line in [&b"1.5\0\t2.5\n"[..], b"1.5\t\xff2.5\n"] {
        let found = problems(&[b"1.5\t2.5\n", line].concat());
        assert_eq!((found.len(), found[0].0), (1, 2), "{found:?}");
    }
}

#[test]
fn a_last_line_without_end_is_refused() {
    for cut in 1..REAL.len() {
        let text = &REAL.as_bytes()[..cut];
        match text.last() {
            Some(b'\n') => assert!(stream(NAME, text).is_ok()),
            _ => assert!(
                problems(text)
                    .last()
                    .is_some_and(|(_, text)| text.contains("may be truncated")),
                "{cut}"
            ),
        }
    }
    assert!(problems(b"")[0].1.contains("no positive latency"));
}

#[test]
fn no_more_than_a_hundred_problems_are_reported() {
    let mut text = REAL.repeat(20_000);
    text.push_str(&"wrong\n".repeat(130));
    let found = problems(text.as_bytes());
    assert_eq!(found.len(), 101);
    assert_eq!((found[0].0, found[99].0), (80_001, 80_100));
    assert!(found[99].1.contains("`wrong`"));
    assert!(found[100].1.contains("the rest of the file is not read"));
}

#[test]
fn problems_of_all_chunks_are_in_their_order() {
    let text = "1.5\t-2.5\nwrong\n".repeat(5_000);
    let problems = in_chunks(text.as_bytes(), 1000).expect_err("half is wrong");
    assert_eq!(problems.len(), 101);
    assert_eq!((problems[0].line, problems[99].line), (2, 200));
    let right = text.replace("wrong", "1.5\t2.5");
    let parsed = in_chunks(right.as_bytes(), 1000).expect("half is left out");
    let note = &parsed.notes[0];
    assert!(
        note.line == 1 && note.message.starts_with("5000 of 10000"),
        "{note:?}"
    );
}

#[test]
fn endless_lines_are_not_read_to_their_end() {
    struct Endless<'a>(&'a AtomicUsize);
    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'7');
            self.0.fetch_add(buffer.len(), Ordering::Relaxed);
            Ok(buffer.len())
        }
    }
    for start in ["", REAL, &REAL.repeat(100_000)] {
        let read = AtomicUsize::new(0);
        let found = stream(NAME, start.as_bytes().chain(Endless(&read))).expect_err("endless");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].line as usize, start.lines().count() + 1);
        assert!(
            found[0].message.contains("more than 65536 bytes"),
            "{found:?}"
        );
        let read = read.into_inner();
        assert!(read <= 4 * CHUNK, "{read} bytes");
    }
}

#[test]
fn overlong_lines_among_others() {
    let text = format!("{REAL}{}\n{REAL}", "1".repeat(70_000));
    assert_eq!(problems(text.as_bytes()).len(), 1);
    let padded = format!("1.{}\t2.5\n", "1".repeat(60_000));
    assert!(stream(NAME, padded.as_bytes()).is_ok());
}

#[test]
fn read_errors_are_reported() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let found = stream(NAME, REAL.as_bytes().chain(Broken)).expect_err("broken");
    assert_eq!(found[0].message, "it could not be read: the disk is gone");
}

#[test]
fn problems_of_name_and_content_are_both_reported() {
    for name in ["latency.tsv", "-", "", ".."] {
        let found = stream(name, &b"x\n"[..]).expect_err("both are wrong");
        let lines: Vec<u32> = found.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [0, 1], "{name:?}");
    }
}

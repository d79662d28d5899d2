use super::*;
use crate::base::failure::Diagnostic;
use crate::parse::Format;

/// A log of two scenarios, the first in two intervals.
fn fixture() -> String {
    let label = |text| Scenario::from_label(text).expect("a label");
    let (full, resumed) = (
        label("latency of full handshakes, 1.3, rsa, client"),
        label("latency of resumed handshakes, 1.2, session id, server"),
    );
    let of = |values: std::ops::Range<u64>| {
        let mut distribution = Distribution::default();
        values.for_each(|n| distribution.record(n * 1_001));
        distribution
    };
    let (a, b, c) = (of(1..1000), of(1000..2001), of(5..6));
    let caveat = ["its own choice of group".to_owned()];
    let identity = Implementation::new("OpenSSL", "3.5.1", &["gcc"]);
    write(
        &identity,
        [
            (&full, &a, &caveat[..]),
            (&resumed, &c, &[]),
            (&full, &b, &[]),
        ],
    )
}

fn read(name: &str, text: &str) -> Result<crate::parse::Parsed, Vec<Diagnostic>> {
    assert_eq!(
        crate::parse::parser_of(text).map(|p| p.0),
        Some(Format::Histogram)
    );
    crate::parse::parse(name, text.as_bytes())
}

#[test]
fn a_log_is_read_back() {
    let parsed = read("run-001-latency.hlog", &fixture()).expect("our own");
    let rows: Vec<(String, u64, Option<&str>)> = parsed
        .observations
        .iter()
        .map(|o| {
            let Value::Distribution(d) = &o.value else {
                panic!("no distribution");
            };
            (o.scenario.label(), d.count(), o.caveat.as_deref())
        })
        .collect();
    assert_eq!(
        rows,
        [
            (
                "latency of full handshakes, 1.3, rsa, client".to_owned(),
                2000,
                Some("its own choice of group")
            ),
            (
                "latency of resumed handshakes, 1.2, session id, server".to_owned(),
                1,
                None
            ),
        ]
    );
    let declared = parsed.observations[0].implementation.as_ref();
    assert_eq!(
        declared.map(ToString::to_string).as_deref(),
        Some("OpenSSL 3.5.1, gcc")
    );
    let Value::Distribution(all) = &parsed.observations[0].value else {
        panic!("no distribution");
    };
    assert_eq!(all.max(), 2000.0 * 1001.0 / 1e9);
    let median = all.quantile(0.5).expect("many");
    assert!(
        (median / (1000.0 * 1001.0 / 1e9) - 1.0).abs() < 0.001,
        "{median}"
    );
}

/// The example in the documentation of HdrHistogram's Java implementation has lines without tags.
#[test]
fn without_tags_the_file_name_gives_the_scenario() {
    let text = fixture();
    let line = text.lines().find(|l| l.starts_with("Tag=")).expect("one");
    let untagged = line.split_once(',').expect("a tag").1;
    let log = format!("#[Histogram log format version 1.2]\n{untagged}\n");
    let parsed = read("a/latency-fullhs-tls13-server.hlog", &log).expect("a log");
    let label = parsed.observations[0].scenario.label();
    assert_eq!(label, "latency of full handshakes, 1.3, server");
    let problems = read("a/latency.hlog", &log).expect_err("a name that does not tell");
    assert!(
        problems[0].message.contains("neither `fullhs`"),
        "{problems:?}"
    );
}

#[test]
fn problems_have_their_lines() {
    let good = fixture();
    for (from, to, line, part) in [
        ("/1.3/rsa", "/1.4/rsa", 6, "`1.4`"),
        (
            "Tag=latency_of_full_handshakes/1.3/rsa/client",
            "Tag=transfer/1.3",
            6,
            "not a scenario of latency",
        ),
        ("0.000", "-1", 6, "not a figure of an interval: `-1`"),
        (",0.000", "", 6, "four figures"),
        ("HISTFAAA", "HISTFAA%", 6, "base 64"),
    ] {
        let wrong = good.replacen(from, to, 1);
        assert_ne!(wrong, good, "{from}");
        let problems = read("x", &wrong).expect_err(part);
        assert_eq!(problems[0].line, line, "{problems:?}");
        assert!(problems[0].message.contains(part), "{problems:?}");
    }
    let problems = read("x", good.trim_end()).expect_err("no last newline");
    assert!(
        problems[0].message.contains("may be truncated"),
        "{problems:?}"
    );
    let cut = &good[..good.len() - 20];
    let problems = read("x", &format!("{cut}\n")).expect_err("cut in a histogram");
    assert_eq!(problems[0].line, good.lines().count() as u32);
}

#[test]
fn damaged_histograms_are_refused() {
    let good = fixture();
    let start = good.find("HISTFAAA").expect("a histogram");
    let end = start + good[start..].find('\n').expect("its end");
    for at in start..end {
        let other = if good.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        for with in [other, ""] {
            let damaged = good[..at].to_owned() + with + &good[at + 1..];
            match read("x", &damaged) {
                Err(problems) => assert_eq!(problems[0].line, 6),
                // The compressed length is redundant and not checked.
                Ok(parsed) => assert_eq!(parsed, read("x", &good).expect("the good one")),
            }
        }
    }
}

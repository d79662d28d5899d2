//! Damaged files: all are refused, with file and line, and nothing is written. Problems of single
//! lines are tested by `fixtures/formats/`.

use crate::common::{Folder, assert_same, fixture, generator, read};
use generator::parse::parse;
use std::collections::HashMap;

/// A valid file of each main format, with its required name.
fn valid_files() -> Vec<(&'static str, String)> {
    let of = |path: &str| read(&fixture("report/2026-01-10-small").join(path));
    vec![
        ("rustls-bench.txt", of("rustls/output_1")),
        ("threads.txt", of("rustls/threads.txt")),
        ("openssl-bench.txt", of("openssl/output_1")),
        ("openssl-bench-2023.txt", of("openssl_3.2.0_clang/output_1")),
        ("memory.txt", of("openssl/memory.txt")),
        ("latency-fullhs-tls13-server-1-latency.tsv", of("rustls/latency-fullhs-tls13-server-1-latency.tsv")),
        ("wide.csv", of("table.csv")),
        (
            "tidy.csv",
            "run,implementation,version,variant,scenario,unit,value,caveat\n\
             1,rustls,0.23.40,aws-lc-rs,\"full handshakes, 1.3, rsa, server\",handshakes/s,2401.5,\n\
             2,rustls,0.23.40,aws-lc-rs,\"full handshakes, 1.3, rsa, server\",handshakes/s,2412.25,\n\
             1,OpenSSL,3.6.0,,\"resumed handshakes, 1.3, ticket, client\",handshakes/s,5182.5,a third was not resumed\n"
                .to_owned(),
        ),
        (
            "speed.txt",
            "Did 717000 EVP-AES-256-GCM encrypt (16384 bytes) operations in 1001385us (716008.3 ops/sec): 11731.1 MB/s\n\
             Did 1234000 EVP-AES-256-GCM encrypt (1350 bytes) operations in 1000385us (1233525.1 ops/sec): 1665.3 MB/s\n"
                .to_owned(),
        ),
        ("writes.csv", "Value;min;50_pct;90_pct;99_pct;999_pct\nSSL_writev() [50] * 20;1581;1768;2111;9241;17366\n".to_owned()),
        ("results.md", "| scenario | OpenSSL 3.6.0 | rustls 0.23.40 |\n| --- | --- | --- |\n| transfer, 1.3, aes-256-gcm, sending | 5844.35 | 7421.02 |\n| full handshakes, 1.3, rsa, client | 2219.64 | 4766.63 |\n".to_owned()),
        ("hyperfine.json", "{\"results\": [{\"command\": \"sleep 1\", \"mean\": 1.0, \"times\": [0.9, 1.1]}]}\n".to_owned()),
    ]
}

/// A damaged file, with the class of the damage.
struct Case {
    class: &'static str,
    name: String,
    bytes: Vec<u8>,
}

/// The ranges of the figures in a text.
fn figures(name: &str, text: &str) -> Vec<std::ops::Range<usize>> {
    // Not the numbers in names of suites, in columns' headings and in times of day.
    let found = regex_lite::Regex::new(match name {
        "memory.txt" => r"(?m)^\d+$",
        n if n.starts_with("latency") => r"(?m)\t\d+\.\d+$",
        "writes.csv" => r";\d{4,}",
        "speed.txt" => r": \d+\.\d ",
        "hyperfine.json" => r"[\[ ]\d\.\d[,\]]",
        _ => r"[\t ,]\d{3,}\.\d+[\t ,\n]",
    })
    .expect("an expression");
    found
        .find_iter(text)
        .map(|m| {
            let digits = m
                .as_str()
                .find(|c: char| c.is_ascii_digit())
                .expect("a digit");
            let end = m
                .as_str()
                .trim_end_matches(|c: char| !c.is_ascii_digit())
                .len();
            m.start() + digits..m.start() + end
        })
        .collect()
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |class, name: &str, bytes: Vec<u8>| {
        cases.push(Case {
            class,
            name: name.to_owned(),
            bytes,
        });
    };
    for (name, text) in valid_files() {
        let all = figures(name, &text);
        assert!(!all.is_empty(), "{name}");
        let figure = all[all.len() / 2].clone();
        let with = |figure_text: &str| -> Vec<u8> {
            [&text[..figure.start], figure_text, &text[figure.end..]]
                .concat()
                .into_bytes()
        };
        for bad in [
            "NaN", "nan", "inf", "-inf", "-5.5", "0", "0.0", "1e999", "0x1f", "", "--", "1.2.3",
            "5,55", "1 2",
        ] {
            // Not damage: in tables, an empty cell or `--` means that there is no figure.
            let is_table = ["wide.csv", "results.md"].contains(&name);
            let is_blank_line = name == "memory.txt" && bad.is_empty();
            // Nor in JSON, where a comma separates the elements of a list, and in latencies, where
            // the clock may be set: see `accepted_oddities_are_reported`.
            let is_list = name == "hyperfine.json" && bad == "5,55";
            let is_step = name.starts_with("latency") && ["0", "0.0", "-5.5"].contains(&bad);
            if (is_table && ["", "--"].contains(&bad)) || is_blank_line || is_list || is_step {
                continue;
            }
            add("number", name, with(bad));
        }
        add("UTF-8", name, {
            let mut bytes = text.clone().into_bytes();
            bytes[figure.start] = 0xff;
            bytes
        });
        add(
            "UTF-8",
            name,
            text.replacen('\n', "\u{e9}\n", 1)
                .chars()
                .map(|c| c as u8)
                .collect(),
        );
        add(
            "UTF-16",
            name,
            text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        );
        add("NUL", name, with("12\u{0}34"));
        add("control", name, with("12\u{1b}[31m"));
        add("empty", name, Vec::new());
        add("empty", name, b"\xef\xbb\xbf\r\n\r\n".to_vec());
        if name != "hyperfine.json" {
            add("huge line", name, with(&"7".repeat(70_000)));
        }
        // Truncated in the middle of the last figure.
        let last = all[all.len() - 1].clone();
        add(
            "cut",
            name,
            text.as_bytes()[..last.start + (last.len() / 2).max(1)].to_vec(),
        );
        if ["rustls-bench.txt", "threads.txt", "openssl-bench.txt"].contains(&name) {
            let unit = if text.contains("handshakes/s") {
                "handshakes/s"
            } else {
                "MB/s"
            };
            for other in ["furlongs/s", "", "ns", "KiB"] {
                add(
                    "unit",
                    name,
                    text.replacen(&format!("\t{unit}"), &format!("\t{other}"), 1)
                        .into_bytes(),
                );
            }
            add(
                "columns",
                name,
                text.replacen(&format!("\t{unit}"), &format!("\t1.5\t{unit}"), 1)
                    .into_bytes(),
            );
            add(
                "columns",
                name,
                text.replacen("TLS13_AES_256_GCM_SHA384\t", "", 1)
                    .replacen("\tTLSv1.3\t", "\t", 1)
                    .into_bytes(),
            );
        }
    }
    cases
}

#[test]
fn every_damage_is_refused_with_file_and_line() {
    let cases = cases();
    assert!(cases.len() >= 150, "{}", cases.len());
    // Each in its own folder, so that all are reported at once.
    let site = Folder::site();
    for (index, case) in cases.iter().enumerate() {
        let path = format!("data/{index:03}-rustls_0.23.40/{}", case.name);
        site.write(&path, &case.bytes);
        let text: String = String::from_utf8_lossy(&case.bytes)
            .chars()
            .take(300)
            .collect();
        let Err(problems) = parse(&path, &case.bytes) else {
            panic!("{} accepted: {path}: {text}", case.class);
        };
        // Only problems of a whole file have no line, or of JSON, which is a single line.
        assert!(
            problems[0].line > 0
                || case.name.ends_with(".json")
                || ["empty", "cut", "columns", "UTF-16"].contains(&case.class),
            "{}: {path}: {}: {text}",
            case.class,
            problems[0]
        );
        let size: usize = problems.iter().map(|p| p.to_string().len()).sum();
        assert!(size < 20_000, "{size} bytes of errors: {path}");
    }

    let before = site.tree();
    let run = generator(site.path(), &["ingest", "data"]).code_is(3);
    let mut lines = run.stderr.trim_start_matches("error: ").lines();
    let more = lines.next_back().expect("a last line");
    assert!(
        more.starts_with("and ") && more.ends_with(" more problems"),
        "{more}"
    );
    for line in lines {
        assert!(line.starts_with("data/"), "{line}");
    }
    assert_same(&site.tree(), &before, "nothing is written");
    let mut classes: HashMap<&str, u32> = HashMap::new();
    cases
        .iter()
        .for_each(|c| *classes.entry(c.class).or_default() += 1);
    println!("{} damaged files refused: {classes:?}", cases.len());
}

#[test]
fn accepted_oddities_are_reported() {
    let table = "scenario,unit,rustls 1\nencode,ns,5\nencode,ns,6\n";
    let folder = Folder::new().with("table.csv", table);
    let shown = generator(folder.path(), &["show", "table.csv", "--format", "csv"]).success();
    let shown = shown.prints("encode,rustls,1,ns,1,5,");
    shown.says("has a second value in one run: the first is kept");

    let name = "latency-fullhs-tls13-server-1-latency.tsv";
    let line = "1768000000.00078559\t392.76141115\n";
    for step in ["0", "0.0", "-5.5"] {
        let folder =
            Folder::new().with(name, line.to_owned() + &line.replace("392.76141115", step));
        let shown = generator(folder.path(), &["show", name]).success();
        shown.says("1 of 2 latencies left out, being zero or negative");
    }
}

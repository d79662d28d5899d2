//! Input larger than any benchmark's output is refused with a message, without reading it all into
//! memory.

use crate::common::{Folder, Run, run};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Runs the program with an address space just large enough for itself, its threads and a file at
/// the limits, and a processor time that is ample even without optimization.
fn bounded(folder: &Folder, arguments: &[&str]) -> Run {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "ulimit -v 400000 && ulimit -t 10 && exec \"$0\" \"$@\"",
    ]);
    shell.arg(env!("CARGO_BIN_EXE_generator")).args(arguments);
    run(shell.current_dir(folder.path()))
}

/// Asserts that `ingest` refuses a file with this message.
#[track_caller]
fn refused(name: &str, bytes: impl AsRef<[u8]>, length: u64, message: &str) {
    let folder = Folder::site().with("data/r/report.toml", "");
    let path = format!("data/r/{name}");
    folder.write(&path, bytes);
    let file = File::options().append(true).open(folder.join(&path));
    let file = file.expect("just written");
    let written = file.metadata().expect("its length").len();
    // The rest is zeros, which take no space on disk.
    file.set_len(length.max(written)).expect("a sparse file");
    let output = bounded(&folder, &["ingest", "data"]).code_is(3).stderr;
    assert!(output.starts_with(&format!("error: {path}:")), "{output}");
    assert!(output.contains(message), "{name}: {output}");
    assert!(output.len() < 20_000, "{} bytes of messages", output.len());
    assert!(!folder.join("content").exists());
}

#[test]
fn endless_lines() {
    let more = "more than 8388608 bytes, which only a latency capture or a tidy table may have";
    refused("a.csv", "scenario,unit,rustls 1\nencode,ns,", 1 << 30, more);
    let capture = "latency-fullhs-tls13-server-1-latency.tsv";
    let start = "1768000000.00078559\t392.76141115\n1768000000.";
    refused(
        capture,
        start,
        1 << 30,
        "2: a line of more than 65536 bytes",
    );
    let long = format!(
        "scenario,unit,rustls 1\nencode,ns,{}\n",
        "7".repeat(1 << 20)
    );
    refused(
        "a.csv",
        long,
        0,
        "a line of 1048586 bytes: more than 65536 bytes",
    );
    let cells = "scenario,unit,rustls 1\nencode,ns,5\n".to_owned() + &",".repeat(8_000_000);
    refused(
        "a.csv",
        cells,
        0,
        "3: a line of 8000000 bytes: more than 65536 bytes",
    );
}

/// They would be read for the downloads.
#[test]
fn large_files_without_figures() {
    for name in ["README.md", "Cargo.lock", "readme"] {
        let folder = Folder::site().with("data/r/a.csv", TABLE);
        let path = format!("data/r/{name}");
        folder.write(&path, "words\n");
        bounded(&folder, &["ingest", "data/r"]).success();
        let file = File::options().write(true).open(folder.join(&path));
        file.expect("there")
            .set_len(1 << 40)
            .expect("a sparse file");
        let refused = bounded(&folder, &["ingest", "data/r"]).code_is(3);
        refused.says(&format!("error: {path}: more than 8388608 bytes"));
    }
}

#[test]
fn long_names_and_texts() {
    let name = "x".repeat(1 << 20);
    let json = format!(r#"{{"results": [{{"command": "{name}", "times": [1.5]}}]}}"#);
    refused(
        "a.json",
        json,
        0,
        "a name of 1048576 bytes, more than 256 bytes",
    );
    let manifest = |text: &str| {
        let folder = Folder::site().with("data/r/a.csv", TABLE);
        folder.write("data/r/report.toml", text);
        bounded(&folder, &["ingest", "data"]).code_is(3).stderr
    };
    let output = manifest(&format!("headline = [\"{}\"]\n", &name[..9_000]));
    assert!(
        output.contains("report.toml:1: a name of 9000 bytes"),
        "{output}"
    );
    let output = manifest(&format!("machine = \"{}\"\n", &name[..20_000]));
    assert!(
        output.contains("report.toml:1: more than 256 bytes"),
        "{output}"
    );
    let output = manifest(&format!("machine = \"{name}\"\n"));
    assert!(
        output.contains("report.toml: more than 262144 bytes"),
        "{output}"
    );
}

const TABLE: &str = "scenario,unit,rustls 1\nencode,ns,5\n";

#[test]
fn many_rows_and_implementations() {
    let mut rows = "scenario,unit,value\n".to_owned();
    (0..1_000_001).for_each(|_| rows += "encode,ns,5\n");
    refused("rows.csv", rows, 0, "more than 1000000 rows of CSV");
    let lines = "BenchmarkA 1 5 ns/op\n".repeat(260_000);
    refused("lines.txt", lines, 0, "more than 250000 figures");
    let table = "| scenario | rustls 1 |\n| --- | --- |\n".to_owned() + &"\"\n".repeat(4_000_000);
    refused("table.md", table, 0, "more than 250000 lines of Markdown");
    let mut all = "implementation,scenario,unit,value\n".to_owned();
    (0..10_000).for_each(|n| writeln!(all, "library-{n},encode,ns,5").unwrap());
    refused("all.csv", all, 0, "502: more than 500 implementations");
    let mut all = "implementation,scenario,unit,value\n".to_owned();
    (0..20_000).for_each(|n| writeln!(all, "rustls,encode {n},ns,5").unwrap());
    refused("all.csv", all, 0, "10002: more than 10000 scenarios");
}

#[test]
fn many_metrics_and_notes() {
    let same = " 1 bytes/x".repeat(5_000);
    let mut other = String::new();
    (0..5_000).for_each(|n| write!(other, " 1 x{n}/y").unwrap());
    let lines = format!("BenchmarkA 1 5 ns/op{same}\nBenchmarkB 1 5 ns/op{other}\n").repeat(10);
    let folder = Folder::site().with("a.txt", lines);
    let output = bounded(&folder, &["show", "a.txt"]).success().stderr;
    assert!(output.contains("further notes on the file are left out"));
    assert!(output.len() < 20_000, "{} bytes of notes", output.len());
}

#[test]
fn wide_and_long_tables() {
    let mut all = "implementation,scenario,unit,value\n".to_owned();
    (0..1000).for_each(|n| writeln!(all, "library-{},encode {n},ns,5", n % 500).unwrap());
    let more = "502: more than 250000 scenarios times implementations";
    refused("all.csv", all, 0, more);
    // Each pair of all builds could be compared for the page of each build.
    let mut all = "implementation,scenario,unit,run,value\n".to_owned();
    for (build, scenario) in (0..6000).map(|n| (n / 20, n % 20)) {
        writeln!(all, "library-{build},encode {scenario},ns,1,{}", 5 + build).unwrap();
    }
    let folder = Folder::site()
        .with("data/r/report.toml", "")
        .with("data/r/a.csv", all);
    bounded(&folder, &["ingest", "data"]).success();
}

#[test]
fn many_files() {
    let folder = Folder::site().with("data/r/report.toml", "");
    for n in 0..3000 {
        let place = format!("data/r/target/criterion/{n}/new");
        let named = format!(r#"{{"group_id":"{n}","full_id":"{n}","directory_name":"{n}"}}"#);
        folder.write(&format!("{place}/benchmark.json"), named);
        let median = format!(
            r#"{{"mean":{{"point_estimate":5}},"median":{{"point_estimate":1{n}}},"std_dev":{{"point_estimate":1}}}}"#
        );
        folder.write(&format!("{place}/estimates.json"), median);
    }
    bounded(&folder, &["show", "data"]).success();
}

/// Each may be short, or match little.
#[test]
fn patterns_that_are_slow_to_match() {
    let long = |n: usize| format!("{}{n}", "a".repeat(240));
    let mut table = "scenario,unit,rustls 1,rustls 2\n".to_owned();
    (0..1000).for_each(|n| writeln!(table, "{},ns,5,6", long(n)).unwrap());
    let folder = Folder::site().with("data/r/a.csv", table);
    let refused = |message: &str| {
        let output = bounded(&folder, &["ingest", "data"]).code_is(3);
        output.says(message);
    };
    let product = "whose product is more than 100000000";
    let slow = ".*".repeat(100);
    let comparison = format!(
        "[[comparison]]\nbaseline = \"rustls 1\"\ncandidate = \"rustls 2\"\nfilter = \"{slow}\"\n"
    );
    folder.write("data/r/report.toml", comparison.repeat(3));
    refused(&format!(
        "report.toml: patterns of 600 bytes and 242890 bytes to match, {product}"
    ));
    folder.write(
        "data/r/report.toml",
        comparison.replace(&slow, "").repeat(11),
    );
    refused("report.toml:41: more than 10000 rows in the tables of all comparisons");
    folder.write("data/r/report.toml", comparison.replace(&slow, "(a?){400}"));
    refused("report.toml:4: not a regular expression");
    // The place of each group is kept for each state of the pattern, whatever matches it.
    let groups = "(.?)".repeat(5_000);
    folder.write("data/r/report.toml", comparison.replace(&slow, &groups));
    refused("report.toml:4: not a regular expression: ");
    refused("more than 10 groups");
    let split = |pattern: &str| format!("[[split]]\nimplementation = \"(?<name>a){pattern}\"\n");
    folder.write("data/r/report.toml", split(&groups));
    refused("report.toml:2: more than 10 groups");
    folder.write("data/r/report.toml", split(&"(.*)".repeat(9)).repeat(9));
    refused(&format!(
        "a.csv: patterns of 4554 bytes and 242890 bytes to match, {product}"
    ));
    folder.write("data/r/report.toml", "");
    folder.write(
        "data/r/notes.md",
        format!("{{{{ results(filter=\"{groups}\") }}}}\n"),
    );
    refused("notes.md:1: filter is not a regular expression: more than 10 groups");
    folder.write(
        "data/r/notes.md",
        format!("{{{{ results(filter=\"{slow}\") }}}}\n\n").repeat(3),
    );
    refused(&format!(
        "notes.md: patterns of 600 bytes and 242890 bytes to match, {product}"
    ));
    std::fs::remove_file(folder.join("data/r/notes.md")).unwrap();
    (0..500).for_each(|n| folder.write(&format!("data/r/{}.csv", long(n)), TABLE));
    let globs = vec![format!("\"{}z\"", "*a".repeat(100)); 5].join(", ");
    let manifest = format!("[[implementation]]\nname = \"rustls\"\nfiles = [{globs}]\n");
    folder.write("data/r/report.toml", manifest);
    refused(&format!(
        "report.toml: patterns of 1005 bytes and 123395 bytes to match, {product}"
    ));
}

#[test]
fn the_largest_pattern_is_matched() {
    let pattern = "(.?)".repeat(9) + &".?".repeat(3_000);
    let split = format!("[[split]]\nimplementation = '(?<name>e){pattern}'\n");
    let table = "scenario,unit,value\nencode,ns,5\n";
    let folder = Folder::site().with("data/r/a.csv", table);
    folder.write("data/r/report.toml", split);
    bounded(&folder, &["ingest", "data"]).success();
}

#[test]
fn bombs() {
    let bomb = compressed(&vec![0; 9 << 20]);
    let more = "2: more than 8388608 bytes of unpacked histograms";
    refused("run-001-latency.hlog", log(&bomb, 3), 0, more);
    // Many valid ones: all bins of five digits up to a day, each with a value.
    let many = histogram(5, &vec![2; 3 << 20]);
    let more = "4: more than 8388608 bytes of unpacked histograms";
    refused("run-001-latency.hlog", log(&many, 1000), 0, more);
    let more = "202: more than 200 scenarios with a histogram";
    let small = histogram(3, &[2]);
    refused("run-001-latency.hlog", log(&small, 20_000), 0, more);
    // A value of 22 hours, after four million empty bins: 80 bytes.
    let wide = histogram(5, &[0xa5, 0x98, 0xe2, 3, 2]);
    let line = format!("Tag=latency_of_full_handshakes/1.3,0,1,0,{wide}\n");
    let more = "18: more than 67108864 bins of histograms";
    refused(
        "run-001-latency.hlog",
        format!(
            "#[Histogram log format version 1.3]\n{}",
            line.repeat(60_000)
        ),
        0,
        more,
    );
    let times = format!("1.5{}", ",1.5".repeat(1_500_000));
    let json = format!(r#"{{"results": [{{"command": "encode", "times": [{times}]}}]}}"#);
    refused("a.json", json, 0, "more than 250000 figures");
}

/// A log whose lines are all of different scenarios.
fn log(histogram: &str, lines: usize) -> String {
    let line = |n| format!("Tag=latency_of_full_handshakes/1.3/{n}_threads,0,1,0,{histogram}\n");
    let lines: String = (1..=lines).map(line).collect();
    "#[Histogram log format version 1.3]\n".to_owned() + &lines
}

/// HdrHistogram's V2 encoding of these counts, with values up to a day.
fn histogram(digits: u32, counts: &[u8]) -> String {
    let mut plain = 0x1c84_9313_u32.to_be_bytes().to_vec();
    for word in [counts.len() as u32, 0, digits] {
        plain.extend(word.to_be_bytes());
    }
    for long in [1, 86_400_000_000_000, 1.0_f64.to_bits()] {
        plain.extend(long.to_be_bytes());
    }
    plain.extend(counts);
    compressed(&plain)
}

fn compressed(plain: &[u8]) -> String {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(plain).expect("in memory");
    let packed = packed.finish().expect("in memory");
    let cookie = 0x1c84_9314_u32.to_be_bytes();
    let length = (packed.len() as u32).to_be_bytes();
    let bytes = [&cookie[..], &length, &packed].concat();
    base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes)
}

/// Anything that grows with the square of its size would take minutes.
#[test]
fn manifests_that_are_slow_to_read() {
    let folder = Folder::site().with("data/r/a.csv", TABLE);
    let refused = |text: String, message: &str| {
        assert!(text.len() <= 256 << 10, "{} bytes", text.len());
        folder.write("data/r/report.toml", text);
        let output = bounded(&folder, &["ingest", "data"]).code_is(3).stderr;
        assert!(output.contains(message), "{message}: {output:.1000}");
        assert!(output.lines().count() <= 100, "{message}: too many lines");
    };
    let numbered = |n: usize, line: &str| -> String {
        (0..n).map(|i| line.replace('N', &i.to_string())).collect()
    };
    refused("x y\n".repeat(65_000), ":1: key with no value");
    refused(numbered(22_000, "kN = 1\n"), ":1: unknown field `k0`");
    refused(
        format!("headline = {}", "\"".repeat(250_000)),
        "report.toml:1: ",
    );
    refused(
        format!("headline = [\n{}]", "\"\n".repeat(125_000)),
        "report.toml:3: ",
    );
    let list = |n| format!("headline = [{}]", "\"encode\",\n".repeat(n));
    folder.write("data/r/report.toml", list(20_000));
    bounded(&folder, &["ingest", "data"]);
    refused("[[implementation]]\n".repeat(9_000), "missing field `name`");
    let comparison = "[[comparison]]\nbaseline = \"rustls 1\"\ncandidate = \"rustls 1\"\n";
    let filter = "filter = \"(a?{30}){30}\"\n";
    refused(
        format!("{comparison}{filter}"),
        ":4: not a regular expression",
    );
    refused(format!("a = {}", "[".repeat(250_000)), "recurse");
}

#[test]
fn notes_that_are_slow_to_read() {
    let table = "scenario,unit,mine 1,others 1\nparse,ns,0.25,0.5\n";
    let folder = Folder::site().with("data/r/a.csv", table);
    folder.write("data/r/report.toml", "");
    let ingest = |text: &str| {
        folder.write("data/r/notes.md", text);
        bounded(&folder, &["ingest", "data"])
    };
    for part in [
        "*a_ ", "[", "![a](", "<", "> ", "**a *b ", "[^1]", "<a:", "`a``b",
    ] {
        ingest(&part.repeat((256 << 10) / part.len())).success();
    }
    for part in ["<b>\n\n", "<b> ", "[a](javascript:b) "] {
        let refused = ingest(&part.repeat((256 << 10) / part.len())).code_is(3);
        assert!(refused.stderr.lines().count() <= 100, "{part}");
    }
    let more = "notes.md: more than 262144 bytes";
    ingest(&"a".repeat((256 << 10) + 1)).code_is(3).says(more);
    let calls = |n| "{{ graph() }}\n\n".repeat(n);
    ingest(&calls(50)).success();
    let more = "more than 10000 rows in these notes, where a graph counts as 100";
    ingest(&calls(101)).code_is(3).says(more);
}

/// A page of ours that somebody replaced.
#[test]
fn sparse_files_in_the_site() {
    let folder = Folder::site().with("data/r/a.csv", TABLE);
    folder.write("data/r/report.toml", "");
    bounded(&folder, &["ingest", "data"]).success();
    for name in ["index.md", ".generated"] {
        let path = folder.join("content/perf/r").join(name);
        let before = std::fs::read(&path).unwrap();
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let refused = bounded(&folder, &["ingest", "data"]).code_is(3);
        refused.says(&format!("content/perf/r/{name}: more than "));
        std::fs::write(&path, before).unwrap();
    }
}

#[test]
fn endless_inputs() {
    let folder = Folder::site()
        .with("data/r/report.toml", "")
        .with("data/r/a.csv", TABLE);
    symlink("..", folder.join("data/r/loop")).unwrap();
    symlink("itself", folder.join("data/r/itself")).unwrap();
    let pipe = |path: &str| {
        let made = Command::new("mkfifo").arg(folder.join(path)).status();
        assert!(made.expect("mkfifo starts").success());
    };
    pipe("data/r/pipe");
    bounded(&folder, &["ingest", "data"]).success();
    for (path, message) in [
        ("data/r/itself", "cannot read data/r/itself"),
        ("data/r/pipe", "is neither a file nor a folder"),
        ("/dev/zero", "is neither a file nor a folder"),
    ] {
        let output = bounded(&folder, &["show", path]).code_is(4);
        output.says(message);
    }
    pipe("data/r/notes.md");
    let output = bounded(&folder, &["ingest", "data", "--check"]);
    output.code_is(4).says("notes.md is not a regular file");
    std::fs::remove_file(folder.join("data/r/notes.md")).unwrap();
    // Without its report.toml, the report would get another name and other figures.
    let manifest = folder.join("data/r/report.toml");
    std::fs::remove_file(&manifest).unwrap();
    pipe("data/r/report.toml");
    let output = bounded(&folder, &["ingest", "data", "--check"]);
    output.code_is(4).says("report.toml is not a regular file");
    std::fs::remove_file(&manifest).unwrap();
    symlink("missing", &manifest).unwrap();
    let output = bounded(&folder, &["ingest", "data", "--check"]);
    output.code_is(4).says("report.toml is a symbolic link");
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 400000 && \"$0\" show - < /dev/zero"]);
    let output = run(shell.arg(env!("CARGO_BIN_EXE_generator"))).code_is(3);
    output.says("standard input: more than 8388608 bytes");
}

//! The command line: exit codes, error messages and output.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, Run, assert_same, fixture, generator, generator_reading, program, rows, run};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const UNKNOWN: &str = "no known format starts like this: `nonsense`\n\
    reads: ab, asv, Bencher, benchmark.js, BenchmarkDotNet, benchstat, botan speed, bssl \
    speed, Catch2, ci-bench, criterion, divan, fio, GNU time, gnutls-cli, go test, Google \
    Benchmark, Google Benchmark aggregates, gungraun, h2load, HdrHistogram, hyperfine, JMH, \
    latencies, liboqs, libtest, Mbed TLS benchmark, mitata, openssl s_time, openssl speed, \
    OpenSSL's perftools, perf stat, pgbench, pyperf, pytest-benchmark, rebar, redis-benchmark, \
    rustls-bench or openssl-bench, ssl-writev-benchmark, tables in CSV, tables in Markdown, \
    tidy CSV, time, tinybench, vegeta, Vitest, wolfCrypt, wolfSSL tls_bench, wrk; other formats by \
    [[read]] entries in report.toml, or in a file for --read";
const GOOD: &str = "scenario,unit,rustls 0.23.40\nencode,ns,5\n";

/// Asserts that `show` fails with this error message and exit code 3.
#[track_caller]
fn refused(bytes: impl AsRef<[u8]>, message: &str) {
    let folder = Folder::new().with("file", bytes);
    let shown = generator(folder.path(), &["show", "file"]).code_is(3);
    assert_eq!(shown.stderr, format!("error: {message}\n"));
    assert_eq!(shown.stdout, "");
}

#[test]
fn rejects_malformed_files() {
    refused("", "file: the file is empty");
    refused("\n \n", "file: the file is empty");
    refused("nonsense\n", &format!("file:1: {UNKNOWN}"));
    refused("\n\nnonsense\n", &format!("file:3: {UNKNOWN}"));
    refused(
        b"scenario,rustls 1\n\"full handshakes, 1.3\",\xff\n",
        "file:2: not UTF-8: invalid byte 0xff",
    );
    refused(
        b"\xff\xfes\0c\0",
        "file:1: the file is in UTF-16: convert it to UTF-8, or write it with `| Out-File -Encoding utf8` in PowerShell",
    );
    refused(
        "scenario,unit,rustls 1\nencode,ns,12\u{0}34\n",
        "file:2: a control character U+0000 in `encode,ns,12\\034`\n\
         file:2: rustls 1: expected a number, got `12\\034`",
    );
    refused(
        "scenario,unit,rustls 1\n",
        "file: tables in CSV without a figure",
    );
    refused(
        "scenario,unit,Value\nencode,ms,5\n",
        "file:1: unknown column `Value`; the columns are run,implementation,version,variant,scenario,unit,value,caveat",
    );
    refused(
        "scenario,unit,rustls 1\nencode,ms,.5\n",
        "file:2: rustls 1: a figure must start with a digit, unlike `.5`",
    );
}

#[test]
fn shows_the_names_that_a_report_declares() {
    let declared =
        "[[implementation]]\nname = \"Boring SSL\"\nversion = \"5.4\"\nfiles = [\"x\"]\n";
    let folder = Folder::new()
        .with("report/report.toml", declared)
        .with("report/x/1.csv", "scenario,unit,value\nencode,ns,5\n");
    let shown = generator(folder.path(), &["show", "report", "--format", "csv"]).success();
    shown.prints("encode,Boring SSL,5.4,ns,1,5,");
}

#[test]
fn shows_no_more_than_a_hundred_problems() {
    let folder = Folder::new()
        .with("x/1.csv", GOOD.to_owned() + &"encode,ns,x\n".repeat(80))
        .with("x/2.csv", GOOD.to_owned() + &"encode,ns,x\n".repeat(80));
    let shown = generator(folder.path(), &["show", "x"]).code_is(3);
    assert_eq!(shown.stderr.lines().count(), 101);
    shown.says("\nand more problems\n");
}

#[test]
fn two_values_of_a_table_are_runs_only_if_it_says_so() {
    let twice = GOOD.to_owned() + "encode,ns,6\nencode,ns,7\n";
    let folder = Folder::new().with("file", twice);
    let shown = generator(folder.path(), &["show", "file"]).code_is(3);
    shown.says("file:3: a second value of `encode`, and of 1 more: a column `run` numbers those of several runs");
    let runs = "scenario,unit,run,rustls 0.23.40\nencode,ns,1,5\nencode,ns,2,7\n";
    let folder = Folder::new().with("file", runs);
    let shown = generator(folder.path(), &["show", "file", "--format", "csv"]).success();
    shown.prints("encode,rustls,0.23.40,ns,2,6,");
}

#[test]
fn a_figure_of_0_has_no_relative_spread() {
    let text = "BenchmarkX-8 100 5 ns/op 0 B/op 0 allocs/op\n".repeat(8);
    let folder = Folder::new().with("a", &text).with("b", text + "PASS\n");
    let shown = generator(folder.path(), &["compare", "a", "b"]).success();
    assert!(!shown.stdout.contains("NaN"), "{}", shown.stdout);
    assert!(shown.stdout.contains("BenchmarkX-8"), "{}", shown.stdout);
}

#[test]
fn reads_bom_and_crlf() {
    for text in [
        format!("\u{feff}{GOOD}"),
        GOOD.replace('\n', "\r\n"),
        format!("\u{feff}{}", GOOD.replace('\n', "\r\n")),
    ] {
        let folder = Folder::new().with("file", &text);
        let shown = generator(folder.path(), &["show", "file", "--format", "csv"]).success();
        shown.prints("encode,rustls,0.23.40,ns,1,5,");
    }
}

#[test]
fn reports_every_problem_of_every_file() {
    let folder = Folder::site()
        .with("data/a/report.toml", "machine = \"m\"\n")
        .with(
            "data/a/1.csv",
            "scenario,unit,rustls 1\nencode,ns,NaN\ndecode,ns,5\ndecode 2,ns,x\n",
        )
        .with("data/a/2.csv", "")
        .with("data/b/3.csv", "nonsense\n");
    let expected = "data/a/1.csv:2: rustls 1: a figure must be positive and finite, not `NaN`\n\
        data/a/1.csv:4: rustls 1: expected a number, got `x`\n\
        data/a/2.csv: the file is empty\n\
        data/b/3.csv:1: ";
    let before = folder.tree();
    for arguments in [
        ["ingest", "data"].as_slice(),
        &["show", "data"],
        &["show", "data/b", "data/a"],
        &["compare", "data/a", "data/b"],
    ] {
        let run = generator(folder.path(), arguments).code_is(3);
        let expected = format!("error: {expected}{UNKNOWN}\n");
        assert_eq!(run.stderr, expected, "{arguments:?}");
    }
    assert_same(&folder.tree(), &before, "nothing is written");
}

#[test]
fn rejects_duplicate_runs() {
    let output = fixture("report/2026-02-14-small/openssl_3.6.1/output_1");
    let output = std::fs::read(output).unwrap();
    let folder = Folder::new()
        .with("openssl/output_1", &output)
        .with("openssl/output_2", &output);
    let shown = generator(folder.path(), &["show", "openssl"]).code_is(3);
    assert_eq!(
        shown.stderr,
        "error: openssl/output_2: the same run twice: its bytes are those of openssl/output_1\n"
    );
    let times = "scenario,unit,value\nencode,ns,5.1\ndecode,ns,6.2\n";
    let memory = times.replace("ns", "KiB");
    let folder = Folder::new()
        .with("times/1.csv", times)
        .with("times/2.csv", times)
        .with("memory/1.csv", &memory)
        .with("memory/2.csv", &memory);
    let shown = generator(folder.path(), &["show", "times"]).code_is(3);
    shown.says("times/2.csv: the same run twice");
    generator(folder.path(), &["show", "memory"]).success();
}

#[test]
fn rejects_inputs_named_twice() {
    let folder = Folder::site()
        .with("data/a/report.toml", "")
        .with("data/a/1.csv", GOOD);
    for arguments in [
        ["show", "data/a/1.csv", "data/a/1.csv"],
        ["show", "data/a", "data/a/1.csv"],
        ["show", "data/a/1.csv", "data/../data/a"],
        ["ingest", "data", "data"],
    ] {
        let refused = generator(folder.path(), &arguments).code_is(2);
        assert_eq!(refused.stdout, "");
        refused.says("are the same, so its runs would count twice; name it once");
    }
}

/// Reports are read at the same time; what is said of them is in their order.
#[test]
fn notes_are_in_the_order_of_reports() {
    let site = Folder::site();
    let zero = "test a ... bench: 0 ns/iter (+/- 0)\ntest b ... bench: 5 ns/iter (+/- 0)\n";
    for report in 10..60 {
        site.write(&format!("data/r{report}/report.toml"), "");
        site.write(&format!("data/r{report}/bench.txt"), zero);
    }
    let said = generator(site.path(), &["ingest", "data"]).success().stderr;
    let notes: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("left out"))
        .collect();
    assert!(notes.len() == 50 && notes.is_sorted(), "{said}");
}

#[test]
fn watch_continues_after_an_error() {
    let folder = Folder::site()
        .with("data/a/report.toml", "")
        .with("data/a/1.csv", GOOD);
    let mut watch = program()
        .current_dir(folder.path())
        .args(["ingest", "data", "--watch"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(watch.stderr.take().expect("a pipe")).lines();
    let mut wait_for = |text: &str| {
        let found = lines.any(|line| line.expect("UTF-8").contains(text));
        assert!(found, "the program ended without printing: {text}");
    };
    wait_for("1 report: ");
    std::fs::rename(folder.join("data/a"), folder.join("data/b")).expect("renamed");
    wait_for("the site has pages of 1 report without data, a");
    std::fs::rename(folder.join("data/b"), folder.join("data/a")).expect("renamed");
    wait_for("nothing has changed");
    watch.kill().expect("it still runs");
    watch.wait().expect("it ends");
}

#[test]
fn rejects_a_version_that_contradicts_the_path() {
    let table = "scenario,OpenSSL 3.5.0\n\"full handshakes, 1.3, rsa, client\",5\n";
    let folder = Folder::new().with("openssl_3.6.1/table.csv", table);
    let shown = generator(folder.path(), &["show", "openssl_3.6.1"]).code_is(3);
    assert_eq!(
        shown.stderr,
        "error: openssl_3.6.1/table.csv:2: two versions in one place: the file says OpenSSL 3.5.0, its path says OpenSSL 3.6.1\n"
    );
}

/// Also what only the files or other reports tell; `parse/manifest/tests.rs` has the rest.
#[test]
fn reports_problems_of_report_toml() {
    for (text, message) in [
        (
            "machine = \"m\"\ntitel = \"x\"\n",
            "2: unknown field `titel`",
        ),
        (
            "machine = \" \"\n",
            "1: empty value; leave the key out instead",
        ),
        (
            "\nsubject = \"gnutls\"\n",
            "2: subject = \"gnutls\" is neither a library nor a build of this report, which has ",
        ),
        (
            "headline = [\n\"memory, 1.3\",\n]\n",
            "2: headline `memory, 1.3` has no figure in this report",
        ),
        (
            "[[implementation]]\nname = \"a\"\nfiles = [\"*\",\n\"none/*.txt\"]\n",
            "4: `none/*.txt` in `files` matches no file with figures",
        ),
        (
            "previous = \"elsewhere\"\n",
            "1: previous = \"elsewhere\" is not another report in the data",
        ),
    ] {
        let folder = Folder::site()
            .with("data/report.toml", text)
            .with("data/table.csv", GOOD);
        let run = generator(folder.path(), &["ingest", "data"]).code_is(3);
        run.says(&format!("error: data/report.toml:{message}"));
        assert!(!folder.join("content").exists());
    }
}

#[test]
fn usage_errors_exit_with_2() {
    let folder = Folder::new().with("file.csv", GOOD);
    for (arguments, message) in [
        ([].as_slice(), "Usage: generator"),
        (&["nonsense"], "unrecognized subcommand 'nonsense'"),
        (&["show"], "required arguments were not provided"),
        (
            &["show", "file.csv", "--format", "xml"],
            "possible values: text, markdown, csv, json",
        ),
        (
            &["show", "file.csv", "-f", "("],
            "invalid value '(' for '--filter <REGEX>'",
        ),
        (
            &["ingest", "file.csv", "--check", "--watch"],
            "cannot be used with",
        ),
        (
            &["compare", "-", "-"],
            "only one side can be standard input",
        ),
        (
            &["ingest", "file.csv"],
            ". is not a Zola site: it has no config.toml; name the site with --site",
        ),
    ] {
        let run = generator(folder.path(), arguments).code_is(2);
        let run = run.says(message);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    assert_eq!(folder.tree().len(), 1, "nothing is written");
}

#[test]
fn system_errors_exit_with_4() {
    let folder = Folder::site().with("data/x/report.toml", "");
    let missing = "cannot read missing: No such file or directory";
    for (arguments, message) in [
        (["show", "missing"].as_slice(), missing),
        (&["compare", "missing", "missing"], missing),
        (&["ingest", "missing"], "there is no missing"),
    ] {
        let failed = generator(folder.path(), arguments).code_is(4);
        failed.says(&format!("error: {message}"));
    }
}

#[test]
fn reads_standard_input() {
    let folder = Folder::new();
    let shown = generator_reading(
        folder.path(),
        &["show", "-", "--format", "csv"],
        GOOD.as_bytes(),
    )
    .success();
    shown.prints("encode,rustls,0.23.40,ns,1,5,");
    let failed = generator_reading(folder.path(), &["show", "-"], b"nonsense\n").code_is(3);
    assert_eq!(
        failed.stderr,
        format!("error: standard input:1: {UNKNOWN}\n")
    );
    generator_reading(folder.path(), &["show", "-"], b"").code_is(3);
    let folder = folder.with("new.csv", GOOD.replace(",5", ",4"));
    let compared =
        generator_reading(folder.path(), &["compare", "-", "new.csv"], GOOD.as_bytes()).success();
    compared.prints("1.25x faster");
}

/// A file that makes the program print a note to standard error.
const WITH_NOTE: &str =
    "test big ... bench: 12 ns/iter (+/- 1)\ntest tiny ... bench: 0 ns/iter (+/- 0)\n";

#[test]
fn ignores_closed_output_pipes() {
    let folder = Folder::new()
        .with("file.csv", GOOD)
        .with("noted", WITH_NOTE);
    for (arguments, code) in [
        (["completions", "bash"].as_slice(), 0),
        (&["man"], 0),
        (&["--help"], 0),
        (&["show", "file.csv"], 0),
        (&["show", "noted"], 0),
        (&["show", "missing"], 4),
        (&["nonsense"], 2),
    ] {
        for closes_output in [true, false] {
            let mut command = program();
            command.current_dir(folder.path()).args(arguments);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            match closes_output {
                true => drop(child.stdout.take()),
                false => drop(child.stderr.take()),
            }
            let found = child.wait_with_output().unwrap().status.code();
            assert_eq!(found, Some(code), "{arguments:?}, {closes_output}");
        }
    }
}

#[test]
fn output_errors_exit_with_4() {
    let folder = Folder::new()
        .with("file.csv", GOOD)
        .with("bad.csv", "nonsense\n")
        .with("noted", WITH_NOTE);
    let command = |arguments: &[&str]| {
        let mut command = program();
        command.current_dir(folder.path()).args(arguments);
        command
    };
    let full = || {
        let device = std::fs::OpenOptions::new().write(true).open("/dev/full");
        Stdio::from(device.expect("/dev/full opens"))
    };
    for arguments in [
        ["show", "file.csv"].as_slice(),
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["show", "--help"],
        &["--version"],
    ] {
        let failed = run(command(arguments).stdout(full())).code_is(4);
        assert_eq!(
            failed.stderr,
            "error: cannot write to standard output: No space left on device (os error 28)\n",
            "{arguments:?}"
        );
        run(command(arguments).stdout(full()).stderr(full())).code_is(4);
    }
    for (arguments, code) in [
        (["show", "file.csv"].as_slice(), 0),
        (&["show", "noted"], 4),
        (&["show", "noted", "--quiet"], 0),
        (&["show", "bad.csv"], 3),
        (&["show", "missing"], 4),
        (&["show"], 2),
        (&[], 2),
    ] {
        run(command(arguments).stderr(full())).code_is(code);
    }
}

#[test]
fn follows_the_colour_settings() {
    let folder = Folder::new();
    for (variable, color, is_coloured) in [
        // Standard error is not a terminal.
        (None, "auto", false),
        (None, "always", true),
        (Some("CLICOLOR_FORCE"), "auto", true),
        (Some("CLICOLOR_FORCE"), "never", false),
        (Some("NO_COLOR"), "auto", false),
        (Some("NO_COLOR"), "always", true),
    ] {
        let mut command = program();
        command.envs(variable.map(|name| (name, "1")));
        command.args(["show", "missing", "--color", color]);
        let failed = run(command.current_dir(folder.path())).code_is(4);
        let found = failed.stderr.contains('\u{1b}');
        assert_eq!(found, is_coloured, "{variable:?}, {color}");
    }
}

#[test]
fn prints_completions_manual_and_version() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = generator(folder.path(), &["completions", shell]).success();
        assert!(script.stdout.contains("ingest"), "{shell}");
    }
    let manual = generator(folder.path(), &["man"]).success();
    let manual = manual.prints(".TH generator 1");
    let references = manual.stdout.split("generator\\-").skip(1);
    let references = references.filter_map(|rest| rest.split_once("(1)"));
    let commands: Vec<&str> = references.map(|(command, _)| command).collect();
    assert!(commands.contains(&"compare"));
    for command in commands {
        let manual = generator(folder.path(), &["man", command]).success();
        manual.prints(&format!(".TH generator-{command} 1  \"generator "));
    }
    let unknown = generator(folder.path(), &["man", "nothing"]).code_is(2);
    unknown.says("there is no command `nothing`; see generator --help");
    let version = generator(folder.path(), &["--version"]).success();
    assert_eq!(
        version.stdout,
        format!("generator {}\n", env!("CARGO_PKG_VERSION"))
    );
}

fn report(arguments: &[&str]) -> Run {
    generator(&fixture("report"), arguments).success()
}

const OLD: &str = "2026-01-10-small/openssl";
const NEW: &str = "2026-02-14-small/openssl_3.6.1";

#[test]
fn shows_in_every_format() {
    for format in ["text", "markdown", "csv", "json"] {
        let shown = report(&["show", NEW, "--format", format]);
        assert_eq!(shown.stderr, "");
        insta::assert_snapshot!(format!("show_{format}"), shown.stdout);
    }
}

/// No row has ties, and the p values are those of `scipy.stats.mannwhitneyu(method="exact")` and
/// `false_discovery_control` of SciPy 1.17.1.
#[test]
fn compares_in_every_format() {
    for format in ["text", "markdown", "csv"] {
        let compared = report(&["compare", OLD, NEW, "-q", "--format", format]);
        insta::assert_snapshot!(format!("compare_{format}"), compared.stdout);
    }
    // A row of JSON has fifty lines.
    let two = ["-f", "^transfer", "--format", "json"];
    let compared = report(&[&["compare", OLD, NEW, "-q"], &two[..]].concat());
    insta::assert_snapshot!("compare_json", compared.stdout);
}

#[test]
fn tables_for_spreadsheets_have_no_formulas() {
    let folder = Folder::new()
        .with("a.csv", "scenario,unit,rustls 1\n=HYPERLINK(1),ns,5\n")
        .with("b.csv", "scenario,unit,rustls 2\n=HYPERLINK(1),ns,5\n");
    for command in [&["show", "a.csv"][..], &["compare", "a.csv", "b.csv"]] {
        let arguments = [command, &["--format", "csv"]].concat();
        let shown = generator(folder.path(), &arguments).success().stdout;
        assert!(shown.contains("\n'=HYPERLINK(1),"), "{shown}");
    }
}

#[test]
fn notes_that_intervals_are_of_the_median() {
    let runs: String = (1..=6)
        .map(|run| format!("{run},encode,ns,{run}\n"))
        .collect();
    let few = "scenario,unit,value\nencode,ns,5\n";
    let folder = Folder::new()
        .with("runs/runs.csv", format!("run,scenario,unit,value\n{runs}"))
        .with("few/few.csv", few);
    let note = "note: intervals of figures are those of the median\n";
    for (estimator, arguments, stderr) in [
        ("min", ["show", "runs"].as_slice(), note),
        ("mean", &["compare", "runs", "runs"], note),
        ("median-high", &["show", "runs"], ""),
        ("min", &["show", "few"], ""),
    ] {
        let settings = format!("estimator = \"{estimator}\"\n");
        folder.write(&format!("{}/report.toml", arguments[1]), settings);
        let shown = generator(folder.path(), arguments).success();
        assert_eq!(shown.stderr, stderr, "{arguments:?}");
    }
}

#[test]
fn filters_scenarios() {
    let labels = |arguments: &[&str]| -> Vec<String> {
        let shown = report(&[&["show", NEW, "--format", "csv"], arguments].concat());
        let rows = rows(&shown.stdout).into_iter();
        rows.map(|row| row["scenario"].clone()).collect()
    };
    let all = labels(&[]);
    assert!(all.len() >= 8, "{all:?}");
    type Wanted = fn(&str) -> bool;
    for (arguments, wanted) in [
        (
            ["-f", "^full"].as_slice(),
            (|l| l.starts_with("full")) as Wanted,
        ),
        (&["--filter", "1\\.3"], |l| l.contains("1.3")),
        (&["-F", "^full"], |l| !l.starts_with("full")),
        (&["-f", "handshakes", "--filter-not", "server"], |l| {
            l.contains("handshakes") && !l.contains("server")
        }),
    ] {
        let mut expected = all.clone();
        expected.retain(|label| wanted(label));
        assert_eq!(labels(arguments), expected, "{arguments:?}");
    }
    let typo = ["show", NEW, "-f", "nothing like this"];
    let typo = generator(&fixture("report"), &typo).code_is(3);
    typo.says("leaves out all scenarios; there are: ")
        .says(&all[0]);
    let filters = ["-f", "^transfer", "-F", "sending"];
    let compared = report(&[&["compare", OLD, NEW, "--format", "csv"], &filters[..]].concat());
    assert_eq!(compared.stdout.lines().count(), 2, "{}", compared.stdout);
}

//! Refusals before anything is built or written.

use crate::place::{LIBRARIES, Place};

#[test]
fn foreign_folders_are_left_alone() {
    let place = Place::bare();
    place.put("file", "mine");
    place.put("foreign/report.toml", "title = \"Mine\"\n");
    place.put("foreign/openssl/output_1", "a figure");
    for (out, code, part) in [("foreign", 2, "it has openssl, but no run.toml")] {
        for more in ["", "--dry-run"] {
            let words = format!("run toy --out {out} {more}");
            place.generator(&words).code_is(code).says(part);
        }
    }
    assert!(!place.path("target").exists(), "nothing was built");
    assert_eq!(place.read("file"), "mine");
    // A new report may start with a description and prose.
    let place = Place::new();
    place.put("2026-11-30-toy/report.toml", "title = \"Mine\"\n");
    place.put("2026-11-30-toy/notes.md", "Words.\n");
    place.run("toy --runs 1", &[]).success();
    assert!(place.report().contains("title = \"Mine\""));
}

#[test]
fn a_dry_run_changes_nothing() {
    let place = Place::bare();
    let words = "toy toy+b --suite memory --dry-run --runs 3";
    let ended = place.run(words, &[]).success();
    ended
        .prints("Toy, b")
        .prints("memory, 1.3, 10000 sessions")
        .prints("3 runs")
        .prints("48 processes");
    assert!(!place.out().exists() && !place.path("target").exists());
}

#[test]
fn wrong_names_are_refused() {
    let place = Place::new();
    for (words, part) in [
        ("tls", "no implementation `tls`; available are toy"),
        ("toy+c", "no variant `c`; it has a, b"),
        ("toy@system", "`toy@system` cannot be measured"),
        ("toy@x", "`toy@x` is not an implementation"),
        ("toy@0.x", "`toy@0.x` is not an implementation"),
        ("@1.0.0", "`@1.0.0` is not an implementation"),
        ("toy@", "`toy@` is not an implementation"),
        ("toy+", "`toy+` is not an implementation"),
        ("toy@1", "named without a version"),
        ("toy@1.0..2", "named without a version"),
        ("toy --newest 0", "a whole number of 1 or more"),
        (
            "toy@2.0.0",
            "available is toy in one release, named without a version",
        ),
        ("toy toy+a", "named twice"),
        ("toy+a+b", "two of a kind"),
        ("toy -f no.such", "no scenario is left"),
        ("toy --multiplier 0", "a positive number"),
        ("toy --multiplier -1", "a positive number"),
        ("toy --multiplier nan", "a positive number"),
        ("toy --multiplier 1e9", "at most a million"),
        ("toy --timeout -1", "a positive number"),
        ("toy --runs 0", "not in 1..=9999"),
        ("toy --suite none", "possible values"),
    ] {
        place.run(words, &[]).code_is(2).says(part);
    }
    assert!(place.log().is_empty());
    let list = place.generator("run --list").success();
    list.prints("toy ").prints("+a +b");
}

/// In one line, with the place as far as it is known.
#[test]
fn a_malformed_table_is_refused() {
    let place = Place::bare();
    for (line, message) in [
        ("[[package", "unclosed array table, expected `]]`\n"),
        (
            "colour = 'red'",
            "unknown field `colour`, expected one of `name`, ",
        ),
        (
            "versions = 7",
            "invalid type: integer `7`, expected a map\n",
        ),
    ] {
        let word = "word = \"toy\"\n";
        let table = LIBRARIES.replace(word, &format!("{word}{line}\n"));
        place.put("runners/libraries.toml", &table);
        let refused = place.run("toy --dry-run", &[]).code_is(3);
        let stderr = refused
            .says(&format!("runners/libraries.toml:4: {message}"))
            .stderr;
        assert_eq!(
            (stderr.lines().count(), stderr.contains("\\u{A}")),
            (1, false),
            "{stderr}"
        );
    }
}

#[test]
fn incomparable_measurements_are_refused() {
    let place = Place::new();
    place.run("toy --runs 1 --seed 3", &[]).success();
    let path = "2026-11-30-toy/run.toml";
    let record = place.read(path);
    let refuse = |words: &str, code: i32, part: &str| {
        place.run(words, &[]).code_is(code).says(part);
    };
    refuse("toy --multiplier 2", 2, "--multiplier 1, not 2");
    refuse("toy --seed 4", 2, "--seed 3, not 4");
    place.put(path, &record.replace("kernel = \"", "kernel = \"another "));
    refuse("toy", 4, "another machine, whose kernel is `another Linux");
    place.put(path, &record);
    place.program("bin/getconf", "#!/bin/sh\necho broken >&2\nexit 1\n");
    let bin = place.path("bin").display().to_string();
    let path_with_bin = format!("{bin}:{}", std::env::var("PATH").expect("a path"));
    let ended = place.run("toy", &[("PATH", &path_with_bin)]).code_is(4);
    ended
        .says("another machine, whose libc is `")
        .says("` and not `unknown`");
    let mut lines = record.lines();
    let line = lines
        .find(|l| l.contains("toy_1.0.0_a"))
        .expect("a program");
    let other = format!("\"toy_1.0.0_a\" = \"{}\"", "0".repeat(64));
    place.put(path, &record.replace(line, &other));
    refuse("toy", 4, "another build of the same release");
    place.put(path, "seed = true\n");
    refuse("toy", 3, "run.toml: ");
}

#[test]
fn a_missing_tool_is_reported_before_the_build() {
    let place = Place::bare();
    let needs = "word = \"toy\"\nneeds = [\"no-such-tool\", \"cc\"]\n";
    let table = LIBRARIES.replace("word = \"toy\"\n", needs);
    place.put("runners/libraries.toml", &table);
    let ended = place.run("toy", &[]).code_is(4);
    ended.says("the builds need no-such-tool: install");
}

#[test]
fn a_failed_build_shows_the_end_of_its_log() {
    let place = Place::bare();
    place.put("runners/toy/src/main.rs", "fn main() { undefined() }\n");
    let ended = place.run("toy", &[]).code_is(4);
    let log = place.path("target/run/toy_a/build.log");
    let named = log.canonicalize().expect("a log").display().to_string();
    ended.says("cannot find function `undefined`").says(&named);
}

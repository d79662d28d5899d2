//! Releases by name, and ranges of them.

use crate::common::Run;
use crate::place::{LIBRARIES, Place, TOY};

/// The index cache of cargo 1.90: a header, then a number and a line for each version.
const INDEX: &str = "\u{3}\u{2}\0\0\0etag: x\0\
    0.9.0\0{\"vers\":\"0.9.0\",\"pubtime\":\"2024-01-01T00:00:00Z\"}\0\
    1.0.0\0{\"vers\":\"1.0.0\",\"pubtime\":\"2024-02-01T23:59:59Z\"}\0\
    1.0.1\0{\"vers\":\"1.0.1\",\"pubtime\":\"2024-03-01T00:00:00Z\"}\0\
    1.0.2\0{\"vers\":\"1.0.2\",\"yanked\":true}\0\
    1.1.0\0{\"vers\":\"1.1.0\"}\0\
    1.2.0-rc.1\0{\"vers\":\"1.2.0-rc.1\"}\0";

/// A cargo whose `update --precise` only edits the lock file.
const PINNING: &str = r#"#!/bin/sh
case "$1 $2" in
    'update --dry-run' | 'update --workspace') ;;
    'update '*) sed -i "0,/^version = \"1.0.0\"/s//version = \"$5\"/" Cargo.toml Cargo.lock ;;
    *) exec cargo "$@" ;;
esac
"#;

/// The table with a pinned library.
pub(crate) fn pinning(more: &str) -> String {
    let pin = format!("pin = \"toy-library\"\n{more}");
    let series = "[[library.series]]\n";
    LIBRARIES.replace(series, &format!("{pin}{series}releases = \"1\"\n"))
}

impl Place {
    /// Creates a place with a toy whose releases are in an index.
    pub(crate) fn with_releases() -> Self {
        let place = Self::bare();
        place.put("runners/libraries.toml", &pinning(""));
        place.put("home/registry/index/mirror/.cache/to/y-/toy-library", INDEX);
        place.cargo(PINNING);
        place
    }

    pub(crate) fn run_releases(&self, words: &str, environment: &[(&str, &str)]) -> Run {
        let [cargo, home] = ["cargo", "home"].map(|part| self.path(part).display().to_string());
        let own = [("CARGO", cargo.as_str()), ("CARGO_HOME", &home)];
        self.run(words, &[environment, &own].concat())
    }
}

#[test]
fn an_unknown_release_is_refused_before_the_build() {
    let place = Place::with_releases();
    let unknown = "`toy@1.0.7`: there is no such release to build here";
    // Without a connection, a release newer than the last lookup may exist.
    place.cargo("#!/bin/sh\necho no connection >&2\nexit 101\n");
    for dry_run in ["--dry-run", ""] {
        let ended = place.run_releases(&format!("toy@1.0.7 {dry_run}"), &[]);
        ended
            .code_is(4)
            .says("cannot look up the releases of toy-library")
            .says("no connection");
    }
    place.cargo("#!/bin/sh\ntest $2 = --dry-run\n");
    for dry_run in ["--dry-run", ""] {
        let ended = place.run_releases(&format!("toy@1.0.7 {dry_run}"), &[]);
        ended.code_is(2).says(unknown);
    }
    // Of a known release nothing is looked up.
    place.cargo("#!/bin/sh\nexit 9\n");
    let ended = place.run_releases("toy@1.0.1 --dry-run", &[]).success();
    assert_eq!(ended.stderr, "");
    let ended = place.run_releases("toy@2.0.0 --dry-run", &[]).code_is(2);
    ended.says("`toy@2.0.0` cannot be measured: available is toy ^1");
    assert!(!place.path("target").exists(), "something was built");
}

#[test]
fn an_unavailable_release_has_the_error_of_cargo() {
    let place = Place::with_releases();
    place.cargo("#!/bin/sh\necho 'error: failed to download `toy-library`' >&2; exit 101\n");
    let ended = place.run_releases("toy@1.0.1", &[]).code_is(4);
    ended
        .says("Toy 1.0.1, a does not build")
        .says("error: failed to download `toy-library`");
}

/// Cargo itself, with an empty folder and without a connection.
#[test]
fn missing_sources_are_an_error() {
    let place = Place::bare();
    let depends = "[workspace]\n[dependencies]\ntoy-library = \"1\"\n";
    place.put("runners/libraries.toml", &pinning(""));
    let toy = TOY.replace("[workspace]\n", depends);
    place.put("runners/toy/Cargo.toml", &toy);
    let mut lock = place.read("runners/toy/Cargo.lock");
    lock += "dependencies = [\"toy-library\"]\n\n[[package]]\nname = \"toy-library\"\nversion = \"1.0.0\"\n";
    lock += "source = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"";
    place.put(
        "runners/toy/Cargo.lock",
        &format!("{lock}{}\"\n", "0".repeat(64)),
    );
    let home = place.path("empty").display().to_string();
    let nowhere = [
        ("CARGO_HOME", home.as_str()),
        ("CARGO_HTTP_PROXY", "127.0.0.1:1"),
        ("CARGO_NET_RETRY", "0"),
    ];
    for (words, says) in [
        ("toy", "Toy 1.0.0, a does not build; the log is "),
        ("toy@1.0.1", "cannot look up the releases of toy-library:\n"),
        ("toy@1.0..", "cannot look up the releases of toy-library:\n"),
    ] {
        place.run(words, &nowhere).code_is(4).says(says);
    }
}

#[test]
fn a_range_is_its_releases() {
    let place = Place::with_releases();
    for (words, expected, message) in [
        ("toy@1.0..", &["1.0.1", "1.1.0"], ""),
        (
            "toy@0.9..1.0.1",
            &["1.0.0", "1.0.1"],
            "left out: toy 0.9.0: not supported by any runner",
        ),
        ("toy@1.0.2..1.1.0+b", &["1.0.2", "1.1.0"], ""),
        ("toy@1", &["1.0.1", "1.1.0"], ""),
        ("toy --newest 2", &["1.0.1", "1.1.0"], ""),
        ("toy@1.0..1.2", &["1.0.1", "1.1.0"], ""),
    ] {
        let ended = place.run_releases(&format!("{words} --dry-run"), &[]);
        let printed = ended.success().says(message).stdout;
        let lines: Vec<&str> = printed.lines().take_while(|l| !l.is_empty()).collect();
        assert_eq!(lines.len(), expected.len(), "{lines:?}");
        for (line, version) in lines.iter().zip(expected) {
            assert!(line.starts_with(&format!("Toy {version}, ")), "{line}");
        }
    }
    // An implementation with one release is a range of one.
    Place::bare().run("toy --newest 2 --dry-run", &[]).success();
    for range in ["toy@1.3..", "toy@1.0.7", "toy@1.2"] {
        let ended = place.run_releases(&format!("{range} --dry-run"), &[]);
        ended.code_is(2).says("there is no such release");
    }
}

#[test]
fn the_releases_of_a_range_are_measured_with_their_dates() {
    let place = Place::with_releases();
    place
        .run_releases("toy@1.0.0..1.0.1 --runs 1", &[])
        .success();
    let report = place.report();
    for part in ["released = 2024-02-01\n", "released = 2024-03-01\n"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    let ended = place.run_releases("toy@1.0.0..1.1.0 --runs 1 --dry-run", &[]);
    ended
        .success()
        .prints("Toy 1.0.0, a  2024-02-01\n")
        .prints("Toy 1.1.0, a  -\n");
}

//! `generator bisect`: the commit, or the release, at which a figure changed.

use crate::place::{Place, end_of, signal, wait_until};
use crate::sources::library;
use rustix::process::Signal;

const FIGURE: &str = "-f full.*1.3,.rsa,.client";

#[test]
fn the_commit_of_a_change_is_found() {
    let place = Place::with_library();
    let broken = ("src/lib.rs", "no Rust".to_owned());
    let states = [1000, 1000, 1000, 0, 900, 900, 900].map(|rate| match rate {
        0 => vec![broken.clone()],
        rate => library("1.0.7", rate).to_vec(),
    });
    let commits = states.map(|state| place.commit(&state));
    let range = format!("bisect toy@git:repository#{}.. {FIGURE}", commits[0]);
    let listed = place.run_sources(&format!("{range} --dry-run")).success();
    assert_eq!(listed.stdout.lines().count(), 7, "{}", listed.stdout);
    assert!(!place.out().exists());

    // A killed search continues where it ended.
    let home = place.path("home").display().to_string();
    let environment = [("TOY_SLEEPS", "10"), ("CARGO_HOME", &home)];
    let child = place.spawn(&range, &environment);
    wait_until("results", || place.log().len() >= 9);
    signal(&child, Signal::KILL);
    end_of(child);
    let before = place.log().len();
    let found = place.run_sources(&range).success();
    let title = |commit: usize| format!("{} a.step\n", commits[commit]);
    let printed = found
        .prints(&format!("first with the change: {}", title(4)))
        .prints(&format!(
            "or one of these, which could not be judged: {}",
            title(3)
        ))
        .prints(&format!("last without it:       {}", title(2)))
        .prints("between these two:     1.11x slower, 95% interval")
        .prints("10 runs each in turns")
        .prints("4 of 7 steps built, 1 skipped")
        .stdout;
    // Versions are in the order of the commits, not of the search.
    let report = place.report();
    let lines = report.lines();
    let versions = lines.filter_map(|l| l.strip_prefix("version = \"1.0.7+")?.strip_suffix('"'));
    let expected = [0, 2, 4, 6].map(|n: usize| commits[n].as_str());
    assert_eq!(versions.collect::<Vec<_>>(), expected);
    // The ends, two steps with both ends, and the two neighbours.
    let measured = place.log().len();
    assert!(
        (10 * (2 + 3 + 3 + 2)..=10 * 10 + 1).contains(&measured),
        "{measured}, {before} before"
    );
    assert_eq!(place.run_sources(&range).success().stdout, printed);
    assert_eq!(place.log().len(), measured);
    let (_, page) = place.page();
    assert!(page.contains(&format!("1.0.7+{}", commits[4])), "{page}");
}

#[test]
fn the_release_of_a_change_is_found() {
    let place = Place::with_releases();
    let words = format!("bisect toy@1.0.0..1.1.0 {FIGURE}");
    let found = place.run_releases(&words, &[("TOY_SLOW_SINCE", "1.0.1")]);
    found
        .success()
        .prints("first with the change: Toy 1.0.1, a (2024-03-01)\n")
        .prints("last without it:       Toy 1.0.0, a (2024-02-01)\n");
    let place = Place::with_releases();
    let ended = place.run_releases(&words, &[]).code_is(1);
    ended
        .prints("no change shown, ratio 1.0000")
        .prints("2 of 3 steps built")
        .says("no change of `full handshakes, 1.3, rsa, client` can be shown");
}

/// ClientHellos have several units: `pq` bisects their rate, and `counts` their instructions.
#[test]
fn each_suite_bisects_one_unit() {
    let place = Place::with_releases();
    let words = "bisect toy@1.0.0..1.0.1 -f ^client.hello,.x25519,.client$ --suite";
    for (suite, unit, change) in [
        ("pq", "handshakes/s", "1.11x slower"),
        ("counts", "instructions", "10.0% more"),
    ] {
        let mut environment = vec![("TOY_SLOW_SINCE", "1.0.1")];
        if suite == "counts" {
            environment.push(("TOY_COUNTS", ""));
        }
        let found = place.run_releases(&format!("{words} {suite}"), &environment);
        found
            .success()
            .prints(&format!("client hello, x25519, client, in {unit}\n"))
            .prints("first with the change: Toy 1.0.1, a (2024-03-01)\n")
            .prints(&format!("between these two:     {change}"))
            .prints(", 10 runs each in turns\n");
        let last = place.out().join(format!("toy_1.0.1_a/run-010-{suite}.csv"));
        assert!(last.is_file(), "{}", last.display());
    }
}

#[test]
fn bisect_needs_a_range_and_one_scenario() {
    let place = Place::with_releases();
    for (words, part) in [
        ("toy", "`toy` is not a range of two or more steps"),
        ("toy@1.0.0", "is not a range"),
        ("toy@1.0.0..1.0.0", "is not a range"),
        ("toy@git:repository#main", "is not a range"),
        (
            "toy@1.0.0..1.1.0 --suite all",
            "-f and -F leave 6 scenarios; name one",
        ),
        ("toy@1.0.0..1.1.0 --max-runs 4", "4 is not in 10..=9999"),
        ("toy@1.0.0..1.1.0 -F handshakes", "leave no scenario"),
    ] {
        let ended = place.run_releases(&format!("bisect {words} {FIGURE}"), &[]);
        ended.code_is(2).says(part);
    }
}

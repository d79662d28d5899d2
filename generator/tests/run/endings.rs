//! Measurements and builds that are interrupted, killed, or started twice.

use crate::place::{OUT, Place, end_of, signal, wait_until};
use rustix::process::Signal;

const WORDS: &str = "toy toy+b --control=never --runs 8 --seed 9";

#[test]
fn a_killed_measurement_continues() {
    let whole = Place::new();
    whole.run(WORDS, &[]).success();

    let killed = Place::new();
    let child = killed.spawn(WORDS, &[("TOY_SLEEPS", "20")]);
    wait_until("results", || killed.results().len() >= 5);
    signal(&child, Signal::KILL);
    end_of(child);
    let before = killed.results();
    assert!(before.len() < 16, "it was killed too late");
    // Without --seed, it uses the seed of the folder.
    let unseeded = WORDS.trim_end_matches(" --seed 9");
    killed.run(unseeded, &[]).success();
    let after = killed.results();
    assert_eq!(killed.names(), whole.names());
    for (name, bytes) in before {
        assert_eq!(after[&name], bytes, "{name}");
    }
    // Only the interrupted process ran twice.
    assert!(!killed.out().join(".running").exists());
    let mut log = killed.log();
    assert!(log.len() <= whole.log().len() + 1);
    log.dedup();
    assert_eq!(log, whole.log());
    let again = killed.run(WORDS, &[]).success();
    again.says("2026-11-30-toy has all of these results already");
    assert_eq!(killed.results(), after);
}

#[test]
fn a_signal_ends_it_cleanly() {
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let place = Place::new();
        let child = place.spawn(WORDS, &[("TOY_SLEEPS", "20")]);
        wait_until("a result", || place.results().len() >= 2);
        signal(&child, sent);
        let (stderr, ended) = end_of(child);
        assert_eq!(ended, Some(code), "{stderr}");
        let count = place.results().len();
        let last = format!(
            "interrupted: {count} of 16 files of results were measured into {OUT}; the same command continues"
        );
        assert_eq!(stderr.lines().last(), Some(last.as_str()));
        assert!(!place.out().join(".running").exists());
        assert_eq!(place.processes(), Vec::<String>::new());
        place.run(WORDS, &[]).success();
        assert_eq!(place.results().len(), 16);
    }
}

/// However the generator ends, the children of cargo and of measuring programs end too.
#[test]
fn no_process_outlives_the_generator() {
    for (sent, code) in [
        (Signal::INT, Some(130)),
        (Signal::TERM, Some(143)),
        (Signal::KILL, None),
    ] {
        for (place, variable, last) in [
            (
                Place::bare(),
                "CARGO",
                "interrupted while Toy, a was built; the same command continues\n",
            ),
            (Place::new(), "TOY_SHELL", "the same command continues\n"),
        ] {
            let sleeper = place.path("sleeper").display().to_string();
            place.put("sleeper", "trap '' TERM INT\nsleep 60\n");
            let script = format!("sh {sleeper} & wait");
            let script = match variable {
                "CARGO" => place.cargo(&format!("#!/bin/sh\n{script}\n")),
                _ => script,
            };
            let child = place.spawn("toy --runs 1", &[(variable, &script)]);
            let sleeps = || place.processes().iter().any(|c| c.contains("sleeper"));
            wait_until("a sleeper", sleeps);
            signal(&child, sent);
            let (stderr, ended) = end_of(child);
            assert_eq!(ended, code, "{stderr}");
            assert!(code.is_none() || stderr.ends_with(last), "{stderr}");
            wait_until("quiet", || !sleeps());
            assert!(place.results().is_empty());
            if sent == Signal::KILL {
                place.run("toy --runs 1", &[]).success();
            }
        }
    }
}

#[test]
fn a_second_measurement_is_refused() {
    let place = Place::new();
    let first = place.spawn(
        "toy --runs 1 -f 1.3,.rsa,.client",
        &[("TOY_SLEEPS", "2000")],
    );
    wait_until("a process", || !place.log().is_empty());
    let second = place.run("toy+b --runs 1", &[]).code_is(4);
    second.says("another measurement is running");
    assert_eq!(end_of(first).1, Some(0));
    assert!(place.out().is_dir());
}

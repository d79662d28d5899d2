//! Measurements and builds that are interrupted, killed, or started twice.

use crate::place::{OUT, Place, count_results, end_of, runs_in, signal, wait_until};
use rustix::fs::{FlockOperation, flock};
use rustix::process::Signal;
use std::fs;

const WORDS: &str = "toy toy+b --control=never --runs 8 --seed 9";

#[test]
fn a_killed_measurement_continues() {
    let whole = Place::new();
    whole.run(WORDS, &[]).success();

    let killed = Place::new();
    let child = killed.spawn(WORDS, &[("TOY_SLEEPS", "2")]);
    wait_until("results", || count_results(&killed.out()) >= 5);
    signal(&child, Signal::KILL);
    end_of(child);
    let before = killed.results();
    let count = count_results(&killed.out());
    assert!((5..16).contains(&count), "{count} when it was killed");
    // Without --seed, it uses the seed of the folder.
    let unseeded = WORDS.trim_end_matches(" --seed 9");
    killed.run(unseeded, &[]).success();
    let after = killed.results();
    assert_eq!(killed.names(), whole.names());
    for (name, bytes) in before {
        assert!(after[&name].starts_with(&bytes), "{name}");
        assert_eq!(
            (runs_in(&after[&name]), rows(&after[&name])),
            (8, rows(&whole.results()[&name]))
        );
    }
    // Only the interrupted run was measured twice.
    assert!(!killed.out().join(".running").exists());
    assert_eq!(whole.log().len(), 8 * 2 * 12);
    let again = killed.log().len() - whole.log().len();
    assert!(again <= 2 * 12, "{again} processes more");
    let again = killed.run(WORDS, &[]).success();
    again.says("2026-11-30-toy has all of these results already");
    assert_eq!(killed.results(), after);
}

fn rows(table: &[u8]) -> usize {
    table.iter().filter(|byte| **byte == b'\n').count()
}

#[test]
fn a_signal_ends_it_cleanly() {
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let place = Place::new();
        let child = place.spawn(WORDS, &[("TOY_SLEEPS", "2")]);
        wait_until("a result", || count_results(&place.out()) >= 2);
        signal(&child, sent);
        let (stderr, ended) = end_of(child);
        assert_eq!(ended, Some(code), "{stderr}");
        let count = count_results(&place.out());
        let last = format!(
            "interrupted: {count} of 16 runs of a suite were measured into {OUT}; the same command continues"
        );
        assert_eq!(stderr.lines().last(), Some(last.as_str()));
        assert!(!place.out().join(".running").exists());
        assert_eq!(place.processes(), Vec::<String>::new());
        place.run(WORDS, &[]).success();
        assert_eq!(count_results(&place.out()), 16);
    }
}

/// The children of cargo and of measuring programs end with a signal too.
#[test]
fn no_process_outlives_an_interrupted_generator() {
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        for (place, variable, last) in [
            (Place::bare(), "CARGO", "interrupted\n"),
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
            assert_eq!(ended, Some(code), "{stderr}");
            assert!(stderr.ends_with(last), "{stderr}");
            wait_until("quiet", || !sleeps());
            assert!(place.results().is_empty());
        }
    }
}

/// They read the end of their standard input.
#[test]
fn measuring_programs_end_with_a_killed_generator() {
    let place = Place::new();
    let child = place.spawn("toy --runs 1", &[("TOY_SLEEPS", "50")]);
    wait_until("processes", || !place.log().is_empty());
    signal(&child, Signal::KILL);
    end_of(child);
    wait_until("quiet", || place.processes().is_empty());
    assert!(place.results().is_empty());
    place.run("toy --runs 1", &[]).success();
}

#[test]
fn a_second_measurement_is_refused() {
    let place = Place::new();
    let first = place.spawn(
        "toy --runs 1 -f 1.3,.rsa,.x25519,.client",
        &[("TOY_SLEEPS", "300")],
    );
    wait_until("a process", || !place.log().is_empty());
    let second = place.run("toy+b --runs 1", &[]).code_is(4);
    let place_of_first = place.out().canonicalize().expect("a folder");
    let who = format!("process {} into {}", first.id(), place_of_first.display());
    second.says(&format!(
        "another measurement is running, by {who}, and two would"
    ));
    // What is wrong with a command is said first.
    let wrong = place.run("toy+b --runs 1 -f nothing", &[]).code_is(2);
    wrong.says("no scenario is left to measure");
    assert_eq!(end_of(first).1, Some(0));
    assert!(place.out().is_dir());
}

/// Another run may write the record until it unlocks the folders.
#[test]
fn the_record_is_read_after_the_folders_are_locked() {
    let words = "toy --runs 1 -f full.*1.3,.rsa,.x25519,.client";
    for (folder, busy) in [
        ("target/run", "another measurement is running"),
        (OUT, "another measurement into 2026-11-30-toy is running"),
    ] {
        let place = Place::new();
        place.put(&format!("{OUT}/run.toml"), "half of a rec");
        let locked = fs::File::open(place.path(folder)).expect("a folder");
        flock(&locked, FlockOperation::NonBlockingLockExclusive).expect("locked");
        place.run(words, &[]).code_is(4).says(busy);
        drop(locked);
        place.run(words, &[]).code_is(3).says("run.toml");
    }
}

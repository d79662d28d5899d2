//! The cache of built programs.

use crate::place::Place;
use std::fs;
use std::process::Command;

const MEASURE: &str = "toy --runs 1 -f full.*1.3,.rsa,.x25519,.client";

#[test]
fn a_changed_program_is_built_again_and_never_run() {
    let place = Place::new();
    let mark = place.path("mark");
    let script = format!("#!/bin/sh\ntouch '{}'\n", mark.display());
    let program = place.program("target/run/toy_a/runner-toy", &script);
    let ended = place.run(MEASURE, &[]).success();
    assert!(ended.stderr.contains("building Toy"), "{}", ended.stderr);
    assert!(!mark.exists(), "the changed program was run");
    assert_ne!(fs::read(program).expect("a program"), script.into_bytes());
}

#[test]
fn a_program_without_a_digest_is_built_again() {
    let place = Place::new();
    let ready = "target/run/toy_a/ready.json";
    let text = place.read(ready);
    let (before, digest) = text.split_once("\"digest\":\"").expect("a digest");
    let (_, after) = digest.split_once("\",").expect("its end");
    place.put(ready, &format!("{before}{after}"));
    let list = place.run("toy --dry-run", &[]).success().stdout;
    assert!(list.contains("to be built"), "{list}");
}

#[test]
fn a_moved_cache_has_its_own_programs() {
    let place = Place::new();
    let other = Place::bare();
    let mut moving = Command::new("mv");
    moving.args([place.path("target"), other.path("target")]);
    assert!(moving.status().expect("mv runs").success());
    let list = other.run("toy --dry-run", &[]).success().stdout;
    assert!(!list.contains("to be built"), "{list}");
    assert!(list.contains("built"), "{list}");
}

#[test]
fn another_c_compiler_needs_another_build() {
    let place = Place::new();
    let mut seen = Vec::new();
    for version in ["1", "2"] {
        let compiler = place.program("compiler", &format!("#!/bin/sh\necho toy-cc {version}\n"));
        let compiler = compiler.display().to_string();
        let environment = [("CC", compiler.as_str()), ("RUSTFLAGS", "-Clinker=cc")];
        let list = || place.run("toy --dry-run", &environment).success().stdout;
        seen.push(list().contains("to be built"));
        place.run(MEASURE, &environment).success();
        assert!(!list().contains("to be built"));
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn settings_of_cargo_and_of_libraries_need_another_build() {
    let place = Place::new();
    for (setting, changes) in [
        ("CARGO_PROFILE_RELEASE_OPT_LEVEL", true),
        ("CARGO_BUILD_RUSTFLAGS", true),
        ("AWS_LC_SYS_NO_ASM", true),
        ("LDFLAGS", true),
        // The build itself sets these.
        ("CARGO_TARGET_DIR", false),
        ("AWS_LC_SYS_USE_SYSTEM", false),
    ] {
        let list = place
            .run("toy --dry-run", &[(setting, "1")])
            .success()
            .stdout;
        assert_eq!(list.contains("to be built"), changes, "{setting}: {list}");
    }
}

#[test]
fn a_dry_run_has_the_day_that_a_built_program_reports() {
    let place = Place::new();
    let day = [("TOY_DAY", "2026-01-27")];
    let list = place.run("toy --dry-run", &day).success();
    list.prints("Toy, a  2026-01-27  built\n");
}

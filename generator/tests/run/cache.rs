//! What was built before.

use crate::place::Place;

const MEASURE: &str = "toy --runs 1 -f full.*1.3,.rsa,.x25519,.client";

/// What cargo builds replaces whatever is there.
#[test]
fn a_changed_program_is_never_run() {
    let place = Place::new();
    let mark = place.path("mark");
    let script = format!("#!/bin/sh\ntouch '{}'\n", mark.display());
    place.program("target/run/toy_a/runner-toy", &script);
    place.run(MEASURE, &[]).success();
    assert!(!mark.exists(), "the changed program was run");
}

#[test]
fn settings_of_cargo_need_another_build() {
    let place = Place::new();
    place.run(MEASURE, &[]).success();
    let setting = [("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")];
    let other = place
        .run(&MEASURE.replace("runs 1", "runs 2"), &setting)
        .code_is(4);
    other.says("was measured with another build of the same release");
    place.run(MEASURE, &[]).success();
}

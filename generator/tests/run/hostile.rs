//! Broken and hostile measuring programs: each ends soon, with an error, and corrupts nothing.

use crate::place::{Place, count_results, wait_until};
use rustix::process::{Pid, Signal, kill_process};

/// A script that is ready, and gives this answer to each slice.
fn answers(answer: &str) -> String {
    format!("echo ready; while read -r command N; do echo \"{answer}\"; done; exit 1")
}

#[test]
fn failures_are_bounded_and_reported() {
    let place = Place::new();
    // A link in the place, so that `processes` finds it.
    let sleep = place.path("sleep");
    std::os::unix::fs::symlink("/bin/sleep", &sleep).expect("a link");
    let wrong = "its answer to a slice of 1 is `";
    for (script, part) in [
        ("yes", "it answered `y` instead of `ready`"),
        (
            "yes | tr -d '\\n'",
            "it printed more than 8388608 bytes to standard output",
        ),
        (
            "yes >&2",
            "it printed more than 8388608 bytes to standard error",
        ),
        (
            "trap '' TERM INT; exec >&- 2>&-; sleep 60",
            "still running after 3 s; give it longer with --timeout",
        ),
        (
            "echo ready; sleep 60",
            "still running after 3 s; give it longer with --timeout",
        ),
        ("sleep 60 & exit 7", "exit status: 7"),
        ("exit 0", "it ended without an answer"),
        ("echo ready; read -r x", "it ended without an answer"),
        (
            "echo ready; read -r x; echo not resumed >&2; exit 1",
            "exit status: 1: not resumed",
        ),
        ("kill -KILL 0", "signal: 9 (SIGKILL)"),
        (
            "head -c 9000 /dev/zero | tr '\\0' '\\033' >&2; exit 1",
            "\\u{1B}…",
        ),
        (&answers(""), wrong),
        (&answers("NaN 5 5 5"), wrong),
        (&answers("1.5 5 5 5"), wrong),
        (&answers("-5 5 5 5"), wrong),
        (&answers("0 5 5 5"), wrong),
        (&answers("5 5 5"), wrong),
        (&answers("5 5 5 5 5 5"), wrong),
        (&answers("99999999999999999999 5 5 5"), wrong),
        // However many operations, they take no time.
        (&answers("1 1 1 1"), "its operations take no time"),
    ] {
        let words = "toy --runs 1 --timeout 3 -f full.*1.3,.rsa,.x25519,.client";
        let script = script.replace("sleep", &sleep.display().to_string());
        let ended = place.run(words, &[("TOY_SHELL", &script)]).code_is(4);
        let stderr = ended
            .says("failed: Toy 1.0.0, a, measure, run 1: `full handshakes, 1.3, rsa, x25519`: ")
            .says(part)
            .stderr;
        assert!(stderr.len() < 4000, "{stderr}");
        assert!(place.results().is_empty());
        // Killed descendants are reaped by init.
        wait_until(&script, || place.processes().is_empty());
    }
    // A process that leaves the group lives on, and nothing waits for it.
    let script =
        "setsid sh -c 'echo $$ >pid; exec SLEEP 60' & until [ -s pid ]; do :; done; exit 7";
    let script = script.replace("SLEEP", &sleep.display().to_string());
    let words = "toy --runs 1 --timeout 30 -f full.*1.3,.rsa,.x25519,.client";
    let ended = place.run(words, &[("TOY_SHELL", &script)]).code_is(4);
    ended.says("exit status: 7");
    let left = place.read("pid").trim().parse().expect("a process");
    let left = Pid::from_raw(left).expect("a process");
    kill_process(left, Signal::KILL).expect("it lived on");
    let endless = [("TOY_ABOUT", "yes")];
    let ended = place.run("toy --runs 1", &endless).code_is(4);
    ended.says("it printed more than 8388608 bytes");
}

/// An outlier is kept, with a warning.
#[test]
fn failed_processes_are_no_samples() {
    for (variable, value, part) in [
        ("TOY_FAILS", "b", "TLS 1.2 was negotiated"),
        (
            "TOY_SHELL",
            "[ $0 = b ] || exit 99",
            "`transfer, 1.2, aes-128-gcm`: it ended without an answer",
        ),
    ] {
        let place = Place::new();
        let words = "toy toy+b --runs 2";
        let ended = place.run(words, &[(variable, value)]).code_is(4);
        ended
            .says(part)
            .says("24 results are missing")
            .says("Toy 1.0.0, b, measure, run 2");
        assert_eq!(place.names(), ["toy_1.0.0_a/measure.csv"]);
        place.run(words, &[]).success();
        assert_eq!(count_results(&place.out()), 4);
    }
}

/// The others of the program and those of other programs are kept.
#[test]
fn a_failure_loses_one_scenario() {
    let place = Place::new();
    let words = "toy toy+b --runs 1 --seed 1";
    let fails = [("TOY_FAILS", "resumed handshakes, 1.2, ticket")];
    let ended = place.run(words, &fails).code_is(4);
    ended.says("2 results are missing; the same command tries them again");
    let first = place.results();
    assert_eq!(first.len(), 2);
    let more = place.run(words, &[]).success();
    more.says("2 runs of a suite to measure");
    let all = place.results();
    for (name, bytes) in first {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!(text.matches("1.2, ticket").count(), 0);
        let rest = all[&name].strip_prefix(&*bytes).expect("the rest");
        let rest = String::from_utf8_lossy(rest).into_owned();
        assert_eq!(rest.matches("1.2, ticket").count(), 2, "{rest}");
        // Heading, and both sides of a scenario.
        assert_eq!((text.lines().count(), rest.lines().count()), (23, 2));
    }
}

#[test]
fn a_program_of_another_library_is_refused() {
    let place = Place::new();
    let ended = place.run("toy", &[("TOY_IS", "Joy")]).code_is(4);
    ended.says("Toy, a was requested, but the program reports Joy 1.0.0, a");
    // It was made to be locked.
    let mut left = std::fs::read_dir(place.out()).expect("the folder");
    assert!(left.next().is_none());
}

//! Broken and hostile measuring programs: each ends soon, with an error, and corrupts nothing.

use crate::place::{OUT, Place};

const ROWS: &str = "printf 'run,implementation,version,variant,scenario,unit,value\\n%s\\n' ";

/// A shell script that prints one row.
fn row(run: u32, version: &str, scenario: &str, figure: &str) -> String {
    format!("{ROWS}'{run},Toy,{version},a,\"{scenario}\",handshakes/s,{figure}'")
}

#[test]
fn failures_are_bounded_and_reported() {
    let place = Place::new();
    // A link in the place, so that `processes` finds it.
    let sleep = place.path("sleep");
    std::os::unix::fs::symlink("/bin/sleep", &sleep).expect("a link");
    let asked = "full handshakes, 1.3, rsa, client";
    let figure = |figure: &str| row(1, "1.0.0", asked, figure);
    for (script, part) in [
        (
            "yes",
            "it printed more than 8388608 bytes to standard output",
        ),
        (
            "yes >&2",
            "it printed more than 8388608 bytes to standard error",
        ),
        (
            "trap '' TERM INT; exec >&- 2>&-; sleep 60",
            "still running after 1 s; give it longer with --timeout",
        ),
        ("sleep 60 & exit 7", "exit status: 7"),
        // Moves to its own session, then kills its parent.
        (
            "setsid sh -c \"sleep 60 & kill -KILL $$; sleep 60\" & wait",
            "exit status: 1",
        ),
        ("exit 0", "it printed nothing"),
        ("kill -KILL 0", "signal: 9 (SIGKILL)"),
        (
            "head -c 9000 /dev/zero | tr '\\0' '\\033' >&2; exit 1",
            "\\u{1B}…",
        ),
        (
            &row(1, "1.0.0", "resumed handshakes, 1.2, ticket, client", "5"),
            "which was not requested",
        ),
        (&row(2, "1.0.0", asked, "5"), "is for run 2"),
        (&row(1, "9.9.9", asked, "5"), "is not for Toy 1.0.0, a"),
        (&figure("NaN"), "its output, line 2: "),
        (&figure("inf"), "its output, line 2: "),
        (&figure("-5"), "its output, line 2: "),
        (&figure("0"), "its output, line 2: "),
        (&figure("1e300"), "its output, line 2: "),
    ] {
        let words = "toy --runs 1 --timeout 1 -f full.*1.3,.rsa,.client";
        let script = script.replace("sleep", &sleep.display().to_string());
        let ended = place.run(words, &[("TOY_SHELL", &script)]).code_is(4);
        let stderr = ended
            .says("failed: Toy 1.0.0, a, measure, run 1: `full handshakes, 1.3, rsa`: ")
            .says(part)
            .says("\n  to reproduce: ")
            .says(" --run 1 'full handshakes, 1.3, rsa'\n")
            .stderr;
        assert!(stderr.len() < 4000, "{stderr}");
        assert!(place.results().is_empty());
        assert_eq!(place.processes(), Vec::<String>::new(), "{script}");
    }
    let endless = [("TOY_ABOUT", "yes")];
    let ended = place.run("toy --runs 1", &endless).code_is(4);
    ended.says("it printed more than 8388608 bytes");
}

/// An outlier is kept, with a warning.
#[test]
fn an_implausible_figure_is_marked() {
    let place = Place::new();
    let wrong = row(2, "1.0.0", "full handshakes, 1.3, rsa, client", "1001000");
    let script = format!("[ $0 = 2 ] || exit 99; {wrong}");
    let words = "toy --runs 5 --control=never -f full.*1.3,.rsa,.client";
    let mark = "value 2 of 5 is 997 times the median";
    let warning = format!("warning: full handshakes, 1.3, rsa, client of Toy 1.0.0, a: {mark}");
    let ended = place.run(words, &[("TOY_SHELL", &script)]).success();
    ended.says(&warning).prints(mark);
    let (stderr, page) = place.page();
    assert!(
        stderr.contains(&format!("{OUT}: ")) && stderr.contains(mark),
        "{stderr}"
    );
    assert!(page.contains(mark), "{page}");
    let results = place.read(&format!("site/content/perf/{OUT}/data.csv"));
    assert!(
        results.contains(",1001000,") && results.contains(mark),
        "{results}"
    );
}

#[test]
fn failed_processes_are_no_samples() {
    for (variable, value, part) in [
        ("TOY_FAILS", "b", "TLS 1.2 was negotiated"),
        (
            "TOY_SHELL",
            "[ $1 = b ] || exit 99",
            "`transfer, 1.2, aes-128-gcm`: it printed nothing",
        ),
    ] {
        let place = Place::new();
        let words = "toy toy+b --runs 2";
        let ended = place.run(words, &[(variable, value)]).code_is(4);
        ended
            .says(part)
            .says("2 files of results are missing")
            .says("Toy 1.0.0, b, measure, run 2");
        let files = ["001", "002"].map(|n| format!("toy_1.0.0_a/run-{n}-measure.csv"));
        assert_eq!(place.names(), files);
        place.run(words, &[]).success();
        assert_eq!(place.results().len(), 4);
    }
}

#[test]
fn repeated_failures_end_a_suite() {
    let place = Place::new();
    let words = "toy --runs 9 --control=never";
    let ended = place.run(words, &[("TOY_FAILS", "rsa")]).code_is(4);
    // Four transfers come before the first scenario that fails.
    assert_eq!(place.log().len(), 3 * 5);
    ended.says("measure: not tried again, after 3 failures");
}

#[test]
fn a_program_of_another_library_is_refused() {
    let place = Place::new();
    let ended = place.run("toy", &[("TOY_IS", "Joy")]).code_is(4);
    ended.says("Toy, a was requested, but the program reports Joy 1.0.0, a");
    assert!(!place.out().exists());
}

//! Whole measurements: their processes, results and reports.

use crate::common::{Folder, generator, run};
use crate::place::{OUT, Place, TOY, count_results};
use std::fs;
use std::process::Command;

#[test]
fn a_measurement_is_a_report() {
    let place = Place::new();
    let words = "toy toy+b --runs 6 --suite measure,pq --seed 5";
    let printed = place.run(words, &[]).success();
    printed
        .prints("full handshakes, 1.3, rsa, x25519, client")
        .prints("no ChaCha20 in a toy")
        .says("differences of 1.0% and more show; none of ");
    assert_eq!(place.results().len(), 6);
    assert_eq!(count_results(&place.out()), 36);
    // Six runs of two programs and a control, with a process for each of 12 and 8 scenarios.
    assert_eq!(place.log().len(), 6 * 3 * (12 + 8));
    assert!(place.read("2026-11-30-toy/run.toml").contains("seed = 5"));
    let report = place.report();
    for part in [
        "variant = [\"b\"]",
        "variant = [\"a\", \"control\"]",
        "files = [\"toy_1.0.0_a/\"]",
        "seed 5",
        ", the library with -O7, for a toy",
        "Kernel = ",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(place.out().join("locks/toy_1.0.0_a.lock").is_file());
    assert!(!place.out().join(".running").exists());
    let (_, page) = place.page();
    for part in [
        "the median of 6 runs",
        "in a new random order for each round (seed 5)",
        "Control: the same program, measured twice in each run, differed by up to 0.0%.",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<th scope=\"col\">control"), "{page}");
}

/// Sizes are differences to the program without a library, which is smaller by the toy's code only.
/// A build is timed once, whatever the default number of runs.
#[test]
fn a_footprint_is_of_one_build() {
    let place = Place::new();
    let cargo = TOY.replace("runner-toy", "harness");
    place.put("runners/harness/Cargo.toml", &cargo);
    place.put("runners/harness/src/main.rs", "fn main() {}");
    place.lock("harness", "harness");
    place
        .run("toy --suite footprint -f ^footprint", &[])
        .success();
    place.run("toy --suite footprint", &[]).success();
    assert_eq!(place.names(), ["toy_1.0.0_a/footprint.csv"]);
    let table = place.read("2026-11-30-toy/toy_1.0.0_a/footprint.csv");
    let lines = table.lines().skip(1);
    let rows: Vec<Vec<&str>> = lines.map(|l| l.split(',').collect()).collect();
    let units: Vec<String> = rows.iter().map(|r| format!("{} {}", r[4], r[5])).collect();
    assert_eq!(
        units,
        [
            "footprint stripped bytes",
            "footprint crates",
            "footprint tools",
            "build time ns",
        ]
    );
    let value = |at: usize| rows[at][6].parse::<f64>().expect("a number");
    assert!(value(0) > 0.0, "{table}");
    // Besides the toy itself no crate, and no tool but cargo.
    assert_eq!((value(1), value(2), rows[2][7]), (0.0, 1.0, "cargo"));
    assert!(value(3) > 0.0, "{table}");
    assert!(!place.path("target/run/build_from_nothing").exists());
    let again = place.run("toy --suite footprint", &[]).success();
    again.says("2026-11-30-toy has all of these results already");
    let (_, page) = place.page();
    assert!(page.contains("<p>To a program, Toy 1.0.0 adds"), "{page}");
    let figures = place.read("site/content/perf/2026-11-30-toy/figures/index.md");
    assert!(figures.contains(">cargo</td>"), "{figures}");
}

/// Another build of the same release adds nothing.
#[test]
fn another_build_is_refused() {
    let place = Place::new();
    place.run("toy --runs 1", &[]).success();
    let before = place.read("2026-11-30-toy/run.toml");
    let source = place.read("runners/toy/src/main.rs");
    let more = format!("{source}\n#[used]\nstatic MORE: [u8; 4096] = [1; 4096];\n");
    place.put("runners/toy/src/main.rs", &more);
    for words in [
        "toy --runs 2",
        "toy --runs 1 --suite counts -f ^client.hello",
    ] {
        let refused = place.run(words, &[]).code_is(4);
        refused.says("another build of the same release");
        assert_eq!(place.read("2026-11-30-toy/run.toml"), before);
    }
}

#[test]
fn a_second_plan_extends_the_first() {
    let place = Place::new();
    place
        .run("toy --runs 2 -f rsa,.x25519,.client", &[])
        .success();
    let first = place.results();
    let before = "toy_1.0.0_a/measure.csv";
    assert_eq!(first.keys().collect::<Vec<_>>(), [before]);
    let titled = place
        .report()
        .replace("[system]", "title = \"Mine\"\n\n[system]");
    place.put("2026-11-30-toy/report.toml", &titled);
    place.run("toy toy+b --runs 3 --suite all", &[]).success();
    let all = place.results();
    // Scenarios that the filter left out follow in the same file.
    assert!(all[before].starts_with(&first[before]));
    let table = String::from_utf8_lossy(&all[before]);
    assert_eq!(
        table.matches("\n1,Toy").count(),
        table.matches("\n2,Toy").count()
    );
    // A file of each program and suite, and one of latencies of each run.
    assert_eq!(all.len(), 2 * (8 + 3));
    let report = place.report();
    assert!(report.contains("title = \"Mine\""));
    assert_eq!(report.matches("[[implementation]]").count(), 2);
    let shown = place
        .generator(&format!("show {OUT} --format csv"))
        .success();
    let mut rows = shown.stdout.lines().skip(1);
    assert_eq!(
        rows.find(|l| !l.contains(",3,") && !l.contains("ChaCha20")),
        None,
        "all have three runs"
    );
}

/// The turns from which each rate follows are kept: here of one slice, 3 ms a side, which all count.
#[test]
fn turns_are_kept() {
    let place = Place::new();
    let words = "toy --runs 2 -f full.*1.3,.ecdsa";
    place.run(words, &[]).success();
    let text = place.read(&format!("{OUT}/toy_1.0.0_a/.measure-turns.csv"));
    let mut lines = text.lines();
    let heading = lines.next().expect("a heading");
    assert!(heading.starts_with("run,scenario,operations,first,second,wall,cpu,probe,quiet"));
    let lines: Vec<&str> = lines.collect();
    let numbers = "1,100000000,200000000,300000000,300000000,0";
    for run in [1, 2] {
        let line = format!("{run},\"full handshakes, 1.3, ecdsa, x25519\",{numbers},{numbers}");
        assert_eq!(
            lines.iter().filter(|found| **found == line).count(),
            3,
            "{text}"
        );
    }
    assert_eq!(lines.len(), 6);
    // Left by a measurement that was killed before it wrote figures.
    let table = place.out().join("toy_1.0.0_a/measure.csv");
    let kept = fs::read_to_string(&table).expect("a table");
    let first: String = kept
        .split_inclusive('\n')
        .filter(|l| !l.starts_with('2'))
        .collect();
    fs::write(&table, first).expect("written");
    place.run(words, &[]).success();
    assert_eq!(
        place.read(&format!("{OUT}/toy_1.0.0_a/.measure-turns.csv")),
        text
    );
    assert_eq!(fs::read_to_string(&table).expect("a table"), kept);
}

/// The results file has both sides of a scenario, the printed table only the requested one.
#[test]
fn the_table_has_the_requested_side() {
    let place = Place::new();
    for (filter, shown, hidden) in [
        ("1.3.*sending$", "1.3, aes-256-gcm, sending", "receiving"),
        ("1.2.*client$", "P50", ", 1.3"),
    ] {
        let words = format!("toy --runs 1 --suite measure,latency -f {filter}");
        let ended = place.run(&words, &[]).success().prints(shown);
        assert!(!ended.stdout.contains(hidden), "{}", ended.stdout);
    }
}

#[test]
fn latencies_become_histograms() {
    let place = Place::new();
    let words = "toy --runs 2 --suite latency";
    place.run(words, &[]).success();
    let [first, second] = ["001", "002"].map(|n| format!("toy_1.0.0_a/run-{n}-latency.hlog"));
    assert_eq!(place.names(), [first, second]);
    let shown = place
        .generator(&format!("show {OUT} --format csv"))
        .success();
    let of = |label: &str| {
        let mut lines = shown.stdout.lines();
        let line = lines.find(|l| l.contains(label)).expect(label);
        let (_, rest) = line.split_once(&format!("{label}\",")).expect(label);
        rest.to_owned()
    };
    // Slices of one handshake, in which the client takes 1 ms and the server a µs more.
    let median = of("latency of full handshakes, 1.3, rsa, client, P50");
    assert!(median.starts_with("Toy,1.0.0,ns,2,1000000"), "{median}");
    let max = of("latency of resumed handshakes, 1.2, ticket, server, max");
    assert!(max.starts_with("Toy,1.0.0,ns,2,1001000,"), "{max}");
    assert!(median.ends_with("key exchange toy-group"), "{median}");
    assert!(!shown.stdout.contains("P99"), "{}", shown.stdout);
}

/// What `taskset` gives is recorded, and must be the same when a measurement is continued.
#[test]
fn the_affinity_is_recorded() {
    let place = Place::new();
    let bound = |words: &str| {
        let command = place.command(words, &[]);
        let mut taskset = Command::new("taskset");
        taskset.args(["-c", "0"]).arg(command.get_program());
        taskset.args(command.get_args()).current_dir(place.path(""));
        let variables = command.get_envs();
        taskset.envs(variables.filter_map(|(name, value)| Some((name, value?))));
        run(&mut taskset)
    };
    bound("toy --runs 1 -f rsa,.x25519,.client").success();
    if std::thread::available_parallelism().is_ok_and(|n| n.get() < 2) {
        return println!("one processor is all that there are");
    }
    assert!(place.report().contains("\nAffinity = \"0\"\n"));
    let other = place.run("toy --runs 2 -f rsa,.x25519,.client", &[]);
    other.code_is(4).says("was measured on another machine");
    bound("toy --runs 2 -f rsa,.x25519,.client").success();
}

/// The toy's times are the same in all processes, or differ by up to 30 %.
#[test]
fn runs_are_added_until_intervals_are_narrow() {
    let place = Place::new();
    let quiet = place.run("toy --until 1% --control=never", &[]).success();
    quiet.says("every interval is within ±1.0% after 10 runs");
    assert_eq!(count_results(&place.out()), 10);

    let place = Place::new();
    let noisy = "toy --until 6% --control=never";
    let ended = place.run(noisy, &[("TOY_VARIES", "1")]).success();
    ended
        .says("intervals are wider than ±6.0%, the widest ±")
        .says("every interval is within ±6.0% after ");
    assert!(count_results(&place.out()) > 10);
}

/// A report is complete when `run` has ended; one that has a page keeps it.
#[test]
fn a_report_that_is_being_measured_is_left_out() {
    let folder = Folder::site()
        .with(
            "data/2026-01-01/t.csv",
            "scenario,unit,rustls 1\nencode,ns,5\n",
        )
        .with(
            "data/2026-01-02/t.csv",
            "scenario,unit,rustls 2\nencode,ns,6\n",
        );
    let two = fs::File::open(folder.path().join("data/2026-01-02")).expect("a folder");
    two.lock().expect("a lock");
    let note = "note: data/2026-01-02 is left out: it is being measured";
    for data in ["data", "data/2026-01-01"] {
        let output = generator(folder.path(), &["ingest", data]).success();
        assert_eq!(output.stderr.contains(note), data == "data");
        let pages =
            ["2026-01-01", "2026-01-02"].map(|name| folder.path().join("content/perf").join(name));
        assert_eq!(pages.map(|page| page.exists()), [true, false]);
    }
}

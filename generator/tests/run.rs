//! `generator run` with a toy that measures nothing: plan, order, continuing, failures.

mod common;

use common::{Run, program, run};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

const TOY: &str = r#"[package]
name = "runner-toy"
version = "1.0.0"
edition = "2021"
[workspace]
[features]
a = []
b = []
[package.metadata.runner]
implementation = "Toy"
word = "toy"
[package.metadata.runner.variants]
a = { features = ["a"] }
b = { features = ["b"] }
"#;

const CERTIFICATES: &str = "[package]\nname = \"certificates\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[workspace]\n[features]\nml-dsa = []\n";

const MAKER: &str = "fn main() { let a: Vec<String> = std::env::args().collect(); std::fs::create_dir(format!(\"{}/{}\", a[1], a[2])).unwrap(); }";

/// A folder with runners, what was built of them, and results.
struct Place(tempfile::TempDir);

impl Place {
    /// With the toy built in both variants already.
    fn new() -> Self {
        static BUILT: OnceLock<Place> = OnceLock::new();
        let built = BUILT.get_or_init(|| {
            let place = Self::bare();
            place.run(&["toy", "toy+b", "--runs", "1"], &[]).well();
            fs::remove_dir_all(place.out()).expect("removed");
            place
        });
        let place = Self::empty();
        let copied = Command::new("cp")
            .arg("-r")
            .args([built.path("runners"), built.path("target")])
            .arg(place.0.path())
            .status();
        assert!(copied.expect("cp runs").success());
        place
    }

    /// In memory, where each file is not waited for, if programs start there.
    fn empty() -> Self {
        let memory = Self(
            tempfile::tempdir_in("/dev/shm")
                .or_else(|_| tempfile::tempdir())
                .expect("a folder"),
        );
        let script = memory.program("starts", "#!/bin/sh\n");
        match Command::new(script).status() {
            Ok(_) => memory,
            Err(_) => Self(tempfile::tempdir().expect("a folder")),
        }
    }

    /// With sources alone.
    fn bare() -> Self {
        let place = Self::empty();
        place.put("runners/toy/Cargo.toml", TOY);
        place.put(
            "runners/toy/src/main.rs",
            include_str!("fixtures/runner/toy.rs"),
        );
        place.put("runners/certificates/Cargo.toml", CERTIFICATES);
        place.put("runners/certificates/src/main.rs", MAKER);
        for (folder, name) in [("toy", "runner-toy"), ("certificates", "certificates")] {
            let lock =
                format!("version = 4\n\n[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n");
            place.put(&format!("runners/{folder}/Cargo.lock"), &lock);
        }
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn out(&self) -> PathBuf {
        self.path("2026-11-30-toy")
    }

    fn put(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// A script that can be started.
    fn program(&self, below: &str, script: &str) -> PathBuf {
        self.put(below, script);
        let path = self.path(below);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        path
    }

    fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).expect(below)
    }

    fn command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let mut command = program();
        command
            .current_dir(self.0.path())
            .args(["run", "--runners", "runners", "--out", "2026-11-30-toy"])
            .args(arguments)
            .env("TOY_LOG", self.path("log"))
            .envs(environment.iter().copied());
        command
    }

    fn run(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        run(&mut self.command(arguments, environment))
    }

    /// What the toy was called for, a line each.
    fn log(&self) -> Vec<String> {
        let path = self.path("log");
        if !path.exists() {
            return Vec::new();
        }
        let text = fs::read_to_string(path).expect("a log");
        text.lines().map(str::to_owned).collect()
    }

    /// All files of results, with their bytes.
    fn results(&self) -> BTreeMap<String, Vec<u8>> {
        let mut results = BTreeMap::new();
        for id in ["toy_1.0.0_a", "toy_1.0.0_b", "toy_1.0.0_a_control"] {
            for entry in fs::read_dir(self.out().join(id)).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                let name = path
                    .file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned();
                results.insert(format!("{id}/{name}"), fs::read(&path).expect("a file"));
            }
        }
        results
    }
}

#[test]
fn a_measurement_is_a_report() {
    let place = Place::new();
    let arguments = [
        "toy",
        "toy+b",
        "--runs",
        "6",
        "--suite",
        "measure,pq",
        "--seed",
        "5",
    ];
    let ended = place.run(&arguments, &[]).well();
    assert!(
        ended.stdout.contains("full handshakes, 1.3, rsa, client"),
        "{}",
        ended.stdout
    );
    assert_eq!(place.results().len(), 36);
    // Six runs of two programs and a control, each a process for each of 12 and of 10 scenarios.
    assert_eq!(place.log().len(), 6 * 3 * (12 + 10));
    assert!(place.read("2026-11-30-toy/run.toml").contains("seed = 5"));
    let report = place.read("2026-11-30-toy/report.toml");
    for part in [
        "variant = [\"b\"]",
        "variant = [\"a\", \"control\"]",
        "files = [\"toy_1.0.0_a/\"]",
        "seed 5",
        "Kernel = ",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(place.out().join("locks/toy_1.0.0_a.lock").is_file());
    assert!(!place.out().join(".running").exists());
    place.put("site/config.toml", "base_url = \"/\"");
    common::generator(
        place.0.path(),
        &["ingest", "2026-11-30-toy", "--site", "site"],
    )
    .well();
    let page = place.read("site/content/perf/2026-11-30-toy/index.md");
    assert!(page.contains("Median of 6 runs"), "{page}");
    assert!(page.contains("in a new random order for each run (seed 5)"));
    let control = "Control: the same program, measured twice in each run, differed by up to 0.0%.";
    assert!(page.contains(control), "{page}");
    assert!(!page.contains("<th scope=\"col\">control"), "{page}");
    // What has a control keeps it, whatever is measured beside it.
    let more = ["toy+b", "--runs", "7", "--suite", "measure", "--dry-run"];
    let ended = place.run(&more, &[]).well();
    assert!(!ended.stdout.contains("control:"), "{}", ended.stdout);
    let more = [
        "toy+b",
        "toy",
        "--runs",
        "7",
        "--suite",
        "measure",
        "--dry-run",
    ];
    let ended = place.run(&more, &[]).well();
    assert!(
        ended.stdout.contains("control: toy_1.0.0_a a second time"),
        "{}",
        ended.stdout
    );
    assert!(
        ended.stdout.contains("36 processes to go"),
        "{}",
        ended.stdout
    );
}

/// Sizes are those of the toy without those of the program that has no library, which is as large
/// but for the toy's text; a build is timed once, whatever the default number of runs.
#[test]
fn a_footprint_is_of_one_build() {
    let place = Place::new();
    let cargo = TOY.replace("runner-toy", "alone");
    let cargo = cargo.split("[package.metadata").next().expect("a package");
    place.put("runners/alone/Cargo.toml", cargo);
    place.put("runners/alone/src/main.rs", "fn main() {}");
    let lock = "version = 4\n\n[[package]]\nname = \"alone\"\nversion = \"1.0.0\"\n";
    place.put("runners/alone/Cargo.lock", lock);
    place.run(&["toy", "--suite", "footprint"], &[]).well();
    let files: Vec<String> = place.results().into_keys().collect();
    assert_eq!(files, ["toy_1.0.0_a/run-001-footprint.csv"]);
    let text = place.read("2026-11-30-toy/toy_1.0.0_a/run-001-footprint.csv");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    let units: Vec<String> = rows.iter().map(|r| format!("{} {}", r[4], r[5])).collect();
    assert_eq!(
        units,
        [
            "footprint stripped bytes",
            "footprint bytes of .text",
            "footprint bytes of .rodata",
            "footprint bytes of .data",
            "footprint crates",
            "footprint tools",
            "build time ns",
            "build CPU time ns",
        ]
    );
    let value = |at: usize| rows[at][6].parse::<f64>().expect("a number");
    assert!(value(0) >= value(1) && value(1) > 0.0, "{text}");
    // No crate but the toy's own, by cargo alone.
    assert_eq!((value(4), value(5), rows[5][7]), (0.0, 1.0, "cargo"));
    assert!(value(6) > 0.0 && value(7) > 0.0, "{text}");
    assert!(!place.path("target/run/build_from_nothing").exists());
    let again = place.run(&["toy", "--suite", "footprint"], &[]).well();
    let nothing_to_do = "measured in 2026-11-30-toy already";
    assert!(again.stderr.contains(nothing_to_do), "{}", again.stderr);
    place.put("site/config.toml", "base_url = \"/\"");
    let ingest = ["ingest", "2026-11-30-toy", "--site", "site"];
    common::generator(place.0.path(), &ingest).well();
    let page = place.read("site/content/perf/2026-11-30-toy/index.md");
    for part in [
        "### Footprint",
        "footprint.svg",
        "bytes of .rodata</th>",
        ">cargo</td>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

/// Another build of the same release adds no times to those that are there, but its own counts.
#[test]
fn counts_may_be_of_another_build() {
    let place = Place::new();
    place.run(&["toy", "--runs", "1"], &[]).well();
    let before = place.read("2026-11-30-toy/run.toml");
    let source = place.read("runners/toy/src/main.rs");
    place.put(
        "runners/toy/src/main.rs",
        &format!("{source}\n#[used]\nstatic MORE: [u8; 4096] = [1; 4096];\n"),
    );
    let times = place.run(&["toy", "--runs", "2"], &[]).code_is(4);
    assert!(
        times.stderr.contains("another build of the same release"),
        "{}",
        times.stderr
    );
    assert_eq!(place.read("2026-11-30-toy/run.toml"), before);
    place
        .run(
            &[
                "toy",
                "--runs",
                "1",
                "--suite",
                "counts",
                "-f",
                "^client hello",
            ],
            &[],
        )
        .well();
    let after = place.read("2026-11-30-toy/run.toml");
    assert!(after.starts_with(before.trim_end()), "{after}");
    assert!(after.contains("[counted]\n\"toy_1.0.0_a\" = "), "{after}");
    // A third build counts anew once nobody can take its counts for those of the second.
    place.put("runners/toy/src/main.rs", &source);
    let counts = [
        "toy",
        "--runs",
        "1",
        "--suite",
        "counts",
        "-f",
        "^client hello",
    ];
    let third = place.run(&counts, &[]).code_is(4);
    assert!(
        third.stderr.contains("run-*-{counts,footprint}.*"),
        "{}",
        third.stderr
    );
    let file = place.out().join("toy_1.0.0_a/run-001-counts.csv");
    fs::remove_file(file).expect("removed");
    place.run(&counts, &[]).well();
}

#[test]
fn a_killed_measurement_goes_on() {
    let whole = Place::new();
    let arguments = [
        "toy",
        "toy+b",
        "--control=never",
        "--runs",
        "8",
        "--seed",
        "9",
    ];
    whole.run(&arguments, &[]).well();

    let killed = Place::new();
    let mut child = killed
        .command(&arguments, &[("TOY_SLEEPS", "20")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    wait_until("results", || killed.results().len() >= 5);
    child.kill().expect("killed");
    child.wait().expect("gone");
    let before = killed.results();
    assert!(before.len() < 16, "it was killed too late");
    // The seed is the folder's.
    killed.run(&arguments[..5], &[]).well();
    let after = killed.results();
    assert_eq!(
        after.keys().collect::<Vec<_>>(),
        whole.results().keys().collect::<Vec<_>>()
    );
    before
        .iter()
        .for_each(|(name, bytes)| assert_eq!(after[name], *bytes, "{name}"));
    // The one that was interrupted ran twice, and nothing else did.
    assert!(!killed.out().join(".running").exists());
    let mut log = killed.log();
    log.dedup();
    assert_eq!(log, whole.log());
    assert!(killed.log().len() <= whole.log().len() + 1);
    let again = killed.run(&arguments, &[]).well();
    assert!(
        again.stderr.contains("measured in 2026-11-30-toy already"),
        "{}",
        again.stderr
    );
    assert_eq!(killed.results(), after);
}

/// Commands of processes that know the place.
fn processes(place: &Place) -> Vec<String> {
    let name = place.0.path().display().to_string();
    let all = fs::read_dir("/proc").expect("processes").flatten();
    // A process that has ended meanwhile has no command.
    all.flat_map(|entry| fs::read(entry.path().join("cmdline")))
        .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
        .filter(|command| command.contains(&name))
        .collect()
}

/// Gives up after minutes, so that a failure is seen.
#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("never {what}");
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("sent");
}

#[test]
fn a_signal_ends_it_in_order() {
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let place = Place::new();
        let arguments = [
            "toy",
            "toy+b",
            "--control=never",
            "--runs",
            "8",
            "--seed",
            "9",
        ];
        let child = place
            .command(&arguments, &[("TOY_SLEEPS", "20")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        wait_until("a result", || place.results().len() >= 2);
        signal(&child, sent);
        let ended = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{said}");
        let count = place.results().len();
        let last = format!(
            "interrupted: {count} of 16 files of results were measured into 2026-11-30-toy; the same command continues"
        );
        assert_eq!(said.lines().last(), Some(last.as_str()));
        assert!(!place.out().join(".running").exists());
        assert_eq!(processes(&place), Vec::<String>::new());
        place.run(&arguments, &[]).well();
        assert_eq!(place.results().len(), 16);
    }
}

/// A cargo that does this instead.
fn cargo(place: &Place, script: &str) -> String {
    place.program("cargo", script).display().to_string()
}

/// A cargo whose child works for a minute.
fn slow_cargo(place: &Place) -> String {
    let sleeper = place.path("sleeper").display().to_string();
    place.put("sleeper", "sleep 60\n");
    cargo(place, &format!("#!/bin/sh\nsh {sleeper} & wait\n"))
}

#[test]
fn no_build_goes_on_alone() {
    let place = Place::bare();
    for (sent, code) in [
        (Signal::INT, Some(130)),
        (Signal::TERM, Some(143)),
        (Signal::KILL, None),
    ] {
        let child = place
            .command(&["toy"], &[("CARGO", &slow_cargo(&place))])
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let sleeps = || processes(&place).iter().any(|c| c.contains("sleeper"));
        wait_until("a build", sleeps);
        signal(&child, sent);
        let ended = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), code, "{said}");
        assert!(
            code.is_none()
                || said
                    .ends_with("interrupted while Toy (a) was built; the same command continues\n"),
            "{said}"
        );
        wait_until("quiet", || !sleeps());
        assert!(!place.out().exists());
    }
    place.run(&["toy", "--runs", "1"], &[]).well();
}

#[test]
fn a_folder_that_is_not_its_own_is_left_alone() {
    let place = Place::bare();
    place.put("file", "mine");
    place.put("foreign/report.toml", "title = \"Mine\"\n");
    place.put("foreign/openssl/output_1", "a figure");
    for (out, code, part) in [
        ("file", 2, "file is a file: give --out a folder"),
        ("foreign", 2, "it has openssl, and no run.toml"),
        ("/proc/none", 4, "nothing can be written into /proc"),
    ] {
        for more in [&[][..], &["--dry-run"]] {
            let mut arguments = vec!["run", "--runners", "runners", "toy", "--out", out];
            arguments.extend(more);
            let ended = common::generator(place.0.path(), &arguments).code_is(code);
            assert!(ended.stderr.contains(part), "{part} in {}", ended.stderr);
        }
    }
    assert!(!place.path("target").exists(), "nothing was built");
    assert_eq!(place.read("file"), "mine");
    // `generator new`, and words about what will be measured.
    let place = Place::new();
    place.put("2026-11-30-toy/report.toml", "title = \"Mine\"\n");
    place.put("2026-11-30-toy/notes.md", "Words.\n");
    place.run(&["toy", "--runs", "1"], &[]).well();
    assert!(
        place
            .read("2026-11-30-toy/report.toml")
            .contains("title = \"Mine\"")
    );
}

#[test]
fn another_plan_extends_the_first() {
    let place = Place::new();
    place
        .run(&["toy", "--runs", "2", "-f", "rsa, client"], &[])
        .well();
    let first = place.results();
    assert_eq!(first.len(), 2);
    place.put(
        "2026-11-30-toy/report.toml",
        &place
            .read("2026-11-30-toy/report.toml")
            .replace("[system]", "title = \"Mine\"\n\n[system]"),
    );
    place
        .run(&["toy", "toy+b", "--runs", "3", "--suite", "all"], &[])
        .well();
    let all = place.results();
    first
        .iter()
        .for_each(|(name, bytes)| assert_eq!(all[name], *bytes, "{name}"));
    // What the filter left out is a second file of the same run.
    let rest = String::from_utf8_lossy(&all["toy_1.0.0_a/run-001-measure-2.csv"]).into_owned();
    assert!(
        rest.contains("ecdsa") && !rest.contains("full handshakes, 1.3, rsa"),
        "{rest}"
    );
    assert_eq!(all.len(), 2 * 3 * 9 + 2);
    let report = place.read("2026-11-30-toy/report.toml");
    assert!(report.contains("title = \"Mine\""));
    assert_eq!(report.matches("[[implementation]]").count(), 2);
    let shown = common::generator(
        place.0.path(),
        &["show", "2026-11-30-toy", "--format", "csv"],
    )
    .well();
    let counts: Vec<&str> = shown
        .stdout
        .lines()
        .skip(1)
        .filter(|l| !l.contains(",3,"))
        .collect();
    assert_eq!(counts, Vec::<&str>::new(), "all have three runs");
}

/// A program prints both sides of a scenario, and the file has them; the table is of what was asked.
#[test]
fn the_table_is_of_what_was_asked() {
    let place = Place::new();
    for (filter, shown, hidden) in [
        ("1.3.*sending$", "1.3, aes-256-gcm, sending", "receiving"),
        ("1.2.*client$", "P50", ", 1.3"),
    ] {
        let arguments = [
            "toy",
            "--runs",
            "1",
            "--suite",
            "measure,latency",
            "-f",
            filter,
        ];
        let table = place.run(&arguments, &[]).well().stdout;
        assert!(table.contains(shown) && !table.contains(hidden), "{table}");
    }
}

#[test]
fn latencies_become_histograms() {
    let place = Place::new();
    let arguments = [
        "toy",
        "--runs",
        "2",
        "--suite",
        "latency",
        "--keep-latencies",
    ];
    place.run(&arguments, &[]).well();
    let names: Vec<String> = place.results().into_keys().collect();
    assert_eq!(
        names,
        [
            "toy_1.0.0_a/run-001-latency.hlog",
            "toy_1.0.0_a/run-002-latency.hlog"
        ]
    );
    let shown = common::generator(
        place.0.path(),
        &["show", "2026-11-30-toy", "--format", "csv"],
    )
    .well();
    let of = |label: &str| {
        let line = shown
            .stdout
            .lines()
            .find(|l| l.contains(label))
            .expect(label);
        line.rsplit(&format!("{label}\","))
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    // Two threads, 1 to 1000 and 2 to 1001 µs and a half.
    let median = of("latency of full handshakes, 1.3, rsa, client, P50");
    assert!(median.starts_with("Toy,1.0.0,ns,2,501"), "{median}");
    let max = of("latency of resumed handshakes, 1.2, ticket, client, max");
    assert!(max.starts_with("Toy,1.0.0,ns,2,1001500,"), "{max}");
    assert!(median.ends_with("made up"), "{median}");
    let kept = place.out().join(".latencies/toy_1.0.0_a/run-001-latency");
    assert_eq!(fs::read_dir(kept).expect("kept").count(), 8);
}

#[test]
fn failed_processes_are_no_samples() {
    for (variable, value, part) in [
        ("TOY_FAILS", "b", "TLS 1.2 was negotiated"),
        ("TOY_LIES", "b", "is not of Toy 1.0.0, b"),
        ("TOY_FORGETS", "b", "no measured figure"),
    ] {
        let place = Place::new();
        let arguments = ["toy", "toy+b", "--runs", "2"];
        let ended = place.run(&arguments, &[(variable, value)]).code_is(4);
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
        assert!(
            ended
                .stderr
                .contains("2 of the files of results are missing"),
            "{}",
            ended.stderr
        );
        assert!(
            ended.stderr.contains("Toy 1.0.0, b, measure, run 2"),
            "{}",
            ended.stderr
        );
        let names: Vec<String> = place.results().into_keys().collect();
        assert_eq!(
            names,
            [
                "toy_1.0.0_a/run-001-measure.csv",
                "toy_1.0.0_a/run-002-measure.csv"
            ]
        );
        place.run(&arguments, &[]).well();
        assert_eq!(place.results().len(), 4);
    }
}

#[test]
fn what_fails_again_and_again_is_given_up() {
    let place = Place::new();
    let ended = place
        .run(
            &["toy", "--runs", "9", "--control=never"],
            &[("TOY_FAILS", "rsa")],
        )
        .code_is(4);
    // Four transfers come before the first scenario that fails.
    assert_eq!(place.log().len(), 3 * 5);
    assert!(
        ended.stderr.contains("run 9: not tried, after 3 failures"),
        "{}",
        ended.stderr
    );
}

/// This machine may have one processor, and the toy needs none of its own.
#[test]
fn processes_are_bound_and_what_they_went_through_is_kept() {
    let place = Place::new();
    let arguments = ["toy", "--runs", "2", "--pin", "-f", "rsa, client"];
    place.run(&arguments, &[("TOY_SLEEPS", "5")]).well();
    let report = place.read("2026-11-30-toy/report.toml");
    assert!(
        report.contains("\nProcesses = \"bound to processor "),
        "{report}"
    );
    let conditions = place.read("2026-11-30-toy/conditions.csv");
    let mut lines = conditions.lines();
    assert_eq!(
        lines.next(),
        Some(
            "program,run,scenario,seconds,stolen,migrations,voluntary_switches,involuntary_switches,mhz,throttled"
        )
    );
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), place.log().len());
    for row in rows {
        assert!(row.starts_with("toy_1.0.0_a,"), "{row}");
        // It slept, so it waited.
        let cells: Vec<&str> = row.rsplit(',').collect();
        assert!(cells[3].parse::<u64>().is_ok_and(|n| n > 0), "{row}");
    }
    let other = ["toy", "--runs", "3", "-f", "rsa, client"];
    let refused = place.run(&other, &[]).code_is(4);
    assert!(refused.stderr.contains("binding"), "{}", refused.stderr);
    let refused = place.run(&["toy", "--pin=999"], &[]).code_is(2);
    assert!(
        refused.stderr.contains("--pin: processor 999 is "),
        "{}",
        refused.stderr
    );
    place.put("site/config.toml", "base_url = \"/\"");
    let folder = place.0.path();
    common::generator(folder, &["ingest", "2026-11-30-toy", "--site", "site"]).well();
    let page = place.read("site/content/perf/2026-11-30-toy/index.md");
    assert!(
        page.contains("went from one processor to another."),
        "{page}"
    );
}

/// The toy's figures grow by 0.1 % from run to run, or by 5 %.
#[test]
fn runs_are_added_until_intervals_are_narrow() {
    let place = Place::new();
    let quiet = ["toy", "--until", "1%", "--control=never"];
    let ended = place.run(&quiet, &[]).well();
    let said = "every interval is within ±1.0% after 6 runs";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    assert_eq!(place.results().len(), 6);

    let place = Place::new();
    let noisy = ["toy", "--until", "1", "--max-runs", "9", "--control=never"];
    let ended = place.run(&noisy, &[("TOY_VARIES", "1")]).well();
    let said = "intervals are wider than ±1.0%, the widest ±";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("; 9 runs are all (--max-runs)"),
        "{}",
        ended.stderr
    );
    assert_eq!(place.results().len(), 9);
    let refused = place.run(&["toy", "--max-runs", "9"], &[]).code_is(2);
    assert!(refused.stderr.contains("--until"), "{}", refused.stderr);
}

#[test]
fn what_hangs_is_ended() {
    let place = Place::new();
    let arguments = ["toy", "--runs", "1", "--timeout", "0.5"];
    let ended = place.run(&arguments, &[("TOY_HANGS", "a")]).code_is(4);
    assert!(
        ended.stderr.contains("no end after 0.5 s"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_dry_run_only_tells() {
    let place = Place::bare();
    let ended = place
        .run(
            &[
                "toy",
                "toy+b",
                "--suite",
                "memory",
                "--dry-run",
                "--runs",
                "3",
            ],
            &[],
        )
        .well();
    for part in [
        "Toy (b)",
        "to be built",
        "memory, 1.3, 10000 sessions",
        "3 runs",
        "48 processes",
    ] {
        assert!(ended.stdout.contains(part), "{part} in {}", ended.stdout);
    }
    assert!(!place.out().exists() && !place.path("target").exists());
    let place = Place::new();
    let ended = place.run(&["toy", "--dry-run"], &[]).well();
    assert!(ended.stdout.contains(" built") && !ended.stdout.contains("to be built"));
    // The toy tells its version only when it is asked, and its results are found by that.
    place.run(&["toy", "--runs", "2"], &[]).well();
    let ended = place.run(&["toy", "--runs", "3", "--dry-run"], &[]).well();
    assert!(
        ended
            .stdout
            .contains("; 12 processes to go; time: about 0 s"),
        "{}",
        ended.stdout
    );
}

#[test]
fn wrong_names_are_refused() {
    let place = Place::new();
    for (arguments, part) in [
        (&["tls"][..], "no implementation `tls`; there are toy"),
        (&["toy+c"], "no variant `c`; it has a, b"),
        (&["toy@system"], "`toy@system` cannot be measured"),
        (&["toy@x"], "`x` is neither a release nor a range"),
        (&["toy@1"], "named without a version"),
        (&["toy@1.0..2"], "named without a version"),
        (&["toy", "--newest", "0"], "a whole number of 1 or more"),
        (
            &["toy@2.0.0"],
            "there is toy in one release, named without a version",
        ),
        (&["toy", "toy+a"], "named twice"),
        (&["toy+a+b"], "two of a kind"),
        (&["toy", "-f", "no such"], "no scenario is left"),
        (&["toy", "--multiplier", "0"], "a positive number"),
        (&["toy", "--multiplier", "-1"], "a positive number"),
        (&["toy", "--multiplier", "nan"], "a positive number"),
        (&["toy", "--multiplier", "1e9"], "at most a million"),
        (&["toy", "--timeout", "-1"], "a positive number"),
        (&["toy", "--runs", "0"], "not in 1..=9999"),
        (&["toy", "--suite", "none"], "possible values"),
    ] {
        let ended = place.run(arguments, &[]).code_is(2);
        assert!(ended.stderr.contains(part), "{part} in {}", ended.stderr);
    }
    assert!(place.log().is_empty());
    let list = common::generator(place.0.path(), &["run", "--runners", "runners", "--list"]).well();
    assert!(
        list.stdout.contains("toy ") && list.stdout.contains("+a +b"),
        "{}",
        list.stdout
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::new();
    place
        .run(&["toy", "--runs", "1", "--seed", "3"], &[])
        .well();
    let record = place.read("2026-11-30-toy/run.toml");
    let refuse = |arguments: &[&str], code: i32, part: &str| {
        let ended = place.run(arguments, &[]).code_is(code);
        assert!(ended.stderr.contains(part), "{part} in {}", ended.stderr);
    };
    refuse(&["toy", "--multiplier", "2"], 2, "--multiplier 1, not 2");
    refuse(&["toy", "--seed", "4"], 2, "--seed 3, not 4");
    place.put(
        "2026-11-30-toy/run.toml",
        &record.replace("kernel = \"", "kernel = \"another "),
    );
    refuse(
        &["toy"],
        4,
        "another machine, whose kernel is `another Linux",
    );
    let line = record
        .lines()
        .find(|l| l.contains("toy_1.0.0_a"))
        .expect("the program");
    let other = format!("\"toy_1.0.0_a\" = \"{}\"", "0".repeat(64));
    place.put(
        "2026-11-30-toy/run.toml",
        &record
            .replace(line, &other)
            .replace("toy_1.0.0_a =", &other),
    );
    refuse(
        &["toy"],
        4,
        "another build of the same release (000000000000 before",
    );
    place.put("2026-11-30-toy/run.toml", "seed = true\n");
    refuse(&["toy"], 3, "run.toml: ");
}

#[test]
fn a_program_that_is_another_is_not_measured() {
    let place = Place::new();
    let ended = place.run(&["toy"], &[("TOY_IS", "Joy")]).code_is(4);
    let part = "Toy (a) was asked for, but the program says that it is Joy 1.0.0, a";
    assert!(ended.stderr.contains(part), "{}", ended.stderr);
    assert!(!place.out().exists());
}

#[test]
fn a_missing_tool_is_told_before_the_build() {
    let place = Place::bare();
    let needs = "[[package.metadata.runner.needs]]\ncommand = \"no-such-tool\"\npackage = \"the-package\"\n";
    place.put("runners/toy/Cargo.toml", &(TOY.to_owned() + needs));
    let ended = place.run(&["toy"], &[]).code_is(4);
    assert!(
        ended.stderr.contains("program `no-such-tool`"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("apt-get install the-package"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_failed_build_shows_its_end() {
    let place = Place::bare();
    place.put("runners/toy/src/main.rs", "fn main() { undefined() }\n");
    let ended = place.run(&["toy"], &[]).code_is(4);
    assert!(
        ended.stderr.contains("cannot find function `undefined`"),
        "{}",
        ended.stderr
    );
    let log = place.path("target/run/toy_a/build.log");
    let named = log.canonicalize().expect("a log").display().to_string();
    assert!(ended.stderr.contains(&named), "{}", ended.stderr);
}

#[test]
fn what_cargo_cannot_get_is_said_in_its_words() {
    let place = Place::bare();
    let pinned = TOY.replace(
        "word = \"toy\"\n",
        "word = \"toy\"\npin = \"toy-library\"\nreleases = \"1\"\n",
    );
    place.put("runners/toy/Cargo.toml", &pinned);
    // That there is no such release is wrong usage, that nobody can tell is not.
    for (info, code) in [("exit 101", 4), ("test $2 = toy-library", 2)] {
        let says = "echo 'error: no matching package named `toy-library` found' >&2; exit 101";
        let script = format!("#!/bin/sh\nif [ $1 = info ]; then {info}; else {says}; fi\n");
        let cargo = cargo(&place, &script);
        let ended = place
            .run(&["toy@1.9.0"], &[("CARGO", &cargo)])
            .code_is(code);
        let part = "Toy 1.9.0 (a) cannot be built, because cargo cannot get toy-library 1.9.0; it says:\nerror: no matching package named `toy-library` found";
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    let ended = place.run(&["toy@2.0.0"], &[]).code_is(2);
    assert!(
        ended
            .stderr
            .contains("`toy@2.0.0` cannot be measured: there is toy ^1"),
        "{}",
        ended.stderr
    );
}

/// What cargo 1.90 keeps of an index: a header, and a number and a line for each version.
const INDEX: &str = "\u{3}\u{2}\0\0\0etag: x\0\
    0.9.0\0{\"vers\":\"0.9.0\",\"pubtime\":\"2024-01-01T00:00:00Z\"}\0\
    1.0.0\0{\"vers\":\"1.0.0\",\"pubtime\":\"2024-02-01T23:59:59Z\"}\0\
    1.0.1\0{\"vers\":\"1.0.1\",\"pubtime\":\"2024-03-01T00:00:00Z\"}\0\
    1.0.2\0{\"vers\":\"1.0.2\",\"yanked\":true}\0\
    1.1.0\0{\"vers\":\"1.1.0\"}\0\
    1.2.0-rc.1\0{\"vers\":\"1.2.0-rc.1\"}\0";

/// Does what `cargo update --precise` does to the lock file, gets no index, and else is cargo.
const PINNING: &str = r#"#!/bin/sh
case $1 in
    update) sed -i "0,/^version = \"1.0.0\"/s//version = \"$5\"/" Cargo.toml Cargo.lock ;;
    generate-lockfile) echo 'error: failed to get `toy-library`: no connection' >&2; exit 101 ;;
    *) exec cargo "$@" ;;
esac
"#;

impl Place {
    /// With a toy whose releases 1 an index has.
    fn with_releases() -> Self {
        let place = Self::bare();
        let pinned = TOY.replace(
            "word = \"toy\"\n",
            "word = \"toy\"\npin = \"toy-library\"\nreleases = \"1\"\n",
        );
        place.put("runners/toy/Cargo.toml", &pinned);
        place.put("home/registry/index/mirror/.cache/to/y-/toy-library", INDEX);
        place
    }

    fn run_releases(&self, arguments: &[&str]) -> Run {
        let cargo = cargo(self, PINNING);
        let home = self.path("home").display().to_string();
        self.run(arguments, &[("CARGO", &cargo), ("CARGO_HOME", &home)])
    }
}

#[test]
fn a_range_is_its_releases() {
    let place = Place::with_releases();
    let known = "warning: the releases of toy-library are those that cargo knew before";
    for (arguments, expected, said) in [
        (&["toy@1.0.."][..], &["1.0.1", "1.1.0"][..], known),
        (
            &["toy@0.9..1.0.1"],
            &["1.0.0", "1.0.1"],
            "left out: toy 0.9.0: measured by no runner",
        ),
        (&["toy@1.0.2..1.1.0+b"], &["1.0.2", "1.1.0"], known),
        (&["toy@1"], &["1.0.1", "1.1.0"], known),
        (&["toy", "--newest", "2"], &["1.0.1", "1.1.0"], known),
        (
            &["toy@1.0..1.2"],
            &["1.0.1", "1.1.0"],
            "left out: toy 1.2: no release but yanked",
        ),
    ] {
        let mut arguments = arguments.to_vec();
        arguments.push("--dry-run");
        let ended = place.run_releases(&arguments).well();
        assert!(ended.stderr.contains(said), "{said} in {}", ended.stderr);
        let lines: Vec<&str> = ended.stdout.lines().take_while(|l| !l.is_empty()).collect();
        assert_eq!(lines.len(), expected.len(), "{lines:?}");
        for (line, version) in lines.iter().zip(expected) {
            assert!(line.starts_with(&format!("Toy {version} (")), "{line}");
            assert!(line.ends_with("to be built (time unknown)"), "{line}");
        }
    }
    // What has one release only is that.
    let alone = ["toy", "--newest", "2", "--dry-run"];
    Place::bare().run(&alone, &[]).well();
    // Nobody can tell what is newer than what cargo knows.
    for range in ["toy@1.3..", "toy@1.0.0..1.0.9", "toy@1.2"] {
        let ended = place.run_releases(&[range, "--dry-run"]).code_is(4);
        assert!(ended.stderr.contains("no connection"), "{}", ended.stderr);
    }
    fs::remove_dir_all(place.path("home")).expect("removed");
    let ended = place.run_releases(&["toy@1.0..", "--dry-run"]).code_is(4);
    assert!(
        ended
            .stderr
            .contains("cannot look up the releases of toy-library")
    );
}

#[test]
fn the_releases_of_a_range_are_measured_with_their_dates() {
    let place = Place::with_releases();
    place
        .run_releases(&["toy@1.0.0..1.0.1", "--runs", "1"])
        .well();
    let report = place.read("2026-11-30-toy/report.toml");
    for part in [
        "version = \"1.0.0\"\nvariant = [\"a\"]\nfiles = [\"toy_1.0.0_a/\"]\nreleased = 2024-02-01\n",
        "files = [\"toy_1.0.1_a/\"]\nreleased = 2024-03-01\n",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    let times = place.read("target/run/times.json");
    assert!(times.contains("\"build toy toy_1.0.1_a\""), "{times}");
    let ended = place
        .run_releases(&["toy@1.0.0..1.1.0", "--runs", "1", "--dry-run"])
        .well();
    assert!(
        ended.stdout.contains("Toy 1.0.0 (a)  2024-02-01  built\n"),
        "{}",
        ended.stdout
    );
    assert!(
        ended
            .stdout
            .contains("Toy 1.1.0 (a)  -           to be built (about ")
    );
}

/// A library whose rate its sources tell.
fn library(version: &str, rate: u32) -> [(&'static str, String); 2] {
    let manifest =
        format!("[package]\nname = \"toy-library\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    let source = "pub const VERSION: &str = env!(\"CARGO_PKG_VERSION\");\n".to_owned();
    let source = source + &format!("pub const RATE: u32 = {rate};\n");
    [("Cargo.toml", manifest), ("src/lib.rs", source)]
}

impl Place {
    /// With a toy that depends on the library, which cargo has in release 1.0.0.
    fn with_library() -> Self {
        let place = Self::bare();
        let toy = TOY.replace(
            "[workspace]\n",
            "[workspace]\n[dependencies]\ntoy-library = \"1\"\n",
        );
        let toy = toy.replace(
            "word = \"toy\"\n",
            "word = \"toy\"\npin = \"toy-library\"\nreleases = \"1\"\ntree = \"packages\"\n",
        );
        place.put("runners/toy/Cargo.toml", &toy);
        let main = include_str!("fixtures/runner/toy.rs");
        let main = main.replace("env!(\"CARGO_PKG_VERSION\")", "toy_library::VERSION");
        let main = main.replace("rate() + run", "toy_library::RATE + run % 7");
        place.put("runners/toy/src/main.rs", &main);
        for (path, text) in library("1.0.0", 1000) {
            place.put(&format!("vendor/toy-library/{path}"), &text);
        }
        place.put("vendor/toy-library/.cargo-checksum.json", "{\"files\":{}}");
        let vendor = place.path("vendor").display().to_string();
        place.put(
            "home/config.toml",
            &format!("[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"{vendor}\"\n"),
        );
        fs::remove_file(place.path("runners/toy/Cargo.lock")).expect("removed");
        let mut cargo = Command::new("cargo");
        cargo
            .arg("generate-lockfile")
            .current_dir(place.path("runners/toy"));
        run(cargo.env("CARGO_HOME", place.path("home"))).well();
        place
    }

    fn run_sources(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let home = self.path("home").display().to_string();
        self.run(arguments, &[environment, &[("CARGO_HOME", &home)]].concat())
    }

    /// Commits a state of the library, and returns the start of the commit's hash.
    fn commit(&self, files: &[(&str, String)]) -> String {
        for (path, text) in files {
            self.put(&format!("repository/{path}"), text);
        }
        if !self.path("repository/.git").exists() {
            self.git(&["init", "-q"]);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "a step"]);
        self.git(&["rev-parse", "--short=7", "HEAD"])
            .trim()
            .to_owned()
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.path("repository"))
            .args(["-c", "user.name=Toy", "-c", "user.email=toy@example.org"])
            .args(arguments)
            .env("GIT_AUTHOR_DATE", "2024-05-06T12:00:00Z")
            .env("GIT_COMMITTER_DATE", "2024-05-06T12:00:00Z");
        run(&mut git).well().stdout
    }
}

#[test]
fn sources_that_are_no_release_are_measured() {
    let place = Place::with_library();
    let first = place.commit(&library("1.0.7", 900));
    let second = place.commit(&library("1.0.8-dev", 800));
    // Not committed yet, and one that git is told to ignore.
    place.put("repository/src/lib.rs", &library("1.0.8-dev", 700)[1].1);
    place.put("repository/.gitignore", "ignored\n");
    place.put("repository/ignored/Cargo.toml", "no TOML");
    let index = fs::read(place.path("repository/.git/index")).expect("an index");
    let arguments = [
        "toy",
        "toy@git:repository#HEAD~1",
        "toy@git:repository",
        "toy@path:repository+b",
        "--runs",
        "1",
        "-f",
        "full.*1.3, rsa, client",
    ];
    let table = place.run_sources(&arguments, &[]).well().stdout;
    for (version, value) in [
        ("1.0.0".to_owned(), " 1,001.5 "),
        (format!("1.0.7+{first}"), " 901.5 "),
        (format!("1.0.8-dev+{second}"), " 801.5 "),
        (format!("1.0.8-dev+{second}.dirty"), " 701.5 "),
    ] {
        let mut lines = table.lines();
        let line = lines
            .find(|l| l.contains(&format!(" {version} ")))
            .expect(&table);
        assert!(line.contains(value), "{line}");
        let is_dirty = version.ends_with("dirty");
        assert_eq!(
            line.contains("built of uncommitted changes"),
            is_dirty,
            "{line}"
        );
    }
    let report = place.read("2026-11-30-toy/report.toml");
    for part in [
        format!("version = \"1.0.7+{first}\""),
        "released = 2024-05-06".to_owned(),
        format!("sources: commit {second}"),
        " with uncommitted changes\"".to_owned(),
    ] {
        assert!(report.contains(&part), "{part} in {report}");
    }
    assert!(
        place
            .read("2026-11-30-toy/run.toml")
            .contains("[sources]\n\"toy_1.0.7+")
    );
    assert_eq!(
        fs::read(place.path("repository/.git/index")).expect("an index"),
        index
    );
    assert!(!place.path("repository/Cargo.lock").exists());
    // All is there already, and nothing is built or measured again.
    let again = place.run_sources(&arguments, &[]).well().stderr;
    assert!(
        again.contains("all of this is measured") && !again.contains("building"),
        "{again}"
    );
    // Another state of the files is another program.
    place.put("repository/src/lib.rs", &library("1.0.8-dev", 600)[1].1);
    let ended = place.run_sources(&arguments, &[]).code_is(4);
    assert!(ended.stderr.contains("another build"), "{}", ended.stderr);
}

#[test]
fn sources_that_are_none_are_refused() {
    let place = Place::with_library();
    place.commit(&library("2.0.0", 900));
    place.put(
        "other/Cargo.toml",
        "[package]\nname = \"other\"\nversion = \"1.0.0\"\n",
    );
    for (spec, code, part) in [
        ("toy@path:nowhere", 2, "there is no folder nowhere"),
        ("toy@path:other", 2, "hold no package `toy-library`"),
        (
            "toy@path:repository",
            2,
            "these are sources of 2.0.0; `toy@path:repository` cannot be measured: there is toy ^1",
        ),
        (
            "toy@git:repository#none",
            2,
            "no branch, tag or commit `none`",
        ),
        ("toy@git:repository#--all", 2, "`--all` is no revision"),
        ("toy@git:nowhere#main", 4, "git cannot fetch nowhere"),
    ] {
        let ended = place.run_sources(&[spec, "--dry-run"], &[]).code_is(code);
        assert!(ended.stderr.contains(part), "{part} in {}", ended.stderr);
    }
}

impl Place {
    fn bisect(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let mut command = program();
        command
            .current_dir(self.0.path())
            .args(["bisect", "--runners", "runners", "--out", "2026-11-30-toy"])
            .args(["-f", "full.*1.3, rsa, client"])
            .args(arguments)
            .env("TOY_LOG", self.path("log"))
            .env("CARGO_HOME", self.path("home"))
            .envs(environment.iter().copied());
        command
    }
}

#[test]
fn the_commit_of_a_change_is_found() {
    let place = Place::with_library();
    let broken = ("src/lib.rs", "no Rust".to_owned());
    let states = [1000, 1000, 1000, 0, 900, 900, 900].map(|rate| match rate {
        0 => vec![broken.clone()],
        rate => library("1.0.7", rate).to_vec(),
    });
    let commits: Vec<String> = states.iter().map(|state| place.commit(state)).collect();
    let range = format!("toy@git:repository#{}..", commits[0]);
    let listed = run(&mut place.bisect(&[&range, "--dry-run"], &[]))
        .well()
        .stdout;
    assert_eq!(listed.lines().count(), 7, "{listed}");
    assert!(!place.out().exists());

    // It goes on where it was killed.
    let mut child = place
        .bisect(&[&range], &[("TOY_SLEEPS", "10")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    wait_until("results", || place.log().len() >= 9);
    signal(&child, Signal::KILL);
    child.wait().expect("gone");
    let before = place.log().len();
    let found = run(&mut place.bisect(&[&range], &[])).well();
    for part in [
        format!("first with the change: {} a step\n", commits[4]),
        format!(
            "or one of these, of which nothing is known: {} a step\n",
            commits[3]
        ),
        format!("last without it:       {} a step\n", commits[2]),
        "between these two:     1.11x slower, 95% interval".to_owned(),
        "10 runs each in turns".to_owned(),
        "4 of 7 steps built, 1 passed over".to_owned(),
    ] {
        let found = &found.stdout;
        assert!(found.contains(&part), "{part} in {found}");
    }
    // In the order of the commits, not in that of the search.
    let report = place.read("2026-11-30-toy/report.toml");
    let versions = report
        .lines()
        .filter_map(|l| l.strip_prefix("version = \"1.0.7+"));
    let versions: Vec<&str> = versions.map(|v| v.trim_end_matches('"')).collect();
    assert_eq!(
        versions,
        [&commits[0], &commits[2], &commits[4], &commits[6]]
    );
    // The ends, two steps with both ends, and the neighbours by themselves.
    let measured = place.log().len();
    assert!(
        (10 * (2 + 3 + 3 + 2)..=10 * 10 + 1).contains(&measured),
        "{measured}, {before} before"
    );
    let again = run(&mut place.bisect(&[&range], &[])).well();
    assert_eq!(again.stdout, found.stdout);
    assert_eq!(place.log().len(), measured);
    place.put("site/config.toml", "base_url = \"/\"");
    let arguments = ["ingest", "2026-11-30-toy", "--site", "site"];
    common::generator(place.0.path(), &arguments).well();
    let page = place.read("site/content/perf/2026-11-30-toy/index.md");
    assert!(page.contains(&format!("1.0.7+{}", commits[4])), "{page}");
}

#[test]
fn the_release_of_a_change_is_found() {
    let place = Place::with_releases();
    let cargo = cargo(&place, PINNING);
    let range = "toy@1.0.0..1.1.0";
    let environment = [("CARGO", cargo.as_str()), ("TOY_SLOW_SINCE", "1.0.1")];
    let found = run(&mut place.bisect(&[range], &environment)).well().stdout;
    assert!(
        found.contains("first with the change: Toy 1.0.1 (a), 2024-03-01\n"),
        "{found}"
    );
    assert!(
        found.contains("last without it:       Toy 1.0.0 (a), 2024-02-01\n"),
        "{found}"
    );
    let place = Place::with_releases();
    let ended = run(&mut place.bisect(&[range], &environment[..1])).code_is(1);
    assert!(
        ended.stdout.contains("no change shown, ratio 1.0000"),
        "{}",
        ended.stdout
    );
    assert!(
        ended.stdout.contains("2 of 3 steps built"),
        "{}",
        ended.stdout
    );
    assert!(
        ended
            .stderr
            .contains("no change of `full handshakes, 1.3, rsa, client` can be shown")
    );
}

#[test]
fn a_search_needs_a_range_and_one_figure() {
    let place = Place::with_releases();
    let cargo = cargo(&place, PINNING);
    let environment = [("CARGO", cargo.as_str())];
    for (arguments, part) in [
        (&["toy"][..], "`toy` is no range of two or more steps"),
        (&["toy@1.0.0"], "is no range"),
        (&["toy@1.0.0..1.0.0"], "is no range"),
        (&["toy@git:repository#main"], "is no range"),
        (
            &["toy@1.0.0..1.1.0", "--suite", "all"],
            "-f and -F leave 6 figures",
        ),
        (
            &["toy@1.0.0..1.1.0", "--max-runs", "4"],
            "4 is not in 10..=9999",
        ),
    ] {
        let ended = run(&mut place.bisect(arguments, &environment)).code_is(2);
        assert!(ended.stderr.contains(part), "{part} in {}", ended.stderr);
    }
    let mut both = place.bisect(&["toy@1.0.0..1.1.0"], &environment);
    let both = both.args(["-F", "handshakes"]);
    let ended = run(both).code_is(2);
    assert!(
        ended.stderr.contains("no scenario") || ended.stderr.contains("leave 0 figures"),
        "{}",
        ended.stderr
    );
}

#[test]
fn two_at_once_are_refused() {
    let place = Place::new();
    let one = ["toy", "--runs", "1", "-f", "1.3, rsa, client"];
    let mut first = place
        .command(&one, &[("TOY_SLEEPS", "2000")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    wait_until("a process", || !place.log().is_empty());
    let ended = place.run(&["toy+b", "--runs", "1"], &[]).code_is(4);
    assert!(
        ended.stderr.contains("another measurement is at work"),
        "{}",
        ended.stderr
    );
    assert!(first.wait().expect("it ends").success());
    assert!(Path::new(&place.out()).is_dir());
}

//! The test of every runner: all of scenarios.txt by the protocol, with new certificates and little
//! work each.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Serves all scenarios by `runner`.
///
/// # Panics
/// If an answer is wrong, or if other scenarios are unsupported than those with one of the words
/// `lacks`, or none if there are such words.
pub fn check(runner: &str, scratch: &str, lacks: &[&str]) {
    let certificates = Path::new(scratch).join("certificates");
    generate(&certificates);
    let serve = |options: &[&str], label: &str, commands: &str| {
        let mut command = Command::new(runner);
        command.arg("--certificates").arg(&certificates);
        lines(command.args(options).arg(label), commands)
    };
    let mut unsupported = 0;
    let labels = include_str!("scenarios.txt").lines();
    for label in labels.filter(|line| !line.starts_with('#')) {
        let commands = match label.starts_with("memory") {
            true => "peak\nend\n",
            false => "slice 1\nslice 3\nend\n",
        };
        let answers = serve(&[], label, commands);
        if answers[0].starts_with("unsupported ") {
            assert!(lacks.iter().any(|word| label.contains(word)), "{label}");
            unsupported += 1;
            continue;
        }
        check_answers(label, &answers);
        if !label.contains("handshakes, 1.3") || label.starts_with("latency") {
            continue;
        }
        let counts = serve(&["--counts"], label, "count\nend\n");
        // The server sends one ticket in a resumed handshake of TLS 1.3, and else none.
        let flights = 1 + usize::from(label.starts_with("resumed"));
        let flights = format!("server flights {flights}");
        let is_right = |counts: &String| counts.split(';').any(|count| count == flights);
        let is_counted = !counts[0].starts_with("unsupported ");
        assert!(!is_counted || is_right(&counts[1]), "{label}: {counts:?}");
    }
    assert_eq!(unsupported == 0, lacks.is_empty());
}

/// Runs a program that must succeed, and returns the lines that it prints.
fn lines(command: &mut Command, commands: &str) -> Vec<String> {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.spawn().expect("the runner starts");
    let mut input = child.stdin.take().expect("piped");
    // An unsupported scenario ends before it reads.
    let _unread = input.write_all(commands.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("the runner ends");
    assert!(output.status.success(), "{command:?}: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.is_empty(), "{command:?} printed nothing");
    text.lines().map(str::to_owned).collect()
}

/// Checks `ready`, and the answers to slices of 1 and 3 operations or to `peak`.
fn check_answers(label: &str, answers: &[String]) {
    let is_one_sided = label.starts_with("writes") || label.starts_with("client hello");
    assert!(answers[0].starts_with("ready"), "{label}: {answers:?}");
    let has_bytes = answers[0].contains(" bytes=");
    assert_eq!(has_bytes, is_one_sided, "{label}: {answers:?}");
    let answer = |number: usize| {
        let words = answers[number].split(' ').map(str::parse);
        words.collect::<Result<Vec<u64>, _>>().expect(label)
    };
    if label.starts_with("memory") {
        assert!((500..1 << 20).contains(&answer(1)[0]), "{label}");
        return;
    }
    let threads = if label.contains("2 threads") { 2 } else { 1 };
    for (number, operations) in [(1, 1), (2, 3)] {
        let numbers = answer(number);
        let single_times = match label {
            _ if label.starts_with("latency") => 2 * operations * threads,
            _ if label.starts_with("writes") => operations * threads,
            _ => 0,
        };
        assert_eq!(numbers.len(), 5 + single_times, "{label}: {answers:?}");
        assert!(numbers[0] > 0, "{label}: {answers:?}");
        assert_eq!(numbers[1] == 0, is_one_sided, "{label}: {answers:?}");
        assert!(
            numbers[2] > numbers[0].max(numbers[1]),
            "{label}: {answers:?}"
        );
    }
}

/// Prefixes of the variables that cargo sets for the tests of a package.
const OF_PACKAGE: [&str; 3] = ["CARGO_MANIFEST_", "CARGO_PKG_", "OUT_DIR"];

/// Runs the program that generates them, which is built once for all runners: ring would be built
/// again for each package whose variables cargo inherits.
fn generate(folder: &Path) {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../certificates/Cargo.toml");
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo runs the tests"));
    cargo
        .args(["run", "--quiet", "--release", "--locked"])
        .args(["--manifest-path", manifest, "--"])
        .arg(folder)
        .args(["rsa", "ecdsa"]);
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if OF_PACKAGE.iter().any(|prefix| name.starts_with(prefix)) {
            cargo.env_remove(&*name);
        }
    }
    let status = cargo.status();
    assert!(status.expect("cargo starts").success(), "no certificates");
}

//! The test of every runner: all of scenarios.txt by the protocol, with new certificates and little
//! work each.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Serves all scenarios by `runner`, and returns those that are unsupported.
///
/// # Panics
/// If an answer to another scenario is wrong.
pub fn unsupported(runner: &str, scratch: &str) -> Vec<String> {
    let certificates = Path::new(scratch).join("certificates");
    generate(&certificates);
    let serve = |options: &[&str], label: &str, commands: &str| {
        let mut command = Command::new(runner);
        command.arg("--certificates").arg(&certificates);
        lines(command.args(options).arg(label), commands)
    };
    let lines = include_str!("scenarios.txt").lines();
    let mut unsupported = Vec::new();
    for label in lines.filter(|line| !line.starts_with('#')) {
        let commands = match label.starts_with("memory") {
            true => "peak\nend\n",
            false => "slice 1\nslice 3\nend\n",
        };
        let answers = serve(&[], label, commands);
        if answers[0].starts_with("unsupported ") {
            unsupported.push(label.to_owned());
            continue;
        }
        check(label, &answers);
        if label.contains("handshakes, 1.3") && !label.starts_with("latency") {
            check_flights(label, &serve(&["--counts"], label, "count\nend\n"));
        }
    }
    unsupported
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
fn check(label: &str, answers: &[String]) {
    let ready = answers[0].strip_prefix("ready");
    let facts: Vec<&str> = ready.expect("ready").split_whitespace().collect();
    let has_fact = |key: &str| facts.iter().any(|fact| fact.starts_with(key));
    let is_one_sided = label.starts_with("writes") || label.starts_with("client hello");
    assert_eq!(has_fact("bytes="), is_one_sided, "{label}: {facts:?}");
    let operations = match label.starts_with("memory") {
        true => vec![0],
        false => vec![1, 3],
    };
    assert_eq!(answers.len(), 1 + operations.len(), "{label}: {answers:?}");
    for (answer, operations) in answers[1..].iter().zip(operations) {
        let numbers = answer
            .split(' ')
            .map(|number| number.parse().expect(answer));
        let numbers: Vec<u64> = numbers.collect();
        let threads = if label.contains("2 threads") { 2 } else { 1 };
        let count = match label {
            _ if label.starts_with("memory") => 1,
            _ if label.starts_with("latency") => 5 + 2 * operations * threads,
            _ if label.starts_with("writes") => 5 + operations * threads,
            _ => 5,
        };
        assert_eq!(numbers.len(), count, "{label}: {answer}");
        assert!(numbers[0] > 0, "{label}: {answer}");
        if operations > 0 {
            assert_eq!(numbers[1] == 0, is_one_sided, "{label}: {answer}");
            assert!(numbers[2] > numbers[0].max(numbers[1]), "{label}: {answer}");
        }
    }
}

/// Checks that the server sends one ticket in a resumed handshake of TLS 1.3, and else none.
fn check_flights(label: &str, answers: &[String]) {
    if answers[0].starts_with("unsupported ") {
        return;
    }
    let flights = 1 + usize::from(label.starts_with("resumed"));
    let expected = format!("server flights {flights}");
    assert!(
        answers[1].split(';').any(|count| count == expected),
        "{label}: {answers:?}"
    );
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

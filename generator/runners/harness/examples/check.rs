//! Checks a runner: it serves all of scenarios.txt by the protocol, with little work each.
//!
//! `check CERTIFICATES RUNNER [WORD…]`: with words, some scenarios whose labels have one of them are
//! unsupported, and no others.

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [certificates, runner, lacks @ ..] = arguments.as_slice() else {
        panic!("usage: check CERTIFICATES RUNNER [WORD…]");
    };
    let serve = |options: &[&str], label: &str, commands: &str| {
        let mut command = Command::new(runner);
        command.args(["--certificates", certificates]);
        lines(command.args(options).arg(label), commands)
    };
    let (mut served, mut unsupported) = (0, 0);
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
        served += 1;
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
    println!("{runner}: {served} scenarios served, {unsupported} unsupported");
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
    let context = || format!("{label}: {answers:?}");
    let is_one_sided = label.starts_with("writes") || label.starts_with("client hello");
    assert!(answers[0].starts_with("ready"), "{}", context());
    let has_bytes = answers[0].contains(" bytes=");
    assert_eq!(has_bytes, is_one_sided, "{}", context());
    let answer = |number: usize| {
        let words = answers[number].split(' ').map(str::parse);
        words.collect::<Result<Vec<u64>, _>>().expect(label)
    };
    if label.starts_with("memory") {
        assert!((500..1 << 20).contains(&answer(1)[0]), "{}", context());
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
        assert_eq!(numbers.len(), 5 + single_times, "{}", context());
        assert!(numbers[0] > 0, "{}", context());
        assert_eq!(numbers[1] == 0, is_one_sided, "{}", context());
        let largest = numbers[0].max(numbers[1]);
        assert!(numbers[2] > largest, "{}", context());
    }
}

//! The command line, tested by scripts. A file of cases has, after `== name`, files (`-- path`, then their
//! lines), commands (`$ …`, for bash, in a folder of the case) and what is expected of the command above:
//!
//! ```text
//! exit 3         its exit code, else 0
//! out: text      a part of its standard output; `err:` of its standard error
//! out! text      no part of it
//! out= text      a line of it, of which there are no others
//! snap name      the standard output is this snapshot
//! ```
//!
//! `CASE=word` runs the cases whose names or files contain the word.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing file fails the test")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/place.rs"]
mod place;

use common::{Folder, Run, difference, files, fixture, read, repository, run, write};
use rayon::prelude::*;
use std::path::Path;
use std::process::Command;

/// Functions and variables of all commands.
const PRELUDE: &str = include_str!("prelude.sh");

struct Case {
    name: String,
    steps: Vec<Step>,
}

enum Step {
    File(String, Vec<String>),
    Command(String, Vec<(String, String)>),
}

/// The cases of a file. Lines between them that start with `#` are comments.
fn cases(path: &Path) -> Vec<Case> {
    let file = path.file_stem().expect("a name").to_string_lossy();
    let mut cases: Vec<Case> = Vec::new();
    for line in read(path).lines() {
        if let Some(name) = line.strip_prefix("== ") {
            let name = format!("{file}: {name}");
            let steps = Vec::new();
            cases.push(Case { name, steps });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        if let Some(path) = line.strip_prefix("-- ") {
            case.steps.push(Step::File(path.to_owned(), Vec::new()));
        } else if let Some(command) = line.strip_prefix("$ ") {
            case.steps
                .push(Step::Command(command.to_owned(), Vec::new()));
        } else {
            match case.steps.last_mut() {
                Some(Step::File(_, lines)) => lines.push(line.to_owned()),
                Some(Step::Command(command, expected)) => match line.split_once(' ') {
                    Some(("", more)) => *command += &format!("\n{more}"),
                    Some(("#", _)) => {}
                    Some((kind, rest)) => expected.push((kind.to_owned(), rest.to_owned())),
                    None if line.is_empty() => {}
                    None => expected.push((line.to_owned(), String::new())),
                },
                None => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
            }
        }
    }
    cases
}

/// The first command with which something is wrong, and what.
fn failure(case: &Case) -> Option<String> {
    // Below another folder, so that `..` is of the case alone.
    let around = Folder::in_memory();
    let folder = around.join("case");
    std::fs::create_dir(&folder).expect("a folder");
    for step in &case.steps {
        match step {
            Step::File(path, lines) => {
                // A file ends with its last line that is not empty.
                let text = lines.join("\n");
                let text = text.trim_end_matches('\n');
                let end = if text.is_empty() { "" } else { "\n" };
                write(&folder.join(path), format!("{text}{end}"));
            }
            Step::Command(command, expected) => {
                let found = bash(&folder, command);
                if let Some(problem) = problem(&found, expected) {
                    let Run {
                        code,
                        stdout,
                        stderr,
                    } = found;
                    let [stdout, stderr] =
                        [stdout, stderr].map(|text| text.chars().take(3000).collect::<String>());
                    return Some(format!(
                        "== {}\n$ {command}\n{problem}\nexit {code:?}\nout: {stdout}\nerr: {stderr}\n",
                        case.name
                    ));
                }
            }
        }
    }
    None
}

fn bash(folder: &Path, script: &str) -> Run {
    let program = Path::new(env!("CARGO_BIN_EXE_generator"));
    let built = program.parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let mut command = Command::new("bash");
    command
        .current_dir(folder)
        .args(["-c", &format!("{PRELUDE}\n{script}")])
        .env("PATH", format!("{}:{path}", built.display()))
        .env("REPO", repository())
        .env("FIXTURES", fixture(""))
        .env("VERSION", env!("CARGO_PKG_VERSION"));
    // Without OLDPWD, `cd -` cannot leave the case.
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "OLDPWD",
    ] {
        command.env_remove(name);
    }
    // The toy is built, and Zola looked for, only where a case uses them.
    if script.contains("toy") {
        command.env("TOY", place::built());
    }
    if script.contains("zola") {
        command.env("ZOLA", common::zola());
    }
    run(&mut command)
}

fn problem(found: &Run, expected: &[(String, String)]) -> Option<String> {
    let of = |kind: &str| -> Vec<&str> {
        let own = expected.iter().filter(|(known, _)| known == kind);
        own.map(|(_, text)| &**text).collect()
    };
    let code = *of("exit").first().unwrap_or(&"0");
    if found.code.map(|code| code.to_string()).as_deref() != Some(code) {
        return Some(format!("should exit with {code}"));
    }
    for (stream, text) in [("out", &found.stdout), ("err", &found.stderr)] {
        if let Some(part) = of(&format!("{stream}:"))
            .iter()
            .find(|part| !text.contains(*part))
        {
            return Some(format!("{stream} lacks `{part}`"));
        }
        if let Some(part) = of(&format!("{stream}!"))
            .iter()
            .find(|part| text.contains(*part))
        {
            return Some(format!("{stream} has `{part}`"));
        }
        let whole = of(&format!("{stream}="));
        if !whole.is_empty() && text.trim_end_matches('\n') != whole.join("\n") {
            return Some(format!("{stream} is not `{}`", whole.join("\n")));
        }
    }
    let known = [
        "exit", "out:", "out!", "out=", "err:", "err!", "err=", "snap",
    ];
    let unknown = expected.iter().find(|(kind, _)| !known.contains(&&**kind));
    if let Some((kind, rest)) = unknown {
        return Some(format!("what is expected by `{kind} {rest}`?"));
    }
    let mut snapshots = of("snap").into_iter();
    snapshots.find_map(|name| difference(&format!("cases/snapshots/{name}"), &found.stdout))
}

#[test]
fn commands_do_what_their_cases_say() {
    let wanted = std::env::var("CASE").unwrap_or_default();
    let folder = repository().join("generator/tests/cases");
    let mut all: Vec<Case> = files(&folder)
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .flat_map(|path| cases(path))
        .collect();
    all.retain(|case| case.name.contains(&wanted));
    // The cases that wait for programs take longest: none of them should be left alone at the end.
    all.sort_by_key(|case| !case.name.starts_with("run: "));
    // They wait for processes as much as they compute.
    let threads = rayon::ThreadPoolBuilder::new().num_threads(4).build();
    let failures: Vec<String> = threads
        .expect("threads")
        .install(|| all.iter().par_bridge().filter_map(failure).collect());
    println!("{} cases", all.len());
    assert!(
        failures.is_empty(),
        "{} fail\n{}",
        failures.len(),
        failures.join("\n")
    );
}

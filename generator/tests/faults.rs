//! Fault injection: each file-system call fails in each way. Afterwards every file is old or new,
//! the error names path and cause, and the next run repairs the rest.
//!
//! strace injects the faults. A traced run lists the calls, and each then fails in a run of its
//! own. `FAULTS=all` tries all of them (`make test-faults`), each with a kill and, in turn, one of
//! the errors, between which nothing in the program distinguishes; the default is a sample, with
//! all.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing file fails the test")]

mod common;

use common::{Folder, Run, Tree, generator, program, run, tree};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Faults in strace's syntax, each with the system's message; a killed process prints none.
const FAULTS: [(&str, &str); 5] = [
    ("error=ENOSPC", "No space left on device"),
    ("error=EIO", "Input/output error"),
    ("error=EACCES", "Permission denied"),
    ("error=EMFILE", "Too many open files"),
    ("signal=SIGKILL", ""),
];

/// The number of calls in the sample of each command that makes more than a few.
const SAMPLE: usize = 6;
const FEW: usize = 100;

/// Commands that run at once: more than processors, because the commands wait, too.
const THREADS: usize = 6;

/// The name of a system call, and its ordinal (from 1) among the calls of that name.
type Call = (String, usize);

/// A command, and the folder in its state before the command.
struct Case {
    before: Folder,
    arguments: &'static str,
    /// Whether the command runs others, in which no faults are injected.
    has_children: bool,
    /// How it gets files onto the disk: flushed, renamed, and their folders flushed. Renames in a row count once.
    order: &'static str,
}

impl Case {
    /// Runs the command in `folder`, under strace if there are options for it.
    fn run(&self, folder: &Path, options: &[&str]) -> Run {
        let mut command = program();
        if !options.is_empty() {
            command = Command::new("strace");
            command.args(options).arg(program().get_program());
        }
        // With one thread, the order of calls is the same in each run.
        command.env("RAYON_NUM_THREADS", "1");
        command.env("XDG_CACHE_HOME", folder.join("target"));
        command.args(self.arguments.split(' ')).current_dir(folder);
        run(&mut command)
    }

    /// A copy of the folder in its state before the command.
    fn folder(&self) -> Folder {
        let folder = Folder::in_memory();
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(self.before.join("."));
        assert!(copy.arg(folder.path()).status().expect("cp").success());
        folder
    }

    /// The calls to try, with the arguments that strace prints, and the files after the command.
    fn calls(&self) -> (BTreeMap<Call, String>, Tree) {
        let (folder, log) = (self.folder(), Folder::in_memory());
        let path = folder.path().to_str().expect("UTF-8");
        let name = log.join("log").display().to_string();
        let options = ["-y", "-e", "trace=%file,%desc", "-o", &name];
        self.run(folder.path(), &options).success();
        let (mut counts, mut calls, mut order) = (HashMap::new(), BTreeMap::new(), Vec::new());
        let log = log.read("log");
        for line in log.lines() {
            let Some((name, rest)) = line.split_once('(') else {
                continue;
            };
            // Calls that start the program or manage descriptors; std aborts if F_GETFD fails.
            let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if ["mmap", "execve", "fcntl", "poll", "ppoll"].contains(&name) || !is_word {
                continue;
            }
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            // Keeps calls on the folder, /proc and /sys, but not those of the dynamic loader. The
            // working directory, which strace -y prints too, is irrelevant to an absolute path.
            let places = [path, "/proc/", "/sys/"];
            let is_relevant = match rest.split('"').nth(1).filter(|p| p.starts_with('/')) {
                Some(absolute) => places.iter().any(|place| absolute.starts_with(place)),
                None => rest.contains(path),
            };
            if is_relevant && !rest.contains(env!("CARGO_BIN_EXE_generator")) {
                calls.insert((name.to_owned(), *count), rest.to_owned());
                if ["fsync", "syncfs", "renameat"].contains(&name) {
                    order.push(name);
                }
            }
        }
        order.dedup_by(|a, b| a == b && *a != "fsync");
        assert_eq!(order.join(" "), self.order, "{}", self.arguments);
        (calls, stable_files(folder.path()))
    }

    /// Makes a call fail, and returns what is wrong afterwards and after one more run. `old` and
    /// `new` are the files before and after the command.
    fn inject(&self, (call, n): &Call, fault: (&str, &str), [old, new]: [&Tree; 2]) -> Vec<String> {
        let folder = self.folder();
        let trace = format!("trace={call}");
        let inject = format!("inject={call}:{}:when={n}", fault.0);
        let mut options = vec!["-o", "/dev/null", "-e", &trace, "-e", &inject];
        if !self.has_children {
            // Stops the program in these calls only, which takes a third of the time.
            options.extend(["-f", "--seccomp-bpf"]);
        }
        let failed = self.run(folder.path(), &options);
        let mut problems = self.check(&folder, &failed, fault, [old, new]);
        if folder.tree() == self.before.tree() {
            // Another run would do what the first of all has done.
            return problems;
        }
        let next = self.run(folder.path(), &[]);
        let left: Vec<String> = folder.tree().into_keys().filter(|p| is_left(p)).collect();
        if next.code != Some(0) {
            problems.push(format!("the next run fails: {}", next.stderr));
        } else if stable_files(folder.path()) != *new || !left.is_empty() {
            problems.push(format!("the next run repairs nothing, and leaves {left:?}"));
        }
        problems
    }

    /// Returns what is wrong with the files and with the result of a run with a fault.
    fn check(
        &self,
        folder: &Folder,
        result: &Run,
        (fault, cause): (&str, &str),
        [old, new]: [&Tree; 2],
    ) -> Vec<String> {
        let found = stable_files(folder.path());
        let mut problems = Vec::new();
        let paths: BTreeSet<&String> = found.keys().chain(old.keys()).chain(new.keys()).collect();
        for path in paths {
            let is = found.get(path);
            if is != old.get(path) && is != new.get(path) {
                problems.push(format!("{path} is neither old nor new"));
            }
        }
        let stderr = &result.stderr;
        match result.code {
            _ if fault.starts_with("signal") => return problems,
            Some(0) if found == *new => {}
            Some(0) => problems.push("exit code 0, but the files are not new".to_owned()),
            Some(4) => {}
            code => problems.push(format!("exit code {code:?}: {stderr}")),
        }
        let places = [
            "/",
            " .:",
            "this program",
            "the current folder",
            "cannot read what",
        ];
        // Also what is named as `path:old`.
        let named = self.arguments.split([' ', ':']);
        let names_path = places
            .into_iter()
            .chain(named)
            .any(|part| stderr.contains(part));
        if stderr.contains("error: ") && (!stderr.contains(cause) || !names_path) {
            problems.push(format!("the error lacks the path or the cause: {stderr}"));
        }
        problems
    }

    /// Asserts that nothing goes wrong, whichever fault occurs in whichever call.
    #[allow(clippy::print_stdout, reason = "the number of faults is the result")]
    fn survives_faults(&self) {
        let strace = Command::new("strace").arg("-V").output();
        assert!(
            strace.is_ok(),
            "strace is missing: run generator/tools/setup"
        );
        let old = stable_files(self.before.path());
        let (calls, new) = self.calls();
        let step = match std::env::var("FAULTS").as_deref() {
            Ok("all") => 1,
            _ if calls.len() < FEW => 1,
            _ => calls.len().div_ceil(SAMPLE),
        };
        let mut tries = Vec::new();
        for (at, (call, rest)) in calls.iter().step_by(step).enumerate() {
            let [errors @ .., kill] = FAULTS;
            let faults = match step {
                1 => vec![errors[at % errors.len()], kill],
                _ => FAULTS.to_vec(),
            };
            // std ignores errors of close.
            let is_seen = |fault: &(&str, &str)| call.0 != "close" || fault.0 == kill.0;
            tries.extend(
                faults
                    .into_iter()
                    .filter(is_seen)
                    .map(|fault| (call, rest, fault)),
            );
        }
        let wrong = tries.par_iter().filter_map(|(call, rest, fault)| {
            let problems = self.inject(call, *fault, [&old, &new]);
            let head = format!("{} {call:?} {rest}\n  ", fault.0);
            (!problems.is_empty()).then(|| head + &problems.join("\n  "))
        });
        let threads = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build();
        let wrong: Vec<String> = threads.expect("threads").install(|| wrong.collect());
        let (tried, calls) = (tries.len(), calls.len());
        println!("{}: {tried} faults in {calls} calls", self.arguments);
        assert!(tried >= SAMPLE.min(calls) && tried > 0);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Whether a killed run may leave this file, for the next one to remove. The build cache removes
/// its own when it is next written.
fn is_left(path: &str) -> bool {
    let marks = [".generator-stag", ".partial-", ".running/"];
    marks.iter().any(|mark| path.contains(mark)) && !path.starts_with("target/")
}

/// All files except leftovers, caches, and what differs from run to run.
fn stable_files(folder: &Path) -> Tree {
    let mut files = tree(folder);
    files.retain(|path, _| !is_left(path) && !path.contains("target/") && !path.contains("log"));
    files
}

fn report(folder: &Folder, name: &str, version: u32) {
    let rows = format!(
        "scenario,OpenSSL 3.6.1,rustls 0.23.37\n\"full handshakes, 1.3, rsa, client\",{}.5,{}.25\n",
        1000 + version,
        2000 + 777 * version
    );
    folder.write(&format!("{name}/results.csv"), rows);
    folder.write(&format!("{name}/report.toml"), "machine = \"Test bench\"\n");
}

/// Of two reports of a site, one is changed, one removed and one added.
#[test]
fn ingest_survives_faults() {
    let before = Folder::in_memory()
        .with("site/config.toml", "base_url = \"/\"\n")
        .with("site/content/mine.md", "+++\n+++\nby hand");
    for (name, version) in [
        ("old/2026-01-01-a", 0),
        ("old/2026-01-02-gone", 0),
        ("data/2026-01-01-a", 1),
        ("data/2026-01-03-new", 1),
    ] {
        report(&before, name, version);
    }
    let first = ["-q", "ingest", "old", "--reports-only", "--site", "site"];
    generator(before.path(), &first).success();
    let case = Case {
        before,
        arguments: "ingest data --reports-only --prune --site site",
        has_children: false,
        order: "syncfs renameat syncfs renameat syncfs",
    };
    case.survives_faults();
}

#[test]
fn init_survives_faults() {
    let case = Case {
        before: Folder::in_memory().with("new/mine.txt", "mine"),
        arguments: "init new",
        has_children: false,
        order: "syncfs renameat syncfs",
    };
    case.survives_faults();
}

/// Of the commands that read, the one that changes a file of others.
#[test]
fn splice_survives_faults() {
    let before = Folder::in_memory();
    report(&before, "data", 1);
    let marked = "# A\n<!-- benchmarks start -->\nold\n<!-- benchmarks end -->\nmore\n";
    before.write("README.md", marked);
    let case = Case {
        before,
        arguments: "show data --rows library --columns scenario --splice README.md",
        has_children: false,
        order: "fsync renameat fsync",
    };
    case.survives_faults();
}

/// Continues a measurement. Child processes are not traced.
#[test]
fn run_survives_faults() {
    let before = Folder::in_memory();
    let bench = "#!/bin/sh\necho 'test sort ... bench: 5 ns/iter (+/- 1)'\n";
    before.write("old/bench", bench);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(before.join("old/bench"), executable).expect("permissions");
    let arguments = "run --out out --command ./bench path:old --runs 2";
    let first = arguments.replace("--runs 2", "--runs 1");
    let first: Vec<&str> = first.split(' ').collect();
    generator(before.path(), &first).success();
    let case = Case {
        before,
        arguments,
        has_children: true,
        order: "renameat fsync renameat fsync fsync renameat fsync",
    };
    case.survives_faults();
}

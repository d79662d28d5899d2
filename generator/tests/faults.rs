//! Every call to the file system fails once, in each way that there is: all files are old or new
//! afterwards, the error names path and cause, and the next run heals.
//!
//! strace makes calls fail. A run that is watched tells which calls there are; each is then made to
//! fail in a run of its own. `FAULTS=all` tries all of them (`make test-faults`), else a sample.

mod common;
#[allow(
    dead_code,
    clippy::disallowed_methods,
    reason = "it is that of the tests of run"
)]
#[path = "run/place.rs"]
mod place;

use common::{Folder, Run, STOLEN, Tree, assert_same, generator, program, run, tree};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::process::Command;

/// strace's words, and what the system says then; nothing is said by a process that is killed.
const FAULTS: [(&str, &str); 5] = [
    ("error=ENOSPC", "No space left on device"),
    ("error=EIO", "Input/output error"),
    ("error=EACCES", "Permission denied"),
    ("error=EMFILE", "Too many open files"),
    ("signal=SIGKILL", ""),
];

/// Calls that a sample tries of each command.
const SAMPLE: usize = 6;

/// What is tried: a command in a folder as it was before.
struct Case<'a> {
    before: Folder,
    arguments: &'a [&'a str],
}

/// The ordinal of a call among those of its name.
type Call = (String, usize);

impl Case<'_> {
    /// The program in a folder, behind strace with these words.
    fn strace(&self, folder: &Path, words: &[&str]) -> Run {
        let mut command = Command::new("strace");
        command.args(words).arg(program().get_program());
        run(self.here(&mut command, folder))
    }

    fn here<'c>(&self, command: &'c mut Command, folder: &Path) -> &'c mut Command {
        // One thread, so that a call is the same one each time.
        let command = command.env("RAYON_NUM_THREADS", "1");
        command.args(self.arguments).current_dir(folder)
    }

    fn again(&self, folder: &Path) -> Run {
        run(self.here(&mut program(), folder))
    }

    /// A copy of the folder as it was.
    fn folder(&self) -> Folder {
        let folder = Folder::in_memory();
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(self.before.join(".")).arg(folder.path());
        assert!(copy.status().expect("cp runs").success());
        folder
    }

    /// Calls that are about the folder, with the words that strace has for each.
    fn calls(&self) -> (BTreeMap<Call, String>, Tree) {
        let (folder, log) = (self.folder(), Folder::in_memory());
        let (name, path) = (log.join("log"), folder.path().to_str().expect("UTF-8"));
        let words = [
            "-y",
            "-e",
            "trace=%file,%desc",
            "-o",
            name.to_str().expect("UTF-8"),
        ];
        self.strace(folder.path(), &words).well();
        let (mut counts, mut calls) = (HashMap::new(), BTreeMap::new());
        for line in log.read("log").lines() {
            let Some((name, rest)) = line.split_once('(') else {
                continue;
            };
            // Memory and descriptors alone; std stops where F_GETFD fails.
            if ["mmap", "execve", "fcntl", "poll", "ppoll"].contains(&name) || !is_word(name) {
                continue;
            }
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            // Of the folder and the machine, but not of what loads the program; a path that starts at
            // the root stands beside the folder that others would start at.
            let is_ours = match rest.split('"').nth(1).filter(|p| p.starts_with('/')) {
                Some(absolute) => [path, "/proc/", "/sys/"]
                    .iter()
                    .any(|p| absolute.starts_with(p)),
                None => rest.contains(path),
            };
            if is_ours && !rest.contains(program().get_program().to_str().expect("UTF-8")) {
                calls.insert((name.to_owned(), *count), rest.to_owned());
            }
        }
        (calls, sound(folder.path()))
    }

    /// What is wrong after a call failed. `old` and `new` are all files before and after a run.
    fn problems(
        &self,
        (call, n): &Call,
        fault: (&str, &str),
        [old, new]: [&Tree; 2],
    ) -> Vec<String> {
        let folder = self.folder();
        let (trace, inject) = (
            format!("trace={call}"),
            format!("inject={call}:{}:when={n}", fault.0),
        );
        let ended = self.strace(
            folder.path(),
            &["-o", "/dev/null", "-e", &trace, "-e", &inject],
        );
        let mut problems = self.after(&folder, &ended, fault, [old, new]);
        let again = self.again(folder.path());
        if again.code != Some(0) {
            problems.push(format!("the next run fails: {}", again.stderr));
        } else if sound(folder.path()) != *new || !leftovers(folder.path()).is_empty() {
            let left = leftovers(folder.path());
            problems.push(format!("the next run does not heal, and leaves {left:?}"));
        }
        problems
    }

    fn after(
        &self,
        folder: &Folder,
        ended: &Run,
        (fault, cause): (&str, &str),
        [old, new]: [&Tree; 2],
    ) -> Vec<String> {
        let found = sound(folder.path());
        let mut problems = Vec::new();
        let paths: BTreeSet<&String> = found.keys().chain(old.keys()).chain(new.keys()).collect();
        for path in paths {
            let is = found.get(path);
            // The list has both digests of each file meanwhile.
            if is != old.get(path) && is != new.get(path) && !path.ends_with(".generated.sha256") {
                problems.push(format!("{path} is neither old nor new"));
            }
        }
        match ended.code {
            _ if fault.starts_with("signal") => {}
            Some(0) if found == *new => {}
            Some(0) => problems.push("it says that all is well".to_owned()),
            Some(4) => {
                let said = &ended.stderr;
                let names = |part: &&str| said.contains(*part);
                let names_path = ["/", " .:", "this program", "cannot read what"]
                    .iter()
                    .any(names)
                    || self.arguments.iter().any(names);
                if !said.contains(cause) || !names_path {
                    problems.push(format!("it says neither path nor cause: {said}"));
                }
            }
            _ => problems.push(format!("it ends with {:?}: {}", ended.code, ended.stderr)),
        }
        problems
    }

    /// Tries all calls, or a sample.
    fn holds(&self) {
        let strace = Command::new("strace").arg("-V").output();
        assert!(
            strace.is_ok(),
            "these tests need strace: run generator/setup"
        );
        let old = sound(self.before.path());
        let (calls, new) = self.calls();
        let step = match std::env::var("FAULTS").as_deref() {
            Ok("all") => 1,
            _ => calls.len().div_ceil(SAMPLE),
        };
        let all: Vec<_> = calls.iter().step_by(step).collect();
        let tries = all
            .iter()
            .flat_map(|(call, rest)| FAULTS.map(|fault| (call, rest, fault)));
        // Nobody looks whether closing fails.
        let tries: Vec<_> = tries
            .filter(|(call, _, fault)| call.0 != "close" || fault.0.starts_with("signal"))
            .collect();
        let wrong = tries.par_iter().filter_map(|(call, rest, fault)| {
            let problems = self.problems(call, *fault, [&old, &new]);
            let head = format!("{} {call:?} {rest}\n  ", fault.0);
            (!problems.is_empty()).then(|| head + &problems.join("\n  "))
        });
        let wrong: Vec<String> = wrong.collect();
        assert!(all.len() >= SAMPLE.min(calls.len()) && !all.is_empty());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What a killed run may leave, and the next one removes.
fn is_leftover(path: &str) -> bool {
    [".generator-staging/", ".partial-", ".running/"]
        .iter()
        .any(|mark| path.contains(mark))
}

fn leftovers(folder: &Path) -> Vec<String> {
    let mut left: Vec<String> = tree(folder).into_keys().collect();
    // The cache of builds has its own removed when it is written again.
    left.retain(|path| is_leftover(path) && !path.starts_with("target/"));
    left
}

/// All files but leftovers, what only saves time, and what differs from run to run.
fn sound(folder: &Path) -> Tree {
    let mut files = tree(folder);
    let passing = [".generator-cache", "target/", "conditions.csv", "log"];
    files.retain(|path, _| !is_leftover(path) && !passing.iter().any(|p| path.contains(p)));
    for (_, bytes) in files.iter_mut().filter(|(path, _)| path.contains("/run-")) {
        *bytes = String::from_utf8_lossy(bytes)
            .replace(STOLEN, "")
            .into_bytes();
    }
    files
}

fn report(folder: &Folder, name: &str, version: u32) {
    let rows = format!(
        "scenario,OpenSSL 3.6.1,rustls 0.23.37\n\"full handshakes, 1.3, rsa, client\",{}.5,{}.25\n",
        1000 + version,
        2000 + 777 * version
    );
    folder.write(&format!("{name}/results.csv"), rows);
    folder.write(
        &format!("{name}/report.toml"),
        "machine = \"Test bench\"\npages = []\n",
    );
}

/// A site of two reports, and data of which one is changed, one gone, and one new.
fn with_site() -> Folder {
    let folder = Folder::in_memory()
        .with("site/config.toml", "base_url = \"/\"\n")
        .with("site/content/mine.md", "+++\n+++\nby hand");
    for (name, version) in [
        ("old/2026-01-01-a", 0),
        ("old/2026-01-02-gone", 0),
        ("data/2026-01-01-a", 1),
        ("data/2026-01-03-new", 1),
    ] {
        report(&folder, name, version);
    }
    generator(
        folder.path(),
        &["-q", "ingest", "old", "--no-cards", "--site", "site"],
    )
    .well();
    folder
}

const INGEST: [&str; 6] = ["ingest", "data", "--no-cards", "--prune", "--site", "site"];

fn ingest() -> Case<'static> {
    Case {
        before: with_site(),
        arguments: &INGEST,
    }
}

#[test]
fn ingest_holds() {
    ingest().holds();
}

#[test]
fn export_holds() {
    let before = Folder::in_memory().with("out.csv", "old");
    report(&before, "data/2026-01-01-a", 1);
    Case {
        before,
        arguments: &["export", "data", "--out", "out.csv"],
    }
    .holds();
}

#[test]
fn init_holds() {
    let before = Folder::in_memory().with("new/mine.txt", "mine");
    Case {
        before,
        arguments: &["init", "new"],
    }
    .holds();
}

/// A measurement that is continued. What it starts is not traced.
#[test]
fn run_holds() {
    let place = place::Place::new();
    let asked = "toy --control=never -f full.*1.3,.rsa,.client --runs";
    place.run(&format!("{asked} 1"), &[]).well();
    fs::remove_dir_all(place.path("target/run/build")).expect("removed");
    let before = Folder::in_memory();
    let mut copy = Command::new("cp");
    copy.arg("-r").arg(place.path(".")).arg(before.path());
    assert!(copy.status().expect("cp runs").success());
    let words = format!("run --runners runners --out {} {asked} 2", place::OUT);
    Case {
        before,
        arguments: &words.split(' ').collect::<Vec<_>>(),
    }
    .holds();
}

/// What cannot be read of the machine is not taken for another machine.
#[test]
fn facts_that_cannot_be_read_are_named() {
    let place = place::Place::new();
    let words = "toy --control=never -f full.*1.3,.rsa,.client --runs";
    place.run(&format!("{words} 1"), &[]).well();
    for (path, fact) in [
        ("/proc/meminfo", "memory"),
        ("/proc/cpuinfo", "flags"),
        ("/proc/sys/kernel/osrelease", "kernel"),
    ] {
        let continued = place.command(&format!("{words} 2"), &[]);
        let mut command = Command::new("strace");
        command
            .args([
                "-o",
                "/dev/null",
                "-P",
                path,
                "-e",
                "inject=openat:error=EACCES",
            ])
            .arg(continued.get_program())
            .args(continued.get_args())
            .current_dir(place.path("."));
        let why = format!("cannot read {path}: Permission denied");
        let ended = run(&mut command).code_is(4).says(&why);
        ended.says(&format!("the {fact} of this machine is unknown"));
    }
}

/// No more than so many bytes can be written into a file: the write that crosses it is short.
#[test]
fn short_writes_are_seen() {
    let case = ingest();
    let old = sound(case.before.path());
    let whole = case.folder();
    case.again(whole.path()).well();
    let new = sound(whole.path());
    for bytes in [0, 1, 200, 4000] {
        let folder = case.folder();
        let mut command = Command::new("sh");
        let limited = "trap '' XFSZ; limit=$1; shift; exec prlimit --fsize=$limit \"$@\"";
        command
            .args(["-c", limited, "sh", &bytes.to_string()])
            .arg(program().get_program());
        let ended = run(case.here(&mut command, folder.path())).code_is(4);
        let problems = case.after(&folder, &ended, ("", "File too large"), [&old, &new]);
        assert!(problems.is_empty(), "{bytes}: {problems:?}");
        assert!(leftovers(folder.path()).is_empty());
        case.again(folder.path()).well();
        assert_same(&sound(folder.path()), &new, "the next run");
    }
}

/// Times of files say nothing, whatever the clock did.
#[test]
fn clocks_may_jump() {
    let folder = with_site();
    let ingest = |more: &[&str]| generator(folder.path(), &[&INGEST[..], more].concat());
    ingest(&[]).well();
    for time in ["@4102444800", "@0"] {
        let set = "find . -exec touch --no-dereference --date=\"$1\" {} +";
        let touched = Command::new("sh")
            .args(["-c", set, "sh", time])
            .current_dir(folder.path())
            .status();
        assert!(touched.expect("touch runs").success());
        assert!(ingest(&[]).well().stderr.contains("nothing has changed"));
        ingest(&["--check"]).well();
        // As long as before, and of the same time.
        let results = folder.join("data/2026-01-01-a/results.csv");
        let text = common::read(&results);
        let changed = fs::metadata(&results)
            .and_then(|m| m.modified())
            .expect("a time");
        fs::write(&results, text.replace("1001.5", "1002.5")).expect("written");
        fs::File::open(&results)
            .and_then(|f| f.set_modified(changed))
            .expect("set");
        ingest(&["--check"]).code_is(1);
        fs::write(&results, text).expect("written");
    }
}

/// Mounts for this process alone, where that is permitted: a disk of 64 KiB, and a site that is
/// read-only.
#[test]
fn full_and_read_only_disks() {
    let case = ingest();
    for (mount, cause) in [
        (
            "mount -t tmpfs -o size=64k none there && cp -r site there/",
            "No space left on device",
        ),
        (
            "mount --bind site there && mount -o remount,bind,ro there",
            "Read-only file system",
        ),
    ] {
        let folder = case.folder();
        fs::create_dir(folder.join("there")).expect("a folder");
        let there = if cause.starts_with("No") {
            "there/site"
        } else {
            "there"
        };
        let script = format!(
            "{mount} || exit 77; fill=$(df --output=avail -B1 there | tail -1); [ {cause:?} = 'Read-only file system' ] || head -c $((fill - 8192)) /dev/zero > there/fill; \"$0\" ingest data --no-cards --prune --site {there}; code=$?; cp -r {there} seen; exit $code"
        );
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "sh", "-c", &script])
            .arg(program().get_program());
        let ended = run(command.current_dir(folder.path()));
        if ended.code == Some(77) || ended.stderr.contains("unshare failed") {
            println!("not permitted to mount: {}", ended.stderr);
            continue;
        }
        let ended = ended.code_is(4);
        assert!(
            ended.stderr.contains(cause) && ended.stderr.contains("there"),
            "{}",
            ended.stderr
        );
        let [seen, site] = ["seen", "site"].map(|part| sound(&folder.join(part)));
        assert_same(&seen, &site, cause);
        assert!(
            leftovers(&folder.join("seen")).is_empty(),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn of_two_at_once_one_wins() {
    let folder = with_site();
    // The lock of one that is at work, held for as long as this test wants.
    let holder = fs::File::open(folder.join("site")).expect("the site");
    rustix::fs::flock(&holder, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    let before = folder.tree();
    let second = generator(folder.path(), &INGEST).code_is(4);
    second.says("another generator is writing to");
    assert_same(&folder.tree(), &before, "the second");
    drop(holder);
    generator(folder.path(), &INGEST).well();
}

#[test]
fn eight_at_once_end_as_one() {
    let (folder, alone) = (with_site(), with_site());
    generator(alone.path(), &INGEST).well();
    let codes: Vec<Option<i32>> = std::thread::scope(|scope| {
        let one = || generator(folder.path(), &INGEST).code;
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(one)).collect();
        runs.into_iter()
            .map(|r| r.join().expect("it ends"))
            .collect()
    });
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert!(codes.iter().all(|c| matches!(c, Some(0 | 4))), "{codes:?}");
    assert_same(
        &sound(folder.path()),
        &sound(alone.path()),
        "as if one ran alone",
    );
    assert!(leftovers(folder.path()).is_empty());
}

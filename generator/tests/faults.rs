//! Fault injection: each file-system call fails in each way. Afterwards every file is old or new,
//! the error names path and cause, and the next run repairs the rest.
//!
//! strace injects the faults. A traced run lists the calls, and each then fails in a run of its
//! own. `FAULTS=all` tries all of them (`make test-faults`), each with a kill and, in turn, one of
//! the errors, between which nothing in the program distinguishes; the default is a sample, with
//! all.

#![cfg(unix)]

mod common;
#[allow(
    dead_code,
    clippy::disallowed_methods,
    reason = "shared with the tests of `generator run`"
)]
#[path = "run/place.rs"]
mod place;

use common::{Folder, Run, Tree, assert_same, generator, program, run, tree};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

/// Commands that run at once.
const THREADS: usize = 6;

/// A command, and the folder in its state before the command.
struct Case<'a> {
    before: Folder,
    arguments: &'a [&'a str],
    /// Whether the command runs others, in which no faults are injected.
    has_children: bool,
}

/// The name of a system call, and its ordinal (from 1) among the calls of that name.
type Call = (String, usize);

impl Case<'_> {
    /// Runs the command in `folder` under strace.
    fn strace(&self, folder: &Path, options: &[&str]) -> Run {
        let mut command = Command::new("strace");
        command.args(options).arg(program().get_program());
        run(self.prepare(&mut command, folder))
    }

    fn prepare<'c>(&self, command: &'c mut Command, folder: &Path) -> &'c mut Command {
        // With one thread, the order of calls is the same in each run.
        let command = command.env("RAYON_NUM_THREADS", "1");
        let command = command.env("XDG_CACHE_HOME", folder.join("target"));
        command.args(self.arguments).current_dir(folder)
    }

    /// Runs the command without faults.
    fn run(&self, folder: &Path) -> Run {
        run(self.prepare(&mut program(), folder))
    }

    /// A copy of the folder in its state before the command.
    fn folder(&self) -> Folder {
        let folder = Folder::in_memory();
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(self.before.join(".")).arg(folder.path());
        assert!(copy.status().expect("cp runs").success());
        folder
    }

    /// The calls to try, with the arguments that strace prints, and the files after the command.
    fn calls(&self) -> (BTreeMap<Call, String>, Tree) {
        let (folder, log) = (self.folder(), Folder::in_memory());
        let (name, path) = (log.join("log"), folder.path().to_str().expect("UTF-8"));
        let options = [
            "-y",
            "-e",
            "trace=%file,%desc",
            "-o",
            name.to_str().expect("UTF-8"),
        ];
        self.strace(folder.path(), &options).success();
        let (mut counts, mut calls) = (HashMap::new(), BTreeMap::new());
        for line in log.read("log").lines() {
            let Some((name, rest)) = line.split_once('(') else {
                continue;
            };
            // Calls that start the program or manage descriptors; std aborts if F_GETFD fails.
            if ["mmap", "execve", "fcntl", "poll", "ppoll"].contains(&name) || !is_word(name) {
                continue;
            }
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            // Keeps calls on the folder, /proc and /sys, but not those of the dynamic loader. The
            // working directory, which strace -y prints too, is irrelevant to an absolute path.
            let is_relevant = match rest.split('"').nth(1).filter(|p| p.starts_with('/')) {
                Some(absolute) => [path, "/proc/", "/sys/"]
                    .iter()
                    .any(|p| absolute.starts_with(p)),
                None => rest.contains(path),
            };
            if is_relevant && !rest.contains(program().get_program().to_str().expect("UTF-8")) {
                calls.insert((name.to_owned(), *count), rest.to_owned());
            }
        }
        (calls, stable_files(folder.path()))
    }

    /// Makes a call fail, and returns what is wrong afterwards and after one more run. `old` and
    /// `new` are the files before and after the command.
    fn inject(&self, (call, n): &Call, fault: (&str, &str), [old, new]: [&Tree; 2]) -> Vec<String> {
        let folder = self.folder();
        let (trace, inject) = (
            format!("trace={call}"),
            format!("inject={call}:{}:when={n}", fault.0),
        );
        let mut options = vec!["-o", "/dev/null", "-e", &trace, "-e", &inject];
        if !self.has_children {
            // Stops the program in these calls only, which takes a third of the time.
            options.extend(["-f", "--seccomp-bpf"]);
        }
        let failed = self.strace(folder.path(), &options);
        let mut problems = self.check(&folder, &failed, fault, [old, new]);
        if folder.tree() == self.before.tree() {
            // Another run would do what the first of all has done.
            return problems;
        }
        let next = self.run(folder.path());
        if next.code != Some(0) {
            problems.push(format!("the next run fails: {}", next.stderr));
        } else if stable_files(folder.path()) != *new || !leftovers(folder.path()).is_empty() {
            let left = leftovers(folder.path());
            problems.push(format!(
                "the next run does not repair the files, and leaves {left:?}"
            ));
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
        let names = |part: &&str| stderr.contains(*part);
        let places = [
            "/",
            " .:",
            "this program",
            "the current folder",
            "cannot read what",
        ];
        // Also what is named as `path:old`.
        let mut named = self.arguments.iter().filter_map(|a| a.rsplit(':').next());
        let names_path = places.iter().any(names) || named.any(|name| names(&name));
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
            "these tests need strace: run generator/tools/setup"
        );
        let old = stable_files(self.before.path());
        let (calls, new) = self.calls();
        let step = match std::env::var("FAULTS").as_deref() {
            Ok("all") => 1,
            _ if calls.len() < FEW => 1,
            _ => calls.len().div_ceil(SAMPLE),
        };
        let all: Vec<_> = calls.iter().step_by(step).collect();
        let tries = all.iter().enumerate().flat_map(|(at, (call, rest))| {
            let [errors @ .., kill] = FAULTS;
            let faults = match step {
                1 => vec![errors[at % errors.len()], kill],
                _ => FAULTS.to_vec(),
            };
            faults.into_iter().map(move |fault| (call, rest, fault))
        });
        // std ignores errors of close.
        let tries: Vec<_> = tries
            .filter(|(call, _, fault)| call.0 != "close" || fault.0.starts_with("signal"))
            .collect();
        let wrong = || {
            let wrong = tries.par_iter().filter_map(|(call, rest, fault)| {
                let problems = self.inject(call, *fault, [&old, &new]);
                let head = format!("{} {call:?} {rest}\n  ", fault.0);
                (!problems.is_empty()).then(|| head + &problems.join("\n  "))
            });
            wrong.collect::<Vec<String>>()
        };
        // More than processors, because the commands wait, too.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build();
        let wrong = threads.expect("threads").install(wrong);
        let command = self.arguments.join(" ");
        let (tried, calls) = (all.len(), calls.len());
        println!(
            "{command}: {} faults in {tried} of {calls} calls",
            tries.len()
        );
        assert!(tried >= SAMPLE.min(calls) && tried > 0);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a killed run may leave this file, for the next one to remove.
fn is_leftover(path: &str) -> bool {
    [".generator-stag", ".partial-", ".running/"]
        .iter()
        .any(|mark| path.contains(mark))
}

fn leftovers(folder: &Path) -> Vec<String> {
    let below = |path: PathBuf| {
        let below = path.strip_prefix(folder).expect("below");
        below.to_string_lossy().into_owned()
    };
    let mut left: Vec<String> = common::files(folder).into_iter().map(below).collect();
    // The build cache removes its own when it is next written.
    left.retain(|path| is_leftover(path) && !path.starts_with("target/"));
    left
}

/// All files except leftovers, caches, and what differs from run to run.
fn stable_files(folder: &Path) -> Tree {
    let mut files = tree(folder);
    let transient = ["target/", "log"];
    files.retain(|path, _| !is_leftover(path) && !transient.iter().any(|p| path.contains(p)));
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

/// A site of two reports, and data in which one is changed, one removed and one added.
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
        &["-q", "ingest", "old", "--reports-only", "--site", "site"],
    )
    .success();
    folder
}

const INGEST: [&str; 6] = [
    "ingest",
    "data",
    "--reports-only",
    "--prune",
    "--site",
    "site",
];

fn ingest() -> Case<'static> {
    Case {
        before: with_site(),
        arguments: &INGEST,
        has_children: false,
    }
}

#[test]
fn ingest_survives_faults() {
    ingest().survives_faults();
}

#[test]
fn init_survives_faults() {
    let before = Folder::in_memory().with("new/mine.txt", "mine");
    Case {
        before,
        arguments: &["init", "new"],
        has_children: false,
    }
    .survives_faults();
}

/// Of the commands that read, the one that changes a file of others.
#[test]
fn splice_survives_faults() {
    let before = Folder::in_memory();
    report(&before, "data", 1);
    let marked = "# A\n<!-- benchmarks start -->\nold\n<!-- benchmarks end -->\nmore\n";
    before.write("README.md", marked);
    let words = "show data --rows library --columns scenario --splice README.md";
    Case {
        before,
        arguments: &words.split(' ').collect::<Vec<_>>(),
        has_children: false,
    }
    .survives_faults();
}

/// Continues a measurement. Child processes are not traced.
#[test]
fn run_survives_faults() {
    let place = place::Place::new();
    let options = "toy --control=never -f full.*1.3,.rsa,.x25519,.client --runs";
    place.run(&format!("{options} 1"), &[]).success();
    fs::remove_dir_all(place.path("target/run/build")).expect("removed");
    let before = Folder::in_memory();
    let mut copy = Command::new("cp");
    copy.arg("-r").arg(place.path(".")).arg(before.path());
    assert!(copy.status().expect("cp runs").success());
    let command = format!("run --out {} {options} 2", place::OUT);
    Case {
        before,
        arguments: &command.split(' ').collect::<Vec<_>>(),
        has_children: true,
    }
    .survives_faults();
}

/// A measured program may replace the folder of its own results.
#[test]
fn run_does_not_write_through_a_linked_result_folder() {
    let place = place::Place::new();
    let options = "toy --control=never -f full.*1.3,.rsa,.x25519,.client --runs";
    place.run(&format!("{options} 1"), &[]).success();
    let out = place.path(place::OUT);
    let is_results = |path: &&PathBuf| {
        let is_folder = path.symlink_metadata().expect("there").is_dir();
        is_folder && !path.ends_with("locks")
    };
    let entries = fs::read_dir(&out).expect("results");
    let entries: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    let results = entries
        .iter()
        .find(is_results)
        .expect("a folder of results");
    let outside = Folder::new();
    common::copy(results, &outside.join("moved"));
    fs::remove_dir_all(results).expect("removed");
    symlink(outside.join("moved"), results).expect("a link");
    let before = outside.tree();
    let continued = place.run(&format!("{options} 2"), &[]).code_is(4);
    continued.says("is a symbolic link");
    assert_same(&outside.tree(), &before, "outside of the report");
}

/// Limits the size of files, so that the write that reaches the limit is short.
#[test]
fn detects_short_writes() {
    let case = ingest();
    let old = stable_files(case.before.path());
    let whole = case.folder();
    case.run(whole.path()).success();
    let new = stable_files(whole.path());
    for bytes in [0, 1, 200, 2000] {
        let folder = case.folder();
        let mut command = Command::new("sh");
        let limited = "trap '' XFSZ; limit=$1; shift; exec prlimit --fsize=$limit \"$@\"";
        command
            .args(["-c", limited, "sh", &bytes.to_string()])
            .arg(program().get_program());
        let failed = run(case.prepare(&mut command, folder.path())).code_is(4);
        let problems = case.check(&folder, &failed, ("", "File too large"), [&old, &new]);
        assert!(problems.is_empty(), "{bytes}: {problems:?}");
        assert!(leftovers(folder.path()).is_empty());
        case.run(folder.path()).success();
        assert_same(&stable_files(folder.path()), &new, "the next run");
    }
}

/// The clock may jump: only the contents of files count.
#[test]
fn ignores_modification_times() {
    let folder = with_site();
    let ingest = |more: &[&str]| generator(folder.path(), &[&INGEST[..], more].concat());
    ingest(&[]).success();
    for time in ["@4102444800", "@0"] {
        let set = "find . -exec touch --no-dereference --date=\"$1\" {} +";
        let touched = Command::new("sh")
            .args(["-c", set, "sh", time])
            .current_dir(folder.path())
            .status();
        assert!(touched.expect("touch runs").success());
        assert!(ingest(&[]).success().stderr.contains("nothing has changed"));
        ingest(&["--check"]).success();
        // The same size and modification time, but other contents.
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

/// Mounts a disk of 1 MiB with 8 KiB left, and a read-only site, in namespaces of its own, where
/// anybody may mount. Skipped if the system does not permit these, unless `MAY_MOUNT` is set.
#[test]
fn survives_full_and_read_only_disks() {
    let case = ingest();
    for (mount, prepare, there, cause) in [
        (
            "mount -t tmpfs -o size=1m none there",
            "cp -r site there/ && fill=$(df --output=avail -B1 there | tail -1) && head -c $((fill - 8192)) /dev/zero > there/fill",
            "there/site",
            "No space left on device",
        ),
        (
            "mount --bind site there && mount -o remount,bind,ro there",
            "true",
            "there",
            "Read-only file system",
        ),
    ] {
        let folder = case.folder();
        fs::create_dir(folder.join("there")).expect("a folder");
        let script = format!(
            "({mount}) || exit 77; ({prepare}) || exit 78; \"$0\" ingest data --reports-only --prune --site {there}; code=$?; cp -r {there} seen; exit $code"
        );
        let mut command = Command::new("unshare");
        command
            .args(["--map-root-user", "--mount", "sh", "-c", &script])
            .arg(program().get_program());
        let result = run(command.current_dir(folder.path()));
        // The second is what `unshare` says in a chroot.
        let refusals = [
            "unshare failed",
            "cannot change root filesystem propagation",
        ];
        let is_refused = refusals
            .iter()
            .any(|refusal| result.stderr.contains(refusal));
        if result.code == Some(77) || is_refused {
            let is_promised = std::env::var_os("MAY_MOUNT").is_some_and(|value| !value.is_empty());
            assert!(!is_promised, "MAY_MOUNT is set, but: {}", result.stderr);
            println!("not permitted to mount: {}", result.stderr);
            continue;
        }
        let stderr = result.code_is(4).stderr;
        assert!(
            stderr.contains(cause) && stderr.contains("there"),
            "{stderr}"
        );
        let [seen, site] = ["seen", "site"].map(|part| stable_files(&folder.join(part)));
        assert_same(&seen, &site, cause);
        assert!(leftovers(&folder.join("seen")).is_empty(), "{stderr}");
    }
}

/// Files come and go, also while the first pages are made.
#[test]
fn watch_goes_on_when_a_file_vanishes() {
    let folder = Folder::site();
    report(&folder, "data/r", 1);
    // With -D, the child is the program and not strace.
    let mut watch = Command::new("strace")
        .args([
            "-D",
            "-f",
            "-o",
            "/dev/null",
            "-e",
            "inject=openat,openat2:error=ENOENT:when=1",
            // As it is opened: by its name in its folder.
            "-P",
            "results.csv",
        ])
        .arg(program().get_program())
        .args(["ingest", "--watch"])
        .arg(folder.join("data"))
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("strace runs");
    let mut lines = BufReader::new(watch.stderr.take().expect("a pipe")).lines();
    for text in ["results.csv: No such file", "1 report: "] {
        let found = lines.any(|line| line.expect("UTF-8").contains(text));
        assert!(found, "the program ended without printing: {text}");
    }
    watch.kill().expect("it still runs");
    watch.wait().expect("it ends");
    let missing = generator(folder.path(), &["ingest", "--watch", "missing"]);
    missing.code_is(4).says("there is no missing");
}

/// Files change at any time, but a page, its downloads and the warnings are of one version.
#[test]
fn pages_and_downloads_are_of_one_version() {
    let rows = |value: u32| {
        let rows = (0..2_000).map(|n| format!("encode {n},ns,{}\n", value + n % 7));
        "scenario,unit,rustls 1\n".to_owned() + &rows.collect::<String>()
    };
    one_version("a.csv", [rows(100), rows(500)]);
    // The first names one program twice, which is a warning.
    let record = |other: u32| {
        let heading = "# Written by `generator run`, which compares this before it continues a measurement.\n";
        let programs = (3..9_000).map(|n| format!("p{n} = '{n}'\n"));
        format!(
            "{heading}seed = 1\nmultiplier = 1.0\ncommands = ['{other}']\n[machine]\n[programs]\na = '1'\nb = '{other}'\n{}",
            programs.collect::<String>()
        )
    };
    one_version("run.toml", [record(1), record(2)]);
}

/// Runs `ingest` while a file alternates between two versions.
fn one_version(name: &str, versions: [String; 2]) {
    let folder = Folder::site()
        .with("data/r/report.toml", "")
        .with("data/r/a.csv", "scenario,unit,rustls 1\nencode,ns,5\n");
    let (path, outside) = (format!("data/r/{name}"), Folder::in_memory());
    let pages = || tree(&folder.join("content/perf/r"));
    let ingest = || {
        let run = generator(folder.path(), &["ingest", "data", "--reports-only"]);
        let warns = run.stderr.contains("are the same program");
        (run, (pages(), warns))
    };
    let wanted = versions.each_ref().map(|version| {
        folder.write(&path, version);
        let (run, made) = ingest();
        run.success();
        made
    });
    assert_ne!(wanted[0], wanted[1], "{name}");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for version in versions.iter().cycle() {
                let new = outside.join("new");
                fs::write(&new, version).expect("written");
                fs::rename(new, folder.join(&path)).expect("replaced");
                std::thread::sleep(Duration::from_millis(40));
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let runs: Vec<_> = (0..10).map(|_| ingest()).collect();
        stop.store(true, Ordering::Relaxed);
        for (run, made) in runs {
            if run.code == Some(0) {
                assert!(
                    wanted.contains(&made),
                    "{name}: two versions, {}",
                    run.stderr
                );
            } else {
                assert!(wanted.iter().any(|(pages, _)| *pages == made.0), "{name}");
                run.code_is(4)
                    .says(&format!("{name} changed while its report was read"));
            }
        }
    });
}

#[test]
fn refuses_a_second_writer() {
    let folder = with_site();
    // The lock that a running generator holds.
    let holder = fs::File::open(folder.join("site")).expect("the site");
    rustix::fs::flock(&holder, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    let before = folder.tree();
    let second = generator(folder.path(), &INGEST).code_is(4);
    second.says("another generator is writing to");
    assert_same(&folder.tree(), &before, "nothing is written");
    drop(holder);
    generator(folder.path(), &INGEST).success();
}

#[test]
fn concurrent_runs_leave_the_result_of_one() {
    let (folder, alone) = (with_site(), with_site());
    generator(alone.path(), &INGEST).success();
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
        &stable_files(folder.path()),
        &stable_files(alone.path()),
        "the result of one run",
    );
    assert!(leftovers(folder.path()).is_empty());
}

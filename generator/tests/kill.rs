//! Killed at any moment, an ingest leaves every file old or new; two at once do not mix.

mod common;

use common::{Folder, Random, Tree, assert_same, generator, program, run, tree};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const REPORTS: usize = 33;
const KILLS: usize = 24;

/// Reports of three files and more each, whose figures depend on the version.
fn data(folder: &Folder, version: usize) {
    for report in 0..REPORTS {
        let rows: String = ["client", "server"]
            .iter()
            .enumerate()
            .map(|(i, side)| {
                format!(
                    "\"full handshakes, 1.3, rsa, {side}\",{}.5,{}.25\n",
                    1000 + report + 10 * i,
                    2000 + 777 * version + report
                )
            })
            .collect();
        folder.write(
            &format!(
                "v{version}/2026-01-{:02}-r{report}/results.csv",
                report % 28 + 1
            ),
            format!("scenario,OpenSSL 3.6.1,rustls 0.23.37\n{rows}"),
        );
        folder.write(
            &format!(
                "v{version}/2026-01-{:02}-r{report}/report.toml",
                report % 28 + 1
            ),
            "machine = \"Test bench\"\n",
        );
    }
}

/// The content of a fresh site for this version.
fn whole(data: &Path) -> Tree {
    let site = Folder::in_memory().with_config();
    generator(
        site.path(),
        &["ingest", "-q", "--no-cards", data.to_str().expect("UTF-8")],
    )
    .well();
    tree(&site.join("content"))
}

/// An ingest that has just begun to write, or has ended.
fn writing(site: &Folder, data: &Path) -> Child {
    let mark = || {
        let folder = fs::metadata(site.join(".generator-staging"));
        folder.map_or(None, |f| Some((f.ino(), f.mtime(), f.mtime_nsec())))
    };
    let before = mark();
    let mut child = program()
        .current_dir(site.path())
        .args(["ingest", "-q", "--no-cards"])
        .arg(data)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut ended = || child.try_wait().expect("a child").is_some();
    while mark().is_none_or(|now| Some(now) == before) && !ended() {
        std::thread::sleep(Duration::from_micros(200));
    }
    child
}

#[test]
fn a_kill_leaves_every_file_old_or_new() {
    let folder = Folder::in_memory();
    data(&folder, 0);
    data(&folder, 1);
    let versions = [folder.join("v0"), folder.join("v1")];
    let wanted = versions.each_ref().map(|v| whole(v));
    let changing = wanted[0]
        .keys()
        .filter(|k| wanted[0].get(*k) != wanted[1].get(*k))
        .count();
    assert!(changing >= 100, "{changing} files change");

    let site = Folder::in_memory()
        .with_config()
        .with("content/mine.md", "+++\n+++\nby hand");
    generator(
        site.path(),
        &["ingest", "-q", "--no-cards", versions[0].to_str().unwrap()],
    )
    .well();
    let mut whole_run = writing(&site, &versions[1]);
    let started = Instant::now();
    assert!(whole_run.wait().unwrap().success());
    let usual = started.elapsed();

    let mut random = Random(1);
    let (mut killed, mut mixed) = (0, 0);
    let mut round = 0;
    while killed < KILLS {
        round += 1;
        assert!(
            round < 10 * KILLS,
            "only {killed} of {round} were still at work"
        );
        let mut child = writing(&site, &versions[round % 2]);
        std::thread::sleep(usual * random.below(100) as u32 / 100);
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().code().is_none());

        let mut found = tree(&site.join("content"));
        assert_eq!(
            found.remove("mine.md").as_deref(),
            Some(b"+++\n+++\nby hand".as_slice())
        );
        let mut from = [0, 0];
        for (path, bytes) in &found {
            let version = (0..2).find(|v| wanted[*v].get(path) == Some(bytes));
            let version =
                version.unwrap_or_else(|| panic!("round {round}: {path} is neither old nor new"));
            if wanted[0].get(path) != wanted[1].get(path) {
                from[version] += 1;
            }
        }
        assert_eq!(
            found.len(),
            wanted[0].len(),
            "round {round}: a file is missing"
        );
        mixed += usize::from(from[0] > 0 && from[1] > 0);

        // Each second time the next run follows right on the kill, with the other version.
        if round % 4 < 2 {
            generator(
                site.path(),
                &[
                    "ingest",
                    "-q",
                    "--no-cards",
                    versions[round % 2].to_str().unwrap(),
                ],
            )
            .well();
            let mut found = tree(&site.join("content"));
            found.remove("mine.md");
            assert_same(&found, &wanted[round % 2], "the next run");
            assert_no_leftovers(&site);
        }
    }
    generator(
        site.path(),
        &["ingest", "-q", "--no-cards", versions[0].to_str().unwrap()],
    )
    .well();
    assert_no_leftovers(&site);
    generator(
        site.path(),
        &[
            "ingest",
            "--check",
            "--no-cards",
            versions[0].to_str().unwrap(),
        ],
    )
    .well();
    println!(
        "{killed} of {round} killed at work, {mixed} between old and new; writing takes {usual:?}"
    );
}

#[track_caller]
fn assert_no_leftovers(site: &Folder) {
    let mut names: Vec<String> = fs::read_dir(site.path())
        .expect("the site")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    // What the last run read, if it is remembered.
    names.retain(|name| name != ".generator-cache");
    names.sort();
    assert_eq!(names, [".generated.sha256", "config.toml", "content"]);
}

#[test]
fn of_two_at_once_one_wins() {
    let folder = Folder::in_memory();
    data(&folder, 0);
    let site = Folder::in_memory().with_config();
    // The lock of one that is at work, held for as long as this test wants.
    let holder = fs::File::open(site.path()).unwrap();
    rustix::fs::flock(&holder, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let second = generator(
        site.path(),
        &["ingest", folder.join("v0").to_str().unwrap()],
    )
    .code_is(4);
    assert!(
        second.stderr.contains("another generator is writing to"),
        "{}",
        second.stderr
    );
    assert!(!site.join("content").exists());
    drop(holder);
    generator(
        site.path(),
        &[
            "ingest",
            "-q",
            "--no-cards",
            folder.join("v0").to_str().unwrap(),
        ],
    )
    .well();
}

#[test]
fn eight_at_once_end_as_one() {
    let folder = Folder::in_memory();
    data(&folder, 0);
    let wanted = whole(&folder.join("v0"));
    let site = Folder::in_memory().with_config();
    let codes: Vec<Option<i32>> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    run(program()
                        .current_dir(site.path())
                        .args(["ingest", "-q", "--no-cards"])
                        .arg(folder.join("v0")))
                    .code
                })
            })
            .collect();
        runs.into_iter().map(|r| r.join().unwrap()).collect()
    });
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert!(codes.iter().all(|c| matches!(c, Some(0 | 4))), "{codes:?}");
    assert_same(&tree(&site.join("content")), &wanted, "as if one ran alone");
    assert_no_leftovers(&site);
}

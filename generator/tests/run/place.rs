//! A temporary folder with runners, their builds and results.

use crate::common::{self, Run, generator, program, run};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

pub(crate) const TOY: &str = r#"[package]
name = "runner-toy"
version = "1.0.0"
edition = "2021"
[workspace]
[features]
a = []
b = []
"#;

pub(crate) const LIBRARIES: &str = r#"[[library]]
name = "Toy"
word = "toy"
[[library.series]]
providers = [{ word = "a" }, { word = "b" }]
"#;

/// Name of the results folder.
pub(crate) const OUT: &str = "2026-11-30-toy";

pub(crate) type Environment<'a> = &'a [(&'a str, &'a str)];

pub(crate) struct Place {
    folder: PathBuf,
    /// Removes the folder on drop.
    _temporary: Option<tempfile::TempDir>,
}

impl Place {
    /// Creates a place with both variants of the toy built. The build is kept for later test runs.
    pub(crate) fn new() -> Self {
        static BUILT: OnceLock<Place> = OnceLock::new();
        let built = BUILT.get_or_init(|| {
            let place = Self {
                folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy"),
                _temporary: None,
            };
            // An earlier version of the tests may have left other sources.
            for old in ["runners", "certificates", OUT].map(|name| place.path(name)) {
                if old.exists() {
                    fs::remove_dir_all(old).expect("removed");
                }
            }
            place.put_sources();
            place.run("toy toy+b --runs 1", &[]).success();
            fs::remove_dir_all(place.out()).expect("removed");
            place
        });
        let place = Self::empty();
        let copied = Command::new("cp")
            .arg("-r")
            .args(["runners", "certificates", "target"].map(|name| built.path(name)))
            .arg(&place.folder)
            .status();
        assert!(copied.expect("cp runs").success());
        place.link();
        place
    }

    /// The program finds the runners in `generator/`.
    fn link(&self) {
        let link = self.path("generator");
        if !link.is_symlink() {
            fs::create_dir_all(&self.folder).expect("a folder");
            symlink(".", link).expect("linked");
        }
    }

    fn of(temporary: tempfile::TempDir) -> Self {
        Self {
            folder: temporary.path().to_owned(),
            _temporary: Some(temporary),
        }
    }

    /// Creates an empty place, in memory if programs can be started there, which avoids syncs.
    fn empty() -> Self {
        let on_disk = || Self::of(tempfile::tempdir().expect("a folder"));
        let memory = tempfile::tempdir_in("/dev/shm").map_or_else(|_| on_disk(), Self::of);
        match Command::new(memory.program("starts", "#!/bin/sh\n")).status() {
            Ok(_) => memory,
            Err(_) => on_disk(),
        }
    }

    /// Creates a place with sources only.
    pub(crate) fn bare() -> Self {
        let place = Self::empty();
        place.put_sources();
        place
    }

    fn put_sources(&self) {
        self.link();
        self.put("runners/libraries.toml", LIBRARIES);
        self.put("runners/toy/Cargo.toml", TOY);
        self.put(
            "runners/toy/src/main.rs",
            include_str!("../fixtures/runner/toy.rs"),
        );
        self.put("certificates/rsa/root.pem", "a chain");
        self.lock("toy", "runner-toy");
    }

    /// Writes the lock file of a runner without dependencies.
    pub(crate) fn lock(&self, folder: &str, name: &str) {
        let lock = format!("version = 4\n\n[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n");
        self.put(&format!("runners/{folder}/Cargo.lock"), &lock);
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.join(below)
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.path(OUT)
    }

    pub(crate) fn put(&self, below: &str, text: &str) {
        common::write(&self.path(below), text);
    }

    /// Writes an executable script.
    pub(crate) fn program(&self, below: &str, script: &str) -> PathBuf {
        self.put(below, script);
        let path = self.path(below);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        path
    }

    /// Writes a replacement for cargo, and returns its path.
    pub(crate) fn cargo(&self, script: &str) -> String {
        self.program("cargo", script).display().to_string()
    }

    pub(crate) fn read(&self, below: &str) -> String {
        common::read(&self.path(below))
    }

    /// Returns the command of `generator run` into the results folder. Words are separated by
    /// spaces.
    pub(crate) fn command(&self, words: &str, environment: Environment<'_>) -> Command {
        let mut command = program();
        command
            .current_dir(&self.folder)
            .args(["run", "--out", OUT])
            .args(words.split_whitespace())
            .env("TOY_LOG", self.path("log"))
            .envs(environment.iter().copied());
        command
    }

    pub(crate) fn run(&self, words: &str, environment: Environment<'_>) -> Run {
        run(&mut self.command(words, environment))
    }

    pub(crate) fn spawn(&self, words: &str, environment: Environment<'_>) -> Child {
        let mut command = self.command(words, environment);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it starts")
    }

    pub(crate) fn generator(&self, words: &str) -> Run {
        let words: Vec<&str> = words.split_whitespace().collect();
        generator(&self.folder, &words)
    }

    /// Runs `ingest`, and returns its standard error and the report's page.
    pub(crate) fn page(&self) -> (String, String) {
        self.put("site/config.toml", "base_url = \"/\"");
        let ended = self
            .generator(&format!("ingest {OUT} --site site"))
            .success();
        let page = self.read(&format!("site/content/perf/{OUT}/index.md"));
        (ended.stderr, page)
    }

    pub(crate) fn report(&self) -> String {
        self.read(&format!("{OUT}/report.toml"))
    }

    /// The toy's calls, one per line.
    pub(crate) fn log(&self) -> Vec<String> {
        let path = self.path("log");
        if !path.exists() {
            return Vec::new();
        }
        common::read(&path).lines().map(str::to_owned).collect()
    }

    /// All results files, with their bytes.
    pub(crate) fn results(&self) -> BTreeMap<String, Vec<u8>> {
        let mut results = BTreeMap::new();
        for id in ["toy_1.0.0_a", "toy_1.0.0_b", "toy_1.0.0_a_control"] {
            for entry in fs::read_dir(self.out().join(id)).into_iter().flatten() {
                let entry = entry.expect("an entry");
                let name = entry.file_name().to_string_lossy().into_owned();
                let bytes = fs::read(entry.path()).expect("a file");
                if !name.starts_with('.') {
                    results.insert(format!("{id}/{name}"), bytes);
                }
            }
        }
        results
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.results().into_keys().collect()
    }

    /// Command lines of running processes that contain the path of the place.
    pub(crate) fn processes(&self) -> Vec<String> {
        let name = self.folder.display().to_string();
        let all = fs::read_dir("/proc").expect("processes").flatten();
        // A process that has ended meanwhile has no command line.
        all.flat_map(|entry| fs::read(entry.path().join("cmdline")))
            .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
            .filter(|command| command.contains(&name))
            .collect()
    }
}

/// The number of results in the folders of `out`: runs of a suite or a side. While a measurement
/// runs, other files come and go.
pub(crate) fn count_results(out: &Path) -> usize {
    let folders = fs::read_dir(out).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()));
    let mut count = 0;
    for path in files.flatten().flatten().map(|file| file.path()) {
        let is_hidden = path
            .file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.extension().is_some_and(|e| e == "csv") && !is_hidden {
            count += runs_in(&fs::read(path).unwrap_or_default());
        }
    }
    count
}

/// The number of runs in a table.
pub(crate) fn runs_in(table: &[u8]) -> usize {
    let text = String::from_utf8_lossy(table);
    let runs = text.lines().skip(1).flat_map(|line| line.split(',').next());
    runs.collect::<BTreeSet<_>>().len()
}

/// Waits for a condition, and panics after five minutes.
#[track_caller]
pub(crate) fn wait_until(what: &str, is_met: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if is_met() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("never {what}");
}

pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("sent");
}

/// Waits for a program to end. Returns its standard error and exit code.
pub(crate) fn end_of(child: Child) -> (String, Option<i32>) {
    let ended = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    (stderr, ended.status.code())
}

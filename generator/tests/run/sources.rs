//! Unreleased sources: commits and folders.

use crate::common::{Run, git, run};
use crate::place::{Place, TOY};
use crate::releases::pinning;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A library with the time of the toy as a constant.
pub(crate) fn library(version: &str, time: u64) -> [(&'static str, String); 2] {
    let manifest =
        format!("[package]\nname = \"toy-library\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    let source = "pub const VERSION: &str = env!(\"CARGO_PKG_VERSION\");\n";
    let source = format!("{source}pub const TIME: u64 = {time};\n");
    [("Cargo.toml", manifest), ("src/lib.rs", source)]
}

impl Place {
    /// Creates a place with a toy that depends on the library, of which cargo has release 1.0.0.
    pub(crate) fn with_library() -> Self {
        let place = Self::bare();
        place.put(
            "runners/libraries.toml",
            &pinning("sources = \"packages\"\n"),
        );
        let toy = TOY.replace(
            "[workspace]\n",
            "[workspace]\n[dependencies]\ntoy-library = \"1\"\n",
        );
        place.put("runners/toy/Cargo.toml", &toy);
        let main = include_str!("../fixtures/runner/toy.rs");
        let main = main.replace("env!(\"CARGO_PKG_VERSION\")", "toy_library::VERSION");
        let main = main.replace("time_of_process();", "toy_library::TIME;");
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
        run(cargo.env("CARGO_HOME", place.path("home"))).success();
        place
    }

    pub(crate) fn run_sources(&self, words: &str) -> Run {
        let home = self.path("home").display().to_string();
        self.run(words, &[("CARGO_HOME", &home)])
    }

    /// Commits a state of the library, and returns the start of the commit's hash.
    pub(crate) fn commit(&self, files: &[(&str, String)]) -> String {
        for (path, text) in files {
            self.put(&format!("repository/{path}"), text);
        }
        if !self.path("repository/.git").exists() {
            self.git("init -q");
        }
        self.git("add -A");
        self.git("commit -q --allow-empty -m a.step");
        self.git("rev-parse --short=7 HEAD")
    }

    fn git(&self, words: &str) -> String {
        let words: Vec<&str> = words.split(' ').collect();
        git(&self.path("repository"), &words)
    }
}

#[test]
fn unreleased_sources_are_measured() {
    let place = Place::with_library();
    let first = place.commit(&library("1.0.7", 1250));
    let second = place.commit(&library("1.0.8-dev", 1600));
    // An uncommitted change, and an ignored file.
    place.put("repository/src/lib.rs", &library("1.0.8-dev", 2000)[1].1);
    place.put("repository/.gitignore", "ignored\n");
    place.put("repository/ignored/Cargo.toml", "no TOML");
    let index = || fs::read(place.path("repository/.git/index")).expect("an index");
    let before = index();
    let words = "toy toy@git:repository#HEAD~1 toy@git:repository toy@path:repository+b --runs 1 -f full.*1.3,.rsa,.x25519,.client";
    let table = place.run_sources(words).success().stdout;
    for (version, value) in [
        ("1.0.0".to_owned(), " 10.00 "),
        (format!("1.0.7+{first}"), " 8.00 "),
        (format!("1.0.8-dev+{second}"), " 6.25 "),
        (format!("1.0.8-dev+{second}.dirty"), " 5.00 "),
    ] {
        let mut lines = table.lines();
        let line = lines.find(|l| l.contains(&format!(" {version} ")));
        let line = line.expect(&table);
        assert!(line.contains(value), "{line}");
        let is_dirty = version.ends_with("dirty");
        let says_so = line.contains("built from uncommitted changes");
        assert_eq!(says_so, is_dirty, "{line}");
    }
    let report = place.report();
    for part in [
        format!("version = \"1.0.7+{first}\""),
        "released = 2024-05-06".to_owned(),
        format!("sources: commit {second}"),
        " with uncommitted changes\"".to_owned(),
    ] {
        assert!(report.contains(&part), "{part} in {report}");
    }
    let record = place.read("2026-11-30-toy/run.toml");
    assert!(record.contains("[sources]\n\"toy_1.0.7+"), "{record}");
    assert_eq!(index(), before);
    assert!(!place.path("repository/Cargo.lock").exists());
    // A repeat builds and measures nothing.
    let again = place.run_sources(words).success();
    let again = again.says("has all of these results already").stderr;
    assert!(!again.contains("building"), "{again}");
    // Changed files are another build.
    place.put("repository/src/lib.rs", &library("1.0.8-dev", 600)[1].1);
    place.run_sources(words).code_is(4).says("another build");
}

#[test]
fn invalid_sources_are_refused() {
    let place = Place::with_library();
    place.commit(&library("2.0.0", 900));
    place.put(
        "other/Cargo.toml",
        "[package]\nname = \"other\"\nversion = \"1.0.0\"\n",
    );
    place.put("other/src/lib.rs", "");
    for (spec, code, part) in [
        ("toy@path:nowhere", 2, "there is no folder nowhere"),
        ("toy@path:other", 2, "have no package `toy-library`"),
        (
            "toy@path:repository",
            2,
            "these are sources of 2.0.0; `toy@path:repository` cannot be measured: available is toy ^1",
        ),
        (
            "toy@git:repository#none",
            2,
            "no branch, tag or commit `none`",
        ),
        ("toy@git:repository#--all", 2, "`--all` is not a revision"),
        ("toy@git:nowhere#main", 2, "there is no folder nowhere"),
    ] {
        let ended = place.run_sources(&format!("{spec} --dry-run"));
        ended.code_is(code).says(part);
    }
}

/// A folder is not trusted before somebody measures it.
#[test]
fn a_dry_run_runs_nothing_that_a_folder_names() {
    let place = Place::with_library();
    place.commit(&library("1.0.7", 1250));
    place.put("repository/.gitignore", "Cargo.lock\n");
    place.put("repository/below/file", "1");
    let below = place.path("repository/below");
    git(&below, &["init", "-q"]);
    git(&below, &["add", "."]);
    git(&below, &["commit", "-qm", "below"]);
    place.commit(&[]);
    let signature = "author a <a> 1 +0000
committer a <a> 1 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 
 x
 -----END PGP SIGNATURE-----

x
";
    let signed = place.path("signed").display().to_string();
    let trap = place.path("trap").display().to_string();
    let ran = place.path("ran");
    place.put(
        "trap",
        &format!("#!/bin/sh\necho \"$0 $*\" >> {}\n", ran.display()),
    );
    fs::set_permissions(&trap, PermissionsExt::from_mode(0o755)).expect("a program");
    for folder in ["repository", "repository/below"] {
        let folder = place.path(folder);
        let files = git(&folder, &["rev-parse", "HEAD^{tree}"]);
        place.put("signed", &format!("tree {files}\n{signature}"));
        let commit = git(&folder, &["hash-object", "-t", "commit", "-w", &signed]);
        git(&folder, &["update-ref", "HEAD", &commit]);
        fs::write(folder.join(".git/info/attributes"), "* filter=x diff=x\n").expect("written");
        for (key, value) in [
            ("core.fsmonitor", &*trap),
            ("core.hooksPath", &trap),
            ("core.pager", &trap),
            ("core.sshCommand", &trap),
            ("diff.external", &trap),
            ("diff.x.command", &trap),
            ("diff.x.textconv", &trap),
            ("filter.x.clean", &trap),
            ("filter.x.smudge", &trap),
            ("filter.x.process", &trap),
            ("filter.x.required", "true"),
            ("gpg.program", &trap),
            ("log.showSignature", "true"),
            ("remote.origin.uploadpack", &trap),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", "file:///nowhere"),
        ] {
            git(&folder, &["config", key, value]);
        }
    }
    // As old as what Git recorded, so that it has to look into them.
    place.put("repository/src/lib.rs", &library("1.0.7", 9999)[1].1);
    place.put("repository/below/file", "2");
    place.put(
        "repository/.cargo/config.toml",
        &format!("[build]\nrustc = {trap:?}\n"),
    );
    place.put(
        "repository/rust-toolchain.toml",
        "[toolchain]\npath = '/nowhere'\n",
    );
    let list = place.run_sources("toy@path:repository --dry-run").success();
    assert!(!ran.exists(), "{}", fs::read_to_string(&ran).expect("text"));
    list.prints(".dirty");
}

//! Helpers for the integration tests: temporary folders, running the program, and Zola.

#![allow(dead_code, reason = "no test file uses all of it")]
#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Exit code and output of a program.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Asserts exit code 0.
    #[track_caller]
    pub(crate) fn success(self) -> Self {
        self.code_is(0)
    }

    #[track_caller]
    pub(crate) fn code_is(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "{}\n{}",
            self.stdout.chars().take(2000).collect::<String>(),
            self.stderr.chars().take(4000).collect::<String>()
        );
        self
    }

    /// Asserts that standard error contains `part`.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.stderr.contains(part), "{part} in {}", self.stderr);
        self
    }

    /// Asserts that standard output contains `part`.
    #[track_caller]
    pub(crate) fn prints(self, part: &str) -> Self {
        assert!(self.stdout.contains(part), "{part} in {}", self.stdout);
        self
    }
}

/// The program, without the environment variables that would change its output.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Runs the program in `folder`.
pub(crate) fn generator(folder: &Path, arguments: &[&str]) -> Run {
    run(program().current_dir(folder).args(arguments))
}

/// Runs a command and waits for it to exit.
pub(crate) fn run(command: &mut Command) -> Run {
    let output = command.stdin(Stdio::null()).output();
    output.expect("the program starts").into()
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }
}

/// A temporary folder, deleted on drop.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder in `/dev/shm`, if that exists: no write there waits for a disk.
    pub(crate) fn in_memory() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| Self::new().0))
    }

    /// An empty Zola site in memory, for a few pages only: `ingest` flushes the whole file system,
    /// which on a disk includes the pending writes of other programs.
    pub(crate) fn site() -> Self {
        Self::in_memory().with_config()
    }

    pub(crate) fn with_config(self) -> Self {
        self.with("config.toml", "base_url = \"/\"\n")
    }

    /// The repository's own site, with the home page only.
    pub(crate) fn real_site() -> Self {
        let folder = Self::new();
        for part in ["config.toml", "templates", "static"] {
            copy(&repository().join(part), &folder.path().join(part));
        }
        copy(
            &repository().join("content/_index.md"),
            &folder.path().join("content/_index.md"),
        );
        folder
    }

    /// Runs `ingest` on data of another folder, into this site.
    pub(crate) fn ingest(&self, data: &Path, options: &[&str]) -> Run {
        let data = data.to_str().expect("UTF-8");
        generator(self.path(), &[&["ingest", data], options].concat())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub(crate) fn with(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.write(path, bytes);
        self
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        write(&self.join(path), bytes);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        read(&self.join(path))
    }

    pub(crate) fn tree(&self) -> Tree {
        tree(self.path())
    }
}

pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The contents of every file below a folder, by path relative to it.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

pub(crate) fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    for path in files(root) {
        let below = path.strip_prefix(root).expect("below").to_string_lossy();
        tree.insert(below.into_owned(), fs::read(&path).expect("a file"));
    }
    tree
}

/// Every regular file below a folder.
pub(crate) fn files(root: &Path) -> Vec<PathBuf> {
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// The rows of a CSV table: cells by heading.
pub(crate) fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Result<_, _> = reader.deserialize().collect();
    rows.expect("CSV")
}

/// Compares text with the expected output in a file of this folder, which UPDATE=1 rewrites. Returns the first
/// line that differs.
pub(crate) fn difference(file: &str, text: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(file);
    if std::env::var_os("UPDATE").is_some() {
        write(&path, text);
    }
    let expected = read(&path);
    let mut lines = expected.lines().zip(text.lines()).zip(1..);
    let differing = lines.find(|((old, new), _)| old != new);
    (expected != text).then(|| match differing {
        Some(((old, new), line)) => format!("{file}:{line} is\n{old}\nand not\n{new}"),
        None => format!("{file} has more or fewer lines"),
    })
}

/// Copies a file or a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let below = path.strip_prefix(from).expect("below");
        let target = match below.as_os_str().is_empty() {
            true => to.to_owned(),
            false => to.join(below),
        };
        write(&target, fs::read(&path).expect("a file"));
    }
}

pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the repository")
        .to_owned()
}

pub(crate) fn fixture(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(path)
}

/// The Zola that `make` finds, installed if there is none; `$ZOLA` overrides it.
pub(crate) fn zola() -> &'static Path {
    static ZOLA: OnceLock<PathBuf> = OnceLock::new();
    ZOLA.get_or_init(|| {
        let found =
            run(Command::new(repository().join("generator/tools/zola/find"))
                .current_dir(repository()));
        assert_eq!(
            found.code,
            Some(0),
            "these tests need Zola, which was not found:\n{}",
            found.stderr
        );
        PathBuf::from(found.stdout.trim())
    })
}

/// Builds the site in `folder` for `base_url`, into `folder/public`.
pub(crate) fn build(folder: &Path, base_url: &str) -> Run {
    let mut command = Command::new(zola());
    command.current_dir(folder);
    command.args([
        "build",
        "--force",
        "--base-url",
        base_url,
        "--output-dir",
        "public",
    ]);
    run(&mut command)
}

/// Reproducible random numbers.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }
}

/// Asserts that a graph is well-formed SVG and contains nothing that runs, loads or links.
#[track_caller]
pub(crate) fn assert_svg(text: &str, name: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(document.root_element().tag_name().name(), "svg", "{name}");
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let tag = node.tag_name().name();
        let active = "script foreignObject a image use animate set";
        let is_active = active.split(' ').any(|name| name == tag);
        assert!(!is_active, "{name}: <{tag}>");
        for attribute in node.attributes() {
            let key = attribute.name();
            assert!(!key.starts_with("on") && key != "href", "{name}: {key}");
        }
    }
}

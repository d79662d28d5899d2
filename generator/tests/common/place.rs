//! A folder with a toy that measures nothing, and its builds, for the tests of `generator run`.

use crate::common::{files, fixture, program, read, run, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const MANIFEST: &str = r#"[package]
name = "runner-toy"
version = "1.0.0"
edition = "2021"
[workspace]
[features]
a = []
b = []
"#;

const LIBRARIES: &str = r#"[[library]]
name = "Toy"
word = "toy"
[[library.series]]
providers = [{ word = "a" }, { word = "b" }]
"#;

/// Nothing depends on how fast a toy is, and this compiles in a twentieth of the time.
const PROFILE: &str = "[profile.release]\nopt-level = 0\nlto = \"off\"\n";

const LOCK: &str = "version = 4\n\n[[package]]\nname = \"runner-toy\"\nversion = \"1.0.0\"\n";

/// The folder, in which both variants of the toy are built. The build is kept for later test runs.
pub(crate) fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy");
        // An earlier version of the tests may have left other sources.
        for old in ["runners", "certificates", "out"] {
            if folder.join(old).exists() {
                fs::remove_dir_all(folder.join(old)).expect("removed");
            }
        }
        let source = read(&fixture("runner/toy.rs"));
        for (path, text) in [
            ("libraries.toml", LIBRARIES),
            ("toy/Cargo.toml", MANIFEST),
            ("toy/Cargo.lock", LOCK),
            ("toy/src/lib.rs", &source),
        ] {
            write(&folder.join("runners").join(path), text);
        }
        write(&folder.join(".cargo/config.toml"), PROFILE);
        write(&folder.join("certificates/rsa/root.pem"), "a chain");
        // The program finds the runners in `generator/`.
        let link = folder.join("generator");
        if !link.is_symlink() {
            std::os::unix::fs::symlink(".", link).expect("linked");
        }
        let words = "run --out out toy toy+b --runs 1";
        run(program().current_dir(&folder).args(words.split(' '))).success();
        assert!(!files(&folder.join("target/run")).is_empty());
        folder
    })
}

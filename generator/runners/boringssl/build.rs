//! Passes the version of `boring-sys` to the program: BoringSSL has no releases of its own, and
//! the crate does not name its commit.

use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let lock = Path::new(&folder).join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("Cargo.lock is beside Cargo.toml");
    let version = text
        .split_once("name = \"boring-sys\"\nversion = \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .expect("boring-sys is in Cargo.lock")
        .0;
    println!("cargo::rustc-env=BORING_VERSION=boring-{version}");
}

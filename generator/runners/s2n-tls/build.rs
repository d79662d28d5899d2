//! Passes the version of `s2n-tls` to the program: the library does not report it.

use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let lock = Path::new(&folder).join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("Cargo.lock is beside Cargo.toml");
    let version = text
        .split_once("name = \"s2n-tls\"\nversion = \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .expect("s2n-tls is in Cargo.lock")
        .0;
    println!("cargo::rustc-env=S2N_VERSION={version}");
}

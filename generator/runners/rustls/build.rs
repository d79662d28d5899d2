//! Tells the program which release of rustls it is linked with: rustls does not say so itself.

use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let lock = Path::new(&folder).join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("Cargo.lock stands beside Cargo.toml");
    let version = text
        .split_once("name = \"rustls\"\nversion = \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .expect("rustls is in Cargo.lock")
        .0;
    println!("cargo::rustc-env=RUSTLS_VERSION={version}");
    println!("cargo::rustc-check-cfg=cfg(prefers_post_quantum)");
    let patch = version.strip_prefix("0.23.").and_then(|p| p.parse().ok());
    if patch.is_some_and(|p: u32| p >= 27) {
        println!("cargo::rustc-cfg=prefers_post_quantum");
    }
}

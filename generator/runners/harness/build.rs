//! Compiles the allocation-counting library that [`crate::allocations`] preloads.

use std::env;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "src/allocations.c";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-env-changed=CC");
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let compiler = env::var_os("CC").unwrap_or("cc".into());
    let status = Command::new(&compiler)
        .args(["-O2", "-shared", "-fPIC", SOURCE, "-o"])
        .arg(Path::new(&folder).join("allocations.so"))
        .status();
    let status = status.unwrap_or_else(|e| panic!("cannot run {compiler:?}: {e}"));
    assert!(status.success(), "{SOURCE} does not compile: {status}");
}

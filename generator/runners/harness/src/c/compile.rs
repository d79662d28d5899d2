//! A part of the build scripts of runners whose library is in C.
#![allow(dead_code)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles and links the functions of `runner.h` in the runner's `tls.c`, with the headers of its
/// library, which must be linked later.
pub(crate) fn compile(headers: &[PathBuf], defines: &[(&str, Option<&str>)]) {
    // The build script includes this file by its path from the folder of the runner.
    let runner = file!().strip_suffix("../harness/src/c/compile.rs");
    let runner = Path::new(runner.expect("included by that path"));
    let (source, here) = (runner.join("tls.c"), runner.join("../harness/src/c"));
    println!("cargo::rerun-if-changed={}", source.display());
    println!("cargo::rerun-if-changed={}", here.display());
    let mut build = cc::Build::new();
    for (name, value) in defines {
        build.define(name, *value);
    }
    build.file(source).include(here).includes(headers);
    // Whole, because `harness` calls it, which the linker reads later.
    build
        .std("gnu11")
        .opt_level(2)
        .link_lib_modifier("+whole-archive");
    build.compile("runner");
}

/// The folder of a package in the lock file, as fetched by cargo, whether or not it is built.
pub(crate) fn package(name: &str) -> PathBuf {
    let mut cargo = Command::new(env::var_os("CARGO").expect("set by cargo"));
    cargo.args(["metadata", "--format-version", "1", "--locked"]);
    let printed = cargo.output().expect("cargo runs");
    let text = String::from_utf8_lossy(&printed.stdout);
    let mut paths = text
        .split('"')
        .filter_map(|text| text.strip_suffix("/Cargo.toml"));
    let folder = paths.find(|path| path.contains(&format!("/{name}-")));
    let errors = String::from_utf8_lossy(&printed.stderr);
    folder
        .unwrap_or_else(|| panic!("cargo metadata has no {name}: {errors}"))
        .into()
}

/// Runs a build command.
pub(crate) fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(status.success(), "{command:?} fails: {status}");
}

//! Compiles Mbed TLS from the sources in the crate `mbedtls-rs-sys`, with the configuration that
//! they come with. The crate's own build is for microcontrollers: without AES-NI, and for size. So
//! it is no dependency of any target, but is in the lock file.

#[path = "../harness/src/c/compile.rs"]
mod compile;

use std::fs;

/// For programs with several threads, as in Debian's build.
const THREADS: [(&str, Option<&str>); 2] = [
    ("MBEDTLS_THREADING_C", None),
    ("MBEDTLS_THREADING_PTHREAD", None),
];

fn main() {
    let sources = compile::package("mbedtls-rs-sys").join("mbedtls");
    let headers = sources.join("include");
    compile::compile(&[headers.clone()], &THREADS);
    let mut build = cc::Build::new();
    for (name, value) in THREADS {
        build.define(name, value);
    }
    build
        .include(headers)
        .include(sources.join("library"))
        .opt_level(2)
        .warnings(false);
    for entry in fs::read_dir(sources.join("library")).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "c") {
            build.file(path);
        }
    }
    build.compile("mbedtls");
}

//! Links the wolfSSL that pkg-config finds, or with `vendored` one from the sources in the crate
//! `wolfssl-sys`. The crate's own build has no session tickets, so it is no dependency of any
//! target, but is in the lock file.

#[path = "../harness/src/c/compile.rs"]
mod compile;

use compile::{compile, run};
use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return vendored();
    }
    let mut config = pkg_config::Config::new();
    config.atleast_version("5.5").cargo_metadata(false);
    let missing = "wolfSSL 5.5 or later; install libwolfssl-dev, or set PKG_CONFIG_PATH";
    let library = config.probe("wolfssl").expect(missing);
    compile(&library.include_paths, &[]);
    config.cargo_metadata(true).probe("wolfssl").expect(missing);
}

/// What the runner measures, and what wolfSSL's manual recommends for speed.
const OPTIONS: &str = "--enable-tls13 --enable-sni --enable-supportedcurves --enable-curve25519 \
    --enable-session-ticket --enable-mlkem --enable-mldsa --enable-sp=yes,4096 --enable-sp-asm \
    --disable-shared --enable-static --disable-examples --disable-crypttests --disable-benchmark";

/// Builds the library, as its INSTALL says, in a copy.
fn vendored() {
    let out = env::var("OUT_DIR").expect("set by cargo");
    let folder = Path::new(&out).join("wolfssl");
    let sources = compile::package("wolfssl-sys").join("wolfssl-src");
    run(Command::new("cp")
        .arg("-R")
        .arg("--no-target-directory")
        .arg(sources)
        .arg(&folder));
    let assembler = match env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("x86_64") => "--enable-intelasm",
        _ => "--enable-armasm",
    };
    let jobs = env::var("NUM_JOBS").expect("set by cargo");
    let within = |program: &str| {
        let mut command = Command::new(program);
        command.current_dir(&folder);
        command
    };
    run(within("autoreconf").arg("--install"));
    let options = OPTIONS.split_whitespace().collect::<Vec<_>>().join(" ");
    let options = format!("{assembler} {options}");
    run(within("./configure").args(options.split(' ')));
    // Without a jobserver of cargo's.
    run(within("make").env_remove("MAKEFLAGS").arg("-j").arg(jobs));
    let options = format!("\"{options}\"");
    compile(&[folder.clone()], &[("OPTIONS", Some(&*options))]);
    println!(
        "cargo::rustc-link-search={}",
        folder.join("src/.libs").display()
    );
    println!("cargo::rustc-link-lib=static=wolfssl");
}

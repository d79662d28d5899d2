//! Compiles the C file of a library, the functions of `runner.h`, with the headers of that library, and
//! links it: from source, or the one that pkg-config finds. BoringSSL and AWS-LC are linked by their
//! own crates.
#![allow(dead_code, reason = "each feature needs some functions")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Preprocessor definitions.
type Defines<'a> = [(&'a str, Option<&'a str>)];

fn main() {
    #[cfg(feature = "openssl")]
    {
        let library = openssl_src::Build::new().build();
        compile("libssl.c", &[library.include_dir().to_owned()], &[]);
        library.print_cargo_metadata();
    }
    #[cfg(feature = "openssl-installed")]
    installed("libssl.c", "openssl", "1.1.1", "libssl-dev");
    #[cfg(feature = "gnutls-installed")]
    installed("gnutls.c", "gnutls", "3.7.4", "libgnutls28-dev");
    #[cfg(feature = "wolfssl-installed")]
    installed("wolfssl.c", "wolfssl", "5.5", "libwolfssl-dev");
    #[cfg(feature = "boringssl")]
    {
        let root = env::var("DEP_BORINGSSL_ROOT").expect("set by boring-sys");
        compile(
            "libssl.c",
            &[Path::new(&root).join("boringssl/include")],
            &[],
        );
    }
    #[cfg(feature = "aws-lc")]
    {
        // The name of the variable has AWS-LC's version.
        let is_headers = |name: &str| name.starts_with("DEP_AWS_LC_") && name.ends_with("_INCLUDE");
        let found = env::vars().find(|(name, _)| is_headers(name));
        let (_, headers) = found.expect("set by aws-lc-sys");
        compile("libssl.c", &[headers.into()], &[]);
    }
    #[cfg(feature = "mbedtls")]
    mbedtls();
    #[cfg(feature = "wolfssl")]
    wolfssl();
}

/// Compiles a C file, for which the library must be linked later.
fn compile(source: &str, headers: &[PathBuf], defines: &Defines<'_>) {
    let abi = "../harness/src/c";
    println!("cargo::rerun-if-changed={source}");
    println!("cargo::rerun-if-changed={abi}");
    let mut build = cc::Build::new();
    for (name, value) in defines {
        build.define(name, *value);
    }
    build.file(source).include(abi).includes(headers);
    // Whole, because `harness` calls it, which the linker reads later.
    build
        .std("gnu11")
        .opt_level(2)
        .link_lib_modifier("+whole-archive");
    build.compile("runner");
}

/// Links a library that pkg-config finds, in this version or a later one, from a package of Debian.
#[cfg(feature = "installed")]
fn installed(source: &str, name: &str, least: &str, package: &str) {
    let missing = format!("{name} {least} or later; install {package}, or set PKG_CONFIG_PATH");
    let mut config = pkg_config::Config::new();
    config.atleast_version(least).cargo_metadata(false);
    let library = config.probe(name).expect(&missing);
    compile(source, &library.include_paths, &[]);
    config.cargo_metadata(true).probe(name).expect(&missing);
}

/// The folder of a package in the lock file of the build, as fetched by cargo.
fn package(name: &str) -> PathBuf {
    let build = env::var("RUNNER_BUILD").unwrap_or(".".to_owned());
    let mut cargo = Command::new(env::var_os("CARGO").expect("set by cargo"));
    cargo.args(["metadata", "--format-version", "1", "--locked"]);
    let printed = cargo.current_dir(build).output().expect("cargo runs");
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

/// Compiles Mbed TLS in the configuration that its sources come with, for programs with several
/// threads, as in Debian's build.
fn mbedtls() {
    let threads = [
        ("MBEDTLS_THREADING_C", None),
        ("MBEDTLS_THREADING_PTHREAD", None),
    ];
    let sources = package("mbedtls-rs-sys").join("mbedtls");
    let headers = sources.join("include");
    compile("mbedtls.c", &[headers.clone()], &threads);
    let mut build = cc::Build::new();
    for (name, value) in threads {
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

/// What the runner measures, and what wolfSSL's manual recommends for speed.
const OPTIONS: &str = "--enable-tls13 --enable-sni --enable-supportedcurves --enable-curve25519 \
    --enable-session-ticket --enable-mlkem --enable-mldsa --enable-sp=yes,4096 --enable-sp-asm \
    --disable-shared --enable-static --disable-examples --disable-crypttests --disable-benchmark";

/// Builds wolfSSL, as its INSTALL says, in a copy.
fn wolfssl() {
    let out = env::var("OUT_DIR").expect("set by cargo");
    let folder = Path::new(&out).join("wolfssl");
    let sources = package("wolfssl-sys").join("wolfssl-src");
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
    compile(
        "wolfssl.c",
        &[folder.clone()],
        &[("OPTIONS", Some(&*options))],
    );
    let libraries = folder.join("src/.libs");
    println!("cargo::rustc-link-search={}", libraries.display());
    println!("cargo::rustc-link-lib=static=wolfssl");
}

/// Runs a build command.
fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(status.success(), "{command:?} fails: {status}");
}

//! Passes the version of a library that does not report it, which is that of its package in
//! Cargo.lock, to the program. For rustls, sets a `cfg` for each feature of that release.

use std::path::Path;
use std::{env, fs};

const PACKAGES: [&str; 2] = ["rustls", "s2n-tls"];

/// Features of rustls, with the first release that has them.
const RELEASES: [(&str, [u32; 2]); 4] = [
    // `client::Resumption`, and client verifiers that the caller boxes
    ("has_resumption", [21, 0]),
    // `CryptoProvider`, and new names for some types
    ("has_provider", [22, 0]),
    // The caller owns all buffers, and providers are separate crates.
    ("buffers_outside", [24, 0]),
    // The crate's default feature `prefer-post-quantum`, which runners cannot enable: cargo would
    // not resolve earlier releases with it.
    ("prefers_post_quantum", [23, 27]),
];

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let lock = Path::new(&folder).join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("Cargo.lock is beside Cargo.toml");
    let mut versions = Vec::new();
    for package in PACKAGES {
        let start = format!("name = \"{package}\"\nversion = \"");
        for rest in text.split(&start).skip(1) {
            versions.extend(rest.split('"').next());
        }
    }
    // One series of rustls is built of those in the lock file.
    let is_built = |version: &&str| {
        let series = version.split('.').take(2).collect::<Vec<_>>().join("_");
        env::var_os(format!("CARGO_FEATURE_RUSTLS_{series}")).is_some()
    };
    let built = versions.iter().copied().find(is_built);
    let version = built.or(versions.first().copied());
    let version = version.expect("the library is in Cargo.lock");
    println!("cargo::rustc-env=LIBRARY_VERSION={version}");
    // Of folders that share these sources, each has some features.
    println!("cargo::rustc-check-cfg=cfg(feature, values(any()))");
    let release: Vec<u32> = version.split('.').flat_map(str::parse).collect();
    for (name, first) in RELEASES {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if release[1..3] >= first[..] {
            println!("cargo::rustc-cfg={name}");
        }
    }
}

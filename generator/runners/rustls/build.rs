//! Passes the release of rustls, which rustls does not report, to the program, and sets a `cfg` for
//! each feature of that release.

use std::ops::Range;
use std::path::Path;
use std::{env, fs};

/// An open end.
const EVER: [u32; 2] = [u32::MAX; 2];

/// Features, with the first release that has them and the first that no longer does.
const RELEASES: [(&str, Range<[u32; 2]>); 5] = [
    // `client::Resumption`, and client verifiers that the caller boxes
    ("has_resumption", [21, 0]..EVER),
    // `CryptoProvider`, and new names for some types
    ("has_provider", [22, 0]..EVER),
    // `CommonState::negotiated_key_exchange_group`
    ("reports_group", [23, 11]..EVER),
    // The caller owns all buffers, and providers are separate crates.
    ("buffers_outside", [24, 0]..EVER),
    // The crate's default feature `prefer-post-quantum`, which runners cannot enable: cargo would
    // not resolve earlier releases with it.
    ("prefers_post_quantum", [23, 27]..EVER),
];

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let lock = Path::new(&folder).join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("Cargo.lock is beside Cargo.toml");
    let version = text
        .split_once("name = \"rustls\"\nversion = \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .expect("rustls is in Cargo.lock")
        .0;
    println!("cargo::rustc-env=RUSTLS_VERSION={version}");
    // Not all folders that share these sources have this feature.
    println!("cargo::rustc-check-cfg=cfg(feature, values(\"graviola\"))");
    let release: Vec<u32> = version.split('.').flat_map(str::parse).collect();
    for (name, releases) in RELEASES {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if releases.contains(&[release[1], release[2]]) {
            println!("cargo::rustc-cfg={name}");
        }
    }
}

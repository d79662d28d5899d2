//! Passes the release of rustls to the program, which rustls does not report itself, and sets a
//! `cfg` for what that release has.

use std::ops::Range;
use std::path::Path;
use std::{env, fs};

/// Later than any release.
const EVER: [u32; 2] = [u32::MAX; 2];

/// What came in which release, and went in which.
const RELEASES: [(&str, Range<[u32; 2]>); 7] = [
    // `client::Resumption`, and verifiers of clients that are boxed by the caller
    ("has_resumption", [21, 0]..EVER),
    // `CryptoProvider`, and other names for some types
    ("has_provider", [22, 0]..EVER),
    // `CommonState::handshake_kind`
    ("reports_resumption", [23, 5]..EVER),
    // `CommonState::negotiated_key_exchange_group`
    ("reports_group", [23, 11]..EVER),
    // Unbuffered connections, with a `CommonState`
    ("has_unbuffered", [23, 11]..[24, 0]),
    // All buffers are the caller's, and providers are crates of their own.
    ("buffers_outside", [24, 0]..EVER),
    // The default feature `prefer-post-quantum` of the crate, which runners do not ask for,
    // because cargo would find no earlier release then.
    ("prefers_post_quantum", [23, 27]..EVER),
];

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
    // Which not all folders have that share these sources.
    println!("cargo::rustc-check-cfg=cfg(feature, values(\"graviola\"))");
    let release: Vec<u32> = version.split('.').flat_map(str::parse).collect();
    for (name, releases) in RELEASES {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if releases.contains(&[release[1], release[2]]) {
            println!("cargo::rustc-cfg={name}");
        }
    }
}

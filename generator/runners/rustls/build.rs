//! Passes the release of rustls to the program, which rustls does not report itself, and sets a
//! `cfg` for what that release has.

use std::path::Path;
use std::{env, fs};

/// What came in which release.
const SINCE: [(&str, [u32; 2]); 4] = [
    // `CryptoProvider`, and other names for some types
    ("has_provider", [22, 0]),
    // `CommonState::handshake_kind`
    ("reports_resumption", [23, 5]),
    // `CommonState::negotiated_key_exchange_group`, and a `CommonState` in unbuffered connections
    ("reports_group", [23, 11]),
    // The default feature `prefer-post-quantum` of the crate, which runners do not ask for,
    // because cargo would find no earlier release then.
    ("prefers_post_quantum", [23, 27]),
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
    for (name, since) in SINCE {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if release[1..] >= since[..] {
            println!("cargo::rustc-cfg={name}");
        }
    }
}

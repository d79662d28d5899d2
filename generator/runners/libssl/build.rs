//! Links OpenSSL: from source, the one in OPENSSL_DIR, or the system's. The other libraries are
//! linked by their own crates. Passes the version of `boring-sys` to the program.

fn main() {
    #[cfg(feature = "vendored")]
    openssl_src::Build::new().build().print_cargo_metadata();
    #[cfg(all(feature = "openssl", not(feature = "vendored")))]
    find();
    #[cfg(feature = "boringssl")]
    {
        let lock = include_str!("Cargo.lock");
        let version = lock.split_once("name = \"boring-sys\"\nversion = \"");
        let version = version.and_then(|(_, rest)| rest.split_once('"'));
        let (version, _) = version.expect("boring-sys is in the lock file");
        println!("cargo::rustc-env=BORING_VERSION={version}");
    }
}

#[cfg(all(feature = "openssl", not(feature = "vendored")))]
fn find() {
    println!("cargo::rerun-if-env-changed=OPENSSL_DIR");
    println!("cargo::rerun-if-env-changed=OPENSSL_STATIC");
    let Ok(folder) = std::env::var("OPENSSL_DIR") else {
        let found = pkg_config::Config::new()
            .atleast_version("1.1.1")
            .probe("openssl");
        found.expect("OpenSSL 1.1.1 or later; install libssl-dev, or set OPENSSL_DIR");
        return;
    };
    for lib in ["lib64", "lib"] {
        println!("cargo::rustc-link-search=native={folder}/{lib}");
    }
    let kind = match std::env::var("OPENSSL_STATIC").as_deref() {
        Ok("1") => "static",
        _ => "dylib",
    };
    println!("cargo::rustc-link-lib={kind}=ssl");
    println!("cargo::rustc-link-lib={kind}=crypto");
}

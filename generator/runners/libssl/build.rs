//! Links OpenSSL, from source or the one that pkg-config finds. The other libraries are linked by their
//! own crates. Passes the version of `boring-sys` to the program.

fn main() {
    #[cfg(feature = "vendored")]
    openssl_src::Build::new().build().print_cargo_metadata();
    #[cfg(all(feature = "openssl", not(feature = "vendored")))]
    pkg_config::Config::new()
        .atleast_version("1.1.1")
        .probe("openssl")
        .expect("OpenSSL 1.1.1 or later; install libssl-dev, or set PKG_CONFIG_PATH");
    #[cfg(feature = "boringssl")]
    {
        let lock = include_str!("Cargo.lock");
        let version = lock.split_once("name = \"boring-sys\"\nversion = \"");
        let version = version.and_then(|(_, rest)| rest.split_once('"'));
        let (version, _) = version.expect("boring-sys is in the lock file");
        println!("cargo::rustc-env=BORING_VERSION={version}");
    }
}

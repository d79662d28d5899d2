//! Compiles what the program does with the C API of its library, and links OpenSSL: from source, or the one that
//! pkg-config finds. The other libraries are linked by their own crates.

use std::path::PathBuf;

const SOURCE: &str = "src/tls.c";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    #[cfg(feature = "vendored")]
    {
        let library = openssl_src::Build::new().build();
        compile(&[library.include_dir().to_owned()]);
        library.print_cargo_metadata();
    }
    #[cfg(all(feature = "openssl", not(feature = "vendored")))]
    {
        let mut config = pkg_config::Config::new();
        config.atleast_version("1.1.1").cargo_metadata(false);
        let missing = "OpenSSL 1.1.1 or later; install libssl-dev, or set PKG_CONFIG_PATH";
        compile(&config.probe("openssl").expect(missing).include_paths);
        config.cargo_metadata(true).probe("openssl").expect(missing);
    }
    #[cfg(not(feature = "openssl"))]
    compile(&[headers()]);
    #[cfg(feature = "boringssl")]
    {
        let lock = include_str!("Cargo.lock");
        let version = lock.split_once("name = \"boring-sys\"\nversion = \"");
        let version = version.and_then(|(_, rest)| rest.split_once('"'));
        let (version, _) = version.expect("boring-sys is in the lock file");
        println!("cargo::rustc-env=BORING_VERSION={version}");
    }
}

/// The headers of the crate with the library. The name of the variable has AWS-LC's version.
#[cfg(not(feature = "openssl"))]
fn headers() -> PathBuf {
    let mut found = None;
    for (name, folder) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name == "DEP_BORINGSSL_ROOT" {
            found = Some(PathBuf::from(folder).join("boringssl/include"));
        } else if name.starts_with("DEP_AWS_LC_") && name.ends_with("_INCLUDE") {
            found = Some(folder.into());
        }
    }
    found.expect("the crate says where its headers are")
}

/// Compiles and links the functions of the program. The library that they call must be linked later.
fn compile(headers: &[PathBuf]) {
    let mut build = cc::Build::new();
    build.file(SOURCE).std("c11").opt_level(2);
    build.includes(headers).compile("runner");
}

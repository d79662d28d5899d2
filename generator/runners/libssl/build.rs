//! Links OpenSSL: from source, or the one that pkg-config finds. The other libraries are linked by
//! their own crates.

#[path = "../harness/src/c/compile.rs"]
mod compile;

use compile::compile;

fn main() {
    #[cfg(feature = "vendored")]
    {
        let library = openssl_src::Build::new().build();
        compile(&[library.include_dir().to_owned()], &[]);
        library.print_cargo_metadata();
    }
    #[cfg(all(feature = "openssl", not(feature = "vendored")))]
    {
        let mut config = pkg_config::Config::new();
        config.atleast_version("1.1.1").cargo_metadata(false);
        let missing = "OpenSSL 1.1.1 or later; install libssl-dev, or set PKG_CONFIG_PATH";
        let library = config.probe("openssl").expect(missing);
        compile(&library.include_paths, &[]);
        config.cargo_metadata(true).probe("openssl").expect(missing);
    }
    #[cfg(feature = "boringssl")]
    {
        let root = std::env::var("DEP_BORINGSSL_ROOT").expect("set by boring-sys");
        let headers = std::path::Path::new(&root).join("boringssl/include");
        compile(&[headers], &[]);
    }
    #[cfg(feature = "aws-lc")]
    {
        // The name of the variable has AWS-LC's version.
        let is_headers = |name: &str| name.starts_with("DEP_AWS_LC_") && name.ends_with("_INCLUDE");
        let found = std::env::vars().find(|(name, _)| is_headers(name));
        let (_, headers) = found.expect("set by aws-lc-sys");
        compile(&[headers.into()], &[]);
    }
}

//! Links the GnuTLS that pkg-config finds.

#[path = "../harness/src/c/compile.rs"]
mod compile;

fn main() {
    let mut config = pkg_config::Config::new();
    config.atleast_version("3.7.4").cargo_metadata(false);
    let missing = "GnuTLS 3.7.4 or later; install libgnutls28-dev, or set PKG_CONFIG_PATH";
    let library = config.probe("gnutls").expect(missing);
    compile::compile(&library.include_paths, &[]);
    config.cargo_metadata(true).probe("gnutls").expect(missing);
}

//! Runs every scenario by the Go program, which cargo does not build.

use std::path::Path;
use std::process::Command;

#[test]
fn only_what_crypto_tls_lacks_is_unsupported() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = scratch.join("runner-go");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../go");
    // With the release in go.mod, whichever is installed.
    let status = Command::new("go")
        .args(["build", "-trimpath", "-buildvcs=false", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(source)
        .env("GOTOOLCHAIN", "auto")
        .env("CGO_ENABLED", "0")
        .status()
        .expect("go 1.21 or newer is installed");
    assert!(status.success(), "{status}");
    let program = program.to_str().expect("UTF-8");
    let lacks = ["session id", "vectored", "fragments"];
    runner_tests::check(program, env!("CARGO_TARGET_TMPDIR"), &lacks);
}

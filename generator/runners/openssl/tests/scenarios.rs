//! Runs every scenario, with little work.

#[test]
fn only_missing_apis_are_unsupported() {
    // The system's OpenSSL may be older than 3.5, the first with ML-KEM.
    let runner = env!("CARGO_BIN_EXE_runner-openssl");
    runner_tests::check(
        runner,
        env!("CARGO_TARGET_TMPDIR"),
        &["vectored", "mlkem768"],
    );
}

//! Runs every scenario, with little work.

#[test]
fn only_missing_apis_are_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-s2n-tls");
    runner_tests::check(
        runner,
        env!("CARGO_TARGET_TMPDIR"),
        &["vectored", "session id"],
    );
}

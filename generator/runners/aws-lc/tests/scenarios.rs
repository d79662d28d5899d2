//! Runs every scenario, with little work.

#[test]
fn only_missing_apis_are_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-aws-lc");
    runner_tests::check(
        runner,
        env!("CARGO_TARGET_TMPDIR"),
        &["vectored", "1.3, session id"],
    );
}

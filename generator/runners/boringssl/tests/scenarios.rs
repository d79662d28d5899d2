//! Runs every scenario, with little work.

#[test]
fn only_missing_apis_are_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-boringssl");
    let unsupported = runner_tests::unsupported(runner, env!("CARGO_TARGET_TMPDIR"));
    let reasons = ["vectored", "1.3, session id"];
    let is_expected = |s: &String| reasons.iter().any(|r| s.contains(r));
    assert!(unsupported.iter().all(is_expected), "{unsupported:#?}");
    assert!(!unsupported.is_empty());
}

//! Runs every scenario, with little work.

/// The system's OpenSSL may be older than 3.5, the first with ML-KEM.
#[test]
fn only_missing_apis_are_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-openssl");
    let mut unsupported = runner_tests::unsupported(runner, env!("CARGO_TARGET_TMPDIR"));
    unsupported.retain(|s| !s.contains("mlkem768"));
    let is_expected = |s: &String| s.contains("vectored");
    assert!(unsupported.iter().all(is_expected), "{unsupported:#?}");
    assert!(!unsupported.is_empty());
}

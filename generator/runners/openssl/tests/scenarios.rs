//! Every scenario, in little.

/// The system's OpenSSL may be older than 3.5, which brought ML-KEM.
#[test]
fn what_openssl_has_no_api_for_is_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-openssl");
    let mut unsupported = runner_tests::unsupported(runner, env!("CARGO_TARGET_TMPDIR"));
    unsupported.retain(|s| !s.contains("mlkem768"));
    let is_expected = |s: &String| s.contains("unbuffered") || s.contains("vectored");
    assert!(unsupported.iter().all(is_expected), "{unsupported:#?}");
    assert!(!unsupported.is_empty());
}

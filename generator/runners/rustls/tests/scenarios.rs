//! Runs every scenario, with little work.

#[test]
fn only_what_the_release_lacks_is_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-rustls");
    let unsupported = runner_tests::unsupported(runner, env!("CARGO_TARGET_TMPDIR"));
    // *ring* has no ML-KEM, and aws-lc-rs has it from 0.23.22 on; the only `cfg` for that is the
    // later one for its preference.
    let has_hybrid = cfg!(all(not(feature = "ring"), prefers_post_quantum));
    let is_expected = |s: &String| s.contains("mlkem768") && !has_hybrid;
    assert!(unsupported.iter().all(is_expected), "{unsupported:#?}");
    assert_eq!(unsupported.is_empty(), has_hybrid, "{unsupported:#?}");
}

//! Runs every scenario, with little work.

#[test]
fn only_what_the_release_lacks_is_unsupported() {
    // *ring* has no ML-KEM, and aws-lc-rs has it from 0.23.22 on; the only `cfg` for that is the
    // later one for its preference.
    let has_hybrid = cfg!(all(not(feature = "ring"), prefers_post_quantum));
    let lacks: &[&str] = if has_hybrid { &[] } else { &["mlkem768"] };
    let runner = env!("CARGO_BIN_EXE_runner-rustls");
    runner_tests::check(runner, env!("CARGO_TARGET_TMPDIR"), lacks);
}

//! Every scenario, in little.

#[test]
fn only_what_the_release_lacks_is_unsupported() {
    let runner = env!("CARGO_BIN_EXE_runner-rustls");
    let unsupported = runner_tests::unsupported(runner, env!("CARGO_TARGET_TMPDIR"));
    // Unbuffered connections tell too little before 0.23.11, and 0.24 has none. ring has no ML-KEM, nor has the
    // provider of AWS-LC before 0.23.22; that it is preferred came later, but is what is known here.
    let has_hybrid = cfg!(all(not(feature = "ring"), prefers_post_quantum));
    let is_expected = |s: &String| {
        s.contains("unbuffered") && cfg!(not(has_unbuffered))
            || s.contains("mlkem768") && !has_hybrid
    };
    assert!(unsupported.iter().all(is_expected), "{unsupported:#?}");
    let is_all_there = unsupported.is_empty();
    let can_all = has_hybrid && cfg!(has_unbuffered);
    assert_eq!(is_all_there, can_all, "{unsupported:#?}");
}

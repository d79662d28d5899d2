//! Every scenario, in little.

#[path = "../../scenarios.rs"]
mod scenarios;

#[test]
fn all_scenarios_are_supported() {
    let runner = env!("CARGO_BIN_EXE_runner-rustls");
    let unsupported = scenarios::unsupported(runner, env!("CARGO_TARGET_TMPDIR"));
    // ring has no ML-KEM.
    let is_expected = |s: &String| cfg!(not(feature = "aws-lc-rs")) && s.contains("mlkem768");
    assert!(unsupported.iter().all(is_expected), "{unsupported:#?}");
}

//! The test of every runner: all of scenarios.txt with new certificates, and little work each.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Measures all scenarios with `runner`, and returns those that are unsupported.
///
/// # Panics
/// If another scenario has no positive figure.
pub fn unsupported(runner: &str, scratch: &str) -> Vec<String> {
    let folder = Path::new(scratch).join("certificates");
    certificates(&folder);
    let mut child = Command::new(runner)
        .arg("--certificates")
        .arg(&folder)
        .args(["--multiplier", "0.01", "--no-heading"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the runner starts");
    let scenarios = include_str!("scenarios.txt");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(scenarios.as_bytes()).expect("scenarios");
    drop(input);
    let output = child.wait_with_output().expect("the runner ends");
    assert!(output.status.success(), "{}", output.status);

    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // 30 rows of two sides, 2 of memory, 24 + 21 of percentiles and traffic, 4 of ClientHellos.
    assert_eq!(text.lines().count(), 30 + 2 + 24 + 21 + 4, "{text}");
    let mut unsupported: Vec<String> = text.lines().filter_map(unsupported_scenario).collect();
    unsupported.dedup();
    unsupported
}

/// Prefixes of the variables that cargo sets for the tests of a package.
const OF_PACKAGE: [&str; 3] = ["CARGO_MANIFEST_", "CARGO_PKG_", "OUT_DIR"];

/// Runs the program that generates them, which is built once for all runners: ring would be built
/// again for each package whose variables cargo inherits.
fn certificates(folder: &Path) {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../certificates/Cargo.toml");
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo runs the tests"));
    cargo
        .args(["run", "--quiet", "--release", "--locked"])
        .args(["--manifest-path", manifest, "--"])
        .arg(folder)
        .args(["rsa", "ecdsa"]);
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if OF_PACKAGE.iter().any(|prefix| name.starts_with(prefix)) {
            cargo.env_remove(&*name);
        }
    }
    let status = cargo.status();
    assert!(status.expect("cargo starts").success(), "no certificates");
}

/// Returns the scenario of an unsupported row. Panics if another row has no positive figure.
fn unsupported_scenario(row: &str) -> Option<String> {
    let scenario = row.split('"').nth(1).expect("a quoted scenario");
    let value = row.rsplit(',').nth(1).expect("a value");
    if value == "unsupported" {
        return Some(scenario.to_owned());
    }
    let number: f64 = value
        .parse()
        .unwrap_or_else(|_| panic!("no figure in {row}"));
    assert!(number.is_finite() && number > 0.0, "{row}");
    None
}

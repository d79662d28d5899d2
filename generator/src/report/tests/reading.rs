//! What a report says of its builds, and how reports are joined.

use super::{FULL, SENDING, names, report, table};
use crate::report::Report;

fn rustls(versions: &[&str], levels: &[f64]) -> Report {
    let builds: Vec<String> = versions
        .iter()
        .map(|version| format!("rustls {version}"))
        .collect();
    let builds: Vec<&str> = builds.iter().map(String::as_str).collect();
    report("", &builds, &[(SENDING, levels)])
}

fn order(report: &Report) -> Vec<String> {
    names(report, report.series()[0].builds.clone())
}

#[test]
fn releases_are_in_the_order_of_versions_then_days() {
    let shuffled = ["3.0.8", "4.0.0", "1.1.1w", "4.0.0-beta1", "3.5.1"];
    let sorted = ["1.1.1w", "3.0.8", "3.5.1", "4.0.0-beta1", "4.0.0"];
    assert_eq!(
        order(&rustls(&shuffled, &[9.0; 5])),
        sorted.map(|v| format!("rustls {v}"))
    );
    let mut manifest = String::new();
    for (version, day) in [("fffffff", "01"), ("aaaaaaa", "03"), ("ccccccc", "02")] {
        manifest += &format!(
            "[[implementation]]\nname = \"rustls\"\nversion = \"0.24.0-dev+{version}\"\nreleased = 2026-02-{day}\n"
        );
    }
    let builds = ["fffffff", "aaaaaaa", "ccccccc"].map(|v| format!("rustls 0.24.0-dev+{v}"));
    let builds = builds.each_ref().map(|build| &**build);
    let report = report(&manifest, &builds, &[(SENDING, &[9.0; 3])]);
    let expected = ["fffffff", "ccccccc", "aaaaaaa"].map(|v| format!("rustls 0.24.0-dev+{v}"));
    assert_eq!(order(&report), expected);
}

#[test]
fn each_variant_with_several_releases_is_a_series() {
    let builds = [
        "rustls 2, ring, x",
        "rustls 1, aws, x",
        "rustls 2, aws, x",
        "rustls 1, ring, x",
        "rustls 2, graviola, x",
    ];
    let report = report("", &builds, &[(SENDING, &[9.0; 5])]);
    let series = report.series();
    let mut found: Vec<_> = series
        .iter()
        .map(|one| names(&report, one.builds.clone()))
        .collect();
    found.sort();
    let expected = [
        ["rustls 1, aws, x", "rustls 2, aws, x"],
        ["rustls 1, ring, x", "rustls 2, ring, x"],
    ];
    assert_eq!(found, expected);
}

#[test]
fn selectors() {
    let builds = [
        "OpenSSL 3.2.0, gcc",
        "OpenSSL 3.2.0, clang",
        "rustls 0.22.0, aws-lc",
        "BoringSSL r0",
        "rustls 0.24.0-dev.2+6868ee8, aws-lc",
        "rustls 0.24.0-dev.2+6868ee8.dirty, ring",
    ];
    let report = report("", &builds, &[(SENDING, &[9.0; 6])]);
    for (selector, found) in [
        ("rustls", &[2, 4, 5][..]),
        ("RUSTLS", &[2, 4, 5]),
        ("rustls@0.22.0", &[2]),
        ("rustls@0.22.0+aws-lc", &[2]),
        ("rustls 0.23.0", &[]),
        ("openssl", &[0, 1]),
        ("OpenSSL 3.2.0, clang", &[1]),
        ("openssl_3.2.0_gcc", &[0]),
        ("rustls, ring", &[5]),
        ("rustls, graviola", &[]),
        ("boringssl@r0", &[3]),
        // What `run` writes of sources.
        ("rustls@0.24.0-dev.2+6868ee8", &[4]),
        ("rustls@0.24.0-dev.2+6868ee8.dirty+ring", &[5]),
        ("rustls@0.24.0-dev.2", &[]),
    ] {
        let mut expected: Vec<&str> = found.iter().map(|place| builds[*place]).collect();
        expected.sort_unstable();
        let mut found = names(&report, report.find(selector));
        found.sort();
        assert_eq!(found, expected, "{selector}");
    }
}

#[test]
fn runs_of_reports_are_joined() {
    let of = |builds: &[&str], rows: &[(&str, &[f64])]| {
        Report::example("x", "", &table(1, builds, rows))
    };
    let first = of(&["rustls 1.0"], &[(FULL, &[1.0])]);
    let rows: [(&str, &[f64]); 2] = [(SENDING, &[5.0, 0.0]), (FULL, &[0.0, 2.0])];
    let second = of(&["OpenSSL 3.0", "rustls 1.0"], &rows);
    let joined = Report::joined(&[(&first, vec![0]), (&second, vec![0, 1])]);
    let values = |label: &str, name: &str| {
        let cell = super::row(&joined, label).cell(super::build(&joined, name));
        cell.map(|cell| cell.values.len())
    };
    assert_eq!(values(FULL, "rustls 1.0"), Some(2));
    assert_eq!(values(FULL, "OpenSSL 3.0"), None);
    assert_eq!(values(SENDING, "OpenSSL 3.0"), Some(1));
    let openssl = super::build(&joined, "OpenSSL 3.0");
    let only = Report::joined(&[(&joined, vec![openssl])]);
    let labels: Vec<String> = only.rows.iter().map(|row| row.scenario.label()).collect();
    assert_eq!(labels, [SENDING]);
}

//! Who stands for whom.

use super::{FULL, RECEIVING, SENDING, names, report};
use crate::report::{Report, name_builds, newest_tested, pairs};

/// Libraries with the levels of their builds in one row.
fn of(manifest: &str, builds: &[(&str, f64)]) -> Report {
    let (builds, levels): (Vec<&str>, Vec<f64>) = builds.iter().copied().unzip();
    report(manifest, &builds, &[(SENDING, &levels)])
}

fn subject(report: &Report) -> String {
    names(report, report.roles().subject).concat()
}

/// `report.toml` with these builds, in this order.
fn declared(builds: &[&str]) -> String {
    let mut toml = String::new();
    for build in builds {
        let one = crate::model::implementation::Implementation::from_heading(build);
        toml += &format!(
            "[[implementation]]\nname = \"{}\"\nversion = \"{}\"\nvariant = {:?}\n",
            one.name, one.version, one.variant
        );
    }
    toml
}

#[test]
fn what_is_before_a_release_is_final_and_earlier() {
    for (releases, before) in [
        (["1.0.0", "1.1.0-rc.1", "0.9.0"], "mine 0.9.0"),
        (["1.1.0", "1.1.0-rc.1", "1.0.0"], "mine 1.0.0"),
        (["1.1.0-rc.2", "1.1.0-rc.1", "1.0.0"], ""),
        // Only pre-releases: the newest stands for them, and none is before it.
        (["1.1.0-rc.2", "1.1.0-rc.1", "1.1.0-alpha"], ""),
    ] {
        let builds = releases.map(|version| (format!("mine {version}"), 100.0));
        let mut builds: Vec<(&str, f64)> = builds.iter().map(|(b, l)| (&**b, *l)).collect();
        builds.push(("theirs 3.0", 90.0));
        let report = of("subject = \"mine\"\n", &builds);
        assert_eq!(names(&report, report.roles().before).concat(), before);
    }
}

#[test]
fn a_final_release_is_the_newest_one() {
    let report = of(
        "",
        &[
            ("rustls 1.1.0-rc.1", 9.0),
            ("rustls 1.0.0", 5.0),
            ("rustls 0.9.0", 4.0),
        ],
    );
    assert_eq!(subject(&report), "rustls 1.0.0");
    let is_newest = |name: &str| report.builds[super::build(&report, name)].is_newest;
    let newest = ["rustls 1.1.0-rc.1", "rustls 1.0.0", "rustls 0.9.0"].map(is_newest);
    assert_eq!(newest, [false, true, false]);
    let only = of(
        "",
        &[("rustls 1.1.0-rc.1", 9.0), ("rustls 1.1.0-alpha", 5.0)],
    );
    assert_eq!(subject(&only), "rustls 1.1.0-rc.1");
}

/// The newest release of a variant that was given up is old.
#[test]
fn a_library_is_its_newest_release_in_the_usual_variant() {
    let builds = [
        ("rustls 0.22.4, aws-lc", 999.0),
        ("rustls 0.23.9, ring", 90.0),
        ("rustls 0.23.9, aws-lc-rs", 100.0),
        ("rustls 0.23.8, ring", 90.0),
        ("OpenSSL 4.0", 50.0),
    ];
    let report = of("", &builds);
    let defaults = names(&report, report.roles().defaults.clone());
    assert_eq!(defaults, ["OpenSSL 4.0", "rustls 0.23.9, ring"]);
    assert_eq!(
        names(&report, report.roles().before),
        ["rustls 0.23.8, ring"]
    );
    let ranked = names(&report, report.roles().ranked.clone());
    assert_eq!(ranked, ["rustls 0.23.9, ring", "OpenSSL 4.0"]);
    // Of variants with equally many releases, the first in `report.toml`.
    for [first, second] in [["ring", "aws-lc-rs"], ["aws-lc-rs", "ring"]] {
        let builds = [first, second].map(|variant| format!("rustls 0.23.9, {variant}"));
        let toml = declared(&builds.each_ref().map(|build| &**build));
        let report = of(&toml, &builds.each_ref().map(|build| (&**build, 90.0)));
        assert_eq!(subject(&report), builds[0]);
    }
}

#[test]
fn a_subject_may_be_a_library_or_a_build() {
    let builds = [
        ("rustls 0.22.0, aws-lc, gcc", 100.0),
        ("rustls 0.22.0, ring, gcc", 90.0),
        ("rustls 0.23.0, ring, gcc", 90.0),
        ("OpenSSL 3.2.0", 50.0),
    ];
    for (named, expected) in [
        ("OpenSSL", "OpenSSL 3.2.0"),
        ("rustls", "rustls 0.23.0, ring, gcc"),
        ("rustls 0.22.0, aws-lc, gcc", "rustls 0.22.0, aws-lc, gcc"),
    ] {
        let report = of(&format!("subject = \"{named}\"\n"), &builds);
        assert_eq!(subject(&report), expected, "{named}");
        let default = report
            .roles()
            .subject
            .map(|build| report.roles().defaults.contains(&build));
        assert_eq!(default, Some(true), "{named}");
    }
}

/// Without a word from `report.toml`, the subject is rustls, the first that is declared, or the best.
#[test]
fn a_subject_is_never_the_first_by_alphabet() {
    let builds = [("a 1", 50.0), ("b 1", 100.0), ("c 1", 70.0)];
    assert_eq!(subject(&of("", &builds)), "b 1");
    assert_eq!(
        subject(&of(&declared(&["c 1", "a 1", "b 1"]), &builds)),
        "c 1"
    );
    let report = of("", &[("a 1", 500.0), ("rustls 1", 100.0)]);
    assert_eq!(subject(&report), "rustls 1");
}

/// Of 27 libraries, the best are shown, and the subject.
#[test]
fn the_best_libraries_are_shown() {
    let builds: Vec<(String, f64)> = (0..27)
        .map(|n| {
            (
                format!("lib{n:02} 1"),
                1000.0 - f64::from((n * 7 + 5) % 27) * 10.0,
            )
        })
        .collect();
    let builds: Vec<(&str, f64)> = builds.iter().map(|(b, level)| (&**b, *level)).collect();
    let mut by_level = builds.clone();
    by_level.sort_by(|a, b| b.1.total_cmp(&a.1));
    let worst = by_level[26].0;
    let report = of(&format!("subject = \"{worst}\"\n"), &builds);
    let roles = report.roles();
    assert_eq!((roles.shown.len(), roles.others.len()), (12, 15));
    let shown = names(&report, roles.shown.clone());
    assert_eq!(shown[0], worst);
    for (best, _) in &by_level[..10] {
        assert!(shown.iter().any(|name| name == best), "{best}: {shown:?}");
    }
    // All are ranked.
    assert_eq!(roles.ranked.len(), 27);
}

/// Rustls' usual variant on a site is that of the newest report's default build.
#[test]
fn one_name_is_one_build_on_a_site() {
    let older = of(
        "",
        &[
            ("rustls 0.22.0, aws-lc, clang", 9.0),
            ("rustls 0.22.0, ring, gcc", 8.0),
        ],
    );
    let newer = of(
        "",
        &[
            ("rustls 0.22.0, ring, gcc", 9.0),
            ("rustls 0.23.0, ring, gcc", 8.0),
        ],
    );
    let mut reports = [older, newer];
    name_builds(&mut reports);
    let mut all = Vec::new();
    for report in &reports {
        for build in 0..report.builds.len() {
            all.push((report.full_name(build), report.build(build).to_string()));
        }
    }
    all.sort();
    all.dedup();
    let mut full: Vec<&String> = all.iter().map(|(full, _)| full).collect();
    full.dedup();
    assert_eq!(full.len(), all.len(), "{all:?}");
    assert_eq!(reports[1].full_name(0), "rustls 0.22.0");
}

#[test]
fn a_tested_report_is_preferred_to_a_newer_one() {
    let of = |name: &str, runs: usize| {
        let table = super::table(runs, &["rustls 1", "OpenSSL 3"], &[(FULL, &[100.0, 50.0])]);
        Report::example(name, "", &table)
    };
    let [newest, tested, old] = [("2026-03-01", 3), ("2026-01-01", 30), ("2020-01-01", 30)]
        .map(|(name, runs)| of(name, runs));
    let chosen = |reports: &[&Report]| newest_tested(reports).map(|report| report.name.clone());
    assert_eq!(chosen(&[&newest, &tested, &old]), Some(tested.name.clone()));
    // Years lie between.
    assert_eq!(chosen(&[&newest, &old]), Some(newest.name.clone()));
}

/// `rustls 0.23.43` of one report and `rustls 0.22.0, aws-lc, gcc` of another are the default builds of both.
#[test]
fn default_builds_of_two_reports_are_a_pair() {
    let old = of(
        "",
        &[
            ("rustls 0.22.0, aws-lc, gcc", 100.0),
            ("rustls 0.21.0, aws-lc, gcc", 100.0),
            ("rustls 0.22.0, ring, gcc", 100.0),
            ("OpenSSL 3.2.0, gcc", 50.0),
        ],
    );
    let new = of("", &[("rustls 0.23.43", 100.0), ("OpenSSL 3.2.0", 50.0)]);
    let all = |report: &Report| Vec::from_iter(0..report.builds.len());
    let mut found = Vec::new();
    for (baseline, candidate) in pairs((&old, &all(&old)), (&new, &all(&new))) {
        found.push([
            old.build(baseline).to_string(),
            new.build(candidate).to_string(),
        ]);
    }
    found.sort();
    assert_eq!(
        found,
        [
            ["OpenSSL 3.2.0, gcc", "OpenSSL 3.2.0"],
            ["rustls 0.22.0, aws-lc, gcc", "rustls 0.23.43"],
        ]
    );
}

#[test]
fn a_rival_has_a_row_in_common() {
    let rows: [(&str, &[f64]); 2] = [(SENDING, &[100.0, 0.0]), (RECEIVING, &[100.0, 50.0])];
    let report = report("", &["rustls 1", "OpenSSL 3"], &rows);
    assert_eq!(names(&report, report.roles().rival), ["OpenSSL 3"]);
    let lone = super::report("", &["rustls 1", "OpenSSL 3"], &[(SENDING, &[100.0, 0.0])]);
    assert_eq!(lone.roles().rival, None);
}

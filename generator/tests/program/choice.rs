//! Who stands for whom, and what two builds come to: the same on all pages and in the command.

use crate::common::{Folder, Random, generator, rows};

const FIRST: &str = "2026-01-01-x";
const FULL: &str = "full handshakes, 1.3, rsa, x25519, server";
const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";
const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";

/// Adds a report of builds such as `rustls,0.23.9,ring`, whose runs are within 1 % of their levels in each
/// row; 0 for none.
fn with_report(
    site: Folder,
    name: &str,
    manifest: &str,
    runs: usize,
    table: &[(&str, [f64; 3])],
) -> Folder {
    let mut random = Random::new(3);
    let mut csv = "run,implementation,version,variant,scenario,unit,value\n".to_owned();
    for (build, levels) in table {
        let rows = [
            (FULL, "handshakes/s"),
            (SENDING, "MiB/s"),
            (RECEIVING, "MiB/s"),
        ];
        for ((label, unit), level) in rows.iter().zip(levels).filter(|of| *of.1 > 0.0) {
            for run in 1..=runs {
                let value = level * (0.99 + random.below(20_000) as f64 / 1e6);
                csv += &format!("{run},{build},\"{label}\",{unit},{value:.4}\n");
            }
        }
    }
    let folder = format!("data/{name}");
    site.with(&format!("{folder}/t.csv"), csv).with(
        &format!("{folder}/report.toml"),
        format!("machine = \"m\"\n{manifest}"),
    )
}

/// Writes the pages of a report. Returns the site and the report's own page.
fn ingested(manifest: &str, runs: usize, table: &[(&str, [f64; 3])]) -> (Folder, String) {
    let site = with_report(Folder::site(), FIRST, manifest, runs, table);
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let page = site.read("content/perf/2026-01-01-x/index.md");
    (site, page)
}

/// The heading and the answer of the front page.
fn question(site: &Folder) -> String {
    let home = site.read("content/perf/home/_index.md");
    let page = scraper::Html::parse_fragment(&home);
    let of = |selector: &str| {
        let selector = scraper::Selector::parse(selector).expect("a selector");
        let found = page.select(&selector).flat_map(|element| element.text());
        found.collect::<String>()
    };
    format!(
        "{} {} {}",
        of("h1"),
        of("#pair h1 option[selected]"),
        of(".answer")
    )
}

#[test]
fn no_pre_release_is_before_a_release() {
    let releases = [
        ("mine,1.0.0,", [100.0; 3]),
        ("mine,0.9.0,", [80.0; 3]),
        ("mine,1.1.0-rc.1,", [90.0; 3]),
    ];
    let (site, page) = ingested("", 20, &releases);
    let asked = question(&site);
    assert!(
        asked.contains("1.25x faster") && !asked.contains("slower"),
        "{asked}"
    );
    let (_, finding) = page.split_once("<p class=\"summary\">").expect("a finding");
    let (finding, _) = finding.split_once("</p>").expect("its end");
    assert!(
        finding.contains("1.0.0") && !finding.contains("rc.1"),
        "{finding}"
    );
    // Without an earlier one, the pre-release is the newer.
    let (site, _) = ingested("", 20, &[releases[0], releases[2]]);
    let asked = question(&site);
    assert!(
        asked.contains("slower") && !asked.contains("Yes"),
        "{asked}"
    );
}

/// All are ranked, the best are shown, and how many more there are is said.
#[test]
fn of_27_libraries_the_best_are_shown() {
    let builds: Vec<(String, f64)> = (0..27_u32)
        .map(|n| {
            (
                format!("lib{n:02},1,"),
                1000.0 - f64::from((n * 7 + 5) % 27) * 20.0,
            )
        })
        .collect();
    let table: Vec<_> = builds
        .iter()
        .map(|(build, level)| (&**build, [*level; 3]))
        .collect();
    let (site, page) = ingested("", 8, &table);
    let mut best = builds.clone();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (_, ahead) = page.split_once("{#ahead}").expect("who is ahead");
    let (head, _) = ahead.split_once("<tbody>").expect("a table");
    assert!(head.contains(" more are on "), "{head}");
    for (build, _) in &best[..6] {
        let name = build.split(',').next().expect("a name");
        assert!(head.contains(&format!(">{name} <")), "{name}: {head}");
    }
    let all = site.read("content/perf/2026-01-01-x/figures/index.md");
    for (build, _) in &builds {
        let name = build.split(',').next().expect("a name");
        assert!(all.contains(name), "{name}");
    }
}

/// `aws-lc` was given up: the newest of its releases is no newest release.
#[test]
fn the_newest_of_a_variant_is_not_the_newest_release() {
    let builds = [
        ("rustls,0.22.4,aws-lc", [120.0; 3]),
        ("rustls,0.23.8,aws-lc-rs", [90.0; 3]),
        ("rustls,0.23.9,aws-lc-rs", [100.0; 3]),
        ("OpenSSL,4.0.0,", [80.0; 3]),
    ];
    let (site, page) = ingested("", 20, &builds);
    let scenario = site.read("content/perf/scenarios/transfer-1-3-aes-256-gcm-sending/index.md");
    let (_, answer) = scenario
        .split_once("<p class=\"summary\"")
        .expect("an answer");
    let (answer, _) = answer.split_once("</p>").expect("its end");
    assert!(
        answer.contains("0.23.9") && !answer.contains("0.22.4"),
        "{answer}"
    );
    let (_, finding) = page.split_once("<p class=\"summary\">").expect("a finding");
    let (finding, _) = finding.split_once("</p>").expect("its end");
    assert!(
        finding.contains("rustls 0.23.9 leads in 3 of 3"),
        "{finding}"
    );
}

#[test]
fn a_subject_may_be_named_whole() {
    let builds = [
        ("rustls,0.23.0,ring+gcc", [100.0; 3]),
        ("rustls,0.22.0,aws-lc+gcc", [120.0; 3]),
        ("OpenSSL,3.2.0,gcc", [80.0; 3]),
    ];
    let (_, page) = ingested("subject = \"rustls 0.22.0, aws-lc, gcc\"\n", 20, &builds);
    let (_, finding) = page.split_once("<p class=\"summary\">").expect("a finding");
    assert!(finding.starts_with("rustls 0.22.0"), "{finding}");
}

/// That most releases have, though `report.toml` names another first.
#[test]
fn a_library_is_in_its_usual_variant() {
    let builds = [
        ("rustls,0.23.9,ring", [100.0; 3]),
        ("rustls,0.23.9,aws-lc-rs", [120.0; 3]),
        ("rustls,0.23.8,aws-lc-rs", [120.0; 3]),
        ("OpenSSL,3.2.0,", [80.0; 3]),
    ];
    let mut manifest = String::new();
    for (build, _) in builds {
        let [name, version, variant] = build.split(',').collect::<Vec<_>>()[..] else {
            panic!("{build}")
        };
        let variant = Vec::from_iter(Some(variant).filter(|variant| !variant.is_empty()));
        manifest += &format!(
            "[[implementation]]\nname = \"{name}\"\nversion = \"{version}\"\nvariant = {variant:?}\n"
        );
    }
    let (_, page) = ingested(&manifest, 20, &builds);
    let (_, ahead) = page.split_once("{#ahead}").expect("who is ahead");
    assert!(
        ahead.contains("1.50x faster") && !ahead.contains("1.25x faster"),
        "{ahead}"
    );
}

/// `estimator` of `report.toml` is the command's.
#[test]
fn page_and_command_have_one_estimator() {
    // The median and the upper median of these are 1.04 and 1.12 times 100.
    let values = [100.0, 101.0, 102.0, 114.0, 115.0, 116.0];
    let mut csv = "run,implementation,version,scenario,unit,value\n".to_owned();
    for (run, value) in (1..).zip(values) {
        csv += &format!("{run},rustls,1.0,\"{SENDING}\",MiB/s,{}\n", value * 2.0);
        csv += &format!(
            "{run},OpenSSL,3.0,\"{SENDING}\",MiB/s,{}\n",
            100.0 + f64::from(run) / 100.0
        );
    }
    let site = Folder::site().with("data/2026-01-01-x/t.csv", csv).with(
        "data/2026-01-01-x/report.toml",
        "estimator = \"median-high\"\n",
    );
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let page = site.read("content/perf/2026-01-01-x/index.md");
    let sides = ["data/2026-01-01-x:OpenSSL", "data/2026-01-01-x:rustls"];
    let compared = generator(site.path(), &[&["compare", "-q"], &sides[..]].concat());
    assert!(page.contains("2.28x faster"), "{page}");
    compared.success().prints("2.28x faster");
    let shown = generator(
        site.path(),
        &["show", "data/2026-01-01-x", "--format", "csv"],
    );
    shown.success().prints("rustls,1.0,MiB/s,6,228,");
}

/// Which rows are shown changes no p.
#[test]
fn all_rows_of_a_pair_are_one_family() {
    let builds = [
        ("rustls,1.0,", [100.0, 98.6, 99.9]),
        ("OpenSSL,3.0,", [100.0, 98.0, 100.0]),
    ];
    let (site, _) = ingested("", 12, &builds);
    let adjusted = |more: &[&str]| {
        let sides = [
            "data/2026-01-01-x:OpenSSL",
            "data/2026-01-01-x:rustls",
            "-q",
            "--format",
            "csv",
        ];
        let printed = generator(site.path(), &[&["compare"], &sides[..], more].concat()).success();
        let mut rows = rows(&printed.stdout);
        rows.retain(|row| row["scenario"] == SENDING);
        let [row] = &rows[..] else { panic!("{rows:?}") };
        [
            row["p"].clone(),
            row["p_adjusted"].clone(),
            row["verdict"].clone(),
        ]
    };
    let all = adjusted(&[]);
    assert_ne!(all[0], all[1], "p is adjusted");
    assert_eq!(adjusted(&["-f", "sending"]), all);
}

#[test]
fn a_comparison_without_a_common_row_is_a_warning() {
    let builds = [
        ("rustls,1.0,", [100.0, 0.0, 0.0]),
        ("OpenSSL,3.0,", [0.0, 100.0, 100.0]),
    ];
    let comparison = "[[comparison]]\ntitle = \"ours\"\nbaseline = \"OpenSSL 3.0\"\ncandidate = \"rustls 1.0\"\n";
    let site = with_report(Folder::site(), FIRST, comparison, 20, &builds);
    generator(site.path(), &["ingest", "data"]).success().says(
        "warning: 2026-01-01-x: no scenario of the comparison `ours` has a figure on both sides",
    );
}

/// Two reports that name variants differently: the default builds are compared.
#[test]
fn default_builds_of_two_reports_are_compared() {
    let old = [
        ("rustls,0.22.0,aws-lc+gcc", [100.0; 3]),
        ("rustls,0.22.0,ring+gcc", [70.0; 3]),
        ("rustls,0.21.0,aws-lc+gcc", [60.0; 3]),
        ("OpenSSL,3.2.0,gcc", [80.0; 3]),
    ];
    let new = [
        ("rustls,0.23.43,", [120.0; 3]),
        ("OpenSSL,3.5.0,", [80.0; 3]),
    ];
    let site = with_report(Folder::site(), FIRST, "", 20, &old);
    let site = with_report(site, "2026-02-01-x", "", 20, &new);
    site.write("data/2026-02-01-x/notes.md", "{{ changes() }}\n");
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let page = site.read("content/perf/2026-02-01-x/index.md");
    let (_, changes) = page.split_once("{#changes}").expect("changes");
    assert!(
        changes.contains("rustls 0.23.43") && changes.contains("1.20x faster"),
        "{changes}"
    );
    let sides = ["compare", "data/2026-01-01-x", "data/2026-02-01-x", "-q"];
    let compared = generator(site.path(), &sides).success();
    compared
        .prints("rustls 0.22.0, aws-lc, gcc ➡️ rustls 0.23.43\n")
        .prints("1.20x faster");
}

//! `generator ingest` from a folder of outputs to pages. The pages of `content/` are the golden ones: `ingest --check` compares them.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, Tree, assert_same, copy, files, fixture, generator, program, run, tree};
use std::fs;
use std::path::Path;

const FIRST: &str = "content/perf/2026-01-10-small/index.md";
const SECOND: &str = "content/perf/2026-02-14-small/index.md";

fn ingest(data: &Path, site: &Folder) -> common::Run {
    site.ingest(data, &[])
}

fn ingested() -> Folder {
    let site = Folder::site();
    ingest(&fixture("report"), &site).success();
    site
}

fn content(site: &Folder) -> Tree {
    tree(&site.join("content"))
}

/// Figures with wide intervals have a mark. Where runs are paired, only the spread of the ratio decides
/// whether a comparison has a verdict, and what the control deviates.
#[test]
fn unsteady_figures_are_marked_and_compared() {
    let data = fixture("unsteady");
    let site = Folder::site();
    ingest(&data, &site).success();
    let page = site.read("content/perf/2026-05-01-busy/index.md");
    assert!(page.contains("4 of 8 figures are unsteady"), "{page}");
    let sides = ["2026-05-01-busy:OpenSSL", "2026-05-01-busy:rustls"];
    let compared = generator(
        &data,
        &["compare", sides[0], sides[1], "-q", "--format", "csv"],
    );
    let found: Vec<[String; 2]> = common::rows(&compared.success().stdout)
        .into_iter()
        .map(|row| ["scenario", "verdict"].map(|name| row[name].clone()))
        .collect();
    let expected = [
        ["transfer, 1.3, aes-256-gcm, sending", "not-shown"],
        ["transfer, 1.3, aes-256-gcm, receiving", "faster"],
        ["full handshakes, 1.3, rsa, server", "faster"],
        ["resumed handshakes, 1.3, ticket, server", "not-shown"],
    ];
    assert_eq!(found, expected);
    let (_, ahead) = page.split_once("{#ahead}").expect("who is ahead");
    for [label, verdict] in expected {
        let mut rows = ahead.split("<tr");
        let row = rows.find(|row| row.contains(&format!("data-of=\"{label}\"")));
        let row = row.unwrap_or_else(|| panic!("{label} in {ahead}"));
        let is_shown = row.contains("1.03x <span class=\"word\">faster</span>");
        assert_eq!(is_shown, verdict == "faster", "{row}");
    }
}

#[test]
fn a_second_run_writes_nothing() {
    let site = ingested();
    let metadata = || -> Vec<_> {
        files(site.path())
            .iter()
            .map(|path| {
                use std::os::unix::fs::MetadataExt;
                let metadata = fs::metadata(path).unwrap();
                (path.clone(), metadata.modified().unwrap(), metadata.ino())
            })
            .collect()
    };
    let before = metadata();
    let second = ingest(&fixture("report"), &site).success();
    second.says("nothing has changed");
    assert_eq!(metadata(), before);
}

#[test]
fn output_does_not_depend_on_the_environment() {
    let expected = content(&ingested());
    for (name, value) in [
        ("TZ", "Pacific/Kiritimati"),
        ("TZ", "America/Los_Angeles"),
        ("LANG", "de_DE.UTF-8"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LC_ALL", "C"),
        ("RAYON_NUM_THREADS", "1"),
        ("RAYON_NUM_THREADS", "2"),
        ("RAYON_NUM_THREADS", "7"),
        // Far more than can be started.
        ("RAYON_NUM_THREADS", "1000000"),
        ("HOME", "/nonexistent"),
        ("SOURCE_DATE_EPOCH", "0"),
    ] {
        let site = Folder::site();
        run(program()
            .current_dir(site.path())
            .env(name, value)
            .arg("ingest")
            .arg(fixture("report")))
        .success();
        assert_same(&content(&site), &expected, &format!("{name}={value}"));
    }
}

#[test]
fn output_does_not_depend_on_the_location_of_data() {
    let expected = content(&ingested());
    // Names of parent folders must not be taken for an implementation or a date.
    for place in ["elsewhere", "openssl_1.0.2/2019-01-01 boringssl"] {
        let site = Folder::site();
        let data = site.join(place);
        copy(&fixture("report"), &data);
        ingest(&data, &site).success();
        assert_same(&content(&site), &expected, place);
        let site_elsewhere = Folder::site();
        generator(
            &data,
            &[
                "ingest",
                ".",
                "--site",
                site_elsewhere.path().to_str().unwrap(),
            ],
        )
        .success();
        assert_same(&content(&site_elsewhere), &expected, "from `.`");
    }
}

#[test]
fn check_names_stale_pages() {
    let site = Folder::site();
    let data = site.join("data");
    copy(&fixture("report"), &data);
    let stale = generator(site.path(), &["ingest", "data", "--check"]).code_is(1);
    stale.says(FIRST);
    assert!(!site.join("content").exists(), "--check writes nothing");

    ingest(&data, &site).success();
    let before = site.tree();
    let fresh = generator(site.path(), &["ingest", "data", "--check"]).success();
    assert_eq!((fresh.stdout.as_str(), fresh.stderr.as_str()), ("", ""));

    let run = data.join("2026-02-14-small/openssl_3.6.1/output_1");
    let text = common::read(&run).replacen(
        "bulk\tsend\tTLSv1.3\tTLS_AES_256_GCM_SHA384\t5",
        "bulk\tsend\tTLSv1.3\tTLS_AES_256_GCM_SHA384\t4",
        1,
    );
    assert_ne!(text, common::read(&run));
    common::write(&run, text);
    let stale = generator(site.path(), &["ingest", "data", "--check"]).code_is(1);
    let stale = stale.says(&format!("{SECOND} does not match the data"));
    assert!(
        !stale.stderr.contains(&format!("{FIRST} is")),
        "{}",
        stale.stderr
    );

    fs::remove_dir_all(data.join("2026-01-10-small")).unwrap();
    let stale = generator(site.path(), &["ingest", "data", "--check"]).code_is(1);
    stale.says(&format!("{FIRST} has no data any more"));
    let mut after = site.tree();
    let mut before = before;
    for tree in [&mut before, &mut after] {
        tree.retain(|path, _| !path.starts_with("data/"));
    }
    assert_same(&after, &before, "--check writes nothing");
}

#[test]
fn prune_removes_the_pages_of_removed_reports() {
    let site = Folder::site();
    let data = site.join("data");
    copy(&fixture("report"), &data);
    ingest(&data, &site).success();
    site.write("content/perf/2026-01-10-small/mine.md", "my own");
    fs::remove_dir_all(data.join("2026-01-10-small")).unwrap();
    let before = site.tree();
    let refused = ingest(&data, &site).code_is(2);
    refused
        .says("pages of 1 report without data, 2026-01-10-small: ")
        .says("--prune");
    let stale = generator(site.path(), &["ingest", "--check"]).code_is(1);
    stale.says("differ from what `generator ingest` leaves");
    assert_same(&site.tree(), &before, "nothing is written");
    generator(site.path(), &["ingest", "--prune"]).success();
    assert_eq!(
        fs::read_dir(site.join("content/perf/2026-01-10-small"))
            .unwrap()
            .count(),
        1,
        "only the file of somebody else remains"
    );
    fs::remove_file(site.join("content/perf/2026-01-10-small/mine.md")).unwrap();
    fs::remove_dir(site.join("content/perf/2026-01-10-small")).unwrap();
    assert!(!site.read(SECOND).contains("2026-01-10-small"));

    let fresh = Folder::site();
    ingest(&data, &fresh).success();
    assert_same(&content(&site), &content(&fresh), "the pages of a new site");
}

#[test]
fn pages_are_marked_as_generated() {
    let site = ingested();
    for (path, bytes) in content(&site) {
        if [".png", ".gz"].iter().any(|end| path.ends_with(end)) {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        if path.ends_with(".md") {
            let after = text.splitn(3, "+++\n").nth(2).unwrap();
            assert!(
                after.starts_with("<!-- Generated by `generator ingest`"),
                "{path}"
            );
        }
        assert!(text.ends_with('\n') || path.ends_with(".svg"), "{path}");
        assert!(!text.contains('\r') && !text.contains("/tmp/"), "{path}");
    }
}

#[test]
fn a_single_implementation_has_no_bars_to_compare() {
    let data = Folder::new().with(
        "2026-01-10-x/t.csv",
        "scenario,unit,mine 1\nparse,ns,0.25\n",
    );
    let site = Folder::site();
    ingest(&data.join("2026-01-10-x"), &site).success();
    let report = site.read("content/perf/2026-01-10-x/index.md");
    assert!(
        !report.contains("<img") && report.contains("0.25"),
        "{report}"
    );
}

#[test]
fn labels_of_one_scenario_in_two_units_differ() {
    let report =
        |level: u32| format!("scenario,unit,rustls\na,ms,{level}\na,ops/s,{level}\nb,ms,{level}\n");
    let data = Folder::new()
        .with("2026-01-01-m/report.toml", "machine = \"M\"\n")
        .with("2026-01-01-m/r.csv", report(1))
        .with("2026-02-01-m/report.toml", "machine = \"M\"\n")
        .with("2026-02-01-m/r.csv", report(2));
    let site = Folder::site();
    ingest(data.path(), &site).success();
    let page = site.read("content/perf/2026-02-01-m/index.md");
    let (_, plot) = page.split_once("<table class=\"dots\">").expect("a plot");
    let (plot, _) = plot.split_once("</table>").expect("its end");
    let rows = ["rustls: a", "rustls: b", "<i>ops/s</i>", "<i>µs</i>"];
    assert!(rows.iter().all(|part| plot.contains(part)), "{plot}");
}

/// Reports share their parent folder with the generator's other pages, such as `method/`.
#[test]
fn rejects_a_report_named_like_another_page() {
    let data = Folder::new();
    copy(
        &fixture("report").join("2026-01-10-small"),
        &data.join("method"),
    );
    let site = Folder::site();
    let refused = ingest(data.path(), &site).code_is(3);
    refused.says("the address of the generator's own page method/");
}

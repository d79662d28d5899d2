//! `generator ingest` from a folder of outputs to pages, byte for byte.

#![allow(clippy::disallowed_methods, reason = "what is not there fails a test")]

mod common;

use common::{Folder, Tree, assert_same, copy, files, fixture, generator, program, run, tree};
use std::fs;
use std::path::Path;

const FIRST: &str = "content/perf/2026-01-10-small/index.md";
const SECOND: &str = "content/perf/2026-02-14-small/index.md";

fn ingest(data: &Path, site: &Folder) -> common::Run {
    generator(site.path(), &["ingest", data.to_str().expect("UTF-8")])
}

fn ingested() -> Folder {
    let site = Folder::site();
    ingest(&fixture("report"), &site).well();
    site
}

fn content(site: &Folder) -> Tree {
    tree(&site.join("content"))
}

/// Fails if pages are not those of `tests/fixtures/NAME`; UPDATE=1 writes these anew.
#[track_caller]
fn assert_golden(pages: &Tree, name: &str) {
    let expected = fixture(name);
    if std::env::var_os("UPDATE").is_some() {
        if expected.exists() {
            fs::remove_dir_all(&expected).expect("removed");
        }
        for (path, bytes) in pages {
            common::write(&expected.join(path), bytes);
        }
    }
    let hint = format!("UPDATE=1 writes tests/fixtures/{name} anew");
    assert_same(pages, &tree(&expected), &hint);
}

#[test]
fn the_whole_output_is_as_expected() {
    assert_golden(&content(&ingested()), "expected");
}

/// Reports of several releases: with days and without, tested and single, one `unsupported`.
#[test]
fn releases_are_as_expected() {
    let site = Folder::site();
    let data = fixture("releases");
    let data = data.to_str().expect("UTF-8");
    generator(site.path(), &["ingest", data, "--no-cards"]).well();
    let mut pages = content(&site);
    // What other tests are about.
    pages.retain(|path, _| !path.contains("/data.") && !path.contains("/method/"));
    assert_golden(&pages, "expected-releases");
}

#[test]
fn a_second_time_writes_nothing() {
    let site = ingested();
    let times = || -> Vec<_> {
        files(site.path())
            .iter()
            .map(|path| {
                use std::os::unix::fs::MetadataExt;
                let metadata = fs::metadata(path).unwrap();
                (path.clone(), metadata.modified().unwrap(), metadata.ino())
            })
            .collect()
    };
    let before = times();
    let second = ingest(&fixture("report"), &site).well();
    second.says("nothing has changed");
    assert_eq!(times(), before);
}

#[test]
fn the_same_bytes_everywhere() {
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
        ("HOME", "/nonexistent"),
        ("SOURCE_DATE_EPOCH", "0"),
    ] {
        let site = Folder::site();
        run(program()
            .current_dir(site.path())
            .env(name, value)
            .arg("ingest")
            .arg(fixture("report")))
        .well();
        assert_same(&content(&site), &expected, &format!("{name}={value}"));
    }
}

#[test]
fn the_same_bytes_from_another_place() {
    let expected = content(&ingested());
    // The names of the folder above must not tell an implementation or a date either.
    for place in ["elsewhere", "openssl_1.0.2/2019-01-01 boringssl"] {
        let site = Folder::site();
        let data = site.join(place);
        copy(&fixture("report"), &data);
        ingest(&data, &site).well();
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
        .well();
        assert_same(&content(&site_elsewhere), &expected, "from `.`");
    }
}

#[test]
fn check_tells_what_is_stale() {
    let site = Folder::site();
    let data = site.join("data");
    copy(&fixture("report"), &data);
    let stale = generator(site.path(), &["ingest", "data", "--check"]).code_is(1);
    stale.says(FIRST);
    assert!(!site.join("content").exists(), "--check writes nothing");

    ingest(&data, &site).well();
    let before = site.tree();
    let fresh = generator(site.path(), &["ingest", "data", "--check"]).well();
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
fn pages_go_with_their_report() {
    let site = Folder::site();
    let data = site.join("data");
    copy(&fixture("report"), &data);
    ingest(&data, &site).well();
    site.write("content/perf/2026-01-10-small/mine.md", "my own");
    fs::remove_dir_all(data.join("2026-01-10-small")).unwrap();
    let before = site.tree();
    let refused = ingest(&data, &site).code_is(2);
    let said = "pages of 1 report without data, 2026-01-10-small: ";
    let refused = refused.says(said);
    refused.says("--prune");
    assert_same(&site.tree(), &before, "nothing is touched");
    generator(site.path(), &["ingest", "data", "--prune"]).well();
    assert_eq!(
        fs::read_dir(site.join("content/perf/2026-01-10-small"))
            .unwrap()
            .count(),
        1,
        "only what somebody else put there stays"
    );
    fs::remove_file(site.join("content/perf/2026-01-10-small/mine.md")).unwrap();
    fs::remove_dir(site.join("content/perf/2026-01-10-small")).unwrap();
    assert!(!site.read(SECOND).contains("2026-01-10-small"));

    let fresh = Folder::site();
    ingest(&data, &fresh).well();
    assert_same(&content(&site), &content(&fresh), "as if it had never been");
}

/// As after a checkout of an older commit: pages and list are old and agree, the data are new.
#[test]
fn older_pages_with_their_list_are_stale() {
    let data = Folder::new();
    copy(&fixture("report"), data.path());
    let site = Folder::site();
    ingest(data.path(), &site).well();
    let older = site.tree();
    let notes = data.read("2026-01-10-small/notes.md");
    data.write(
        "2026-01-10-small/notes.md",
        notes + "\nOne more sentence.\n",
    );
    ingest(data.path(), &site).well();
    let newer = content(&site);
    for (path, bytes) in older.iter().filter(|(path, _)| *path != ".generator-cache") {
        site.write(path, bytes);
    }
    ingest(data.path(), &site).well();
    assert_same(&content(&site), &newer, "the pages after a checkout");
}

#[test]
fn what_others_wrote_stays() {
    let site = Folder::site()
        .with("content/about.md", "+++\n+++\nby hand")
        .with("content/perf/by-hand/index.md", "+++\n+++\nby hand")
        .with("content/perf/2026-01-10-small/photo.png", b"\x89PNG");
    ingest(&fixture("report"), &site).well();
    assert_eq!(site.read("content/about.md"), "+++\n+++\nby hand");
    assert_eq!(
        site.read("content/perf/by-hand/index.md"),
        "+++\n+++\nby hand"
    );
    assert_eq!(
        fs::read(site.join("content/perf/2026-01-10-small/photo.png")).unwrap(),
        b"\x89PNG"
    );
    generator(
        site.path(),
        &["ingest", fixture("report").to_str().unwrap(), "--check"],
    )
    .well();
}

#[test]
fn a_page_in_the_way_is_named() {
    let site = Folder::site().with(SECOND, "by hand");
    let before = site.tree();
    let refused = ingest(&fixture("report"), &site).code_is(4);
    refused.says(&format!("{SECOND} was not written by the generator"));
    assert_same(&site.tree(), &before, "nothing is written");
}

#[test]
fn edited_pages_are_named_and_kept() {
    let site = ingested();
    let data = Folder::new();
    copy(&fixture("report"), data.path());
    for page in [FIRST, SECOND] {
        site.write(page, site.read(page) + "\nmy change\n");
    }
    let manifest = "2026-01-10-small/report.toml";
    data.write(
        manifest,
        data.read(manifest)
            .replace("A small report", "Another title"),
    );
    let before = site.tree();
    let refused = ingest(data.path(), &site).code_is(4);
    let edited = |page| format!("{page} was edited since the generator wrote it");
    refused.says(&edited(FIRST)).says(&edited(SECOND));
    assert_same(&site.tree(), &before, "nothing is written");
}

#[test]
fn pages_say_that_they_are_generated() {
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
fn descriptions_of_one_implementation_end_well() {
    let data = Folder::new().with(
        "2026-01-10-x/t.csv",
        "scenario,unit,mine 1\nparse,ns,0.25\n",
    );
    let site = Folder::site();
    ingest(&data.join("2026-01-10-x"), &site).well();
    let page = |path: &str| fs::read_to_string(site.join("content/perf").join(path)).unwrap();
    let list = page("_index.md");
    assert!(
        list.contains(r#"alt="Gauge: mine 1 with 0.25 ns in parse.""#),
        "{list}"
    );
    let report = page("2026-01-10-x/index.md");
    assert!(
        report.contains(r#"alt="Bar chart: Benchmarks of mine 1, in ns.""#),
        "{report}"
    );
}

#[test]
fn changes_of_one_scenario_in_two_units_are_told_apart() {
    let report =
        |level: u32| format!("scenario,unit,rustls\na,ms,{level}\na,ops/s,{level}\nb,ms,{level}\n");
    let data = Folder::new()
        .with("2026-01-01-m/report.toml", "machine = \"M\"\n")
        .with("2026-01-01-m/r.csv", report(1))
        .with("2026-02-01-m/report.toml", "machine = \"M\"\n")
        .with("2026-02-01-m/r.csv", report(2));
    let site = Folder::site();
    ingest(data.path(), &site).well();
    let graph = site.read("content/perf/2026-02-01-m/changes.svg");
    let labels = [">a, ops/s</text>", ">a, µs</text>", ">b</text>"];
    assert!(labels.iter().all(|label| graph.contains(label)), "{graph}");
}

/// The generator's own folders beside the reports.
#[test]
fn a_report_cannot_take_the_place_of_other_pages() {
    let data = Folder::new();
    copy(
        &fixture("report").join("2026-01-10-small"),
        &data.join("method"),
    );
    let site = Folder::site();
    let refused = ingest(data.path(), &site).code_is(3);
    refused.says("the address of the generator's own page method/");
}

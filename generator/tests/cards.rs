//! Social cards: drawn by `generator build`, named by the pages.

mod common;

use common::{Folder, build, copy, fixture, generator, repository, run, tree, zola};
use scraper::{Html, Selector};
use std::process::Command;
use std::time::SystemTime;

const REPORTS: [&str; 2] = ["2026-01-10-small", "2026-02-14-small"];

/// The real site with the reports of the fixtures, ingested.
fn ingested() -> Folder {
    let site = Folder::real_site();
    copy(&fixture("report"), &site.join("data"));
    // What was drawn in the repository is no part of it.
    let _ = std::fs::remove_dir_all(site.join("static/cards"));
    ingest(&site);
    site
}

fn ingest(site: &Folder) {
    generator(site.path(), &["ingest", "-q", "data"]).well();
}

fn card(report: &str) -> String {
    format!("static/cards/{report}.png")
}

fn modified(site: &Folder, report: &str) -> SystemTime {
    let metadata = std::fs::metadata(site.join(&card(report))).expect("a card");
    metadata.modified().expect("a time")
}

fn cards(site: &Folder) -> Vec<String> {
    tree(&site.join("static/cards")).into_keys().collect()
}

fn all_cards() -> Vec<String> {
    REPORTS.map(|r| format!("{r}.png")).to_vec()
}

/// The content of a page's meta element.
fn meta(site: &Folder, page: &str, name: &str) -> Option<String> {
    let page = Html::parse_document(&site.read(&format!("public/{page}/index.html")));
    let what = format!("head meta[property='{name}'], head meta[name='{name}']");
    let selector = Selector::parse(&what).expect("a selector");
    let found = page.select(&selector).filter_map(|e| e.attr("content"));
    let found: Vec<_> = found.collect();
    assert!(found.len() <= 1, "{found:?}");
    found.first().map(|c| (*c).to_owned())
}

#[test]
fn every_report_names_its_card() {
    let site = ingested();
    let base = "https://example.org/sub/path";
    build(site.path(), base).well();
    assert_eq!(cards(&site), all_cards());
    for report in REPORTS {
        let page = format!("perf/{report}");
        let meta = |name: &str| meta(&site, &page, name).unwrap_or_else(|| panic!("no {name}"));
        let image = meta("og:image");
        let (address, stamp) = image.split_once("?h=").expect("a stamp for caches");
        assert_eq!(address, format!("{base}/cards/{report}.png"));
        assert!(!stamp.is_empty());
        let published = std::fs::read(site.join(&format!("public/cards/{report}.png")));
        let published = published.expect("a published card");
        assert_eq!(
            published,
            std::fs::read(site.join(&card(report))).expect("a card")
        );
        let decoder = png::Decoder::new(std::io::Cursor::new(published));
        let reader = decoder.read_info().expect("a sound picture");
        let (width, height) = (reader.info().width, reader.info().height);
        assert_eq!((width, height), (1200, 630));
        assert_eq!(meta("og:image:width"), "1200");
        assert_eq!(meta("og:image:height"), "630");
        assert_eq!(meta("twitter:card"), "summary_large_image");
        let alt = meta("og:image:alt");
        assert!(
            alt.starts_with(
                "Bar graph. full handshakes, 1.3, rsa, server, hs/s, higher is better: "
            ),
            "{alt}"
        );
    }
    for other in ["", "perf", "perf/method", "perf/scenarios"] {
        assert_eq!(meta(&site, other, "og:image"), None, "{other}");
        assert_eq!(meta(&site, other, "twitter:card"), None, "{other}");
    }
}

/// Without a headline the first row that compares the most; of one implementation its scenarios.
#[test]
fn reports_without_headlines_have_cards_too() {
    let table = |rows: &str| format!("implementation,version,scenario,unit,value\n{rows}");
    let site = Folder::real_site()
        .with("data/alone/report.toml", "date = 2026-01-01\n")
        .with(
            "data/alone/table.csv",
            table("rustls,1,encode small,ns,5\nrustls,1,encode large,ns,7\n"),
        )
        .with("data/pair/report.toml", "date = 2026-01-02\n")
        .with(
            "data/pair/table.csv",
            table("rustls,1,alone,ns,5\nrustls,1,both,ns,7.25\nOpenSSL,3,both,ns,12000\n"),
        );
    ingest(&site);
    let said = |report: &str, line: &str| {
        let page = site.read(&format!("content/perf/{report}/index.md"));
        assert!(page.contains(&format!("\n{line}\n")), "{line}:\n{page}");
    };
    said("pair", "names = [\"OpenSSL 3\", \"rustls 1\"]");
    said("pair", "figures = [\"12,000.00\", \"7.25\"]");
    said("pair", "title = \"both\"");
    said("pair", "unit = \"ns, lower is better\"");
    said("alone", "names = [\"encode large\", \"encode small\"]");
    said("alone", "implementations = [\"rustls\", \"rustls\"]");
    said("alone", "figures = [\"7\", \"5\"]");
    build(site.path(), "/").well();
    assert_eq!(cards(&site), ["alone.png", "pair.png"]);
}

#[test]
fn a_site_is_built_without_cards() {
    let site = ingested();
    let plain = run(Command::new(zola()).current_dir(site.path()).arg("build"));
    plain.well();
    for report in REPORTS {
        assert_eq!(meta(&site, &format!("perf/{report}"), "og:image"), None);
    }
    assert!(!site.join("public/cards").exists());
}

#[test]
fn only_what_changed_is_drawn() {
    let site = ingested();
    let told = build(site.path(), "/").well();
    assert!(
        told.stderr.contains("social cards: 2 drawn, 0 removed"),
        "{}",
        told.stderr
    );
    let [first, second] = REPORTS;
    let before = [modified(&site, first), modified(&site, second)];
    let told = build(site.path(), "/").well();
    assert!(!told.stderr.contains("social cards"), "{}", told.stderr);
    assert_eq!(before, REPORTS.map(|r| modified(&site, r)));

    let manifest = format!("data/{second}/report.toml");
    let text = site.read(&manifest);
    site.write(&manifest, format!("title = \"Another title\"\n{text}"));
    ingest(&site);
    let told = build(site.path(), "/").well();
    assert!(
        told.stderr.contains("social cards: 1 drawn, 0 removed"),
        "{}",
        told.stderr
    );
    assert_eq!(modified(&site, first), before[0]);
    assert_ne!(modified(&site, second), before[1]);

    std::fs::remove_dir_all(site.join(&format!("data/{second}"))).expect("a folder");
    ingest(&site);
    let told = build(site.path(), "/").well();
    assert!(
        told.stderr.contains("social cards: 0 drawn, 1 removed"),
        "{}",
        told.stderr
    );
    assert_eq!(cards(&site), [format!("{first}.png")]);
}

#[test]
fn pictures_of_others_stay() {
    let site = ingested();
    let [first, second] = REPORTS;
    let own = std::fs::read(repository().join("generator/browser/report.png")).expect("a picture");
    site.write(&card(first), &own);
    site.write("static/cards/unrelated.png", &own);
    site.write("static/cards/README.md", "mine");
    // As a run that was killed leaves it.
    site.write(
        &format!("static/cards/{second}.png.unfinished"),
        &own[..100],
    );
    build(site.path(), "/").well();
    assert_eq!(
        std::fs::read(site.join(&card(first))).expect("a picture"),
        own
    );
    let mut expected = all_cards();
    expected.extend(["README.md", "unrelated.png"].map(ToOwned::to_owned));
    expected.sort();
    let mut found = cards(&site);
    found.sort();
    assert_eq!(found, expected);
    // An author's own card is named with its own size.
    let height = meta(&site, &format!("perf/{first}"), "og:image:height");
    assert_eq!(height.as_deref(), Some("800"));
}

#[test]
fn cards_are_not_written_through_links() {
    let site = ingested();
    let outside = Folder::new();
    std::os::unix::fs::symlink(outside.path(), site.join("static/cards")).expect("a link");
    let told = build(site.path(), "/").code_is(4);
    assert!(
        told.stderr.contains("static/cards is a symbolic link"),
        "{}",
        told.stderr
    );
    assert!(outside.tree().is_empty());

    // A link in place of a card is not followed either.
    std::fs::remove_file(site.join("static/cards")).expect("a link");
    outside.write("thesis.png", "years of work");
    std::fs::create_dir(site.join("static/cards")).expect("a folder");
    let link = site.join(&card(REPORTS[0]));
    std::os::unix::fs::symlink(outside.join("thesis.png"), &link).expect("a link");
    build(site.path(), "/").well();
    assert_eq!(outside.read("thesis.png"), "years of work");
}

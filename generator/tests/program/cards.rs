//! Social cards, which `generator ingest` draws beside the pages that refer to them.

use crate::common::{Folder, copy, fixture, generator, run, zola};
use scraper::{Html, Selector};
use std::process::Command;
use std::time::SystemTime;

const REPORTS: [&str; 2] = ["2026-01-10-small", "2026-02-14-small"];

/// The real site with the reports of the fixtures, ingested.
fn ingested() -> Folder {
    let site = Folder::real_site();
    copy(&fixture("report"), &site.join("data"));
    ingest(&site, &[]);
    site
}

fn ingest(site: &Folder, options: &[&str]) {
    generator(site.path(), &[&["ingest", "data"], options].concat()).success();
}

fn card(report: &str) -> String {
    format!("content/perf/{report}/card.png")
}

fn modified(site: &Folder, report: &str) -> SystemTime {
    let metadata = std::fs::metadata(site.join(&card(report))).expect("a card");
    metadata.modified().expect("a time")
}

/// The content of a meta element of a page.
fn meta(site: &Folder, page: &str, name: &str) -> Option<String> {
    let page = Html::parse_document(&site.read(&format!("public/{page}/index.html")));
    let what = format!("head meta[property='{name}'], head meta[name='{name}']");
    let selector = Selector::parse(&what).expect("a selector");
    let found = page.select(&selector).filter_map(|e| e.attr("content"));
    let found: Vec<_> = found.collect();
    assert!(found.len() <= 1, "{found:?}");
    found.first().map(|c| (*c).to_owned())
}

/// Even if the file of counts comes first by name, as those of `generator run --suite counts` do.
#[test]
fn headlines_show_rates_rather_than_counts() {
    let site = Folder::real_site();
    let scenario = "\"full handshakes, 1.3, rsa, server\"";
    for (file, unit) in [
        ("run-001-counts", "allocations"),
        ("run-001-measure", "hs/s"),
    ] {
        site.write(
            &format!("data/2026-01-10-x/{file}.csv"),
            format!("scenario,unit,rustls 0.23.1,OpenSSL 3.0.1\n{scenario},{unit},900,800\n"),
        );
    }
    ingest(&site, &["--no-cards"]);
    let home = site.read("content/perf/_index.md");
    assert!(
        home.contains("900 hs/s") && !home.contains("900 allocations"),
        "{home}"
    );
}

#[test]
fn a_plain_build_has_the_cards() {
    let site = ingested();
    let base = "https://example.org/sub/path";
    let arguments = ["build", "--base-url", base];
    run(Command::new(zola())
        .current_dir(site.path())
        .args(arguments))
    .success();
    for report in REPORTS {
        let page = format!("perf/{report}");
        let meta = |name: &str| meta(&site, &page, name).unwrap_or_else(|| panic!("no {name}"));
        let image = meta("og:image");
        let (address, stamp) = image.split_once("?h=").expect("a stamp for caches");
        assert_eq!(address, format!("{base}/{page}/card.png"));
        assert!(!stamp.is_empty());
        let read = |path: String| std::fs::read(site.join(&path)).expect("a card");
        let published = read(format!("public/{page}/card.png"));
        assert_eq!(published, read(card(report)));
        assert!(published.len() < 40_000, "{} bytes", published.len());
        let decoder = png::Decoder::new(std::io::Cursor::new(published));
        let reader = decoder.read_info().expect("a valid picture");
        let (width, height) = (reader.info().width, reader.info().height);
        assert_eq!(meta("og:image:width"), width.to_string());
        assert_eq!(meta("og:image:height"), height.to_string());
        assert_eq!(meta("twitter:card"), "summary_large_image");
        let alt = meta("og:image:alt");
        let start = "Bar graph. full handshakes, 1.3, rsa, server, hs/s, higher is better: ";
        assert!(alt.starts_with(start), "{alt}");
    }
    for other in ["", "perf", "perf/method", "perf/scenarios"] {
        assert_eq!(meta(&site, other, "og:image"), None, "{other}");
        assert_eq!(meta(&site, other, "twitter:card"), None, "{other}");
    }
}

/// Without a headline, cards show the first row with the most implementations, or the scenarios of
/// a single implementation.
#[test]
fn reports_without_headlines_have_cards_too() {
    let table = |rows: &str| format!("implementation,version,scenario,unit,value\n{rows}");
    let site = Folder::site()
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
    ingest(&site, &[]);
    for (report, card) in [
        (
            "pair",
            "both, ns, lower is better: 12,000.00 for OpenSSL 3 and 7.25 for rustls 1.",
        ),
        (
            "alone",
            "rustls 1, ns, lower is better: 7 for encode large and 5 for encode small.",
        ),
    ] {
        let page = site.read(&format!("content/perf/{report}/index.md"));
        let line = format!("\ncard = \"Bar graph. {card}\"\n");
        assert!(page.contains(&line), "{line}:\n{page}");
    }
}

#[test]
fn only_changed_cards_are_written() {
    let site = ingested();
    let [first, second] = REPORTS;
    let before = REPORTS.map(|r| modified(&site, r));
    let manifest = format!("data/{second}/report.toml");
    let text = site.read(&manifest);
    site.write(&manifest, format!("title = \"Another title\"\n{text}"));
    ingest(&site, &[]);
    assert_eq!(modified(&site, first), before[0]);
    assert_ne!(modified(&site, second), before[1]);
    ingest(&site, &["--check"]);

    std::fs::remove_dir_all(site.join(&format!("data/{second}"))).expect("a folder");
    ingest(&site, &["--prune"]);
    assert!(!site.join(&card(second)).exists());
}

#[test]
fn no_cards_removes_cards() {
    let site = ingested();
    let with_cards = site.tree();
    ingest(&site, &["--no-cards"]);
    for report in REPORTS {
        assert!(!site.join(&card(report)).exists());
        let page = site.read(&format!("content/perf/{report}/index.md"));
        assert!(!page.contains("\ncard = "), "{page}");
    }
    ingest(&site, &["--no-cards", "--check"]);
    let stale = generator(site.path(), &["ingest", "data", "--check"]).code_is(1);
    stale.says(&card(REPORTS[0]));
    ingest(&site, &[]);
    crate::common::assert_same(&site.tree(), &with_cards, "cards again");
}

#[test]
fn an_edited_card_is_not_overwritten() {
    let site = ingested();
    let path = card(REPORTS[0]);
    site.write(&path, "mine");
    let refused = generator(site.path(), &["ingest", "data"]).code_is(4);
    let message = format!("{path} was edited since the generator wrote it");
    refused.says(&message);
    assert_eq!(site.read(&path), "mine");
}

//! The repository's own website, as built by the real Zola.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod agreement;
#[path = "../common/mod.rs"]
mod common;
mod facts;
mod sentences;

use common::{Folder, build, files, read, repository};
use flate2::{Compression, write::GzEncoder};
use scraper::{ElementRef, Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const BASES: [&str; 2] = ["/", "https://example.org/sub/path"];

/// The whole site, built once per base URL.
fn built(base: &str) -> &'static Folder {
    static BUILT: [OnceLock<Folder>; 2] = [OnceLock::new(), OnceLock::new()];
    let index = BASES.iter().position(|b| *b == base).expect("one of BASES");
    BUILT[index].get_or_init(|| {
        let site = Folder::real_site();
        // Pages of the current data, even if the committed pages are stale.
        site.ingest(&repository().join("data"), &["-q"]).success();
        build(site.path(), base).success();
        site
    })
}

fn pages(base: &str) -> Vec<(String, Html)> {
    let public = built(base).join("public");
    files(&public)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "html"))
        .map(|path| {
            let name = path
                .strip_prefix(&public)
                .expect("below")
                .to_string_lossy()
                .into_owned();
            (name, Html::parse_document(&read(&path)))
        })
        .collect()
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).expect("a selector"))
        .collect()
}

fn ids(page: &Html) -> Vec<String> {
    select(page, "[id]")
        .iter()
        .filter_map(|e| e.attr("id"))
        .map(str::to_owned)
        .collect()
}

/// Resolves a URL to a file below `public` and an anchor; `None` for other hosts.
fn target(base: &str, page: &str, address: &str) -> Option<(String, String)> {
    let (path, anchor) = address.split_once('#').unwrap_or((address, ""));
    let path = path.split('?').next().unwrap_or_default();
    let file = if path.is_empty() {
        page.to_owned()
    } else if let Some(path) = path
        .strip_prefix(base.trim_end_matches('/'))
        .filter(|p| p.starts_with('/'))
    {
        path.trim_start_matches('/').to_owned()
    } else if ["https://", "http://", "mailto:"]
        .iter()
        .any(|s| path.starts_with(s))
    {
        return None;
    } else {
        assert!(!path.starts_with('/'), "{page}: {address}");
        let mut folder = Path::new(page).parent().expect("a folder");
        let mut rest = path;
        while let Some(below) = rest.strip_prefix("../") {
            folder = folder.parent().expect("within the site");
            rest = below;
        }
        assert!(!rest.contains(".."), "{page}: {address}");
        folder.join(rest).to_string_lossy().into_owned()
    };
    let file = if file.is_empty() || file.ends_with('/') {
        file + "index.html"
    } else {
        file
    };
    Some((file, anchor.to_owned()))
}

#[test]
fn no_link_is_broken() {
    for base in BASES {
        let public = built(base).join("public");
        let pages = pages(base);
        let anchors: BTreeMap<&str, BTreeSet<String>> = pages
            .iter()
            .map(|(name, page)| (name.as_str(), ids(page).into_iter().collect()))
            .collect();
        let (mut checked, mut broken) = (0, Vec::new());
        for (name, page) in &pages {
            for (selector, attribute) in [
                ("a", "href"),
                ("link[href]", "href"),
                ("img", "src"),
                ("source", "srcset"),
                ("script[src]", "src"),
            ] {
                for element in select(page, selector) {
                    let address = element
                        .attr(attribute)
                        .unwrap_or_else(|| panic!("{name}: {}", element.html()));
                    let Some((file, anchor)) = target(base, name, address) else {
                        continue;
                    };
                    checked += 1;
                    // This fragment selects what the compare page shows; it is no anchor.
                    let is_selection = anchor.starts_with("old=") || anchor.starts_with("a=");
                    let found = public.join(&file).is_file()
                        && (anchor.is_empty()
                            || is_selection
                            || anchors
                                .get(file.as_str())
                                .is_some_and(|ids| ids.contains(&anchor)));
                    if !found {
                        broken.push(format!("{name}: {address}"));
                    }
                }
            }
        }
        assert!(broken.is_empty(), "{base}:\n{}", broken.join("\n"));
        assert!(checked > 350, "only {checked} links at {base}");
        println!("{checked} links at {base}");
    }
}

/// Sections need different weights: Zola's order of equal weights changes from build to build.
#[test]
fn sections_are_in_order() {
    let pages = pages("/");
    let (_, page) = &pages[pages
        .iter()
        .position(|(name, _)| name == "index.html")
        .unwrap()];
    let links = select(page, "nav[aria-label=Site] a");
    let links = links.iter().filter_map(|a| a.attr("href"));
    let order: Vec<&str> = links
        .filter_map(|link| link.trim_end_matches('/').rsplit('/').next())
        .collect();
    let expected = ["perf", "compare", "implementations", "scenarios", "method"];
    assert_eq!(order, expected);
}

#[test]
fn loads_nothing_from_other_hosts_and_runs_no_inline_scripts() {
    for base in BASES {
        for (name, page) in pages(base) {
            let form = match name.as_str() {
                "index.html" | "perf/compare/index.html" => "",
                _ => ", form",
            };
            // Scripts come from this site; the block of data is never run.
            let active = "script:not([type='module'][src], [type='application/ld+json'])";
            assert!(select(&page, &format!("{active}{form}, style, iframe, object, embed, base, foreignObject, [style], [srcdoc]")).is_empty(), "{name}");
            for element in select(&page, "*") {
                let bad = element.value().attrs().find(|(key, value)| {
                    key.starts_with("on")
                        || value.trim_start().to_lowercase().starts_with("javascript:")
                        || value.trim_start().to_lowercase().starts_with("data:")
                });
                assert!(bad.is_none(), "{name}: {bad:?}");
            }
            for element in select(
                &page,
                "img, source, script[src], link[rel=stylesheet], link[rel=icon], link[rel=preload]",
            ) {
                let address = element
                    .attr("src")
                    .or(element.attr("href"))
                    .or(element.attr("srcset"))
                    .expect("an address");
                assert!(
                    target(base, &name, address).is_some(),
                    "{name}: {address} is on another host"
                );
            }
        }
        let styles =
            ["style", "figures"].map(|s| read(&built(base).join(&format!("public/{s}.css"))));
        let style = styles.concat();
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert!(style.len() < 30 << 10, "{} bytes of style", style.len());
    }
}

#[test]
fn content_security_policy_precedes_all_content() {
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'";
    for (name, _) in pages("/") {
        let text = read(&built("/").join("public").join(&name));
        let at = text
            .find(policy)
            .unwrap_or_else(|| panic!("{name} has no policy"));
        for content in ["<title", "<link", "<body", "<img", "<a "] {
            assert!(
                text.find(content).is_none_or(|c| at < c),
                "{name}: {content} comes first"
            );
        }
        assert!(!text.contains("unsafe-inline"), "{name}");
    }
}

/// What html-validate and axe do not ask for.
#[test]
fn pages_have_one_heading_and_tables_a_caption() {
    for (name, page) in pages("/") {
        assert_eq!(select(&page, "h1").len(), 1, "{name}");
        let tables = "table:is(.results, .changes, .fit)";
        let captions = format!("{tables} > caption");
        let [tables, captions] = [tables, &captions].map(|s| select(&page, s).len());
        assert_eq!(tables, captions, "{name}");
    }
}

/// Every graph of a report is in its page, where one can point at it, and beside it.
#[test]
fn graphs_are_in_their_pages() {
    let mut graphs = 0;
    for (name, page) in pages("/") {
        for graph in select(&page, ".panels") {
            graphs += 1;
            let panels = graph.child_elements().filter(|e| e.value().name() == "svg");
            assert!(panels.count() > 0, "{name}: {}", graph.html());
            assert!(graph.attr("aria-label").is_some(), "{name}");
        }
        assert!(
            select(&page, "img[data-drawn], svg style").is_empty(),
            "{name}"
        );
    }
    assert!(graphs > 30, "only {graphs} graphs");
}

/// The text of an element of a feed's entry; empty if there is none.
fn text_of(entry: &roxmltree::Node<'_, '_>, name: &str) -> String {
    let child = entry.children().find(|c| c.has_tag_name(name));
    child.and_then(|c| c.text()).unwrap_or_default().to_owned()
}

/// The summary of an entry is plain text, with the changes since the previous report.
#[test]
fn feeds_summarize_changes() {
    let base = BASES[1];
    let report = format!("{base}/perf/2025-07-31-x86_64/");
    for (feed, entry, id, summary) in [
        ("perf/atom.xml", "entry", "id", "summary"),
        ("perf/rss.xml", "item", "guid", "description"),
    ] {
        let text = read(&built(base).join("public").join(feed));
        let document = roxmltree::Document::parse(&text).expect("XML");
        let items = || document.descendants().filter(|n| n.has_tag_name(entry));
        let item = items()
            .find(|i| text_of(i, id) == report)
            .expect("the report");
        let summary_of = text_of(&item, summary);
        for words in [
            "With post-quantum key exchange by default, ",
            " Changes are relative to the report of 2024-10-18, on the same machine. Single figures, \
             so no change is tested: ",
            "rustls 0.23.31 in Resumed handshake, TLS 1.3, client: 1.94x slower than 0.23.15",
        ] {
            assert!(summary_of.contains(words), "{feed}: {summary_of}");
        }
        for item in items() {
            let text = text_of(&item, summary);
            assert!(!text.is_empty() && text.trim() == text, "{feed}: {text:?}");
            assert!(!text.contains(['<', '\n']), "{feed}: {text}");
        }
        // The first report of a machine has no previous report.
        let first = items()
            .find(|i| text_of(i, id).ends_with("/2024-10-18-x86_64/"))
            .expect("the first");
        assert!(!text_of(&first, summary).contains("Changes are relative"));
    }
}

/// Bytes of a page's HTML: compressed as servers send it, and plain.
const MAX_COMPRESSED: usize = 60_000;
const MAX_PLAIN: usize = 250_000;

/// Files of the whole site, and their bytes without the archives of what was measured, which no page
/// loads.
const MAX_FILES: usize = 300;
const MAX_BYTES: u64 = 6_000_000;

#[test]
fn pages_are_small() {
    let public = built("/").join("public");
    let mut too_large = Vec::new();
    for (name, _) in pages("/") {
        let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
        let html = read(&public.join(&name));
        compressed.write_all(html.as_bytes()).expect("memory");
        let size = compressed.finish().expect("memory").len();
        if size > MAX_COMPRESSED || html.len() > MAX_PLAIN {
            too_large.push(format!("{name}: {} bytes, {size} compressed", html.len()));
        }
    }
    assert!(too_large.is_empty(), "{}", too_large.join("\n"));
}

#[test]
fn the_site_is_small() {
    let all = files(&built("/").join("public"));
    assert!(all.len() < MAX_FILES, "{} files", all.len());
    let size = |path: &PathBuf| std::fs::metadata(path).expect("a file").len();
    let loaded = all.iter().filter(|path| !path.ends_with("inputs.tar.gz"));
    let bytes: u64 = loaded.map(size).sum();
    assert!(bytes < MAX_BYTES, "{bytes} bytes");
}

/// Elements that may be in another, with how many of each there are at least and at most.
type Schema = &'static [(&'static str, &'static [(&'static str, usize, usize)])];

/// RFC 4287, as far as the feed uses it: a feed and its entries need an id, a title and a date.
const ATOM: Schema = &[
    (
        "feed",
        &[
            ("title", 1, 1),
            ("subtitle", 0, 1),
            ("id", 1, 1),
            ("link", 1, 2),
            ("author", 1, 1),
            ("updated", 1, 1),
            ("entry", 0, 20),
        ],
    ),
    (
        "entry",
        &[
            ("title", 1, 1),
            ("id", 1, 1),
            ("link", 1, 1),
            ("published", 1, 1),
            ("updated", 1, 1),
            ("summary", 1, 1),
        ],
    ),
    ("author", &[("name", 1, 1)]),
];

/// RSS 2.0 with the Atom link to itself that its board recommends.
const RSS: Schema = &[
    ("rss", &[("channel", 1, 1)]),
    (
        "channel",
        &[
            ("title", 1, 1),
            ("link", 2, 2),
            ("description", 1, 1),
            ("language", 1, 1),
            ("lastBuildDate", 0, 1),
            ("item", 0, 20),
        ],
    ),
    (
        "item",
        &[
            ("title", 1, 1),
            ("link", 1, 1),
            ("guid", 1, 1),
            ("pubDate", 1, 1),
            ("description", 1, 1),
        ],
    ),
];

/// Bytes of a feed.
const MAX_FEED: usize = 20_000;

#[test]
fn feeds_are_valid_and_have_every_report() {
    let base = BASES[1];
    let reports = std::fs::read_dir(repository().join("data")).expect("data/");
    let reports = reports.map(|e| e.expect("an entry").path());
    let reports: Vec<PathBuf> = reports.filter(|path| path.is_dir()).collect();
    for (feed, schema, date) in [
        (
            "perf/atom.xml",
            ATOM,
            r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$",
        ),
        (
            "perf/rss.xml",
            RSS,
            r"^\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}$",
        ),
    ] {
        let text = read(&built(base).join("public").join(feed));
        assert!(text.len() < MAX_FEED, "{feed}: {} bytes", text.len());
        let document = roxmltree::Document::parse(&text).expect("XML");
        let date = regex::Regex::new(date).expect("an expression");
        let mut known = BTreeSet::new();
        for element in document.descendants().filter(roxmltree::Node::is_element) {
            let name = element.tag_name().name();
            let children: Vec<&str> = element
                .children()
                .filter(roxmltree::Node::is_element)
                .map(|child| child.tag_name().name())
                .collect();
            let allowed = schema.iter().find(|(parent, _)| *parent == name);
            let allowed = allowed.map_or(&[][..], |(_, allowed)| allowed);
            let stranger = children
                .iter()
                .find(|c| allowed.iter().all(|(a, ..)| a != *c));
            assert!(stranger.is_none(), "{feed}: {stranger:?} in {name}");
            for (child, least, most) in allowed {
                let number = children.iter().filter(|c| *c == child).count();
                assert!(
                    (*least..=*most).contains(&number),
                    "{feed}: {number} {child} in {name}"
                );
            }
            for address in ["href", "src"].iter().filter_map(|a| element.attribute(*a)) {
                assert!(address.starts_with("https://"), "{feed}: {address}");
            }
            let text = element.text().unwrap_or_default();
            match name {
                "published" | "updated" | "pubDate" | "lastBuildDate" => {
                    assert!(date.is_match(text), "{feed}: {text}");
                }
                "id" | "guid" => {
                    assert!(
                        text.starts_with(base) && known.insert(text.to_owned()),
                        "{feed}: {text}"
                    );
                }
                _ => {}
            }
        }
        for report in &reports {
            let name = report.file_name().expect("a name").to_string_lossy();
            let address = format!("{base}/perf/{name}/");
            assert!(known.contains(&address), "{feed} has no {address}");
        }
    }
}

/// Every page names the site's picture for links to it, with an address of its own host.
#[test]
fn pages_name_the_picture_of_the_site() {
    let base = BASES[1];
    for (name, page) in pages(base) {
        let images = select(&page, "meta[property='og:image']");
        let images: Vec<&str> = images.iter().filter_map(|e| e.attr("content")).collect();
        if name == "404.html" {
            continue;
        }
        let picture = format!("{base}/card.png");
        assert!(
            images.len() == 1 && images[0].starts_with(&picture),
            "{name}: {images:?}"
        );
        for property in ["og:title", "og:description"] {
            let found = select(&page, &format!("meta[property='{property}']"));
            let is_any = found
                .iter()
                .any(|e| e.attr("content").is_some_and(|c| !c.is_empty()));
            assert!(is_any, "{name}: no {property}");
        }
    }
    let picture = std::fs::metadata(built(base).join("public/card.png")).unwrap();
    assert!(picture.len() < 40_000, "{}", picture.len());
}

/// The answer of the front page is made of the tested verdicts that the comparison has too.
#[test]
fn the_front_page_answers_with_tested_verdicts() {
    let pages = pages("/");
    let page = |file: &str| &pages.iter().find(|(name, _)| name == file).expect(file).1;
    let text = |element: &ElementRef<'_>| element.text().collect::<String>();
    let texts = |page: &Html, selector: &str| -> Vec<String> {
        select(page, selector).iter().map(text).collect()
    };
    let front = page("index.html");
    let names = texts(front, "h1 .without-script");
    assert!(
        names[0].starts_with("rustls") && names[1].starts_with("OpenSSL"),
        "{names:?}"
    );
    assert!(
        !names[0].contains("dev"),
        "a pre-release is the subject: {names:?}"
    );
    let compared = page("perf/compare/index.html");
    let cell = |row: &ElementRef<'_>, selector: &str| {
        let selector = Selector::parse(selector).expect("a selector");
        row.select(&selector).map(|e| text(&e)).next()
    };
    let verdict = |row: &ElementRef<'_>| {
        let label = cell(row, "th").expect("a label");
        (label, cell(row, ".strip").expect("words"))
    };
    let rows = select(compared, ".dots tbody tr");
    let verdicts: BTreeMap<String, String> = rows.iter().map(verdict).collect();
    let mut checked = 0;
    for row in select(front, ".dots tbody tr") {
        let (label, words) = verdict(&row);
        let Some(known) = verdicts.get(&label) else {
            continue;
        };
        assert_eq!(words, *known, "{label}");
        checked += 1;
    }
    assert!(checked >= 8, "{checked}");
    assert!(!texts(front, ".answer b").is_empty());
}

#[test]
fn committed_pages_are_current() {
    let site = repository();
    common::generator(&site, &["ingest", "data", "--check"]).success();
}

#[test]
fn measured_report_has_the_command_that_repeats_it() {
    let command = "<pre class=\"command\"><code>generator run ";
    assert!(
        pages("/")
            .iter()
            .any(|(_, page)| page.html().contains(command))
    );
}

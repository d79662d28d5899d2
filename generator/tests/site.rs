//! The repository's own website, built by the real Zola, as readers get it.

#![allow(clippy::disallowed_methods, reason = "what is not there fails a test")]

mod common;

use common::{Folder, build, copy, files, read, repository};
use scraper::{ElementRef, Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

const BASES: [&str; 2] = ["/", "https://example.org/sub/path"];

/// The whole site, built once for each base address.
fn built(base: &str) -> &'static Folder {
    static BUILT: [OnceLock<Folder>; 2] = [OnceLock::new(), OnceLock::new()];
    let index = BASES.iter().position(|b| *b == base).expect("one of both");
    BUILT[index].get_or_init(|| {
        let site = Folder::real_site();
        copy(&repository().join("content"), &site.join("content"));
        // What the data say now, whether it is committed or not.
        let data = repository().join("data");
        copy(
            &repository().join(".generated.sha256"),
            &site.join(".generated.sha256"),
        );
        common::generator(
            site.path(),
            &["ingest", "-q", data.to_str().expect("UTF-8")],
        )
        .well();
        build(site.path(), base).well();
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

fn select<'a>(page: &'a Html, what: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(what).expect("a selector"))
        .collect()
}

fn ids(page: &Html) -> Vec<String> {
    select(page, "[id]")
        .iter()
        .filter_map(|e| e.attr("id"))
        .map(str::to_owned)
        .collect()
}

/// The file below `public` that an address leads to, and its anchor; `None` for other hosts.
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
fn every_link_leads_somewhere() {
    for base in BASES {
        let public = built(base).join("public");
        let pages = pages(base);
        let anchors: BTreeMap<&str, BTreeSet<String>> = pages
            .iter()
            .map(|(name, page)| (name.as_str(), ids(page).into_iter().collect()))
            .collect();
        let (mut checked, mut broken) = (0, Vec::new());
        for (name, page) in &pages {
            for (what, attribute) in [
                ("a", "href"),
                ("link[href]", "href"),
                ("img", "src"),
                ("source", "srcset"),
                ("script[src]", "src"),
            ] {
                for element in select(page, what) {
                    let address = element
                        .attr(attribute)
                        .unwrap_or_else(|| panic!("{name}: {}", element.html()));
                    let Some((file, anchor)) = target(base, name, address) else {
                        continue;
                    };
                    checked += 1;
                    // What the compare page is to show is no place on it.
                    let is_choice = anchor.starts_with("old=");
                    let found = public.join(&file).is_file()
                        && (anchor.is_empty()
                            || is_choice
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
        assert!(checked > 350, "only {checked} links for {base}");
        println!("{checked} links at {base}");
    }
}

/// Zola has sections of one weight in another order each time.
#[test]
fn sections_are_in_order() {
    for (file, list, expected) in [
        (
            "index.html",
            "nav[aria-label=Site] a",
            [
                "perf",
                "compare",
                "capacity",
                "implementations",
                "scenarios",
                "search",
            ]
            .as_slice(),
        ),
        (
            "search/index.html",
            ".pages a",
            &[
                "perf",
                "capacity",
                "changes",
                "compare",
                "implementations",
                "machines",
                "method",
                "more",
                "scenarios",
                "suites",
            ],
        ),
    ] {
        let pages = pages("/");
        let (_, page) = pages.iter().find(|(name, _)| name == file).expect(file);
        let links = select(page, list)
            .into_iter()
            .filter_map(|a| a.attr("href"));
        let last = |link: &'_ str| {
            link.trim_end_matches('/')
                .rsplit('/')
                .next()
                .map(str::to_owned)
        };
        let order: Vec<_> = links.filter_map(last).collect();
        assert_eq!(order, expected, "{file}");
    }
}

#[test]
fn no_id_stands_twice() {
    for (name, page) in pages("/") {
        let mut seen = BTreeSet::new();
        let twice: Vec<String> = ids(&page)
            .into_iter()
            .filter(|id| !seen.insert(id.clone()))
            .collect();
        assert!(twice.is_empty(), "{name}: {twice:?}");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere_or_run() {
    for base in BASES {
        for (name, page) in pages(base) {
            // Three pages have a script, a file of this site.
            let active = match name.as_str() {
                "search/index.html" | "perf/compare/index.html" | "perf/capacity/index.html" => {
                    "script:not([type='module'][src])"
                }
                _ => "script:not([type='application/ld+json']), form",
            };
            assert!(select(&page, &format!("{active}, style, iframe, object, embed, base, foreignObject, [style], [srcdoc]")).is_empty(), "{name}");
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
                "img, source, link[rel=stylesheet], link[rel=icon], link[rel=preload]",
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
        assert!(style.len() < 20 << 10, "{} bytes of style", style.len());
    }
}

#[test]
fn the_policy_comes_before_any_content() {
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'";
    for (name, _) in pages("/") {
        let text = read(&built("/").join("public").join(&name));
        // Pages that Zola makes for aliases hold a redirect alone.
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

#[test]
fn tables_and_images_can_be_read_without_seeing() {
    for (name, page) in pages("/") {
        let mut alts = BTreeSet::new();
        for image in select(&page, "main img") {
            let alt = image.attr("alt").map_or("", str::trim);
            let is_new = alts.insert(alt.to_owned());
            assert!(!alt.is_empty() && is_new, "{name}: {}", image.html());
            // Else everything below moves when it comes.
            let sized = image.attr("width").is_some() && image.attr("height").is_some();
            assert!(sized, "{name}: {}", image.html());
        }
        for table in select(
            &page,
            "table.results, table.changes, table.comparison, table.fit",
        ) {
            assert_eq!(
                table.select(&Selector::parse("caption").unwrap()).count(),
                1,
                "{name}"
            );
            assert!(
                table
                    .select(&Selector::parse("th:not([scope])").unwrap())
                    .next()
                    .is_none(),
                "{name}"
            );
        }
        assert_eq!(select(&page, "h1").len(), 1, "{name}");
        assert_eq!(select(&page, "html[lang=en]").len(), 1, "{name}");
    }
}

#[test]
fn feeds_have_an_entry_for_every_report() {
    let base = BASES[1];
    let public = built(base).join("public");
    let reports: Vec<String> = std::fs::read_dir(repository().join("data"))
        .unwrap()
        .map(|e| e.unwrap())
        .filter(|e| e.file_type().unwrap().is_dir())
        .map(|e| format!("{base}/perf/{}/", e.file_name().to_string_lossy()))
        .collect();
    for feed in ["perf/atom.xml", "perf/rss.xml"] {
        let text = read(&public.join(feed));
        let document = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{feed}: {e}"));
        let is_atom = feed.contains("atom");
        let (entry, date) = if is_atom {
            ("entry", "updated")
        } else {
            ("item", "pubDate")
        };
        let mut linked = Vec::new();
        for item in document.descendants().filter(|n| n.has_tag_name_any(entry)) {
            let child = |name: &str| item.children().find(|c| c.has_tag_name_any(name));
            let link = child("link").expect("a link");
            let link = if is_atom {
                link.attribute("href")
            } else {
                link.text()
            };
            linked.push(link.expect("an address").to_owned());
            let date = child(date).and_then(|d| d.text()).expect("a date");
            let year = if is_atom {
                &date[..4]
            } else {
                date.split(' ').nth(3).expect("a year")
            };
            assert!(
                (2015..2100).contains(&year.parse::<u32>().expect("a year")),
                "{feed}: {date}"
            );
            assert!(
                child("title")
                    .and_then(|t| t.text())
                    .is_some_and(|t| !t.is_empty()),
                "{feed}"
            );
        }
        for report in &reports {
            assert!(
                linked.contains(report),
                "{feed} has no {report}: {linked:?}"
            );
        }
        for element in document.descendants() {
            for address in ["href", "src"].iter().filter_map(|a| element.attribute(*a)) {
                assert!(
                    address.starts_with("https://"),
                    "{feed}: {address} is not absolute"
                );
            }
        }
    }
}

/// The text of an entry's element.
fn text_of(entry: &roxmltree::Node<'_, '_>, name: &str) -> String {
    let child = entry.children().find(|c| c.has_tag_name_any(name));
    child.and_then(|c| c.text()).unwrap_or_default().to_owned()
}

/// What of a report stands on pages of its own has no entry: that of the report leads to each.
#[test]
fn feeds_lead_to_the_parts_of_reports() {
    let base = BASES[1];
    let public = built(base).join("public/perf");
    let folders = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        let folders = entries.filter(|e| e.path().is_dir());
        folders
            .map(|e| e.file_name().into_string().expect("UTF-8"))
            .collect()
    };
    let mut found = 0;
    for (feed, entry, id, content) in [
        ("atom.xml", "entry", "id", "content"),
        ("rss.xml", "item", "guid", "encoded"),
    ] {
        let text = read(&public.join(feed));
        let document = roxmltree::Document::parse(&text).expect("XML");
        for item in document.descendants().filter(|n| n.has_tag_name_any(entry)) {
            let (address, content) = (text_of(&item, id), text_of(&item, content));
            let report = address
                .strip_prefix(&format!("{base}/perf/"))
                .expect("a report");
            assert_eq!(report.matches('/').count(), 1, "{feed}: {address}");
            // A second page follows the first.
            let is_first = |part: &String| !part.ends_with(|c: char| c.is_ascii_digit());
            for part in folders(&public.join(report)).iter().filter(|p| is_first(p)) {
                let link = format!("href=\"{address}{part}/\"");
                assert!(content.contains(&link), "{feed}: no {link}");
                found += 1;
            }
        }
    }
    assert!(found >= 10, "{found}");
}

/// The summary of an entry is text, and says what changed since the report before.
#[test]
fn feeds_say_what_changed() {
    let base = BASES[1];
    let report = format!("{base}/perf/2025-07-31-x86_64/");
    for (feed, entry, id, summary) in [
        ("perf/atom.xml", "entry", "id", "summary"),
        ("perf/rss.xml", "item", "guid", "description"),
    ] {
        let text = read(&built(base).join("public").join(feed));
        let document = roxmltree::Document::parse(&text).expect("XML");
        let items = || document.descendants().filter(|n| n.has_tag_name_any(entry));
        let item = items()
            .find(|i| text_of(i, id) == report)
            .expect("the report");
        let summary_of = text_of(&item, summary);
        for words in [
            "With post-quantum key exchange by default, ",
            " Changes are relative to the report of 2024-10-18, on the same machine. Single figures, \
             so no change is tested: ",
            "rustls 0.23.31 in resumed handshakes, 1.3, client: 1.94x slower than 0.23.15",
        ] {
            assert!(summary_of.contains(words), "{feed}: {summary_of}");
        }
        for item in items() {
            let text = text_of(&item, summary);
            assert!(!text.is_empty() && text.trim() == text, "{feed}: {text:?}");
            assert!(!text.contains(['<', '\n']), "{feed}: {text}");
        }
        // The first report of a machine has nothing to be compared with.
        let first = items()
            .find(|i| text_of(i, id).ends_with("/2024-10-18-x86_64/"))
            .expect("the first");
        assert!(!text_of(&first, summary).contains("Changes are relative"));
    }
}

/// The feed of changes alone: an entry for each report that something shifted with.
#[test]
fn changes_have_a_feed() {
    let base = BASES[1];
    let text = read(&built(base).join("public/perf/changes/atom.xml"));
    let document = roxmltree::Document::parse(&text).expect("XML");
    let entries: Vec<_> = document
        .descendants()
        .filter(|n| n.has_tag_name_any("entry"))
        .collect();
    let step = entries
        .iter()
        .find(|e| text_of(e, "updated").starts_with("2025-07-31"))
        .expect("the post-quantum step");
    assert_eq!(
        text_of(step, "id"),
        format!("{base}/perf/changes/2025-07-31-x86_64/")
    );
    let content = text_of(step, "content");
    let full = "1.62x slower</span> since rustls 0.23.31 <small>(untested)";
    assert!(content.contains(full), "{content}");
    for address in content.split("href=\"").skip(1) {
        assert!(address.starts_with("https://"), "{address}");
    }
    // Reports' feeds have reports alone.
    let reports = read(&built(base).join("public/perf/atom.xml"));
    assert!(!reports.contains("/perf/changes/2025-07-31-x86_64/</id>"));
}

trait HasTagName {
    /// Whatever its name space.
    fn has_tag_name_any(&self, name: &str) -> bool;
}

impl HasTagName for roxmltree::Node<'_, '_> {
    fn has_tag_name_any(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// The budgets of a page with its graphs, and of a bar chart.
#[test]
fn pages_are_light() {
    let public = built("/").join("public");
    let mut too_heavy = Vec::new();
    for (name, page) in pages("/") {
        let folder = public.join(&name).parent().expect("a folder").to_owned();
        let weigh = |path: &Path| std::fs::metadata(path).unwrap().len();
        let mut weight = weigh(&public.join(&name));
        for image in select(&page, "img") {
            let (file, _) = target("/", &name, image.attr("src").unwrap()).expect("an own image");
            let size = weigh(&public.join(&file));
            let is_bars = image.attr("alt").unwrap().starts_with("Bar chart");
            if is_bars && size > 12_000 {
                too_heavy.push(format!("{file}: {size} bytes"));
            }
            weight += size;
        }
        if weight > 100_000 {
            too_heavy.push(format!("{}: {weight} bytes", folder.display()));
        }
    }
    assert!(too_heavy.is_empty(), "{}", too_heavy.join("\n"));
}

#[test]
fn every_graph_is_sound_xml() {
    let mut graphs = 0;
    for path in files(&built("/").join("public")) {
        if path.extension().is_some_and(|e| e == "svg") {
            common::assert_svg(&read(&path), &path.display().to_string());
            graphs += 1;
        }
    }
    assert!(graphs > 15, "{graphs}");
}

#[test]
fn committed_pages_are_what_the_data_say() {
    let site = repository();
    common::generator(&site, &["ingest", "data", "--check"]).well();
}

#[test]
fn a_measured_report_names_the_command_that_repeats_it() {
    let page = read(&repository().join("content/perf/2026-11-21-x86_64/index.md"));
    assert!(page.contains(
        "<pre class=\"command\" tabindex=\"0\"><code>generator run boringssl openssl@3.3.2"
    ));
}

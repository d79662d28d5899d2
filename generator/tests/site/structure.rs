//! What holds of every page, whatever it says: links, names, headings, safety and size.

use super::pages::{BASES, Page, Site, select, words};
use crate::common::{files, read, repository};
use flate2::{Compression, write::GzEncoder};
use scraper::{ElementRef, Html};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

/// Resolves a URL to a file below `public` and an anchor; `None` for other hosts.
fn target(base: &str, page: &str, address: &str) -> Option<(String, String)> {
    let (path, anchor) = address.split_once('#').unwrap_or((address, ""));
    let path = path.split('?').next().unwrap_or_default();
    let own = path.strip_prefix(base.trim_end_matches('/'));
    let file = match own.filter(|own| own.starts_with('/')) {
        _ if path.is_empty() => page.to_owned(),
        Some(own) => own.trim_start_matches('/').to_owned(),
        None if ["https://", "http://", "mailto:"]
            .iter()
            .any(|s| path.starts_with(s)) =>
        {
            return None;
        }
        None => {
            let mut folder = Path::new(page).parent()?;
            let mut rest = path;
            while let Some(below) = rest.strip_prefix("../") {
                folder = folder.parent()?;
                rest = below;
            }
            folder.join(rest).to_string_lossy().into_owned()
        }
    };
    let file = match file.is_empty() || file.ends_with('/') {
        true => file + "index.html",
        false => file,
    };
    Some((file, anchor.to_owned()))
}

/// Links that lead nowhere, or to a pair that Compare does not offer.
pub(crate) fn links(site: &Site) -> Vec<String> {
    let mut broken = Vec::new();
    let offered = site.offered();
    for (base, pages) in BASES.iter().zip(&site.built) {
        let ids = |page: &Page| -> BTreeSet<String> {
            let all = select(&page.html, "[id]");
            all.iter()
                .filter_map(|e| e.attr("id"))
                .map(str::to_owned)
                .collect()
        };
        let anchors: BTreeMap<&str, BTreeSet<String>> =
            pages.iter().map(|page| (&*page.name, ids(page))).collect();
        for page in pages {
            for (selector, attribute) in [
                ("a", "href"),
                ("link[href]", "href"),
                ("img", "src"),
                ("source", "srcset"),
                ("script[src]", "src"),
            ] {
                for element in select(&page.html, selector) {
                    let address = element.attr(attribute).unwrap_or_default();
                    let Some((file, anchor)) = target(base, &page.name, address) else {
                        let is_loaded = selector != "a" && element.attr("rel") != Some("canonical");
                        if is_loaded || !address.contains(':') {
                            broken.push(format!("{}: {address} of {}", page.name, element.html()));
                        }
                        continue;
                    };
                    let is_there = match anchor.strip_prefix("old=") {
                        Some(_) => site.pair(address).is_some_and(|sides| {
                            sides.iter().all(|(report, build)| {
                                offered
                                    .contains(&(report.name.clone(), report.builds[*build].label()))
                            })
                        }),
                        None if anchor.is_empty() => site.public(&file).is_file(),
                        None => anchors.get(&*file).is_some_and(|ids| ids.contains(&anchor)),
                    };
                    if !is_there {
                        broken.push(format!("{}: {address}", page.name));
                    }
                }
            }
        }
    }
    broken
}

/// What is wrong with the elements of a page.
pub(crate) fn elements(site: &Site) -> Vec<String> {
    let mut wrong = Vec::new();
    for page in site.built.iter().flatten() {
        let mut problem = |what: String| wrong.push(format!("{}: {what}", page.name));
        let mut ids = BTreeSet::new();
        for element in select(&page.html, "[id]") {
            if !ids.insert(element.attr("id")) {
                problem(format!("two elements are {:?}", element.attr("id")));
            }
        }
        let headings = select(&page.html, "h1").len();
        if headings != 1 {
            problem(format!("{headings} headings"));
        }
        // A mark of code that nothing has read.
        let mut texts = select(&page.html, "main").into_iter().map(words);
        if let Some(text) = texts.find(|text| text.contains('`')) {
            problem(format!(
                "a backtick: {}",
                text.split('`').nth(1).unwrap_or_default()
            ));
        }
        let plain =
            "main table:not(:has(> caption)), main th:not([scope]), svg style, img[data-drawn]";
        let active = "script:not([type='module'][src], [type='application/ld+json']), style, iframe, object, embed, base, foreignObject, [style], [srcdoc]";
        for never in select(&page.html, plain)
            .into_iter()
            .chain(select(&page.html, active))
        {
            problem(never.html().chars().take(200).collect());
        }
        let cells = select(&page.html, "main :is(td, th)").into_iter();
        for empty in cells.filter(|cell| words(*cell).is_empty()) {
            let row = empty
                .parent()
                .and_then(ElementRef::wrap)
                .map_or(String::new(), words);
            problem(format!("an empty cell: {row}"));
        }
        for graph in select(&page.html, ".panels") {
            let has_name = graph
                .attr("aria-label")
                .is_some_and(|name| !name.is_empty());
            if !has_name || !graph.child_elements().any(|e| e.value().name() == "svg") {
                problem(format!(
                    "a graph without name or panel: {:?}",
                    graph.attr("aria-label")
                ));
            }
        }
        for element in select(&page.html, "*") {
            let bad = element.value().attrs().find(|(key, value)| {
                let value = value.trim_start().to_lowercase();
                key.starts_with("on")
                    || ["javascript:", "data:"]
                        .iter()
                        .any(|s| value.starts_with(s))
            });
            if let Some((key, value)) = bad {
                problem(format!("{key}={value}"));
            }
        }
        let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'";
        let at = page.text.find(policy).unwrap_or(usize::MAX);
        let content = ["<title", "<link", "<body", "<img", "<a "].into_iter();
        for first in content.filter(|start| page.text.find(*start).is_some_and(|c| c < at)) {
            problem(format!("{first} is before the policy"));
        }
        if page.text.contains("unsafe-inline") {
            problem("unsafe-inline".to_owned());
        }
        for property in ["og:title", "og:description", "og:image"] {
            let found = select(&page.html, &format!("meta[property='{property}']"));
            let has_text = found
                .iter()
                .any(|e| e.attr("content").is_some_and(|c| !c.is_empty()));
            if !has_text && page.name != "404.html" {
                problem(format!("no {property}"));
            }
        }
    }
    wrong
}

/// The menu, and what the site says of itself.
pub(crate) fn menu(site: &Site) -> Vec<String> {
    let mut wrong = Vec::new();
    let order: Vec<String> = select(&site.page("index.html").html, "nav[aria-label=Site] a")
        .iter()
        .filter_map(|a| {
            a.attr("href")?
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .map(str::to_owned)
        })
        .collect();
    // Zola's order of sections with equal weights changes from build to build.
    if order != ["perf", "compare", "implementations", "scenarios", "method"] {
        wrong.push(format!("the sections are {order:?}"));
    }
    let config = read(&repository().join("config.toml"));
    let description = config
        .lines()
        .find(|line| line.starts_with("description"))
        .unwrap_or_default();
    for library in select(
        &site.page("perf/implementations/index.html").html,
        "tbody th",
    ) {
        let library = words(library);
        if !description.contains(&library) {
            wrong.push(format!(
                "the description of the site does not name {library}"
            ));
        }
    }
    wrong
}

/// The parts of a report's page that rank the newest releases, all of the same libraries.
pub(crate) fn ranks(site: &Site) -> Vec<String> {
    let mut wrong = Vec::new();
    for report in site
        .reports
        .iter()
        .filter(|report| report.ranked().len() > 2)
    {
        let page = site.page(&format!("perf/{}/index.html", report.name));
        let names: BTreeSet<&str> = report
            .ranked()
            .into_iter()
            .map(|b| site.name(report, b))
            .collect();
        let heads: Vec<String> = select(&page.html, "table.ahead thead th")
            .into_iter()
            .map(words)
            .collect();
        let ahead: BTreeSet<&str> = heads[1..].iter().map(|head| &**head).collect();
        // A table has at most eight rivals.
        if !ahead.is_subset(&names) || ahead.len() < names.len().min(9) {
            wrong.push(format!(
                "{}: ahead are {ahead:?}, ranked {names:?}",
                page.name
            ));
        }
        let newest: BTreeSet<String> = report
            .newest()
            .iter()
            .map(|b| site.name(report, *b).to_owned())
            .collect();
        for panel in select(&page.html, ".panels[aria-label^='Bar chart'] svg[data-of]") {
            let label = panel.attr("data-of").unwrap_or_default();
            let selector = scraper::Selector::parse(".mark > title").expect("a selector");
            let drawn: BTreeSet<String> = panel
                .select(&selector)
                .map(|title| {
                    words(title)
                        .split(": ")
                        .next()
                        .unwrap_or_default()
                        .to_owned()
                })
                .collect();
            let row = report.main_row(label);
            let has = |b: &usize| row.is_some_and(|row| row.has(*b));
            let missing = report.ranked().into_iter().filter(has);
            let mut missing = missing.filter(|b| !drawn.contains(site.name(report, *b)));
            if missing.next().is_some() || !drawn.is_subset(&newest) {
                wrong.push(format!("{}: bars of {label} are {drawn:?}", page.name));
            }
        }
    }
    wrong
}

/// Bytes of a page's HTML, compressed as servers send it.
const MAX_COMPRESSED: usize = 60_000;

/// Files of the whole site, and their bytes without the archives of what was measured, which no page loads.
const MAX_FILES: usize = 330;
const MAX_BYTES: u64 = 6_300_000;

pub(crate) fn sizes(site: &Site) -> Vec<String> {
    let mut large = Vec::new();
    for page in site.pages() {
        let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
        compressed.write_all(page.text.as_bytes()).expect("memory");
        let size = compressed.finish().expect("memory").len();
        if size > MAX_COMPRESSED {
            large.push(format!(
                "{}: {} bytes, {size} compressed",
                page.name,
                page.text.len()
            ));
        }
    }
    let all = files(&site.public(""));
    let size = |path: &Path| std::fs::metadata(path).expect("a file").len();
    let loaded = all.iter().filter(|path| !path.ends_with("inputs.tar.gz"));
    let bytes: u64 = loaded.map(|path| size(path)).sum();
    if all.len() > MAX_FILES || bytes > MAX_BYTES {
        large.push(format!("{} files, {bytes} bytes", all.len()));
    }
    if size(&site.public("card.png")) > 40_000 {
        large.push("the picture of the site".to_owned());
    }
    let styles = ["style", "figures"]
        .map(|name| read(&site.public(&format!("{name}.css"))))
        .concat();
    if styles.contains("url(") || styles.contains("@import") || styles.len() > 30 << 10 {
        large.push(format!(
            "{} bytes of style, which loads nothing",
            styles.len()
        ));
    }
    large
}

/// The feeds have every report once, with a date, and only addresses of the site.
pub(crate) fn feeds(site: &Site) -> Vec<String> {
    let mut wrong = Vec::new();
    for (feed, entry, parts) in [
        (
            "perf/atom.xml",
            "entry",
            ["id", "title", "published", "updated", "summary"],
        ),
        (
            "perf/rss.xml",
            "item",
            ["guid", "title", "pubDate", "link", "description"],
        ),
    ] {
        let text = read(&site.public(feed));
        let document = roxmltree::Document::parse(&text).expect("XML");
        if text.len() > 20_000 {
            wrong.push(format!("{feed}: {} bytes", text.len()));
        }
        let mut known = Vec::new();
        for entry in document
            .descendants()
            .filter(|node| node.has_tag_name(entry))
        {
            let of = |name: &str| {
                let own = entry.children().filter(|child| child.has_tag_name(name));
                own.filter_map(|child| child.text())
                    .collect::<Vec<_>>()
                    .join("|")
            };
            known.push(of(parts[0]));
            for part in parts {
                let text = of(part);
                if text.trim().is_empty() || text.contains(['<', '\n', '|']) {
                    wrong.push(format!("{feed}: {part} is {text:?}"));
                }
            }
        }
        for address in document.descendants().flat_map(|node| node.attributes()) {
            if ["href", "src"].contains(&address.name()) && !address.value().starts_with(BASES[1]) {
                wrong.push(format!("{feed}: {}", address.value()));
            }
        }
        let all = site
            .reports
            .iter()
            .map(|r| format!("{}/perf/{}/", BASES[1], r.name));
        known.sort_unstable();
        if !all.rev().eq(known.iter().cloned()) {
            wrong.push(format!("{feed} has {known:?}"));
        }
    }
    wrong
}

/// Every image in the Markdown of a page is a graph of its own, which says in it what stands in its place.
pub(crate) fn graphs(site: &Site) -> Vec<String> {
    let mut wrong = Vec::new();
    for page in files(&site.content("")) {
        let (Some(name), Some(folder)) = (page.file_name(), page.parent()) else {
            continue;
        };
        if name != "index.md" {
            continue;
        }
        let html = Html::parse_document(&read(&page));
        let mut shown = BTreeSet::new();
        for image in select(&html, "img[src$='.svg']") {
            let [file, alt] = ["src", "alt"].map(|name| image.attr(name).unwrap_or_default());
            let graph = read(&folder.join(file));
            let graph = roxmltree::Document::parse(&graph).expect("SVG");
            let mut said = graph.descendants().filter(|n| n.has_tag_name("desc"));
            let is_said = said.next().and_then(|desc| desc.text()) == Some(alt);
            if !is_said || !shown.insert(file) {
                wrong.push(format!("{}: {file}: {alt}", page.display()));
            }
        }
    }
    wrong
}

/// Pages name the command that repeats a measurement.
pub(crate) fn commands(site: &Site) -> Vec<String> {
    let has = |page: &Page| page.text.contains("<code>generator run ");
    match site.pages().iter().any(has) {
        true => Vec::new(),
        false => vec!["no page has a command".to_owned()],
    }
}

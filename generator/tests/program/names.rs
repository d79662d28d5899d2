//! Names that nearly collide: each row has an id and each graph a file of its own, with its own
//! figures.

use crate::common::{Folder, build, read};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeMap;
use std::path::Path;

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).expect("a selector");
    page.select(&selector).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect()
}

/// Scenarios of one report that differ in a sign, in case, in another script, in normalisation, and
/// after 249 bytes.
fn labels() -> Vec<String> {
    let labels = [
        "BM_Copy<char>/8",
        "BM_Copy<char*>/8",
        "Parse",
        "parse",
        "解析",
        "印刷",
        "caf\u{e9}",
        "cafe\u{301}",
        "…",
        "!",
        "a b",
        "a-b",
    ];
    let long = ["1", "2"].map(|end| "x".repeat(249) + end);
    labels.map(str::to_owned).into_iter().chain(long).collect()
}

/// A site with a report of these, each at a level of its own, in 10 runs of three releases of a
/// library and of another one; and with a report of units that differ in a sign.
fn site() -> Folder {
    let mut data = "run,implementation,version,scenario,unit,value\n".to_owned();
    for (place, label) in labels().iter().enumerate() {
        for (build, name) in ["ours,1.0", "ours,1.1", "ours,1.2", "theirs,7"]
            .iter()
            .enumerate()
        {
            for run in 1..=10 {
                let value = 1000 * (place + 1) + 100 * build + run;
                data += &format!("{run},{name},{label},handshakes/s,{value}\n");
            }
        }
    }
    let headline = labels().join("\", \"");
    let site = Folder::real_site();
    site.write("data/2026-01-01-x/t.csv", data);
    let manifest = format!("machine = \"m\"\nheadline = [\"{headline}\"]\n");
    site.write("data/2026-01-01-x/report.toml", manifest);
    for (file, level) in [("ours_1.2", 1), ("theirs_7", 2)] {
        let run = |run| format!("BenchmarkA-8 1 {run} x% 10{run} x$ 20{run} x_\n");
        let output: String = (10 * level..10 * level + 10).map(run).collect();
        site.write(&format!("data/2026-01-02-units/{file}.txt"), output);
    }
    site.write("data/2026-01-02-units/report.toml", "");
    site.ingest(Path::new("data"), &["-q"]).success();
    build(site.path(), "/").success();
    site
}

fn number(figure: &str) -> f64 {
    figure.trim().replace(',', "").parse().expect("a number")
}

/// The figures of `ours 1.2` by label and unit, as the tables of the page have them.
fn in_tables(page: &Html) -> BTreeMap<(String, String), f64> {
    let mut found = BTreeMap::new();
    for table in select(page, "table.results") {
        let select = |selector: &str| Selector::parse(selector).expect("a selector");
        let caption = table
            .select(&select("caption"))
            .map(text)
            .collect::<String>();
        let unit = caption.rsplit_once(" in ").expect("a unit").1;
        let unit = unit.split([',', '.']).next().expect("a unit").to_owned();
        let heads: Vec<String> = table.select(&select("thead th")).map(text).collect();
        let Some(column) = heads.iter().position(|head| head.contains("1.2")) else {
            continue;
        };
        for row in table.select(&select("tbody tr")) {
            let cells: Vec<_> = row.select(&select("th, td")).collect();
            let figure = cells[column].text().next().expect("a figure");
            let label = row.attr("data-of").expect("a label").to_owned();
            let key = (label, unit.clone());
            found.insert(key, number(figure));
        }
    }
    found
}

#[test]
fn each_graph_shows_the_figures_of_its_table() {
    let site = site();
    let labels = labels().len();
    assert_eq!(graphs(&site, "2026-01-01-x"), (3, 1, labels));
    assert_eq!(graphs(&site, "2026-01-02-units"), (0, 1, 3));
    assert_ids(&site);
}

/// Checks the graphs of a page. Returns the number of those over releases, of bar charts, and of
/// rows.
fn graphs(site: &Folder, report: &str) -> (usize, usize, usize) {
    let folder = site.join(&format!("content/perf/{report}"));
    let parse = |file: &str| {
        let page = read(&folder.join(file));
        let (_, text) = page.split_once("\n+++\n").expect("front matter");
        Html::parse_document(text)
    };
    let page = parse("index.md");
    let tables = in_tables(&parse("figures/index.md"));
    let mut files = BTreeMap::new();
    let (mut lines, mut bars) = (0, 0);
    for image in select(&page, "img[src$='.svg']") {
        let [file, alt] = ["src", "alt"].map(|name| image.attr(name).expect("an attribute"));
        assert_eq!(files.insert(file, alt), None, "{file} has two graphs");
        let graph = read(&folder.join(file));
        let graph = roxmltree::Document::parse(&graph).expect("SVG");
        let texts = |tag: &str| -> Vec<&str> {
            let all = graph.descendants().filter(|node| node.has_tag_name(tag));
            all.filter_map(|node| node.text()).collect()
        };
        assert_eq!(texts("desc")[0], alt, "{file}");
        match alt.strip_prefix("Line chart: ") {
            Some(rest) => {
                lines += 1;
                let (name, _) = rest.split_once(" over the releases").expect("a name");
                assert_eq!(texts("title")[0], name, "{file}");
            }
            None => bars += 1,
        }
        let mut shown = 0;
        for panel in graph.descendants() {
            let Some(label) = panel.attribute("data-of") else {
                continue;
            };
            let own = tables.iter().filter(|((of, _), _)| of == label);
            let expected: Vec<f64> = own.map(|(_, figure)| *figure).collect();
            let titles = panel.descendants().filter(|n| n.has_tag_name("title"));
            for mark in titles.filter_map(|title| title.text()) {
                if let Some(figure) = mark.strip_prefix("ours 1.2: ") {
                    let figure = number(figure.split(' ').next().expect("a figure"));
                    let is_same = |other: &f64| (figure / other - 1.0).abs() < 1e-4;
                    assert!(expected.iter().any(is_same), "{file}: {mark}: {expected:?}");
                    shown += 1;
                }
            }
        }
        assert!(shown > 0, "{file}");
    }
    (lines, bars, tables.len())
}

/// All pages of a site, with their ids.
fn assert_ids(site: &Folder) {
    for path in crate::common::files(&site.join("public")) {
        if path.extension().is_none_or(|e| e != "html") {
            continue;
        }
        let page = Html::parse_document(&read(&path));
        let mut ids = BTreeMap::new();
        for element in select(&page, "[id]") {
            *ids.entry(element.attr("id").expect("an id")).or_insert(0) += 1;
        }
        let twice: Vec<_> = ids.iter().filter(|(_, uses)| **uses > 1).collect();
        assert!(twice.is_empty(), "{}: {twice:?}", path.display());
        for link in select(&page, "a[href^='#']") {
            let target = link.attr("href").expect("a link").trim_start_matches('#');
            assert!(
                target.is_empty() || ids.contains_key(target),
                "{}: {target}",
                path.display()
            );
        }
    }
}

#[test]
fn rows_have_ids_of_their_own_and_no_link_is_broken() {
    let tables = [
        // All that `go test -bench -benchmem` prints of a benchmark.
        "BenchmarkA-8 1 5 ns/op 3 MB/s 7 B/op 2 allocs/op\nBenchmarkA-8 1 6 ns/op 3 MB/s 7 B/op 2 allocs/op\n",
        "scenario,unit,rustls 1,OpenSSL 3\n\"writes, [50] * 20\",ns,5,7\n\"writes, [50, 20]\",ns,6,8\n",
        // Of the same names as the headings above them.
        "scenario,unit,rustls 1,OpenSSL 3\ntransfer,MiB/s,5,7\nmemory,KiB,5,7\nfull handshakes,handshakes/s,5,7\n",
        // What the plot has and no table of rows.
        "scenario,unit,rustls 1,OpenSSL 3\n\"latency of full handshakes, 1.3, server, P50\",ns,5000,7000\nbuild time,s,5,7\n",
        "scenario,unit,rustls 1,rustls.1\n\"latency of full handshakes, 1.3, server, P50\",ns,5000,7000\n",
    ];
    let site = Folder::real_site();
    for (place, table) in tables.iter().enumerate() {
        site.write(&format!("data/r{place}/o.txt"), table);
        site.write(&format!("data/r{place}/report.toml"), "");
    }
    site.ingest(Path::new("data"), &["-q"]).success();
    build(site.path(), "/").success();
    assert_ids(&site);
}

//! Malicious names, labels, notes and paths, rendered by the real Zola.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, Random, assert_svg, build, files, generator, read, repository, tree};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use scraper::{Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::symlink;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// Texts that are special in HTML, Markdown, Tera, TOML, SVG, CSV, shells or paths; the tests in browsers
/// have the same.
static FRAGMENTS: LazyLock<Vec<String>> =
    LazyLock::new(|| serde_json::from_str(&read(&common::fixture("hostile.json"))).expect("texts"));

/// At least `count` texts: single fragments and combinations of them.
fn hostile(count: usize) -> Vec<String> {
    let mut random = Random::new(11);
    let mut all: BTreeSet<String> = FRAGMENTS.iter().map(|f| format!("x{f}x")).collect();
    all.extend(FRAGMENTS.iter().filter(|f| f.trim() == **f).cloned());
    all.insert("\u{1f600}".repeat(60));
    all.insert("&".repeat(250));
    while all.len() < count {
        let joined: String = (0..2 + random.below(3))
            .map(|_| &*FRAGMENTS[random.below(FRAGMENTS.len())])
            .collect::<Vec<_>>()
            .join(["", " ", "x"][random.below(3)]);
        if joined.len() <= 250 && joined.trim() == joined {
            all.insert(joined);
        }
    }
    all.into_iter().collect()
}

/// The text as a page shows it: invisible characters are written as escapes.
fn shown(text: &str) -> String {
    let is_invisible = |c: char| matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}' | '\u{ad}');
    text.chars()
        .map(|c| {
            if is_invisible(c) {
                format!("\\u{{{:X}}}", c as u32)
            } else {
                c.to_string()
            }
        })
        .collect()
}

fn text(page: &Html) -> String {
    page.root_element().text().collect()
}

/// Every pair of a tag and one of its attributes, or an empty string for the tag alone.
fn vocabulary(page: &Html) -> BTreeSet<(String, String)> {
    let every = Selector::parse("*").expect("a selector");
    page.select(&every)
        .flat_map(|e| {
            let tag = e.value().name().to_owned();
            let attributes = e
                .value()
                .attrs()
                .map(|(key, _)| key.to_owned())
                .chain([String::new()]);
            attributes
                .map(move |a| (tag.clone(), a))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn page(site: &Folder, path: &str) -> Html {
    Html::parse_document(&site.read(&format!("public/{path}/index.html")))
}

/// All real data with ordinary names.
struct Ordinary {
    /// The tags and attributes on its pages.
    vocabulary: BTreeSet<(String, String)>,
    /// Where each of [`ORDINARY_NAMES`] stands.
    kinds: [BTreeSet<String>; 2],
}

const ORDINARY_NAMES: [&str; 2] = ["OpenSSL", "lexer"];

static ORDINARY: LazyLock<Ordinary> = LazyLock::new(|| {
    let site = site_of(ORDINARY_NAMES);
    let pages = files(&site.join("public"));
    let pages = pages
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "html"));
    Ordinary {
        vocabulary: pages
            .flat_map(|p| vocabulary(&Html::parse_document(&read(p))))
            .collect(),
        kinds: ORDINARY_NAMES.map(|name| kinds_with(&site, name)),
    }
});

/// Asserts that pages have no tag or attribute that harmless data do not, and that graphs are safe.
#[track_caller]
fn assert_harmless(site: &Folder) {
    for path in files(&site.join("public")) {
        let name = path.display().to_string();
        let kind = path.extension().and_then(|e| e.to_str());
        if let Some("html" | "svg" | "xml" | "json") = kind {
            let hidden = |c: &char| matches!(c, '\0' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}' | '\u{ad}');
            assert_eq!(read(&path).chars().find(hidden), None, "{name}");
        }
        match kind {
            Some("html") => {
                let page = Html::parse_document(&read(&path));
                let injected: Vec<_> = vocabulary(&page)
                    .difference(&ORDINARY.vocabulary)
                    .cloned()
                    .collect();
                assert!(injected.is_empty(), "{name}: {injected:?}");
                for link in page.select(&Selector::parse("a[href], img[src]").expect("a selector"))
                {
                    let address = link
                        .attr("href")
                        .or(link.attr("src"))
                        .unwrap_or_default()
                        .trim()
                        .to_lowercase();
                    assert!(
                        !["javascript:", "data:", "vbscript:"]
                            .iter()
                            .any(|s| address.starts_with(s)),
                        "{name}: {address}"
                    );
                }
            }
            Some("svg") => assert_svg(&read(&path), &name),
            Some("xml") => drop(
                roxmltree::Document::parse(&read(&path)).unwrap_or_else(|e| panic!("{name}: {e}")),
            ),
            _ => {}
        }
    }
}

fn tidy(rows: &[[&str; 5]]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record([
            "implementation",
            "version",
            "variant",
            "scenario",
            "unit",
            "value",
        ])
        .expect("a row");
    for [name, version, variant, scenario, value] in rows {
        writer
            .write_record([*name, version, variant, scenario, "ns", value])
            .expect("a row");
    }
    writer.into_inner().expect("a table")
}

#[test]
fn labels_stay_text() {
    let mut labels = hostile(400);
    // Reading a tidy table removes a leading quote, which marks text for spreadsheets.
    labels.retain(|l| !l.starts_with('\''));
    assert!(labels.len() >= 300);
    let site = Folder::real_site();
    let rows: Vec<[&str; 5]> = labels
        .iter()
        .flat_map(|l| {
            [
                ["rustls", "0.23.40", "", l.as_str(), "5"],
                ["OpenSSL", "3.6.0", "", l.as_str(), "7"],
            ]
        })
        .collect();
    site.write("data/labels/table.csv", tidy(&rows));
    generator(site.path(), &["ingest", "-q", "data/labels"]).success();
    build(site.path(), "/").success();
    // There are enough labels for several pages.
    let row_head = Selector::parse("th[scope=row]").unwrap();
    let mut heads = BTreeSet::new();
    for (path, html) in tree(&site.join("public/perf/labels")) {
        if path.ends_with(".html") {
            let page = Html::parse_document(&String::from_utf8_lossy(&html));
            let found = page.select(&row_head);
            heads.extend(found.map(|e| e.text().collect::<String>()));
        }
    }
    let missing: Vec<&String> = labels
        .iter()
        .filter(|l| !heads.contains(&shown(l)))
        .collect();
    assert!(
        missing.is_empty(),
        "missing as text on the pages: {missing:?}"
    );
    assert_harmless(&site);
    println!("{} hostile labels", labels.len());
}

/// The kinds of pages, graphs and tables that show a text: `page perf/*/releases`, `graph bars`,
/// `table changes`.
fn kinds_with(site: &Folder, shown: &str) -> BTreeSet<String> {
    let tables = Selector::parse("table").expect("a selector");
    let mut kinds = BTreeSet::new();
    // Pages have the drawings of the files of graphs in them.
    let all = ["content", "public"].map(|root| files(&site.join(root)));
    for path in all.into_iter().flatten() {
        let below = path.strip_prefix(site.path()).expect("below");
        let below = below.strip_prefix("public").unwrap_or(below);
        let below = below.to_string_lossy().into_owned();
        let content = match path.extension().and_then(|e| e.to_str()) {
            Some("html") => Html::parse_document(&read(&path)),
            Some("svg") => {
                let drawn = roxmltree::Document::parse(&read(&path))
                    .expect("XML")
                    .descendants()
                    .any(|node| {
                        node.is_text() && node.text().is_some_and(|text| text.contains(shown))
                    });
                let stem = below.rsplit('/').next().expect("a name");
                let kind = stem.split(['-', '.']).next().expect("a kind");
                kinds.extend(drawn.then(|| format!("graph {kind}")));
                continue;
            }
            _ => continue,
        };
        if !text(&content).contains(shown) {
            continue;
        }
        // Folders of reports, libraries and scenarios have any name.
        let mut parts: Vec<&str> = below.split('/').collect();
        for at in 1..parts.len().saturating_sub(1) {
            let fixed = [
                "compare",
                "home",
                "implementations",
                "scenarios",
                "method",
                "figures",
                "releases",
                "history",
            ];
            if !fixed.contains(&parts[at]) {
                parts[at] = "*";
            }
        }
        kinds.insert(format!("page {}", parts.join("/")));
        for table in content.select(&tables) {
            let has_name = table.text().collect::<String>().contains(shown);
            let class = table.attr("class").unwrap_or("without a class");
            kinds.extend(has_name.then(|| format!("table {class}")));
        }
    }
    kinds
}

/// All real data, with another text in place of `OpenSSL`, and benchmarks over releases.
fn site_of(names: [&str; 2]) -> Folder {
    let [library, benchmark] = names;
    let site = Folder::real_site();
    for data in [repository().join("data"), common::fixture("report")] {
        for path in files(&data) {
            let below = path.strip_prefix(&data).expect("below");
            // A call of notes.md would be refused.
            let is_refused = below.ends_with("notes.md") && names != ORDINARY_NAMES;
            if below.components().count() > 1 && !is_refused {
                let bytes = std::fs::read(&path).expect("a file");
                let bytes = match String::from_utf8(bytes) {
                    Ok(text) => text.replace("OpenSSL", library).into_bytes(),
                    Err(binary) => binary.into_bytes(),
                };
                site.write(&format!("data/{}", below.display()), bytes);
            }
        }
    }
    for day in ["2026-12-01", "2026-12-02"] {
        let mut rows = Vec::new();
        for (version, value) in [("0.8.0", "9"), ("0.9.0", "7"), ("1.0.0", "5")] {
            for run in ["", "1", "2", "3", "4"] {
                let value = format!("{value}.{run}0");
                rows.push([
                    library.to_owned(),
                    version.to_owned(),
                    benchmark.to_owned(),
                    value.clone(),
                ]);
                rows.push([
                    "other".to_owned(),
                    version.to_owned(),
                    benchmark.to_owned(),
                    value,
                ]);
            }
        }
        let mut table = "implementation,version,scenario,unit,value\n".to_owned();
        for [name, version, scenario, value] in rows {
            table += &format!("{name},{version},{scenario},ns,{value}\n");
        }
        site.write(&format!("data/{day}-benchmarks/table.csv"), table);
        site.write(
            &format!("data/{day}-benchmarks/report.toml"),
            "machine = \"m\"\n",
        );
    }
    generator(site.path(), &["ingest", "-q", "data"]).success();
    build(site.path(), "/").success();
    site
}

/// Every kind of page, graph and table in which an ordinary name stands has shown a hostile one as
/// text.
#[test]
fn names_are_text_on_every_kind_of_page() {
    let names = [
        "lib {{ a() }}<b>{% x %}{# y #}`z`|",
        "lex {{ b }}</text><i>{% if %}{#`~|",
    ];
    let hostile = site_of(names);
    for (text, expected) in names.iter().zip(&ORDINARY.kinds) {
        assert!(expected.len() > 5, "{expected:?}");
        let visited = kinds_with(&hostile, text);
        // The hostile site has no notes.
        let mut missing: Vec<_> = expected.difference(&visited).collect();
        missing.retain(|kind| **kind != "graph notes");
        assert!(missing.is_empty(), "{text} was not on {missing:?}");
    }
    assert_harmless(&hostile);
}

#[test]
fn names_and_declarations_stay_text() {
    let values = hostile(400);
    let site = Folder::real_site();
    let mut declared = Vec::new();
    for (report, texts) in values.chunks_exact(12).enumerate() {
        let [
            name,
            version,
            title,
            machine,
            summary,
            fact,
            source,
            author,
            note,
            command,
            build_words,
            variant,
        ] = texts
        else {
            unreachable!("twelve")
        };
        let manifest = serde_json::json!({
            "title": title,
            "machine": machine,
            "summary": summary,
            "system": { (fact): fact },
            "source": { "title": source, "author": author, "notes": [note] },
            "implementation": [{
                "name": name,
                "version": version,
                "variant": [variant],
                "files": ["*.csv"],
                "command": command,
                "build": build_words,
            }],
        });
        let manifest = toml::Value::try_from(manifest).expect("TOML");
        let manifest = toml::to_string(&manifest).expect("TOML");
        let manifest = format!("date = 2026-01-01\n{manifest}");
        site.write(&format!("data/r{report}/report.toml"), manifest);
        site.write(
            &format!("data/r{report}/table.csv"),
            "scenario,unit,value\nencode,ns,5\n\"transfer, 1.3, aes-256-gcm, sending\",MiB/s,50\n",
        );
        // Tables leave out what all builds have, such as the variant.
        declared.push((format!("r{report}"), &texts[..11]));
    }
    generator(site.path(), &["ingest", "-q", "data"]).success();
    build(site.path(), "/").success();
    let (mut checked, mut missing) = (0, Vec::new());
    for (report, used) in &declared {
        let of = |below: &str| text(&page(&site, &format!("perf/{report}{below}")));
        let page = of("") + &of("/figures");
        let plain = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = plain(&page);
        for value in *used {
            if !page.contains(&plain(&shown(value))) {
                missing.push(format!("{report}: {value:?} of {used:?}"));
            }
            checked += 1;
        }
    }
    assert!(
        missing.is_empty(),
        "missing as text:\n{}",
        missing.join("\n")
    );
    assert_harmless(&site);
    println!("{checked} hostile values in {} reports", declared.len());
}

/// Where notes have text of their author, with `{}` for the text.
const POSITIONS: &[&str] = &[
    "{}",
    "*a {}* **{}** ~~{}~~",
    "`{}`",
    "# {}",
    "{}\n===",
    "# a {#{}}",
    "# a {.{}}",
    "# a {{}}",
    "# a {b={}}",
    "- {}\n- [ ] {}\n\n1. {}\n",
    "> {}",
    "> [!NOTE]\n> {}",
    "| a | {} |\n| --- | :-: |\n| {} | b |",
    "a\n: {}",
    "    {}",
    "```\n{}\n```",
    "```{}\na\n```",
    "~~~ rust {}\na\n~~~",
    "```rust,name={}\na\n```",
    "[a](https://e.org \"{}\")",
    "[a](https://e.org '{}')",
    "[a](https://e.org ({}))",
    "[a][b]\n\n[b]: https://e.org \"{}\"",
    "[a][b]\n\n[b]: https://e.org\n  '{}'",
    "[{}](https://e.org)",
    "[a](https://e.org/{})",
    "[a](<https://e.org/{}>)",
    "[a]({})",
    "<https://e.org/{}>",
    "<{}@e.org>",
    "[a](#{})",
    "[a](mailto:{})",
    "![{}](a.png)",
    "![a](https://e.org/a.png \"{}\")",
    "![a](<{}>)",
    "![[{}](https://e.org)](a.png)",
    "a[^{}]\n\n[^{}]: b",
    "a[^1]\n\n[^1]: {}",
    "[[{}]] $ {} $ ^{}^ :{}:\n\n***\n\nb",
    "{}\n\n{{ results() }}\n\n{}",
];

/// What would leave the place where it stands.
const PAYLOADS: &[&str] = &[
    "\"><meta http-equiv=refresh content=\"0;url=https://evil.example/\">",
    "\\\"><meta http-equiv=refresh content=\\\"0\\\">",
    "&quot;&gt;&lt;plaintext&gt;",
    "\"onclick=alert(1)",
    "\" onclick=alert(1) a=\"",
    "'onclick='alert(1)",
    "` onclick=alert(1) a=`",
    "\"/><p/class=\"drawing\"><img/src=\"../../../../etc/hostname",
    "</code></pre></a></p></div><style>*{display:none}</style>",
    "<svg onload=alert(1)>",
    "javascript:alert(1)",
    "javascript&amp;colon;alert(1)",
    "#rival",
    "a\" \"b' 'c) (d] [e} {f> <g",
];

#[test]
fn notes_are_refused_or_harmless() {
    let mut notes: Vec<String> = hostile(200);
    for position in POSITIONS {
        notes.extend(
            PAYLOADS
                .iter()
                .map(|payload| position.replace("{}", payload)),
        );
    }
    let site = Folder::real_site();
    // What makes Zola write elements itself.
    let config = site.read("config.toml").replace("[markdown]\n", "[markdown]\nlazy_async_image = true\nexternal_links_target_blank = true\nsmart_punctuation = true\nrender_emoji = true\ndefinition_list = true\ngithub_alerts = true\n");
    site.write(
        "config.toml",
        config + "\n[markdown.highlighting]\ntheme = \"github-dark\"\n",
    );
    let report = |name: &str, note: &str| {
        site.write(&format!("{name}/report.toml"), "");
        site.write(&format!("{name}/table.csv"), TABLE);
        site.write(&format!("{name}/notes.md"), note);
    };
    // The same positions with a word make the vocabulary.
    let is_refused = |position: &&&str| {
        position.starts_with("# a")
            || ["[a](#", ",name=", "![["]
                .iter()
                .any(|p| position.contains(p))
    };
    let harmless = POSITIONS.iter().filter(|position| !is_refused(position));
    let harmless: Vec<String> = harmless.map(|p| p.replace("{}", "word")).collect();
    for (index, note) in harmless.iter().enumerate() {
        report(&format!("data/w{index}"), note);
    }
    let mut accepted = BTreeMap::new();
    for (chunk, notes) in notes.chunks(100).enumerate() {
        let mut all: BTreeMap<String, &String> = BTreeMap::new();
        for (index, note) in notes.iter().enumerate() {
            let name = format!("data/n{chunk}-{index}");
            report(&name, note);
            all.insert(name, note);
        }
        // Each run names a hundred problems, of which a note may have several.
        loop {
            let arguments = ["ingest", "-q", "--check", "--reports-only"].into_iter();
            let arguments: Vec<&str> = arguments.chain(all.keys().map(|name| &**name)).collect();
            let run = generator(site.path(), &arguments);
            if run.code == Some(1) {
                break;
            }
            for problem in run.code_is(3).stderr.trim_start_matches("error: ").lines() {
                let folder = problem.split("/notes.md:").next().expect("a part");
                if all.remove(folder).is_some() {
                    std::fs::remove_dir_all(site.join(folder)).unwrap();
                } else {
                    assert!(!site.join(folder).is_dir(), "{problem}");
                }
            }
        }
        accepted.extend(all);
    }
    assert!(accepted.len() > 100);
    generator(site.path(), &["ingest", "-q", "--reports-only", "data"]).success();
    build(site.path(), "/").success();
    let mut allowed = ORDINARY.vocabulary.clone();
    for index in 0..harmless.len() {
        allowed.extend(vocabulary(&page(&site, &format!("perf/w{index}"))));
    }
    for (folder, note) in &accepted {
        let page = page(
            &site,
            &format!("perf/{}", folder.trim_start_matches("data/")),
        );
        let injected: Vec<_> = vocabulary(&page).difference(&allowed).cloned().collect();
        assert!(injected.is_empty(), "{note}: {injected:?}");
        let links = Selector::parse("a[href], img[src]").expect("a selector");
        for link in page.select(&links) {
            let address = link.attr("href").or(link.attr("src")).unwrap_or_default();
            let address = address.trim().to_lowercase();
            assert!(!address.starts_with("javascript"), "{note}: {address}");
        }
        // Nothing of the page is hidden or swallowed.
        let parts = Selector::parse("h2, table.results").expect("a selector");
        let parts: Vec<String> = page.select(&parts).map(|e| e.text().collect()).collect();
        assert!(
            parts.iter().any(|text| text == "How this was measured"),
            "{note}: {parts:?}"
        );
        assert!(
            parts.iter().any(|text| text.contains("encode")),
            "{note}: {parts:?}"
        );
    }
    println!("{} of {} notes are harmless", accepted.len(), notes.len());
}

/// A minimal report.
const TABLE: &str = "scenario,unit,rustls 1\nencode,ns,5\n";

/// Another process puts links in place of a file and of a folder while they are read.
#[test]
fn does_not_follow_links_that_come_meanwhile() {
    let outside = "scenario,unit,rustls 1\nthe secret,ns,5\n";
    let site = Folder::site()
        .with("outside/table.csv", outside)
        .with("data/r/report.toml", "machine = \"m\"\n")
        .with("data/r/table.csv", TABLE)
        .with("data/r/below/table.csv", TABLE);
    for n in 0..20 {
        let table = TABLE.replace("encode", &format!("encode {n}"));
        site.write(&format!("data/r/{n}.csv"), table);
    }
    let data = site.join("data/r");
    let swap = |name: &str, target: &str| {
        let link = data.join(format!(".{name}"));
        if !link.is_symlink() {
            symlink(site.join(target), &link).expect("a link");
        }
        for _ in 0..2 {
            renameat_with(CWD, data.join(name), CWD, &link, RenameFlags::EXCHANGE)
                .expect("swapped");
            thread::sleep(Duration::from_micros(300));
        }
    };
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let (mut runs, start) = (0, Instant::now());
    let is_over = || start.elapsed() > Duration::from_secs(4);
    thread::scope(|threads| {
        threads.spawn(|| {
            while !is_over() {
                swap("table.csv", "outside/table.csv");
                swap("below", "outside");
            }
        });
        while !is_over() {
            generator(site.path(), &["ingest", "-q", "data", "--prune"]);
            runs += 1;
            for (path, bytes) in tree(&site.join("content")) {
                let is_outside = String::from_utf8_lossy(&bytes).contains("the secret");
                assert!(
                    !is_outside,
                    "{path} shows what is outside, after {runs} runs"
                );
            }
        }
    });
    println!("{runs} runs");
}

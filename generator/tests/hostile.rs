//! Malicious names, labels, notes and paths, rendered by the real Zola.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{
    Folder, Random, Tree, assert_same, assert_svg, build, files, generator, program, read,
    repository, tree,
};
use flate2::read::GzDecoder;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use scraper::{Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
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

#[test]
fn rejects_control_characters_and_long_names() {
    let long = "x".repeat(300);
    for bad in ["a\u{0}b", "a\u{1b}[31mb", "a\u{7f}b", "a\u{85}b", &long] {
        for text in [
            format!("scenario,unit,value\n\"{bad}\",ns,5\n"),
            format!("scenario,unit,\"{bad}\"\nencode,ns,5\n"),
            format!("implementation,scenario,unit,value\n{bad},encode,ns,5\n"),
        ] {
            let site = Folder::site().with("data/table.csv", &text);
            let stderr = generator(site.path(), &["ingest", "data"])
                .code_is(3)
                .stderr;
            assert!(stderr.starts_with("error: data/table.csv:"), "{stderr}");
            assert!(
                !stderr.contains(['\u{0}', '\u{1b}', '\u{7f}', '\u{85}']),
                "{stderr:?}"
            );
            assert!(!site.join("content").exists());
        }
    }
}

#[test]
fn rejects_bidirectional_control_characters_everywhere() {
    let rows = "run,implementation,version,variant,scenario,unit,value,caveat\n\
        1,rustls,0.23,ring,encode,ns,5,slow\n1,rustls,0.23,ring,decode,ns,unsupported,why\n";
    let manifest =
        "title = \"a\"\nmachine = \"b\"\n[system]\nCPU = \"c\"\n[source]\ntitle = \"d\"\n";
    let files = [
        ("table.csv", rows),
        ("report.toml", manifest),
        ("notes.md", "Some words.\n"),
    ];
    let mut controls = ["\u{202e}", "\u{2066}", "\u{200f}", "\u{61c}"]
        .iter()
        .cycle();
    for (name, word) in [
        ("table.csv", "rustls"),
        ("table.csv", "ring"),
        ("table.csv", "encode"),
        ("table.csv", "slow"),
        ("table.csv", "why"),
        ("report.toml", "\"a"),
        ("report.toml", "\"c"),
        ("notes.md", "words"),
    ] {
        let control = controls.next().expect("an endless cycle");
        let site = Folder::site();
        for (file, text) in files {
            let bad = text.replacen(word, &format!("{word}{control}"), 1);
            site.write(
                &format!("data/{file}"),
                if file == name { &bad } else { text },
            );
        }
        generator(site.path(), &["ingest", "data"])
            .code_is(3)
            .says(&format!("error: data/{name}:"))
            .says("a character that changes the direction of text: U+");
        assert!(!site.join("content").exists());
    }
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

/// A template reads no path out of a page's text.
#[test]
fn pages_show_no_file_of_the_machine() {
    let site = Folder::real_site().with("secret.svg", "<svg>\nThe secret\n</svg>");
    let image = "<p class=\"drawing\"><img src=\"../../../secret.svg\" alt=\"b\" data-drawn></p>";
    let mine = "+++\ntitle = \"a\"\n+++\n".to_owned() + image;
    site.write("content/perf/_index.md", "+++\ntitle = \"b\"\n+++\n");
    site.write("content/perf/mine/index.md", mine);
    build(site.path(), "/").success();
    for (name, bytes) in tree(&site.join("public")) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("The secret"), "{name}");
    }
    // Nor does one leave the page's folder for a graph that its front matter names.
    let graphs = "+++\ntitle = \"a\"\n[[extra.graphs]]\nfile = \"../../../secret.svg\"\nalt = \"b\"\nwidth = 1\nheight = 1\n+++\na";
    site.write("content/perf/mine/index.md", graphs);
    build(site.path(), "/").code_is(1);
}

/// Strangers choose the names of files, and the website's policy lets its own files run as scripts.
#[test]
fn no_download_is_a_script() {
    let site = Folder::real_site();
    site.write("data/r/table.csv", TABLE);
    site.write("data/r/report.toml", "");
    for number in 0..50 {
        site.write(
            &format!("data/r/locks/`${{alert({number})}}=a;b.lock"),
            "\0",
        );
        site.write(&format!("data/r/locks/plain {number}.lock"), "a");
    }
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let packed = std::fs::read(site.join("content/perf/r/SHA256SUMS.txt.gz")).unwrap();
    let mut sums = String::new();
    let read = GzDecoder::new(&*packed).read_to_string(&mut sums);
    read.expect("gzip");
    let mut lines = sums.lines();
    assert!(lines.next().expect("a line").starts_with("# "));
    for line in lines {
        let (digest, name) = line.split_once("  ").expect("two spaces");
        assert!(digest.bytes().all(|b| b.is_ascii_hexdigit()), "{line}");
        assert!(
            name.chars()
                .all(|c| c.is_alphanumeric() || " .,/+@_-%".contains(c)),
            "{line}"
        );
    }
    let plain: String = sums
        .lines()
        .filter(|line| !line.contains("%"))
        .collect::<Vec<_>>()
        .join("\n");
    site.write("data/r/sums", format!("# a\n{plain}\n"));
    let mut check = std::process::Command::new("sha256sum");
    common::run(
        check
            .current_dir(site.join("data/r"))
            .args(["--check", "--strict", "sums"]),
    )
    .success();
    build(site.path(), "/").success();
    for path in files(&site.join("public/perf")) {
        let bytes = std::fs::read(&path).unwrap();
        // None of these starts a script, whatever follows; and JSON holds values only.
        let starts: [&[u8]; 3] = [b"<", b"# ", b"\x1f\x8b"];
        let is_inert = starts.iter().any(|start| bytes.starts_with(start))
            || serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
        assert!(is_inert, "{}", path.display());
    }
}

#[test]
fn rejects_functions_html_and_scripts_in_notes() {
    for (notes, message) in [
        (
            "a\n\n{{ get_env(name=\"PATH\") }}\n",
            "notes.md:3: expected results(), graph() or changes()",
        ),
        ("{{ now() }}\n", "now"),
        ("{{ get_random(start=0, end=9) }}\n", "get_random"),
        ("<b>x</b>\n", "1: raw HTML is not allowed in notes"),
        ("[x](javascript:alert(1))\n", "1: a link must lead to"),
    ] {
        let site = Folder::site()
            .with("data/r/table.csv", TABLE)
            .with("data/r/notes.md", notes);
        generator(site.path(), &["ingest", "data/r"])
            .code_is(3)
            .says("error: data/r/notes.md")
            .says(message);
        assert!(!site.join("content").exists());
    }
}

/// A minimal report.
const TABLE: &str = "scenario,unit,rustls 1\nencode,ns,5\n";

#[test]
fn pages_of_any_folder_name_stay_inside_the_section() {
    let long = "x".repeat(250);
    let names = [
        "a b",
        "..a",
        "a..",
        "...",
        "-rf",
        "com",
        "lpt",
        "<script>",
        "{{ a() }}",
        "{% x %}",
        "a\nb",
        "a\tb",
        "ü",
        "\u{202e}x",
        "%2e%2e%2fx",
        "a\\..\\b",
        "~",
        "$USER",
        "`id`",
        "a;b",
        "a'b",
        "a\"b",
        "index.md",
        "_index",
        "_index.md",
        "page",
        "atom.xml",
        "rss.xml",
        "sitemap.xml",
        "graph-x.svg",
        "2026-99-99",
        "2026-01-01",
        "@",
        "+++",
        "#x",
        "?x",
        "a%00b",
        "\u{1f600}",
        "1",
        &long,
    ];
    assert!(names.len() >= 40);
    // Names with the same address have to be in separate sites.
    let mut sites: Vec<BTreeMap<String, &str>> = Vec::new();
    for name in names {
        let around = Folder::new()
            .with("outside.txt", "mine")
            .with("site/config.toml", "base_url = \"/\"\n");
        around.write(&format!("data/{name}/table.csv"), TABLE);
        let before = around.tree();
        let path = format!("data/{name}");
        generator(
            around.path(),
            &["ingest", "-q", "--site", "site", "--", &path],
        )
        .success();
        let address = address_of_new_pages(name, &before, &around.tree());
        match sites.iter_mut().find(|site| !site.contains_key(&address)) {
            Some(site) => drop(site.insert(address, name)),
            None => sites.push([(address, name)].into()),
        }
    }
    for addresses in sites {
        let site = Folder::real_site();
        let mut arguments = vec!["ingest".to_owned(), "-q".to_owned(), "--".to_owned()];
        for name in addresses.values() {
            site.write(&format!("data/{name}/table.csv"), TABLE);
            arguments.push(format!("data/{name}"));
        }
        common::run(program().current_dir(site.path()).args(arguments)).success();
        build(site.path(), "/").success();
        for address in addresses.keys() {
            assert!(
                site.join(&format!("public/perf/{address}/index.html"))
                    .exists()
            );
        }
    }
}

/// Folders and what their `report.toml` asks of Zola. Either `ingest` refuses it, or Zola builds
/// the site.
#[test]
fn what_is_accepted_builds() {
    let mut refused = vec![
        ("2026-02-30", ""),
        ("2026-02-301", ""),
        ("2026-04-31-x", ""),
        ("9999-12-31-x", ""),
        ("0000-01-01", ""),
        ("con", ""),
        ("NUL", ""),
        ("aux.x", ""),
        ("COM1", ""),
        ("lpt9.1", ""),
        ("r", "date = 9999-12-31"),
        ("r", "date = 0001-01-01"),
    ];
    let keys = [
        "extent = 5",
        "overviews = [5]",
        "graphs = 5",
        "\"$__toml_private_datetime\" = 5",
        "a = { \"$__toml_private_datetime\" = \"x\" }",
        "\"\" = 1",
        "\"a b\" = 1",
        "a = [[{ \"<b>\" = 1 }]]",
    ];
    let keys = keys.map(|key| format!("[extra]\n{key}"));
    refused.extend(keys.iter().map(|key| ("r", key.as_str())));
    let long = "x".repeat(300);
    let terms = [
        "",
        " ",
        "..<",
        "..:",
        "…",
        "index.html",
        "a\\u0000b",
        "a/b",
        "a\\\\b",
        ".a",
        "a.",
        "a?",
        "<b>",
        "{{ a() }}",
        "\u{fdfa}",
        "\u{2bf}",
        "日本",
        "a\u{200b}",
        &long,
    ];
    let terms = terms.map(|term| format!("[taxonomies]\ntags = [\"{term}\"]"));
    refused.extend(terms.iter().map(|term| ("r", term.as_str())));
    let accepted = [
        ("2026-02-28-a", ""),
        ("2026-99-99", ""),
        ("2026-02-30-declared", "date = 2026-03-01"),
        ("1970-01-01", ""),
        ("2999-12-31-b", ""),
        ("com", "date = 2026-03-02"),
        ("template", "template = \"page.html\""),
        ("own", "template = \"own.html\""),
        (
            "extra",
            "[extra]\na = nan\nb = -inf\nc = 9223372036854775807\nd = 07:32:00\ne = 1979-05-27T07:32:00.9-07:00\nf = 9999-12-31\ng = [1, \"+\", { h = {} }]\ntitle = \"<b>{{ a() }}\"",
        ),
        (
            "terms",
            "[taxonomies]\ntags = [\"A b\", \"a-b\", \"TLS 1.3\", \"x86_64\", \"C++\", \"con\", \"page\", \"a 日本\", \"é e\"]",
        ),
        ("same", "[taxonomies]\ntags = [\"a b\", \"A B\", \"a b\"]"),
    ];
    let site = Folder::real_site();
    let config = site.read("config.toml");
    let config = config.replace(
        "[slugify]\n",
        "taxonomies = [{ name = \"tags\", feed = true, paginate_by = 1 }]\n\n[slugify]\n",
    );
    site.write("config.toml", &config);
    site.write("templates/own.html", "{{ page.title }}");
    for template in ["list", "single"] {
        site.write(&format!("templates/tags/{template}.html"), template);
    }
    for (folder, manifest) in refused {
        site.write(&format!("data/{folder}/report.toml"), manifest);
        site.write(&format!("data/{folder}/table.csv"), TABLE);
        let run = generator(site.path(), &["ingest", &format!("data/{folder}")]);
        assert_eq!(run.code, Some(3), "{folder}: {manifest}\n{}", run.stderr);
        assert!(
            run.stderr.contains(&format!("data/{folder}/report.toml:")),
            "{}",
            run.stderr
        );
        std::fs::remove_dir_all(site.join("data")).unwrap();
    }
    for (folder, manifest) in accepted {
        site.write(&format!("data/{folder}/report.toml"), manifest);
        site.write(&format!("data/{folder}/table.csv"), TABLE);
    }
    generator(site.path(), &["ingest", "-q", "data"]).success();
    for slugs in ["on", "safe", "off"] {
        let config = config.replace(
            "[slugify]\n",
            &format!("[slugify]\ntaxonomies = \"{slugs}\"\n"),
        );
        site.write("config.toml", config);
        build(site.path(), "/").success();
        for file in ["index.html", "tags/index.html", "perf/index.html"] {
            assert_ne!(
                site.read(&format!("public/{file}")),
                "single",
                "{slugs}: {file}"
            );
        }
    }
}

/// Git for Windows converts line ends by default, and pages are compared byte for byte.
#[test]
fn clones_on_windows_are_current() {
    let around = Folder::new();
    generator(around.path(), &["init", "whole"]).success();
    around.write("into/config.toml", "base_url = \"/\"\n");
    around.write("into/templates/page.html", "a\n");
    around.write("into/data/r/table.csv", TABLE);
    around.write("into/data/r/report.toml", "title = \"a\"\n");
    generator(around.path(), &["init", "--into", "into"]).success();
    generator(&around.join("into"), &["ingest", "-q", "data"]).success();
    for site in ["whole", "into"] {
        let git = |folder: &str, arguments: &[&str]| {
            let mut git = std::process::Command::new("git");
            git.current_dir(around.join(folder));
            git.args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "core.autocrlf=true",
            ]);
            common::run(git.args(arguments)).success()
        };
        git(site, &["init", "-q"]);
        git(site, &["add", "."]);
        git(site, &["commit", "-q", "-m", "a"]);
        let clone = format!("{site}-clone");
        git(".", &["clone", "-q", site, &clone]);
        generator(&around.join(&clone), &["ingest", "--check", "data"]).success();
        assert!(
            !around
                .read(&format!("{clone}/content/perf/_index.md"))
                .contains('\r')
        );
    }
    assert!(around.read("into-clone/templates/page.html").contains('\r'));
    let own = std::fs::read(repository().join(".gitattributes")).unwrap();
    assert_eq!(around.read("whole/.gitattributes").as_bytes(), own);
}

/// The folder of the report's pages. Asserts that the only other new pages cover all reports.
fn address_of_new_pages(name: &str, before: &Tree, after: &Tree) -> String {
    let mut kept = after.clone();
    kept.retain(|path, _| before.contains_key(path));
    assert_same(&kept, before, name);
    let mut addresses = BTreeSet::new();
    for path in after.keys().filter(|p| !before.contains_key(*p)) {
        let inside = path
            .strip_prefix("site/content/perf/")
            .unwrap_or_else(|| panic!("{name:?} made {path}"));
        let shared = [
            "compare/",
            "home/",
            "implementations/",
            "method/",
            "scenarios/",
        ];
        let below_shared = shared.iter().find_map(|folder| inside.strip_prefix(folder));
        let inside = &inside.replace("/figures/", "/");
        let parts: Vec<&str> = below_shared.unwrap_or(inside).split('/').collect();
        assert!(
            parts.len() <= 2
                && inside
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_./".contains(&b))
                && !inside.contains(".."),
            "{name:?} made {path}"
        );
        if below_shared.is_none() && parts.len() == 2 {
            addresses.insert(parts[0].to_owned());
        }
    }
    assert_eq!(addresses.len(), 1, "{name:?}: {addresses:?}");
    addresses.pop_first().expect("one address")
}

#[test]
fn rejects_two_folders_with_one_address() {
    let site = Folder::site();
    for name in ["a b", "a-b"] {
        site.write(&format!("data/{name}/table.csv"), TABLE);
        site.write(&format!("data/{name}/report.toml"), "");
    }
    let refused = generator(site.path(), &["ingest", "data"]).code_is(3);
    refused.says("its pages would have the addresses of those of data/a b");
}

#[test]
fn does_not_follow_symlinks_in_data() {
    let folder = Folder::site()
        .with("outside/secret.md", "the secret")
        .with("outside/secret.toml", "title = \"the secret\"\n")
        .with(
            "outside/secret.csv",
            "scenario,unit,rustls 1\nthe secret,ns,5\n",
        );
    for (name, target) in [
        ("notes.md", "secret.md"),
        ("report.toml", "secret.toml"),
        ("more.csv", "secret.csv"),
    ] {
        let site = Folder::site().with("data/r/table.csv", TABLE);
        symlink(
            folder.join("outside").join(target),
            site.join("data/r").join(name),
        )
        .unwrap();
        let run = generator(site.path(), &["ingest", "data/r"]);
        let leaked = site
            .tree()
            .values()
            .any(|bytes| String::from_utf8_lossy(bytes).contains("the secret"));
        assert!(!leaked, "{name} was followed: {}", run.stderr);
        assert!(
            run.code == Some(0) || run.stderr.contains("symbolic link"),
            "{}",
            run.stderr
        );
    }
    let site = Folder::site()
        .with("data/r/report.toml", "")
        .with("data/r/table.csv", TABLE);
    symlink(folder.join("outside"), site.join("data/linked")).unwrap();
    generator(site.path(), &["ingest", "data"]).success();
    assert!(!site.join("content/perf/linked").exists());
}

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

/// Zola publishes what lies beside the pages, without their policy.
#[test]
fn a_check_names_foreign_files_in_the_generators_folders() {
    let site = Folder::site()
        .with("data/r/report.toml", "machine = \"m\"\n")
        .with("data/r/table.csv", TABLE)
        // Pages of others are beside ours, and a file without a suffix is not published.
        .with("content/perf/about.md", "+++\n+++\nWords.\n")
        .with("content/perf/more/index.md", "+++\n+++\nWords.\n")
        .with("content/perf/more/picture.png", "")
        .with("content/perf/r/.gitkeep", "");
    let check = || generator(site.path(), &["ingest", "data", "--check"]);
    generator(site.path(), &["ingest", "-q", "data"]).success();
    check().success();
    for foreign in [
        "content/perf/evil.html",
        "content/perf/r/evil.html",
        "content/perf/r/.evil.html",
        "content/perf/r/evil.svg",
        "content/perf/r/evil.md",
        "content/perf/r/below/evil.html",
        "content/perf/r/.below/evil.html",
        "content/perf/r/figures/evil.js",
        "content/perf/scenarios/evil/index.md",
    ] {
        site.write(foreign, "<script>");
        let line = format!("  {foreign} was not written by the generator: move it away\n");
        let mut said = check().code_is(1).stderr;
        said += "\n";
        assert!(said.contains(&line), "{said}");
        assert_eq!(said.matches("content/").count(), 1, "{said}");
        std::fs::remove_file(site.join(foreign)).expect("removed");
    }
    symlink("/etc", site.join("content/perf/r/etc")).expect("a link");
    check().code_is(1).says("  content/perf/r/etc was not");
    std::fs::remove_file(site.join("content/perf/r/etc")).expect("removed");
    // A site's own list of reports may show pictures.
    site.write("content/perf/_index.md", "+++\n+++\nWords.\n");
    site.write("content/perf/picture.png", "");
    generator(site.path(), &["ingest", "-q", "data"]).success();
    check().success();
}

/// GitHub's runners obey a line of a log that starts with `::`, and `##[` anywhere.
#[test]
fn names_are_no_commands_of_a_runner() {
    let table = |values: [u32; 2]| {
        let mut rows = "run,implementation,scenario,unit,value\n".to_owned();
        for run in 1..=8 {
            for (name, value) in ["::add-mask::a", "##[add-mask]a"].iter().zip(values) {
                rows += &format!("{run},rustls,{name},ns,{}\n", value + run);
            }
        }
        rows
    };
    let folder = Folder::new()
        .with("old.csv", table([100, 100]))
        .with("new.csv", table([200, 200]))
        .with(
            "bad.csv",
            "scenario,unit,::add-mask::a\n::add-mask::b,x\ny\n",
        );
    for arguments in [
        &["compare", "old.csv", "new.csv", "--fail-on-regression", "5"][..],
        &["compare", "old.csv", "missing\n::add-mask::a"],
        &["show", "bad.csv"],
    ] {
        let said = generator(folder.path(), arguments).stderr;
        assert!(said.contains("add-mask"), "{said}");
        let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
        assert!(!said.lines().any(is_command), "{said}");
    }
}

/// Somebody's clone fails on them, or shows another name.
#[test]
fn names_that_other_systems_do_not_have_are_warned_of() {
    for (path, named) in [
        ("aux.csv", "`r/aux.csv`"),
        ("con/a.csv", "`r/con/a.csv`"),
        ("a:b.csv", "`r/a:b.csv`"),
        ("below./a.csv", "`r/below./a.csv`"),
        ("\u{202e}vsc.csv", "`r/\\u{202e}vsc.csv`"),
        ("TABLE.csv", "`r/table.csv`"),
        ("table.csv", ""),
    ] {
        let site = Folder::site()
            .with("data/r/report.toml", "machine = \"m\"\n")
            .with("data/r/table.csv", TABLE)
            .with(&format!("data/r/{path}"), TABLE.replace("encode", "decode"));
        let said = generator(site.path(), &["ingest", "data"]).stderr;
        let warning = "warning: r: this file cannot be checked out on every system, or looks like another; rename it: ";
        match named {
            "" => assert!(!said.contains(warning), "{said}"),
            named => assert!(said.contains(&format!("{warning}{named}\n")), "{said}"),
        }
    }
}

#[test]
fn does_not_write_through_symlinks_in_the_site() {
    for link in [
        "content",
        "content/perf",
        "content/perf/r",
        "content/perf/r/index.md",
    ] {
        let outside = Folder::new().with("mine.txt", "mine");
        let site = Folder::site().with("data/r/table.csv", TABLE);
        std::fs::create_dir_all(site.join(link).parent().unwrap()).unwrap();
        let target = if link.ends_with(".md") {
            outside.join("mine.txt")
        } else {
            outside.path().to_owned()
        };
        symlink(target, site.join(link)).unwrap();
        let refused = generator(site.path(), &["ingest", "data/r"]).code_is(4);
        refused.says("is a symbolic link");
        assert_eq!(outside.tree().len(), 1, "{link}");
        assert_eq!(outside.read("mine.txt"), "mine", "{link}");
    }
    // Staging is outside content/.
    let outside = Folder::new().with("mine.txt", "mine");
    let site = Folder::site().with("data/r/table.csv", TABLE);
    symlink(outside.path(), site.join(".generator-staging")).unwrap();
    generator(site.path(), &["ingest", "-q", "data/r"]).success();
    assert_eq!(outside.tree().len(), 1);
    assert_eq!(outside.read("mine.txt"), "mine");
}

/// A checkout can carry a link in place of any folder that `init` adds files to.
#[test]
fn init_does_not_write_through_symlinks() {
    for (link, options) in [
        ("templates", &[][..]),
        ("data", &[]),
        (".github/workflows", &["--into"]),
        ("static", &["--into"]),
    ] {
        let around = Folder::new();
        around.write("outside/mine.txt", "mine");
        std::fs::create_dir_all(around.join("site").join(link).parent().unwrap()).unwrap();
        symlink(around.join("outside"), around.join("site").join(link)).unwrap();
        if link == "static" {
            // Only a site gets the files of pages.
            around.write("site/config.toml", "base_url = \"/\"\n");
        }
        let before = around.tree();
        let run = generator(around.path(), &[&["init", "site"], options].concat());
        run.code_is(4).says(&format!("{link} is a symbolic link"));
        assert_same(&around.tree(), &before, link);
    }
    // The folder itself may be reached through links if its path says from where.
    let around = Folder::new().with("real/mine.txt", "mine");
    symlink("real", around.join("link")).unwrap();
    generator(around.path(), &["init", "link/site"]).code_is(4);
    let named = around.join("link/site");
    generator(around.path(), &["init", named.to_str().unwrap()]).success();
    assert!(around.join("real/site/config.toml").exists());
}

/// A pull request can carry a list that names the files of others.
#[test]
fn a_list_of_generated_files_names_no_others() {
    let digest = "5".repeat(64);
    let around = Folder::new()
        .with("outside.txt", "mine")
        .with("site/config.toml", "")
        .with("data/table.csv", TABLE);
    for name in [
        "../../../outside.txt",
        "/etc/hostname",
        "../../config.toml",
        "x/index.md",
        "",
        "..",
    ] {
        around.write(
            "site/content/perf/.generated",
            format!("{digest}  {name}\n"),
        );
        let before = around.tree();
        for options in [
            ["--site", "site"].as_slice(),
            &["--prune", "--site", "site"],
        ] {
            let run = generator(around.path(), &[&["ingest", "data"], options].concat());
            run.code_is(3)
                .says(".generated:1: expected a SHA-256 and the name of a generated file");
        }
        assert_same(&around.tree(), &before, name);
    }
}

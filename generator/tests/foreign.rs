//! Ingesting into an existing site, which has its own templates and its own list of reports.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, Tree, assert_same, build, copy, read, repository, tree};

const REPORT: &str = "2026-03-07-x86_64";

const CONFIG: &str = r#"
base_url = "https://example.org"
generate_feeds = true
taxonomies = [{ name = "tags", render = false }]

[slugify]
paths_keep_dates = true
"#;

const LIST: &str = r#"{% for page in section.pages %}
<li><a href="{{ page.permalink | safe }}">{{ page.title }}</a> {{ page.date }}
{% for tag in page.taxonomies["tags"] | default(value=[]) %}[{{ tag }}]{% endfor %}
{% if page.extra.headlines %}{% set figures = load_data(path="content/perf/2026-03-07-x86_64/data.csv") %}
{% for row in figures.records %}{% if row[6] == "resumed handshakes, 1.3, server" %}{{ row[3] }} {{ row[4] }}: {{ row[25] }};{% endif %}{% endfor %}
{% endif %}</li>
{% endfor %}{{ section.content | safe }}
"#;

fn site() -> Folder {
    let page = "<h1>{{ page.title }}</h1>\n{{ page.content | safe }}\n";
    Folder::new()
        .with("config.toml", CONFIG)
        .with("templates/index.html", "{{ section.content | safe }}")
        .with("templates/list.html", LIST)
        .with("templates/measurement.html", page)
        .with("templates/other.html", format!("<!-- other -->{page}"))
        .with("content/_index.md", "+++\n+++\n")
        .with(
            "content/perf/_index.md",
            "+++\ntitle = \"Ours\"\nsort_by = \"date\"\ntemplate = \"list.html\"\npage_template = \"measurement.html\"\n+++\nwritten by hand\n",
        )
        .with(
            "content/perf/2024-05-01-first.md",
            "+++\ntitle = \"By hand\"\ndate = 2024-05-01\n+++\nwords\n",
        )
        .with("content/perf/second/index.md", "+++\ntitle = \"Bundle\"\ndate = 2024-06-01\n+++\n![](a.svg)\n")
        .with("content/perf/second/a.svg", "<svg/>")
}

/// One published report, with `keys` before the contents of its report.toml and `tables` after.
fn data(keys: &str, tables: &str) -> Folder {
    let data = Folder::new();
    copy(&repository().join("data").join(REPORT), &data.join(REPORT));
    let file = format!("{REPORT}/report.toml");
    let toml = data
        .read(&file)
        .replace("previous = \"2025-07-31-x86_64\"\n", "");
    data.write(&file, format!("{keys}\n{toml}\n{tables}"));
    // The notes, like `previous`, refer to an earlier report.
    data.write(&format!("{REPORT}/notes.md"), "");
    data
}

fn ingest(site: &Folder, data: &Folder, more: &[&str]) -> common::Run {
    site.ingest(data.path(), more)
}

fn content(site: &Folder) -> Tree {
    tree(&site.join("content"))
}

/// The site's own list shows figures of a report's `data.csv`; no file of the site is changed.
#[test]
fn adds_pages_and_figures_to_an_existing_site() {
    let added = "[taxonomies]\ntags = [\"performance\", \"x86\"]\n[extra]\nheadlines = true\nday = 2026-03-07\ntext = \"a\\nb\"";
    let data = data("template = \"other.html\"\n", added);
    let site = site();
    let before = site.tree();
    let run = ingest(&site, &data, &["--reports-only"]).success();
    assert!(!run.stderr.contains("note: "), "{}", run.stderr);
    let mut after = site.tree();
    after.retain(|path, _| before.contains_key(path));
    assert_same(&after, &before, "files of the site");
    let written: Vec<String> = content(&site).into_keys().collect();
    // The files of the site and those of the report.
    let mut new = written.clone();
    new.retain(|path| !before.contains_key(&format!("content/{path}")));
    new.retain(|path| !path.starts_with(&format!("perf/{REPORT}/")));
    assert!(new.is_empty(), "{written:?}");

    build(site.path(), "https://example.org").success();
    assert_pages_of_their_own_templates(&site);
    let feed = site.read("public/atom.xml");
    roxmltree::Document::parse(&feed).expect("XML");
    for page in [REPORT, "second", "2024-05-01-first"] {
        let address = format!("https://example.org/perf/{page}/");
        assert!(feed.contains(&address), "{address}");
    }
    ingest(&site, &data, &["--reports-only", "--check"]).success();
}

fn assert_pages_of_their_own_templates(site: &Folder) {
    let list = site.read("public/perf/index.html");
    for figures in [
        "rustls 0.23.37: 7249.08;",
        "OpenSSL 3.6.1: 3780;",
        "2026-03-07\n[performance][x86]",
        "written by hand",
    ] {
        assert!(list.contains(figures), "{figures}: {list}");
    }
    let page = site.read(&format!("public/perf/{REPORT}/index.html"));
    assert!(
        page.starts_with("<!-- other --><h1>rustls 0.23.37"),
        "{page}"
    );
    assert!(page.contains("<table class=\"fit ahead\">"));
    // The page has no links to pages that the site left out.
    assert!(!page.contains("href=\"../"), "{page}");
    for image in page.split("<img src=\"").skip(1) {
        let file = image.split('"').next().expect("a name");
        assert!(
            site.join(&format!("public/perf/{REPORT}/{file}")).is_file(),
            "{file}"
        );
    }
}

/// A site may have reports and their list only; then no link leads to another page.
#[test]
fn writes_only_reports() {
    let site = Folder::real_site();
    let (report, data) = ("2024-11-28-arm64", Folder::new());
    copy(&repository().join("data").join(report), &data.join(report));
    // They link to another report.
    data.write(&format!("{report}/notes.md"), "");
    ingest(&site, &data, &["--reports-only"]).success();
    for (path, text) in content(&site) {
        let Some(path) = path.strip_prefix("perf/") else {
            continue;
        };
        let is_of_report = path.starts_with(&format!("{report}/"));
        assert!(is_of_report || !path.contains('/'), "{path}");
        let is_page = path.ends_with(".md");
        let text = String::from_utf8_lossy(&text);
        for page in ["compare", "home", "implementations", "method", "scenarios"] {
            let link = format!("{page}/");
            assert!(!is_page || !text.contains(&link), "{path}: {link}");
        }
    }
    build(site.path(), "/").success();
}

/// Addresses, feeds, the compare page and the links of templates all change with the section.
#[test]
fn writes_to_another_section() {
    let site = Folder::real_site().with("content/docs/_index.md", "+++\ntitle = \"Docs\"\n+++\n");
    let data = Folder::new();
    for report in ["2025-07-31-x86_64", REPORT] {
        copy(&repository().join("data").join(report), &data.join(report));
    }
    let older = "2025-07-31-x86_64/report.toml";
    let without = data
        .read(older)
        .replace("previous = \"2024-10-18-x86_64\"\n", "");
    data.write(older, without);
    data.write("2025-07-31-x86_64/notes.md", "");
    let run = ingest(&site, &data, &["--section", "docs/perf/"]).success();
    assert!(!run.stderr.contains("note: "), "{}", run.stderr);
    assert!(!site.join("content/perf").exists());
    ingest(&site, &data, &["--section", "docs/perf", "--check"]).success();
    build(site.path(), "https://example.org/sub").success();
    let base = "https://example.org/sub/docs/perf/";
    let page = read(&site.join(&format!("public/docs/perf/{REPORT}/index.html")));
    for part in [
        &format!("rel=\"prev\" href=\"{base}2025-07-31-x86_64/\""),
        &format!("href=\"{base}atom.xml\""),
        &format!("<code>data/{REPORT}"),
    ] {
        assert!(page.contains(part), "{part}");
    }
    for (path, text) in tree(&site.join("public")) {
        let text = String::from_utf8_lossy(&text);
        assert!(!text.contains("sub/perf"), "{path}");
    }
    let front = site.read("public/index.html");
    assert!(front.contains(&format!("href=\"docs/perf/{REPORT}/\"")));
    assert!(site.read("public/docs/index.html").contains(base));
    assert!(
        site.read("public/docs/perf/atom.xml")
            .contains(&format!("{base}{REPORT}/"))
    );
    assert!(site.join("public/docs/perf/compare/index.json").is_file());
}

#[test]
fn rejects_malformed_section_names() {
    let site = site();
    let data = data("", "");
    for path in [
        "",
        "/",
        "..",
        "../x",
        "/perf",
        "docs/../x",
        "docs//perf",
        "Docs",
        "a_b",
        "x y",
        ".",
    ] {
        let run = ingest(&site, &data, &["--section", path]).code_is(2);
        run.says("name a folder below content/");
    }
    ingest(&site, &data, &["--section", "docs/perf"]).success();
}

#[test]
fn refuses_to_replace_a_page_written_by_hand() {
    let path = format!("content/perf/{REPORT}/index.md");
    let site = site().with(&path, "+++\ntitle = \"Mine\"\n+++\n");
    let before = site.tree();
    let refused = ingest(&site, &data("", ""), &[]).code_is(4);
    let expected = format!("{path} was not written by the generator");
    let refused = refused.says(&expected);
    refused.says("rename the report's folder");
    assert_same(&site.tree(), &before, "nothing is written");
}

/// Each error has its line.
#[test]
fn reports_errors_in_front_matter() {
    for (keys, tables, message) in [
        (
            "",
            "[extra]\nx = 1\nkind = \"mine\"",
            "+0: `kind` of [extra]: the generator writes it",
        ),
        (
            "",
            "[taxonomies]\ntags = [\"../x\"]",
            "+0: [taxonomies] takes words of letters and digits",
        ),
        (
            "",
            "[taxonomies]\nyears = [\"2026\"]",
            " [taxonomies] needs one that the site's config.toml declares, not `years`",
        ),
        ("", "[taxonomies]\ntags = [7]", "+1: invalid type"),
        (
            "",
            "[extra]\na = [\"x\\n+++\\n\"]",
            "+1: `+++` in a text of several lines",
        ),
        ("template = 7", "", "1: invalid type"),
    ] {
        let data = data(keys, tables);
        let toml = data.read(&format!("{REPORT}/report.toml"));
        let refused = ingest(&site(), &data, &[]).code_is(3);
        let first = toml.lines().count() - tables.lines().count() + 1;
        let expected = match message.strip_prefix('+') {
            None => message.to_owned(),
            Some(message) => {
                let (line, rest) = message.split_once(':').expect("a line");
                let line = first + line.parse::<usize>().expect("a number");
                format!("{line}:{rest}")
            }
        };
        let expected = format!("report.toml:{expected}");
        assert!(
            refused.stderr.contains(&expected),
            "{expected}\n{}",
            refused.stderr
        );
    }
}

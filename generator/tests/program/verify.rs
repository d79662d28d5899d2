//! A published site, checked against its own downloads by somebody who has nothing else.

use crate::common::{Folder, Run, build, copy, fixture, generator};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::read::GzEncoder;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// The newer of two reports of one machine.
const REPORT: &str = "perf/2026-02-14-small";

/// What Zola builds of a site with two reports, and nothing else.
fn published(site: &Folder, more: &[&str], base_url: &str) -> Folder {
    let data = fixture("report");
    let data = data.to_str().expect("UTF-8");
    generator(site.path(), &[&["-q", "ingest", data], more].concat()).well();
    build(site.path(), base_url).well();
    let alone = Folder::new();
    copy(&site.join("public"), alone.path());
    alone
}

/// A copy of the repository's own site with these reports, below a folder of a host.
fn published_here() -> Folder {
    static BUILT: OnceLock<Folder> = OnceLock::new();
    let base = "https://example.org/sub/folder";
    let built = BUILT.get_or_init(|| published(&Folder::real_site(), &["--no-cards"], base));
    let alone = Folder::new();
    copy(built.path(), alone.path());
    alone
}

fn verify(site: &Path) -> Run {
    generator(Path::new("/"), &["verify", site.to_str().expect("UTF-8")])
}

/// Replaces one text of a file.
#[track_caller]
fn edit(site: &Folder, path: &str, [from, to]: [&str; 2]) {
    let text = site.read(path);
    assert!(text.contains(from), "{path} has no {from}");
    site.write(path, text.replacen(from, to, 1));
}

/// Each difference that is told, and no other.
#[track_caller]
fn assert_told(site: &Folder, expected: &[&str]) {
    let said = verify(site.path()).code_is(1).stderr;
    for one in expected {
        assert!(said.contains(one), "no `{one}` in:\n{said}");
    }
    assert_eq!(said.lines().count(), 1 + expected.len(), "{said}");
}

#[test]
fn one_figure_of_one_page_is_found() {
    let site = published(&Folder::real_site(), &[], "https://example.org/sub/folder");
    let well = verify(site.path()).well().stderr;
    assert!(well.starts_with("2 reports: all "), "{well}");
    // A page of the author's own.
    site.write("perf/mine/index.html", "<p>OpenSSL has 1,234,567 lines</p>");
    edit(
        &site,
        &format!("{REPORT}/index.html"),
        [">7,849<", ">7,859<"],
    );
    let said = "small/index.html, transfer, 1.3, aes-256-gcm, sending: has `7,859`; the inputs give `7,849`";
    assert_told(&site, &[said]);
}

#[test]
fn every_kind_of_difference_is_told() {
    let site = published_here();
    let in_report = |file: &str| format!("{REPORT}/{file}");
    let page = in_report("index.html");
    edit(&site, &page, ["± 0.9%", "± 0.8%"]);
    edit(&site, &page, ["transfer.svg", "other.svg"]);
    edit(&site, &page, ["</tbody>", "<tr><td>mine</td></tr></tbody>"]);
    edit(&site, &page, ["generator 0.", "generator 9."]);
    // Figures that templates show, and those of a graph's alternative text.
    edit(&site, "index.html", ["2,418", "9,418"]);
    let history = "perf/scenarios/transfer-1-3-aes-256-gcm-sending/index.html";
    site.write("perf/scenarios/more/index.html", site.read(history));
    edit(&site, history, ["to 7,849", "to 7,859"]);
    edit(&site, &in_report("transfer.svg"), ["x=\"", "x=\"1"]);
    edit(&site, &in_report("data.csv"), ["5586.19", "5587.19"]);
    edit(&site, &in_report("data.json"), ["5586.19", "5587.19"]);
    for removed in ["perf/method/index.html", &in_report("full-handshakes.svg")] {
        fs::remove_file(site.join(removed)).expect("removed");
    }
    site.write(&in_report("more.svg"), "");
    assert_told(
        &site,
        &[
            "small/index.html, transfer, 1.3, aes-256-gcm, receiving: has `0.8%`; the inputs give `0.9%`",
            "has `perf/2026-02-14-small/other.svg`; the inputs give `perf/2026-02-14-small/transfer.svg`",
            "has `mine`, which the inputs do not give",
            "small/index.html, Downloads: has `9.",
            "  index.html has `Gauge: rustls 0.23.41 with 9,418",
            "sending/index.html, Test bench: has `7,859`; the inputs give `7,849`",
            "small/transfer.svg does not match the inputs",
            "small/data.csv does not match the inputs: line 3 is `2,OpenSSL,3.6.1",
            "small/data.json does not match the inputs",
            "perf/method/index.html is missing",
            "small/full-handshakes.svg is missing",
            "small/more.svg is not made from the inputs",
            "perf/scenarios/more/index.html is a generated page, but the inputs do not give it",
        ],
    );
}

#[test]
fn inputs_are_what_the_pages_are_made_of() {
    let site = published_here();
    let inputs = site.join(&format!("{REPORT}/inputs.tar.gz"));
    let sound = fs::read(&inputs).expect("an archive");
    let said_of = |archive: &[u8]| {
        fs::write(&inputs, archive).expect("written");
        verify(site.path()).code_is(1).stderr
    };
    let edited = |from: &str, to: &str| {
        let (mut tar, mut packed) = (String::new(), Vec::new());
        let unpacked = GzDecoder::new(&sound[..]).read_to_string(&mut tar);
        unpacked.expect("text");
        assert!(tar.contains(from) && from.len() == to.len());
        let tar = tar.replacen(from, to, 1);
        let mut reader = GzEncoder::new(tar.as_bytes(), Compression::fast());
        reader.read_to_end(&mut packed).expect("packed");
        said_of(&packed)
    };
    let said = edited("5586.19", "6586.19");
    for differs in [
        "inputs.tar.gz does not match",
        "data.csv does not match",
        "index.html, transfer, 1.3",
    ] {
        assert!(said.contains(differs), "{said}");
    }
    let said = edited("5586.19", "55x6.19");
    assert!(said.contains("inputs of 2026-02-14-small/"), "{said}");
    assert!(said_of(b"").contains("inputs.tar.gz cannot be unpacked"));
    fs::remove_file(&inputs).expect("removed");
    assert_told(&site, &["perf/2026-02-14-small offers no inputs.tar.gz"]);
    fs::write(&inputs, &sound).expect("written");
    copy(&site.join(REPORT), &site.join("perf/2026-03-14-small"));
    assert_told(
        &site,
        &["holds the inputs of 2026-02-14-small, not those of 2026-03-14-small"],
    );
}

#[test]
fn a_site_with_templates_of_its_own_is_checked_alike() {
    let site = Folder::new()
        .with("config.toml", "base_url = \"/\"\nminify_html = false\n[markdown]\nsmart_punctuation = true\ninsert_anchor_links = \"right\"\n")
        .with("content/docs/_index.md", "+++\ntitle = \"Docs\"\n+++\n")
        .with("content/docs/perf/_index.md", "+++\ntitle = \"Ours\"\n+++\nWritten by hand.\n")
        .with("templates/page.html", "<main><h1>{{ page.title }}</h1>{{ page.content | safe }}</main>")
        .with("templates/section.html", "<main>{{ section.content | safe }}</main>")
        .with("templates/index.html", "Home");
    let site = published(
        &site,
        &["--section", "docs/perf", "--no-cards"],
        "https://example.org/tls/",
    );
    verify(site.path()).well();
    let page = "docs/perf/2026-02-14-small/index.html";
    edit(&site, page, [">7,849<", ">7,859<"]);
    assert_told(&site, &["sending: has `7,859`; the inputs give `7,849`"]);
}

#[test]
fn what_is_no_published_site_is_told() {
    let site = Folder::real_site();
    let said = verify(&site.join("none")).code_is(4).stderr;
    assert!(
        said.contains("cannot read") && said.contains("none"),
        "{said}"
    );
    let said = verify(site.path()).code_is(2).stderr;
    assert!(said.contains("is not a published site"), "{said}");
    let public = published_here();
    let said = verify(&public.join("perf")).code_is(2).stderr;
    assert!(said.contains("is part of a site"), "{said}");
}

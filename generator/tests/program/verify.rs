//! `generator verify`: a published site checked against its own downloads only.

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

/// The published files of a site with two reports, and nothing else.
fn published(site: &Folder, options: &[&str], base_url: &str) -> Folder {
    let data = fixture("report");
    let data = data.to_str().expect("UTF-8");
    generator(site.path(), &[&["-q", "ingest", data], options].concat()).success();
    build(site.path(), base_url).success();
    let alone = Folder::new();
    copy(&site.join("public"), alone.path());
    alone
}

/// A copy of the published files of this repository's site with these reports, in a folder of a
/// host.
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

/// Asserts that exactly the expected differences are reported.
#[track_caller]
fn assert_reported(site: &Folder, expected: &[&str]) {
    let stderr = verify(site.path()).code_is(1).stderr;
    for one in expected {
        assert!(stderr.contains(one), "no `{one}` in:\n{stderr}");
    }
    assert_eq!(stderr.lines().count(), 1 + expected.len(), "{stderr}");
}

#[test]
fn one_changed_figure_is_found() {
    let site = published(&Folder::real_site(), &[], "https://example.org/sub/folder");
    let well = verify(site.path()).success().stderr;
    assert!(well.starts_with("2 reports: all "), "{well}");
    // A page that is not generated.
    site.write("perf/mine/index.html", "<p>OpenSSL has 1,234,567 lines</p>");
    edit(
        &site,
        &format!("{REPORT}/index.html"),
        [">7,849<", ">7,859<"],
    );
    let expected = "small/index.html, transfer, 1.3, aes-256-gcm, sending: has `7,859`; the inputs give `7,849`";
    assert_reported(&site, &[expected]);
}

#[test]
fn every_kind_of_difference_is_reported() {
    let site = published_here();
    let in_report = |file: &str| format!("{REPORT}/{file}");
    let page = in_report("index.html");
    edit(&site, &page, ["± 0.9%", "± 0.8%"]);
    edit(&site, &page, ["transfer.svg", "other.svg"]);
    edit(&site, &page, ["</tbody>", "<tr><td>mine</td></tr></tbody>"]);
    edit(&site, &page, ["generator 0.", "generator 9."]);
    // Figures shown by templates, and in the alternative text of a graph.
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
    assert_reported(
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
fn damaged_inputs_are_reported() {
    let site = published_here();
    let inputs = site.join(&format!("{REPORT}/inputs.tar.gz"));
    let valid = fs::read(&inputs).expect("an archive");
    let stderr_of = |archive: &[u8]| {
        fs::write(&inputs, archive).expect("written");
        verify(site.path()).code_is(1).stderr
    };
    let edited = |from: &str, to: &str| {
        let (mut tar, mut packed) = (String::new(), Vec::new());
        let unpacked = GzDecoder::new(&valid[..]).read_to_string(&mut tar);
        unpacked.expect("text");
        assert!(tar.contains(from) && from.len() == to.len());
        let tar = tar.replacen(from, to, 1);
        let mut reader = GzEncoder::new(tar.as_bytes(), Compression::fast());
        reader.read_to_end(&mut packed).expect("packed");
        stderr_of(&packed)
    };
    let stderr = edited("5586.19", "6586.19");
    for differs in [
        "inputs.tar.gz does not match",
        "data.csv does not match",
        "index.html, transfer, 1.3",
    ] {
        assert!(stderr.contains(differs), "{stderr}");
    }
    let stderr = edited("5586.19", "55x6.19");
    assert!(stderr.contains("inputs of 2026-02-14-small/"), "{stderr}");
    assert!(stderr_of(b"").contains("inputs.tar.gz cannot be unpacked"));
    fs::remove_file(&inputs).expect("removed");
    assert_reported(&site, &["perf/2026-02-14-small offers no inputs.tar.gz"]);
    fs::write(&inputs, &valid).expect("written");
    copy(&site.join(REPORT), &site.join("perf/2026-03-14-small"));
    assert_reported(
        &site,
        &["holds the inputs of 2026-02-14-small, not those of 2026-03-14-small"],
    );
}

#[test]
fn a_site_with_custom_templates_is_verified() {
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
    verify(site.path()).success();
    let page = "docs/perf/2026-02-14-small/index.html";
    edit(&site, page, [">7,849<", ">7,859<"]);
    assert_reported(&site, &["sending: has `7,859`; the inputs give `7,849`"]);
}

#[test]
fn folders_that_are_not_a_published_site_are_refused() {
    let site = Folder::real_site();
    let stderr = verify(&site.join("none")).code_is(4).stderr;
    assert!(
        stderr.contains("cannot read") && stderr.contains("none"),
        "{stderr}"
    );
    let stderr = verify(site.path()).code_is(2).stderr;
    assert!(stderr.contains("is not a published site"), "{stderr}");
    let public = published_here();
    let stderr = verify(&public.join("perf")).code_is(2).stderr;
    assert!(stderr.contains("is part of a site"), "{stderr}");
}

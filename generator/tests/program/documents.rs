//! The documents: their links lead somewhere, and the tests that they name exist.

use crate::common::{files, read, repository};
use regex::Regex;
use std::path::{Path, PathBuf};

/// The documents for people, without pages and fixtures.
fn documents() -> Vec<PathBuf> {
    let named = [
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "README.md",
        "SECURITY.md",
        "data/README.md",
        "examples/README.md",
        "generator/README.md",
        "generator/certificates/README.md",
        "generator/embedded/site/README.md",
        "generator/runners/README.md",
        "generator/tests/fixtures/README.md",
    ];
    let mut all = named.map(|name| repository().join(name)).to_vec();
    all.extend(files(&repository().join("docs")));
    all
}

/// The lines of a document that are no code, with their numbers.
fn text(path: &Path) -> Vec<(usize, String)> {
    let (mut lines, mut is_code) = (Vec::new(), false);
    for (number, line) in read(path).lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with("    ") {
            lines.push((number + 1, line.to_owned()));
        }
    }
    lines
}

/// The ids that GitHub gives to the headings of a document.
fn anchors(path: &Path) -> Vec<String> {
    let headings = text(path)
        .into_iter()
        .filter(|(_, line)| line.starts_with('#'));
    let id = |(_, heading): (usize, String)| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(id).collect()
}

#[test]
fn links_lead_somewhere() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a pattern");
    let mut broken = Vec::new();
    for path in documents() {
        for (number, line) in text(&path) {
            for found in link.captures_iter(&line) {
                let (file, anchor) = found[1].split_once('#').unwrap_or((&found[1], ""));
                if file.contains(':') {
                    continue;
                }
                let folder = path.parent().expect("a folder");
                let target = if file.is_empty() {
                    path.clone()
                } else {
                    folder.join(file)
                };
                let is_there = target.exists()
                    && (anchor.is_empty() || anchors(&target).iter().any(|id| id == anchor));
                if !is_there {
                    broken.push(format!("{}:{number}: {}", path.display(), &found[1]));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// SECURITY.md names a test for each promise.
#[test]
fn promised_tests_exist() {
    let generator = repository().join("generator");
    let sources = ["src", "tests"]
        .map(|part| files(&generator.join(part)))
        .concat();
    let sources: Vec<_> = sources
        .iter()
        .filter(|path| path.extension() == Some("rs".as_ref()))
        .collect();
    let code: String = sources.iter().map(|path| read(path)).collect();
    let named = Regex::new(r"`(?:([a-z_/]+\.rs)(?:::)?|[a-z_/]+::)([a-z_]*)`").expect("a pattern");
    let security = read(&repository().join("SECURITY.md"));
    let case = Regex::new(r"`(cases/[a-z]+\.txt): ([^`]+)`").expect("a pattern");
    let mut names = 0;
    for found in case.captures_iter(&security) {
        names += 1;
        let cases = read(&generator.join("tests").join(&found[1]));
        assert!(
            cases.contains(&format!("\n== {}\n", &found[2])),
            "{found:?}"
        );
    }
    for found in named.captures_iter(&security) {
        names += 1;
        let file = found.get(1).map_or("", |file| file.as_str());
        assert!(
            sources.iter().any(|path| path.ends_with(file)) || file.is_empty(),
            "{file}"
        );
        let test = format!("fn {}", &found[2]);
        assert!(code.contains(&test), "{test}");
    }
    assert!(names > 30, "{names} tests are named");
}

//! `generator verify`: checks a published site against its own downloads.

use super::ingest::SectionFiles;
use super::read;
use crate::cli::Verify;
use crate::console::quietly;
use crate::failure::{Failure, Result};
use crate::fs;
use crate::inputs::{self, ARCHIVE};
use crate::page;
use crate::published::{self, Chunk, Difference, Sentences};
use crate::render::Pages;
use anyhow::Context;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Maximum number of differences shown per page.
const MAX_PER_PAGE: usize = 5;
/// Maximum number of differences shown in all.
const MAX_SHOWN: usize = 100;

/// Runs the command. Fails if anything differs, or if the folder is not a site with reports.
pub(super) fn verify(arguments: &Verify) -> Result<()> {
    let root = &arguments.site;
    let files = SiteFiles::of(root)?;
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files.all.iter().filter(|path| name_of(path) == ARCHIVE) {
        let report = folder_of(path);
        let (section, name) = (folder_of(report), name_of(report));
        let reports = sections.entry(section.to_owned()).or_default();
        reports.push(name.to_owned());
    }
    if sections.is_empty() {
        let site = root.display();
        return Err(Failure::Usage(format!(
            "{site} is not a published site: no report in it offers its {ARCHIVE}; name the folder that Zola has built"
        )));
    }
    let (mut found, mut reports, mut checked) = (Vec::new(), 0, 0);
    for (section, names) in &sections {
        let is_of_content = |name| files.all.contains(&join(section, &join(name, "index.md")));
        if section.is_empty() || names.iter().any(|name| is_of_content(name)) {
            let site = root.display();
            return Err(Failure::Usage(format!(
                "{site} is part of a site; name the whole folder that Zola has built"
            )));
        }
        reports += names.len();
        let without = without_inputs(&files, section);
        if !without.is_empty() {
            found.extend(without);
            continue;
        }
        match regenerate(&files, section, names)? {
            Ok(made) => {
                checked += made.len();
                found.extend(compare(&files, section, &made)?);
            }
            Err(problems) => found.extend(problems),
        }
    }
    found.sort();
    if !found.is_empty() {
        return Err(Failure::Difference(summary(&found)));
    }
    let reports = page::count(reports, "report");
    crate::inform!("{reports}: all {checked} files match the inputs offered");
    Ok(())
}

fn summary(found: &[String]) -> String {
    let shown = found[..found.len().min(MAX_SHOWN)].join("\n  ");
    let more = match found.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let count = page::count(found.len(), "difference");
    let version = env!("CARGO_PKG_VERSION");
    format!("{count} from what generator {version} makes of the inputs offered:\n  {shown}{more}")
}

/// The site's files, by path below its folder.
struct SiteFiles<'a> {
    root: &'a Path,
    all: BTreeSet<String>,
}

impl<'a> SiteFiles<'a> {
    fn of(root: &'a Path) -> Result<Self> {
        let below = |path: &PathBuf| {
            let path = path
                .strip_prefix(root)
                .map_or(path.as_path(), |below| below);
            path.to_string_lossy().into_owned()
        };
        let all = fs::walk(root)?.iter().map(below).collect();
        Ok(Self { root, all })
    }

    fn read(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        fs::read_whole(&self.root.join(path))
    }

    fn text(&self, path: &str) -> anyhow::Result<String> {
        Ok(String::from_utf8_lossy(&self.read(path)?).into_owned())
    }
}

/// Returns the folder of a path below a site.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last part of a path below a site.
fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Joins a path to a folder, which may be the site itself.
fn join(folder: &str, below: &str) -> String {
    match folder {
        "" => below.to_owned(),
        _ => format!("{folder}/{below}"),
    }
}

/// Returns a message for each report that offers no inputs to make its pages from.
fn without_inputs(files: &SiteFiles<'_>, section: &str) -> Vec<String> {
    let lacks_inputs = |path: &&String| {
        let (report, file) = (folder_of(path), name_of(path));
        let is_report = folder_of(report) == section && file == "data.csv";
        is_report && !files.all.contains(&join(report, ARCHIVE))
    };
    let without = files.all.iter().filter(lacks_inputs);
    let message = |path: &String| {
        let report = folder_of(path);
        format!(
            "{report} offers no {ARCHIVE}; without it, neither its page nor those over all reports can be made"
        )
    };
    without.map(message).collect()
}

/// Makes the pages of these reports from their inputs, by path below the site. The inner error says
/// what is wrong with the inputs.
fn regenerate(
    files: &SiteFiles<'_>,
    section: &str,
    names: &[String],
) -> Result<std::result::Result<Pages, Vec<String>>> {
    let scratch = tempfile::tempdir().context("cannot create a temporary folder")?;
    let (mut folders, mut problems) = (Vec::new(), Vec::new());
    for (index, name) in names.iter().enumerate() {
        let path = join(section, &format!("{name}/{ARCHIVE}"));
        let to = scratch.path().join(index.to_string());
        match inputs::unpack(&files.read(&path)?, name, &to)? {
            Ok(folder) => folders.push(folder),
            Err(message) => problems.push(format!("{path} {message}")),
        }
    }
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    let list = join(section, "index.html");
    let lists = !files.all.contains(&list) || fs::is_marked(&files.read(&list)?);
    let made = quietly(|| read::reports(&folders))
        .and_then(|reports| SectionFiles::of(&reports, section, lists, false, None));
    match made {
        Ok(made) => {
            let pages = made.pages.into_iter();
            let pages = pages.map(|(path, bytes)| (join(section, &path), bytes));
            Ok(Ok(pages.collect()))
        }
        Err(Failure::BadInput(problems)) => {
            let named = problems.into_iter().map(|mut problem| {
                if let Ok(numbered) = problem.path.strip_prefix(scratch.path()) {
                    problem.path = numbered.components().skip(1).collect();
                }
                format!("inputs of {problem}")
            });
            Ok(Err(named.collect()))
        }
        Err(failure) => Err(failure),
    }
}

/// Returns the differences between the site and the pages `made` from its inputs.
fn compare(files: &SiteFiles<'_>, section: &str, made: &Pages) -> Result<Vec<String>> {
    let mut sentences = Sentences::default();
    let mut pages: BTreeMap<String, Vec<Chunk>> = BTreeMap::new();
    // Files beside a page in content/ are beside it on the site too, whatever its address.
    let mut folders: BTreeMap<&str, String> = BTreeMap::new();
    for (path, bytes) in made.iter().filter(|(path, _)| path.ends_with(".md")) {
        let text = String::from_utf8_lossy(bytes);
        let [head, _] = published::parts(&text);
        let head: toml::Table = toml::from_str(head).context("cannot read front matter")?;
        let folder = folder_of(path);
        // A section has the address of its folder.
        let address = head.get("path").and_then(toml::Value::as_str);
        let address = address.unwrap_or(folder).to_owned();
        let chunks = published::of_markdown(&text, &format!("{address}/"));
        sentences.know(&chunks);
        sentences.watch(&toml::Value::Table(head));
        pages.insert(join(&address, "index.html"), chunks);
        folders.insert(folder, address);
    }
    let others = made.iter().filter(|(path, _)| !path.ends_with(".md"));
    let others = others.map(|(path, bytes)| {
        let (folder, name) = (folder_of(path), name_of(path));
        let folder = folders.get(folder).map_or(folder, String::as_str);
        (join(folder, name), bytes.as_slice())
    });
    let others: BTreeMap<String, &[u8]> = others.collect();
    let all = files.all.par_iter();
    let all = all.map(|path| differences_in(files, section, path, &pages, &others, &sentences));
    let mut found = all.collect::<anyhow::Result<Vec<_>>>()?.concat();
    let made = pages.keys().chain(others.keys());
    let missing = made.filter(|path| !files.all.contains(*path));
    found.extend(missing.map(|path| format!("{path} is missing")));
    Ok(found)
}

/// Returns the differences in one file of the site.
fn differences_in(
    files: &SiteFiles<'_>,
    section: &str,
    path: &str,
    pages: &BTreeMap<String, Vec<Chunk>>,
    others: &BTreeMap<String, &[u8]>,
    sentences: &Sentences,
) -> anyhow::Result<Vec<String>> {
    if let Some(expected) = others.get(path) {
        let bytes = files.read(path)?;
        let differs = || format!("{path} {}", describe_bytes(expected, &bytes));
        return Ok((bytes != *expected).then(differs).into_iter().collect());
    }
    let is_feed = path.ends_with(".xml");
    if !is_feed && !path.ends_with(".html") {
        let is_beside_ours = pages.contains_key(&join(folder_of(path), "index.html"));
        let is_extra = is_beside_ours && folder_of(path) != section;
        let extra = || format!("{path} is not made from the inputs");
        return Ok(is_extra.then(extra).into_iter().collect());
    }
    let html = files.text(path)?;
    let chunks = published::of_html(&html, path.trim_end_matches("index.html"));
    let mut found: Vec<String> = match pages.get(path) {
        Some(expected) => {
            let all = published::differences(expected, &chunks);
            let more = all.len().saturating_sub(MAX_PER_PAGE);
            let shown = all.iter().take(MAX_PER_PAGE).map(|d| describe(path, d));
            let more = (more > 0).then(|| format!("{path} has {more} more"));
            shown.chain(more).collect()
        }
        None if fs::is_marked(html.as_bytes()) => vec![format!(
            "{path} is a generated page, but the inputs do not give it"
        )],
        None => Vec::new(),
    };
    for chunk in chunks {
        if found.is_empty()
            && let Some(meant) = sentences.meant(&chunk.text)
        {
            found.push(format!(
                "{path} has `{}`; its inputs give `{meant}`",
                chunk.text
            ));
        }
    }
    Ok(found)
}

fn describe(path: &str, difference: &Difference) -> String {
    let place = match difference.place.as_str() {
        "" => String::new(),
        place => format!(", {place}:"),
    };
    match (difference.expected.as_str(), difference.found.as_str()) {
        ("", found) => format!("{path}{place} has `{found}`, which the inputs do not give"),
        (expected, "") => format!("{path}{place} lacks `{expected}`"),
        (expected, found) => format!("{path}{place} has `{found}`; the inputs give `{expected}`"),
    }
}

/// Says that two files differ, and where, if both are text.
fn describe_bytes(expected: &[u8], found: &[u8]) -> String {
    let general = "does not match the inputs";
    let (Ok(expected), Ok(found)) = (str::from_utf8(expected), str::from_utf8(found)) else {
        return general.to_owned();
    };
    let lines = expected.lines().zip(found.lines()).enumerate();
    let differing = lines
        .into_iter()
        .find(|(_, (expected, found))| expected != found);
    match differing {
        // Lines of graphs and of JSON are too long to show.
        Some((index, (expected, found))) if expected.len().max(found.len()) < 200 => {
            let line = index + 1;
            format!("{general}: line {line} is `{found}`, not `{expected}`")
        }
        _ => general.to_owned(),
    }
}

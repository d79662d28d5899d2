//! The repository's own website, and one of odd reports, as built by the real Zola.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod agreement;
#[path = "../common/mod.rs"]
mod common;
mod data;
mod odd;
mod pages;
mod reader;
mod sentences;
mod structure;

use common::{Folder, generator, repository};
use pages::Site;

/// Prints at most so many differences of a check.
const MAX_SHOWN: usize = 10;

type Check = (&'static str, fn(&Site) -> Vec<String>);

/// What holds of any site.
const OF_ANY: [Check; 6] = [
    (
        "figures and verdicts are those of data.csv",
        agreement::disagreements,
    ),
    ("links lead to what they name", structure::links),
    ("elements are as they should be", structure::elements),
    (
        "a page ranks the same libraries everywhere",
        structure::ranks,
    ),
    ("feeds have every report", structure::feeds),
    ("a graph is that of its page", structure::graphs),
];

const OF_OURS: [Check; 5] = [
    ("sentences are those of data.csv", sentences::claims),
    ("answers are those of data.csv", sentences::answers),
    ("the menu has the sections", structure::menu),
    ("pages and the site are small", structure::sizes),
    (
        "a page has the command that repeats it",
        structure::commands,
    ),
];

fn assert_sound(site: &Site, checks: impl Iterator<Item = Check>) {
    let mut failed = String::new();
    for (name, check) in checks {
        let found = check(site);
        if !found.is_empty() {
            let shown = &found[..found.len().min(MAX_SHOWN)];
            failed += &format!(
                "\n{name}: {} differences\n  {}\n",
                found.len(),
                shown.join("\n  ")
            );
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn the_built_site() {
    assert_sound(&Site::of_repository(), OF_ANY.into_iter().chain(OF_OURS));
}

#[test]
fn odd_reports() {
    let site = Site::of_odd_reports();
    assert_sound(&site, OF_ANY.into_iter());
    for (report, expected) in [("2026-01-01-alike", [3, 1]), ("2026-01-02-units", [0, 1])] {
        let page = site.page(&format!("perf/{report}/index.html"));
        let graphs = ["Line", "Bar"].map(|kind| {
            let selector = format!(".panels[aria-label^='{kind} chart: ']");
            pages::select(&page.html, &selector).len()
        });
        assert_eq!(graphs, expected, "{report}");
    }
}

#[test]
fn committed_pages_are_current() {
    generator(&repository(), &["ingest", "data", "--check"]).success();
}

/// The generator knows the pages that it wrote, and writes them anew when the data changes.
#[test]
fn pages_follow_their_data() {
    let site = Folder::site();
    for value in [5, 6] {
        let table = format!("scenario,unit,a 1,b 1\nparse,ns,{value},7\n");
        site.write("data/2026-01-01-x/t.csv", table);
        site.ingest("data".as_ref(), &["-q"]).success();
    }
    assert!(
        site.read("content/perf/2026-01-01-x/data.csv")
            .contains(",6,")
    );
}

//! The repository's own website, as built by the real Zola.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod agreement;
#[path = "../common/mod.rs"]
mod common;
mod data;
mod pages;
mod reader;
mod sentences;
mod structure;

use common::{Folder, generator, repository};
use pages::Site;

/// Prints at most so many differences of a check.
const MAX_SHOWN: usize = 10;

type Check = (&'static str, fn(&Site) -> Vec<String>);

const CHECKS: [Check; 9] = [
    ("sentences are those of data.csv", sentences::claims),
    ("answers are those of data.csv", sentences::answers),
    ("links lead to what they name", structure::links),
    ("elements are as they should be", structure::elements),
    (
        "all parts of a page rank the same libraries",
        structure::ranks,
    ),
    ("pages and the site are small", structure::sizes),
    ("feeds have every report", structure::feeds),
    (
        "a report has the command that repeats it",
        structure::commands,
    ),
    (
        "figures and verdicts are those of data.csv",
        agreement::disagreements,
    ),
];

#[test]
fn the_built_site() {
    let site = Site::of_repository();
    let mut failed = String::new();
    for (name, check) in CHECKS {
        let begun = std::time::Instant::now();
        let found = check(&site);
        println!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
        if !found.is_empty() {
            failed += &format!("\n{name}: {} differences\n", found.len());
            for one in found.iter().take(MAX_SHOWN) {
                failed += &format!("  {one}\n");
            }
        }
    }
    assert!(failed.is_empty(), "{failed}");
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

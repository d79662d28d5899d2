//! The repository's own website, as built by the real Zola.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod agreement;
#[path = "../common/mod.rs"]
mod common;
mod data;
mod pages;
mod reader;

use pages::{Page, Site, select};

/// Prints at most so many differences of a check.
const MAX_SHOWN: usize = 60;

type Check = (&'static str, fn(&Site) -> Vec<String>);

const CHECKS: [Check; 1] = [(
    "figures and verdicts are those of data.csv",
    agreement::disagreements,
)];

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

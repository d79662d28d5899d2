//! A report on revisions without versions is about a change: they are no rivals.

use crate::common::{Folder, generator};

#[test]
fn the_new_revision_is_judged_against_the_old() {
    let side = |name: &str| {
        format!("[[implementation]]\nname = \"{name}\"\nversion = \"\"\nfiles = [\"{name}.txt\"]\n")
    };
    let comparison =
        "[[comparison]]\ntitle = \"old and new\"\nbaseline = \"old\"\ncandidate = \"new\"\n";
    let bench = |ns: u32| -> String {
        let runs = (0..10).map(|run| format!("BenchmarkSeal-8 1 {} ns/op\n", ns + run));
        runs.collect()
    };
    let folder = Folder::site()
        .with(
            "data/codec/report.toml",
            side("old") + &side("new") + comparison,
        )
        .with("data/codec/old.txt", bench(1000))
        .with("data/codec/new.txt", bench(800));
    generator(folder.path(), &["ingest", "data"]).success();
    let report = folder.read("content/perf/codec/index.md");
    for part in [
        "title = \"new against old\"",
        "new against old: 1.25x faster",
        "## What changed {#ahead}",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(!report.contains("tested order"), "{report}");
    // The finding of the only section is said once, below the title.
    assert_eq!(
        report
            .matches("<p class=\"summary\">new against old: 1.25x faster")
            .count(),
        1
    );
    assert_eq!(report.matches("<p>new against old").count(), 0);
    let home = folder.read("content/perf/home/_index.md");
    let question = home.split("<h1>").nth(1).expect("a heading");
    let places = ["new", "old"].map(|name| question.find(&format!(">{name}</span>")));
    assert!(places[0].is_some() && places[0] < places[1], "{question}");
}

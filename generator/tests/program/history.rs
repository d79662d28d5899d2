//! The commits of a branch, as github-action-benchmark keeps them.

use crate::common::{Folder, generator};

/// `data.js` of so many commits with two benchmarks, of which `seal` is slower from the 200th on.
fn data_js(commits: usize) -> String {
    let mut entries = Vec::new();
    for n in 0..commits {
        let noise = 1.0 + ((n * 7919) % 13) as f64 * 1e-3;
        let seal = if n < 200 { 1000.0 } else { 1500.0 };
        let benches = [("seal", seal * noise), ("open", 700.0 / noise)].map(|(name, value)| {
            format!(r#"{{"name": "{name}", "value": {value}, "unit": "ns/iter"}}"#)
        });
        let (day, hour) = (1 + n / 24, n % 24);
        entries.push(format!(
            r#"{{"commit": {{"id": "{n:07x}000", "timestamp": "2024-01-{day:02}T{hour:02}:30:00Z"}}, "tool": "cargo", "benches": [{}]}}"#,
            benches.join(", ")
        ));
    }
    format!(
        r#"window.BENCHMARK_DATA = {{"repoUrl": "https://github.com/a/codec", "entries": {{"Codec": [{}]}}}}"#,
        entries.join(",\n")
    )
}

#[test]
fn a_branch_of_many_commits() {
    let folder = Folder::site().with("data/codec/data.js", data_js(300));
    generator(folder.path(), &["ingest", "data/codec"]).success();
    let note = "Of 300 commits the newest 250 are shown";
    let home = folder.read("content/perf/home/_index.md");
    for part in [
        "<h1>Did the last commit get slower?</h1>",
        "The last new level is since 2024-01-09.0830+00000c8: 1 of 2 scenarios, the largest 1.50x slower in seal.",
        note,
    ] {
        assert!(home.contains(part), "{part} in {home}");
    }
    let report = folder.read("content/perf/codec/index.md");
    assert!(report.contains("date = 2024-01-13"), "{report}");
    let level = r#"<tr><th scope="row">codec 2024-01-09.0830+00000c8</th><td class="words">seal</td><td class="change bad">1.50x slower</td>"#;
    assert!(report.contains(level), "{report}");
    assert!(report.contains("## Commit by commit"), "{report}");
    // A single commit cannot tell who is ahead.
    assert!(!report.contains("{#ahead}"), "{report}");
    // Commits are rows: as columns, they would be 30,000 px wide.
    let figures = folder.read("content/perf/codec/figures/index.md");
    assert!(
        figures.matches("<th scope=\"col\"").count() < 40,
        "{figures}"
    );
    let page = folder.read("content/perf/scenarios/benchmark-seal/index.md");
    assert!(page.contains("2024-01-13.1130+000012b"), "{page}");
    assert!(!page.contains("2024-01-03.0130+0000031"), "{page}");
    // In the order of time, though the figures go up and down.
    let rows = page.split(r#"<th scope="row">"#).skip(1);
    let names: Vec<&str> = rows.filter_map(|row| row.split('>').nth(1)).collect();
    assert_eq!(names.len(), 250);
    assert!(names.is_sorted_by(|a, b| a >= b), "{names:?}");
}

/// A commit is ranked and compared like a release, not left out like an unreleased build.
#[test]
fn runs_of_commits_are_tested() {
    let entry = |id: &str, day: u32, level: u32| {
        let runs: Vec<String> = (0..5)
            .map(|n| {
                format!(
                    r#"{{"name": "seal", "value": {}, "unit": "ns/op"}}"#,
                    level + n
                )
            })
            .collect();
        format!(
            r#"{{"commit": {{"id": "{id}", "timestamp": "2024-01-{day:02}T00:00:00Z"}}, "tool": "go", "benches": [{}]}}"#,
            runs.join(",")
        )
    };
    let text = format!(
        r#"window.BENCHMARK_DATA = {{"repoUrl": "https://github.com/a/codec", "entries": {{"Codec": [{},{}]}}}}"#,
        entry("1111111aa", 1, 1000),
        entry("2222222bb", 2, 1500)
    );
    let folder = Folder::site().with("data/codec/data.js", text);
    generator(folder.path(), &["ingest", "data/codec"]).success();
    let home = folder.read("content/perf/home/_index.md");
    let answer = "codec 2024-01-02.0000+2222222: 1 slower than 2024-01-01.0000+1111111 in 1 scenario. The largest: 1.50x slower in seal.";
    assert!(home.contains(answer), "{home}");
}

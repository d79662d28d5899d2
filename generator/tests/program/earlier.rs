//! A report's changes where the report before is not the baseline.

use crate::common::{Folder, generator};

const FULL: &str = "full handshakes, 1.3, rsa, server";
const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";

/// Reports of successive days with 20 runs of both scenarios around their levels, 0 for none.
/// Returns the page of the last.
fn last_page(levels: &[[f64; 2]]) -> String {
    let mut site = Folder::site();
    for (index, levels) in levels.iter().enumerate() {
        let folder = format!("data/2026-01-0{}-x", index + 1);
        let mut table = "implementation,version,scenario,unit,run,value\n".to_owned();
        for (label, level) in [FULL, SENDING].iter().zip(levels).filter(|of| *of.1 > 0.0) {
            for run in 1..=20 {
                let value = level * (1.0 + 0.0001 * f64::from(run));
                table += &format!("rustls,0.23.1,\"{label}\",handshakes/s,{run},{value}\n");
            }
        }
        site = site
            .with(&format!("{folder}/report.toml"), "machine = \"x\"\n")
            .with(&format!("{folder}/table.csv"), &table);
    }
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let last = format!("content/perf/2026-01-0{}-x/figures/index.md", levels.len());
    site.read(&last)
}

#[test]
fn a_note_names_the_report_of_another_baseline() {
    let page = last_page(&[[100.0, 100.0], [0.0, 100.0], [94.0, 100.0]]);
    let note = "<sup>1</sup> against rustls 0.23.1 in the report of 2026-01-01</p>";
    assert!(page.contains(note), "{page}");
}

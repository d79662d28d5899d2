//! Results of criterion that are left from earlier days: it never removes those of a benchmark that
//! was renamed or no longer runs.

use crate::base::failure::Result;
use crate::base::words::{count, list};
use crate::files;
use crate::report::{Report, below};
use std::path::Path;

/// Hours by which the newest result of the same execution may be newer. No suite takes as long.
const SUITE: u64 = 12;

/// Maximum number of results to name.
const MAX_NAMED: usize = 5;

/// Notes which of a report's results are older than its newest, and by how much.
pub(super) fn note(report: &Report) -> Result<()> {
    let mut results = Vec::new();
    for source in &report.sources {
        if source.path.ends_with("new/benchmark.json") {
            let name = below(&report.folder, &source.path);
            results.push((files::modified(&source.path)?, name));
        }
    }
    results.sort();
    let mut stale = Vec::new();
    for (time, file) in &results {
        // The last is the newest.
        let age = results[results.len() - 1].0.duration_since(*time);
        let hours = age.map_or(0, |age| age.as_secs() / 3600);
        if hours >= SUITE {
            let name = file.ancestors().nth(2).unwrap_or(Path::new("")).display();
            let older = count(hours as usize, "hour");
            stale.push(format!("{name} ({older} older)"));
        }
    }
    if !stale.is_empty() {
        crate::inform!(
            "note: {} of {} in {} are of an earlier day than the newest: {}; remove the folders of benchmarks that no longer run",
            stale.len(),
            count(results.len(), "result"),
            report.folder.display(),
            list(&stale, MAX_NAMED)
        );
    }
    Ok(())
}

//! Results of criterion that are left from earlier days: it never removes those of a benchmark that
//! was renamed or no longer runs.

use crate::base::failure::Result;
use crate::base::words::{count, join};
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
        let newest = results
            .last()
            .map(|(newest, _)| newest.duration_since(*time));
        if let Some(Ok(age)) = newest
            && age.as_secs() / 3600 >= SUITE
        {
            let name = file.ancestors().nth(2).unwrap_or(Path::new("")).display();
            stale.push(format!(
                "{name} ({} older)",
                count((age.as_secs() / 3600) as usize, "hour")
            ));
        }
    }
    let (all, n) = (count(results.len(), "result"), stale.len());
    if n > MAX_NAMED {
        stale.truncate(MAX_NAMED);
        stale.push(format!("{} more", n - MAX_NAMED));
    }
    if n > 0 {
        crate::inform!(
            "note: {n} of {all} in {} are of an earlier day than the newest: {}; remove the folders of benchmarks that no longer run",
            report.folder.display(),
            join(&stale)
        );
    }
    Ok(())
}

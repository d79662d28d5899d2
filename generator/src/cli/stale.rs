//! Results of criterion that are left from earlier days: it never removes those of a benchmark that
//! was renamed or no longer runs.

use crate::base::failure::Result;
use crate::base::words::{count, join};
use crate::files;
use crate::report::{Report, below};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How much older than the newest result one is of another execution. No suite takes as long.
const STALE: Duration = Duration::from_secs(12 * 3600);

/// Maximum number of results to name.
const MAX_NAMED: usize = 5;

/// Notes which of a report's results are older than its newest, and by how much.
pub(super) fn note(report: &Report) -> Result<()> {
    let mut results: Vec<(PathBuf, SystemTime)> = Vec::new();
    for source in &report.sources {
        if source.path.ends_with("new/benchmark.json") {
            let folder = below(&report.folder, &source.path);
            let name = folder.ancestors().nth(2).map(Path::to_owned);
            results.extend(name.zip(Some(files::modified(&source.path)?)));
        }
    }
    let Some(newest) = results.iter().map(|(_, time)| *time).max() else {
        return Ok(());
    };
    let mut stale = Vec::new();
    for (name, time) in &results {
        if let Ok(age) = newest.duration_since(*time)
            && age >= STALE
        {
            stale.push(format!("{} ({} older)", name.display(), words(age)));
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let (all, n) = (count(results.len(), "result"), stale.len());
    if n > MAX_NAMED {
        stale.truncate(MAX_NAMED);
        stale.push(format!("{} more", n - MAX_NAMED));
    }
    crate::inform!(
        "note: {n} of {all} in {} are of an earlier day than the newest: {}; remove the folders of benchmarks that no longer run",
        report.folder.display(),
        join(&stale)
    );
    Ok(())
}

/// `3 days`, `14 hours`.
fn words(age: Duration) -> String {
    let hours = age.as_secs() / 3600;
    match hours {
        0..48 => count(hours as usize, "hour"),
        _ => count((hours / 24) as usize, "day"),
    }
}

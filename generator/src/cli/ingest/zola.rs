//! What Zola refuses, which would build no page of the site then.

use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits;
use crate::base::slug::is_device;
use crate::files;
use crate::parse::{MAX_PROBLEMS, cite};
use crate::report::Report;
use regex::Regex;
use std::path::Path;
use toml::{Table, Value};

/// Fails if a report has a taxonomy that the site lacks, a day that is none, or a name that no folder
/// can have.
pub(super) fn check(root: &Path, reports: &[Report]) -> Result<()> {
    let taxonomies = declared(root)?;
    // What Zola takes for a day at the start of a name, as in `2026-02-301`.
    let like_day = Regex::new("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
    let like_day = like_day.expect("a constant pattern");
    let mut problems = Vec::new();
    for report in reports {
        let folder = files::folder_name(&report.folder);
        let mut refuse = |what, text: &str| {
            let path = report.folder.join("report.toml");
            problems.push(Diagnostic::at(path, 0, cite(what, text)));
        };
        for name in report.manifest.taxonomies.keys() {
            if !taxonomies.contains(name) {
                refuse(
                    "[taxonomies] needs one that the site's config.toml declares, not",
                    name,
                );
            }
        }
        let is_right = match report.day {
            Some(day) => (1970..3000).contains(&day.year()),
            None => !like_day.is_match(&report.name),
        };
        if !is_right {
            let what = "no such day is between 1970 and 2999; rename the folder, or set `date`:";
            refuse(what, &folder);
        }
        if is_device(&report.name) || is_device(&folder) {
            refuse("no folder on Windows can have this name:", &folder);
        }
    }
    problems.truncate(MAX_PROBLEMS);
    failure::if_any(problems)
}

/// The names of the taxonomies that a site's configuration declares.
fn declared(root: &Path) -> Result<Vec<String>> {
    for file in ["config.toml", "zola.toml"] {
        let path = root.join(file);
        if let Some(bytes) = files::read_limited(&path, limits::TEXT)? {
            let config: Table = toml::from_slice(&bytes)
                .map_err(|e| Failure::at(&path, 0, e.message().replace('\n', "; ")))?;
            let taxonomies = config.get("taxonomies").and_then(Value::as_array);
            let name = |one: &Value| Some(one.get("name")?.as_str()?.to_owned());
            return Ok(taxonomies.into_iter().flatten().filter_map(name).collect());
        }
    }
    Ok(Vec::new())
}

//! What a report may not ask of Zola, which would build no page of the site then.

use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits;
use crate::base::slug::is_device;
use crate::files;
use crate::parse::{MAX_PROBLEMS, cite};
use crate::report::Report;
use regex::Regex;
use serde::Deserialize;
use std::path::Path;
use std::sync::LazyLock;

/// Fails if a report has a template or a taxonomy that the site lacks, a day that is none, or a
/// name that no folder can have.
pub(super) fn check(root: &Path, reports: &[Report]) -> Result<()> {
    let config = configuration(root)?;
    let mut problems = Vec::new();
    for report in reports {
        let mut refuse = |message| {
            let path = report.folder.join("report.toml");
            problems.push(Diagnostic::at(path, 0, message));
        };
        for name in report.manifest.taxonomies.keys() {
            if !config.taxonomies.iter().any(|known| known.name == *name) {
                let what = "[taxonomies] needs one that the site's config.toml declares, not";
                refuse(cite(what, name));
            }
        }
        if let Some(template) = &report.manifest.template
            && !has_template(root, config.theme.as_deref(), template)?
        {
            refuse(cite("the site has no such template for pages:", template));
        }
        let years = 1970..3000;
        match report.day {
            Some(day) if !years.contains(&day.year()) => {
                refuse(format!("{day} is not between 1970 and 2999"));
            }
            None if LIKE_DAY.is_match(&report.name) => {
                let what = "the folder's name starts like a day that does not exist; rename it, or set `date`:";
                refuse(cite(what, &report.name));
            }
            _ => {}
        }
        let folder = files::folder_name(&report.folder);
        if is_device(&report.name) || is_device(&folder) {
            let what = "no folder on Windows can have this name:";
            refuse(cite(what, &folder));
        }
    }
    problems.truncate(MAX_PROBLEMS);
    failure::if_any(problems)
}

/// What Zola takes for a day at the start of a name, as in `2026-02-301`.
static LIKE_DAY: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
    Regex::new(pattern).expect("a constant pattern")
});

/// What Zola reads from a site's configuration, as far as needed here.
#[derive(Default, Deserialize)]
struct Config {
    #[serde(default)]
    taxonomies: Vec<Taxonomy>,
    theme: Option<String>,
}

#[derive(Deserialize)]
struct Taxonomy {
    name: String,
}

fn configuration(root: &Path) -> Result<Config> {
    for file in ["config.toml", "zola.toml"] {
        let path = root.join(file);
        if let Some(bytes) = files::read_limited(&path, limits::TEXT)? {
            let read = toml::from_slice(&bytes);
            return read.map_err(|e| Failure::at(&path, 0, e.message().replace('\n', "; ")));
        }
    }
    Ok(Config::default())
}

/// Templates that Zola renders without a page.
const OTHERS: [&str; 6] = [
    "404.html",
    "anchor-link.html",
    "index.html",
    "section.html",
    "taxonomy_list.html",
    "taxonomy_single.html",
];

/// Whether a site or its theme has a template for pages; Zola has one of its own.
fn has_template(root: &Path, theme: Option<&str>, name: &str) -> Result<bool> {
    let is_plain = name.ends_with(".html") && files::stays_below(Path::new(name));
    if !is_plain || OTHERS.contains(&name) {
        return Ok(false);
    }
    let of_theme = theme.map(|theme| root.join("themes").join(theme));
    for folder in [Some(root.to_owned()), of_theme].into_iter().flatten() {
        if files::is_file(&folder.join("templates").join(name))? {
            return Ok(true);
        }
    }
    Ok(name == "page.html")
}

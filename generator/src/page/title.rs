//! The title of a report.

use super::headline::subject;
use super::{Part, join};
use crate::implementation::Implementation;
use crate::report::Report;

/// Titles that are longer are cut by search engines and feeds.
const MAX_TITLE_CHARS: usize = 70;

/// The title of a report: its own, or its releases and its architecture.
pub fn title(report: &Report) -> String {
    if let Some(title) = &report.manifest.title {
        return title.clone();
    }
    let measured = Part::of(report).columns().into_iter();
    let mut implementations: Vec<&Implementation> =
        measured.map(|c| &report.data.implementations[c]).collect();
    let subject = subject(report);
    implementations.sort_by_key(|i| i.name != subject);
    let unique = |text: fn(&Implementation) -> String| {
        let mut names: Vec<String> = Vec::new();
        for name in implementations.iter().map(|i| text(i)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match &report.manifest.architecture {
            Some(architecture) => format!("{} on {architecture}", join(&names)),
            None => join(&names),
        }
    };
    let releases = unique(Implementation::release);
    if releases.chars().count() <= MAX_TITLE_CHARS {
        releases
    } else {
        unique(|i| i.name.clone())
    }
}

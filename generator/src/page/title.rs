//! The title of a report.

use super::headline::subject;
use super::join;
use crate::implementation::Implementation;
use crate::report::{Dataset, Report};

/// Titles that are longer are cut by search engines and feeds.
const MAX_TITLE_CHARS: usize = 70;

/// The title of a report: its own, or its releases and its architecture.
pub fn title(report: &Report) -> String {
    if let Some(title) = &report.manifest.title {
        return title.clone();
    }
    let mut implementations: Vec<&Implementation> = report
        .data
        .implementations
        .iter()
        .filter(|i| has_figures(&report.data, i))
        .collect();
    let subject = subject(report);
    implementations.sort_by_key(|i| i.name != subject);
    let machine = report
        .manifest
        .architecture
        .as_ref()
        .map_or_else(String::new, |a| format!(" on {a}"));
    let unique = |text: fn(&Implementation) -> String| {
        let mut names: Vec<String> = Vec::new();
        for name in implementations.iter().map(|i| text(i)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        join(&names) + &machine
    };
    let releases = unique(Implementation::release);
    if releases.chars().count() <= MAX_TITLE_CHARS {
        releases
    } else {
        unique(|i| i.name.clone())
    }
}

fn has_figures(data: &Dataset, implementation: &Implementation) -> bool {
    let column = data
        .implementations
        .iter()
        .position(|i| i == implementation);
    column.is_some_and(|c| data.rows.iter().any(|r| r.cell(c).is_some()))
}

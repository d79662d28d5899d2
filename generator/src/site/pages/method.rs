//! The page that explains figures, and how those of a report were obtained.

use crate::model::scenario::{Scenario, Workload};
use crate::report::history::Histories;
use crate::report::{MAX_COMMITS, Report, control_note};
use crate::site::front_matter::FrontMatter;
use crate::site::renderer::{Pages, Renderer};
use crate::stats::{
    MAX_CONTROL, MIN_HISTORY, MIN_SAMPLE_FOR_BOOTSTRAP, MIN_SAMPLE_FOR_TEST, Rules,
};
use anyhow::Result;
use serde_json::json;

impl Renderer<'_> {
    /// Renders the page that explains figures, with the sections for which there are figures.
    pub(crate) fn method(&self, histories: &Histories<'_>) -> Result<Pages> {
        let any = |is: fn(&Scenario) -> bool| histories.series().any(|s| is(s.scenario()));
        let rules = Rules::default();
        let percent = |share: f64| ((share * 1e4).round() / 100.0).to_string();
        let view = json!({
            "commits": MAX_COMMITS,
            "least_history": MIN_HISTORY,
            "least_bootstrap": MIN_SAMPLE_FOR_BOOTSTRAP,
            "least_test": MIN_SAMPLE_FOR_TEST,
            "control": percent(MAX_CONTROL - 1.0),
            "alpha": percent(rules.alpha),
            "threshold": percent(rules.threshold),
            "memory": any(|s| s.sessions.is_some()),
            "footprint": any(|s| s.workload.is_of_build()),
            "threads": any(|s| s.threads.is_some()),
            "latency": any(|s| s.percentile.is_some()),
            "tls": any(|s| !matches!(s.workload, Workload::Other(_))),
        });
        let head = FrontMatter::section(
            "method",
            "How to read the figures",
            "How figures are made, what ±, ~ and p mean, and what the figures cannot tell.",
        );
        let mut pages = Pages::new();
        self.put(&mut pages, head, "method.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns sentences on how the figures of a report were obtained.
pub(in crate::site) fn method(report: &Report) -> Vec<String> {
    let mut sentences = Vec::new();
    if report.manifest.paired {
        sentences.push("All implementations took turns in each run, in a random order, so that what disturbed the machine met all of them alike. Within this report, and from 6 runs on, a change is the median of the runs' ratios, with the interval of that median and Wilcoxon's signed-rank test.".to_owned());
    }
    sentences.extend(control_note(report.rows.iter().map(|r| r.control)));
    sentences.extend(report.unsteady_note());
    sentences.extend(report.remarks.iter().cloned());
    sentences
}

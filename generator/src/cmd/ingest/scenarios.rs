//! The pages of one scenario, made from its figures in all reports.

use super::page_set::PageSet;
use super::pages::Builder;
use crate::failure::Result;
use crate::fs::Digests;
use crate::history::{HistoryPoint, Metric, ScenarioGroup};
use crate::report::Report;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;

/// The digest of each report without its figures, by name.
type Headers<'a> = HashMap<&'a str, String>;

impl Builder<'_> {
    /// Makes the pages of all scenarios, or none if the site does without them.
    pub(super) fn scenarios(&self, reports: &[Report]) -> Result<Vec<PageSet>> {
        if !self.renderer.has_overviews() {
            return Ok(Vec::new());
        }
        // Keys are only needed to find the pages of an earlier run.
        let earlier = self.earlier;
        let headers = earlier.map_or_else(Headers::new, |e| headers(reports, e.digests));
        let sets = self.histories.groups.par_iter().map(|group| {
            let page = format!(
                "content/{}/scenarios/{}/index.md",
                self.section, group.address
            );
            let key = |digests: &_| self.scenario_key(group, &headers, digests);
            PageSet::of(self.earlier, &page, key, || {
                Ok(self.renderer.scenario(group)?)
            })
        });
        sets.collect()
    }

    /// Returns the digest of all that [`crate::render::Renderer::scenario`] takes from the histories.
    /// Change points follow from the figures.
    fn scenario_key(
        &self,
        group: &ScenarioGroup<'_>,
        headers: &Headers<'_>,
        digests: &Digests,
    ) -> String {
        let machines = group.machines.iter().map(|machine| {
            let reports = machine.reports.iter().map(|r| &headers[&*r.name]);
            let metrics = machine.metrics.iter().map(figures);
            (reports.collect::<Vec<_>>(), metrics.collect::<Vec<_>>())
        });
        let made_of = (
            (&group.label, &group.address),
            machines.collect::<Vec<_>>(),
            self.section,
        );
        digests.of_value(&made_of)
    }
}

fn headers<'a>(reports: &'a [Report], digests: &Digests) -> Headers<'a> {
    let header = |report: &'a Report| {
        let made_of = (&report.name, &report.manifest, &report.data.site_libraries);
        (report.name.as_str(), digests.of_value(&made_of))
    };
    reports.par_iter().map(header).collect()
}

/// Returns each figure of a metric, with its report and implementation.
fn figures<'a>(metric: &'a Metric<'_>) -> impl Debug + 'a {
    let figure = |point: &'a HistoryPoint<'_>| {
        let one = point.implementation;
        let names = (
            &point.report.name,
            &one.name,
            one.version.as_str(),
            &one.variant,
        );
        (
            names,
            point.figure.estimate,
            point.figure.interval,
            point.figure.sample.len(),
        )
    };
    let points = metric.series.iter().flat_map(|series| &series.points);
    (
        metric.scenario,
        metric.unit,
        points.map(figure).collect::<Vec<_>>(),
    )
}

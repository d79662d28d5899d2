//! The pages of one scenario, made of its figures in all reports.

use super::page_set::PageSet;
use super::pages::Builder;
use crate::failure::Result;
use crate::fs::Digests;
use crate::history::{HistoryPoint, Metric, ScenarioGroup};
use crate::report::{Overview, Report};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;

/// The digest of each report without its figures, by its name.
type Headers<'a> = HashMap<&'a str, String>;

impl Builder<'_> {
    /// The pages of all scenarios; none in a site without these pages.
    pub(super) fn scenarios(&self, reports: &[Report]) -> Result<Vec<PageSet>> {
        if !self.renderer.overviews().contains(&Overview::Scenarios) {
            return Ok(Vec::new());
        }
        // Without an earlier run there are no keys to make.
        let earlier = self.earlier;
        let headers = earlier.map_or_else(Headers::new, |e| headers(reports, e.digests));
        let sets = self.histories.groups.par_iter().map(|group| {
            let page = format!(
                "content/{}/scenarios/{}/index.md",
                self.section, group.address
            );
            let key = |digests: &_| self.scenario_key(group, &headers, digests);
            PageSet::of(self.earlier, &page, key, || {
                Ok(self.renderer.scenario(group, self.histories)?)
            })
        });
        sets.collect()
    }

    /// Whatever [`crate::render::Renderer::scenario`] takes from the histories, where change points
    /// follow from the figures.
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
        let across = self.histories.newest_releases_of(group);
        let made_of = (
            (&group.label, &group.address),
            machines.collect::<Vec<_>>(),
            across.first().map(|s| {
                let Report { name, folder, .. } = s.report;
                (&headers[name.as_str()], digests.below(folder))
            }),
            self.section,
            self.renderer.overviews(),
        );
        digests.of_value(&made_of)
    }
}

fn headers<'a>(reports: &'a [Report], digests: &Digests) -> Headers<'a> {
    let header = |report: &'a Report| {
        let made_of = (&report.name, &report.manifest, &report.data.looks);
        (report.name.as_str(), digests.of_value(&made_of))
    };
    reports.par_iter().map(header).collect()
}

/// Each figure of a metric, with what it is of.
fn figures<'a>(metric: &'a Metric<'_>) -> impl Debug + 'a {
    let figure = |point: &'a HistoryPoint<'_>| {
        let one = point.implementation;
        let names = (
            &point.report.name,
            &one.name,
            one.version.as_str(),
            &one.variant,
        );
        (names, point.value, point.interval, point.n)
    };
    let points = metric.series.iter().flat_map(|series| &series.points);
    (
        metric.scenario,
        metric.unit,
        points.map(figure).collect::<Vec<_>>(),
    )
}

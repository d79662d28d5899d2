//! The pages of one report, made from its folder and the report before it.

use super::page_set::{Earlier, PageSet};
use crate::failure::{self, Result};
use crate::fs::Digests;
use crate::history::Histories;
use crate::inputs::Inputs;
use crate::page;
use crate::render::{Origin, Renderer};
use crate::report::Report;
use crate::run::record::Record;
use rayon::prelude::*;

/// Makes the pages of reports.
pub(super) struct Builder<'a> {
    pub(super) section: &'a str,
    pub(super) renderer: &'a Renderer<'a>,
    pub(super) histories: &'a Histories<'a>,
    /// `None` to make everything anew.
    pub(super) earlier: Option<Earlier<'a>>,
}

impl Builder<'_> {
    /// Makes the pages of all reports; `neighbours` are the reports before and after each.
    pub(super) fn reports(
        &self,
        reports: &[Report],
        neighbours: &[[Option<&Report>; 2]],
    ) -> Result<Vec<PageSet>> {
        let all = reports.par_iter().zip(neighbours);
        let sets = all.map(|(report, neighbours)| self.report(report, *neighbours));
        failure::all(sets.collect::<Vec<_>>())
    }

    fn report(&self, report: &Report, neighbours: [Option<&Report>; 2]) -> Result<PageSet> {
        let folder = format!("content/{}/{}", self.section, report.name);
        let key = |digests: &_| self.report_key(report, neighbours, digests);
        PageSet::of(self.earlier, &format!("{folder}/index.md"), key, || {
            let releases = self.histories.releases_in(report);
            let origin = origin(report)?;
            self.renderer.report(report, neighbours, releases, origin)
        })
    }

    /// Returns the digest of the inputs of [`Renderer::report`], which needs only the name and title
    /// of the next report.
    fn report_key(
        &self,
        report: &Report,
        [previous, next]: [Option<&Report>; 2],
        digests: &Digests,
    ) -> String {
        let digest = |report: &Report| (report.name.clone(), digests.below(&report.folder));
        let made_of = (
            digest(report),
            previous.map(digest),
            next.map(|next| (&next.name, page::title(next))),
            self.section,
            self.renderer.has_overviews(),
            &report.data.site_libraries,
        );
        digests.of_value(&made_of)
    }
}

fn origin(report: &Report) -> Result<Origin> {
    let inputs = Inputs::read(&report.folder)?;
    let record = Record::read(&report.folder)?;
    let commands = record.map_or_else(Vec::new, |record| record.commands);
    Ok(Origin { inputs, commands })
}

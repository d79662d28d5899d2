//! The pages of one report: made of its folder and of the report before it, or kept from an earlier
//! run where these are what they were.

use crate::card::Painter;
use crate::failure::{self, Result};
use crate::fs::{Digests, Site, hex_digest};
use crate::history::Histories;
use crate::inputs::Inputs;
use crate::page;
use crate::render::{Origin, Pages, Renderer};
use crate::report::Report;
use crate::run::repeat;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A report's pages.
#[derive(Default)]
pub(super) struct ReportPages {
    /// The digest of all that they are made of, where an earlier run may have made them.
    pub(super) key: String,
    /// Those that are there already, by their path in the site, with their digests.
    pub(super) kept: BTreeMap<String, String>,
    /// By their path below the section.
    pub(super) pages: Pages,
}

/// Makes the pages of reports.
pub(super) struct Builder<'a> {
    pub(super) section: &'a str,
    pub(super) with_cards: bool,
    pub(super) renderer: &'a Renderer<'a>,
    pub(super) histories: &'a Histories<'a>,
    /// The site with what an earlier run has made, and the digests of the data now; `None` to make
    /// everything anew.
    pub(super) earlier: Option<(&'a Site, &'a Digests)>,
}

impl Builder<'_> {
    /// The pages of all reports, each with the one before and the one after it.
    pub(super) fn build_all(
        &self,
        reports: &[Report],
        neighbours: &[[Option<&Report>; 2]],
    ) -> Result<Vec<ReportPages>> {
        let painter = Painter::new()?;
        let all = reports.par_iter().zip(neighbours);
        let built = all.map(|(report, neighbours)| self.build(report, *neighbours, &painter));
        failure::all(built.collect::<Vec<_>>())
    }

    fn build(
        &self,
        report: &Report,
        neighbours: [Option<&Report>; 2],
        painter: &Painter,
    ) -> Result<ReportPages> {
        let root = format!("content/{}", self.section);
        let mut built = ReportPages::default();
        if let Some((site, digests)) = self.earlier {
            built.key = self.key(report, neighbours, digests);
            let page = format!("{root}/{}/index.md", report.name);
            let kept = site.cached(&built.key);
            if let Some(kept) = kept.filter(|kept| kept.contains_key(&page)) {
                built.kept = kept;
                return Ok(built);
            }
        }
        let card = self.with_cards.then(|| page::card(report)).flatten();
        let releases = self.histories.releases_in(report);
        let renderer = self.renderer;
        let origin = origin(report)?;
        built.pages = renderer.report(report, neighbours, releases, card.as_ref(), origin)?;
        if let Some(card) = &card {
            // A picture that shows the same is not drawn again.
            let path = format!("{}/card.png", report.name);
            let read = |(site, _): (&Site, _)| site.read(&format!("{root}/{path}"));
            let before = self.earlier.map_or(Ok(None), read)?;
            built.pages.insert(path, painter.png(card, before)?);
        }
        Ok(built)
    }

    /// Whatever [`Renderer::report`] is given: of the report after it, name and title alone.
    fn key(
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
            self.with_cards,
            self.renderer.overviews(),
            &report.data.looks,
        );
        hex_digest(format!("{made_of:?}").as_bytes())
    }
}

fn origin(report: &Report) -> Result<Origin> {
    let inputs = Inputs::read(&report.folder)?;
    let files = inputs.files.iter().map(|file| file.name.as_str());
    let commands = repeat::commands(&report.folder, files)?;
    Ok(Origin { inputs, commands })
}

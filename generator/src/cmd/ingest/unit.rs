//! The pages of one report: made of its folder and of the report before it, or kept from an earlier
//! run where these are what they were.

use crate::card::Painter;
use crate::cli::Ingest;
use crate::failure::{self, Result};
use crate::fs::{Digests, Site, hex_digest};
use crate::history::Histories;
use crate::page;
use crate::render::{Pages, Renderer};
use crate::report::Report;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A report's pages.
pub(super) struct Unit {
    /// The digest of all that they are made of.
    pub(super) key: String,
    /// Those that are there already, with their digests.
    pub(super) kept: BTreeMap<String, String>,
    pub(super) pages: Pages,
}

/// What the pages of all reports are made with.
pub(super) struct Workshop<'a> {
    pub(super) arguments: &'a Ingest,
    pub(super) digests: &'a Digests,
    pub(super) renderer: &'a Renderer<'a>,
    pub(super) histories: &'a Histories<'a>,
    /// None for one who wants everything made anew.
    pub(super) earlier: Option<&'a Site>,
}

impl Workshop<'_> {
    /// The pages of all reports, each with the one before and the one after it.
    pub(super) fn units(
        &self,
        reports: &[Report],
        neighbours: &[[Option<&Report>; 2]],
    ) -> Result<Vec<Unit>> {
        let painter = Painter::new()?;
        let all = reports.par_iter().zip(neighbours);
        let units = all.map(|(report, neighbours)| self.unit(report, *neighbours, &painter));
        failure::all(units.collect::<Vec<_>>())
    }

    fn unit(
        &self,
        report: &Report,
        neighbours: [Option<&Report>; 2],
        painter: &Painter,
    ) -> Result<Unit> {
        let key = self.key(report, neighbours);
        let root = format!("content/{}", self.arguments.section);
        let kept = self.earlier.and_then(|site| site.made_of(&key));
        let page = format!("{root}/{}/index.md", report.name);
        if let Some(kept) = kept.filter(|kept| kept.contains_key(&page)) {
            let pages = Pages::new();
            return Ok(Unit { key, kept, pages });
        }
        let card = (!self.arguments.no_cards).then(|| page::card(report));
        let card = card.flatten();
        let releases = self.histories.releases_in(report);
        let renderer = self.renderer;
        let made = renderer.report(report, neighbours, releases, card.as_ref())?;
        let made = made.into_iter();
        let mut pages: Pages = made
            .map(|(path, file)| (format!("{root}/{path}"), file))
            .collect();
        if let Some(card) = &card {
            // A picture that shows the same is not drawn again.
            let path = format!("{root}/{}/card.png", report.name);
            let before = self.earlier.map_or(Ok(None), |site| site.read(&path))?;
            pages.insert(path, painter.png(card, before)?);
        }
        let kept = BTreeMap::new();
        Ok(Unit { key, kept, pages })
    }

    /// Whatever [`Renderer::report`] is given: of the report after it, that is the name alone.
    fn key(&self, report: &Report, [previous, next]: [Option<&Report>; 2]) -> String {
        let digest = |report: &Report| (report.name.clone(), self.digests.below(&report.folder));
        let made_of = (
            digest(report),
            previous.map(digest),
            next.map(|next| &next.name),
            &self.arguments.section,
            self.arguments.no_cards,
            self.renderer.overviews(),
        );
        hex_digest(format!("{made_of:?}").as_bytes())
    }
}

//! The page of all figures of a report: every row and build, by topic.

use super::topics::{Topic, by_unit, topics};
use crate::base::failure::Result;
use crate::model::scenario::Percentile;
use crate::model::unit::Unit;
use crate::report::{Grid, Report, Row, Table, words};
use crate::site::front_matter::FrontMatter;
use crate::site::renderer::{Pages, Renderer};
use crate::site::section::Section;
use crate::site::tables::footprint::footprint;
use crate::site::tables::latency::{latency, percentiles};
use crate::site::tables::memory::memory;
use crate::site::tables::results::results;
use crate::site::tables::threads::threads;
use serde_json::json;

/// Below tables of counts.
const COUNTED: &str =
    "Each is the cost of one handshake, of one ClientHello or of a MiB of a transfer.";

/// Returns the tables of a topic, with all of its rows and builds.
pub(in crate::site) fn tables(topic: Topic, table: &Table<'_>) -> Vec<Grid> {
    let of_units = |what: &str| {
        let mut tables = Vec::new();
        for own in by_unit(table) {
            tables.extend(results(&own, what));
        }
        tables
    };
    match topic {
        Topic::Memory => memory(table),
        Topic::Threads => by_unit(table).iter().flat_map(threads).collect(),
        Topic::Latency => latency(table).into_iter().collect(),
        Topic::Writes => writes(table),
        Topic::Counts => {
            let mut tables = of_units("Costs");
            for grid in &mut tables {
                grid.note = words::sentences([grid.note.take(), Some(COUNTED.to_owned())]);
            }
            tables
        }
        Topic::Footprint => vec![footprint(table)],
        topic => of_units(topic.title(false)),
    }
}

/// Returns the tables of times and bytes of writes.
fn writes(table: &Table<'_>) -> Vec<Grid> {
    let times = table.with(|r| r.unit == Unit::Time);
    let is_median = |r: &Row| r.scenario.percentile == Some(Percentile::P50);
    let builds = [times.shown(), times.others()].concat();
    let mut tables = match builds.len() {
        0 | 1 => {
            let what = "Time to write buffers of these sizes";
            percentiles(&times, &builds, what, "").into_iter().collect()
        }
        // All percentiles of several builds would be too long to read.
        _ => results(&times.with(is_median), "Median time of writes"),
    };
    tables.extend(results(&table.with(|r| r.unit == Unit::TRAFFIC), "Writes"));
    tables
}

/// Below the folder of a report.
pub(in crate::site) const FOLDER: &str = "figures";

impl Renderer<'_> {
    /// Adds the page of all figures: tables by topic, then `more` under their titles and anchors. Rows lead to
    /// the pages of their scenarios.
    pub(super) fn figures(
        &self,
        pages: &mut Pages,
        report: &Report,
        more: Vec<(&str, &'static str, Vec<Grid>)>,
    ) -> Result<()> {
        let topics = topics(report);
        let is_only = topics.len() == 1;
        let topics = topics.iter().map(|(topic, own)| {
            let title = topic.title(is_only);
            (title, topic.id(), tables(*topic, own))
        });
        let links = self.links("../../");
        let mut sections = Vec::new();
        for (title, id, grids) in topics.chain(more) {
            sections.extend((!grids.is_empty()).then(|| Section {
                title: title.to_owned(),
                id,
                tables: links.tables(&grids),
                ..Section::default()
            }));
        }
        let title = report.title();
        let rows: Vec<&Row> = report.rows.iter().collect();
        let view = json!({
            "name": report.name,
            "title": title,
            "legend": words::legend(report, &rows),
            "sections": sections,
        });
        let description = format!("All rows and builds of {title}.");
        let folder = format!("{}/{FOLDER}", report.name);
        let mut head = FrontMatter::page(FOLDER, &folder, "All figures", &description);
        head.extra.report = Some(&report.name);
        Ok(self.put(pages, head, "figures.md.tera", &view)?)
    }
}

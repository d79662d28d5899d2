//! The page of all figures of a report: every row and build, by topic.

use super::topics::{Topic, by_unit, topics};
use crate::base::failure::Result;
use crate::model::scenario::Percentile;
use crate::model::unit::Unit;
use crate::report::{Report, Row, Table};
use crate::site::front_matter::FrontMatter;
use crate::site::renderer::{Pages, Renderer};
use crate::site::tables::footprint::footprint;
use crate::site::tables::html::HtmlTable;
use crate::site::tables::latency::{latency, percentiles};
use crate::site::tables::memory::memory;
use crate::site::tables::results::results;
use crate::site::tables::threads::threads;
use crate::site::words::phrases::legend;
use serde::Serialize;
use serde_json::json;
use std::collections::HashSet;

/// Below tables of counts.
const COUNTED: &str =
    "Each is the cost of one handshake, of one ClientHello or of a MiB of a transfer.";

/// Tables under a heading.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Part {
    pub(super) title: String,
    /// The anchor of the heading.
    pub(super) id: &'static str,
    pub(super) tables: Vec<HtmlTable>,
}

/// Returns the tables of a topic, with all of its rows and builds.
pub(in crate::site) fn tables(topic: Topic, table: &Table<'_>) -> Vec<HtmlTable> {
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
        Topic::Latency => latency(table),
        Topic::Writes => writes(table),
        Topic::Counts => {
            let tables = of_units("Costs").into_iter();
            tables.map(|table| table.noted(COUNTED)).collect()
        }
        Topic::Footprint => vec![footprint(table)],
        topic => of_units(topic.title(false)),
    }
}

/// Returns the tables of times and bytes of writes.
fn writes(table: &Table<'_>) -> Vec<HtmlTable> {
    let times = table.with(|r| r.unit == Unit::Time);
    let is_median = |r: &Row| r.scenario.percentile == Some(Percentile::P50);
    let mut tables = match times.columns().len() {
        0 | 1 => {
            let what = "Time to write buffers of these sizes";
            percentiles(&times, &times.columns(), what, "")
                .into_iter()
                .collect()
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
    /// Adds the page of all figures: `parts` by topic, then `more`. Rows lead to the pages of their
    /// scenarios.
    pub(super) fn figures(
        &self,
        pages: &mut Pages,
        report: &Report,
        more: Vec<Part>,
    ) -> Result<()> {
        let topics = topics(report);
        let is_only = topics.len() == 1;
        let mut parts = Vec::new();
        for (topic, own) in &topics {
            parts.push(Part {
                title: topic.title(is_only).to_owned(),
                id: topic.id(),
                tables: tables(*topic, own),
            });
        }
        parts.extend(more);
        let mut seen = HashSet::new();
        let tables = parts.iter_mut().flat_map(|part| &mut part.tables);
        for table in tables {
            if !self.has_overviews() {
                table.unlink();
            }
            table.about = table
                .about
                .map(|_| "../../method/")
                .filter(|_| self.has_overviews());
            for row in &mut table.rows {
                // An earlier row of the page may have the same id.
                row.id.take_if(|id| !seen.insert(id.clone()));
                if let Some(address) = self.addresses.get(&row.of) {
                    row.href = Some(format!("../../scenarios/{address}/"));
                } else {
                    // Of a report's page, one folder up.
                    let deeper = |href: String| match href.starts_with("../") {
                        true => format!("../{href}"),
                        false => href,
                    };
                    row.href = row.href.take().map(deeper);
                }
            }
        }
        let title = report.title();
        let view = json!({
            "name": report.name,
            "title": title,
            "legend": legend(&Table::of(report)),
            "parts": parts,
        });
        let description = format!("All rows and builds of {title}.");
        let folder = format!("{}/{FOLDER}", report.name);
        let mut head = FrontMatter::page(FOLDER, &folder, "All figures", &description);
        head.extra.report = Some(&report.name);
        self.put(pages, head, "figures.md.tera", &view)?;
        Ok(())
    }
}

//! The page of all figures of a report: every row and build, by topic.

use super::topics::{Topic, by_unit, topics};
use crate::base::failure::Result;
use crate::report::{Grid, Report, Row, Table, words};
use crate::site::front_matter::FrontMatter;
use crate::site::renderer::{Pages, Renderer};
use crate::site::section::Section;
use crate::site::tables::results::{builds_by_rows, head, results};
use crate::site::tables::topics::sessions;
use serde_json::json;

/// Returns the tables of a topic, with all of its rows and builds.
pub(in crate::site) fn tables(topic: Topic, table: &Table<'_>) -> Vec<Grid> {
    let builds = [table.shown(), table.others()].concat();
    let mut tables = match topic {
        // A column a figure, since they have units of their own.
        Topic::Footprint => {
            let name = "What a library adds to a program that uses it, lower is better";
            return vec![Grid {
                name: name.to_owned(),
                ..builds_by_rows(table, &builds, head)
            }];
        }
        Topic::Memory => Vec::from_iter(sessions(table, &builds)),
        _ => Vec::new(),
    };
    for own in by_unit(table) {
        tables.extend(results(&own, topic.title(false)));
    }
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

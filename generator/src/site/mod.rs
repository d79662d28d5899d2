//! The pages: tables, graphs and sentences with formatted figures, which templates lay out. Nothing
//! here writes a file, and nothing decides: who stands for whom, what differs and how it is worded is
//! told by [`crate::report`].
//!
//! A page has at most 60 KB of HTML, compressed; graphs are files of their own. The test of the
//! website checks this for all of its pages.

mod data;
mod front_matter;
mod graphs;
mod grid;
mod links;
pub(crate) mod notes;
mod pages;
mod renderer;
mod section;
mod tables;
mod words;

pub(crate) use data::{TABLE, downloads};
pub(crate) use links::Offered;
pub(crate) use pages::report::Origin;
pub(crate) use renderer::{Pages, Renderer};

use crate::report::{Report, Row, Table};

/// Returns the bars of these rows as one SVG file; `None` if there is nothing to compare.
pub(crate) fn bars(report: &Report, rows: &[&Row]) -> Option<String> {
    let table = Table::of_rows(report, rows.to_vec());
    let graph = graphs::bars::bars(
        &table,
        "bars",
        report.manifest.title.as_deref().unwrap_or(&report.name),
    )?;
    Some(graph.drawing.svg)
}

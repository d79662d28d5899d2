//! The capacity page: what a server needs with each library, and the figures for its form.

use super::front_matter::FrontMatter;
use super::site::{Pages, Renderer};
use crate::page::CapacityView;
use anyhow::Result;
use serde_json::json;

impl Renderer<'_> {
    /// Renders the page and `figures.json`.
    pub(crate) fn capacity(&self, view: &CapacityView) -> Result<Pages> {
        let head = FrontMatter::section(
            "capacity",
            "Capacity",
            "Processor cores and memory that a server needs with each library.",
        );
        let figures = format!("{}\n", json!(view.machines)).into_bytes();
        let mut pages = Pages::from([("capacity/figures.json".to_owned(), figures)]);
        self.put(&mut pages, head, "capacity.md.tera", view)?;
        Ok(pages)
    }
}

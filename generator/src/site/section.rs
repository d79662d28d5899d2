//! A part of a page, laid out by `section.md.tera`.

use super::graphs::Graph;
use serde::Serialize;

/// What stands below one heading.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Section {
    /// The heading; empty for none.
    pub(super) title: String,
    /// Its anchor; empty for that which Zola makes of the title.
    pub(super) id: &'static str,
    /// Sentences; none says anything that is not tested.
    pub(super) finding: Vec<String>,
    pub(super) graphs: Vec<Graph>,
    /// Tables and dot plots as HTML. Paper has the first only.
    pub(super) tables: Vec<String>,
    /// Address and text of each link.
    pub(super) links: Vec<[String; 2]>,
}

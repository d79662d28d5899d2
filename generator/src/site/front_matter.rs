//! Front matter of generated pages, written by a TOML serialiser. No text of a report can become a
//! key, except the keys that `report.toml` adds on purpose.

use crate::base::escape::plain;
use crate::report::OVERVIEWS;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The front matter of a page or section. There is no `template` key unless a report asks for one,
/// so that the pages work in any Zola site; templates look at `extra.kind`.
#[derive(Debug, Default, Serialize)]
pub(super) struct FrontMatter<'a> {
    title: Cow<'a, str>,
    description: Cow<'a, str>,
    pub(super) date: Option<toml::value::Datetime>,
    /// For pages, below the section of the reports. Without it, Zola would turn `x86_64` into
    /// `x86-64`.
    pub(super) path: Option<String>,
    pub(super) template: Option<&'a str>,
    /// For a section that is no page of its own.
    pub(super) render: Option<bool>,
    /// For sections. If they are sorted by date, Zola leaves out pages without one.
    pub(super) sort_by: Option<&'a str>,
    /// For sections: the place in menus. Versions of Zola differ in the order of equal weights.
    weight: Option<usize>,
    pub(super) generate_feeds: Option<bool>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) taxonomies: BTreeMap<String, Vec<String>>,
    pub(super) extra: ExtraTable<'a>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct ExtraTable<'a> {
    pub(super) generated: bool,
    pub(super) kind: &'a str,
    pub(super) machine: Option<Cow<'a, str>>,
    /// The day of a report in words, since versions of Zola differ in how templates write dates.
    pub(super) day_in_words: Option<String>,
    /// How much a report measured, for the line below its title.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extent: Vec<String>,
    /// The report's folder.
    pub(super) report: Option<&'a str>,
    pub(super) previous: Option<Json>,
    pub(super) next: Option<Json>,
    /// Sentences for feeds on what changed since the report before.
    pub(super) changes: Option<String>,
    /// Overviews for the site's navigation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) overviews: Vec<Json>,
    /// The graphs of the page, the file in its folder and the alternative text, so that templates can put the panels of
    /// the file in the place of its image, which no author can write.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) graphs: Vec<Json>,
    /// Keys that the author adds. `report.toml` may not have any of the keys above.
    #[serde(flatten)]
    pub(super) added: toml::Table,
}

/// A link to an overview, or to the page before or after this one. The title is here because Zola
/// would load a page's whole text for a template that asks for its title.
pub(super) fn link(name: &str, title: &str) -> Json {
    json!({"name": name, "title": plain(title)})
}

impl<'a> FrontMatter<'a> {
    /// Front matter of a section. Templates escape texts, but would leave invisible characters.
    pub(super) fn section(kind: &'a str, title: &'a str, description: &'a str) -> Self {
        Self {
            title: plain(title),
            description: plain(description),
            weight: OVERVIEWS.iter().position(|of| *of == kind).map(|at| at + 1),
            extra: ExtraTable {
                generated: true,
                kind,
                ..ExtraTable::default()
            },
            ..Self::default()
        }
    }

    /// Front matter of a page, whose `folder` is below the section of the reports.
    pub(super) fn page(kind: &'a str, folder: &str, title: &'a str, description: &'a str) -> Self {
        Self {
            path: Some(folder.to_owned()),
            ..Self::section(kind, title, description)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::RESERVED;

    #[test]
    fn authors_add_no_key_that_a_page_has() {
        let full = ExtraTable {
            machine: Some("a".into()),
            day_in_words: Some("a".to_owned()),
            extent: vec!["a".to_owned()],
            report: Some("a"),
            previous: Some(link("a", "b")),
            next: Some(link("a", "b")),
            changes: Some("a".to_owned()),
            overviews: vec![link("a", "b")],
            graphs: vec![json!({"file": "a"})],
            ..ExtraTable::default()
        };
        let full = toml::Table::try_from(full).expect("TOML");
        let mut reserved = RESERVED;
        reserved.sort_unstable();
        let mut keys: Vec<&String> = full.keys().collect();
        keys.sort_unstable();
        assert_eq!(keys, reserved);
    }
}

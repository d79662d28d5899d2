//! Front matter of generated pages. Written by a TOML serialiser; every key is ours or one that
//! `report.toml` adds on purpose, and no other text of a report can become one.

use crate::escape::plain;
use crate::page::Graph;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The front matter of a page or section. There is no `template` key unless a report asks for one,
/// so that the pages work in any Zola site; templates look at `extra.kind`.
#[derive(Debug, Default, Serialize)]
pub(super) struct FrontMatter<'a> {
    title: Cow<'a, str>,
    description: Cow<'a, str>,
    pub(super) date: Option<toml::value::Datetime>,
    /// Of a page, below the section of the reports; Zola would make `x86-64` of `x86_64` in a slug.
    pub(super) path: Option<String>,
    pub(super) template: Option<&'a str>,
    /// Only for sections. Sorted by date, pages without one would not be made at all.
    pub(super) sort_by: Option<&'a str>,
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
    /// The folder of the report that a suite's page belongs to.
    pub(super) report: Option<&'a str>,
    pub(super) previous: Option<Neighbour>,
    pub(super) next: Option<Neighbour>,
    /// What changed since the report before, in sentences, for feeds.
    pub(super) changes: Option<String>,
    /// What the social card beside the page shows, in words.
    pub(super) card: Option<&'a str>,
    /// What a front page may show of the newest report.
    pub(super) front: Option<Front>,
    /// Pages over all reports for the site's navigation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) overviews: Vec<PageLink>,
    /// What the author adds; none of these keys, which `report.toml` may not have.
    #[serde(flatten)]
    pub(super) added: toml::Table,
}

/// The page before or after this one: a template that asked Zola for its title would be given all of
/// its text with it.
#[derive(Debug, Serialize)]
pub(super) struct Neighbour {
    /// Its folder.
    name: String,
    title: String,
}

/// The newest headline figures, for a front page: a template reads them from the list of reports.
#[derive(Debug, Serialize)]
pub(super) struct Front {
    /// The folder of the report.
    pub(super) report: String,
    pub(super) finding: String,
    pub(super) gauges: Vec<GraphLink>,
    /// A headline scenario over releases.
    pub(super) trend: Option<GraphLink>,
}

/// A page over all reports.
#[derive(Debug, Serialize)]
pub(super) struct PageLink {
    /// Its folder.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
}

/// A graph beside a page.
#[derive(Debug, Serialize)]
pub(super) struct GraphLink {
    title: String,
    detail: String,
    /// Below the section of the reports.
    file: String,
    alt: String,
    width: u32,
    height: u32,
}

impl Neighbour {
    pub(super) fn new(name: &str, title: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: plain(title).into_owned(),
        }
    }
}

impl GraphLink {
    pub(super) fn new(title: &str, detail: &str, folder: &str, graph: &Graph) -> Self {
        Self {
            title: plain(title).into_owned(),
            detail: plain(detail).into_owned(),
            file: format!("{folder}{}", graph.file),
            alt: plain(&graph.alt).into_owned(),
            width: graph.drawing.width,
            height: graph.drawing.height,
        }
    }
}

impl<'a> FrontMatter<'a> {
    /// Of a section. Templates escape what stands here, but would hide what is unseen.
    pub(super) fn section(kind: &'a str, title: &'a str, description: &'a str) -> Self {
        Self {
            title: plain(title),
            description: plain(description),
            extra: ExtraTable {
                generated: true,
                kind,
                ..ExtraTable::default()
            },
            ..Self::default()
        }
    }

    /// Of a page, whose folder is named below the section of the reports.
    pub(super) fn page(kind: &'a str, folder: &str, title: &'a str, description: &'a str) -> Self {
        Self {
            path: Some(folder.to_owned()),
            ..Self::section(kind, title, description)
        }
    }
}

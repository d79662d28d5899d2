//! Front matter of generated pages. Written by a TOML serialiser; every key is ours, and no
//! text of a report can become one.

use crate::escape::plain;
use serde::Serialize;
use std::borrow::Cow;

/// The front matter of a page or section. There is no `template` key, so that the pages work
/// in any Zola site; templates look at `extra.kind`.
#[derive(Debug, Serialize)]
pub(super) struct FrontMatter<'a> {
    title: Cow<'a, str>,
    description: Cow<'a, str>,
    pub(super) date: Option<toml::value::Datetime>,
    /// Of a page; Zola would make `x86-64` of `x86_64` in a slug.
    pub(super) path: Option<String>,
    /// Only for sections. Sorted by date, pages without one would not be made at all.
    pub(super) sort_by: Option<&'a str>,
    pub(super) generate_feeds: Option<bool>,
    pub(super) extra: Extra<'a>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Extra<'a> {
    pub(super) generated: bool,
    pub(super) kind: &'a str,
    pub(super) machine: Option<Cow<'a, str>>,
    pub(super) previous: Option<&'a str>,
    pub(super) next: Option<&'a str>,
    /// What changed since the report before, in sentences, for feeds.
    pub(super) changes: Option<String>,
    /// What the social card beside the page shows, in words.
    pub(super) card: Option<&'a str>,
}

impl<'a> FrontMatter<'a> {
    /// Of a section. Templates escape what stands here, but would hide what is unseen.
    pub(super) fn section(kind: &'a str, title: &'a str, description: &'a str) -> Self {
        Self {
            title: plain(title),
            description: plain(description),
            date: None,
            path: None,
            sort_by: None,
            generate_feeds: None,
            extra: Extra {
                generated: true,
                kind,
                ..Extra::default()
            },
        }
    }

    /// Of a page, whose folder is named below `perf`.
    pub(super) fn page(kind: &'a str, folder: &str, title: &'a str, description: &'a str) -> Self {
        Self {
            path: Some(format!("perf/{folder}")),
            ..Self::section(kind, title, description)
        }
    }
}

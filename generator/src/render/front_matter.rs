//! Front matter of generated pages. Written by a TOML serialiser; every key is ours, and no
//! text of a report can become one.

use crate::escape::plain;
use serde::Serialize;

/// The front matter of a page or section. There is no `template` key, so that the pages work
/// in any Zola site; templates look at `extra.kind`.
#[derive(Debug, Serialize)]
pub(super) struct FrontMatter<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<toml::value::Datetime>,
    /// Zola would make `x86-64` of `x86_64` in a slug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    /// Only for sections. Sorted by date, pages without one would not be made at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sort_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generate_feeds: Option<bool>,
    pub(super) extra: Extra<'a>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Extra<'a> {
    pub(super) generated: bool,
    pub(super) kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) machine: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) previous: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<&'a str>,
    /// What changed since the report before, in sentences, for feeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<String>,
    /// What the social card beside the page shows, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) card: Option<&'a str>,
}

impl<'a> FrontMatter<'a> {
    /// Of a page, or of a section where there is no `path`.
    pub(super) fn new(
        kind: &'a str,
        path: Option<String>,
        title: &'a str,
        description: &'a str,
    ) -> Self {
        Self {
            title,
            description,
            date: None,
            path,
            sort_by: None,
            generate_feeds: None,
            extra: Extra {
                generated: true,
                kind,
                ..Extra::default()
            },
        }
    }

    /// With its `+++` lines. Templates escape what stands here, but would hide what is unseen.
    pub(super) fn render(&self) -> Result<String, toml::ser::Error> {
        let machine = self.extra.machine.map(plain);
        let shown = FrontMatter {
            title: &plain(self.title),
            description: &plain(self.description),
            path: self.path.clone(),
            extra: Extra {
                machine: machine.as_deref(),
                changes: self.extra.changes.as_deref().map(|c| plain(c).into_owned()),
                ..self.extra
            },
            ..*self
        };
        Ok(format!("+++\n{}+++\n", toml::to_string(&shown)?))
    }
}

//! Edits links of rendered pages: removes those to overviews that the site does without, and adapts
//! relative ones for a page in a deeper folder.

use crate::report::Overview;
use anyhow::Result;
use regex_lite::Regex;

/// Removes links from the tables of rendered pages; for sentences, templates do that themselves.
#[derive(Debug)]
pub(super) struct Unlinker([Regex; 2]);

impl Unlinker {
    /// Creates an unlinker for the overviews not in `pages`; `None` if no overview is missing.
    pub(super) fn for_all_but(pages: &[Overview]) -> Result<Option<Self>> {
        // No table links to the capacity page, which only sites about TLS have.
        let linked = Overview::ALL
            .iter()
            .filter(|page| **page != Overview::Capacity);
        let missing = linked.filter(|page| !pages.contains(page));
        let names: Vec<&str> = missing.map(|page| page.name()).collect();
        if names.is_empty() {
            return Ok(None);
        }
        let address = format!(r#"href="(?:\.\./)+(?:{})/[^"]*""#, names.join("|"));
        Ok(Some(Self([
            Regex::new(&format!(r#" <a class="about" {address}>[^<]*</a>"#))?,
            Regex::new(&format!("<a {address}[^>]*>([^<]*)</a>"))?,
        ])))
    }

    /// Removes links to missing explanations, and replaces other links by their text.
    pub(super) fn apply(&self, page: &str) -> String {
        let [about, other] = &self.0;
        let page = about.replace_all(page, "");
        other.replace_all(&page, "$1").into_owned()
    }
}

/// Adapts relative links for a page one folder deeper.
pub(super) fn deeper(page: &str) -> String {
    page.replace("href=\"../", "href=\"../../")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_by_their_text() {
        let page = "x <a class=\"about\" href=\"../method/#a\">How to read this</a></span>\
            <a href=\"../compare/#old=b\" aria-label=\"change: from a\">change</a>\
            <a href=\"../../scenarios/a/\">a</a><a href=\"../scenarios-2026/\">b</a>";
        let unlinker = Unlinker::for_all_but(&[]).expect("patterns").expect("one");
        let bare = "x</span>changea<a href=\"../scenarios-2026/\">b</a>";
        assert_eq!(unlinker.apply(page), bare);
        let unlinker = Unlinker::for_all_but(&Overview::ALL).expect("patterns");
        assert!(unlinker.is_none());
    }
}

//! Links of finished pages: to pages over all reports that the site does without, and from a folder
//! further down.

use crate::report::Overview;
use anyhow::Result;
use regex_lite::Regex;

/// Takes links out of finished pages, where tables have them; sentences are the templates' own.
#[derive(Debug)]
pub(super) struct Unlinker([Regex; 2]);

impl Unlinker {
    /// `None` where no page is missing.
    pub(super) fn for_all_but(pages: &[Overview]) -> Result<Option<Self>> {
        // No table leads to the page that only sites about TLS have.
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

    /// Without the explanations that are not there, and with the words of other links alone.
    pub(super) fn apply(&self, page: &str) -> String {
        let [about, other] = &self.0;
        let page = about.replace_all(page, "");
        other.replace_all(&page, "$1").into_owned()
    }
}

/// The text of a page with its links as they are one folder deeper.
pub(super) fn deeper(page: &str) -> String {
    page.replace("href=\"../", "href=\"../../")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_without_their_link() {
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

//! Social cards of the reports' pages, for `generator build`.

use crate::card::{Card, Drawing, HEAD, Painter, source_of};
use crate::failure;
use crate::fs::{self, Pictures};
use anyhow::Result;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the templates look for cards, and where the reports' pages are.
const CARDS: &str = "static/cards";
const PAGES: &str = "content/perf";

/// Draws the card of each report's page as `static/cards/<report>.png`. One whose page shows
/// the same is not drawn again, one without a page is removed, and a picture that is not ours
/// stays: a report may have a card of its author's own.
///
/// # Errors
/// The system's, with the path.
pub(super) fn draw(site: &Path, quiet: bool) -> failure::Result<()> {
    let pictures = Pictures::open(site, CARDS)?;
    let there = pictures.find(HEAD)?;
    pictures.clear(&there)?;
    let wanted = drawings(site)?;
    let is_ours = |name: &str| there.heads.get(name).map(|head| source_of(head));
    let changed: Vec<(&String, &Drawing)> = wanted
        .iter()
        .filter(|(name, drawing)| match is_ours(name) {
            None => true,
            Some(source) => source.is_some_and(|s| s != drawing.digest),
        })
        .collect();
    changed
        .par_iter()
        .try_for_each(|(name, drawing)| pictures.put(name, &drawing.png()?))?;
    let stale: Vec<&String> = there
        .heads
        .iter()
        .filter(|(name, head)| source_of(head).is_some() && !wanted.contains_key(*name))
        .map(|(name, _)| name)
        .collect();
    stale.iter().try_for_each(|name| pictures.remove(name))?;
    if !quiet && (!changed.is_empty() || !stale.is_empty()) {
        let (drawn, removed) = (changed.len(), stale.len());
        anstream::eprintln!("social cards: {drawn} drawn, {removed} removed");
    }
    Ok(())
}

/// The drawing of each report's card, by the report's name.
fn drawings(site: &Path) -> Result<BTreeMap<String, Drawing>> {
    let root = site.join(PAGES);
    if !root.is_dir() {
        return Ok(BTreeMap::new());
    }
    let painter = Painter::new()?;
    // A page that cannot be read is Zola's to tell of.
    let drawing = |folder: &PathBuf| {
        let name = folder.file_name()?.to_str()?.to_owned();
        let bytes = fs::read_optional(&folder.join("index.md")).ok()??;
        let card = Card::of_page(str::from_utf8(&bytes).ok()?)?;
        Some((name, painter.draw(&card)))
    };
    let folders = fs::folders(&root)?;
    Ok(folders.par_iter().filter_map(drawing).collect())
}

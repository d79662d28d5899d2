//! Pages for what a report's page has no room for: the further suites of a long report, and anything
//! else that makes the page too heavy.

use super::front_matter::{FrontMatter, Neighbour};
use super::links::deeper;
use super::site::{Pages, Renderer, put_graphs};
use crate::escape::plain;
use crate::page::{self, Block, Graph, Section, Table};
use crate::report::Report;
use crate::slug::slug;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// The section that holds these pages, since a page of Zola has no pages below it. No report may have
/// this name.
pub(crate) const SUITES: &str = "suites";

/// Maximum bytes of a page's text and graphs: 100 KB, less the head, navigation and contents that the
/// site's templates add.
pub(super) const ROOM: usize = 85_000;

/// Bytes of the markup around a graph and around a link to a row.
const FRAME: usize = 350;
const LINK: usize = 40;

/// A part of a report's page that may move to its own pages.
#[derive(Debug)]
pub(super) struct Leaf {
    title: &'static str,
    /// Text beside the link to its pages.
    summary: String,
    /// Its blocks; one per page once it has moved.
    pages: Vec<Block>,
    place: LeafPlace,
    /// Links to its rows on other pages.
    index: Vec<Json>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafPlace {
    Here,
    /// On its own pages, except for the first graph.
    Shown,
    Away,
}

impl From<Section> for Leaf {
    fn from(section: Section) -> Self {
        let mut leaf = Self::new(section.title, section.summary, section.blocks);
        if section.has_own_page {
            leaf.go_away();
        }
        leaf
    }
}

impl Leaf {
    pub(super) fn new(title: &'static str, summary: String, blocks: Vec<Block>) -> Self {
        Self {
            title,
            summary,
            pages: blocks,
            place: LeafPlace::Here,
            index: Vec::new(),
        }
    }

    pub(super) fn go_away(&mut self) {
        self.leave(LeafPlace::Away);
    }

    /// Packs its blocks into pages. Leaves that stay are not packed, which renders every table.
    fn leave(&mut self, place: LeafPlace) {
        self.place = place;
        self.pages = packed(std::mem::take(&mut self.pages));
    }

    pub(super) fn is_here(&self) -> bool {
        self.place == LeafPlace::Here
    }

    fn address(&self, index: usize) -> String {
        match index {
            0 => slug(self.title),
            _ => format!("{}-{}", slug(self.title), index + 1),
        }
    }

    /// Returns the graphs on the report's own page.
    pub(super) fn graphs(&self) -> impl Iterator<Item = &Graph> {
        let shown = match self.place {
            LeafPlace::Here => usize::MAX,
            LeafPlace::Shown => 1,
            LeafPlace::Away => 0,
        };
        self.pages.iter().flat_map(|p| &p.graphs).take(shown)
    }

    /// Returns the tables on the report's own page.
    fn tables(&self) -> impl Iterator<Item = &Table> {
        let here = self.pages.iter().filter(|_| self.is_here());
        here.flat_map(|page| &page.tables)
    }

    /// Returns the bytes of its tables and graphs on the report's own page.
    pub(super) fn weight(&self) -> usize {
        weight(self.graphs(), self.tables())
    }

    pub(super) fn view(&self) -> Json {
        json!({
            "title": self.title,
            "summary": self.summary,
            "page": (!self.is_here()).then(|| self.address(0)),
            "graphs": self.graphs().collect::<Vec<_>>(),
            "tables": self.tables().collect::<Vec<_>>(),
            "index": self.index,
        })
    }

    /// Returns page, id and label of its rows on other pages.
    fn rows_elsewhere(&self) -> Vec<(String, &str, &str)> {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter(|_| !self.is_here());
        let rows = pages.flat_map(|(index, page)| {
            let rows = page.tables.iter().flat_map(|t| &t.rows);
            let rows = rows.filter(|row| !row.id.is_empty());
            rows.map(move |row| (self.address(index), row.id.as_str(), row.label.as_str()))
        });
        rows.collect()
    }
}

/// Moves leaves to other pages, the last first, until the report's page of this `weight` fits. Those
/// that are not results keep their first graph.
pub(super) fn fit(leaves: &mut [Leaf], results: usize, mut weight: usize) {
    let by_importance = leaves.iter_mut().enumerate().rev();
    for (index, leaf) in by_importance.filter(|(_, leaf)| leaf.is_here()) {
        let before = leaf.weight();
        if weight > ROOM && before > 0 {
            leaf.leave(match index < results {
                true => LeafPlace::Away,
                false => LeafPlace::Shown,
            });
            weight -= before - leaf.weight();
        }
    }
}

/// Returns the pages of rows that have moved, by anchor. The report's page gets links to all of them
/// as far as there is `room`, and in any case to those that are `wanted`.
pub(super) fn index(
    leaves: &mut [Leaf],
    mut room: usize,
    wanted: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    for leaf in leaves {
        let rows = leaf.rows_elsewhere();
        let weight = |(page, id, label): &(String, &str, &str)| {
            page.len() + 2 * id.len() + label.len() + LINK
        };
        let all: usize = rows.iter().map(weight).sum();
        let has_room = all <= room;
        room -= if has_room { all } else { 0 };
        let shown = rows.iter().filter(|row| has_room || wanted.contains(row.1));
        let shown = shown.map(|(page, id, label)| json!({"page": page, "id": id, "label": label}));
        let index = shown.collect();
        places.extend(
            rows.into_iter()
                .map(|(page, id, _)| (id.to_owned(), format!("{page}/"))),
        );
        leaf.index = index;
    }
    places
}

impl Block {
    fn add(&mut self, other: Self) {
        self.graphs.extend(other.graphs);
        self.tables.extend(other.tables);
    }

    /// Returns the block with its weight. A single table that is too heavy for a page is split into
    /// several.
    fn split(self) -> Vec<(usize, Self)> {
        let whole = weight(&self.graphs, &self.tables);
        let parts = whole.div_ceil(ROOM);
        let ([table], true) = (self.tables.as_slice(), self.graphs.is_empty() && parts > 1) else {
            return vec![(whole, self)];
        };
        let rows = table
            .rows
            .chunks(table.rows.len().div_ceil(parts + 1).max(1));
        let part = |rows: &[_]| Table {
            rows: rows.to_vec(),
            ..table.clone()
        };
        let parts = Self::each(Vec::new(), rows.map(part).collect()).into_iter();
        parts
            .map(|part| (weight(&part.graphs, &part.tables), part))
            .collect()
    }
}

/// Returns the bytes that graphs and tables add to a page, including the graphs' files.
fn weight<'a>(
    graphs: impl IntoIterator<Item = &'a Graph>,
    tables: impl IntoIterator<Item = &'a Table>,
) -> usize {
    let graphs = graphs.into_iter();
    let graphs = graphs.map(|g| g.drawing.svg.len() + g.alt.len() + 3 * g.file.len() + FRAME);
    graphs.sum::<usize>() + tables.into_iter().map(Table::weight).sum::<usize>()
}

/// Packs blocks into pages, in order.
fn packed(blocks: Vec<Block>) -> Vec<Block> {
    let mut pages: Vec<(usize, Block)> = Vec::new();
    for (weight, block) in blocks.into_iter().flat_map(Block::split) {
        match pages.last_mut() {
            Some((total, page)) if *total + weight <= ROOM => {
                *total += weight;
                page.add(block);
            }
            _ => pages.push((weight, block)),
        }
    }
    pages.into_iter().map(|(_, page)| page).collect()
}

impl Renderer<'_> {
    /// Adds the pages of the leaves that are not on the report's own page.
    pub(super) fn suites(&self, pages: &mut Pages, report: &Report, leaves: &[Leaf]) -> Result<()> {
        let apart = leaves.iter().filter(|leaf| !leaf.is_here());
        let all = apart.flat_map(|leaf| leaf.pages.iter().enumerate().map(move |p| (leaf, p)));
        let all: Vec<_> = all.collect();
        let name = |address: &str| format!("{}-{address}", report.name);
        let of_report = page::title(report);
        let places = all.iter().map(|(leaf, (number, _))| {
            let part = match leaf.pages.len() {
                1 => String::new(),
                parts => format!(", part {} of {parts}", number + 1),
            };
            let title = format!("{}{part}: {of_report}", leaf.title);
            (leaf.address(*number), title)
        });
        let places: Vec<(String, String)> = places.collect();
        let neighbour = |at: usize| {
            let (address, title) = places.get(at)?;
            Some(Neighbour::new(&name(address), title))
        };
        for (index, (leaf, (_, figures))) in all.iter().enumerate() {
            let (address, title) = &places[index];
            let path = format!("{}/{address}", report.name);
            let mut head = FrontMatter::page("suite", &path, title, &leaf.summary);
            head.extra.machine = report.manifest.machine.as_deref().map(plain);
            head.extra.report = Some(&report.name);
            head.extra.previous = index.checked_sub(1).and_then(neighbour);
            head.extra.next = neighbour(index + 1);
            let view = json!({
                "name": report.name,
                "title": leaf.title,
                "summary": leaf.summary,
                "data": "data.csv",
                "section": figures,
            });
            // Links are relative to the report's own page.
            let text = deeper(&self.template("suite.md.tera", &view)?);
            let text = text.replace("href=\"data.csv\"", "href=\"../data.csv\"");
            let folder = format!("{SUITES}/{}/", name(address));
            self.put_text(pages, format!("{folder}index.md"), head, text)?;
            put_graphs(pages, &folder, figures.graphs.iter());
        }
        Ok(())
    }

    /// Renders the section of these pages. Each page is linked from its report.
    pub(crate) fn section_of_suites(&self) -> Result<Pages> {
        let mut pages = Pages::new();
        let description = "Parts of long reports, on pages of their own.";
        let head = FrontMatter::section(SUITES, "Suites", description);
        self.put(&mut pages, head, "suites.md.tera", &json!({}))?;
        Ok(pages)
    }
}

//! Reads what pages and comparisons say of figures.

use super::{Claim, Downloads, Key, Shown, json, list, text};
use crate::select;
use scraper::{ElementRef, Html};
use std::path::Path;

/// Returns the unit of the downloads for one that a page shows, and the factor to it.
pub(crate) fn unit(symbol: &str) -> (&str, f64) {
    match symbol {
        "hs/s" => ("handshakes/s", 1.0),
        "µs" => ("ns", 1e3),
        "ms" => ("ns", 1e6),
        "s" => ("ns", 1e9),
        "B" => ("KiB", 1.0 / 1024.0),
        "MiB" => ("KiB", 1024.0),
        other => (other, 1.0),
    }
}

/// The children of an element with this tag: faster than a selector for thousands of cells.
fn children<'a>(element: ElementRef<'a>, tag: &str) -> Vec<ElementRef<'a>> {
    let all = element.child_elements();
    all.filter(|child| child.value().name() == tag).collect()
}

fn find<'a>(element: ElementRef<'a>, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = scraper::Selector::parse(selector).expect("a selector");
    element.select(&selector).collect()
}

fn all_text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().trim().to_owned()
}

/// The texts of the children with this tag.
fn texts(element: ElementRef<'_>, tag: &str) -> String {
    children(element, tag).into_iter().map(all_text).collect()
}

/// The text of an element without footnotes and details.
fn main_text(element: ElementRef<'_>) -> String {
    let mut text = String::new();
    for child in element.children() {
        match ElementRef::wrap(child).map(|inner| (inner, inner.value().name())) {
            Some((_, "sup" | "i" | "span")) => {}
            Some((inner, _)) => text += &all_text(inner),
            None => text += child.value().as_text().map_or("", |text| &**text),
        }
    }
    text.trim().to_owned()
}

/// `rustls (ring)` with its version: `rustls 0.23.46 (ring)`. `boring 5.4.0` is `boring-5.4.0`.
fn of_series(series: &str, version: &str) -> String {
    let (library, variant) = series.split_once(' ').unwrap_or((series, ""));
    let version = version.replace(' ', "-");
    format!("{library} {version} {variant}").trim().to_owned()
}

/// What a page says.
pub(super) struct Reader<'d> {
    pub(super) downloads: &'d Downloads,
    pub(super) name: &'d str,
    pub(super) claims: Vec<Claim>,
}

impl Reader<'_> {
    fn claim(&mut self, key: Key, text: &str, claim: Claim) {
        let place = format!("{}, {text}", self.name);
        self.claims.push(Claim {
            key,
            place,
            ..claim
        });
    }

    /// Of a report's page, its own figures; of others, those of the first report that they name.
    pub(super) fn page(&mut self, page: &Html) {
        let links = select(page, ".how a[href], .note a[href]");
        let link = links
            .first()
            .and_then(|a| a.attr("href"))
            .unwrap_or_default();
        let mut parts = self.name.split('/').chain(link.split('/'));
        let Some(report) = parts.find(|part| self.downloads.builds.contains_key(*part)) else {
            return;
        };
        let title = all_text(select(page, "h1")[0]);
        for table in select(page, "table:is(.results, .history, .changes):not(.costs)") {
            self.table(report, &title, table);
        }
        for plot in select(page, ".dots tbody tr") {
            self.plot(report, plot);
        }
        for graph in select(page, ".panels") {
            self.graph(report, graph);
        }
    }

    fn table(&mut self, report: &str, title: &str, element: ElementRef<'_>) {
        let caption = all_text(find(element, "caption span")[0]);
        let said = caption.trim_end_matches("How to read this").trim();
        let said = said.split(". ").next().unwrap_or_default();
        let (what, symbol) = said.rsplit_once(" in ").unwrap_or((said, ""));
        let heads = find(element, "thead th");
        let table = Table {
            title,
            what,
            symbol: symbol.split(',').next().unwrap_or_default(),
            heads: heads.iter().map(|head| main_text(*head)).collect(),
            details: heads.iter().map(|head| texts(*head, "span")).collect(),
        };
        if table.column("newest report").is_some() || table.heads[0] == "step" {
            return;
        }
        for row in find(element, "tbody tr") {
            let label = texts(row, "th");
            let of_row = row.attr("data-of");
            let cells = children(row, "td");
            let shown: Vec<String> = cells.iter().map(|cell| main_text(*cell)).collect();
            for (column, cell) in (1..).zip(&cells) {
                let text = &shown[column - 1];
                let [name, symbol, start, mut label] = table.place(&label, &shown, column);
                let is_percentile = table.column("implementation").is_some();
                match (of_row, heads[column].attr("data-of")) {
                    (Some(of), _) if is_percentile => {
                        label = format!("{of}, {}", table.heads[column]);
                    }
                    (Some(of), _) | (None, Some(of)) => label = of.to_owned(),
                    _ => {}
                }
                let (unit, mut factor) = unit(&symbol);
                if what.starts_with("Rate per thread") {
                    let threads = label.split(' ').rev().nth(1).map(str::parse::<f64>);
                    factor *= threads.expect("threads").expect("a number");
                }
                let no_figures = ["n", "old", "change", "unit", "published", "tools"];
                let figure = Shown::parse(text.split('\u{a0}').next().unwrap_or_default(), factor);
                if figure.is_none() || no_figures.contains(&&*table.heads[column]) {
                    continue;
                }
                let has = |class: &str| cell.value().classes().any(|c| c == class);
                let detail = texts(*cell, "i");
                let spread = detail.split(", ").find(|part| part.starts_with('±'));
                let is_pair = table
                    .column("change")
                    .is_some_and(|_| table.heads[0] == "scenario");
                let is_marked = !is_pair && table.column("implementation").is_none();
                let claim = Claim {
                    figure,
                    spread: (!is_pair).then(|| spread.unwrap_or_default().to_owned()),
                    is_unsteady: Some(has("unsteady")),
                    has_star: is_marked.then(|| has("best")),
                    ..Claim::default()
                };
                let key = self.downloads.key(report, &name, unit, &start, &label);
                self.claim(key, text, claim);
            }
        }
    }

    fn plot(&mut self, report: &str, row: ElementRef<'_>) {
        let label = row.attr("data-of").unwrap_or_default().to_owned();
        let cells = children(row, "td");
        let symbol: String = cells.iter().map(|cell| texts(*cell, "i")).collect();
        let (unit, factor) = unit(&symbol);
        for cell in cells {
            let name = cell.attr("data-of").unwrap_or("before");
            if !["before", "after"].contains(&name) {
                let text = main_text(cell);
                let figure = Shown::parse(&text, factor);
                let key = self.downloads.key(report, name, unit, "", &label);
                self.claim(
                    key,
                    &text,
                    Claim {
                        figure,
                        ..Claim::default()
                    },
                );
            }
        }
    }

    /// Reads the marks of bars and of releases:
    /// `rustls 0.22.4: 4,297.5 hs/s, 95% interval 4,292.0 to 4,302.4, 20 runs`, and
    /// `rustls, 0.22.4: 4,297.5 hs/s; 0.998 times the first release, 95% interval 0.996 to 1.000, 20 runs`.
    fn graph(&mut self, report: &str, graph: ElementRef<'_>) {
        let about = graph.attr("aria-label").unwrap_or_default();
        let bars = about.starts_with("Bar chart: ").then_some(());
        let is_line = about.starts_with("Line chart: ") && about.contains(" over the releases");
        let line = is_line.then_some(());
        for panel in find(graph, "svg") {
            let label = panel.attr("data-of").unwrap_or_default().to_owned();
            if label.is_empty() || bars.or(line).is_none() {
                continue;
            }
            for mark in find(panel, ".mark > title") {
                let text = all_text(mark);
                let (mut name, said) = text
                    .split_once(": ")
                    .map(|(n, s)| (n.to_owned(), s))
                    .expect("a figure");
                if let (Some((series, version)), Some(_)) = (name.split_once(", "), line) {
                    name = of_series(series, version);
                }
                let (figure, rest) = said.split_once(' ').expect("a unit");
                let symbol = rest.split("; ").next().unwrap_or_default();
                let (unit, factor) = unit(symbol.split(", ").next().unwrap_or_default());
                // That of a ratio is another.
                let rest = if rest.contains("; ") { "" } else { rest };
                let ends = rest.split_once("95% interval ").map(|(_, ends)| ends);
                let ends = ends.and_then(|ends| ends.split(", ").next()?.split_once(" to "));
                let end = |text| Shown::parse(text, factor).expect("a figure");
                let claim = Claim {
                    figure: Shown::parse(figure, factor),
                    interval: ends.map(|(low, high)| [end(low), end(high)]),
                    is_unsteady: bars.map(|_| text.ends_with(", unsteady")),
                    ..Claim::default()
                };
                let key = self.downloads.key(report, &name, unit, "", &label);
                self.claim(key, &text, claim);
            }
        }
    }

    /// Reads the figures of the comparisons.
    pub(super) fn comparisons(&mut self, folder: &Path) {
        for machine in list(&json(&folder.join("index.json"))) {
            let file = json(&folder.join(format!("{}.json", text(&machine["file"]))));
            for (report, of_report) in list(&machine["reports"]).iter().zip(list(&file["figures"]))
            {
                for (build, figures) in list(&machine["builds"]).iter().zip(list(of_report)) {
                    for (row, figure) in list(&file["rows"]).iter().zip(text(figures).split(';')) {
                        let symbol = text(&row[1]);
                        let (unit, factor) = unit(&symbol);
                        let key = [text(report), text(&row[0]), unit.to_owned(), text(build)];
                        let shown = Shown::parse(figure, factor);
                        if shown.is_some() {
                            self.claim(
                                key,
                                figure,
                                Claim {
                                    figure: shown,
                                    ..Claim::default()
                                },
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A table whose rows are scenarios, builds or releases.
struct Table<'a> {
    /// The title of its page.
    title: &'a str,
    /// Its caption, before its unit.
    what: &'a str,
    symbol: &'a str,
    heads: Vec<String>,
    /// What stands below the heads: a version, a unit.
    details: Vec<String>,
}

impl Table<'_> {
    fn column(&self, head: &str) -> Option<usize> {
        self.heads.iter().position(|known| known == head)
    }

    /// Returns what a cell is of: build, unit, the start of the label, and the rest of it.
    fn place(&self, row: &str, cells: &[String], column: usize) -> [String; 4] {
        let (head, detail) = (&self.heads[column], &self.details[column]);
        let title = format!("{}, ", self.title);
        let texts = |texts: [&str; 4]| texts.map(str::to_owned);
        if self.heads[0] == "scenario" && self.column("implementation").is_some() {
            return texts([
                &cells[0],
                self.symbol,
                "latency of ",
                &format!("{row}, {head}"),
            ]);
        }
        if self.heads[0] == "scenario" {
            let new = self
                .what
                .split("➡️ ")
                .nth(1)
                .and_then(|new| new.split(", since").next());
            let name = match new.filter(|_| head == "new") {
                Some(new) => new.to_owned(),
                None => format!("{head} {detail}").trim().to_owned(),
            };
            let own = cells[column - 1]
                .split_once('\u{a0}')
                .map(|(_, symbol)| symbol);
            let unit = self.column("unit").map(|unit| &*cells[unit - 1]);
            let symbol = own.or(unit).unwrap_or(self.symbol);
            return texts([
                &name,
                symbol,
                &format!("{}, ", self.what.to_lowercase()),
                row,
            ]);
        }
        let series = self
            .what
            .strip_prefix("Releases of ")
            .and_then(|s| s.split(", the highest").next());
        let name = series.map_or(row.to_owned(), |series| of_series(series, row));
        // A column of the page's own scenario is headed by its unit alone.
        match (&**detail, self.what.starts_with("What a library adds")) {
            ("", true) => texts([&name, head, "", "footprint"]),
            ("", _) => texts([&name, head, "", self.title]),
            (symbol, _) => texts([&name, symbol, &title, head]),
        }
    }
}

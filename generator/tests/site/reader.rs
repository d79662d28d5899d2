//! Reads what the pages and files of a site say of figures and of pairs of builds.

use super::data::{Build, Report};
use super::pages::{Page, Site, select};
use regex::Regex;
use scraper::ElementRef;
use serde_json::Value as Json;

/// What a place says: a figure of a build, or a verdict on two.
#[derive(Clone, Debug)]
pub(crate) struct Said<'s> {
    /// Empty for a file of Compare.
    pub(crate) page: &'s str,
    /// The page, and what stands around.
    pub(crate) place: String,
    pub(crate) text: String,
    pub(crate) label: String,
    /// As shown; empty where the place does not say.
    pub(crate) symbol: String,
    pub(crate) what: What<'s>,
}

#[derive(Clone, Debug)]
pub(crate) enum What<'s> {
    Figure {
        of: (&'s Report, usize),
        /// What stands beside it: `±0.3%`, a share of perfect scaling.
        beside: Option<String>,
        is_unsteady: Option<bool>,
        /// `[7,357, 7,478]`
        interval: Option<[String; 2]>,
    },
    /// Baseline and candidate, the class of the cell, and `2.11x to 2.15x, p < 0.001, n = 16`.
    Verdict {
        sides: [(&'s Report, usize); 2],
        class: String,
        evidence: String,
    },
}

impl<'s> What<'s> {
    /// A figure with nothing beside it.
    fn figure(of: (&'s Report, usize)) -> Self {
        Self::Figure {
            of,
            beside: None,
            is_unsteady: None,
            interval: None,
        }
    }
}

/// A table with its headings.
#[derive(Default)]
struct Table {
    caption: String,
    /// The unit that its name gives.
    symbol: String,
    heads: Vec<Head>,
    rows: Vec<Row>,
    /// What footnotes below it say.
    notes: Vec<String>,
}

struct Head {
    /// `OpenSSL 4.0.3`, with its detail.
    text: String,
    detail: String,
    of: String,
}

struct Row {
    of: String,
    head: String,
    href: String,
    cells: Vec<Cell>,
}

struct Cell {
    text: String,
    detail: String,
    class: String,
    href: String,
    notes: String,
}

/// The text of an element, without that of its children with these tags.
fn text(element: ElementRef<'_>, without: &[&str]) -> String {
    let mut found = String::new();
    for child in element.children() {
        match (ElementRef::wrap(child), child.value().as_text()) {
            (Some(inner), _) if without.contains(&inner.value().name()) => {}
            (Some(inner), _) => found += &text(inner, without),
            (None, Some(own)) => found += own,
            (None, None) => {}
        }
    }
    found.trim().to_owned()
}

fn children<'a>(element: ElementRef<'a>, tags: &[&str]) -> Vec<ElementRef<'a>> {
    let all = element.descendent_elements();
    all.filter(|e| tags.contains(&e.value().name())).collect()
}

fn attribute(element: ElementRef<'_>, name: &str) -> String {
    element.attr(name).unwrap_or_default().to_owned()
}

fn first(element: ElementRef<'_>, tag: &str, name: &str) -> String {
    let found = children(element, &[tag]).into_iter().next();
    found.map_or(String::new(), |found| attribute(found, name))
}

impl Table {
    fn read(element: ElementRef<'_>) -> Self {
        let caption = children(element, &["caption"]).into_iter().next();
        let caption = caption.map_or(String::new(), |caption| text(caption, &[]));
        let name = caption
            .split(". ")
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        let symbol = name.rsplit_once(" in ").map_or("", |(_, rest)| rest);
        let symbol = symbol.split(", ").next().unwrap_or_default();
        let mut table = Self {
            symbol: symbol.to_owned(),
            caption: caption.clone(),
            ..Self::default()
        };
        for row in children(element, &["tr"]) {
            let cells = children(row, &["th", "td"]);
            if row
                .parent()
                .and_then(ElementRef::wrap)
                .is_some_and(|p| p.value().name() == "thead")
            {
                table.heads = cells.into_iter().map(Head::read).collect();
                continue;
            }
            let [head, cells @ ..] = &*cells else {
                continue;
            };
            table.rows.push(Row {
                of: attribute(row, "data-of"),
                head: text(*head, &["small"]),
                href: first(*head, "a", "href"),
                cells: cells.iter().map(|cell| Cell::read(*cell)).collect(),
            });
        }
        table
    }
}

impl Head {
    fn read(element: ElementRef<'_>) -> Self {
        let spans = children(element, &["span"]);
        let detail = spans
            .iter()
            .filter(|span| attribute(**span, "class") == "version");
        Self {
            text: text(element, &[]),
            detail: detail.map(|span| text(*span, &[])).collect(),
            of: attribute(element, "data-of"),
        }
    }
}

impl Cell {
    fn read(element: ElementRef<'_>) -> Self {
        let of = |tag| children(element, &[tag]).into_iter().map(|e| text(e, &[]));
        Self {
            text: text(element, &["sup", "i", "svg"]),
            detail: of("i").collect(),
            class: attribute(element, "class"),
            href: first(element, "a", "href"),
            notes: of("sup").collect(),
        }
    }

    fn is(&self, class: &str) -> bool {
        self.class.split(' ').any(|own| own == class)
    }
}

/// Reads a page.
pub(crate) struct Reader<'s> {
    pub(crate) site: &'s Site,
    page: &'s Page,
    report: Option<&'s Report>,
    pub(crate) said: Vec<Said<'s>>,
    /// Cells of figures and changes of which it is not known what they are of.
    pub(crate) unread: Vec<String>,
}

impl<'s> Reader<'s> {
    pub(crate) fn of(site: &'s Site, page: &'s Page) -> Self {
        Self {
            site,
            page,
            report: site.report_of(page),
            said: Vec::new(),
            unread: Vec::new(),
        }
    }

    pub(crate) fn read(mut self) -> Self {
        for element in select(&self.page.html, "main table") {
            let mut table = Table::read(element);
            let mut next = element
                .parent()
                .and_then(|p| p.next_siblings().find_map(ElementRef::wrap));
            while let Some(note) =
                next.filter(|n| n.value().name() == "p" && attribute(*n, "class") == "note")
            {
                table.notes.push(text(note, &[]));
                next = note.next_siblings().find_map(ElementRef::wrap);
            }
            match attribute(element, "class").as_str() {
                "dots" => self.dots(element, &table),
                _ => self.table(&table),
            }
        }
        for panel in select(&self.page.html, "main svg[data-of]") {
            self.panel(panel);
        }
        self
    }

    fn side(&self, name: &str) -> Option<(&'s Report, usize)> {
        self.site.build(self.report?, name)
    }

    fn of_series(&self, series: &str, version: &str) -> String {
        self.report.map_or(String::new(), |report| {
            self.site.of_series(report, series, version)
        })
    }

    fn say(&mut self, label: &str, symbol: &str, text: &str, around: &str, what: What<'s>) {
        self.said.push(Said {
            page: &self.page.name,
            place: format!("{}, {around}", self.page.name),
            text: text.to_owned(),
            label: label.to_owned(),
            symbol: symbol.to_owned(),
            what,
        });
    }

    fn table(&mut self, table: &Table) {
        for (place, row) in table.rows.iter().enumerate() {
            for (column, cell) in (1..).zip(&row.cells) {
                let Some(head) = table.heads.get(column) else {
                    continue;
                };
                let around = format!("{}: {}: {}", table.caption, row.head, head.text);
                let is_read = match cell.is("change") {
                    true => self.change(table, place, column, &around),
                    false => !is_figure(&cell.text) || self.figure(table, row, column, &around),
                };
                if !is_read {
                    self.unread
                        .push(format!("{}, {around}: {}", self.page.name, cell.text));
                }
            }
        }
    }

    /// Reads a cell with a figure: of a build that the column or the row names, of a scenario that the
    /// other one names, in a unit that stands somewhere around.
    fn figure(&mut self, table: &Table, row: &Row, column: usize, around: &str) -> bool {
        let (head, cell) = (&table.heads[column], &row.cells[column - 1]);
        // Numbers that are no figures of a scenario.
        let others = [
            "n",
            "reports",
            "scenarios",
            "bytes",
            "published",
            "changed",
            "place",
            "p",
            "version",
            "newest measured",
        ];
        let is_other = others.contains(&&*head.text) || table.heads[0].text == "file";
        // What lines through memory give is checked with the sentences.
        if is_other || table.caption.starts_with("What a session costs") {
            return true;
        }
        let (plain, own) = cell.text.split_once('\u{a0}').unwrap_or((&cell.text, ""));
        let unit_column = table.heads.iter().position(|head| head.text == "unit");
        let in_column = unit_column.map_or("", |column| &row.cells[column - 1].text);
        let detail = cell.detail.trim();
        let is_unit = !detail.is_empty() && !detail.contains(['±', '%']);
        let mut label = match (&*row.of, &*head.of) {
            ("", of) | (of, _) => of.to_owned(),
        };
        let name = match &*table.heads[0].text {
            "release" => self.of_series(series_of(&table.caption), &row.head),
            "build" => row.head.clone(),
            _ if table.heads[1].text == "best" => {
                let names = self.site.split_names(&row.cells[0].text);
                names.first().cloned().unwrap_or_default()
            }
            _ => head.text.clone(),
        };
        let symbol = match own {
            "" if is_unit => detail,
            "" if !in_column.is_empty() => in_column,
            "" if ["release", "build"].contains(&&*table.heads[0].text) => match &*head.detail {
                "" => &head.text,
                detail => detail,
            },
            "" if table.heads[0].text == "counted" => &row.head,
            "" => &table.symbol,
            own => own,
        };
        let side = match &*head.text {
            "old" | "new" => self
                .since(table, row)
                .map(|sides| sides[usize::from(head.text == "new")]),
            // The list of scenarios is of several reports.
            _ if table
                .heads
                .last()
                .is_some_and(|head| head.text == "newest report") =>
            {
                let day = &row.cells[row.cells.len() - 1].text;
                let report = self.site.of_day(day, &name, &label);
                if let Some(row) = report.and_then(|report| report.main_row(&label)) {
                    label.clone_from(&row.label);
                }
                report.and_then(|report| self.site.build(report, &name))
            }
            _ => self.side(&name),
        };
        let Some(of) = side else { return false };
        let has_spread = !table.heads.iter().any(|h| h.text == "change")
            && table.heads[0].text != "counted"
            && !is_unit;
        let what = What::Figure {
            of,
            beside: has_spread.then(|| detail.to_owned()),
            is_unsteady: (own.is_empty() && !is_unit).then(|| cell.is("unsteady")),
            interval: None,
        };
        self.say(&label, symbol, plain, around, what);
        true
    }

    /// Reads a cell with a change: of the pair that it or its row links to, or that headings name.
    fn change(&mut self, table: &Table, place: usize, column: usize, around: &str) -> bool {
        let row = &table.rows[place];
        let (head, cell) = (&table.heads[column], &row.cells[column - 1]);
        let of_link = |href: &str| self.site.pair(href);
        let linked = of_link(&cell.href).or_else(|| of_link(&row.href));
        let mut label = match (&*row.of, &*head.of) {
            ("", of) | (of, _) => of.to_owned(),
        };
        let sides = match &*head.text {
            _ if linked.is_some() => linked,
            against if against.starts_with("against ") => {
                let best = self.side(against.trim_start_matches("against "));
                label.clone_from(&table.heads[1].of);
                best.zip(self.side(&row.head)).map(|(old, new)| [old, new])
            }
            "change" if table.heads[0].text == "release" => {
                label.clone_from(&table.heads[column - 1].of);
                let series = series_of(&table.caption);
                let side = |row: &Row| self.side(&self.of_series(series, &row.head));
                let old = table.rows.get(place + 1).and_then(side);
                old.zip(side(row)).map(|(old, new)| [old, new])
            }
            text if text.starts_with("change") => self.since(table, row).or_else(|| {
                let name = |column: usize| self.side(&table.heads[column].text);
                name(column - 1)
                    .zip(name(column + 1))
                    .map(|(old, new)| [old, new])
            }),
            // A release before it, in a table without a link because Compare does not offer both.
            _ if table.heads[0].text == "release" => {
                let (old, new) = row.head.split_once(" ➡️ ").unwrap_or_default();
                let old_side = self.side(old);
                let newer = old_side.map(|(report, old)| self.site.later(report, old, new));
                old_side.zip(newer.flatten()).map(|(old, new)| [old, new])
            }
            name => {
                let subject = table.heads.get(1).and_then(|head| self.side(&head.text));
                self.side(name).zip(subject).map(|(old, new)| [old, new])
            }
        };
        let Some(sides) = sides else { return false };
        let unit_column = table.heads.iter().position(|head| head.text == "unit");
        let symbol = match unit_column {
            Some(column) => &row.cells[column - 1].text,
            None => &table.symbol,
        };
        let what = What::Verdict {
            sides,
            class: cell.class.clone(),
            evidence: cell.detail.clone(),
        };
        self.say(&label, symbol, &cell.text, around, what);
        true
    }

    /// The sides of a row in a table of changes since earlier reports: a note names another baseline.
    fn since(&self, table: &Table, row: &Row) -> Option<[(&'s Report, usize); 2]> {
        let change = table
            .heads
            .iter()
            .position(|head| head.text.starts_with("change"))?;
        let name = table
            .caption
            .rsplit_once(" in ")
            .map_or(&*table.caption, |(name, _)| name);
        let (sides, day) = name.split_once(", since ")?;
        let (old, new) = sides.split_once(" ➡️ ")?;
        let numbers = row.cells[change - 1].notes.split(", ");
        let notes = numbers.filter_map(|number| {
            let mut notes = table.notes.iter();
            let note = notes.find_map(|note| note.strip_prefix(&format!("{number} ")))?;
            note.strip_prefix("against ")?
                .split_once(" in the report of ")
        });
        let (old, day) = notes.last().unwrap_or((old, day));
        let report = self
            .site
            .of_day(day.split([' ', '.']).next()?, old, &row.of)?;
        Some([self.site.build(report, old)?, self.side(new)?])
    }

    /// Reads a plot of the changes between two builds.
    fn dots(&mut self, element: ElementRef<'_>, table: &Table) {
        let [_, _, new, old, ..] = &*table.heads else {
            return;
        };
        let strips = children(element, &["tr"]).into_iter().skip(1);
        let strips = strips.map(|row| first(row, "svg", "aria-label"));
        for (row, spoken) in table.rows.iter().zip(strips) {
            let symbol = row
                .cells
                .iter()
                .map(|cell| &*cell.detail)
                .collect::<String>();
            let around = format!("dots: {}", row.head);
            let sides = self.side(&old.text).zip(self.side(&new.text));
            let Some((old, new)) = sides else {
                self.unread.push(format!("{}, {around}", self.page.name));
                continue;
            };
            let (words, evidence) = spoken.split_once(", ").unwrap_or((&spoken, ""));
            let sides = [old, new];
            let what = What::Verdict {
                sides,
                class: String::new(),
                evidence: evidence.to_owned(),
            };
            self.say(&row.of, &symbol, words, &around, what);
            for (cell, of) in row.cells[1..3].iter().zip([new, old]) {
                let what = What::figure(of);
                self.say(&row.of, &symbol, &cell.text, &around, what);
            }
        }
    }

    /// Reads the marks of bars and lines: `rustls 0.22.4: 4,297 hs/s, 95% interval 4,292 to 4,302, 20 runs`.
    fn panel(&mut self, panel: ElementRef<'_>) {
        let mark = Regex::new(
            r"^(.+): ([0-9.,]+) ([^,]+?)(?:, 95% interval ([0-9.,]+) to ([0-9.,]+))?(?:, (?:\d+ runs?|published .+))?(, unsteady)?$",
        );
        let mark = mark.expect("an expression");
        for title in children(panel, &["title"]) {
            let said = text(title, &[]);
            let Some(parts) = mark.captures(&said) else {
                continue;
            };
            let (mut name, mut label) = (parts[1].to_owned(), attribute(panel, "data-of"));
            // `rustls, 16 B`: over the sizes of writes.
            let sized = name
                .rsplit_once(", ")
                .map(|(series, size)| (series.to_owned(), bytes(size)));
            if let Some((series, Some(bytes))) = sized {
                let sized = format!("{label}, {bytes}-byte writes");
                // Writes of 1 MiB are the usual ones.
                let has = |r: &Report| r.rows.iter().any(|row| row.label == sized);
                if self.report.is_some_and(has) {
                    label = sized;
                }
                name = self
                    .report
                    .map_or(String::new(), |r| self.site.default_name(r, &series));
            }
            // A line is a series, whose releases are called by it and their versions.
            let series = || {
                let (series, version) = name.rsplit_once(' ')?;
                self.side(&self.of_series(series, version))
            };
            let Some(of) = self.side(&name).or_else(series) else {
                self.unread.push(format!("{}, {said}", self.page.name));
                continue;
            };
            let end = |n: usize| parts.get(n).map(|end| end.as_str().to_owned());
            let what = What::Figure {
                of,
                beside: None,
                is_unsteady: None,
                interval: end(4).zip(end(5)).map(|(low, high)| [low, high]),
            };
            self.say(
                &label,
                &parts[3],
                &parts[2],
                &format!("graph: {said}"),
                what,
            );
        }
    }
}

/// The series that a table of releases is about.
fn series_of(caption: &str) -> &str {
    let rest = caption
        .split_once("eleases of ")
        .map_or("", |(_, rest)| rest);
    rest.split(", the ").next().unwrap_or_default()
}

fn is_figure(text: &str) -> bool {
    let number = text.split('\u{a0}').next().unwrap_or_default();
    number.replace(',', "").parse::<f64>().is_ok()
}

/// `16 KiB` as 16384.
fn bytes(size: &str) -> Option<u64> {
    let (number, unit) = size.split_once(' ')?;
    let factor = ["B", "KiB", "MiB"]
        .iter()
        .position(|known| *known == unit)?;
    Some(number.parse::<u64>().ok()? << (10 * factor))
}

/// Reads the files of Compare: the figures of each build, and the verdicts on each pair in both
/// directions.
pub(crate) fn compared(site: &Site) -> Vec<Said<'_>> {
    let mut said = Vec::new();
    for machine in list(&site.json("index")) {
        let file = string(&machine["file"]);
        let about = site.json(&file);
        let reports: Vec<&Report> = list(&about["reports"])
            .iter()
            .map(|report| site.report(&string(&report[0])).expect("a report"))
            .collect();
        let builds: Vec<Build> = list(&machine["builds"])
            .iter()
            .map(|label| site.labelled(&string(label)))
            .collect();
        let rows: Vec<[String; 2]> = list(&about["rows"])
            .iter()
            .map(|row| [string(&row[0]), string(&row[1])])
            .collect();
        let place = |report: usize, build: usize| {
            let report = reports[report];
            let found = report
                .builds
                .iter()
                .position(|known| *known == builds[build]);
            (report, found.expect("a build"))
        };
        for (report, of_report) in list(&about["figures"]).iter().enumerate() {
            for (build, figures) in list(of_report).iter().enumerate() {
                for ([label, symbol], text) in rows.iter().zip(string(figures).split(';')) {
                    if text.is_empty() {
                        continue;
                    }
                    let of = place(report, build);
                    let what = What::figure(of);
                    said.push(Said {
                        page: "",
                        place: format!("{file}.json, {}", builds[build].label()),
                        text: text.to_owned(),
                        label: label.clone(),
                        symbol: symbol.clone(),
                        what,
                    });
                }
            }
        }
        for new in 0..builds.len() - 1 {
            let pairs = site.json(&format!("{file}.{new}"));
            let texts = list(&pairs["texts"]);
            for (later, pair) in list(&pairs["pairs"]).iter().enumerate() {
                let old = new + 1 + later;
                let report = |side: usize| number(&pair["reports"][side]);
                let Some(groups) = pair.get("groups") else {
                    continue;
                };
                let sides = [place(report(0), old), place(report(1), new)];
                for row in list(groups).iter().flat_map(|group| list(&group["rows"])) {
                    let [label, symbol] = &rows[number(&row[0])];
                    for (direction, sides) in [sides, [sides[1], sides[0]]].into_iter().enumerate()
                    {
                        let at = |place: usize| &texts[number(&row[2][place])];
                        let class = match (string(&at(0)[0]), direction) {
                            (look, 1) if look == "good" => "bad".to_owned(),
                            (look, 1) if look == "bad" => "good".to_owned(),
                            (look, _) => look,
                        };
                        let interval = at(1).as_str().or(at(1)[direction].as_str());
                        let interval = interval.unwrap_or_default();
                        let evidence = format!("{interval}, {}", string(at(2)));
                        let evidence = evidence.trim_start_matches(", ").to_owned();
                        said.push(Said {
                            page: "",
                            place: format!("{file}.{new}.json, against {}", builds[old].label()),
                            text: string(&at(0)[1 + direction]),
                            label: label.clone(),
                            symbol: symbol.clone(),
                            what: What::Verdict {
                                sides,
                                class,
                                evidence,
                            },
                        });
                    }
                }
            }
        }
    }
    said
}

pub(crate) fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn string(value: &Json) -> String {
    value.as_str().expect("a text").to_owned()
}

fn number(value: &Json) -> usize {
    value.as_u64().expect("a number") as usize
}

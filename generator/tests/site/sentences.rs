//! The table of claims: every sentence and cell that ranks, counts or compares, written again from
//! `data.csv`.

use super::data::{Report, Row, family, kinds};
use super::pages::{Page, Site, select, words};
use super::reader::{What, compared};
use generator::stats::{Change, Comparison, LinearFit, Verdict, geometric_mean, quantile};
use regex::{Captures, Regex};
use scraper::ElementRef;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Where a sentence stands.
struct At<'s> {
    site: &'s Site,
    figures: &'s Figures,
    page: &'s Page,
    report: &'s Report,
    /// The label of the scenario that it is about.
    of: String,
    /// The rows of the section.
    rows: Vec<&'s Row>,
}

/// The texts of figures with their units, which are checked elsewhere.
type Figures = HashMap<String, [String; 2]>;

/// What a match of the pattern should be.
type Recompute = for<'s> fn(&At<'s>, &Captures<'_>) -> Option<String>;

const NAME: &str = r"[^:;]+?";

/// Where sentences stand, what they look like, and what they should be.
const CLAIMS: [(&str, &str, Recompute); 20] = [
    (
        "links",
        r"^All (\d+ rows?) of \d+ builds?",
        builds_of_section,
    ),
    (
        "scenario",
        r"^(?:NAME: )?(?:Of the newest measured releases, .+|No difference between .+ is shown\.)$",
        ranking,
    ),
    (
        "scenario",
        r"^(?:NAME: )?(.+? with [\d,.]+ ?.*\d) (\S+(?: \S+)*?)\.( [A-Z].+)?$",
        plain,
    ),
    (
        "library",
        r"From (\S+|boring \S+) to (\S+|boring \S+)( \([^:]+?\))?, on one machine: (.+?)\.(?: |$)",
        since_first,
    ),
    (
        "library",
        r"Of the newest measured releases, (.+) is fastest, alone or with others, in \d+ of \d+ scenarios?\.",
        leads_of_library,
    ),
    (
        "section",
        r"^(?:In writes of 1 MiB, )?(.+?) against (.+?): (.+?)\.(?: But .+? in .+?\.)?(?: |$)",
        against,
    ),
    (
        "section",
        r"The ClientHello of (.+?) has .+?\.(?: |$)",
        size_of_hello,
    ),
    (
        "section",
        r"[A-Za-z][^.]*(?:\.\d[^.]*)* leads in \d+ of \d+ scenarios? with a tested order, alone or with others.*\.$",
        leaders,
    ),
    (
        "section",
        r"^X25519MLKEM768 instead of X25519 makes .+? slower\.",
        exchanges,
    ),
    (
        "last",
        r"^X25519MLKEM768 instead of X25519 makes .+? slower\.",
        exchanges,
    ),
    (
        "section",
        r"^Releases measured: (.+?)\. Other releases were not measured\.",
        releases,
    ),
    ("section", r"^Since the report of \S+: .+\.$", since),
    (
        "last",
        r"^(\S.*?)(?:: no change from \S+ is shown in| is (?:faster|slower) than \S+ in .*\d of) \d+ scenarios?\.(?: .+)?$",
        last_release,
    ),
    ("trust", r"^Same program twice: .+$", controls),
    ("trust", r"^[\d,]+ of [\d,]+ figures unsteady", unsteady),
    ("numbers", r"^.+$", numbers),
    ("means", r"^Geometric mean: (.+)\.$", means),
    ("session", r"^(.+?)\|([^|]+)\|.+$", session),
    ("step", r"^(.+)\|(\d+) of (\d+)\|(.+)$", step),
    ("feed", r"Since the report of \S+: .+\.$", since),
];

/// Checks all of the table, and that each sentence with a number is in it.
pub(crate) fn claims(site: &Site) -> Vec<String> {
    let mut figures = Figures::new();
    for said in compared(site) {
        if let What::Figure {
            of: (report, build),
            ..
        } = said.what
        {
            let key = format!("{}\n{build}\n{}", report.name, said.label);
            let unit = said
                .symbol
                .replace("hs/s", "handshakes/s")
                .replace("µs", "ns");
            let unit = if ["ms", "s"].contains(&&*unit) {
                "ns"
            } else {
                &unit
            };
            figures.insert(format!("{key}\n{unit}"), [said.text, said.symbol]);
        }
    }
    let expressions: Vec<(&str, Regex, Recompute)> = CLAIMS
        .iter()
        .map(|(place, pattern, check)| {
            let pattern = pattern.replace("NAME", NAME);
            (*place, Regex::new(&pattern).expect("an expression"), *check)
        })
        .collect();
    let mut found = Vec::new();
    let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
    for (place, at, sentence) in sentences(site, &figures) {
        let mut rest = sentence.clone();
        for (number, (_, expression, check)) in
            expressions.iter().enumerate().filter(|(_, e)| e.0 == place)
        {
            for parts in expression.captures_iter(&sentence) {
                let said = parts[0].trim();
                if !rest.contains(said) {
                    continue;
                }
                let expected =
                    check(&at, &parts).unwrap_or_else(|| "nothing of this kind".to_owned());
                if said != expected.trim() {
                    found.push(format!(
                        "{}: `{said}` should be `{}`",
                        at.page.name,
                        expected.trim()
                    ));
                }
                *uses.entry(number).or_default() += 1;
                rest = rest.replacen(said, "", 1);
            }
        }
        let rest = rest.trim();
        if rest.contains(|c: char| c.is_ascii_digit()) && !is_explained(rest) {
            found.push(format!(
                "{}: no claim of the table is `{rest}`",
                at.page.name
            ));
        }
    }
    for (number, (place, pattern, _)) in CLAIMS.iter().enumerate() {
        if !uses.contains_key(&number) {
            found.push(format!("no {place} says `{pattern}`"));
        }
    }
    found
}

/// Whether a sentence only names what was used, or links to a table.
fn is_explained(rest: &str) -> bool {
    let starts = ["· ClientHello: all ", "half of the interval ", "A circle "];
    starts.iter().any(|start| rest.starts_with(start))
}

/// All sentences that the generator wrote, with the kind of their place.
fn sentences<'s>(site: &'s Site, figures: &'s Figures) -> Vec<(&'static str, At<'s>, String)> {
    let mut found = Vec::new();
    for page in site.pages() {
        let Some(report) = site.report_of(page) else {
            continue;
        };
        let of = select(&page.html, ".summary")
            .first()
            .and_then(|e| e.attr("data-of"))
            .unwrap_or_default();
        let at = || At {
            site,
            figures,
            page,
            report,
            of: of.to_owned(),
            rows: Vec::new(),
        };
        let mut parts = page.name.split('/').skip(1);
        let (folder, below) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        for summary in select(&page.html, ".summary") {
            match folder {
                "scenarios" => found.push(("scenario", at(), words(summary))),
                "implementations" => found.push(("library", at(), words(summary))),
                // That of a report is its author's.
                _ => assert!(report.manifest.contains_key("summary"), "{}", page.name),
            }
        }
        for strip in select(&page.html, ".trust > div") {
            let text: Vec<String> = strip.child_elements().map(words).collect();
            let text = text.join(" ");
            if text.starts_with("Same program") || text.contains("figures unsteady") {
                found.push(("trust", at(), text));
            }
        }
        for (kind, selector) in [("numbers", ".numbers"), ("means", ".means")] {
            for element in select(&page.html, selector) {
                found.push((kind, at(), words(element)));
            }
        }
        if page.name == "index.html" {
            for section in select(&page.html, ".three section") {
                let mut all = section.child_elements().map(words);
                let is_of_variant = all.next().is_some_and(|head| head.starts_with("Against "));
                let own = all.filter(|_| !is_of_variant);
                found.extend(own.map(|text| ("last", at(), text)));
            }
        }
        if folder == report.name && below == "index.html" {
            for paragraph in select(&page.html, ".page-rest p:not(.note)") {
                let section = paragraph.prev_siblings().filter_map(ElementRef::wrap);
                let mut section = section.filter(|e| e.value().name() == "h2");
                let id = section
                    .next()
                    .and_then(|h2| h2.attr("id"))
                    .unwrap_or_default();
                if !["", "comparisons", "notes", "method"].contains(&id) {
                    let rows = section_rows(site, report, id);
                    let is_links = paragraph.attr("class") == Some("links");
                    let kind = if is_links { "links" } else { "section" };
                    found.push((kind, At { rows, ..at() }, words(paragraph)));
                }
            }
        }
        for row in select(&page.html, "main table tbody tr") {
            let cells: Vec<ElementRef<'_>> = row.child_elements().collect();
            let text: Vec<String> = cells.iter().map(|cell| words(*cell)).collect();
            let link = select_in(row, "th a[href*='#old=']");
            let table = row
                .ancestors()
                .filter_map(ElementRef::wrap)
                .find(|e| e.value().name() == "table");
            let caption = table.map_or(String::new(), words);
            if caption.starts_with("Each release against") {
                let [.., changed, largest] = &*text else {
                    continue;
                };
                let name = link.and_then(|link| link.attr("href")).unwrap_or(&text[0]);
                found.push(("step", at(), format!("{name}|{changed}|{largest}")));
            } else if caption.starts_with("What a session costs") {
                found.push(("session", at(), text.join("|")));
            }
        }
    }
    let feed = crate::common::read(&site.public("perf/atom.xml"));
    let feed = roxmltree::Document::parse(&feed).expect("XML");
    for entry in feed.descendants().filter(|node| node.has_tag_name("entry")) {
        let of = |name: &str| {
            let child = entry.children().find(|child| child.has_tag_name(name));
            child
                .and_then(|child| child.text())
                .unwrap_or_default()
                .to_owned()
        };
        let id = of("id");
        let report = site
            .reports
            .iter()
            .find(|r| id.ends_with(&format!("/{}/", r.name)));
        let text = of("summary");
        if let (Some(report), Some(at)) = (report, text.find("Since the report of ")) {
            let changes = text[at..].to_owned();
            let page = site.page("perf/index.html");
            let at = At {
                site,
                figures,
                page,
                report,
                of: String::new(),
                rows: Vec::new(),
            };
            found.push(("feed", at, changes));
        }
    }
    found
}

fn select_in<'a>(element: ElementRef<'a>, selector: &str) -> Option<ElementRef<'a>> {
    let selector = scraper::Selector::parse(selector).expect("a selector");
    element.select(&selector).next()
}

/// The rows that the page of all figures has in the section of this name.
fn section_rows<'s>(site: &'s Site, report: &'s Report, id: &str) -> Vec<&'s Row> {
    let page = site.page(&format!("perf/{}/figures/index.html", report.name));
    let mut own = BTreeSet::new();
    for heading in select(&page.html, "h2[id]")
        .into_iter()
        .filter(|h2| h2.attr("id") == Some(id))
    {
        let next = heading.next_siblings().filter_map(ElementRef::wrap);
        for element in next.take_while(|e| e.value().name() != "h2") {
            let all = element.descendent_elements();
            own.extend(all.filter_map(|e| e.attr("data-of")));
        }
    }
    let is_count = ["counts", "footprint"].contains(&id);
    let is_own = |row: &&Row| {
        let label = row
            .label
            .trim_end_matches(&format!(", {}", row.field("percentile")));
        own.contains(&*row.label) || own.contains(label)
    };
    let rows = report.rows.iter().filter(is_own);
    rows.filter(|row| row.is_count() == is_count).collect()
}

impl<'s> At<'s> {
    fn name(&self, build: usize) -> &'s str {
        self.site.name(self.report, build)
    }

    fn side(&self, name: &str) -> Option<usize> {
        self.site.build(self.report, name).map(|(_, build)| build)
    }

    fn names(&self, builds: &[usize]) -> String {
        let mut names: Vec<String> = builds
            .iter()
            .take(4)
            .map(|b| self.name(*b).to_owned())
            .collect();
        if builds.len() > 4 {
            names.push(count(builds.len() - 4, "other"));
        }
        join(&names)
    }

    /// The text of a figure and its unit.
    fn figure(&self, row: &Row, build: usize) -> [String; 2] {
        let key = format!(
            "{}\n{build}\n{}\n{}",
            self.report.name, row.label, row.symbol
        );
        self.figures.get(&key).cloned().unwrap_or_default()
    }

    fn change(&self, row: &Row, sides: [usize; 2]) -> Option<String> {
        self.report
            .verdict(row, sides)
            .map(|known| known.change.to_string())
    }

    /// The row that a page of a scenario is about, and the start of its sentence.
    fn row(&self) -> Option<(&'s Row, String)> {
        let rows = self.report.rows.iter().filter(|row| row.label == self.of);
        let row = rows.clone().find(|row| !row.is_count());
        let row = row
            .or(rows.clone().find(|row| row.symbol == "stripped bytes"))
            .or(rows.clone().next())?;
        Some((row, format!("{}: ", self.site.title(&row.label))))
    }
}

fn join(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn ranking(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let (row, title) = at.row()?;
    let title = if said[0].starts_with(&title) {
        title
    } else {
        String::new()
    };
    let [first, behind] = at.report.leaders(row)?;
    let best = first[0];
    let names = at.names(&first);
    let Some(next) = behind.first() else {
        return Some(format!("{title}No difference between {names} is shown."));
    };
    let [figure, symbol] = at.figure(row, best);
    let change = at.change(row, [*next, best])?;
    let than = at.name(*next);
    let word = if row.is_rate_or_time() {
        "fastest"
    } else {
        "best"
    };
    let ours = at.name(best);
    let lead = match first.len() {
        1 => format!("{ours} is {word}: {figure} {symbol}, {change} than {than}"),
        _ => format!(
            "{names} are {word}, and no difference between them is shown: {ours} with {figure} {symbol}, {change} than {than}"
        ),
    };
    Some(format!("{title}Of the newest measured releases, {lead}."))
}

/// Figures that are not ranked, and why.
fn plain(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let (row, title) = at.row()?;
    let title = if said[0].starts_with(&title) {
        title
    } else {
        String::new()
    };
    if at.report.leaders(row).is_some() {
        return None;
    }
    let one = Regex::new(r"(.+?) with [\d,.]*\d(?:, | and |$)").expect("an expression");
    let mut builds = Vec::new();
    for parts in one.captures_iter(said[1].trim_start_matches(&title)) {
        builds.push(at.side(&parts[1])?);
    }
    let why = match builds.len() {
        1 => "",
        _ if row.is_open() => {
            " Each library chooses its key exchange here, so they are not ranked."
        }
        _ => " They are not ranked.",
    };
    let texts: Vec<String> = builds
        .iter()
        .map(|build| format!("{} with {}", at.name(*build), at.figure(row, *build)[0]))
        .collect();
    let [_, symbol] = at.figure(row, builds[0]);
    Some(format!("{title}{} {symbol}.{why}", join(&texts)))
}

fn since_first(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let library = words(select(&at.page.html, "h1")[0]);
    let variant = said.get(3).map_or("", |variant| variant.as_str());
    let series = format!("{library}{variant}");
    let newest = at.side(&at.site.of_series(at.report, &series, &said[2]))?;
    let mut own = at.report.series(newest);
    own.retain(|build| at.report.rows.iter().any(|row| row.has(*build)));
    let (first, last) = (
        own[0],
        *own.iter()
            .rev()
            .find(|b| at.report.builds[**b].is_final())?,
    );
    let mut groups: Vec<(&str, Vec<(&Row, Comparison)>)> = Vec::new();
    let rows = at.report.headlines().into_iter();
    for row in rows.filter(|row| !row.is_open()) {
        let known = at.report.verdict(row, [first, last]);
        let Some(known) = known.filter(|known| known.verdict != Verdict::Untested) else {
            continue;
        };
        let work = row.field("workload");
        match groups.iter_mut().find(|(own, _)| *own == work) {
            Some((_, own)) => own.push((row, known)),
            None => groups.push((work, vec![(row, known)])),
        }
    }
    let changes: Vec<String> = groups
        .iter()
        .map(|(work, known)| match groups.len() {
            1 => clauses(at.site, known, &said[4]),
            _ => format!("{work} {}", clauses(at.site, known, &said[4])),
        })
        .collect();
    let name = at.name(last).trim_start_matches(&library).trim();
    let from = at.report.builds[first]
        .version
        .replace("boring-", "boring ");
    Some(format!(
        "From {from} to {name}, on one machine: {}.",
        changes.join("; ")
    ))
}

fn leads_of_library(at: &At<'_>, _: &Captures<'_>) -> Option<String> {
    let library = words(select(&at.page.html, "h1")[0]);
    let (_, leads) = at.report.leads(&at.report.main_rows());
    let (_, [ranked, first]) = leads
        .into_iter()
        .find(|(build, _)| at.report.builds[*build].library == library)?;
    let scenarios = count(ranked, "scenario");
    Some(format!(
        "Of the newest measured releases, {library} is fastest, alone or with others, in {first} of {scenarios}."
    ))
}

/// The rows of a section that say most: of the newest TLS, in the unit of most, without variants of others.
fn main_rows<'s>(rows: &[&'s Row]) -> Vec<&'s Row> {
    let units: BTreeMap<&str, usize> = rows.iter().fold(BTreeMap::new(), |mut units, row| {
        *units.entry(&*row.symbol).or_default() += 1;
        units
    });
    let most = units
        .into_iter()
        .max_by_key(|(_, n)| *n)
        .map_or("", |(unit, _)| unit);
    let mut own = rows.to_vec();
    own.retain(|row| row.symbol == most);
    let kind =
        |row: &Row| ["workload", "tls_version", "key"].map(|name| row.field(name).to_owned());
    let fixed: BTreeSet<_> = own
        .iter()
        .filter(|row| row.field("key_exchange") == "x25519")
        .map(|row| kind(row))
        .collect();
    let mut main = own.clone();
    main.retain(|row| {
        let is_usual = ["", "rsa", "ecdsa"].contains(&row.field("key"))
            && ["write_size", "fragment_size"]
                .iter()
                .all(|name| row.field(name).is_empty())
            && ["mutual", "unbuffered"]
                .iter()
                .all(|name| row.field(name) == "false");
        is_usual && !(row.field("key_exchange").is_empty() && fixed.contains(&kind(row)))
    });
    let mut newest = main.clone();
    newest.retain(|row| row.field("tls_version") == "1.3");
    match (newest.is_empty(), main.is_empty()) {
        (false, _) => newest,
        (true, false) => main,
        (true, true) => own,
    }
}

fn against(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let sides = [at.side(&said[2])?, at.side(&said[1])?];
    let mut rows = main_rows(&at.rows);
    if rows[0].field("workload") == "memory" {
        rows.sort_by_key(|row| row.field("sessions").parse::<u32>().unwrap_or_default());
        rows = rows.split_off(rows.len() - 1);
    }
    let others = at.rows.clone();
    if rows[0].field("workload") == "footprint" {
        rows.clone_from(&at.rows);
        rows.retain(|row| row.symbol == "stripped bytes");
    }
    let known: Vec<(&Row, Comparison)> = rows
        .into_iter()
        .filter_map(|row| Some((row, at.report.verdict(row, sides)?)))
        .collect();
    let is_main = |row: &Row| known.iter().any(|(own, _)| std::ptr::eq(*own, row));
    let known_units: BTreeSet<&str> = known.iter().map(|(row, _)| &*row.symbol).collect();
    let changed = |known: &Comparison| known.verdict.is_change();
    let directions: BTreeSet<bool> = known
        .iter()
        .filter(|(_, known)| changed(known))
        .map(|(_, known)| known.verdict == Verdict::Better)
        .collect();
    // The largest change in a direction that no main row has.
    let most = others
        .iter()
        .filter(|row| !is_main(row))
        .filter_map(|row| Some((row, at.report.verdict(row, sides)?)))
        .filter(|(_, known)| changed(known))
        .filter(|(_, known)| !directions.contains(&(known.verdict == Verdict::Better)))
        .max_by(|(_, a), (_, b)| a.change.size().total_cmp(&b.change.size()));
    let but = most.map_or(String::new(), |(row, known)| {
        let is_usual = known_units.contains(&*row.symbol);
        let unit = if is_usual {
            String::new()
        } else {
            format!(" {}", row.symbol)
        };
        let title = at.site.title(&row.label);
        format!(" But {}{unit} in {title}.", known.change)
    });
    let has_sizes = at
        .rows
        .iter()
        .any(|row| !row.field("write_size").is_empty());
    let lead = if has_sizes {
        "In writes of 1 MiB, "
    } else {
        ""
    };
    Some(format!(
        "{lead}{} against {}: {}.{but}",
        at.name(sides[1]),
        at.name(sides[0]),
        clauses(at.site, &known, &said[3])
    ))
}

fn size_of_hello(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let build = at.side(&said[1])?;
    let rows = at.report.rows.iter();
    let rows = rows.filter(|row| row.label.starts_with("client hello, "));
    let rows = rows.filter(|row| row.symbol == "bytes on the wire" && row.has(build));
    let mut sizes = Vec::new();
    for (place, row) in rows.enumerate() {
        let title = at.site.title(&row.label);
        let with = title.split_once(", ")?.1;
        let bytes = if place == 0 { " bytes" } else { "" };
        sizes.push(format!("{}{bytes} with {with}", at.figure(row, build)[0]));
    }
    Some(format!(
        "The ClientHello of {} has {}.",
        &said[1],
        join(&sizes)
    ))
}

fn builds_of_section(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let builds: BTreeSet<usize> = at.rows.iter().flat_map(|row| row.builds.clone()).collect();
    Some(format!(
        "All {} of {}",
        &said[1],
        count(builds.len(), "build")
    ))
}

/// What some verdicts of one kind of work come to: `1.15x to 2.16x faster in 3 of 4 and as fast for …`; the words
/// that tell which rows a part is of are those that were said.
fn clauses(site: &Site, known: &[(&Row, Comparison)], said: &str) -> String {
    let mut parts = Vec::new();
    for verdict in [
        Verdict::Better,
        Verdict::Differs,
        Verdict::Same,
        Verdict::NotShown,
        Verdict::Worse,
    ] {
        let own: Vec<&(&Row, Comparison)> = known
            .iter()
            .filter(|(_, one)| one.verdict == verdict)
            .collect();
        let Some((row, _)) = own.first() else {
            continue;
        };
        let words = match verdict {
            Verdict::Same if row.is_rate_or_time() => "as fast".to_owned(),
            Verdict::Same => "no different".to_owned(),
            Verdict::NotShown => "no difference shown".to_owned(),
            _ => range(own.iter().map(|(_, one)| one.change).collect()),
        };
        let place = match (own.len(), known.len()) {
            (n, all) if n == all => String::new(),
            (n, all) if n > 2 => format!(" in {n} of {all}"),
            _ => {
                let after = said
                    .split_once(&format!("{words} for "))
                    .map_or("", |(_, rest)| rest);
                let titles = own
                    .iter()
                    .map(|(row, _)| site.title(&row.label).to_lowercase());
                let end = (0..=after.len()).rev().find(|end| {
                    let part = after.get(..*end).map(str::to_lowercase).unwrap_or_default();
                    let parts: Vec<&str> = part.split(" and ").collect();
                    let mut pairs = titles.clone().zip(&parts);
                    let ends = ["", ".", ", ", " and ", ";"]
                        .iter()
                        .any(|next| match *next {
                            "" => *end == after.len(),
                            next => after[*end..].starts_with(next),
                        });
                    ends && parts.len() == own.len()
                        && pairs.all(|(title, part)| {
                            !part.is_empty() && part.split(", ").all(|word| title.contains(word))
                        })
                });
                format!(" for {}", end.map_or("?", |end| &after[..end]))
            }
        };
        parts.push(words + &place);
    }
    join(&parts)
}

fn range(mut changes: Vec<Change>) -> String {
    changes.sort_by(|a, b| a.size().total_cmp(&b.size()));
    match &*changes {
        [] => String::new(),
        [first, .., last] if first.amount() != last.amount() => {
            format!("{} to {last}", first.amount())
        }
        [.., last] => last.to_string(),
    }
}

/// The answers of the front page and of Compare, and the lines on variants: all from the same verdicts as the
/// plot beside them.
pub(crate) fn answers(site: &Site) -> Vec<String> {
    let mut found = Vec::new();
    for name in ["index.html", "perf/compare/index.html"] {
        let page = site.page(name);
        let Some(report) = site.report_of(page) else {
            continue;
        };
        let heads: Vec<String> = select(&page.html, ".dots thead th")
            .into_iter()
            .map(words)
            .collect();
        let subject = &heads[2];
        let mut said = vec![(heads[3].clone(), words(select(&page.html, ".answer")[0]))];
        for section in select(&page.html, ".three section") {
            let all: Vec<ElementRef<'_>> = section.child_elements().collect();
            if let Some(rival) = words(all[0]).strip_prefix("Against ") {
                said.push((rival.to_owned(), words(all[1])));
            }
        }
        for (rival, text) in said {
            let sides = [&rival, subject].map(|name| site.build(report, name));
            let [Some((_, old)), Some((_, new))] = sides else {
                found.push(format!("{name}: {rival} is no build"));
                continue;
            };
            let mut groups: BTreeMap<&str, Vec<(&Row, Comparison)>> = BTreeMap::new();
            for row in report.headlines().into_iter().chain(extra(report)) {
                let known = report.verdict(row, [old, new]);
                if let Some(known) = known.filter(|known| known.verdict != Verdict::Untested) {
                    groups
                        .entry(row.field("workload"))
                        .or_default()
                        .push((row, known));
                }
            }
            let mut rest = text.clone();
            for (work, known) in groups {
                let lower = format!("{work} ({})", clauses(site, &known, &text));
                let upper = work[..1].to_uppercase() + &work[1..];
                let sentence = format!("{upper}: {}.", clauses(site, &known, &text));
                let is_said = [&lower, &sentence]
                    .into_iter()
                    .find(|part| text.contains(*part));
                match is_said {
                    Some(part) => rest = rest.replacen(part, "", 1),
                    // A variant's lines are one for each kind of work.
                    None if text.to_lowercase().contains(work) => {
                        found.push(format!("{name}: `{text}` should say `{sentence}`"));
                    }
                    None => {}
                }
            }
            if rest.contains(|c: char| c.is_ascii_digit()) {
                found.push(format!("{name}: no verdict is `{rest}`, of `{text}`"));
            }
        }
    }
    found
}

/// The rows beside the headlines that say most: what the plot of the front page has.
fn extra(report: &Report) -> Vec<&Row> {
    let headlines = report.headlines();
    let like = |row: &&Row| {
        let is_key = ["rsa", "ecdsa", ""].contains(&row.field("key"))
            && row.field("mutual") == "false"
            && row.field("write_size").is_empty()
            && row.field("tls_version") == "1.3";
        let is_like = headlines.iter().any(|known| {
            ["workload", "key_exchange", "resumption", "cipher"]
                .iter()
                .all(|f| known.field(f) == row.field(f))
        });
        let is_memory = row.field("sessions") == "10000";
        is_key
            && (is_like || is_memory)
            && !headlines.iter().any(|known| std::ptr::eq(*known, *row))
    };
    report
        .rows
        .iter()
        .filter(|row| !row.is_count())
        .filter(like)
        .collect()
}

fn leaders(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let labels: BTreeSet<&str> = at.rows.iter().map(|row| &*row.label).collect();
    let mut rows = at.report.main_rows();
    rows.retain(|row| labels.contains(&*row.label));
    let (ranked, leads) = at.report.leads(&rows);
    let mut leads: Vec<(usize, usize)> = leads
        .into_iter()
        .map(|(build, [_, first])| (build, first))
        .collect();
    leads.retain(|(_, first)| *first > 0);
    // Of as many, the order is that of the report's rivals.
    leads.sort_by_key(|(build, first)| {
        (
            usize::MAX - first,
            said[0].find(at.name(*build)).unwrap_or(usize::MAX),
        )
    });
    let (first, others) = leads.split_first()?;
    let others: Vec<String> = others
        .iter()
        .take(3)
        .map(|(b, n)| format!("{} in {n}", at.name(*b)))
        .collect();
    let comma = if others.is_empty() { "" } else { ", " };
    let of = count(ranked, "scenario");
    Some(format!(
        "{} leads in {} of {of} with a tested order, alone or with others{comma}{}.",
        at.name(first.0),
        first.1,
        join(&others)
    ))
}

fn exchanges(at: &At<'_>, _: &Captures<'_>) -> Option<String> {
    let mut all = Vec::new();
    for build in at.report.ranked() {
        let mut pairs = Vec::new();
        for hybrid in &at.report.rows {
            let plain = hybrid.label.replace("x25519mlkem768", "x25519");
            let is_hybrid = hybrid.field("key_exchange") == "x25519mlkem768"
                && !hybrid.is_count()
                && ["client", "server"].contains(&hybrid.field("side"));
            if let Some(plain) = at.report.row(&plain, &hybrid.symbol).filter(|_| is_hybrid) {
                pairs.push(([plain, hybrid], [build, build], None));
            }
        }
        all.extend(family(at.report, &pairs).into_iter().flatten());
    }
    let changed: Vec<Change> = all
        .iter()
        .filter(|one| one.verdict.is_change())
        .map(|one| one.change)
        .collect();
    let of = match changed.len() == all.len() {
        true => "these handshakes".to_owned(),
        false => format!("{} of {} of these handshakes", changed.len(), all.len()),
    };
    Some(format!(
        "X25519MLKEM768 instead of X25519 makes {of} {}.",
        range(changed)
    ))
}

/// How many releases were measured of each series.
fn releases(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let mut parts = Vec::new();
    for part in said[1].split("; ") {
        let (_, series) = part.split_once(" of ")?;
        let (library, variant) = series.split_once(" (").unwrap_or((series, ""));
        let builds = 0..at.report.builds.len();
        let lengths = builds.filter(|build| {
            let build = &at.report.builds[*build];
            let variant = variant.trim_end_matches(')');
            build.library == library
                && (variant.is_empty() || build.variant.iter().any(|own| own == variant))
        });
        let n = lengths.map(|build| at.report.series(build).len()).max()?;
        parts.push(format!("{n} of {series}"));
    }
    let measured = parts.join("; ");
    Some(format!(
        "Releases measured: {measured}. Other releases were not measured."
    ))
}

/// The rates and times of a pair, one of each kind of work.
fn speeds(report: &Report, sides: [usize; 2]) -> Vec<(&Row, Comparison)> {
    let all: BTreeMap<*const Row, Comparison> = report
        .compare(sides)
        .into_iter()
        .map(|(row, one)| (std::ptr::from_ref(row), one))
        .collect();
    let rows = report
        .rows
        .iter()
        .filter(|row| row.is_speed() && all.contains_key(&std::ptr::from_ref(*row)));
    let kept = kinds(rows.collect()).into_iter();
    kept.map(|row| (row, all[&std::ptr::from_ref(row)]))
        .collect()
}

fn largest(site: &Site, all: &[(&Row, Comparison)]) -> Option<String> {
    let mut found: Option<&(&Row, Comparison)> = None;
    for one in all.iter().filter(|(_, known)| known.verdict.is_change()) {
        if found.is_none_or(|(_, known)| one.1.change.size() > known.change.size()) {
            found = Some(one);
        }
    }
    found.map(|(row, known)| format!("{} in {}", known.change, site.title(&row.label)))
}

fn step(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let sides = match at.site.pair(&said[1]) {
        Some(sides) => sides.map(|(_, build)| build),
        None => {
            let (old, new) = said[1].split_once(" ➡️ ")?;
            let old = at.side(old)?;
            [old, at.site.later(at.report, old, new)?.1]
        }
    };
    let all = speeds(at.report, sides);
    let changed = all
        .iter()
        .filter(|(_, known)| known.verdict.is_change())
        .count();
    let largest = largest(at.site, &all).unwrap_or_else(|| "–".to_owned());
    Some(format!("{}|{changed} of {}|{largest}", &said[1], all.len()))
}

/// The steps between releases in which nothing changed.
/// What the newest release of a library changed, and the largest change; or the last release that changed
/// something.
fn last_release(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let newest = at.side(&said[1])?;
    let own = at.report.series(newest);
    let finals: Vec<usize> = own
        .iter()
        .copied()
        .filter(|b| at.report.builds[*b].is_final())
        .collect();
    let steps: Vec<[usize; 2]> = own.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let step = steps
        .iter()
        .rev()
        .find(|step| Some(&step[1]) == finals.last())?;
    let version = |build: usize| &at.report.builds[build].version;
    let all = speeds(at.report, *step);
    let number = |verdict| {
        all.iter()
            .filter(|(_, known)| known.verdict == verdict)
            .count()
    };
    let [better, worse] = [Verdict::Better, Verdict::Worse].map(number);
    let tested = all.len() - number(Verdict::Untested);
    let before = version(step[0]);
    let of = count(tested, "scenario");
    let changes = match (better, worse) {
        (better, 0) => format!("faster than {before} in {better}"),
        (0, worse) => format!("slower than {before} in {worse}"),
        (better, worse) => format!("faster than {before} in {better} and slower in {worse}"),
    };
    let ours = at.name(step[1]);
    Some(match largest(at.site, &all) {
        Some(largest) => {
            format!("{ours} is {changes} of {of}. The largest change: {largest}.")
        }
        None => {
            let before = steps
                .iter()
                .rev()
                .filter(|one| finals.contains(&one[1]) && *one != step);
            let last = before
                .filter_map(|step| Some((step[1], largest(at.site, &speeds(at.report, *step))?)))
                .next();
            let last = last
                .map(|(build, largest)| format!(" Last change: {}, {largest}.", version(build)));
            let last = last.unwrap_or_default();
            format!(
                "{ours}: no change from {} is shown in {of}.{last}",
                version(step[0])
            )
        }
    })
}

/// What changed since the report before: of each build, one row of each kind of work.
fn since(at: &At<'_>, _: &Captures<'_>) -> Option<String> {
    let before = at.site.before(at.report)?;
    let mut all = Vec::new();
    for new in 0..at.report.builds.len() {
        let library =
            |build: &usize| before.builds[*build].library == at.report.builds[new].library;
        let Some(old) = before.defaults().into_iter().find(library) else {
            continue;
        };
        let judged = super::data::judge([(before, old), (at.report, new)]);
        let judged = at.report.rows.iter().zip(judged);
        let judged = judged.filter_map(|(row, known)| Some((row, known?)));
        let own: Vec<(&Row, Comparison)> = judged.collect();
        let kept = kinds(own.iter().map(|(row, _)| *row).collect());
        let is_kept = |row: &Row| kept.iter().any(|kept| std::ptr::eq(*kept, row));
        all.extend(own.into_iter().filter(|(row, _)| is_kept(row)));
    }
    let numbers = numbers_of(&all);
    let day = before.name.split('-').take(3).collect::<Vec<_>>().join("-");
    let largest = largest(at.site, &all);
    let largest = largest.map(|largest| format!(" The largest change: {largest}."));
    Some(format!(
        "Since the report of {day}: {}.{}",
        join(&numbers),
        largest.unwrap_or_default()
    ))
}

fn controls(at: &At<'_>, _: &Captures<'_>) -> Option<String> {
    let rows = at.report.rows.iter().filter(|row| !row.is_count());
    let all: Vec<f64> = rows.clone().filter_map(|row| row.control).collect();
    let share = |q| quantile(all.clone(), q).map(|f| format!("{:.1}%", (f - 1.0) * 100.0));
    let of = match all.len() == rows.clone().count() {
        true => String::new(),
        false => format!(", in the {} of {} measured twice", all.len(), rows.count()),
    };
    Some(format!(
        "Same program twice: {} in the median scenario, at most {} in 95 of 100{of}",
        share(0.5)?,
        share(0.95)?
    ))
}

fn unsteady(at: &At<'_>, _: &Captures<'_>) -> Option<String> {
    let (mut unsteady, mut all) = (0, 0);
    for row in at.report.rows.iter().filter(|row| !row.is_count()) {
        for build in 0..at.report.builds.len() {
            all += usize::from(row.interval(build).is_some());
            unsteady += usize::from(row.is_unsteady(build));
        }
    }
    let all = match all {
        0..1000 => all.to_string(),
        _ => format!("{},{:03}", all / 1000, all % 1000),
    };
    Some(format!("{unsteady} of {all} figures unsteady"))
}

/// The verdicts of the plot on Compare's page.
fn plotted<'s>(at: &At<'s>) -> Option<Vec<(&'s Row, Comparison)>> {
    let heads: Vec<String> = select(&at.page.html, ".dots thead th")
        .into_iter()
        .map(words)
        .collect();
    let sides = [at.side(&heads[3])?, at.side(&heads[2])?];
    let mut all = at.report.compare(sides);
    all.retain(|(row, _)| row.is_speed());
    Some(all)
}

fn numbers(at: &At<'_>, _: &Captures<'_>) -> Option<String> {
    Some(numbers_of(&plotted(at)?).concat())
}

/// `3 faster`, `2 slower`, `8 without a difference`
fn numbers_of(all: &[(&Row, Comparison)]) -> Vec<String> {
    let mut sorted: Vec<&Comparison> = all.iter().map(|(_, known)| known).collect();
    sorted.sort_by_key(|known| known.verdict);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for known in sorted {
        let word = match known.verdict {
            Verdict::Same => "without a difference",
            Verdict::NotShown => "not shown (~)",
            Verdict::Untested => "not tested (*)",
            Verdict::Better | Verdict::Worse | Verdict::Differs => known.change.word(),
        };
        match found.iter_mut().find(|(_, counted)| *counted == word) {
            Some((n, _)) => *n += 1,
            None => found.push((1, word)),
        }
    }
    let found = found.into_iter();
    found.map(|(n, word)| format!("{n} {word}")).collect()
}

fn means(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let all = plotted(at)?;
    let one = Regex::new(r"\S+ \S+ over \d+ scenarios of (.+)").expect("an expression");
    let mut parts = Vec::new();
    for part in said[1].split("; ") {
        let work = one.captures(part)?[1].to_owned();
        let rows = all
            .iter()
            .filter(|(row, _)| row.field("workload") == work)
            .map(|(row, _)| *row);
        let kept = kinds(rows.collect());
        let changes = all
            .iter()
            .filter(|(row, _)| kept.iter().any(|k| std::ptr::eq(*k, *row)));
        let changes: Vec<Change> = changes.map(|(_, known)| known.change).collect();
        let ratios: Vec<f64> = changes.iter().map(|change| change.ratio).collect();
        let mean = Change {
            ratio: geometric_mean(&ratios)?,
            ..changes[0]
        };
        parts.push(format!("{mean} over {} scenarios of {work}", ratios.len()));
    }
    Some(format!("Geometric mean: {}.", parts.join("; ")))
}

/// A line through the memory of a build over the number of sessions.
fn session(at: &At<'_>, said: &Captures<'_>) -> Option<String> {
    let build = at.side(&said[1])?;
    let rows =
        at.report.rows.iter().filter(|row| {
            row.field("workload") == "memory" && row.field("tls_version") == &said[2]
        });
    let points: Vec<(f64, f64)> = rows
        .filter_map(|row| Some((row.field("sessions").parse().ok()?, row.estimate(build)?)))
        .collect();
    let line = LinearFit::through(&points)?;
    let group = |number: f64| {
        let digits = format!("{number:.0}");
        match digits.len() {
            0..=3 => digits,
            n => format!("{},{}", &digits[..n - 3], &digits[n - 3..]),
        }
    };
    Some(format!(
        "{}|{}|{:.1}|{}|{}",
        &said[1],
        &said[2],
        line.slope,
        group(line.intercept),
        group(line.at(10_000.0) / 1024.0)
    ))
}

//! The machines page: the same releases on several machines, as ratios to one implementation.

use super::caveats::of_factor;
use super::compared::{UNTESTED, compared, factor_cell};
use super::front_matter::FrontMatter;
use super::{Head, Pages, Part, Renderer, Table, TableCell, TableRow, joined, subject_of};
use crate::footnotes::Footnotes;
use crate::report::{Report, Row};
use crate::scenario::Scenario;
use crate::unit::Unit;
use anyhow::Result;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Tables of ratios on the page. The number of pairs of releases grows with the square of releases.
const MAX_TABLES: usize = 20;

/// A report with the columns of two releases, baseline and candidate.
type ReleasePair<'a> = (&'a Report, [usize; 2]);

/// A ratio with its footnotes.
type Ratio = (TableCell, Vec<String>);

impl Renderer<'_> {
    /// Renders the page of releases on several machines from all reports, newest first.
    pub(crate) fn machines(&self, reports: &[&Report]) -> Result<Pages> {
        let mut dated = reports.to_vec();
        dated.retain(|r| r.dated_machine().is_some());
        let subject = dated.first().map_or("", |newest| subject_of(newest));
        let (mut ratios, mut left_out) = (Vec::new(), 0);
        // Those of the newest report come first.
        for sides in release_pairs(&dated, subject) {
            match ratios.len() {
                MAX_TABLES => left_out += 1,
                _ => ratios.extend(ratio_table(&sides)),
            }
        }
        let view = json!({
            "subject": subject,
            "ratios": ratios,
            "left_out": left_out,
            "machines": machine_table(&dated),
        });
        let head = FrontMatter::section(
            "machines",
            "Machines",
            "The same releases on several machines, as ratios to one implementation.",
        );
        let mut pages = Pages::new();
        self.put(&mut pages, head, "machines.md.tera", &view)?;
        Ok(pages)
    }
}

/// Returns the machine's name, which every report here has.
fn machine(report: &Report) -> &str {
    report.dated_machine().unwrap_or_default()
}

/// For each pair of a subject's release and another implementation's, returns the newest report of
/// every machine that has both. Pairs on a single machine are left out.
fn release_pairs<'a>(reports: &[&'a Report], subject: &str) -> Vec<Vec<ReleasePair<'a>>> {
    let mut of_release: BTreeMap<_, Vec<&Report>> = BTreeMap::new();
    for report in reports {
        let implementations = report.data.implementations.iter();
        let releases = implementations
            .filter(|i| i.name == subject)
            .map(|i| &i.version);
        for release in BTreeSet::from_iter(releases) {
            of_release.entry(release).or_default().push(report);
        }
    }
    let mut seen = BTreeSet::new();
    let mut tried = BTreeSet::new();
    let mut all = Vec::new();
    for report in reports {
        for sides in column_pairs(report, subject) {
            // Another report with the same two builds gives the same result.
            if !tried.insert(sides.map(|column| &report.data.implementations[column])) {
                continue;
            }
            let release = &report.data.implementations[sides[0]].version;
            let mut found: Vec<ReleasePair<'_>> = Vec::new();
            for other in &of_release[release] {
                let columns = sides.map(|column| same_release(report, column, other));
                let is_known = |(known, _): &ReleasePair<'_>| machine(known) == machine(other);
                if let [Some(one), Some(two)] = columns
                    && !found.iter().any(is_known)
                {
                    found.push((other, [one, two]));
                }
            }
            let names = found.iter().map(|(report, sides)| (&report.name, *sides));
            let is_new = seen.insert(Vec::from_iter(names));
            if found.len() > 1 && is_new {
                all.push(found);
            }
        }
    }
    all
}

/// Pairs each column of the subject with each column of another implementation.
fn column_pairs(report: &Report, subject: &str) -> Vec<[usize; 2]> {
    let all = report.data.implementations.iter().enumerate();
    let known = all.filter(|(_, i)| !i.version.is_empty());
    let (of_subject, others): (Vec<_>, Vec<_>) = known.partition(|(_, i)| i.name == subject);
    let pairs = of_subject
        .iter()
        .flat_map(|(one, _)| others.iter().map(|(two, _)| [*one, *two]));
    pairs.collect()
}

/// Returns the column of the same release in another report: the one with the same variant, or if
/// both reports have only one variant, that one.
fn same_release(report: &Report, column: usize, other: &Report) -> Option<usize> {
    let wanted = &report.data.implementations[column];
    let releases = |report: &Report| -> Vec<usize> {
        let all = report.data.implementations.iter().enumerate();
        let same = all.filter(|(_, i)| i.name == wanted.name && i.version == wanted.version);
        same.map(|(column, _)| column).collect()
    };
    let there = releases(other);
    let mut exact = there
        .iter()
        .filter(|c| other.data.implementations[**c] == *wanted);
    exact.next().copied().or_else(|| match *there {
        [one] if releases(report).len() == 1 => Some(one),
        _ => None,
    })
}

/// Returns a table with a column of ratios per machine, of scenarios that several machines have.
fn ratio_table(sides: &[ReleasePair<'_>]) -> Option<Table> {
    let mut rows: BTreeMap<(&Scenario, &Unit), Vec<Ratio>> = BTreeMap::new();
    let (report, columns) = sides[0];
    let releases = columns.map(|c| report.data.implementations[c].release());
    for (index, (report, columns)) in sides.iter().enumerate() {
        let part = Part::of(report);
        let both = part
            .rows
            .iter()
            .map(|row: &&Row| (*row, columns.map(|c| row.cell(c))));
        let Some(compared) = compared(both, part.estimator) else {
            continue;
        };
        for (row, known) in compared.known() {
            let cells = rows.entry((row.scenario, row.unit));
            let cells = cells.or_insert_with(|| vec![(TableCell::missing(), vec![]); sides.len()]);
            let mut noted = of_factor(row, &releases);
            noted.extend(row.control_mark());
            cells[index] = (factor_cell(known, false, compared.evidence(row)), noted);
        }
    }
    let mut untested = false;
    let mut footnotes = Footnotes::default();
    let mut shown = Vec::new();
    for ((scenario, _), ratios) in rows {
        let is_missing = |(cell, _): &&Ratio| cell.class == Some("missing");
        if sides.len() - ratios.iter().filter(is_missing).count() < 2 {
            continue;
        }
        let mut cells = Vec::new();
        for (mut cell, noted) in ratios {
            untested |= cell.class == Some("untested");
            let numbers = noted.into_iter().map(|note| footnotes.number(note));
            cell.footnotes = numbers.collect();
            cells.push(cell);
        }
        shown.push(TableRow::new(scenario.label(), cells));
    }
    let [one, two] = releases;
    (!shown.is_empty()).then(|| Table {
        class: "history steps",
        about: Some("../method/#changes"),
        caption: format!("{two} as a ratio of {one}"),
        corner: "scenario",
        head: sides.iter().map(|side| head(side, sides)).collect(),
        rows: shown,
        note: untested.then(|| UNTESTED.to_owned()),
        footnotes,
        ..Table::default()
    })
}

/// Returns the machine, with the day of its report, and the variants if they differ by machine.
fn head(&(report, columns): &ReleasePair<'_>, all: &[ReleasePair<'_>]) -> Head {
    let variant =
        |report: &Report, column: usize| report.data.implementations[column].variant.join(", ");
    let [old, new] = [0, 1].map(|side| {
        let mine = variant(report, columns[side]);
        let differs = all
            .iter()
            .any(|(r, columns)| variant(r, columns[side]) != mine);
        if differs { mine } else { String::new() }
    });
    Head {
        text: machine(report).to_owned(),
        detail: joined([report.day_or_name(), old, new]),
        href: Some(format!("../{}/", report.name)),
        ..Head::default()
    }
}

/// Returns the table of all machines with their newest reports.
fn machine_table(reports: &[&Report]) -> Table {
    let mut newest: Vec<(&Report, usize)> = Vec::new();
    for report in reports {
        let mut known = newest.iter_mut();
        match known.find(|(known, _)| machine(known) == machine(report)) {
            Some((_, reports)) => *reports += 1,
            None => newest.push((report, 1)),
        }
    }
    let mut rows = Vec::new();
    for (newest, reports) in newest {
        let href = format!("../{}/", newest.name);
        let cells = [reports.to_string(), newest.day_or_name()].map(TableCell::text);
        rows.push(TableRow::linked(
            href,
            machine(newest).to_owned(),
            cells.to_vec(),
        ));
    }
    Table {
        class: "history",
        caption: "Machines, newest report first".to_owned(),
        corner: "machine",
        head: Head::of(["reports", "newest"]),
        rows,
        ..Table::default()
    }
}

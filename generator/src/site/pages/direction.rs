//! A comparison of two builds, in one direction.

use crate::model::unit::Kind;
use crate::report::{BuildPair, ComparedMachine, ComparedRow, Key, Known, Mean, ShownRow, words};
use crate::site::graphs::dots::{DotPlot, DotRow};

/// The groups of rows, in their order.
const GROUPS: [&str; 5] = ["Speed", "Latency", "Memory", "Counts", "Other units"];

/// Returns the group of a row.
fn group_of((scenario, unit): Key<'_>) -> &'static str {
    match unit.kind() {
        Kind::Rate | Kind::Time if scenario.percentile.is_some() => "Latency",
        Kind::Rate | Kind::Time => "Speed",
        Kind::Amount => "Memory",
        Kind::Count | Kind::Size => "Counts",
        Kind::Other => "Other units",
    }
}

/// A comparison as readers see it: candidate against baseline.
pub(in crate::site) struct Direction<'p, 'a> {
    pub(super) machine: &'p ComparedMachine<'a>,
    pub(super) pair: &'p BuildPair<'a>,
    /// The rows that say most.
    pub(in crate::site) headlines: Vec<Known<'p, 'a>>,
    pub(super) groups: Vec<Group<'p, 'a>>,
}

/// Rows of one kind, the best for the candidate first.
pub(in crate::site) struct Group<'p, 'a> {
    pub(super) title: &'static str,
    pub(super) rows: Vec<Known<'p, 'a>>,
    /// The geometric mean of each kind of work.
    pub(super) means: Vec<Mean>,
}

impl<'p, 'a> Direction<'p, 'a> {
    pub(in crate::site) fn new(machine: &'p ComparedMachine<'a>, pair: &'p BuildPair<'a>) -> Self {
        let known: Vec<Known<'_, '_>> = pair.table.known().collect();
        let key = |row: &ComparedRow<'a>| (&row.row.scenario, &row.row.unit);
        let means = pair.table.means();
        let mut groups = Vec::new();
        for title in GROUPS {
            let mut rows = known.clone();
            rows.retain(|(row, _)| group_of(key(row)) == title);
            rows.sort_by(|a, b| times_better(b).total_cmp(&times_better(a)));
            let mut means = means.clone();
            means.retain(|mean| rows.iter().any(|(row, _)| mean.is_over(row.row)));
            if !rows.is_empty() {
                groups.push(Group { title, rows, means });
            }
        }
        let place = |row: &ComparedRow<'_>| machine.place(pair, row);
        let mut headlines = Vec::new();
        for wanted in &machine.headlines {
            headlines.extend(known.iter().find(|(row, _)| place(row) == *wanted).copied());
        }
        Self {
            machine,
            pair,
            headlines,
            groups,
        }
    }

    /// Returns the plot of rows; links lead from a page that is `up` from the section.
    pub(super) fn plot(&self, known: &[Known<'_, 'a>], up: &str) -> DotPlot {
        let mut rows = Vec::new();
        for (row, known) in known {
            let ShownRow { scale, address, .. } =
                &self.machine.rows[self.machine.place(self.pair, row)];
            let mut shown = DotRow::of(row, known, scale);
            shown.href = (!address.is_empty()).then(|| format!("{up}scenarios/{address}/"));
            rows.push(shown);
        }
        let [baseline, candidate] = self.pair.sides;
        let sides = [candidate, baseline].map(|side| self.machine.names[side].clone());
        DotPlot {
            caption: sides.join(" against "),
            sides,
            has_evidence: true,
            rows,
            ..DotPlot::default()
        }
    }

    /// Returns the plot of the rows that say most, with the history of each.
    pub(in crate::site) fn headline_plot(&self, up: &str) -> DotPlot {
        let mut plot = self.plot(&self.headlines, up);
        let [_, candidate] = self.pair.sides;
        let sparks = self.machine.sparks(candidate);
        for ((row, _), dot) in self.headlines.iter().zip(&mut plot.rows) {
            let place = self.machine.place(self.pair, row);
            let nth = self.machine.headlines.iter().position(|one| *one == place);
            dot.spark = nth.map_or_else(String::new, |nth| sparks[nth].clone());
        }
        DotPlot {
            is_grouped: true,
            has_evidence: false,
            history: self.machine.since(candidate),
            ..plot
        }
    }
}

/// `12 faster`, `3 slower`, `8 without a difference`, as pairs.
pub(super) fn numbers(rows: &[Known<'_, '_>]) -> Vec<(usize, &'static str)> {
    let mut numbers: Vec<(usize, &'static str)> = Vec::new();
    for verdict in words::VERDICTS {
        for (_, known) in rows.iter().filter(|(_, known)| known.verdict == verdict) {
            let outcome = words::outcome(known);
            match numbers.iter_mut().find(|(_, known)| *known == outcome) {
                Some((n, _)) => *n += 1,
                None => numbers.push((1, outcome)),
            }
        }
    }
    numbers
}

/// How many times better the candidate is, for the order of rows.
fn times_better((_, known): &Known<'_, '_>) -> f64 {
    match known.change.is_better() {
        true => known.change.size(),
        false => 1.0 / known.change.size(),
    }
}

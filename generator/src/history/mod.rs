//! Histories: what each implementation did in a scenario over the reports of one machine.
//!
//! A history has one figure for each report, at most: of several versions in one report it has
//! the newest. Figures of two machines are never in one history, and a report whose machine or
//! day is not told stands alone.

mod address;
mod shift;

pub use shift::{Finding, Shift, USUAL_SPREAD, evidence};

use crate::implementation::Implementation;
use crate::report::Report;
use crate::scenario::Scenario;
use crate::stats::{Interval, MEDIAN_CONFIDENCE};
use crate::unit::Unit;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that several reports say of the same thing.
#[derive(Debug)]
pub struct Histories<'a> {
    /// In the order of scenarios.
    pub subjects: Vec<Subject<'a>>,
    /// Addresses of the implementations, by their names.
    pub implementations: BTreeMap<&'a str, String>,
}

/// Scenarios that share a page: those that differ in the number of threads or sessions, in a
/// percentile, or in the buffers of a write.
#[derive(Debug)]
pub struct Subject<'a> {
    /// What they have in common.
    pub scenario: Scenario,
    /// Its label.
    pub label: String,
    /// Folder of its page.
    pub address: String,
    /// The place with the newest report first.
    pub places: Vec<Place<'a>>,
}

/// A machine, or a report that tells none.
#[derive(Debug)]
pub struct Place<'a> {
    /// Every report of it that says something of the subject, oldest first.
    pub reports: Vec<&'a Report>,
    /// In the order of scenarios and units.
    pub tracks: Vec<Track<'a>>,
}

/// A scenario in a unit.
#[derive(Debug)]
pub struct Track<'a> {
    /// What was measured.
    pub scenario: &'a Scenario,
    /// Its label.
    pub label: String,
    /// In what.
    pub unit: &'a Unit,
    /// In the order of names and variants.
    pub lines: Vec<Line<'a>>,
}

/// One history: an implementation and variant over the reports.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Oldest first; never empty.
    pub points: Vec<Point<'a>>,
    /// Where the level shifts.
    pub shifts: Vec<Shift>,
}

/// A figure of a report.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    /// Where it is from.
    pub report: &'a Report,
    /// Of what.
    pub implementation: &'a Implementation,
    /// The report's estimate, base units.
    pub value: f64,
    /// The interval of the median, where there are enough runs.
    pub interval: Option<Interval>,
    /// Runs.
    pub n: usize,
}

impl<'a> Line<'a> {
    /// The implementation as it is now.
    pub fn newest(&self) -> &Point<'a> {
        &self.points[self.points.len() - 1]
    }

    /// Its name and variant, without a version.
    pub fn name(&self) -> String {
        let Implementation { name, variant, .. } = self.newest().implementation;
        std::iter::once(name)
            .chain(variant)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Place<'_> {
    /// The machine, or the name of the report that stands alone.
    pub fn name(&self) -> &str {
        let report = self.reports[0];
        machine(report).unwrap_or(&report.name)
    }

    /// True if its reports are known to be of one machine.
    pub fn is_machine(&self) -> bool {
        machine(self.reports[0]).is_some()
    }
}

/// The machine of a report that has a place among others.
fn machine(report: &Report) -> Option<&str> {
    let told = report.manifest.machine.as_deref();
    told.filter(|_| report.day.is_some())
}

/// One cell of one report, with what it is sorted by.
struct Entry<'a> {
    subject: Scenario,
    /// Rank of its place; the one with the newest report is 0.
    place: usize,
    scenario: &'a Scenario,
    unit: &'a Unit,
    report: usize,
    point: Point<'a>,
}

impl Entry<'_> {
    fn track(&self) -> (&Scenario, &Unit) {
        (self.scenario, self.unit)
    }

    fn line(&self) -> (&str, &[String]) {
        let i = self.point.implementation;
        (&i.name, &i.variant)
    }
}

impl<'a> Histories<'a> {
    /// The histories in `reports`, which are in the order of their days.
    pub fn of(reports: &'a [Report]) -> Self {
        let places = places(reports);
        let entries = reports.par_iter().enumerate();
        let mut entries: Vec<Entry<'_>> = entries
            .flat_map_iter(|(index, report)| entries_of(index, report, places[index]))
            .collect();
        entries.par_sort_by(|a, b| {
            let group = |e: &Entry<'a>| (e.place, e.report, &e.point.implementation.version);
            (&a.subject, a.place)
                .cmp(&(&b.subject, b.place))
                .then_with(|| a.track().cmp(&b.track()))
                .then_with(|| a.line().cmp(&b.line()))
                .then_with(|| group(a).cmp(&group(b)))
        });
        let groups: Vec<&[Entry<'a>]> = entries.chunk_by(|a, b| a.subject == b.subject).collect();
        let labels: Vec<String> = groups.iter().map(|g| g[0].subject.label()).collect();
        let addresses = address::scenarios(
            groups
                .iter()
                .zip(&labels)
                .map(|(g, label)| (&g[0].subject.workload, label.as_str())),
        );
        let subjects = groups.par_iter().zip(labels).zip(addresses);
        let subjects = subjects.map(|((group, label), address)| Subject {
            scenario: group[0].subject.clone(),
            label,
            address,
            places: group
                .chunk_by(|a, b| a.place == b.place)
                .map(place)
                .collect(),
        });
        let names: BTreeSet<&str> = entries
            .iter()
            .map(|e| e.point.implementation.name.as_str())
            .collect();
        Self {
            subjects: subjects.collect(),
            implementations: address::implementations(&names),
        }
    }
}

/// The rank of each report's place.
fn places(reports: &[Report]) -> Vec<usize> {
    let mut ranks: BTreeMap<&str, usize> = BTreeMap::new();
    let mut places = vec![0; reports.len()];
    let mut next = 0;
    for (index, report) in reports.iter().enumerate().rev() {
        let mut new = || {
            next += 1;
            next - 1
        };
        places[index] = match machine(report) {
            Some(machine) => *ranks.entry(machine).or_insert_with(new),
            None => new(),
        };
    }
    places
}

fn entries_of(index: usize, report: &Report, place: usize) -> impl Iterator<Item = Entry<'_>> {
    let estimator = report.manifest.estimator;
    report.data.rows.iter().flat_map(move |row| {
        let cells = row.cells.iter().zip(&report.data.implementations);
        cells.filter_map(move |(cell, implementation)| {
            let sample = cell.as_ref()?.sample()?;
            let point = Point {
                report,
                implementation,
                value: sample.estimate(estimator),
                interval: Interval::of_median(&sample, MEDIAN_CONFIDENCE),
                n: sample.len(),
            };
            Some(Entry {
                subject: subject(&row.scenario),
                place,
                scenario: &row.scenario,
                unit: &row.unit,
                report: index,
                point,
            })
        })
    })
}

/// What the page of a scenario is about.
pub fn subject(scenario: &Scenario) -> Scenario {
    Scenario {
        threads: None,
        sessions: None,
        percentile: None,
        buffers: None,
        method: None,
        ..scenario.clone()
    }
}

fn place<'a>(entries: &[Entry<'a>]) -> Place<'a> {
    let reports: BTreeMap<usize, &Report> =
        entries.iter().map(|e| (e.report, e.point.report)).collect();
    let tracks = entries.chunk_by(|a, b| a.track() == b.track());
    Place {
        reports: reports.into_values().collect(),
        tracks: tracks.map(track).collect(),
    }
}

fn track<'a>(entries: &[Entry<'a>]) -> Track<'a> {
    let Entry { scenario, unit, .. } = entries[0];
    let lines = entries.chunk_by(|a, b| a.line() == b.line()).map(|line| {
        // The last of a report is its newest version.
        let of_reports = line.chunk_by(|a, b| a.report == b.report);
        let points: Vec<Point<'_>> = of_reports
            .filter_map(|versions| Some(versions.last()?.point.clone()))
            .collect();
        Line {
            shifts: shift::shifts(scenario, unit, &points),
            points,
        }
    });
    Track {
        scenario,
        label: scenario.label(),
        unit,
        lines: lines.collect(),
    }
}

#[cfg(test)]
mod tests;

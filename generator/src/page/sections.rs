//! Which rows go together in a section, and what it shows of them.

use super::releases::instruction_steps;
use super::writes::nanoseconds;
use super::{Graph, MAX_BUILDS, Part, Table, count};
use crate::report::{Report, Row};
use crate::scenario::{TlsVersion, Workload};
use crate::slug::slug;
use crate::unit::{Scale, Unit};
use serde::Serialize;
use std::cmp::Reverse;

/// A part of the results with one subject.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Section {
    pub title: &'static str,
    pub graphs: Vec<Graph>,
    pub tables: Vec<Table>,
    /// The address of its own page below the report's, without slashes; empty if it has none.
    pub page: String,
    /// What a link to that page says of it.
    pub summary: String,
}

/// A report of more suites than these, or of more builds than fit side by side, has a page for each
/// suite but transfer and handshakes, and one for the tables of releases.
const MAX_SUITES: usize = 4;

/// Whether a report is long enough for that.
pub(crate) fn is_split(report: &Report) -> bool {
    report.data.implementations.len() > MAX_BUILDS
        || Part::of(report).by(Subject::of).len() > MAX_SUITES
}

/// Subjects in the order of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Transfer,
    FullHandshakes,
    ResumedHandshakes,
    FullByGroup,
    ResumedByGroup,
    ClientHello,
    Threads,
    Latency,
    Memory,
    Writes,
    Instructions,
    Counts,
    Footprint,
    Other,
}

impl Subject {
    fn of(row: &Row) -> Self {
        match (&row.scenario.workload, &row.unit) {
            (Workload::Footprint | Workload::Build | Workload::BuildCpu, _) => Self::Footprint,
            (Workload::Write, unit) if *unit == Unit::TRAFFIC => Self::Writes,
            (Workload::ClientHello, unit) if *unit == Unit::TRAFFIC => Self::ClientHello,
            (Workload::Write | Workload::Other(_), Unit::Count(_)) => Self::Other,
            (_, unit) if *unit == Unit::INSTRUCTIONS => Self::Instructions,
            (_, Unit::Count(_)) => Self::Counts,
            (Workload::FullLatency | Workload::ResumedLatency, _) => Self::Latency,
            _ if row.scenario.threads.is_some() => Self::Threads,
            (Workload::Transfer, _) => Self::Transfer,
            (Workload::FullHandshake, _) if row.scenario.group.is_some() => Self::FullByGroup,
            (Workload::ResumedHandshake, _) if row.scenario.group.is_some() => Self::ResumedByGroup,
            (Workload::FullHandshake, _) => Self::FullHandshakes,
            (Workload::ResumedHandshake, _) => Self::ResumedHandshakes,
            (Workload::ClientHello, _) => Self::ClientHello,
            (Workload::Memory, _) => Self::Memory,
            (Workload::Write, Unit::Time) if row.scenario.percentile.is_some() => Self::Writes,
            (Workload::Write | Workload::Other(_), _) => Self::Other,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Transfer => "Transfer",
            Self::FullHandshakes => "Full handshakes",
            Self::ResumedHandshakes => "Resumed handshakes",
            Self::FullByGroup => "Full handshakes by key exchange",
            Self::ResumedByGroup => "Resumed handshakes by key exchange",
            Self::ClientHello => "ClientHello",
            Self::Threads => "Threads",
            Self::Latency => "Latency",
            Self::Memory => "Memory",
            Self::Writes => "Writes",
            Self::Instructions => "Instructions",
            Self::Counts => "Counts",
            Self::Footprint => "Footprint",
            Self::Other => "Other benchmarks",
        }
    }
}

/// What counts are of.
const COUNTED: &str = "A handshake, a ClientHello, or a MiB of a transfer,";

/// Whether a row stands in tables of its section alone, and not among those from release to
/// release.
pub(super) fn is_apart(row: &Row) -> bool {
    let subject = Subject::of(row);
    (Subject::Instructions..=Subject::Footprint).contains(&subject)
}

/// The titles of a report's sections that have a page of their own.
pub(crate) fn suites(report: &Report) -> Vec<&'static str> {
    if !is_split(report) {
        return Vec::new();
    }
    let subjects = Part::of(report).by(Subject::of).into_iter();
    let further = subjects.filter(|(subject, _)| *subject > Subject::ResumedHandshakes);
    further.map(|(subject, _)| subject.title()).collect()
}

/// The sections of a report, some of which have a page of their own.
pub(crate) fn sections_of(report: &Report) -> Vec<Section> {
    let mut sections = sections(&Part::of(report));
    let suites = suites(report);
    for section in &mut sections {
        if section.title == Subject::Instructions.title() {
            section.tables.extend(instruction_steps(report));
        }
        if suites.contains(&section.title) {
            section.page = slug(section.title);
        }
    }
    sections
}

/// The sections that these rows need.
pub(crate) fn sections(part: &Part<'_>) -> Vec<Section> {
    let columns = part.columns();
    let part = part.with(|row| columns.iter().any(|c| row.cell(*c).is_some()));
    let parts = part.by(Subject::of);
    let title = |subject: Subject| match subject {
        // Other than none.
        Subject::Other if parts.len() == 1 => "Benchmarks",
        subject => subject.title(),
    };
    let section = |(s, part): &(Subject, Part<'_>)| section(*s, title(*s), part);
    parts.iter().map(section).collect()
}

/// The scale of the table of results that a row stands in.
pub(super) fn scale_of(part: &Part<'_>, row: &Row) -> Option<Scale> {
    let subject = Subject::of(row);
    let columns = part.columns();
    let is_shown = |r: &Row| columns.iter().any(|c| r.cell(*c).is_some());
    let is_beside = |r: &Row| Subject::of(r) == subject && r.unit == row.unit && is_shown(r);
    let beside = part.with(|r| std::ptr::eq(r, row) || is_beside(r));
    match (subject, &row.unit) {
        (Subject::Latency, _) => Some(beside.time_scale()),
        (Subject::Writes, Unit::Time) => Some(nanoseconds()),
        _ => beside.scale(),
    }
}

fn section(subject: Subject, title: &'static str, part: &Part<'_>) -> Section {
    let (graphs, tables) = match subject {
        Subject::Latency => (
            part.latency_graphs(),
            part.latency_table().into_iter().collect(),
        ),
        Subject::Memory => {
            let mut tables = part.matrix("Peak memory of a process with N sessions");
            tables.extend(part.memory_fits());
            (part.memory_graphs(), tables)
        }
        Subject::Writes => {
            let times = part.with(|r| r.unit == Unit::Time);
            let mut tables = times.write_tables();
            // The same for nearly all, so a graph of it would show nothing.
            let traffic = part.with(|r| r.unit == Unit::TRAFFIC);
            tables.extend(traffic.matrix("Writes"));
            (times.write_graphs(), tables)
        }
        Subject::Instructions => {
            // What most connections are; the table has the others.
            let usual = part.with(|r| {
                r.scenario.version == Some(TlsVersion::V1_3) && r.scenario.group.is_none()
            });
            (usual.bars(title, title), part.matrix(COUNTED))
        }
        Subject::Counts => {
            let parts = by_unit(part);
            let tables = parts.iter().flat_map(|p| p.matrix(COUNTED));
            (Vec::new(), tables.collect())
        }
        Subject::Footprint => {
            let size = part.with(|r| r.unit == Unit::SIZE);
            let graphs = size.bars("Footprint", "Stripped size");
            (graphs, part.footprint_table().into_iter().collect())
        }
        Subject::Threads => {
            let tables = |part: &Part<'_>| [part.thread_table(), part.scalability()];
            let parts = by_unit(part);
            let graphs = parts.iter().flat_map(Part::thread_graphs).collect();
            (graphs, parts.iter().flat_map(tables).flatten().collect())
        }
        _ => {
            let parts = by_unit(part);
            let bars = |(index, part): (usize, &Part<'_>)| {
                let name = match index {
                    0 => title.to_owned(),
                    _ => format!("{title} {}", part.rows[0].unit),
                };
                let bars = part.without_sizes().bars(&name, title);
                [bars, part.size_graphs()].concat()
            };
            let graphs = parts.iter().enumerate().flat_map(bars).collect();
            (graphs, parts.iter().flat_map(|p| p.matrix(title)).collect())
        }
    };
    let of_scenarios = part.by(|r| r.scenario.clone()).len();
    let leader = part.leader(&part.columns());
    let summary = match subject {
        Subject::Footprint => format!("{}.", count(part.builds().len(), "build")),
        _ => format!("{}. {leader}", count(of_scenarios, "scenario")),
    };
    Section {
        title,
        graphs,
        tables,
        page: String::new(),
        summary: summary.trim_end().to_owned(),
    }
}

/// Rows that share a unit, the unit with the most rows first.
fn by_unit<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let parts = part.by(|r| r.unit.clone()).into_iter();
    let mut parts: Vec<Part<'a>> = parts.map(|(_, part)| part).collect();
    parts.sort_by_key(|p| Reverse(p.rows.len()));
    parts
}

//! Which rows go together in a section, and what it shows of them.

use super::writes::nanoseconds;
use super::{Graph, Part, Table};
use crate::report::Row;
use crate::scenario::Workload;
use crate::unit::{Scale, Unit};
use serde::Serialize;
use std::cmp::Reverse;

/// A part of the results with one subject.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Section {
    pub title: &'static str,
    pub graphs: Vec<Graph>,
    pub tables: Vec<Table>,
}

/// Subjects in the order of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Transfer,
    FullHandshakes,
    ResumedHandshakes,
    ClientHello,
    Threads,
    Latency,
    Memory,
    Writes,
    Counts,
    Other,
}

impl Subject {
    fn of(row: &Row) -> Self {
        match (&row.scenario.workload, &row.unit) {
            (Workload::Write, unit) if *unit == Unit::TRAFFIC => Self::Writes,
            (Workload::ClientHello, unit) if *unit == Unit::TRAFFIC => Self::ClientHello,
            (Workload::Write | Workload::Other(_), Unit::Count(_)) => Self::Other,
            (_, Unit::Count(_)) => Self::Counts,
            (Workload::FullLatency | Workload::ResumedLatency, _) => Self::Latency,
            _ if row.scenario.threads.is_some() => Self::Threads,
            (Workload::Transfer, _) => Self::Transfer,
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
            Self::ClientHello => "ClientHello",
            Self::Threads => "Threads",
            Self::Latency => "Latency",
            Self::Memory => "Memory",
            Self::Writes => "Writes",
            Self::Counts => "Counts",
            Self::Other => "Other benchmarks",
        }
    }
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
        Subject::Latency => (part.latency_graphs(), vec![part.latency_table()]),
        Subject::Memory => {
            let peaks = part.matrix("Peak memory of a process with N sessions");
            (part.memory_graphs(), vec![peaks, part.memory_fits()])
        }
        Subject::Writes => {
            let times = part.with(|r| r.unit == Unit::Time);
            let mut tables = times.write_tables();
            // The same for nearly all, so a graph of it would show nothing.
            let traffic = part.with(|r| r.unit == Unit::TRAFFIC);
            tables.push(traffic.matrix("Writes"));
            (times.write_graphs(), tables)
        }
        Subject::Counts => {
            let what = "Counts of a handshake, a ClientHello, or a MiB of a transfer,";
            let instructions = part.with(|r| r.unit == Unit::INSTRUCTIONS);
            let parts = by_unit(part);
            let tables = parts.iter().map(|p| p.matrix(what)).collect();
            (instructions.bars("Instructions", "Instructions"), tables)
        }
        Subject::Threads => {
            let tables = |part: &Part<'_>| [part.thread_table(), part.scalability()];
            let parts = by_unit(part);
            let graphs = parts.iter().flat_map(Part::thread_graphs).collect();
            (graphs, parts.iter().flat_map(tables).collect())
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
            (graphs, parts.iter().map(|p| p.matrix(title)).collect())
        }
    };
    Section {
        title,
        graphs,
        tables: tables.into_iter().flatten().collect(),
    }
}

/// Rows that share a unit, the unit with the most rows first.
fn by_unit<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let parts = part.by(|r| r.unit.clone()).into_iter();
    let mut parts: Vec<Part<'a>> = parts.map(|(_, part)| part).collect();
    parts.sort_by_key(|p| Reverse(p.rows.len()));
    parts
}

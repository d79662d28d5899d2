//! Which rows go together in a section, and what it shows of them.

use super::{Graph, Part, Table};
use crate::report::Row;
use crate::scenario::Workload;
use crate::unit::Unit;

/// A part of the results with one subject.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Before the tables.
    pub graphs: Vec<Graph>,
    /// The figures.
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
    Other,
}

const SUBJECTS: &[(Subject, &str)] = &[
    (Subject::Transfer, "Transfer"),
    (Subject::FullHandshakes, "Full handshakes"),
    (Subject::ResumedHandshakes, "Resumed handshakes"),
    (Subject::ClientHello, "ClientHello"),
    (Subject::Threads, "Threads"),
    (Subject::Latency, "Latency"),
    (Subject::Memory, "Memory"),
    (Subject::Writes, "Writes"),
    (Subject::Other, "Other benchmarks"),
];

fn subject(row: &Row) -> Subject {
    if row.scenario.threads.is_some() {
        return Subject::Threads;
    }
    match (&row.scenario.workload, &row.unit) {
        (Workload::Transfer, _) => Subject::Transfer,
        (Workload::FullHandshake, _) => Subject::FullHandshakes,
        (Workload::ResumedHandshake, _) => Subject::ResumedHandshakes,
        (Workload::ClientHello, _) => Subject::ClientHello,
        (Workload::FullLatency | Workload::ResumedLatency, _) => Subject::Latency,
        (Workload::Memory, _) => Subject::Memory,
        (Workload::Write, Unit::Time) if row.scenario.percentile.is_some() => Subject::Writes,
        (Workload::Write, Unit::Traffic) => Subject::Writes,
        (Workload::Write | Workload::Other(_), _) => Subject::Other,
    }
}

/// The sections that these rows need.
pub fn sections(part: &Part<'_>) -> Vec<Section> {
    let section = |(subject_of_section, title): &(Subject, &str)| {
        let part = part.with(|r| subject(r) == *subject_of_section);
        (!part.rows.is_empty()).then(|| section(*subject_of_section, title, &part))
    };
    SUBJECTS.iter().filter_map(section).collect()
}

fn section(subject: Subject, title: &str, part: &Part<'_>) -> Section {
    let mut section = Section {
        title: title.to_owned(),
        graphs: Vec::new(),
        tables: Vec::new(),
    };
    match subject {
        Subject::Latency => {
            section.graphs = part.latency_graphs();
            section.tables.extend(part.latency_table());
        }
        Subject::Memory => {
            section.graphs = part.memory_graphs();
            section
                .tables
                .extend(part.matrix("Peak memory of a process with N sessions"));
            section.tables.extend(part.memory_fits());
        }
        Subject::Writes => {
            let times = part.with(|r| r.unit == Unit::Time);
            section.graphs = times.write_graphs();
            section.tables = times.write_tables();
            // The same for nearly all, so a graph of it would show nothing.
            let traffic = part.with(|r| r.unit == Unit::Traffic);
            section.tables.extend(traffic.matrix("Writes"));
        }
        Subject::Threads => {
            for part in by_unit(part) {
                section.graphs.extend(part.thread_graphs());
                section.tables.extend(part.thread_tables());
            }
        }
        _ => {
            for (index, part) in by_unit(part).into_iter().enumerate() {
                let name = if index == 0 {
                    title.to_owned()
                } else {
                    format!("{title} {}", part.rows[0].unit)
                };
                section.graphs.extend(part.bars(&name, title));
                section.tables.extend(part.matrix(title));
            }
        }
    }
    section
}

/// Rows that share a unit, the unit with the most rows first.
fn by_unit<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let mut units: Vec<&Unit> = part.rows.iter().map(|r| &r.unit).collect();
    units.sort();
    units.dedup();
    let mut parts: Vec<Part<'a>> = units
        .into_iter()
        .map(|u| part.with(|r| r.unit == *u))
        .collect();
    parts.sort_by_key(|p| std::cmp::Reverse(p.rows.len()));
    parts
}

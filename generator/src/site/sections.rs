//! The sections of a report: which rows belong to each, and its graphs and tables.

use super::releases::{headline_rows, instruction_steps};
use super::writes::nanoseconds;
use super::{Graph, Part, Table};
use crate::model::scenario::{TlsVersion, Workload};
use crate::model::unit::{Scale, Unit};
use crate::report::{Report, Row};
use serde::Serialize;
use std::cmp::Reverse;

/// The results of one topic.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Section {
    pub title: &'static str,
    #[serde(flatten)]
    pub block: Block,
}

/// Graphs and the tables below them.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Block {
    pub graphs: Vec<Graph>,
    pub tables: Vec<Table>,
}

/// Topics in the order of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Topic {
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

impl Topic {
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

/// Caption of tables of counts.
const COUNTED: &str = "Cost per handshake, ClientHello or MiB of a transfer";

/// Whether a row is only in the tables of its section, not in those from release to release.
pub(super) fn is_only_in_section(row: &Row) -> bool {
    let topic = Topic::of(row);
    (Topic::Instructions..=Topic::Footprint).contains(&topic)
}

/// Returns the sections of a report.
pub(crate) fn sections_of(report: &Report) -> Vec<Section> {
    let mut sections = sections(&Part::of(report));
    for Section { title, block } in &mut sections {
        if *title == Topic::Threads.title() {
            block.tables.extend(headline_totals(report));
        } else if *title == Topic::Instructions.title() {
            block.tables.extend(instruction_steps(report));
        }
    }
    sections
}

/// Returns tables of the headline scenarios with several threads, whose other table has the rate of
/// one of them.
fn headline_totals(report: &Report) -> Vec<Table> {
    let mut rows = headline_rows(report);
    rows.retain(|row| Topic::of(row) == Topic::Threads);
    let mut tables = Part {
        rows,
        ..Part::of(report)
    }
    .matrix("Rate of all threads together");
    for table in &mut tables {
        // The rows have their anchors in the other table.
        table.rows.iter_mut().for_each(|row| row.id = None);
    }
    tables
}

/// Returns the sections of these rows.
pub(crate) fn sections(part: &Part<'_>) -> Vec<Section> {
    let columns = part.columns();
    let part = part.with(|row| columns.iter().any(|c| row.cell(*c).is_some()));
    let parts = part.by(Topic::of);
    let is_only = parts.len() == 1;
    let mut sections = Vec::new();
    for (topic, part) in parts {
        let title = match topic {
            Topic::Other if is_only => "Benchmarks",
            topic => topic.title(),
        };
        let block = block(topic, title, &part);
        sections.push(Section { title, block });
    }
    sections
}

/// Returns the scale of the results table that contains a row.
pub(super) fn scale_of(part: &Part<'_>, row: &Row) -> Option<Scale> {
    let topic = Topic::of(row);
    let columns = part.columns();
    let is_shown = |r: &Row| columns.iter().any(|c| r.cell(*c).is_some());
    let is_beside = |r: &Row| Topic::of(r) == topic && r.unit == row.unit && is_shown(r);
    let beside = part.with(|r| std::ptr::eq(r, row) || is_beside(r));
    match (topic, &row.unit) {
        (Topic::Latency, _) => Some(beside.time_scale()),
        (Topic::Writes, Unit::Time) => Some(nanoseconds()),
        _ => beside.scale(),
    }
}

fn block(topic: Topic, title: &str, part: &Part<'_>) -> Block {
    match topic {
        Topic::Latency => Block {
            graphs: Vec::new(),
            tables: part.latency_table().into_iter().collect(),
        },
        Topic::Memory => {
            let mut tables = part.matrix("Peak memory of a process with N sessions");
            tables.extend(part.memory_fits());
            Block {
                graphs: part.memory_graphs(),
                tables,
            }
        }
        Topic::Writes => {
            let mut tables = part.with(|r| r.unit == Unit::Time).write_tables();
            tables.extend(part.with(|r| r.unit == Unit::TRAFFIC).matrix("Writes"));
            Block {
                graphs: Vec::new(),
                tables,
            }
        }
        Topic::Instructions => {
            // What most connections use; the table has the other scenarios.
            let usual = part.with(|r| {
                r.scenario.version == Some(TlsVersion::V1_3) && r.scenario.group.is_none()
            });
            Block {
                graphs: usual.bars(title, title),
                tables: part.matrix(COUNTED),
            }
        }
        Topic::Counts => {
            let mut tables = Vec::new();
            for part in by_unit(part) {
                tables.extend(part.matrix(COUNTED));
            }
            Block {
                graphs: Vec::new(),
                tables,
            }
        }
        Topic::Footprint => Block {
            graphs: Vec::new(),
            tables: part.footprint_table().into_iter().collect(),
        },
        Topic::Threads => {
            let mut block = Block::default();
            for part in by_unit(part) {
                block.graphs.extend(part.thread_graphs());
                block.tables.extend(part.thread_table());
            }
            block
        }
        _ => bars_and_tables(title, part),
    }
}

/// Returns bar charts above the tables of the same rows. Bars show the default size of writes; the
/// table has the others.
fn bars_and_tables(title: &str, part: &Part<'_>) -> Block {
    let mut block = Block::default();
    for part in by_unit(part) {
        let name = match block.tables.is_empty() {
            true => title.to_owned(),
            false => format!("{title} {}", part.rows[0].unit),
        };
        let of_default_size = part.with(|r| r.scenario.write_size.is_none());
        block.graphs.extend(of_default_size.bars(&name, title));
        block.tables.extend(part.matrix(title));
    }
    block
}

/// Groups rows by unit, the unit with the most rows first.
fn by_unit<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let parts = part.by(|r| r.unit.clone()).into_iter();
    let mut parts: Vec<Part<'a>> = parts.map(|(_, part)| part).collect();
    parts.sort_by_key(|p| Reverse(p.rows.len()));
    parts
}

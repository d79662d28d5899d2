//! The sections of a report: which rows belong to each, and its graphs and tables.

use super::bars::even_chunks;
use super::releases::{headline_rows, instruction_steps};
use super::writes::nanoseconds;
use super::{Graph, MAX_BUILDS, Part, Table, count};
use crate::report::{Report, Row};
use crate::scenario::{TlsVersion, Workload};
use crate::unit::{Scale, Unit};
use serde::Serialize;
use std::cmp::Reverse;

/// The results of one topic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub title: &'static str,
    /// Units that pagination keeps together.
    pub blocks: Vec<Block>,
    /// Whether it always gets its own page, even when short.
    pub has_own_page: bool,
    /// Text of the link to that page.
    pub summary: String,
}

/// Graphs and the tables below them.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Block {
    pub graphs: Vec<Graph>,
    pub tables: Vec<Table>,
}

impl Block {
    /// Puts each graph and each table into its own block.
    pub(crate) fn each(graphs: Vec<Graph>, tables: Vec<Table>) -> Vec<Self> {
        let graph = |graph| Self {
            graphs: vec![graph],
            ..Self::default()
        };
        let table = |table| Self {
            tables: vec![table],
            ..Self::default()
        };
        let graphs = graphs.into_iter().map(graph);
        graphs.chain(tables.into_iter().map(table)).collect()
    }
}

/// A report with more suites than this, or more builds than fit side by side, has a separate page
/// for each suite except transfer and handshakes, and one for the tables of releases.
const MAX_SUITES: usize = 4;

/// Bytes of the graphs and tables of one block, most of a page. A bar takes about 190 bytes, a
/// figure 65, and a row another 300.
const MAX_BLOCK_BYTES: usize = 60_000;

/// Whether a report is long enough for separate pages.
pub(crate) fn is_split(report: &Report) -> bool {
    report.data.implementations.len() > MAX_BUILDS
        || Part::of(report).by(Topic::of).len() > MAX_SUITES
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

/// Returns the sections of a report, some of which have a separate page.
pub(crate) fn sections_of(report: &Report) -> Vec<Section> {
    let mut sections = sections(&Part::of(report));
    let headline = [
        Topic::Transfer,
        Topic::FullHandshakes,
        Topic::ResumedHandshakes,
    ];
    let is_headline = |title| headline.iter().any(|topic| topic.title() == title);
    let is_split = is_split(report) && sections.len() > 1;
    for section in &mut sections {
        if section.title == Topic::Instructions.title() {
            let steps = instruction_steps(report);
            section.blocks.extend(Block::each(Vec::new(), steps));
        }
        section.has_own_page = is_split && !is_headline(section.title);
    }
    sections
}

/// Returns the headline scenarios, for a page that has no room for all.
pub(crate) fn headline_section(report: &Report) -> Section {
    let title = "Headline scenarios";
    let part = Part {
        rows: headline_rows(report),
        ..Part::of(report)
    };
    let mut blocks = bars_and_tables(title, &part);
    let tables = blocks.iter_mut().flat_map(|block| &mut block.tables);
    // The rows have their anchors in their own sections.
    tables
        .flat_map(|t| &mut t.rows)
        .for_each(|row| row.id.clear());
    Section {
        title,
        blocks,
        ..Section::default()
    }
}

/// Returns the sections of these rows.
pub(crate) fn sections(part: &Part<'_>) -> Vec<Section> {
    let columns = part.columns();
    let part = part.with(|row| columns.iter().any(|c| row.cell(*c).is_some()));
    let parts = part.by(Topic::of);
    let title = |topic: Topic| match topic {
        // The only section, so not "other" benchmarks.
        Topic::Other if parts.len() == 1 => "Benchmarks",
        topic => topic.title(),
    };
    let section = |(topic, part): &(Topic, Part<'_>)| section(*topic, title(*topic), part);
    parts.iter().map(section).collect()
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

fn section(topic: Topic, title: &'static str, part: &Part<'_>) -> Section {
    let matrix = |part: &Part<'_>, what: &str| -> Vec<Table> {
        let chunks = chunks(part).into_iter();
        chunks.flat_map(|part| part.matrix(what)).collect()
    };
    let blocks = match topic {
        Topic::Latency => {
            let table = part.latency_table();
            Block::each(part.latency_graphs(), table.into_iter().collect())
        }
        Topic::Memory => {
            let mut tables = matrix(part, "Peak memory of a process with N sessions");
            tables.extend(part.memory_fits());
            Block::each(part.memory_graphs(), tables)
        }
        Topic::Writes => {
            let times = part.with(|r| r.unit == Unit::Time);
            let mut tables = times.write_tables();
            // Nearly the same for all, so a graph would show nothing.
            let traffic = part.with(|r| r.unit == Unit::TRAFFIC);
            tables.extend(matrix(&traffic, "Writes"));
            Block::each(times.write_graphs(), tables)
        }
        Topic::Instructions => {
            // What most connections use; the table has the other scenarios.
            let usual = part.with(|r| {
                r.scenario.version == Some(TlsVersion::V1_3) && r.scenario.group.is_none()
            });
            Block::each(usual.bars(title, title), matrix(part, COUNTED))
        }
        Topic::Counts => {
            let parts = by_unit(part);
            let tables = parts.iter().flat_map(|p| matrix(p, COUNTED));
            Block::each(Vec::new(), tables.collect())
        }
        Topic::Footprint => {
            let table = part.footprint_table().into_iter();
            Block::each(
                part.footprint_graph().into_iter().collect(),
                table.collect(),
            )
        }
        Topic::Threads => {
            let parts = by_unit(part);
            let graphs = parts.iter().flat_map(Part::thread_graphs).collect();
            let tables = parts.iter().filter_map(Part::thread_table).collect();
            Block::each(graphs, tables)
        }
        _ => bars_and_tables(title, part),
    };
    let of_scenarios = part.by(|r| r.scenario.clone()).len();
    let leader = part.leader(&part.table_columns());
    let summary = match topic {
        Topic::Footprint => format!("{}.", count(part.builds().len(), "build")),
        _ => format!("{}. {leader}", count(of_scenarios, "scenario")),
    };
    Section {
        title,
        blocks,
        has_own_page: false,
        summary: summary.trim_end().to_owned(),
    }
}

/// Returns blocks of bar charts above the tables of the same rows.
fn bars_and_tables(title: &str, part: &Part<'_>) -> Vec<Block> {
    let of_unit = |(index, part): (usize, Part<'_>)| {
        let name = match index {
            0 => title.to_owned(),
            _ => format!("{title} {}", part.rows[0].unit),
        };
        let chunks = chunks(&part).into_iter().enumerate();
        let figures = |(index, part): (usize, Part<'_>)| {
            let name = match index {
                0 => name.clone(),
                _ => format!("{name} part {}", index + 1),
            };
            let bars = part.without_sizes().bars(&name, title);
            Block {
                graphs: [bars, part.size_graphs()].concat(),
                tables: part.matrix(title),
            }
        };
        chunks.map(figures).collect::<Vec<_>>()
    };
    let parts = by_unit(part).into_iter().enumerate();
    parts.flat_map(of_unit).collect()
}

/// Splits rows so that the bars and the table of each part fit on a page.
fn chunks<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let row = 300 + 190 * part.shown().len() + 65 * part.columns().len();
    let chunks = even_chunks(&part.rows, (MAX_BLOCK_BYTES / row).max(1));
    let of = |rows: &[&'a Row]| Part {
        rows: rows.to_vec(),
        ..*part
    };
    chunks.map(of).collect()
}

/// Groups rows by unit, the unit with the most rows first.
fn by_unit<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let parts = part.by(|r| r.unit.clone()).into_iter();
    let mut parts: Vec<Part<'a>> = parts.map(|(_, part)| part).collect();
    parts.sort_by_key(|p| Reverse(p.rows.len()));
    parts
}

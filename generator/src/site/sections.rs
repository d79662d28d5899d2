//! The sections of a report: which rows belong to each, and its graphs and tables.

use super::bars::MAX_BARS;
use super::{Graph, Part, Table, count, join};
use crate::base::slug::slug;
use crate::model::scenario::{Group, KeyType, Percentile, TlsVersion, Workload};
use crate::model::unit::Unit;
use crate::report::{Row, distinct};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashSet;

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
    PostQuantum,
    ClientHello,
    Threads,
    Latency,
    Memory,
    Writes,
    Counts,
    Footprint,
    Other,
}

impl Topic {
    fn of(row: &Row) -> Self {
        let is_hybrid = row.scenario.group.is_some_and(Group::is_hybrid);
        let is_ml_dsa = row.scenario.key.is_some_and(KeyType::is_ml_dsa);
        match (&row.scenario.workload, &row.unit) {
            (Workload::Footprint | Workload::Build | Workload::BuildCpu, _) => Self::Footprint,
            (Workload::Write, unit) if *unit == Unit::TRAFFIC => Self::Writes,
            (Workload::ClientHello, unit) if *unit == Unit::TRAFFIC => Self::ClientHello,
            (Workload::Write | Workload::Other(_), Unit::Count(_)) => Self::Other,
            (_, Unit::Count(_)) => Self::Counts,
            (Workload::FullLatency | Workload::ResumedLatency, Unit::Time) => Self::Latency,
            _ if row.scenario.threads.is_some() => Self::Threads,
            (Workload::Transfer, _) => Self::Transfer,
            (Workload::FullHandshake | Workload::ResumedHandshake, _) if is_hybrid || is_ml_dsa => {
                Self::PostQuantum
            }
            (Workload::FullHandshake, _) => Self::FullHandshakes,
            (Workload::ResumedHandshake, _) => Self::ResumedHandshakes,
            (Workload::ClientHello, _) => Self::ClientHello,
            (Workload::Memory, _) => Self::Memory,
            (Workload::Write, Unit::Time) if row.scenario.percentile.is_some() => Self::Writes,
            _ => Self::Other,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Transfer => "Transfer",
            Self::FullHandshakes => "Full handshakes",
            Self::ResumedHandshakes => "Resumed handshakes",
            Self::PostQuantum => "Post-quantum handshakes",
            Self::ClientHello => "ClientHello",
            Self::Threads => "Threads",
            Self::Latency => "Latency",
            Self::Memory => "Memory",
            Self::Writes => "Writes",
            Self::Counts => "Counts",
            Self::Footprint => "Footprint",
            Self::Other => "Other benchmarks",
        }
    }
}

/// Below tables of counts.
const COUNTED: &str =
    "Each is the cost of one handshake, of one ClientHello or of a MiB of a transfer.";

/// Whether a row is only in the tables of its section, not in those from release to release.
pub(super) fn is_only_in_section(row: &Row) -> bool {
    let topic = Topic::of(row);
    (Topic::Counts..=Topic::Footprint).contains(&topic)
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

fn block(topic: Topic, title: &str, part: &Part<'_>) -> Block {
    let matrices = |what| {
        by_unit(part)
            .into_iter()
            .flat_map(move |part| part.matrix(what))
    };
    let tables = match topic {
        Topic::Memory => return part.memory(),
        Topic::Threads => {
            let mut block = Block::default();
            for part in by_unit(part) {
                let Block { graphs, tables } = part.threads();
                block.graphs.extend(graphs);
                block.tables.extend(tables);
            }
            return block;
        }
        Topic::Latency => part.latency(),
        Topic::Writes => {
            let times = part.with(|r| r.unit == Unit::Time);
            let is_median = |r: &Row| r.scenario.percentile == Some(Percentile::P50);
            let times = match times.columns().len() {
                0 | 1 => {
                    let what = "Time to write buffers of these sizes";
                    let table = times.percentiles(&times.columns(), what, "");
                    table.into_iter().collect()
                }
                // All percentiles of several builds would be too long to read.
                _ => times.with(is_median).matrix("Median time of writes"),
            };
            let bytes = part.with(|r| r.unit == Unit::TRAFFIC).matrix("Writes");
            times.into_iter().chain(bytes).collect()
        }
        Topic::Counts => matrices("Costs")
            .map(|table| table.noted(COUNTED))
            .collect(),
        Topic::ClientHello => matrices(title).collect(),
        Topic::PostQuantum => results(title, part).tables,
        Topic::Footprint => vec![part.footprint_table()],
        _ => return results(title, part),
    };
    Block {
        graphs: Vec::new(),
        tables,
    }
}

/// Returns a bar chart and a table of the rows that distinguish, for each unit, and folds with the
/// variants of these rows and with the other builds.
fn results(title: &str, part: &Part<'_>) -> Block {
    let mut block = Block::default();
    let parts = by_unit(part);
    let mut files = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let symbol = part.rows[0].unit.symbol();
        files.push(match place {
            0 => (symbol, slug(title)),
            _ => (symbol, slug(&format!("{title} {symbol}"))),
        });
    }
    for (part, file) in parts.iter().zip(distinct(&files)) {
        let (columns, others) = part.split_columns();
        let (mut main, mut variants) = part.split_rows();
        let newest = main.with(|row| row.scenario.version == Some(TlsVersion::V1_3));
        if main.rows.len() * columns.len() > MAX_BARS && !newest.rows.is_empty() {
            let shown: HashSet<usize> = newest.rows.iter().map(|row| row.index).collect();
            variants = part.with(|row| !shown.contains(&row.index));
            main = newest;
        }
        block.graphs.extend(main.bars(&file, title));
        block.tables.extend(main.matrix_of(&columns, title));
        if let Some(table) = variants.matrix_of(&columns, title) {
            block.tables.push(Table {
                summary: Some(format!(
                    "{}: {}",
                    count(variants.rows.len(), "more row"),
                    variants.kinds_of_variants()
                )),
                ..table
            });
        }
        block.tables.extend(main.other_builds(&others, title));
    }
    block
}

/// In what a row differs from the usual one of its section.
fn variant(row: &Row) -> Option<&'static str> {
    let scenario = &row.scenario;
    match scenario.key {
        _ if scenario.write_size.is_some() => Some("sizes of writes"),
        _ if scenario.fragment.is_some() => Some("sizes of fragments"),
        _ if scenario.unbuffered => Some("unbuffered API"),
        _ if scenario.mutual => Some("client authentication"),
        None | Some(KeyType::Rsa2048 | KeyType::EcdsaP256) => None,
        Some(key) => Some(key.word()),
    }
}

/// What rows have in common that differ only in the key exchange.
fn kind(row: &Row) -> (&Workload, Option<TlsVersion>, Option<KeyType>) {
    let scenario = &row.scenario;
    (&scenario.workload, scenario.version, scenario.key)
}

impl Part<'_> {
    /// Splits rows into those that distinguish and their variants. Where rows with a fixed key
    /// exchange are beside those with the default of each library, the former compare like with like.
    fn split_rows(&self) -> (Self, Self) {
        let mut fixed = self.rows.clone();
        fixed.retain(|row| row.scenario.group == Some(Group::X25519));
        let fixed: HashSet<_> = fixed.into_iter().map(kind).collect();
        let has_fixed = |row: &Row| row.scenario.group.is_none() && fixed.contains(&kind(row));
        let is_main = |row: &Row| variant(row).is_none() && !has_fixed(row);
        let main = self.with(is_main);
        match main.rows.is_empty() {
            true => (self.clone(), self.with(|_| false)),
            false => (main, self.with(|row| !is_main(row))),
        }
    }

    /// `client authentication, rsa-4096 and the default key exchange`
    fn kinds_of_variants(&self) -> String {
        let mut kinds: Vec<String> = Vec::new();
        for row in &self.rows {
            let kind = match variant(row) {
                Some(kind) => kind,
                None if row.scenario.version == Some(TlsVersion::V1_2) => "TLS 1.2",
                None => "the default key exchange",
            };
            if !kinds.iter().any(|known| known == kind) {
                kinds.push(kind.to_owned());
            }
        }
        join(&kinds)
    }
}

/// Groups rows by unit, the unit with the most rows first.
fn by_unit<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let parts = part.by(|r| r.unit.clone()).into_iter();
    let mut parts: Vec<Part<'a>> = parts.map(|(_, part)| part).collect();
    parts.sort_by_key(|p| Reverse(p.rows.len()));
    parts
}

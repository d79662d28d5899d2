//! The sections of a report: which rows belong to each, and its graphs and tables.

use crate::base::slug::slug;
use crate::base::words::{count, join};
use crate::model::scenario::{Group, KeyType, Percentile, TlsVersion, Workload};
use crate::model::unit::Unit;
use crate::report::{Report, Row, Table, distinct, unsteady};
use crate::site::graphs::bars::{MAX_BARS, bars};
use crate::site::tables::Block;
use crate::site::tables::footprint::footprint;
use crate::site::tables::html::HtmlTable;
use crate::site::tables::latency::{latency, percentiles};
use crate::site::tables::memory::memory;
use crate::site::tables::results::{other_builds, results, results_of};
use crate::site::tables::threads::threads;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The results of one topic.
#[derive(Clone, Debug, Serialize)]
pub(in crate::site) struct Section {
    pub title: &'static str,
    /// Why the page has nothing of it; empty if it has.
    pub left_out: String,
    #[serde(flatten)]
    pub block: Block,
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
pub(in crate::site) fn is_only_in_section(row: &Row) -> bool {
    let topic = Topic::of(row);
    (Topic::Counts..=Topic::Footprint).contains(&topic)
}

/// Returns the sections of these rows.
pub(in crate::site) fn sections(table: &Table<'_>) -> Vec<Section> {
    let columns = table.columns();
    let topics = table
        .with(|row| columns.iter().any(|c| row.cell(*c).is_some()))
        .by(Topic::of);
    let is_only = topics.len() == 1;
    let mut sections = Vec::new();
    for (topic, own) in topics {
        let title = match topic {
            Topic::Other if is_only => "Benchmarks",
            topic => topic.title(),
        };
        let block = block(topic, title, &own);
        sections.push(Section {
            title,
            left_out: String::new(),
            block,
        });
    }
    sections
}

/// Sections of suites of their own, which a report can do without.
const OPTIONAL: [Topic; 5] = [
    Topic::PostQuantum,
    Topic::Threads,
    Topic::Latency,
    Topic::Memory,
    Topic::Writes,
];

/// Returns the sections of a report's page. An optional one whose figures are mostly unsteady, in a report
/// whose others are not, only says so.
pub(in crate::site) fn sections_of(report: &Report) -> Vec<Section> {
    let table = Table::of(report);
    let mut sections = sections(&table);
    for (topic, own) in table.by(Topic::of) {
        let (unsteady, all) = unsteady(own.rows);
        if !OPTIONAL.contains(&topic) || 2 * unsteady <= all || report.data.is_unsteady() {
            continue;
        }
        for section in sections.iter_mut().filter(|s| s.title == topic.title()) {
            section.block = Block::default();
            section.left_out = format!(
                "Left out, since {unsteady} of {all} figures are unsteady: half of the interval is wider than 5%. They are in the downloads and on the pages of their scenarios."
            );
        }
    }
    sections
}

fn block(topic: Topic, title: &str, table: &Table<'_>) -> Block {
    let of_units = |what: &str| {
        let mut tables = Vec::new();
        for own in by_unit(table) {
            tables.extend(results(&own, what));
        }
        tables
    };
    let tables = match topic {
        Topic::Memory => return memory(table),
        Topic::Threads => {
            let mut block = Block::default();
            for own in by_unit(table) {
                let Block { graphs, tables } = threads(&own);
                block.graphs.extend(graphs);
                block.tables.extend(tables);
            }
            return block;
        }
        Topic::Latency => latency(table),
        Topic::Writes => writes(table),
        Topic::Counts => {
            let tables = of_units("Costs").into_iter();
            tables.map(|table| table.noted(COUNTED)).collect()
        }
        Topic::ClientHello => of_units(title),
        Topic::PostQuantum => main_results(title, table).tables,
        Topic::Footprint => vec![footprint(table)],
        _ => return main_results(title, table),
    };
    Block {
        graphs: Vec::new(),
        tables,
    }
}

/// Returns the tables of times and bytes of writes.
fn writes(table: &Table<'_>) -> Vec<HtmlTable> {
    let times = table.with(|r| r.unit == Unit::Time);
    let is_median = |r: &Row| r.scenario.percentile == Some(Percentile::P50);
    let mut tables = match times.columns().len() {
        0 | 1 => {
            let what = "Time to write buffers of these sizes";
            percentiles(&times, &times.columns(), what, "")
                .into_iter()
                .collect()
        }
        // All percentiles of several builds would be too long to read.
        _ => results(&times.with(is_median), "Median time of writes"),
    };
    tables.extend(results(&table.with(|r| r.unit == Unit::TRAFFIC), "Writes"));
    tables
}

/// Returns a bar chart and a table of the rows that distinguish, for each unit, and folds with the
/// variants of these rows and with the other builds.
fn main_results(title: &str, table: &Table<'_>) -> Block {
    let mut block = Block::default();
    let parts = by_unit(table);
    let mut files = Vec::new();
    for (place, own) in parts.iter().enumerate() {
        let symbol = own.rows[0].unit.symbol();
        files.push(match place {
            0 => (symbol, slug(title)),
            _ => (symbol, slug(&format!("{title} {symbol}"))),
        });
    }
    for (own, file) in parts.iter().zip(distinct(&files)) {
        let (columns, others) = own.split_columns();
        let (mut main, mut variants) = split_rows(own);
        let newest = main.with(|row| row.scenario.version == Some(TlsVersion::V1_3));
        if main.rows.len() * columns.len() > MAX_BARS && !newest.rows.is_empty() {
            let shown: HashSet<usize> = newest.rows.iter().map(|row| row.index).collect();
            variants = own.with(|row| !shown.contains(&row.index));
            main = newest;
        }
        block.graphs.extend(bars(&main, &file, title));
        block.tables.extend(results_of(&main, &columns, title));
        if let Some(shown) = results_of(&variants, &columns, title) {
            block.tables.push(HtmlTable {
                summary: Some(format!(
                    "{}: {}",
                    count(variants.rows.len(), "more row"),
                    kinds_of_variants(&variants)
                )),
                ..shown
            });
        }
        block.tables.extend(other_builds(&main, &others, title));
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

/// Splits rows into those that distinguish and their variants. Where rows with a fixed key
/// exchange are beside those with the default of each library, the former compare like with like.
fn split_rows<'a>(table: &Table<'a>) -> (Table<'a>, Table<'a>) {
    let mut fixed = table.rows.clone();
    fixed.retain(|row| row.scenario.group == Some(Group::X25519));
    let fixed: HashSet<_> = fixed.into_iter().map(kind).collect();
    let has_fixed = |row: &Row| row.scenario.group.is_none() && fixed.contains(&kind(row));
    let is_main = |row: &Row| variant(row).is_none() && !has_fixed(row);
    let main = table.with(is_main);
    match main.rows.is_empty() {
        true => (table.clone(), table.with(|_| false)),
        false => (main, table.with(|row| !is_main(row))),
    }
}

/// `client authentication, rsa-4096 and the default key exchange`
fn kinds_of_variants(table: &Table<'_>) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for row in &table.rows {
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

/// Groups rows by unit, the unit with the most rows first.
fn by_unit<'a>(table: &Table<'a>) -> Vec<Table<'a>> {
    let units = table.by(|r| r.unit.clone()).into_iter();
    let mut tables: Vec<Table<'a>> = units.map(|(_, own)| own).collect();
    tables.sort_by_key(|own| Reverse(own.rows.len()));
    tables
}

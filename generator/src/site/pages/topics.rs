//! Topics: which rows stand together, and which of them say most.

use crate::model::scenario::{Group, KeyType, Scenario, TlsVersion, Workload};
use crate::model::unit::Unit;
use crate::report::{Report, Row, Table};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Topics in the order of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::site) enum Topic {
    Transfer,
    FullHandshakes,
    ResumedHandshakes,
    PostQuantum,
    ClientHello,
    Latency,
    Threads,
    Memory,
    Writes,
    Counts,
    Footprint,
    Other,
}

impl Topic {
    pub(in crate::site) fn of(row: &Row) -> Self {
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

    /// Its title, and the anchor of its heading, which is the name of its graph.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Transfer => ["Transfer", "transfer"],
            Self::FullHandshakes => ["Full handshakes", "full-handshakes"],
            Self::ResumedHandshakes => ["Resumed handshakes", "resumed-handshakes"],
            Self::PostQuantum => ["Post-quantum handshakes", "post-quantum"],
            Self::ClientHello => ["ClientHello", "client-hello"],
            Self::Threads => ["Threads", "threads"],
            Self::Latency => ["Latency", "latency"],
            Self::Memory => ["Memory", "memory"],
            Self::Writes => ["Writes", "writes"],
            Self::Counts => ["Work counted", "counts"],
            Self::Footprint => ["Size and build", "footprint"],
            Self::Other => ["Other benchmarks", "benchmarks"],
        }
    }

    /// Its title; benchmarks are no others if there is nothing else.
    pub(in crate::site) fn title(self, is_only: bool) -> &'static str {
        match self {
            Self::Other if is_only => "Benchmarks",
            _ => self.names()[0],
        }
    }

    pub(in crate::site) fn id(self) -> &'static str {
        self.names()[1]
    }
}

/// Returns all rows by topic.
pub(super) fn topics(report: &Report) -> Vec<(Topic, Table<'_>)> {
    Table::of(report).by(Topic::of)
}

/// Whether a row is left out of the tables from release to release.
pub(in crate::site) fn is_only_in_section(row: &Row) -> bool {
    let topic = Topic::of(row);
    (Topic::Counts..=Topic::Footprint).contains(&topic)
}

/// Rows of a topic that its section shows.
pub(in crate::site) const MAX_ROWS: usize = 9;

impl Topic {
    /// Returns the rows that say most: of memory the most sessions, of sizes the one that says it all, else those of
    /// the newest version of TLS, without variants of others, in the unit of most of them.
    pub(in crate::site) fn main_rows<'a>(self, table: &Table<'a>) -> Table<'a> {
        let sessions = |row: &Row| (row.scenario.version, row.scenario.sessions);
        let most = table.rows.iter().map(|row| sessions(row)).max();
        match self {
            Self::Memory => return table.with(|row| Some(sessions(row)) == most),
            Self::Footprint => return table.with(|row| row.unit == Unit::SIZE),
            _ => {}
        }
        let Some(table) = by_unit(table).into_iter().next() else {
            return table.clone();
        };
        let main = without_variants(&table);
        let newest = main.with(|row| row.scenario.version == Some(TlsVersion::V1_3));
        if newest.rows.is_empty() { main } else { newest }
    }
}

/// Returns the rows that distinguish, without variants of others. Where rows with a fixed key
/// exchange are beside those with the default of each library, the former compare like with like.
fn without_variants<'a>(table: &Table<'a>) -> Table<'a> {
    let fixed = table.with(|row| row.scenario.group == Some(Group::X25519));
    let kind = |s: &Scenario| (s.workload.clone(), s.version, s.key);
    let fixed = fixed.rows.iter().map(|row| kind(&row.scenario));
    let fixed: HashSet<_> = fixed.collect();
    let main = table.with(|row| {
        let s = &row.scenario;
        let is_usual = matches!(s.key, None | Some(KeyType::Rsa2048 | KeyType::EcdsaP256));
        let is_variant = s.write_size.is_some() || s.fragment.is_some() || s.unbuffered || s.mutual;
        let has_fixed = s.group.is_none() && fixed.contains(&kind(s));
        is_usual && !is_variant && !has_fixed
    });
    match main.rows.is_empty() {
        true => table.clone(),
        false => main,
    }
}

/// Groups rows by unit, the unit with the most rows first.
pub(in crate::site) fn by_unit<'a>(table: &Table<'a>) -> Vec<Table<'a>> {
    let units = table.by(|r| r.unit.clone()).into_iter();
    let mut tables: Vec<Table<'a>> = units.map(|(_, own)| own).collect();
    tables.sort_by_key(|own| Reverse(own.rows.len()));
    tables
}

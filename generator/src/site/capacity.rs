//! How many cores and how much memory a server needs with each library: the figures of each
//! machine's newest report, and worked examples.

use super::front_matter::FrontMatter;
use super::{Head, Pages, Part, Renderer, Table, TableCell, TableRow, title};
use crate::model::scenario::{
    Cipher, Group, KeyType, Resumption, Scenario, Side, TlsVersion, Workload,
};
use crate::model::unit::{Unit, group_thousands};
use crate::report::capacity::{Amount, Load, Performance, decimals};
use crate::report::{Report, Row};
use anyhow::Result;
use serde::Serialize;
use serde_json::json;

/// Machines to choose from; the page contains the figures of all of them.
const MAX_MACHINES: usize = 30;

/// The key exchange of a scenario's handshakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum KeyExchange {
    PostQuantum,
    Classical,
    /// Each library's own preference, which may be either.
    Default,
}

impl KeyExchange {
    fn of(group: Option<Group>) -> Self {
        match group {
            None => Self::Default,
            Some(group) if group.is_hybrid() => Self::PostQuantum,
            Some(_) => Self::Classical,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::PostQuantum => "post-quantum key exchange",
            Self::Classical => "classical key exchange",
            Self::Default => "each library's default key exchange",
        }
    }
}

/// A scenario with the figure of each library, in the units of the downloads.
#[derive(Clone, Debug, Serialize)]
struct Measured {
    /// Its label.
    scenario: String,
    /// The word for the key type of full handshakes.
    key: Option<&'static str>,
    key_exchange: KeyExchange,
    /// Number of sessions of a memory figure.
    sessions: Option<u32>,
    /// One per library, in the same order.
    figures: Vec<Option<Amount>>,
}

/// The figures of a machine's newest report.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CapacityMachine {
    /// The machine's name, or the report's title.
    machine: String,
    report: String,
    title: String,
    date: Option<String>,
    libraries: Vec<String>,
    full: Vec<Measured>,
    resumed: Vec<Measured>,
    transfer: Measured,
    memory: Vec<Measured>,
}

/// The page: the machines, newest report first, and worked examples on the first of them.
#[derive(Debug, Serialize)]
pub(crate) struct CapacityView {
    pub machines: Vec<CapacityMachine>,
    cases: Vec<Case>,
}

#[derive(Debug, Serialize)]
struct Case {
    title: &'static str,
    words: String,
    /// Query string that fills in the form.
    query: String,
    table: Table,
}

/// Worked examples: a load with a name.
const CASES: [(&str, Load); 3] = [
    (
        "A website",
        Load {
            connections: 1000.0,
            resumed: 0.5,
            gbit: 5.0,
            idle: 10_000.0,
        },
    ),
    (
        "An API with many short connections",
        Load {
            connections: 10_000.0,
            resumed: 0.8,
            gbit: 1.0,
            idle: 5000.0,
        },
    ),
    (
        "Downloads",
        Load {
            connections: 100.0,
            resumed: 0.2,
            gbit: 40.0,
            idle: 2000.0,
        },
    ),
];

/// Builds the page from reports, newest first. `None` if no report has a server's handshakes and
/// transfers in TLS 1.3.
pub(crate) fn capacity(reports: &[&Report]) -> Option<CapacityView> {
    let mut machines: Vec<CapacityMachine> = Vec::new();
    for report in reports {
        let name = machine_of(report);
        if machines.len() < MAX_MACHINES && machines.iter().all(|m| m.machine != name) {
            machines.extend(CapacityMachine::of(report, name));
        }
    }
    let newest = machines.first()?;
    let cases = CASES.iter().map(|(title, load)| newest.case(title, load));
    Some(CapacityView {
        cases: cases.collect(),
        machines,
    })
}

/// Returns the machine's name; a report that declares no machine counts as its own.
fn machine_of(report: &Report) -> String {
    let named = report.manifest.machine.clone();
    named.unwrap_or_else(|| title(report))
}

impl Renderer<'_> {
    /// Renders the page and `figures.json`.
    pub(crate) fn capacity(&self, view: &CapacityView) -> Result<Pages> {
        let head = FrontMatter::section(
            "capacity",
            "Capacity",
            "Processor cores and memory that a server needs with each library.",
        );
        let figures = format!("{}\n", json!(view.machines)).into_bytes();
        let mut pages = Pages::from([("capacity/figures.json".to_owned(), figures)]);
        self.put(&mut pages, head, "capacity.md.tera", view)?;
        Ok(pages)
    }
}

/// Whether a row is a server's work in TLS 1.3 in the default mode of use.
fn is_usual(row: &Row) -> bool {
    let s = &row.scenario;
    let usual = Scenario {
        version: Some(TlsVersion::V1_3),
        cipher: s.cipher.clone(),
        key: s.key,
        group: s.group,
        resumption: s.resumption,
        sessions: s.sessions,
        side: s.side,
        ..Scenario::new(s.workload.clone())
    };
    let side = matches!(s.side, Some(Side::Server | Side::Sending)) || s.sessions.is_some();
    usual == *s && side
}

impl CapacityMachine {
    fn of(report: &Report, machine: String) -> Option<Self> {
        let part = Part::of(report).with(is_usual);
        let of = |workload: Workload, unit: Unit| {
            part.with(|r| r.scenario.workload == workload && r.unit == unit)
        };
        let full = of(Workload::FullHandshake, Unit::HandshakeRate)
            .with(|r| r.scenario.key.is_some() && r.scenario.cipher.is_none());
        let mut resumed = of(Workload::ResumedHandshake, Unit::HandshakeRate)
            .with(|r| r.scenario.key.is_none() && r.scenario.cipher.is_none());
        // TLS 1.3 resumes by ticket, so those rows come first.
        resumed.rows.sort_by_key(|r| match r.scenario.resumption {
            Some(Resumption::Ticket) => 0,
            None => 1,
            Some(Resumption::SessionId) => 2,
        });
        let mut transfer = of(Workload::Transfer, Unit::Throughput);
        let rank = |r: &&Row| r.scenario.cipher != Some(Cipher::Aes256Gcm);
        transfer.rows.sort_by_key(rank);
        let memory = of(Workload::Memory, Unit::Memory);
        let needed = [&full, &resumed, &transfer];
        let mut columns = part.columns();
        let has = |c: usize, part: &Part<'_>| part.rows.iter().any(|r| part.figure(r, c).is_some());
        columns.retain(|c| needed.iter().any(|part| has(*c, part)));
        let libraries = part.names(&columns);
        let measured = |part: &Part<'_>| -> Vec<Measured> {
            let mut all: Vec<Measured> = Vec::new();
            for one in part.rows.iter().map(|row| part.measured(row, &columns)) {
                // Keep the first group of each kind.
                let kind = |m: &Measured| (m.key, m.key_exchange, m.sessions);
                let is_same = |m: &Measured| kind(m) == kind(&one);
                if !all.iter().any(is_same) {
                    all.push(one);
                }
            }
            all
        };
        Some(Self {
            machine,
            report: report.name.clone(),
            title: title(report),
            date: report.day.map(|day| day.to_string()),
            libraries,
            full: Some(measured(&full)).filter(|f| !f.is_empty())?,
            resumed: Some(measured(&resumed)).filter(|r| !r.is_empty())?,
            transfer: measured(&transfer).into_iter().next()?,
            memory: measured(&memory),
        })
    }

    fn case(&self, title: &'static str, load: &Load) -> Case {
        let [ecdsa, rsa] = [KeyType::EcdsaP256, KeyType::Rsa2048].map(|key| Some(key.word()));
        let preferred = [ecdsa, rsa, self.full[0].key];
        let place = |m: &Measured| preferred.iter().position(|key| *key == m.key);
        let rank = |m: &&Measured| (place(m).unwrap_or(preferred.len()), m.key_exchange);
        let full = self.full.iter().min_by_key(rank).unwrap_or(&self.full[0]);
        let key = full.key.unwrap_or_default();
        let distance = |m: &&Measured| match m.key_exchange {
            same if same == full.key_exchange => 0,
            KeyExchange::Default => 1,
            _ => 2,
        };
        let resumed = self.resumed.iter().min_by_key(distance);
        let resumed = resumed.unwrap_or(&self.resumed[0]);
        let difference = match resumed.key_exchange {
            same if same == full.key_exchange => String::new(),
            other => format!(" Resumed handshakes were measured with {}.", other.words()),
        };
        let number = |value: f64| group_thousands(&value.to_string());
        let share = load.resumed * 100.0;
        let words = format!(
            "{} new connections a second, {share}% of them resumed, {} Gbit/s, {} idle sessions; {} \
             key, {}. On {}.{difference}",
            number(load.connections),
            number(load.gbit),
            number(load.idle),
            key.to_uppercase(),
            full.key_exchange.words(),
            self.machine,
        );
        let query = format!(
            "connections={}&resumed={share}&gbit={}&idle={}&key={key}{}",
            load.connections,
            load.gbit,
            load.idle,
            match full.key_exchange {
                KeyExchange::PostQuantum => "&pq",
                _ => "",
            },
        );
        Case {
            title,
            words,
            query,
            table: self.table(title, load, full, resumed),
        }
    }

    fn table(&self, what: &str, load: &Load, full: &Measured, resumed: &Measured) -> Table {
        let library = |index: usize| Performance {
            full: full.figures[index],
            resumed: resumed.figures[index],
            transfer: self.transfer.figures[index],
            memory: self
                .memory
                .iter()
                .filter_map(|m| Some((f64::from(m.sessions?), m.figures[index]?)))
                .collect(),
        };
        let mut rows: Vec<(&String, Performance)> =
            self.libraries.iter().zip((0..).map(library)).collect();
        let cost = |p: &Performance| p.cores(load).map_or(f64::INFINITY, |c| c.estimate);
        rows.sort_by(|a, b| cost(&a.1).total_cmp(&cost(&b.1)));
        let cores: Vec<_> = rows.iter().map(|(_, p)| p.cores(load)).collect();
        let memory: Vec<_> = rows.iter().map(|(_, p)| p.mebibytes(load)).collect();
        let parts: Vec<_> = rows.iter().map(|(_, p)| p.parts(load)).collect();
        let digits = |column: &[Option<Amount>]| {
            let figures = column.iter().flatten().map(|f| f.estimate);
            decimals(figures.fold(0.0, f64::max))
        };
        let [all, kib] = [&cores, &memory].map(|column| digits(column));
        let each = digits(parts.as_flattened());
        let row = |(index, (name, _)): (usize, &(&String, Performance))| {
            let mut cells = vec![
                cell(cores[index], all, &cores),
                cell(memory[index], kib, &memory),
            ];
            cells.extend(
                parts[index].map(|p| cell(p.map(|p| Amount { ends: None, ..p }), each, &[])),
            );
            TableRow::new(name.as_str(), cells)
        };
        Table {
            class: "results needs",
            caption: format!(
                "{what}: what a server needs with each library. Below each figure are the ends of its 95% interval."
            ),
            corner: "library",
            head: Head::of([
                "cores",
                "MiB",
                "cores for full handshakes",
                "for resumed ones",
                "for data",
            ]),
            rows: rows.iter().enumerate().map(row).collect(),
            ..Table::default()
        }
    }
}

/// Returns a figure with its interval; the lowest of several is the best.
fn cell(figure: Option<Amount>, decimals: usize, all: &[Option<Amount>]) -> TableCell {
    let Some(figure) = figure else {
        return TableCell {
            class: Some("missing"),
            ..TableCell::text("unknown")
        };
    };
    let show = |value: f64| group_thousands(&format!("{value:.decimals$}"));
    let mut others = all.iter().flatten();
    let is_best = all.len() > 1 && others.all(|f| f.estimate >= figure.estimate);
    let ends = figure.ends.filter(|[low, high]| low < high);
    TableCell {
        class: is_best.then_some("best"),
        detail: ends.map(|[low, high]| format!("{}–{}", show(low), show(high))),
        ..TableCell::text(show(figure.estimate))
    }
}

impl Part<'_> {
    fn figure(&self, row: &Row, column: usize) -> Option<Amount> {
        let printed = |value: f64| row.unit.printed(value);
        let interval = row.cell(column)?.interval();
        Some(Amount {
            estimate: printed(self.estimate(row, column)?),
            ends: interval.map(|i| [printed(i.low), printed(i.high)]),
        })
    }

    fn measured(&self, row: &Row, columns: &[usize]) -> Measured {
        let s = &row.scenario;
        Measured {
            scenario: s.label(),
            key: s.key.map(KeyType::word),
            key_exchange: KeyExchange::of(s.group),
            sessions: s.sessions,
            figures: columns.iter().map(|c| self.figure(row, *c)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{SENDING, cells, report};

    /// The first prepared case of a report with these scenarios.
    fn words(handshakes: &[&str]) -> String {
        let random = &mut Random::new(1);
        let labels = handshakes.iter().copied().chain([SENDING]);
        let rows: Vec<_> = labels.map(|l| (l, cells(random, 3, &[1e3]))).collect();
        let mut report = report(&["version = \"0.1\""], &rows);
        let mut rows = report.data.rows.iter_mut();
        let transfer = rows.find(|r| r.scenario.workload == Workload::Transfer);
        transfer.expect("a transfer").unit = Unit::Throughput;
        let view = capacity(&[&report]).expect("figures");
        let (_, words) = view.cases[0]
            .words
            .split_once("sessions; ")
            .expect("a load");
        words.replace(&view.machines[0].machine, "MACHINE")
    }

    #[test]
    fn cases_say_which_key_exchange_was_measured() {
        let full = "full handshakes, 1.3, ecdsa, server";
        let classical = "full handshakes, 1.3, ecdsa, x25519, server";
        let hybrid = "full handshakes, 1.3, ecdsa, x25519mlkem768, server";
        let resumed = "resumed handshakes, 1.3, ticket, server";
        let resumed_hybrid = "resumed handshakes, 1.3, x25519mlkem768, ticket, server";
        for (handshakes, expected) in [
            (
                vec![full, classical, hybrid, resumed],
                "ECDSA key, post-quantum key exchange. On MACHINE. Resumed handshakes were measured with each library's default key exchange.",
            ),
            (
                vec![full, hybrid, resumed, resumed_hybrid],
                "ECDSA key, post-quantum key exchange. On MACHINE.",
            ),
            (
                vec![full, classical, resumed_hybrid],
                "ECDSA key, classical key exchange. On MACHINE. Resumed handshakes were measured with post-quantum key exchange.",
            ),
            (
                vec![full, resumed],
                "ECDSA key, each library's default key exchange. On MACHINE.",
            ),
        ] {
            assert_eq!(words(&handshakes), expected);
        }
    }
}

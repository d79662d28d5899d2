//! What a handshake, data and a session cost a server with each library: a table for each machine,
//! from its newest report. `static/capacity/` adds these costs up for a load.

use super::front_matter::FrontMatter;
use super::{Head, Pages, Part, Renderer, Table, TableCell, TableRow, title};
use crate::model::scenario::{Cipher, KeyType, Resumption, Scenario, Side, TlsVersion, Workload};
use crate::model::unit::{Unit, group_thousands};
use crate::report::{Report, Row};
use crate::stats::LinearFit;
use anyhow::Result;
use serde::Serialize;
use serde_json::json;

/// Machines to choose from; the page contains the figures of all of them.
const MAX_MACHINES: usize = 30;

/// What handshakes, data and memory are called, on the page and in its script, which reads the table.
const FULL: &str = "full handshake";
const RESUMED: &str = "resumed handshake";
const SENT: &str = "MiB sent";
const SESSION: &str = "KiB a session";
const WITHOUT_SESSIONS: &str = "KiB without sessions";

/// A cost, with the ends of its 95 % confidence interval if it has one.
#[derive(Clone, Copy, Debug)]
struct Figure {
    estimate: f64,
    ends: Option<[f64; 2]>,
    /// Whether it may be marked as the best.
    is_ranked: bool,
}

/// A row of the table.
#[derive(Clone, Debug)]
struct Cost {
    /// The item, the key type of full handshakes, and the key exchange of handshakes: `post-quantum`,
    /// `classical`, or `default`, each library's own preference.
    label: String,
    /// One per library, in the same order.
    figures: Vec<Option<Figure>>,
}

/// The costs on a machine, from its newest report.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CapacityMachine {
    /// The machine's name, or the report's title.
    machine: String,
    report: String,
    title: String,
    date: Option<String>,
    #[serde(skip)]
    libraries: Vec<String>,
    #[serde(skip)]
    costs: Vec<Cost>,
}

/// Returns the costs on each machine from reports, newest first, without those that lack a server's
/// handshakes or transfers in TLS 1.3.
pub(crate) fn capacity(reports: &[&Report]) -> Vec<CapacityMachine> {
    let mut machines: Vec<CapacityMachine> = Vec::new();
    for report in reports {
        // A report that declares no machine counts as its own.
        let named = report.manifest.machine.clone();
        let name = named.unwrap_or_else(|| title(report));
        if machines.len() < MAX_MACHINES && machines.iter().all(|m| m.machine != name) {
            machines.extend(CapacityMachine::of(report, name));
        }
    }
    machines
}

impl Renderer<'_> {
    /// Renders the page.
    pub(crate) fn capacity(&self, machines: &[CapacityMachine]) -> Result<Pages> {
        let head = FrontMatter::section(
            "capacity",
            "Capacity",
            "What handshakes, data and sessions cost a server with each library.",
        );
        let mut pages = Pages::new();
        let tables: Vec<_> = machines.iter().map(CapacityMachine::table).collect();
        let view = json!({"machines": machines, "tables": tables});
        self.put(&mut pages, head, "capacity.md.tera", &view)?;
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
        transfer.rows.truncate(1);
        let parts = [(FULL, full), (RESUMED, resumed), (SENT, transfer)];
        let mut columns = part.columns();
        columns.retain(|c| {
            let mut rows = parts.iter().flat_map(|(_, part)| &part.rows);
            rows.any(|r| part.estimate(r, *c).is_some())
        });
        let mut costs: Vec<Cost> = Vec::new();
        for (item, part) in &parts {
            part.rows.first()?;
            for row in &part.rows {
                let cost = Cost::of_rate(item, part, row, &columns);
                // Keep the first group of each kind.
                if costs.iter().all(|c| c.label != cost.label) {
                    costs.push(cost);
                }
            }
        }
        let memory = of(Workload::Memory, Unit::Memory);
        let line = |column: &usize| LinearFit::through(&memory.memory_points(*column));
        let lines: Vec<_> = columns.iter().map(line).collect();
        let of_lines = |label: &str, coefficient: fn(&LinearFit) -> f64| {
            let figure = |(column, line): (&usize, &Option<LinearFit>)| {
                Some(Figure {
                    estimate: coefficient(line.as_ref()?),
                    ends: None,
                    is_ranked: !report.data.implementations[*column]
                        .version
                        .is_pre_release(),
                })
            };
            let label = label.to_owned();
            let figures = columns.iter().zip(&lines).map(figure).collect();
            Cost { label, figures }
        };
        costs.push(of_lines(SESSION, |line| line.slope));
        costs.push(of_lines(WITHOUT_SESSIONS, |line| line.intercept));
        costs.retain(|cost| cost.figures.iter().any(Option::is_some));
        Some(Self {
            machine,
            report: report.name.clone(),
            title: title(report),
            date: report.day.map(|day| day.to_string()),
            libraries: part.names(&columns),
            costs,
        })
    }

    fn table(&self) -> Table {
        Table {
            class: "results costs",
            caption: format!(
                "Costs in core-µs on {}. Lower is better. Below a figure are the ends of its 95% interval.",
                self.machine
            ),
            corner: "cost",
            head: self.libraries.iter().map(|l| Head::from(&**l)).collect(),
            rows: self.costs.iter().map(Cost::row).collect(),
            ..Table::default()
        }
    }
}

impl Cost {
    /// The cost of one operation or one MiB, from their number per second on one core.
    fn of_rate(item: &'static str, part: &Part<'_>, row: &Row, columns: &[usize]) -> Self {
        let key = row.scenario.key.map(KeyType::word);
        let key_exchange = match row.scenario.group {
            None => "default",
            Some(group) if group.is_hybrid() => "post-quantum",
            Some(_) => "classical",
        };
        let mut label = vec![item.to_owned()];
        label.extend(key.map(str::to_uppercase));
        label.extend((item != SENT).then(|| key_exchange.to_owned()));
        let microseconds = |rate: f64| 1e6 / row.unit.printed(rate);
        let figure = |column: &usize| {
            let cell = row.cell(*column)?;
            let interval = cell.interval();
            Some(Figure {
                estimate: microseconds(cell.estimate()?),
                ends: interval.map(|i| [microseconds(i.high), microseconds(i.low)]),
                is_ranked: part.data.is_ranked(row, *column),
            })
        };
        Self {
            label: label.join(", "),
            figures: columns.iter().map(figure).collect(),
        }
    }

    fn row(&self) -> TableRow {
        let known = || self.figures.iter().flatten();
        let ranked = known().filter(|f| f.is_ranked).map(|f| f.estimate);
        let best = ranked.fold(f64::INFINITY, f64::min);
        let largest = known().map(|f| f.estimate).fold(0.0, f64::max);
        // Three significant digits of the largest figure, at most four decimals.
        let is_enough = |places: &i32| largest * 10f64.powi(*places) >= 100.0;
        let places = (0..4).find(is_enough).unwrap_or(4) as usize;
        let show = |value: f64| group_thousands(&format!("{value:.places$}"));
        let cell = |figure: &Option<Figure>| {
            let Some(Figure {
                estimate,
                ends,
                is_ranked,
            }) = *figure
            else {
                return TableCell {
                    class: Some("missing"),
                    ..TableCell::text("unknown")
                };
            };
            let ends = ends.filter(|[low, high]| low < high);
            let is_best = self.figures.len() > 1 && is_ranked && estimate == best;
            TableCell {
                class: is_best.then_some("best"),
                detail: ends.map(|[low, high]| format!("{}–{}", show(low), show(high))),
                ..TableCell::text(show(estimate))
            }
        };
        TableRow::new(&*self.label, self.figures.iter().map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{SENDING, cells, report};

    #[test]
    fn costs_are_inverse_rates_of_each_key_exchange() {
        let random = &mut Random::new(1);
        let labels = [
            "full handshakes, 1.3, ecdsa, server",
            "full handshakes, 1.3, ecdsa, x25519, server",
            "full handshakes, 1.3, ecdsa, x25519mlkem768, server",
            "full handshakes, 1.3, ecdsa, client",
            "resumed handshakes, 1.3, ticket, server",
            SENDING,
        ];
        let rows: Vec<_> = labels.map(|l| (l, cells(random, 3, &[2e3]))).into();
        let mut report = report(&["version = \"0.1\""], &rows);
        assert!(capacity(&[&report]).is_empty(), "no throughput");
        let mut rows = report.data.rows.iter_mut();
        let transfer = rows.find(|r| r.scenario.workload == Workload::Transfer);
        transfer.expect("a transfer").unit = Unit::Throughput;
        let machines = capacity(&[&report, &report]);
        let [machine] = machines.as_slice() else {
            panic!("one machine: {machines:?}")
        };
        let labels: Vec<&str> = machine.costs.iter().map(|c| c.label.as_str()).collect();
        assert_eq!(
            labels,
            [
                "full handshake, ECDSA, default",
                "full handshake, ECDSA, classical",
                "full handshake, ECDSA, post-quantum",
                "resumed handshake, default",
                "MiB sent",
            ]
        );
        let measured = report.data.rows.iter();
        let mut measured =
            measured.filter(|r| r.scenario.label() == "full handshakes, 1.3, ecdsa, server");
        let rate = measured
            .next()
            .and_then(|r| r.cell(0)?.estimate())
            .expect("a rate");
        let cost = machine.costs[0].figures[0].expect("a cost").estimate;
        assert!((rate * cost / 1e6 - 1.0).abs() < 1e-12, "{rate} {cost}");
    }
}

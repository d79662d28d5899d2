//! What a server needs: the costs of a handshake, of data and of a session, for each build of a machine.
//! The front page adds them up for a load; `static/home.js` does so for another.

use super::compare::ComparedMachine;
use super::{Head, Part, Table, TableCell, TableRow};
use crate::model::scenario::{KeyType, Scenario, Side, TlsVersion, Workload};
use crate::model::unit::{MIB, Unit, group_thousands};
use crate::report::Report;
use crate::stats::LinearFit;

/// What a build costs: core-µs of a full handshake, of a resumed one and of a MiB sent, and the KiB of a
/// session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Costs {
    full: Option<f64>,
    resumed: Option<f64>,
    sent: Option<f64>,
    session: Option<f64>,
}

/// The load that the page starts with: new connections a second, the share resumed, and data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) connections: u32,
    pub(super) percent_resumed: u32,
    pub(super) gbit: u32,
}

pub(super) const LOAD: Load = Load {
    connections: 5000,
    percent_resumed: 60,
    gbit: 10,
};

/// Open sessions whose memory is shown.
pub(super) const SESSIONS: f64 = 10_000.0;

impl Costs {
    /// Returns the costs of each build of a machine in one of its reports; empty unless the first has
    /// those of time.
    pub(super) fn of(machine: &ComparedMachine<'_>, report: usize, first: usize) -> Vec<Self> {
        let of = machine.reports[report];
        let columns = machine.columns[report].iter();
        let all: Vec<Self> = columns
            .map(|column| {
                column.map_or_else(Self::default, |column| Self::of_build(machine, of, column))
            })
            .collect();
        match all.get(first).and_then(|costs| costs.cores(&LOAD)) {
            Some(_) => all,
            None => Vec::new(),
        }
    }

    fn of_build(machine: &ComparedMachine<'_>, report: &Report, column: usize) -> Self {
        let glance = || machine.glance.iter().map(|place| machine.keys[*place]);
        // Those of the plot, so that both agree.
        let microseconds = |wanted: &dyn Fn(&Scenario) -> bool| {
            let (scenario, unit) = glance().find(|(scenario, _)| wanted(scenario))?;
            let mut rows = report.data.rows.iter();
            let row = rows.find(|row| row.scenario == *scenario && row.unit == *unit)?;
            Some(1e6 / row.unit.printed(row.cell(column)?.estimate()?))
        };
        let memory = Part::of(report).with(|row| {
            let s = &row.scenario;
            s.workload == Workload::Memory
                && s.version == Some(TlsVersion::V1_3)
                && row.unit == Unit::Memory
        });
        let is_server = |s: &Scenario| s.side == Some(Side::Server);
        Self {
            full: microseconds(&|s| {
                s.workload == Workload::FullHandshake
                    && s.key == Some(KeyType::EcdsaP256)
                    && is_server(s)
            }),
            resumed: microseconds(&|s| s.workload == Workload::ResumedHandshake && is_server(s)),
            sent: microseconds(&|s| {
                s.workload == Workload::Transfer && s.side == Some(Side::Sending)
            }),
            session: LinearFit::through(&memory.memory_points(column)).map(|line| line.slope),
        }
    }

    /// Returns the cores that a load needs.
    fn cores(&self, load: &Load) -> Option<f64> {
        let new = f64::from(load.connections);
        let resumed = new * f64::from(load.percent_resumed) / 100.0;
        let mebibytes = f64::from(load.gbit) * 1e9 / 8.0 / MIB;
        let of_handshakes = (new - resumed) * self.full? + resumed * self.resumed?;
        Some((of_handshakes + mebibytes * self.sent?) / 1e6)
    }

    /// `1.9 cores, 126 MiB`, as the script writes it.
    pub(super) fn need(&self) -> String {
        let cores = self.cores(&LOAD).map(|cores| format!("{cores:.1} cores"));
        let memory = self
            .session
            .map(|kib| format!("{:.0} MiB", kib * SESSIONS / 1024.0));
        let known: Vec<String> = cores.into_iter().chain(memory).collect();
        match known.is_empty() {
            true => "not measured".to_owned(),
            false => known.join(", "),
        }
    }

    /// Returns the table of all builds, a row each.
    pub(super) fn table(machine: &ComparedMachine<'_>, all: &[Self]) -> Table {
        let cell = |figure: Option<f64>, decimals: usize| match figure {
            None => TableCell::missing(),
            Some(value) => TableCell::text(group_thousands(&format!("{value:.decimals$}"))),
        };
        let names = machine.names().into_iter().zip(all);
        let rows = names.map(|(name, costs)| {
            let Self {
                full,
                resumed,
                sent,
                session,
            } = *costs;
            TableRow::new(
                name,
                vec![
                    cell(full, 1),
                    cell(resumed, 1),
                    cell(sent, 1),
                    cell(session, 2),
                ],
            )
        });
        Table {
            class: "results costs",
            caption: format!("Costs on one core of {}. Lower is better.", machine.name),
            corner: "build",
            head: ["full handshake", "resumed handshake", "MiB sent", "session"]
                .into_iter()
                .zip(["µs", "µs", "µs", "KiB"])
                .map(|(text, unit)| Head::from(text).with_detail(unit.to_owned()))
                .collect(),
            rows: rows.collect(),
            ..Table::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_of_a_load() {
        let costs = Costs {
            full: Some(100.0),
            resumed: Some(50.0),
            sent: Some(80.0),
            session: Some(12.0),
        };
        // 2,000 full handshakes take 0.2 s, 3,000 resumed ones 0.15 s; 10 Gbit are 1,192.1 MiB, 0.0954 s.
        let cores = costs.cores(&LOAD).expect("all costs");
        assert!((cores - 0.445_367).abs() < 1e-5, "{cores}");
        assert_eq!(costs.need(), "0.4 cores, 117 MiB");
        assert_eq!(Costs::default().need(), "not measured");
    }
}

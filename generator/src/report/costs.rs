//! What a server needs: the costs of a handshake, of data and of a session, for each build of a
//! machine. The front page adds them up for a load; `static/home.js` does so for another.

use super::{ComparedMachine, Row};
use crate::model::scenario::{KeyType, Scenario, Side, TlsVersion, Workload};
use crate::model::unit::{MIB, Unit};
use crate::stats::LinearFit;

/// What a build costs: core-µs of a full handshake, of a resumed one and of a MiB sent, and the KiB
/// of a session and of a process without any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    pub full: Option<f64>,
    pub resumed: Option<f64>,
    pub sent: Option<f64>,
    pub session: Option<f64>,
    pub process: Option<f64>,
}

/// The load that the page starts with: connections a second, the percentage resumed, Gbit/s, and
/// open sessions.
pub(crate) const LOAD: [u32; 4] = [5000, 60, 10, 10_000];

impl Costs {
    /// Returns the costs of each build of a machine in one of its reports.
    pub(crate) fn of(machine: &ComparedMachine<'_>, report: usize) -> Vec<Self> {
        let builds = 0..machine.builds.len();
        builds
            .map(|build| Self::of_build(machine, report, build, false))
            .collect()
    }

    /// Returns those of a build with its default key exchange, if handshakes were measured with a
    /// fixed one too.
    pub(crate) fn by_default(
        machine: &ComparedMachine<'_>,
        report: usize,
        build: usize,
    ) -> Option<Self> {
        let costs = Self::of_build(machine, report, build, true);
        (costs != Self::of_build(machine, report, build, false)).then_some(costs)
    }

    fn of_build(
        machine: &ComparedMachine<'_>,
        report: usize,
        build: usize,
        by_default: bool,
    ) -> Self {
        let report = &machine.reports[report];
        // Those of the plot, so that both agree.
        let microseconds = |workload: Workload, side: Side, key: Option<KeyType>| {
            let is_wanted = |s: &Scenario| {
                s.workload == workload && s.side == Some(side) && (key.is_none() || s.key == key)
            };
            let mut shown = machine.headlines.iter().copied();
            let mut place = shown.find(|place| is_wanted(machine.rows[*place].key.0))?;
            if by_default {
                let (scenario, unit) = machine.rows[place].key;
                let open = Scenario {
                    group: None,
                    ..scenario.clone()
                };
                place = machine
                    .rows
                    .iter()
                    .position(|row| row.key == (&open, unit))?;
            }
            let unit = machine.rows[place].key.1;
            Some(1e6 / unit.printed(report.cell(place, build)?.estimate()?))
        };
        let mut memory: Vec<&Row> = report.report.data.rows.iter().collect();
        memory.retain(|row| {
            let is_newest = row.scenario.version == Some(TlsVersion::V1_3);
            is_newest && row.scenario.workload == Workload::Memory && row.unit == Unit::Memory
        });
        let ecdsa = Some(KeyType::EcdsaP256);
        let fit = report.columns[build].and_then(|column| memory_fit(&memory, column));
        Self {
            full: microseconds(Workload::FullHandshake, Side::Server, ecdsa),
            resumed: microseconds(Workload::ResumedHandshake, Side::Server, None),
            sent: microseconds(Workload::Transfer, Side::Sending, None),
            session: fit.map(|fit| fit.slope),
            process: fit.map(|fit| fit.intercept.max(0.0)),
        }
    }

    /// Returns the cores that the load needs.
    pub(crate) fn cores(&self) -> Option<f64> {
        let [all, percent, gbit, _] = LOAD.map(f64::from);
        let resumed = all * percent / 100.0;
        let mebibytes = gbit * 1e9 / 8.0 / MIB;
        let of_handshakes = (all - resumed) * self.full? + resumed * self.resumed?;
        Some((of_handshakes + mebibytes * self.sent?) / 1e6)
    }

    /// Returns the MiB of a process with the open sessions.
    pub(crate) fn memory(&self) -> Option<f64> {
        Some((self.process? + self.session? * f64::from(LOAD[3])) / 1024.0)
    }
}

/// Returns the line through the KiB over the number of sessions.
pub(crate) fn memory_fit(rows: &[&Row], column: usize) -> Option<LinearFit> {
    let point = |r: &&Row| {
        let kib = r.cell(column)?.estimate()? / 1024.0;
        Some((f64::from(r.scenario.sessions?), kib))
    };
    LinearFit::through(&rows.iter().filter_map(point).collect::<Vec<_>>())
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
            process: Some(1024.0),
        };
        // 2,000 full handshakes take 0.2 s, 3,000 resumed ones 0.15 s; 10 Gbit are 1,192.1 MiB,
        // 0.0954 s.
        let cores = costs.cores().expect("all costs");
        assert!((cores - 0.445_367).abs() < 1e-5, "{cores}");
        assert_eq!(costs.memory().map(f64::round), Some(118.0));
    }
}

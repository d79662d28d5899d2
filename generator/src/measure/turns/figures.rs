//! The rows of a scenario: what a program measured in nanoseconds, as figures with sides and units.

use crate::measure::excerpt;
use crate::measure::turns::rate::Rate;
use crate::measure::turns::runner::Facts;
use crate::model::distribution::Distribution;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Percentile, Scenario, TlsVersion, Workload, counts};
use crate::model::unit::Unit;
use std::sync::Arc;

const NANOS: f64 = 1e9;
const KIB: f64 = 1024.0;

/// What callgrind counts, while the programs count the rest.
pub(super) const OF_CALLGRIND: [Unit; 2] = [Unit::INSTRUCTIONS, Unit::Count("allocations")];

/// A row without implementation and run.
pub(crate) fn row(
    scenario: Scenario,
    unit: Unit,
    value: Value,
    caveats: Vec<String>,
) -> Observation {
    Observation {
        implementation: None,
        run: 0,
        scenario: Arc::new(scenario),
        unit,
        value,
        // One of several in a file.
        line: 1,
        caveats: caveats.into(),
    }
}

/// Returns the timed sides of a scenario, in the order of a slice.
fn sides(scenario: &Scenario) -> Vec<Scenario> {
    match scenario.workload.sides() {
        [] => vec![scenario.clone()],
        sides => sides.iter().map(|side| scenario.on(*side)).collect(),
    }
}

/// Returns scenario and unit of each figure that is counted or timed, with the position of its side.
fn outline(scenario: &Scenario, is_counted: bool) -> Vec<(usize, Scenario, Unit)> {
    use Workload::{ClientHello, FullHandshake, Memory, ResumedHandshake, Transfer, Write};
    let workload = &scenario.workload;
    let units = match workload {
        _ if is_counted => {
            let answered = counts::units(workload).iter().copied().map(Unit::Count);
            answered.chain(OF_CALLGRIND).collect()
        }
        Transfer => vec![Unit::Throughput],
        FullHandshake | ResumedHandshake => vec![Unit::HandshakeRate],
        ClientHello => vec![Unit::Rate],
        Memory => vec![Unit::Memory],
        _ => vec![Unit::Time],
    };
    let mut outline = Vec::new();
    for (side, of) in sides(scenario).into_iter().enumerate() {
        for unit in &units {
            let points = match unit {
                Unit::Time => Percentile::ALL.iter().map(|p| of.at(*p)).collect(),
                _ => vec![of.clone()],
            };
            outline.extend(points.into_iter().map(|of| (side, of, unit.clone())));
        }
    }
    if !is_counted && matches!(workload, ClientHello | Write) {
        outline.push((0, scenario.clone(), Unit::TRAFFIC));
    }
    outline
}

/// Returns the rows of a scenario that a program does not support, counted or timed.
pub(crate) fn unsupported(scenario: &Scenario, is_counted: bool, why: &str) -> Vec<Observation> {
    let why = || Value::Unsupported(why.to_owned().into());
    let outline = outline(scenario, is_counted).into_iter();
    let rows = outline.map(|(_, of, unit)| row(of, unit, why(), Vec::new()));
    rows.collect()
}

/// Returns the rows of a timed scenario, from what its slices took and the times of single
/// operations.
pub(crate) fn timed(
    scenario: &Scenario,
    facts: &Facts,
    rate: Option<&Rate>,
    singles: [Distribution; 2],
) -> Vec<Observation> {
    let row = |of, unit, value| row(of, unit, value, caveats(scenario, facts));
    if matches!(
        scenario.workload,
        Workload::FullLatency | Workload::ResumedLatency
    ) {
        let all = sides(scenario).into_iter().zip(singles);
        let row = |(of, times)| row(of, Unit::Time, Value::Distribution(Box::new(times)));
        return all.map(row).collect();
    }
    let threads = f64::from(scenario.threads.unwrap_or(1));
    let mut rows = Vec::new();
    for (side, of, unit) in outline(scenario, false) {
        let per_operation = match unit {
            Unit::Throughput => threads * scenario.write_size_or_default() as f64,
            _ => threads,
        };
        let of_time = |time: f64| per_operation * NANOS / time;
        let value = match unit {
            Unit::Time => of.percentile.and_then(|p| singles[side].at(p)),
            Unit::Count(_) => facts.bytes.map(|bytes| bytes as f64),
            _ => rate.map(|rate| of_time(rate.time(side))),
        };
        rows.extend(value.map(|value| row(of, unit, Value::Number(value))));
    }
    rows
}

/// Returns the row of peak memory, from its answer in KiB.
pub(crate) fn memory(scenario: &Scenario, answer: &str) -> Result<Observation, String> {
    let kib = answer.trim().parse::<u64>();
    let kib = kib.map_err(|_| format!("its peak memory is `{answer}`"))?;
    let bytes = Value::Number(kib as f64 * KIB);
    Ok(row(scenario.clone(), Unit::Memory, bytes, Vec::new()))
}

/// Returns the rows of counts, from an answer with a number for each unit of each side.
pub(crate) fn counted(
    scenario: &Scenario,
    facts: &Facts,
    answer: &str,
) -> Result<Vec<Observation>, String> {
    let mut outline = outline(scenario, true);
    outline.retain(|(.., unit)| !OF_CALLGRIND.contains(unit));
    let numbers: Result<Vec<f64>, _> = answer.split_whitespace().map(str::parse).collect();
    let is_count = |number: &f64| number.is_finite() && *number >= 0.0;
    let numbers = match numbers {
        Ok(all) if all.len() == outline.len() && all.iter().all(is_count) => all,
        _ => return Err(format!("its counts are `{}`", excerpt(answer))),
    };
    let row =
        |((_, of, unit), number)| row(of, unit, Value::Number(number), caveats(scenario, facts));
    Ok(outline.into_iter().zip(numbers).map(row).collect())
}

/// Returns the caveat that names the key exchange if the library chose it, of work that includes one.
fn caveats(scenario: &Scenario, facts: &Facts) -> Vec<String> {
    use Workload::{Memory, Transfer, Write};
    let is_dhe = scenario.version_or_default() == TlsVersion::V1_3 || scenario.resumption.is_none();
    let is_chosen = scenario.group.is_none() && is_dhe;
    let is_handshake = !matches!(scenario.workload, Transfer | Memory | Write);
    let group = facts.group.as_ref().filter(|_| is_chosen && is_handshake);
    let caveat = group.map(|group| format!("key exchange {group}"));
    caveat.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::turns::turn::Slice;
    use crate::parse::tidy;

    fn scenario(label: &str) -> Scenario {
        Scenario::from_label(label).expect("a label")
    }

    /// Scenario, unit, value and caveat of each row, as they are written.
    fn written(rows: &[Observation]) -> Vec<String> {
        let text = tidy::write(rows);
        let lines = text.lines().skip(1);
        lines
            .map(|l| l.trim_start_matches("1,,,,").to_owned())
            .collect()
    }

    #[test]
    fn rates_of_both_sides() {
        let facts = Facts::parse("ready group=x25519").expect("facts");
        let of = |label, times| written(&timed(&scenario(label), &facts, times, none()));
        let both = took([250_000, 500_000]);
        let times = Some(&both);
        assert_eq!(
            of("full handshakes, 1.3, rsa", times),
            [
                "\"full handshakes, 1.3, rsa, client\",handshakes/s,4000,key exchange x25519",
                "\"full handshakes, 1.3, rsa, server\",handshakes/s,2000,key exchange x25519",
            ]
        );
        // Neither key exchange is the library's choice.
        for label in [
            "full handshakes, 1.3, rsa, x25519",
            "resumed handshakes, 1.2, ticket",
        ] {
            let rows = of(label, times);
            assert!(rows[0].ends_with(",handshakes/s,4000,"), "{rows:?}");
        }
        // A MiB in 250 µs, and on each of two threads 1,024 bytes.
        assert_eq!(
            of("transfer, 1.3, aes-256-gcm", times),
            [
                "\"transfer, 1.3, aes-256-gcm, sending\",MiB/s,4000,",
                "\"transfer, 1.3, aes-256-gcm, receiving\",MiB/s,2000,",
            ]
        );
        let label = "transfer, 1.3, aes-256-gcm, 1024-byte writes, 2 threads";
        let rows = of(label, Some(&took([500, 400])));
        assert_eq!(rows.len(), 2);
        assert!(rows[0].ends_with(",MiB/s,3906.25,"), "{rows:?}");
    }

    fn took(sides: [u64; 2]) -> Rate {
        let slice = Slice {
            operations: 1,
            sides,
            wall: 1_000_000,
            cpu: 1_000_000,
            probe: 2000,
        };
        Rate::of(&[vec![slice]]).expect("slices")
    }

    fn none() -> [Distribution; 2] {
        Default::default()
    }

    #[test]
    fn single_times_and_bytes() {
        let facts = Facts::parse("ready bytes=517").expect("facts");
        let hello = timed(
            &scenario("client hello, x25519"),
            &facts,
            Some(&took([20_000, 0])),
            none(),
        );
        assert_eq!(
            written(&hello),
            [
                "\"client hello, x25519\",ops/s,50000,",
                "\"client hello, x25519\",bytes on the wire,517,",
            ]
        );
        let mut singles = none();
        (1..=99).for_each(|nanos| singles[0].record(nanos));
        let writes = scenario("writes, [50], vectored");
        let of = |singles: &[Distribution; 2]| {
            written(&timed(
                &writes,
                &facts,
                Some(&took([50, 0])),
                singles.clone(),
            ))
        };
        let figures = |rows: Vec<String>| {
            let figure = |row: String| row.split("vectored").nth(1).map(str::to_owned);
            rows.into_iter().flat_map(figure).collect::<Vec<_>>()
        };
        // 99 values have no 99th percentile.
        assert_eq!(
            figures(of(&singles)),
            [
                ", min\",ns,1,",
                ", P50\",ns,50,",
                ", P90\",ns,90,",
                ", max\",ns,99,",
                "\",bytes on the wire,517,",
            ]
        );
        (100..=1000).for_each(|nanos| singles[0].record(nanos));
        assert_eq!(
            figures(of(&singles))[3..5],
            [", P99\",ns,990,", ", P99.9\",ns,999,"]
        );
    }

    #[test]
    fn unsupported_rows_are_those_of_a_figure() {
        for (label, timed, counted) in [
            ("full handshakes, 1.3, rsa", 2, 12),
            ("transfer, 1.3, aes-256-gcm", 2, 10),
            ("client hello, x25519", 2, 5),
            ("latency of full handshakes, 1.3, rsa", 12, 10),
            ("writes, [50], vectored", 7, 5),
            ("memory, 1.3, 100 sessions", 1, 5),
        ] {
            let rows = |is_counted| unsupported(&scenario(label), is_counted, "no such thing");
            assert_eq!(
                (rows(false).len(), rows(true).len()),
                (timed, counted),
                "{label}"
            );
            assert!(written(&rows(false))[0].ends_with(",unsupported,no such thing"));
        }
    }

    #[test]
    fn counts_of_sides() {
        let label = scenario("transfer, 1.3, aes-256-gcm");
        let rows = counted(&label, &Facts::default(), "1048576 64 1 12.5 64 64");
        let rows = written(&rows.expect("counts"));
        assert_eq!(rows.len(), 6);
        assert_eq!(
            [&rows[0], &rows[3]],
            [
                "\"transfer, 1.3, aes-256-gcm, sending\",bytes on the wire,1048576,",
                "\"transfer, 1.3, aes-256-gcm, receiving\",bytes on the wire,12.5,",
            ]
        );
        for wrong in ["", "1", "1 2 3 4 5", "1 2 3 4 5 NaN"] {
            let found = counted(&label, &Facts::default(), wrong);
            assert!(found.is_err(), "{wrong}");
        }
        let memory = |answer| memory(&scenario("memory, 1.3, 100 sessions"), answer);
        assert_eq!(
            written(&[memory("2048").expect("a peak")]),
            ["\"memory, 1.3, 100 sessions\",KiB,2048,"]
        );
        assert!(memory("a lot").is_err());
    }
}

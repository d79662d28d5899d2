//! What is measured. Each module is a workload; each gives figures in the order of
//! [`outline`], so that an unsupported scenario has the same rows as a measured one.

mod handshake;
mod hello;
mod latency;
mod memory;
mod transfer;
mod writes;

use crate::percentile::POINTS;
use crate::row::Row;
use crate::{Credentials, Refusal, Scenario, Side, Tls, Workload};
use std::path::Path;
use std::thread;

/// How much to do, and what to leave behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort<'a> {
    /// How much more work than the usual.
    pub(crate) multiplier: f64,
    /// The folder for the time of each handshake, if wanted.
    pub(crate) latencies: Option<&'a Path>,
}

/// What a workload found.
struct Figures {
    /// In the order of the outline.
    values: Vec<f64>,
    caveat: String,
}

/// Rows of one scenario.
///
/// # Errors
/// What went wrong. Being unsupported is no error.
pub(crate) fn measure<T: Tls>(
    scenario: &Scenario,
    credentials: &Credentials,
    effort: Effort<'_>,
) -> Result<Vec<Row>, crate::Error> {
    let configured = T::configure(scenario, credentials);
    let figures = configured.and_then(|mut tls| run(&mut tls, scenario, effort));
    let (values, caveat) = match figures {
        Ok(Figures { values, caveat }) => (values.into_iter().map(Ok).collect(), caveat),
        Err(Refusal::Unsupported(reason)) => {
            (vec![Err(reason); outline(scenario).len()], String::new())
        }
        Err(Refusal::Failed(error)) => return Err(error),
    };
    let rows = outline(scenario).into_iter().zip(values);
    Ok(rows
        .filter(|((side, ..), _)| scenario.side.is_none() || scenario.side == *side)
        .map(|((_, label, unit), value)| Row {
            scenario: label,
            unit,
            value,
            caveat: caveat.clone(),
        })
        .collect())
}

fn run<T: Tls>(tls: &mut T, scenario: &Scenario, effort: Effort<'_>) -> Result<Figures, Refusal> {
    let multiplier = effort.multiplier;
    match scenario.workload {
        Workload::Transfer => transfer::rates(tls, scenario, multiplier),
        Workload::FullHandshake | Workload::ResumedHandshake => {
            handshake::rates(tls, scenario, multiplier)
        }
        Workload::FullLatency | Workload::ResumedLatency => {
            handshake::latencies(tls, scenario, effort)
        }
        Workload::Memory => memory::peak(tls, scenario),
        Workload::Writes => writes::latencies(tls, scenario, multiplier),
        Workload::ClientHello => hello::rate(tls, scenario, multiplier),
    }
}

/// The side, the label and the unit of each row.
fn outline(scenario: &Scenario) -> Vec<(Option<Side>, String, &'static str)> {
    let on = |sides: [Side; 2], unit| {
        sides
            .map(|side| (Some(side), scenario.on(side), unit))
            .to_vec()
    };
    let points = |label: String| {
        POINTS
            .map(|(word, _)| (scenario.side, format!("{label}, {word}"), "ns"))
            .to_vec()
    };
    let wire = (scenario.side, scenario.label(), "bytes on the wire");
    match scenario.workload {
        Workload::Transfer => on([Side::Sending, Side::Receiving], "MiB/s"),
        Workload::FullHandshake | Workload::ResumedHandshake => {
            on([Side::Client, Side::Server], "handshakes/s")
        }
        Workload::FullLatency | Workload::ResumedLatency => [Side::Client, Side::Server]
            .into_iter()
            .flat_map(|side| {
                points(scenario.on(side))
                    .into_iter()
                    .map(move |(_, label, unit)| (Some(side), label, unit))
            })
            .collect(),
        Workload::Memory => vec![(scenario.side, scenario.label(), "KiB")],
        Workload::Writes => [points(scenario.label()), vec![wire]].concat(),
        Workload::ClientHello => vec![(scenario.side, scenario.label(), "ops/s"), wire],
    }
}

/// How often to do what is done `usual` times with a multiplier of 1.
fn rounds(usual: u64, multiplier: f64) -> u64 {
    ((usual as f64 * multiplier).round() as u64).max(1)
}

/// Does `work` on each of the scenario's threads at once.
fn on_threads<R: Send>(
    scenario: &Scenario,
    work: impl Fn() -> Result<R, crate::Error> + Sync,
) -> Result<Vec<R>, crate::Error> {
    let count = scenario.threads.unwrap_or(1);
    if count == 1 {
        // As rustls-bench does, which found transfers on the first thread faster on Intel.
        return Ok(vec![work()?]);
    }
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(&work)).collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err("a thread panicked".into()))
            })
            .collect()
    })
}

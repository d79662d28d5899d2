//! The workloads, one per module. Each returns figures in the order of [`outline`], so that an
//! unsupported scenario has the same rows as a measured one.

mod counts;
mod handshake;
mod hello;
mod latency;
mod memory;
mod transfer;
mod writes;

use crate::rows::Figure;
use crate::{
    Credentials, Group, MeasureError, Scenario, Side, Tls, TlsVersion, Workload, WriteMethod,
};
use scenario::Percentile;
use std::path::Path;
use std::thread;

/// How to measure a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort<'a> {
    /// Scales the work.
    pub(crate) multiplier: f64,
    /// Folder for the times of each handshake, if requested.
    pub(crate) latencies: Option<&'a Path>,
    /// Whether to count the work instead of timing it.
    pub(crate) is_counting: bool,
}

/// Result of a workload.
struct Figures {
    /// In the order of the outline.
    values: Vec<f64>,
    caveat: String,
}

impl From<Vec<f64>> for Figures {
    fn from(values: Vec<f64>) -> Self {
        let caveat = String::new();
        Self { values, caveat }
    }
}

/// Measures one scenario.
///
/// # Errors
/// Any failure of the library. An unsupported scenario is not an error.
pub(crate) fn measure<T: Tls>(
    scenario: &Scenario,
    credentials: &Credentials,
    effort: Effort<'_>,
) -> Result<Vec<Figure>, crate::Error> {
    let configured = check::<T>(scenario).and_then(|()| T::configure(scenario, credentials));
    let configured = configured.map_err(|error| match error {
        // Most libraries lack ML-DSA, and only failing to load a key shows it.
        MeasureError::Failed(error) if scenario.key_or_default().is_ml_dsa() => {
            MeasureError::unsupported(format!("no ML-DSA keys: {error}"))
        }
        error => error,
    });
    let figures = configured.and_then(|mut tls| run(&mut tls, scenario, effort));
    let outline = match effort.is_counting {
        true => counts::outline(scenario, figures.is_ok()),
        false => outline(scenario),
    };
    let (values, caveat) = match figures {
        Ok(Figures { values, caveat }) => (values.into_iter().map(Ok).collect(), caveat),
        Err(MeasureError::Unsupported(reason)) => (vec![Err(reason); outline.len()], String::new()),
        Err(MeasureError::Failed(error)) => return Err(error),
    };
    let figures = outline.into_iter().zip(values);
    Ok(figures
        .filter(|((of, _), _)| scenario.side.is_none() || scenario.side == of.side)
        .map(|((scenario, unit), value)| Figure {
            scenario,
            unit,
            value,
            caveat: caveat.clone(),
        })
        .collect())
}

/// Fails if the library or the TLS version lacks a feature of the scenario.
fn check<T: Tls>(scenario: &Scenario) -> Result<(), MeasureError> {
    let is_hybrid = scenario.group.is_some_and(Group::is_hybrid);
    let lacking = if scenario.method == Some(WriteMethod::Vectored) && !T::HAS_VECTORED_WRITE {
        format!("{} has no vectored write", T::NAME)
    } else if is_hybrid && scenario.version_or_default() == TlsVersion::V1_2 {
        "TLS 1.2 has no post-quantum key exchange".to_owned()
    } else {
        return Ok(());
    };
    Err(MeasureError::Unsupported(lacking))
}

fn run<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    effort: Effort<'_>,
) -> Result<Figures, MeasureError> {
    let multiplier = effort.multiplier;
    if effort.is_counting {
        return counts::counts(tls, scenario, multiplier);
    }
    match scenario.workload {
        Workload::Transfer => transfer::rates(tls, scenario, effort),
        Workload::FullHandshake | Workload::ResumedHandshake => {
            handshake::rates(tls, scenario, effort)
        }
        Workload::FullLatency | Workload::ResumedLatency => {
            handshake::latencies(tls, scenario, effort)
        }
        Workload::Memory => memory::peak(tls, scenario),
        Workload::Write => writes::latencies(tls, scenario, multiplier),
        Workload::ClientHello => hello::rate(tls, scenario, multiplier),
        Workload::Footprint | Workload::Build | Workload::BuildCpu | Workload::Other(_) => {
            Err(format!("`{}` is not a workload", scenario.workload.word()).into())
        }
    }
}

/// Scenario and unit of each figure.
fn outline(scenario: &Scenario) -> Vec<(Scenario, &'static str)> {
    let on = |sides: [Side; 2], unit| sides.map(|side| (scenario.on(side), unit)).to_vec();
    let points = |of: Scenario| Percentile::ALL.iter().map(move |p| (of.at(*p), "ns"));
    let wire = (scenario.clone(), "bytes on the wire");
    match scenario.workload {
        Workload::Transfer => on([Side::Sending, Side::Receiving], "MiB/s"),
        Workload::FullHandshake | Workload::ResumedHandshake => {
            on([Side::Client, Side::Server], "handshakes/s")
        }
        Workload::FullLatency | Workload::ResumedLatency => [Side::Client, Side::Server]
            .into_iter()
            .flat_map(|side| points(scenario.on(side)))
            .collect(),
        Workload::Memory => vec![(scenario.clone(), "KiB")],
        Workload::Write => points(scenario.clone()).chain([wire]).collect(),
        Workload::ClientHello => vec![(scenario.clone(), "ops/s"), wire],
        Workload::Footprint | Workload::Build | Workload::BuildCpu | Workload::Other(_) => {
            Vec::new()
        }
    }
}

/// Scales `count` by the multiplier; at least 1.
fn rounds(count: u64, multiplier: f64) -> u64 {
    ((count as f64 * multiplier).round() as u64).max(1)
}

/// Runs `work` on all of the scenario's threads in parallel.
fn on_threads<R: Send>(
    scenario: &Scenario,
    work: impl Fn() -> Result<R, crate::Error> + Sync,
) -> Result<Vec<R>, crate::Error> {
    let count = scenario.threads.unwrap_or(1);
    if count == 1 {
        // As in rustls-bench, which found transfers faster on the main thread on Intel.
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

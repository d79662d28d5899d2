//! What stands for a report: its subject, and its headline scenarios.

use crate::report::Report;
use crate::scenario::{Scenario, Side, TlsVersion, Workload};

/// The implementation that a report is about: the one that it names, else rustls, else its first.
pub fn subject(report: &Report) -> &str {
    let mut names = report.data.implementations.iter().map(|i| &*i.name);
    let first = names.clone().next().unwrap_or_default();
    let usual = names.find(|name| *name == "rustls").unwrap_or(first);
    report
        .manifest
        .subject
        .as_ref()
        .map_or(usual, |at| &at.value)
}

/// The headline scenarios where a report names none.
pub(super) fn usual_headlines() -> Vec<Scenario> {
    use crate::scenario::Cipher::Aes256Gcm;
    use crate::scenario::KeyType::Rsa2048;
    let base = |workload, side| Scenario {
        version: Some(TlsVersion::V1_3),
        side: Some(side),
        ..Scenario::new(workload)
    };
    let transfer = |side| Scenario {
        cipher: Some(Aes256Gcm),
        ..base(Workload::Transfer, side)
    };
    vec![
        Scenario {
            key: Some(Rsa2048),
            ..base(Workload::FullHandshake, Side::Server)
        },
        base(Workload::ResumedHandshake, Side::Server),
        transfer(Side::Sending),
        transfer(Side::Receiving),
    ]
}

/// The scenarios that stand for a report: those it names, or the usual ones.
pub(super) fn headlines(report: &Report) -> Vec<Scenario> {
    match report.manifest.headline.as_slice() {
        [] => usual_headlines(),
        named => named.iter().map(|at| at.value.clone()).collect(),
    }
}

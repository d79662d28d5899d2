//! What stands for a report: its subject, and its headline scenarios.

use crate::report::Report;
use crate::scenario::{Scenario, Side, TlsVersion, Workload};

/// The implementation that a report is about: the one that it names, else rustls, else its first.
pub fn subject(report: &Report) -> String {
    let named = report.manifest.subject.clone();
    let has_rustls = || {
        report
            .data
            .implementations
            .iter()
            .any(|i| i.name == "rustls")
            .then(|| "rustls".to_owned())
    };
    named.or_else(has_rustls).unwrap_or_else(|| {
        report
            .data
            .implementations
            .first()
            .map_or_else(String::new, |i| i.name.clone())
    })
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
    let named = &report.manifest.headline;
    if named.is_empty() {
        usual_headlines()
    } else {
        named.clone()
    }
}

//! Parses labels, and checks that they can be measured.

use crate::{KeyType, Scenario, TlsVersion, Workload};

/// Parses a label, which must have all fields that its workload needs.
///
/// # Errors
/// Names the unknown word, or the missing field.
pub(crate) fn parse(label: &str) -> Result<Scenario, String> {
    let scenario = Scenario::from_label(label)?;
    if let Workload::Other(name) = &scenario.workload {
        return Err(format!("`{name}` is not a workload"));
    }
    match missing(&scenario) {
        Some(what) => Err(format!("`{label}` needs {what}")),
        None => Ok(scenario),
    }
}

/// Returns what is missing or wrong for the workload, if anything.
fn missing(scenario: &Scenario) -> Option<&'static str> {
    use Workload::{
        ClientHello, FullHandshake, FullLatency, Memory, ResumedHandshake, ResumedLatency,
        Transfer, Write,
    };
    let is_resumption = matches!(scenario.workload, ResumedHandshake | ResumedLatency);
    let needs_version = !matches!(scenario.workload, Write | ClientHello);
    match scenario.workload {
        _ if needs_version && scenario.version.is_none() => Some("`1.2` or `1.3`"),
        _ if is_resumption && scenario.resumption.is_none() => Some("`ticket` or `session id`"),
        _ if !is_resumption && scenario.resumption.is_some() => Some("no kind of resumption"),
        _ if scenario.unbuffered => {
            Some("no `unbuffered`: runners use the API that all libraries have")
        }
        _ if scenario.percentile.is_some() => Some("no percentile: all times are answered"),
        Transfer if scenario.cipher.is_none() => Some("a cipher"),
        _ if scenario.key.is_some_and(KeyType::is_ml_dsa)
            && scenario.version == Some(TlsVersion::V1_2) =>
        {
            Some("`1.3`, the only version with ML-DSA keys")
        }
        FullHandshake | FullLatency if scenario.key.is_none() => Some("a key, such as `rsa`"),
        Memory if scenario.sessions.is_none() => Some("a number of sessions"),
        Write if scenario.buffers.is_none() || scenario.method.is_none() => {
            Some("buffer sizes and a way to write them")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_what_is_missing_or_wrong() {
        for (label, reason) in [
            ("transfr, 1.3", "`transfr, 1.3`"),
            ("transfer, 1.3", "a cipher"),
            ("transfer, aes-128-gcm", "`1.2` or `1.3`"),
            ("transfer, 1.3, 1.2, aes-128-gcm", "`1.2`"),
            ("full handshakes, 1.3, rsa, 0 threads", "`0 threads`"),
            ("resumed handshakes, 1.2", "`ticket` or `session id`"),
            ("full handshakes, 1.3, rsa, ticket", "no kind of resumption"),
            ("latency of full handshakes, 1.3, rsa, P50", "no percentile"),
            ("full handshakes, 1.2, ml-dsa-65", "needs `1.3`"),
            ("transfer, 1.3, aes-128-gcm, unbuffered", "no `unbuffered`"),
            ("memory, 1.3", "a number of sessions"),
            ("writes, [50] * 9999999999999", "`[50] * 9999999999999`"),
        ] {
            let error = parse(label).expect_err(label);
            assert!(error.contains(reason), "{label}: {error}");
        }
    }
}

//! Selects a scenario's suite and group among those of a provider.

use crate::builder::{CipherSuite, NamedGroup, PROVIDER};
use harness::{Group, MeasureError, Scenario};

/// IANA's number: early releases of 0.23 have no name for this group.
const X25519_ML_KEM_768: u16 = 0x11ec;

/// The first release with the default feature `prefer-post-quantum`, which runners cannot enable:
/// cargo would not resolve earlier releases with it.
const PREFERRED_SINCE: [u32; 3] = [0, 23, 27];

/// Keeps only the scenario's suite.
pub(crate) fn suite<S>(
    scenario: &Scenario,
    suites: &mut Vec<S>,
    name: impl Fn(&S) -> CipherSuite,
) -> Result<(), MeasureError> {
    let suite = scenario.suite_or_default().iana_name();
    suites.retain(|s| iana(name(s)) == suite);
    match suites.is_empty() {
        true => Err(MeasureError::unsupported(format!(
            "{PROVIDER} has no {suite}"
        ))),
        false => Ok(()),
    }
}

/// Keeps only the scenario's group, or all in the release's order if it names none.
pub(crate) fn groups<G: Copy>(
    scenario: &Scenario,
    groups: &mut Vec<G>,
    name: impl Fn(G) -> NamedGroup,
) -> Result<(), MeasureError> {
    let hybrid = NamedGroup::from(X25519_ML_KEM_768);
    let Some(group) = scenario.group else {
        let release = harness::version().split('.').flat_map(str::parse);
        if Vec::from_iter(release) >= PREFERRED_SINCE.to_vec() {
            groups.sort_by_key(|g| name(*g) != hybrid);
        }
        return Ok(());
    };
    let wanted: &[NamedGroup] = match group {
        Group::X25519 => &[NamedGroup::X25519],
        Group::X25519MlKem768 => &[hybrid],
        // rustls also sends a share for the hybrid's classical part if that is offered too.
        Group::Both => &[hybrid, NamedGroup::X25519],
        other => {
            return Err(MeasureError::unsupported(format!(
                "no key exchange {other}"
            )));
        }
    };
    let offered = std::mem::take(groups);
    for wanted in wanted {
        let found = offered.iter().find(|g| name(**g) == *wanted);
        groups.push(*found.ok_or_else(|| {
            MeasureError::unsupported(format!(
                "{PROVIDER} offers no key exchange {group} by default"
            ))
        })?);
    }
    Ok(())
}

/// Returns IANA's name of a suite: rustls prefixes those of TLS 1.3 with `TLS13_`.
pub(crate) fn iana(suite: CipherSuite) -> String {
    format!("{suite:?}").replace("TLS13_", "TLS_")
}

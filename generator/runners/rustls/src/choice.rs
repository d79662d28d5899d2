//! The one suite and the one group of a scenario, out of all that a provider has.

use crate::builder::PROVIDER;
use harness::{Group, Refusal, Scenario, Version};
use rustls::{CipherSuite, NamedGroup, SupportedCipherSuite};

/// IANA's number: early releases of 0.23 have no name for it. It comes first by default since
/// 0.23.27, through the default feature `prefer-post-quantum`.
const X25519_ML_KEM_768: u16 = 0x11ec;

/// Leaves the scenario's suite.
pub(crate) fn suite(
    scenario: &Scenario,
    suites: &mut Vec<SupportedCipherSuite>,
) -> Result<(), Refusal> {
    let suite = scenario.suite();
    suites.retain(|s| iana(s.suite()) == suite);
    match suites.is_empty() {
        true => Err(Refusal::unsupported(format!("{PROVIDER} has no {suite}"))),
        false => Ok(()),
    }
}

/// Leaves the scenario's group, or all in the release's order if it names none.
pub(crate) fn groups<G: Copy>(
    scenario: &Scenario,
    groups: &mut Vec<G>,
    name: impl Fn(G) -> NamedGroup,
) -> Result<(), Refusal> {
    let hybrid = NamedGroup::from(X25519_ML_KEM_768);
    let wanted: &[NamedGroup] = match scenario.group {
        None => {
            if cfg!(prefers_post_quantum) {
                groups.sort_by_key(|g| name(*g) != hybrid);
            }
            return Ok(());
        }
        Some(Group::X25519) => &[NamedGroup::X25519],
        Some(Group::X25519MlKem768) => &[hybrid],
        // rustls sends the share of the hybrid's classical part along if that is offered too.
        Some(Group::Both) => &[hybrid, NamedGroup::X25519],
        Some(Group::Secp256r1) => &[NamedGroup::secp256r1],
        Some(Group::Secp384r1) => &[NamedGroup::secp384r1],
    };
    let offered = std::mem::take(groups);
    for wanted in wanted {
        let group = offered.iter().find(|g| name(**g) == *wanted);
        groups.push(*group.ok_or_else(|| {
            let group = scenario.group.map(Group::word).unwrap_or_default();
            Refusal::unsupported(format!("{PROVIDER} has no key exchange {group}"))
        })?);
    }
    if wanted[0] == hybrid && scenario.version() == Version::V1_2 {
        return Err(Refusal::unsupported(
            "TLS 1.2 has no post-quantum key exchange",
        ));
    }
    Ok(())
}

/// IANA's name: rustls puts `TLS13_` before the suites of that version.
pub(crate) fn iana(suite: CipherSuite) -> String {
    format!("{suite:?}").replace("TLS13_", "TLS_")
}

//! Measures rustls from 0.20.7 on.

#[cfg(feature = "rustls-0-20")]
extern crate rustls_0_20 as rustls;
#[cfg(feature = "rustls-0-21")]
extern crate rustls_0_21 as rustls;
#[cfg(feature = "rustls-0-22")]
extern crate rustls_0_22 as rustls;
#[cfg(feature = "rustls-0-23")]
extern crate rustls_0_23 as rustls;
#[cfg(feature = "rustls-0-24")]
extern crate rustls_0_24 as rustls;

#[cfg_attr(buffers_outside, path = "buffered_0_24.rs")]
mod buffered;
#[cfg_attr(not(has_provider), path = "builder_0_21.rs")]
mod builder;
mod choice;
mod config;

use builder::ProtocolVersion;
use config::Rustls;
use harness::{Error, Negotiated, TlsVersion};
use rustls::CommonState;
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<Rustls>()
}

/// Returns what a connection negotiated. rustls reports from 0.23.5 on whether it resumed a
/// session; for all releases alike, that is left to the harness. (rustls has no suite without
/// certificates, and compresses none without an optional feature.)
fn negotiated(state: &CommonState) -> Result<Negotiated, Error> {
    let version = match state.protocol_version() {
        Some(ProtocolVersion::TLSv1_2) => TlsVersion::V1_2,
        Some(ProtocolVersion::TLSv1_3) => TlsVersion::V1_3,
        other => return Err(format!("negotiated {other:?}").into()),
    };
    let suite = state.negotiated_cipher_suite().ok_or("no suite")?;
    #[cfg(reports_group)]
    let group = state.negotiated_key_exchange_group();
    #[cfg(reports_group)]
    let group = group.map(|group| format!("{:?}", group.name()));
    #[cfg(not(reports_group))]
    let group = None;
    Ok(Negotiated {
        version,
        suite: choice::iana(suite.suite()),
        group,
    })
}

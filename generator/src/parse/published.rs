//! Scenario names of published tables: the 2023 comparison tables
//! (`handshake-ticket_1.2_ECDHE_RSA_AES256-GCM_SHA384_client`) and the calls of the SSL_writev
//! benchmark (`SSL_write() with memcpy [100, 50]`).

use super::echo;
use super::prelude::*;
use crate::model::scenario::{Buffers, WriteMethod};

/// Parses such a name; `None` for other names.
pub(super) fn scenario(name: &str) -> Option<Scenario> {
    let scenario = published_2023(name).or_else(|| ssl_write(name));
    scenario.map(Scenario::canonical)
}

fn published_2023(name: &str) -> Option<Scenario> {
    let (test, rest) = name.split_once('_')?;
    let (version, rest) = rest.split_once('_')?;
    let (suite, side) = rest.rsplit_once('_')?;
    let scenario = echo::row_test(test)?.on(echo::side(side)?);
    // These names have the TLS 1.2 form of the suite for both versions.
    Some(Scenario {
        version: Some(TlsVersion::from_word(version)?),
        ..CipherSuite::parse(suite)?.of(scenario)
    })
}

fn ssl_write(name: &str) -> Option<Scenario> {
    let (method, buffers) = if let Some(rest) = name.strip_prefix("SSL_writev() ") {
        (WriteMethod::Vectored, rest)
    } else if let Some(rest) = name.strip_prefix("SSL_write() with memcpy ") {
        (WriteMethod::Copy, rest)
    } else {
        (WriteMethod::Each, name.strip_prefix("SSL_write() ")?)
    };
    Some(Scenario {
        buffers: Some(Buffers::from_word(&buffers.replace('\\', ""))?),
        method: Some(method),
        ..Scenario::new(Workload::Write)
    })
}

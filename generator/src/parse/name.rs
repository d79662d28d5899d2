//! Names of benchmarks in other tools' output.

use super::cite::cite;
use super::echo;
use crate::base::escape::is_bidi_control;
use crate::base::limits::{NAME, SCENARIOS, exceeded};
use crate::model::scenario::*;
use serde::de::{Deserialize, Deserializer, Error};
use std::cell::RefCell;
use std::collections::HashMap;

/// The scenario of a benchmark's name. A label of this project is that scenario, so that the
/// figures of any tool can be compared with rustls-bench, as is a scenario's name in tables
/// published before these labels; any other name is kept as it is.
///
/// The files of a site repeat few names many times, so those of each thread are kept.
pub(crate) fn scenario(name: &str) -> Result<Scenario, String> {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Scenario>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(scenario) = known.get(name) {
            return Ok(scenario.clone());
        }
        let scenario = parse(name)?;
        if known.len() < SCENARIOS {
            known.insert(name.to_owned(), scenario.clone());
        }
        Ok(scenario)
    })
}

fn parse(name: &str) -> Result<Scenario, String> {
    let is_short = |bytes: usize| match bytes > NAME {
        true => {
            let message = format!("a name of {bytes} bytes, {}:", exceeded(NAME, "bytes"));
            Err(cite(&message, name))
        }
        false => Ok(()),
    };
    is_short(name.len())?;
    if let Some(control) = name.chars().find(|c| c.is_control() || is_bidi_control(*c)) {
        let code = control as u32;
        let message = format!("a control character U+{code:04X} in the name");
        return Err(cite(&message, name));
    }
    let published = published_2023(name.trim()).or_else(|| ssl_write(name.trim()));
    let published = published.map(Scenario::canonical);
    let scenario = published.map_or_else(|| Scenario::from_label(name), Ok)?;
    // `[1, 2] * 1000` is longer in full.
    is_short(scenario.label().len()).map(|()| scenario)
}

/// Parses a name of the comparison tables of 2023:
/// `handshake-ticket_1.2_ECDHE_RSA_AES256-GCM_SHA384_client`.
fn published_2023(name: &str) -> Option<Scenario> {
    let (test, rest) = name.split_once('_')?;
    let (version, rest) = rest.split_once('_')?;
    let (suite, side) = rest.rsplit_once('_')?;
    let scenario = echo::test(test)?.on(echo::side(side)?);
    // The suite has its name in TLS 1.2 for both versions.
    Some(Scenario {
        version: Some(TlsVersion::from_word(version)?),
        ..CipherSuite::parse(suite)?.of(scenario)
    })
}

/// Parses a call of the SSL_writev benchmark: `SSL_write() with memcpy [100, 50]`.
fn ssl_write(name: &str) -> Option<Scenario> {
    let (call, sizes) = name.strip_prefix("SSL_write")?.split_once('[')?;
    let method = match call.trim_end_matches([' ', '\\']) {
        "v()" => WriteMethod::Vectored,
        "() with memcpy" => WriteMethod::Copy,
        "()" => WriteMethod::Each,
        _ => return None,
    };
    // `[100, 50], P99`
    let (sizes, percentile) = match sizes.rsplit_once(", ") {
        Some((sizes, word)) if word.starts_with(['P', 'm']) => (sizes, Percentile::from_word(word)),
        _ => (sizes, None),
    };
    let sizes = sizes.replace('\\', "");
    Some(Scenario {
        buffers: Some(Buffers::from_word(&format!("[{sizes}"))?),
        method: Some(method),
        percentile,
        ..Scenario::new(Workload::Write)
    })
}

/// By its label, in `report.toml`.
impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(label: D) -> Result<Self, D::Error> {
        scenario(&String::deserialize(label)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[path = "tests/name.rs"]
mod tests;

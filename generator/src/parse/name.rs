//! Names of benchmarks in other tools' output.

use super::entries;
use super::prelude::*;
use crate::base::escape::is_bidi_control;
use crate::base::limits::{NAME, SCENARIOS};
use serde::de::{Deserializer, Error};
use std::cell::RefCell;

/// The scenario of a benchmark's name. A label of this project is that scenario, so that the
/// figures of any tool can be compared with rustls-bench, as is a scenario's name in tables
/// published before these labels; any other name is kept as it is.
///
/// The files of a site repeat few names many times, so those of each thread are kept and shared.
pub(crate) fn scenario(name: &str) -> Result<Arc<Scenario>, String> {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Arc<Scenario>>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(scenario) = known.get(name) {
            return Ok(Arc::clone(scenario));
        }
        let scenario = Arc::new(parse(name)?);
        if known.len() < SCENARIOS {
            known.insert(name.to_owned(), Arc::clone(&scenario));
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
    let label = entries::label(name.trim());
    let scenario = Scenario::from_label(label.as_deref().unwrap_or(name))?;
    // `[1, 2] * 1000` is longer in full.
    is_short(scenario.label().len()).map(|()| scenario)
}

/// By its label, in `report.toml`.
impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(label: D) -> Result<Self, D::Error> {
        let known = scenario(&String::deserialize(label)?).map_err(D::Error::custom)?;
        Ok(Arc::unwrap_or_clone(known))
    }
}

#[cfg(test)]
#[path = "tests/name.rs"]
mod tests;

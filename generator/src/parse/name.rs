//! Names of benchmarks in other tools' output.

use super::{collector::cite, published};
use crate::base::escape::is_bidi_control;
use crate::base::limits::{NAME, exceeded};
use crate::model::scenario::Scenario;
use serde::de::{Deserialize, Deserializer, Error};

/// The scenario of a benchmark's name. A label of this project is that scenario, so that the
/// figures of any tool can be compared with rustls-bench, as is a scenario's name in tables published
/// before these labels; any other name is kept as it is.
pub(crate) fn scenario(name: &str) -> Result<Scenario, String> {
    let bytes = name.len();
    if bytes > NAME {
        let message = format!("a name of {bytes} bytes, {}:", exceeded(NAME, "bytes"));
        return Err(cite(&message, name));
    }
    if let Some(control) = name.chars().find(|c| c.is_control() || is_bidi_control(*c)) {
        let code = control as u32;
        let message = format!("a control character U+{code:04X} in the name");
        return Err(cite(&message, name));
    }
    published::scenario(name.trim()).map_or_else(|| Scenario::from_label(name), Ok)
}

/// By its label, in `report.toml`.
impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(label: D) -> Result<Self, D::Error> {
        scenario(&String::deserialize(label)?).map_err(D::Error::custom)
    }
}

/// Appends what tells benchmarks of one name apart: `encode (1024 bytes, 2 threads)`.
pub(super) fn with_details(name: &str, details: &[String]) -> String {
    match details {
        [] => name.to_owned(),
        details => format!("{name} ({})", details.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(scenario("encode/1024"), Ok(Scenario::other("encode/1024")));
        assert!(scenario("full handshakes, 1.3, rsa, client").is_ok_and(|s| s.version.is_some()));
        for bad in ["", " ", "a\nb", "a\u{9b}b", "a\u{202e}b", &"x".repeat(257)] {
            assert!(scenario(bad).is_err(), "{bad:?}");
        }
    }
}

//! Labels: scenarios in words, written and parsed.

use super::{
    Buffers, Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, TlsVersion, Workload,
    WriteMethod,
};
use std::borrow::Cow;
use std::mem;
use std::str::FromStr;

/// The known workloads, by their words.
const WORKLOADS: &[(&str, Workload)] = &[
    ("transfer", Workload::Transfer),
    ("full handshakes", Workload::FullHandshake),
    ("resumed handshakes", Workload::ResumedHandshake),
    ("memory", Workload::Memory),
    ("latency of full handshakes", Workload::FullLatency),
    ("latency of resumed handshakes", Workload::ResumedLatency),
    ("writes", Workload::Write),
    ("client hello", Workload::ClientHello),
    ("footprint", Workload::Footprint),
    ("build time", Workload::Build),
    ("build CPU time", Workload::BuildCpu),
];

impl Workload {
    /// The first word of the label.
    pub fn word(&self) -> &str {
        match self {
            Self::Other(name) => name,
            known => {
                let found = WORKLOADS.iter().find(|(_, workload)| workload == known);
                found.map_or("", |(word, _)| word)
            }
        }
    }
}

/// A field of a label: how it is written, and how a word of it is read.
struct Field {
    word: fn(&Scenario) -> Option<Cow<'_, str>>,
    /// Sets the field if the word is one of its words. Returns whether it was set before.
    take: fn(&mut Scenario, &str) -> Option<bool>,
}

/// A field whose values have words, or which is a number with a unit; or a flag.
macro_rules! field {
    ($field:ident: $type:ty) => {
        Field {
            word: |scenario| scenario.$field.as_ref().map(|value| value.word().into()),
            take: |scenario, word| {
                let value = <$type>::from_word(word)?;
                Some(scenario.$field.replace(value).is_some())
            },
        }
    };
    ($field:ident $one:literal $many:literal) => {
        Field {
            word: |scenario| {
                let unit = |number| if number == 1 { $one } else { $many };
                scenario.$field.map(|n| format!("{n}{}", unit(n)).into())
            },
            take: |scenario, word| {
                let number = number_before(word, $many).or_else(|| number_before(word, $one))?;
                Some(scenario.$field.replace(number).is_some())
            },
        }
    };
    ($flag:ident) => {
        Field {
            word: |scenario| scenario.$flag.then_some(stringify!($flag).into()),
            take: |scenario, word| {
                (word == stringify!($flag)).then(|| mem::replace(&mut scenario.$flag, true))
            },
        }
    };
}

/// The fields after the workload, in their order.
const FIELDS: [Field; 15] = [
    field!(version: TlsVersion),
    field!(cipher: Cipher),
    field!(key: KeyType),
    field!(group: Group),
    field!(resumption: Resumption),
    field!(buffers: Buffers),
    field!(method: WriteMethod),
    field!(sessions " sessions" " sessions"),
    field!(side: Side),
    field!(mutual),
    field!(unbuffered),
    field!(write_size "-byte writes" "-byte writes"),
    field!(fragment "-byte fragments" "-byte fragments"),
    field!(threads " thread" " threads"),
    field!(percentile: Percentile),
];

impl Scenario {
    /// Returns the scenario in words: `full handshakes, 1.3, ecdsa, client`.
    pub fn label(&self) -> String {
        let (workload, details) = (self.workload.word(), self.details());
        match details.is_empty() {
            true => workload.to_owned(),
            false => format!("{workload}, {details}"),
        }
    }

    /// Returns the label without the workload: `1.3, ecdsa, client`.
    pub fn details(&self) -> String {
        let words = FIELDS.iter().filter_map(|field| (field.word)(self));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Parses a label. A name whose first word is not a workload becomes [`Workload::Other`].
    ///
    /// # Errors
    /// Names a word that no field has, or that sets a field twice.
    pub fn from_label(label: &str) -> Result<Self, String> {
        let label = label.trim();
        if label.is_empty() {
            return Err("the scenario has no name".to_owned());
        }
        let words = split_words(label);
        let Some((_, workload)) = WORKLOADS.iter().find(|(word, _)| *word == words[0]) else {
            return Ok(Self::other(label));
        };
        let mut scenario = Self::new(workload.clone());
        for word in &words[1..] {
            let wrong = match FIELDS.iter().find_map(|f| (f.take)(&mut scenario, word)) {
                Some(false) => continue,
                Some(true) => format!("`{word}` sets a field that is already set"),
                None => format!("no field has the word `{word}`"),
            };
            return Err(format!("{wrong} in the scenario `{label}`"));
        }
        Ok(scenario.canonical())
    }
}

/// Parses a whole number before `suffix`; `None` if it is 0.
fn number_before<N: FromStr + Default + PartialEq>(word: &str, suffix: &str) -> Option<N> {
    let digits = word.strip_suffix(suffix)?;
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok();
    number.filter(|n| is_plain && *n != N::default())
}

/// Splits at commas outside of brackets.
fn split_words(label: &str) -> Vec<&str> {
    let mut depth = 0u32;
    label
        .split(|c| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        })
        .map(str::trim)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Others are generated in the tests of tidy CSV.
    #[test]
    fn labels_round_trip() {
        for label in [
            "transfer, 1.2, aes-256-gcm, sending, 16384-byte writes, 4096-byte fragments, 2 threads",
            "full handshakes, 1.3, rsa, x25519mlkem768, server, mutual, 1 thread",
            "latency of full handshakes, 1.3, server, P99.9",
            "writes, [100, 50], vectored, P50",
            "writes, [50] * 20, copy and write, min",
            "build CPU time",
            "BenchmarkEncode/1024-8",
        ] {
            let scenario = Scenario::from_label(label).expect(label);
            assert_eq!(scenario.label(), label);
        }
    }

    #[test]
    fn details_are_without_the_workload() {
        for (label, details) in [
            ("full handshakes, 1.3, ecdsa, client", "1.3, ecdsa, client"),
            ("footprint", ""),
            ("parse JSON, large", ""),
        ] {
            let scenario = Scenario::from_label(label).expect(label);
            assert_eq!(scenario.details(), details);
        }
    }

    #[test]
    fn defaults_are_left_out() {
        for (full, label) in [
            (
                "transfer, 1.2, aes-128-gcm, rsa, sending, 1048576-byte writes",
                "transfer, 1.2, aes-128-gcm, sending",
            ),
            (
                "full handshakes, 1.3, aes-256-gcm, rsa, client",
                "full handshakes, 1.3, rsa, client",
            ),
            (
                "resumed handshakes, 1.3, rsa, ticket, client",
                "resumed handshakes, 1.3, ticket, client",
            ),
        ] {
            assert_eq!(
                Scenario::from_label(full).map(|s| s.label()).as_deref(),
                Ok(label)
            );
        }
    }

    #[test]
    fn errors_name_the_word() {
        let error =
            Scenario::from_label("transfer, 1.2, aes-128-gcm, sendng").expect_err("a typing error");
        assert!(error.contains("`sendng`"), "{error}");
        let error = Scenario::from_label("transfer, 1.2, 1.3").expect_err("two versions");
        assert!(error.contains("`1.3`"), "{error}");
        let error = Scenario::from_label("memory, 1.3, 0 sessions").expect_err("none");
        assert!(error.contains("`0 sessions`"), "{error}");
    }
}

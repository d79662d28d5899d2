//! Labels: scenarios in words, written and parsed.

use super::{
    Buffers, Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, TlsVersion, Workload,
    WriteMethod, legacy,
};
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
        let mut details = String::new();
        let mut push = |word: Option<&str>| {
            let Some(word) = word else { return };
            if !details.is_empty() {
                details += ", ";
            }
            details += word;
        };
        push(self.version.map(TlsVersion::word));
        push(self.cipher.as_ref().map(Cipher::word));
        push(self.key.map(KeyType::word));
        push(self.group.map(Group::word));
        push(self.resumption.map(Resumption::word));
        push(self.buffers.as_ref().map(Buffers::to_string).as_deref());
        push(self.method.map(WriteMethod::word));
        push(self.sessions.map(|n| format!("{n} sessions")).as_deref());
        push(self.side.map(Side::word));
        push(self.mutual.then_some("mutual"));
        push(self.unbuffered.then_some("unbuffered"));
        let writes = self.write_size.map(|n| format!("{n}-byte writes"));
        push(writes.as_deref());
        let fragments = self.fragment.map(|n| format!("{n}-byte fragments"));
        push(fragments.as_deref());
        let plural = if self.threads == Some(1) { "" } else { "s" };
        let threads = self.threads.map(|n| format!("{n} thread{plural}"));
        push(threads.as_deref());
        push(self.percentile.map(Percentile::word));
        details
    }

    /// Parses a label, or a scenario's name in tables published before these labels. A name whose
    /// first word is not a workload becomes [`Workload::Other`].
    ///
    /// # Errors
    /// Names a word that no field has, or that sets a field twice.
    pub fn from_label(label: &str) -> Result<Self, String> {
        let label = label.trim();
        if label.is_empty() {
            return Err("the scenario has no name".to_owned());
        }
        if let Some(scenario) = legacy::parse(label) {
            return Ok(scenario.canonical());
        }
        let words = split_words(label);
        let Some((_, workload)) = WORKLOADS.iter().find(|(word, _)| *word == words[0]) else {
            return Ok(Self::other(label));
        };
        let mut scenario = Self::new(workload.clone());
        for word in &words[1..] {
            scenario
                .take_word(word)
                .map_err(|e| format!("{e} in the scenario `{label}`"))?;
        }
        Ok(scenario.canonical())
    }

    fn take_word(&mut self, word: &str) -> Result<(), String> {
        let twice = || format!("`{word}` sets a field that is already set");
        macro_rules! take {
            ($($field:ident: $value:expr;)+) => {$(
                if let Some(value) = $value {
                    return if self.$field.replace(value).is_some() { Err(twice()) } else { Ok(()) };
                }
            )+};
        }
        take! {
            version: TlsVersion::from_word(word);
            key: KeyType::from_word(word);
            group: Group::from_word(word);
            resumption: Resumption::from_word(word);
            buffers: Buffers::parse(word);
            method: WriteMethod::from_word(word);
            side: Side::from_word(word);
            percentile: Percentile::from_word(word);
            sessions: count_before(word, " sessions");
            threads: count_before(word, " threads").or_else(|| count_before(word, " thread"));
            write_size: count_before(word, "-byte writes");
            fragment: count_before(word, "-byte fragments");
            cipher: Cipher::from_word(word);
        }
        let flag = match word {
            "mutual" => &mut self.mutual,
            "unbuffered" => &mut self.unbuffered,
            _ => return Err(format!("no field has the word `{word}`")),
        };
        let was_set = std::mem::replace(flag, true);
        if was_set { Err(twice()) } else { Ok(()) }
    }
}

/// Parses a whole number before `suffix`; `None` if it is 0.
fn count_before<N: FromStr + Default + PartialEq>(word: &str, suffix: &str) -> Option<N> {
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

    #[test]
    fn labels_round_trip() {
        for label in [
            "transfer, 1.2, aes-128-gcm, sending",
            "transfer, 1.3, aes-256-gcm, receiving, unbuffered",
            "transfer, 1.2, aes-256-gcm, sending, 16384-byte writes, 4096-byte fragments, 2 threads",
            "full handshakes, 1.3, ecdsa, client",
            "full handshakes, 1.2, ecdsa-p384, server, mutual",
            "full handshakes, 1.3, rsa, x25519mlkem768, server, 1 thread",
            "resumed handshakes, 1.2, client",
            "resumed handshakes, 1.3, ticket, server",
            "resumed handshakes, 1.3, ed25519, session id, server",
            "memory, 1.3, 10000 sessions",
            "latency of full handshakes, 1.3, server, P99.9",
            "writes, [100, 50], vectored, P50",
            "writes, [50] * 20, copy and write, min",
            "client hello, x25519mlkem768+x25519",
            "footprint",
            "build CPU time",
            "BenchmarkEncode/1024-8",
        ] {
            let scenario = Scenario::from_label(label).expect(label);
            assert_eq!(scenario.label(), label);
            assert_eq!(Scenario::from_label(&scenario.label()), Ok(scenario));
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

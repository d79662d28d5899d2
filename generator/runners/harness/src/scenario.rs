//! Scenarios: labels as the generator writes them, read into fields and written back.

use crate::words::{Cipher, Group, Key, Method, Resumption, Side, Version, Workload, suite};

/// A workload with its parameters. A field is what the label says; the methods say what holds
/// where the label says nothing.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What is done.
    pub workload: Workload,
    /// How the session is resumed.
    pub resumption: Option<Resumption>,
    /// The one key-exchange group that is offered; else the library's own choice.
    pub group: Option<Group>,
    /// The client has a certificate too.
    pub mutual: bool,
    /// An API that leaves the buffers to the caller.
    pub unbuffered: bool,
    /// Largest plaintext of a record in bytes, if not the protocol's.
    pub fragment: Option<u32>,
    /// How several buffers are written.
    pub method: Option<Method>,
    pub(crate) side: Option<Side>,
    pub(crate) threads: Option<u32>,
    pub(crate) sessions: Option<u32>,
    pub(crate) buffers: Option<Vec<u32>>,
    version: Option<Version>,
    cipher: Option<Cipher>,
    key: Option<Key>,
    write_size: Option<u32>,
}

/// The bytes of one write of a transfer: what both reference tools measure with.
const USUAL_WRITE: u32 = 1024 * 1024;

impl Scenario {
    /// TLS 1.3, unless the label says otherwise.
    pub fn version(&self) -> Version {
        self.version.unwrap_or(Version::V1_3)
    }

    /// AES-256-GCM, unless the label says otherwise.
    pub fn cipher(&self) -> Cipher {
        self.cipher.unwrap_or(Cipher::Aes256Gcm)
    }

    /// RSA-2048, unless the label says otherwise.
    pub fn key(&self) -> Key {
        self.key.unwrap_or(Key::Rsa2048)
    }

    /// The one cipher suite that is offered, as IANA names it.
    pub fn suite(&self) -> String {
        suite(self.version(), self.key(), self.cipher())
    }

    /// Whether the handshakes that are timed must be resumed ones.
    pub(crate) fn is_resumed(&self) -> bool {
        self.resumption.is_some()
    }

    pub(crate) fn write_size(&self) -> usize {
        self.write_size.unwrap_or(USUAL_WRITE) as usize
    }

    /// The label of this scenario on one side of the work.
    pub(crate) fn on(&self, side: Side) -> String {
        Self {
            side: Some(side),
            ..self.clone()
        }
        .label()
    }

    /// The scenario in words, in the generator's order.
    pub fn label(&self) -> String {
        let words = [
            Some(self.workload.word().to_owned()),
            self.version.map(|v| v.word().into()),
            self.cipher.map(|c| c.word().into()),
            self.key.map(|k| k.word().into()),
            self.group.map(|g| g.word().into()),
            self.resumption.map(|r| r.word().into()),
            self.buffers.as_deref().map(buffers_label),
            self.method.map(|m| m.word().into()),
            self.sessions.map(|n| format!("{n} sessions")),
            self.side.map(|s| s.word().into()),
            self.mutual.then(|| "mutual".into()),
            self.unbuffered.then(|| "unbuffered".into()),
            self.write_size.map(|n| format!("{n}-byte writes")),
            self.fragment.map(|n| format!("{n}-byte fragments")),
            self.threads
                .map(|n| format!("{n} thread{}", if n == 1 { "" } else { "s" })),
        ];
        let said: Vec<String> = words.into_iter().flatten().collect();
        said.join(", ")
    }

    /// Reads a label.
    ///
    /// # Errors
    /// The word that no field has, or what the workload needs and the label does not say.
    pub fn parse(label: &str) -> Result<Self, String> {
        let words = split_words(label.trim());
        let workload = Workload::from_word(words[0])
            .ok_or_else(|| format!("no workload is called `{}`", words[0]))?;
        let mut scenario = Self {
            workload,
            resumption: None,
            group: None,
            mutual: false,
            unbuffered: false,
            fragment: None,
            method: None,
            side: None,
            threads: None,
            sessions: None,
            buffers: None,
            version: None,
            cipher: None,
            key: None,
            write_size: None,
        };
        for word in &words[1..] {
            scenario
                .take(word)
                .map_err(|e| format!("{e} in `{label}`"))?;
        }
        match scenario.missing() {
            Some(what) => Err(format!("`{label}` needs {what}")),
            None => Ok(scenario),
        }
    }

    fn take(&mut self, word: &str) -> Result<(), String> {
        macro_rules! take {
            ($($field:ident: $value:expr;)+) => {$(
                if let Some(value) = $value {
                    return match self.$field.replace(value) {
                        Some(_) => Err(format!("`{word}` says again what another word said")),
                        None => Ok(()),
                    };
                }
            )+};
        }
        take! {
            version: Version::from_word(word);
            cipher: Cipher::from_word(word);
            key: Key::from_word(word);
            group: Group::from_word(word);
            resumption: Resumption::from_word(word);
            buffers: buffers(word);
            method: Method::from_word(word);
            side: Side::from_word(word);
            sessions: count(word, " sessions");
            threads: count(word, " threads").or_else(|| count(word, " thread"));
            write_size: count(word, "-byte writes");
            fragment: count(word, "-byte fragments");
        }
        match word {
            "mutual" => self.mutual = true,
            "unbuffered" => self.unbuffered = true,
            _ => return Err(format!("no field has the word `{word}`")),
        }
        Ok(())
    }

    /// What the workload cannot do without.
    fn missing(&self) -> Option<&'static str> {
        use Workload::{
            ClientHello, FullHandshake, FullLatency, Memory, ResumedHandshake, ResumedLatency,
            Transfer, Writes,
        };
        let is_resumption = matches!(self.workload, ResumedHandshake | ResumedLatency);
        let needs_version = !matches!(self.workload, Writes | ClientHello);
        match self.workload {
            _ if needs_version && self.version.is_none() => Some("`1.2` or `1.3`"),
            _ if is_resumption && self.resumption.is_none() => Some("`ticket` or `session id`"),
            _ if !is_resumption && self.resumption.is_some() => Some("no word of resumption"),
            Transfer if self.cipher.is_none() => Some("a cipher"),
            FullHandshake | FullLatency if self.key.is_none() => Some("`rsa` or `ecdsa`"),
            Memory if self.sessions.is_none() => Some("a number of sessions"),
            Writes if self.buffers.is_none() || self.method.is_none() => {
                Some("the sizes of buffers and how they are written")
            }
            _ => None,
        }
    }
}

/// A whole number from 1 before `suffix`.
fn count(word: &str, suffix: &str) -> Option<u32> {
    let number = word.strip_suffix(suffix)?.parse().ok()?;
    (number > 0).then_some(number)
}

/// Reads `[100, 50]` and `[50] * 20`.
fn buffers(word: &str) -> Option<Vec<u32>> {
    /// A guard against `[1] * 4000000000`, the generator's too.
    const MOST: usize = 65_536;
    let (list, times) = match word.rsplit_once('*') {
        Some((list, times)) => (list, times.trim().parse::<usize>().ok()?),
        None => (word, 1),
    };
    let inner = list.trim().strip_prefix('[')?.strip_suffix(']')?;
    let sizes: Vec<u32> = inner
        .split(',')
        .map(|s| s.trim().parse().ok().filter(|n| *n > 0))
        .collect::<Option<_>>()?;
    (times >= 1 && sizes.len().checked_mul(times)? <= MOST).then(|| sizes.repeat(times))
}

fn buffers_label(sizes: &[u32]) -> String {
    match sizes {
        [first, rest @ ..] if rest.len() >= 3 && rest.iter().all(|s| s == first) => {
            format!("[{first}] * {}", sizes.len())
        }
        sizes => {
            let list: Vec<String> = sizes.iter().map(u32::to_string).collect();
            format!("[{}]", list.join(", "))
        }
    }
}

/// Splits at commas that stand outside of brackets.
fn split_words(label: &str) -> Vec<&str> {
    let mut is_inside = false;
    label
        .split(|c| {
            match c {
                '[' => is_inside = true,
                ']' => is_inside = false,
                _ => {}
            }
            c == ',' && !is_inside
        })
        .map(str::trim)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_back() {
        for label in [
            "transfer, 1.2, aes-128-gcm, sending",
            "transfer, 1.3, aes-256-gcm, receiving, unbuffered, 16384-byte writes, 4096-byte fragments, 2 threads",
            "full handshakes, 1.3, ecdsa, client",
            "full handshakes, 1.3, rsa, x25519mlkem768, server, mutual, 1 thread",
            "resumed handshakes, 1.3, ecdsa, session id, server",
            "memory, 1.3, 10000 sessions",
            "latency of resumed handshakes, 1.2, ticket",
            "writes, [100, 50], vectored",
            "writes, [50] * 20, copy and write",
            "client hello, x25519mlkem768+x25519",
        ] {
            let scenario = Scenario::parse(label).expect(label);
            assert_eq!(scenario.label(), label);
        }
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (label, reason) in [
            ("transfr, 1.3", "`transfr`"),
            ("transfer, 1.3", "a cipher"),
            ("transfer, aes-128-gcm", "`1.2` or `1.3`"),
            ("transfer, 1.3, 1.2, aes-128-gcm", "`1.2` says again"),
            ("full handshakes, 1.3, rsa, 0 threads", "`0 threads`"),
            ("resumed handshakes, 1.2", "`ticket` or `session id`"),
            ("full handshakes, 1.3, rsa, ticket", "no word of resumption"),
            ("memory, 1.3", "a number of sessions"),
            ("writes, [50] * 9999999999999", "`[50] * 9999999999999`"),
        ] {
            let error = Scenario::parse(label).expect_err(label);
            assert!(error.contains(reason), "{label}: {error}");
        }
    }

    #[test]
    fn suites() {
        for (label, suite) in [
            (
                "transfer, 1.2, aes-128-gcm",
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            ),
            (
                "full handshakes, 1.2, ecdsa",
                "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            ),
            (
                "transfer, 1.3, chacha20-poly1305",
                "TLS_CHACHA20_POLY1305_SHA256",
            ),
        ] {
            assert_eq!(Scenario::parse(label).expect(label).suite(), suite);
        }
    }
}

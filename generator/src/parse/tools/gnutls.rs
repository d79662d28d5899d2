//! `gnutls-cli --benchmark-tls-kx`, `--benchmark-tls-ciphers` and `--benchmark-ciphers`:
//!
//! ```text
//! Testing key exchanges (RSA/DH bits: 3072, EC bits: 256)
//! (TLS1.3)-(ECDHE-X25519)-(ECDSA-SECP256R1-SHA256)-(AES-128-GCM)
//!  - 3031.54 transactions/sec
//! Testing throughput in cipher/MAC combinations (payload: 1400 bytes)
//!                    AES-128-GCM - TLS1.2  1.64 GB/sec
//! Checking AEAD ciphers, payload size: 16384
//!              AES-128-GCM 5.69 GB/sec
//! ```
//!
//! KB, MB and GB are decimal (`value2human`). One process does the work of both sides. A session
//! that this project has no words for, such as one with finite-field Diffie-Hellman, a key for
//! RSA-PSS only, or RSA key exchange, keeps GnuTLS's description.

use super::prelude::*;

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(r"^ *(\S+)(?: - ([A-Z]+[\d.]+))? +([\d.]+) ([A-Za-z]+/sec)$"),
    marks: &["/sec"],
    expected: "a cipher or `-`, a figure and its unit per second",
};

static HEADING: Pattern =
    Pattern::new(r"^(?:Testing|Checking) .*(?:RSA/DH bits: (\d+)|payload(?: size)?: (\d+))");

#[derive(Default)]
pub(super) struct Gnutls {
    /// Since the first heading.
    is_open: bool,
    bits: Option<u32>,
    payload: Option<u64>,
    session: Option<String>,
    /// The last line that a figure must follow.
    awaiting: Option<(u32, String)>,
    headings: Vec<String>,
}

impl Tool for Gnutls {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let may_be = line.starts_with("Testing ") || line.starts_with("Checking ");
        if let Some([_, rsa, size]) = may_be.then(|| HEADING.groups(line)).flatten() {
            if self.headings.iter().any(|heading| heading == line) {
                self.headings.clear();
                out.next_run();
            }
            self.headings.push(line.to_owned());
            self.is_open = true;
            (self.bits, self.payload) = (positive(rsa), positive(size));
            self.awaiting = Some((out.line, line.to_owned()));
            return Ok(());
        } else if !self.is_open {
            let is_row = LINES.find(line).is_ok();
            return Err(match is_row {
                true => Damaged(cite("no heading of gnutls-cli above", line)),
                false => Foreign,
            });
        } else if [
            "avg. handshake time",
            "standard deviation",
            "sample variance",
        ]
        .iter()
        .any(|what| line.contains(what))
        {
            return Ok(());
        } else if line.starts_with('(') && !line.contains("/sec") {
            self.session = Some(line.trim_end().to_owned());
            self.awaiting = Some((out.line, line.to_owned()));
            return Ok(());
        }
        let parts = LINES.find(line)?;
        self.awaiting = None;
        out.of(Implementation::new("GnuTLS", "", &[]));
        let (scenario, unit, base) = match parts {
            [_, word, _, rate, "transactions/sec"] => {
                // Until 3.6 in the line of its session.
                let own = Some(word.to_owned()).filter(|word| word != "-");
                let session = own.or_else(|| self.session.take());
                let session = session.ok_or("no line above describes the session")?;
                let bits = self
                    .bits
                    .ok_or("no heading above gives the bits of RSA keys")?;
                let known = handshakes(&session, bits);
                let scenario = known.map_or_else(|| name::scenario(&session), Ok)?;
                (scenario, Unit::HandshakeRate, number(rate)?)
            }
            [_, cipher, version, rate, symbol] => {
                let missing = || cite("no heading above gives the payload of", cipher);
                let payload = self.payload.ok_or_else(missing)?;
                let (unit, base) = figure(rate, symbol)?;
                (transfer(cipher, version, payload)?, unit, base)
            }
        };
        Ok(out.benchmark(&scenario.label(), unit, base)?)
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.is_open = false;
    }

    fn end(&mut self, out: &mut Collector) {
        if let Some((line, last)) = self.awaiting.take() {
            out.line = line;
            out.problem(cite("the output ends before the figure of", &last));
        }
    }
}

/// `(TLS1.3)-(ECDHE-X25519)-(ECDSA-SECP256R1-SHA256)-(AES-128-GCM)`
fn handshakes(session: &str, bits: u32) -> Option<Scenario> {
    let inside = session.strip_prefix('(')?.strip_suffix(')')?;
    let parts: Vec<&str> = inside.split(")-(").collect();
    let [version, exchange, signature, cipher] = parts[..] else {
        return None;
    };
    let group = match exchange {
        "HYBRID-X25519-MLKEM768" => Group::X25519MlKem768,
        "HYBRID-SECP256R1-MLKEM768" => Group::Secp256r1MlKem768,
        _ => Group::from_word(&exchange.strip_prefix("ECDHE-")?.to_ascii_lowercase())?,
    };
    let key = match (signature, bits) {
        ("EdDSA-Ed25519", _) => KeyType::Ed25519,
        ("ECDSA-SECP256R1-SHA256", _) => KeyType::EcdsaP256,
        (word, 2048) if is_rsa(word) => KeyType::Rsa2048,
        (word, _) if is_rsa(word) => KeyType::from_word(&format!("rsa-{bits}"))?,
        _ => return None,
    };
    Some(Scenario {
        version: Some(TlsVersion::from_word(version.strip_prefix("TLS")?)?),
        cipher: Some(Cipher::from_word(&cipher.to_ascii_lowercase())?),
        key: Some(key),
        group: Some(group),
        ..Scenario::new(Workload::FullHandshake)
    })
}

/// Whether a signature is by a usual RSA key.
fn is_rsa(signature: &str) -> bool {
    signature.starts_with("RSA-PSS-RSAE-") || signature.starts_with("RSA-SHA")
}

/// Records of TLS, or the cipher alone if there is no `version`.
fn transfer(cipher: &str, version: &str, payload: u64) -> Result<Scenario, String> {
    let known = TlsVersion::from_word(version.strip_prefix("TLS").unwrap_or_default());
    match (known, Cipher::from_word(&cipher.to_ascii_lowercase())) {
        (Some(version), Some(cipher)) => Ok(Scenario {
            version: Some(version),
            cipher: Some(cipher),
            write_size: Some(payload),
            ..Scenario::new(Workload::Transfer)
        }),
        _ if version.is_empty() => name::scenario(&format!("{cipher} ({payload} bytes)")),
        _ => name::scenario(&format!("{cipher} - {version} ({payload} bytes)")),
    }
}

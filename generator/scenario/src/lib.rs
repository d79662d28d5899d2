//! Scenarios, which are workloads with their parameters as parsed fields.
//!
//! Figures are compared only if their scenarios are equal, so a scenario is never identified by its
//! position in a file or by the text of a tool. Its [label](Scenario::label) is complete:
//! [`Scenario::from_label`] parses every label back. As on rustls.dev, labels omit words for
//! defaults; a label with them gives an equal scenario. The defaults are:
//!
//! - RSA-2048 keys in transfers, resumed handshakes and memory (full handshakes name the key);
//! - AES-256-GCM in handshakes and memory (transfers name the cipher);
//! - the buffered API, 1 MiB writes, the default fragment size, server authentication only.

#![allow(
    clippy::disallowed_methods,
    reason = "a word that does not parse as a number may be another field's"
)]

mod buffers;
mod cipher;
pub mod counts;
mod label;
mod parameters;

pub use buffers::Buffers;
pub use cipher::{Cipher, CipherSuite};
pub use parameters::{Group, KeyType, Percentile, Resumption, Side, TlsVersion, WriteMethod};

use std::fmt;
use std::sync::Arc;

/// The kind of work that is measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Workload {
    /// Application data through an established session.
    #[default]
    Transfer,
    /// Handshakes with certificates and key exchange.
    FullHandshake,
    /// Handshakes that resume an earlier session.
    ResumedHandshake,
    /// Peak memory of a process with many sessions.
    Memory,
    /// The time of each full handshake.
    FullLatency,
    /// The time of each resumed handshake.
    ResumedLatency,
    /// Writing several buffers at once.
    Write,
    /// Creating a ClientHello.
    ClientHello,
    /// The bytes, crates and tools that a library adds to a program.
    Footprint,
    /// Building a program from scratch, in wall-clock time.
    Build,
    /// Building a program from scratch, in CPU time of all processors.
    BuildCpu,
    /// A benchmark of something else, under its own name.
    Other(Arc<str>),
}

/// A workload with its parameters. Fields that the source does not state are `None`.
///
/// The order of fields is the order of rows on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scenario {
    /// The kind of work.
    pub workload: Workload,
    /// Number of parallel threads, if the source states it. 1 differs from `None`, because it is
    /// the base of a series over threads.
    pub threads: Option<u32>,
    /// Whether the client has a certificate too.
    pub mutual: bool,
    /// Whether it uses the unbuffered API of rustls.
    pub unbuffered: bool,
    /// Maximum fragment size in bytes, if not the protocol's.
    pub fragment: Option<u32>,
    /// Bytes of each write, if not 1 MiB.
    pub write_size: Option<u64>,
    /// Protocol version.
    pub version: Option<TlsVersion>,
    /// Cipher of the records.
    pub cipher: Option<Cipher>,
    /// Key of the certificate.
    pub key: Option<KeyType>,
    /// Key exchange.
    pub group: Option<Group>,
    /// How the session is resumed.
    pub resumption: Option<Resumption>,
    /// Sizes of the buffers of one write.
    pub buffers: Option<Buffers>,
    /// How the buffers are written.
    pub method: Option<WriteMethod>,
    /// Sessions alive at once, both ends counted.
    pub sessions: Option<u32>,
    /// The end whose work is measured.
    pub side: Option<Side>,
    /// The percentile, if the figure is one.
    pub percentile: Option<Percentile>,
}

/// Default cipher of handshakes and memory.
const DEFAULT_CIPHER: Cipher = Cipher::Aes256Gcm;

/// Default key of transfers, resumed handshakes and memory.
const DEFAULT_KEY: KeyType = KeyType::Rsa2048;

/// Default bytes per write of a transfer, as in both reference tools.
const DEFAULT_WRITE_SIZE: u64 = 1024 * 1024;

impl Workload {
    /// The sides that it measures, in the order of a program's answers; none if only one end works.
    pub fn sides(&self) -> &'static [Side] {
        match self {
            Self::Transfer => &[Side::Sending, Side::Receiving],
            Self::FullHandshake
            | Self::ResumedHandshake
            | Self::FullLatency
            | Self::ResumedLatency => &[Side::Client, Side::Server],
            _ => &[],
        }
    }

    /// Whether each of its operations is timed on its own.
    pub fn has_single_times(&self) -> bool {
        matches!(self, Self::FullLatency | Self::ResumedLatency | Self::Write)
    }

    /// Whether it measures a program's build, instead of the program's work.
    pub fn is_of_build(&self) -> bool {
        matches!(self, Self::Footprint | Self::Build | Self::BuildCpu)
    }
}

impl Scenario {
    /// Creates a scenario without parameters.
    pub fn new(workload: Workload) -> Self {
        Self {
            workload,
            ..Self::default()
        }
    }

    /// Creates a scenario of another benchmark, under its own name.
    pub fn other(name: impl Into<Arc<str>>) -> Self {
        Self::new(Workload::Other(name.into()))
    }

    /// Replaces default values for the workload by `None`, so that sources that state them and
    /// sources that imply them give equal scenarios.
    pub fn canonical(mut self) -> Self {
        use Workload::*;
        let implies_key = matches!(self.workload, Transfer | ResumedHandshake | Memory);
        let implies_cipher = matches!(
            self.workload,
            FullHandshake | ResumedHandshake | Memory | FullLatency | ResumedLatency
        );
        if implies_cipher && self.cipher == Some(DEFAULT_CIPHER) {
            self.cipher = None;
        }
        if implies_key && self.key == Some(DEFAULT_KEY) {
            self.key = None;
        }
        self.write_size = self.write_size.filter(|n| *n != DEFAULT_WRITE_SIZE);
        self
    }

    /// The version, or TLS 1.3.
    pub fn version_or_default(&self) -> TlsVersion {
        self.version.unwrap_or(TlsVersion::V1_3)
    }

    /// The cipher, or AES-256-GCM.
    pub fn cipher_or_default(&self) -> Cipher {
        self.cipher.clone().unwrap_or(DEFAULT_CIPHER)
    }

    /// The key, or RSA-2048.
    pub fn key_or_default(&self) -> KeyType {
        self.key.unwrap_or(DEFAULT_KEY)
    }

    /// Bytes per write, or 1 MiB.
    pub fn write_size_or_default(&self) -> u64 {
        self.write_size.unwrap_or(DEFAULT_WRITE_SIZE)
    }

    /// The cipher suite, with defaults for what the scenario does not state.
    pub fn suite_or_default(&self) -> CipherSuite {
        CipherSuite {
            version: self.version_or_default(),
            cipher: self.cipher_or_default(),
            key: Some(self.key_or_default()),
        }
    }

    /// The groups that libraries with OpenSSL's rules must offer, if the scenario names one: in TLS
    /// 1.2 these include the curve of an ECDSA certificate.
    pub fn groups_and_curve(&self) -> Option<Vec<Group>> {
        let mut groups = self.group?.shares();
        let curve = match self.key_or_default() {
            KeyType::EcdsaP256 => Some(Group::Secp256r1),
            KeyType::EcdsaP384 => Some(Group::Secp384r1),
            _ => None,
        };
        let is_1_2 = self.version_or_default() == TlsVersion::V1_2;
        groups.extend(curve.filter(|curve| is_1_2 && !groups.contains(curve)));
        Some(groups)
    }

    /// Returns the same scenario with this side.
    pub fn on(&self, side: Side) -> Self {
        Self {
            side: Some(side),
            ..self.clone()
        }
    }

    /// Returns the same scenario with this percentile.
    pub fn at(&self, percentile: Percentile) -> Self {
        Self {
            percentile: Some(percentile),
            ..self.clone()
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label())
    }
}

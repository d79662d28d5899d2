//! Scenarios: a workload with its parameters, as parsed fields; and the rows of tidy CSV, which say
//! what a scenario's figures are.
//!
//! Two scenarios are compared only if they are equal, so a scenario is never identified by its
//! position in a file or by the text that a tool printed. Its [label](Scenario::label) says
//! all that it is: [`Scenario::from_label`] reads every label back. Words for the default
//! are left out, as rustls.dev does, and a scenario that says them is the same scenario:
//!
//! - RSA-2048 keys in transfers, resumed handshakes and memory (full handshakes name the key);
//! - AES-256-GCM in handshakes and memory (transfers name the cipher);
//! - the buffered API, 1 MiB writes, the default fragment size, server authentication only.

#![allow(
    clippy::disallowed_methods,
    reason = "what is no number is another word of a label"
)]

mod buffers;
mod cipher;
pub mod counts;
mod label;
mod legacy;
mod parameters;
pub mod tidy;

pub use buffers::Buffers;
pub use cipher::{Cipher, CipherSuite};
pub use parameters::{Group, KeyType, Percentile, Resumption, Side, TlsVersion, WriteMethod};

use std::fmt;
use std::sync::Arc;

/// What is repeated while time or memory is measured.
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
    /// Making a ClientHello.
    ClientHello,
    /// What a library adds to a program.
    Footprint,
    /// Building a program from nothing.
    Build,
    /// The same, as the time of all processors that it takes.
    BuildCpu,
    /// A benchmark of something else, under its own name.
    Other(Arc<str>),
}

/// A workload with its parameters; a field that the source does not name is `None`.
///
/// The order of fields is the order of rows on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scenario {
    /// What is done.
    pub workload: Workload,
    /// Threads working at once, where the source says so; 1 is not the same as `None`, because
    /// it is the base of a series over threads.
    pub threads: Option<u32>,
    /// The client has a certificate too.
    pub mutual: bool,
    /// The unbuffered API of rustls.
    pub unbuffered: bool,
    /// Largest fragment in bytes, if not the protocol's.
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
    /// How they are written.
    pub method: Option<WriteMethod>,
    /// Sessions alive at once, both ends counted.
    pub sessions: Option<u32>,
    /// Whose work it is.
    pub side: Option<Side>,
    /// The point of a distribution that the figure is.
    pub percentile: Option<Percentile>,
}

/// The cipher of handshakes and memory whose label names none.
const DEFAULT_CIPHER: Cipher = Cipher::Aes256Gcm;

/// The key of transfers, resumed handshakes and memory whose label names none.
const DEFAULT_KEY: KeyType = KeyType::Rsa2048;

/// Bytes of one write of a transfer: what both reference tools measure with.
const DEFAULT_WRITE_SIZE: u64 = 1024 * 1024;

impl Workload {
    /// Whether it is of a program's build, and not of what the program does.
    pub fn is_of_build(&self) -> bool {
        matches!(self, Self::Footprint | Self::Build | Self::BuildCpu)
    }
}

impl Scenario {
    /// A scenario of which nothing else is known.
    pub fn new(workload: Workload) -> Self {
        Self {
            workload,
            ..Self::default()
        }
    }

    /// A benchmark under its own name.
    pub fn other(name: impl Into<Arc<str>>) -> Self {
        Self::new(Workload::Other(name.into()))
    }

    /// Fields that have the default value for the workload become `None`, so that a source that
    /// names them and one that takes them for granted give equal scenarios.
    pub fn canonical(mut self) -> Self {
        let (has_cipher, has_key) = match self.workload {
            Workload::Transfer => (false, true),
            Workload::ResumedHandshake | Workload::Memory => (true, true),
            Workload::FullHandshake | Workload::FullLatency | Workload::ResumedLatency => {
                (true, false)
            }
            Workload::Write
            | Workload::ClientHello
            | Workload::Footprint
            | Workload::Build
            | Workload::BuildCpu
            | Workload::Other(_) => (false, false),
        };
        self.cipher = self.cipher.filter(|c| !has_cipher || *c != DEFAULT_CIPHER);
        self.key = self.key.filter(|k| !has_key || *k != DEFAULT_KEY);
        self.write_size = self.write_size.filter(|n| *n != DEFAULT_WRITE_SIZE);
        self
    }

    /// The version to measure with: TLS 1.3, unless the label names another.
    pub fn version_or_default(&self) -> TlsVersion {
        self.version.unwrap_or(TlsVersion::V1_3)
    }

    /// The cipher to measure with: AES-256-GCM, unless the label names another.
    pub fn cipher_or_default(&self) -> Cipher {
        self.cipher.clone().unwrap_or(DEFAULT_CIPHER)
    }

    /// The key to measure with: RSA-2048, unless the label names another.
    pub fn key_or_default(&self) -> KeyType {
        self.key.unwrap_or(DEFAULT_KEY)
    }

    /// Bytes of each write to measure with: 1 MiB, unless the label says otherwise.
    pub fn write_size_or_default(&self) -> u64 {
        self.write_size.unwrap_or(DEFAULT_WRITE_SIZE)
    }

    /// The cipher suite to measure with.
    pub fn suite_or_default(&self) -> CipherSuite {
        CipherSuite {
            version: self.version_or_default(),
            cipher: self.cipher_or_default(),
            key: Some(self.key_or_default()),
        }
    }

    /// The same scenario on one side.
    pub fn on(&self, side: Side) -> Self {
        Self {
            side: Some(side),
            ..self.clone()
        }
    }

    /// The same scenario at another point of the distribution.
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

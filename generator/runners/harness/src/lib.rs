//! The timed loops that measure a TLS library, written once.
//!
//! A runner implements [`Tls`] and [`Endpoint`] for its library and calls [`main`]. The harness
//! does the rest: it reads scenarios, connects a client to a server over memory buffers in one
//! thread, times each side, verifies what was negotiated, and prints rows of tidy CSV.
//!
//! The work is that of rustls-bench and openssl-bench, so that figures are comparable with theirs;
//! `generator/runners/README.md` lists the exceptions.

mod allocations;
mod cli;
mod clock;
mod credentials;
mod label;
mod pair;
mod percentile;
mod records;
mod rows;
mod tls;
mod wire;
mod workload;

pub use allocations::Counted;
pub use cli::main;
pub use credentials::{Credentials, Identity};
pub use scenario::{
    Cipher, Group, KeyType, Resumption, Scenario, Side, TlsVersion, Workload, WriteMethod,
};
pub use tls::{Endpoint, Error, MAX_RECORD, MeasureError, Negotiated, Tls};
pub use wire::Wire;

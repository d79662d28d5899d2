//! The timed loops that measure a TLS library, written once.
//!
//! A runner implements [`Tls`] and [`Endpoint`] for its library and calls [`main`]. The harness
//! does the rest: it reads scenarios, connects a client to a server over memory buffers in one
//! thread, takes the time of each side, verifies what was negotiated, and prints tidy rows.
//!
//! The work is that of rustls-bench and openssl-bench, so that the figures can stand beside
//! theirs; `generator/runners/README.md` tells where they cannot.
#![forbid(unsafe_code)]

mod cli;
mod clock;
mod credentials;
mod pair;
mod percentile;
mod row;
mod scenario;
mod tls;
mod wire;
mod words;
mod workload;

pub use cli::main;
pub use credentials::{Credentials, Identity};
pub use scenario::Scenario;
pub use tls::{Endpoint, Error, Negotiated, Refusal, Tls};
pub use wire::Wire;
pub use words::{Cipher, Group, Key, Method, Resumption, Side, Version, Workload};

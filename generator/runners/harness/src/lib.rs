//! The timed loops that measure a TLS library, written once.
//!
//! A runner implements [`Tls`] and [`Endpoint`] for its library and calls [`run`]. The harness
//! does the rest: it connects a client to a server over memory buffers in one thread, times each
//! side, verifies what was negotiated, and answers commands with times, by the protocol in
//! `generator/runners/README.md`.

mod alone;
#[cfg(feature = "c")]
pub mod c;
mod cli;
mod clock;
mod credentials;
mod hello;
#[cfg(feature = "replace-malloc")]
mod malloc;
mod pair;
mod protocol;
mod slices;
mod tls;
mod wire;
mod workload;

pub use alone::main;
pub use cli::{run, version};
pub use credentials::{Credentials, Identity};
pub use scenario::{
    Cipher, Group, KeyType, Resumption, Scenario, Side, TlsVersion, Workload, WriteMethod,
};
pub use tls::{Endpoint, Error, MeasureError, Tls};
pub use wire::{Plaintext, Wire};

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

//! Measures rustls from 0.22 on.

mod buffered;
mod builder;
mod choice;
mod config;
mod end;
#[cfg_attr(tells_resumption, path = "resumption/told.rs")]
#[cfg_attr(not(tells_resumption), path = "resumption/witnessed.rs")]
mod resumption;
#[cfg(tells_group)]
mod unbuffered;
#[cfg(not(tells_resumption))]
#[path = "resumption/verifier.rs"]
mod verifier;

use config::Rustls;
use std::process::ExitCode;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    harness::main::<Rustls>()
}

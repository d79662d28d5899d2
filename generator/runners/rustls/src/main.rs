//! Measures rustls from 0.21 on.

mod buffered;
#[cfg_attr(not(has_provider), path = "rustls_0_21/builder.rs")]
mod builder;
mod choice;
mod config;
mod end;
#[cfg_attr(reports_resumption, path = "resumption/reported.rs")]
#[cfg_attr(not(reports_resumption), path = "resumption/observed.rs")]
mod resumption;
#[cfg(reports_group)]
mod unbuffered;
#[cfg(not(reports_resumption))]
#[cfg_attr(has_provider, path = "resumption/verifier.rs")]
#[cfg_attr(not(has_provider), path = "rustls_0_21/verifier.rs")]
mod verifier;

use config::Rustls;
use std::process::ExitCode;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    harness::main::<Rustls>()
}

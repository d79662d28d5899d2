//! Measures rustls from 0.20.7 on.

#[cfg_attr(buffers_outside, path = "rustls_0_24/buffered.rs")]
mod buffered;
#[cfg_attr(not(has_provider), path = "rustls_0_21/builder.rs")]
#[cfg_attr(buffers_outside, path = "rustls_0_24/builder.rs")]
mod builder;
mod choice;
mod config;
mod end;

use config::Rustls;
use std::process::ExitCode;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: harness::Counted<tikv_jemallocator::Jemalloc> =
    harness::Counted(tikv_jemallocator::Jemalloc);

fn main() -> ExitCode {
    harness::main::<Rustls>()
}

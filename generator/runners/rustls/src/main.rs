//! Measures rustls.

mod buffered;
mod config;
mod end;
mod unbuffered;

use config::Rustls;
use std::process::ExitCode;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    harness::main::<Rustls>()
}

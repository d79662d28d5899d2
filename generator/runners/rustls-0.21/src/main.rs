//! Measures rustls 0.21, which has no `CryptoProvider` and names some types otherwise; what it
//! has in common with its successors stands in `../rustls`.

mod builder;
mod verifier;

#[path = "../../rustls/src/buffered.rs"]
mod buffered;
#[path = "../../rustls/src/choice.rs"]
mod choice;
#[path = "../../rustls/src/config.rs"]
mod config;
#[path = "../../rustls/src/end.rs"]
mod end;
#[path = "../../rustls/src/resumption/witnessed.rs"]
mod resumption;

use config::Rustls;
use std::process::ExitCode;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    harness::main::<Rustls>()
}

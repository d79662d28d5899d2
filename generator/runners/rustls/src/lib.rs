//! Measures rustls from 0.20.7 on.

#[cfg(feature = "rustls-0-20")]
extern crate rustls_0_20 as rustls;
#[cfg(feature = "rustls-0-21")]
extern crate rustls_0_21 as rustls;
#[cfg(feature = "rustls-0-22")]
extern crate rustls_0_22 as rustls;
#[cfg(feature = "rustls-0-23")]
extern crate rustls_0_23 as rustls;
#[cfg(feature = "rustls-0-24")]
extern crate rustls_0_24 as rustls;

#[cfg_attr(feature = "buffers-outside", path = "buffered_0_24.rs")]
mod buffered;
#[cfg_attr(not(feature = "provider"), path = "builder_0_21.rs")]
mod builder;
mod choice;
mod config;

use config::Rustls;
use std::process::ExitCode;

/// The program, of this version of rustls.
pub fn main(version: &'static str) -> ExitCode {
    harness::run::<Rustls>(version)
}

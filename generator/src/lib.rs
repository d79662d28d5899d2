//! Benchmark output of TLS libraries, made into the pages of a website.
//!
//! Data flows one way, and a module uses only what stands before it:
//!
//! files → [`parse`] → [observations](observation) → [`report`] (groups of runs, [`stats`]) →
//! [`page`] (tables, [charts](chart), sentences) → [`render`] → content/

pub mod escape;
pub mod failure;
pub mod console;
pub mod fs;
#[allow(
    clippy::disallowed_methods,
    reason = "some errors are still dropped here"
)]
mod day;
pub mod footnotes;
mod random;
pub mod slug;
pub mod unit;
pub use scenario;
pub mod version;
pub mod implementation;
pub mod distribution;
pub mod observation;
pub mod parse;
pub mod stats;
pub mod progress;
pub mod load;
#[allow(
    clippy::disallowed_methods,
    reason = "some errors are still dropped here"
)]
pub mod report;
#[allow(
    clippy::disallowed_methods,
    clippy::let_underscore_must_use,
    reason = "some errors are still dropped here"
)]
pub mod run;
#[allow(
    clippy::disallowed_methods,
    reason = "some errors are still dropped here"
)]
pub mod history;
#[allow(
    clippy::let_underscore_must_use,
    reason = "some errors are still dropped here"
)]
pub mod chart;
pub mod card;
#[allow(
    clippy::disallowed_methods,
    reason = "some errors are still dropped here"
)]
pub mod page;
#[allow(
    clippy::disallowed_methods,
    clippy::let_underscore_must_use,
    reason = "some errors are still dropped here"
)]
pub mod render;
pub mod cli;
#[allow(
    clippy::disallowed_methods,
    reason = "some errors are still dropped here"
)]
pub mod grid;
pub mod cmd;

//! Benchmark output of TLS libraries, made into the pages of a website.
//!
//! Data flows one way, and a module uses only those before it:
//!
//! [`files`] → [`parse`] → [observations](model::observation) → [`report`] (groups of runs, with
//! [`stats`]) → [`site`] (tables, [charts](chart), sentences) → content/

#![cfg_attr(
    windows,
    allow(
        dead_code,
        unused_imports,
        reason = "only `run`, which Windows lacks, uses these"
    )
)]

pub mod base;
pub mod files;
pub mod model;
pub mod parse;
pub mod stats;
pub mod report;
#[cfg_attr(windows, path = "measure/windows.rs")]
mod measure;
pub mod chart;
pub mod site;
mod cli;
#[cfg(any(test, feature = "fuzz"))]
#[path = "../fuzz/targets/mod.rs"]
pub mod fuzz;

pub use cli::arguments::Cli;
pub use cli::{execute, main};

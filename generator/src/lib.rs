//! Benchmark output of TLS libraries, made into the pages of a website.
//!
//! Data flows one way, and a module uses only those before it:
//!
//! files → [`parse`] → [observations](observation) → `report` (groups of runs, [`stats`]) →
//! `site` (tables, [charts](chart), sentences, templates) → content/

pub mod escape;
pub mod failure;
mod console;
mod limits;
pub mod fs;
mod embedded;
mod day;
pub mod footnotes;
mod random;
pub mod slug;
mod words;
pub mod unit;
pub mod estimator;
// The crate that is shared with the measuring programs.
#[path = "../embedded/sources/scenario/src/lib.rs"]
pub mod scenario;
pub mod version;
pub mod implementation;
pub mod distribution;
pub mod observation;
pub mod parse;
pub mod stats;
mod load;
mod inputs;
pub mod look;
mod report;
mod run;
mod history;
pub mod chart;
pub mod site;
mod cli;
mod grid;
mod cmd;
#[cfg(any(test, feature = "fuzz"))]
#[path = "../fuzz/targets/mod.rs"]
pub mod fuzz;

pub use cli::Cli;
pub use cmd::{execute, main};

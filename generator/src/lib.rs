//! Benchmark output of TLS libraries, made into the pages of a website.
//!
//! Data flows one way, and a module uses only what stands before it:
//!
//! files → [`parse`] → [observations](observation) → group → statistics → report → render → content/

pub mod distribution;
pub mod failure;
pub mod fs;
pub mod implementation;
pub mod observation;
pub mod parse;
pub mod scenario;
pub mod stats;
pub mod load;
pub mod report;
pub mod cli;
pub mod grid;
pub mod cmd;
pub mod unit;

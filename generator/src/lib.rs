//! Benchmark output of TLS libraries, made into the pages of a website.
//!
//! Data flows one way, and a module uses only what stands before it:
//!
//! files → [`parse`] → [observations](observation) → group → statistics → report → render → content/

pub mod unit;
pub mod scenario;
pub mod implementation;
pub mod distribution;
pub mod observation;
pub mod parse;
pub mod render;

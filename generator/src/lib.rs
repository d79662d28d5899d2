//! Benchmark output of TLS libraries, made into the pages of a website.
//!
//! Data flows one way, and a module uses only what stands before it:
//!
//! files → [`parse`] → [observations](observation) → [`report`] (groups of runs, [`stats`]) →
//! [`page`] (tables, [charts](chart), sentences) → [`render`] → content/

pub mod cli;
pub mod cmd;
pub mod distribution;
pub mod failure;
pub mod fs;
pub mod grid;
pub mod implementation;
pub mod load;
pub mod observation;
pub mod page;
pub mod parse;
pub mod render;
pub mod report;
pub mod scenario;
pub mod stats;
pub mod unit;

pub use render::chart;

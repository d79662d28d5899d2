//! Measuring: builds the programs, runs them in turns so that drift favours none, and keeps their
//! output, which [`parse`](crate::parse) reads like any other.

pub mod build;
pub mod cargo;
pub mod catalog;
pub mod folder;
pub mod interrupt;
mod latency;
pub mod machine;
pub mod manifest;
pub mod measure;
pub mod meter;
mod needs;
pub mod noise;
pub mod plan;
pub mod process;
pub mod record;
pub mod runner;
mod sources;
pub mod spec;
pub mod suite;
pub mod times;

use std::path::Path;

/// The last part of a path as text.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The last lines of a text, without empty ones.
fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

//! The commands that fetch and compile: git, cargo and go.

pub(super) mod cargo;
pub(super) mod compile;
pub(super) mod git;
pub(super) mod go;

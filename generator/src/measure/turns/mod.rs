//! Programs take turns: from the plan of all runs to the figures of each.

pub(crate) mod command;
pub(super) mod figures;
mod footprint;
pub(crate) mod instructions;
pub(crate) mod measurement;
pub(crate) mod plan;
pub(super) mod rate;
mod runner;
mod turn;

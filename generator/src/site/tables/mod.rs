//! Tables of pages in HTML, made of [`crate::report::Table`] and of comparisons.

pub(in crate::site) mod caveats;
pub(in crate::site) mod changes;
pub(in crate::site) mod ahead;
pub(in crate::site) mod costs;
pub(in crate::site) mod counts;
pub(in crate::site) mod footprint;
pub(in crate::site) mod html;
pub(in crate::site) mod latency;
pub(in crate::site) mod levels;
pub(in crate::site) mod memory;
pub(in crate::site) mod places;
pub(in crate::site) mod provenance;
pub(in crate::site) mod results;
pub(in crate::site) mod steps;
pub(in crate::site) mod threads;
mod write;

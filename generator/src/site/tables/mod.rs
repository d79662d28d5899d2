//! Tables of pages.

pub(in crate::site) mod ahead;
pub(in crate::site) mod changes;
pub(in crate::site) mod counts;
pub(in crate::site) mod footprint;
pub(in crate::site) mod memory;
pub(in crate::site) mod provenance;
pub(in crate::site) mod releases;
pub(in crate::site) mod results;

//! Tables of pages.

pub(in crate::site) mod ahead;
pub(in crate::site) mod changes;

pub(in crate::site) mod provenance;
pub(in crate::site) mod releases;
pub(in crate::site) mod results;
pub(in crate::site) mod topics;

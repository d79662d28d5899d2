//! The pages, a file for each kind.

pub(in crate::site) mod compare;
pub(in crate::site) mod figures;
pub(in crate::site) mod history;
pub(in crate::site) mod home;
pub(in crate::site) mod index;
pub(in crate::site) mod library;
pub(in crate::site) mod method;
mod pairs;
pub(crate) mod report;
pub(in crate::site) mod scenario;
mod sections;
pub(in crate::site) mod topics;

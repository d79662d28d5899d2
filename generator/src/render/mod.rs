//! Rendering. A renderer receives finished figures and words, and computes nothing but the layout;
//! it returns text, and writes no file.

mod capacity;
mod changes;
mod compare;
mod data;
mod export;
mod front_matter;
#[cfg(any(test, feature = "fuzz"))]
pub(crate) mod fuzz;
mod headings;
mod history;
mod links;
mod more;
mod notes;
mod report;
mod site;
mod suite;
mod table;

pub(crate) use compare::sides_to_start_with;
pub(crate) use export::{Exported, export};
pub(crate) use more::MORE;
pub(crate) use report::Origin;
pub(crate) use site::{Pages, Renderer};
pub(crate) use suite::SUITES;

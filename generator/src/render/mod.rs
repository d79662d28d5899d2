//! Rendering. A renderer receives finished figures and words, and computes nothing but the layout;
//! it returns text, and writes no file.

mod capacity;
mod compare;
mod data;
mod export;
mod front_matter;
#[cfg(any(test, feature = "fuzz"))]
pub(crate) mod fuzz;
mod history;
mod notes;
mod report;
mod site;
mod table;

pub(crate) use compare::sides_to_start_with;
pub(crate) use export::{Exported, export};
pub(crate) use report::Origin;
pub(crate) use site::{Pages, Renderer};

//! Rendering. A renderer receives finished figures and words, and computes nothing but the layout;
//! it returns text, and writes no file.
//!
//! A page has at most 60 KB of HTML, compressed; graphs are files of their own. The test of the website
//! checks this for all of its pages.

mod capacity;
mod compare;
mod data;
mod front_matter;
mod headings;
mod history;
pub(crate) mod notes;
mod report;
mod site;
mod table;

pub(crate) use compare::sides_to_start_with;
pub(crate) use report::Origin;
pub(crate) use site::{Pages, Renderer};

//! The pages: tables, graphs and sentences with formatted figures, which templates lay out. Nothing
//! here writes a file, and nothing decides: who stands for whom, what differs and how it is worded is
//! told by [`crate::report`].
//!
//! A page has at most 60 KB of HTML, compressed; graphs are files of their own. The test of the
//! website checks this for all of its pages.

mod data;
mod front_matter;
mod graphs;
mod grid;
mod links;
pub(crate) mod notes;
mod pages;
mod renderer;
mod section;
mod tables;
mod words;

pub(crate) use data::{TABLE, downloads};
pub(crate) use links::Offered;
pub(crate) use pages::report::Origin;
pub(crate) use renderer::{Pages, Renderer};

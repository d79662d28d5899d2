//! The pages: tables, graphs and sentences with formatted figures, which templates lay out. Nothing
//! here writes a file.
//!
//! A page has at most 60 KB of HTML, compressed; graphs are files of their own. The test of the
//! website checks this for all of its pages.

mod data;
mod front_matter;
mod graphs;
pub(crate) mod notes;
mod page_text;
mod pages;
mod renderer;
mod tables;
mod words;

pub(crate) use data::downloads;
pub(crate) use pages::badge::{BADGE, badge};
pub(crate) use pages::report::Origin;
pub(crate) use renderer::{Pages, Renderer};

//! What a reader sees. A renderer receives finished figures and words, and computes nothing
//! but the layout.

pub mod chart;
pub mod escape;

//! The looks of libraries, the same on all pages.

use crate::chart::look::{self, Look};
use crate::report::Dataset;

impl Dataset {
    /// Returns the look of a library in charts.
    pub(crate) fn look_of(&self, library: &str) -> Look {
        let assigned = look::assign(self.site_libraries.iter().map(String::as_str));
        let look = assigned.get(library).copied();
        look.unwrap_or_else(|| Look::of(library))
    }
}

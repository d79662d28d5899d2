//! Reports: all that folders of figures say, who stands for whom, what differs, and how it is worded.
//! Everything that is decided is decided here, once; what shows it decides nothing.

pub(crate) mod history;
mod address;
mod branch;
mod compare;
mod control;
mod grid;
mod grouping;
mod headline;
mod identify;
mod load;
mod machine;
mod names;
mod releases;
#[allow(clippy::module_inception, reason = "the report itself")]
mod report;
mod roles;
mod row;
mod steady;
mod table;
mod tally;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod titles;
pub(crate) mod words;

pub(crate) use branch::{MAX_COMMITS, NewLevel};
pub(crate) use compare::{
    COUNTS_RULE, Compared, Exchange, Side, compare, leaves_key_exchange_open, pairs, rows_of_both,
    since,
};
pub(crate) use control::control_note;
pub(crate) use grid::{Caveats, Grid, GridCell, GridRow, Head, Link, Look};
pub(crate) use headline::newest_tested;
pub(crate) use load::{Declared, RECORD, Read, below, manifest, said};
pub(crate) use machine::{BuildPair, ComparedMachine, Measured, compared_machines};
pub(crate) use names::name_builds;
pub(crate) use releases::Series;
pub(crate) use report::{Build, Report};
pub(crate) use row::{Cell, Figure, Key, Row, builds_of, run_counts, scales};
pub(crate) use steady::smallest_shown;
pub(crate) use table::Table;
pub(crate) use tally::{Lead, Leaders, Tally, one_of_each_kind};

/// The folders of the pages over all reports, in the order of menus. No report may be named like one.
pub(crate) const OVERVIEWS: [&str; 5] =
    ["home", "compare", "implementations", "scenarios", "method"];

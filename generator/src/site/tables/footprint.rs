//! What each library adds to a program: one row per build, older releases too, and one column per figure.

use super::results::builds_by_rows;
use crate::base::words::join;
use crate::model::scenario::Workload;
use crate::model::unit::{Better, SIZES, Unit};
use crate::report::{Grid, Head, Row, Table};

/// Returns the table of all builds: sizes in the order of `SIZES`, then times.
pub(in crate::site) fn footprint(table: &Table<'_>) -> Grid {
    let mut table = table.clone();
    let place = |row: &&Row| SIZES.iter().position(|unit| row.unit.symbol() == *unit);
    table
        .rows
        .sort_by_key(|row| place(row).unwrap_or(SIZES.len()));
    let builds = [table.shown(), table.others()].concat();
    let grid = builds_by_rows(&table, &builds, |row| {
        let head = super::results::head(row);
        match &row.unit {
            Unit::Count(name) => Head {
                text: (*name).to_owned(),
                detail: None,
                ..head
            },
            _ => Head {
                text: row.scenario.workload.word().to_owned(),
                ..head
            },
        }
    });
    let better = Better::Lower.suffix();
    Grid {
        name: format!("What a library adds to a program that uses it{better}"),
        ..grid
    }
}

/// Builds in the sentence.
const MAX_NAMED: usize = 4;

/// `rustls 0.23.46 adds 3,612 KiB and 15 crates to a program, OpenSSL 4.0.3 5,310 KiB; a build from nothing takes
/// 85 and 24 s on this machine.`
pub(in crate::site) fn sentence(table: &Table<'_>) -> Option<String> {
    let report = table.report;
    let row = |wanted: &dyn Fn(&Row) -> bool| table.rows.iter().copied().find(|row| wanted(row));
    let size = row(&|row| row.unit == Unit::SIZE)?;
    let crates = row(&|row| row.unit.symbol() == "crates");
    let build = row(&|row| row.scenario.workload == Workload::Build);
    let mut builds = table.newest();
    builds.retain(|build| size.figure(*build).is_some());
    builds.truncate(MAX_NAMED);
    let (mut sizes, mut times) = (Vec::new(), Vec::new());
    for one in &builds {
        let figure = &size.figure(*one)?.text;
        let crates = crates.and_then(|row| row.figure(*one));
        let crates = crates.map_or_else(String::new, |n| format!(" and {} crates", n.text));
        let verb = if sizes.is_empty() { " adds" } else { "" };
        let symbol = &size.scale.symbol;
        sizes.push(format!(
            "{}{verb} {figure} {symbol}{crates}",
            report.full_name(*one)
        ));
        times.extend(build.and_then(|row| Some(row.figure(*one)?.text.clone())));
    }
    let built = match build.filter(|_| times.len() == builds.len()) {
        Some(row) => format!(
            " A build from nothing takes {} {} on this machine.",
            join(&times),
            row.scale.symbol
        ),
        None => String::new(),
    };
    Some(format!("To a program, {}.{built}", sizes.join("; ")))
}

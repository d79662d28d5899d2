//! What each library adds to a program: one row per build, older releases too, and one column per
//! figure.

use super::html::{Head, HtmlTable};
use super::results::builds_by_rows;
use crate::base::words::join;
use crate::model::scenario::Workload;
use crate::model::unit::{Better, MIB, SIZES, Unit};
use crate::report::{Row, Table};

/// Returns the table of all builds: sizes in the order of `SIZES`, then times.
pub(in crate::site) fn footprint(table: &Table<'_>) -> HtmlTable {
    let mut table = table.clone();
    let place = |row: &&Row| SIZES.iter().position(|unit| row.unit.symbol() == *unit);
    table
        .rows
        .sort_by_key(|row| place(row).unwrap_or(SIZES.len()));
    let shown = builds_by_rows(&table, &table.all_columns(), |row, scale| match &row.unit {
        Unit::Count(name) => Head::from(*name),
        _ => Head::from(row.scenario.workload.word()).with_detail(scale.symbol),
    });
    let better = Better::Lower.suffix();
    HtmlTable {
        about: Some("../method/#footprint"),
        name: format!("What a library adds to a program that uses it{better}"),
        ..shown
    }
}

/// Builds in the sentence.
const MAX_NAMED: usize = 4;

/// `rustls 0.23.46 adds 3.5 MiB and 15 crates to a program, OpenSSL 4.0.3 5.1 MiB …; a build from nothing
/// takes 85 and 24 s on this machine.`
pub(in crate::site) fn sentence(table: &Table<'_>) -> Option<String> {
    let row = |wanted: &dyn Fn(&Row) -> bool| table.rows.iter().copied().find(|row| wanted(row));
    let size = row(&|row| row.unit == Unit::SIZE)?;
    let crates = row(&|row| row.unit.symbol() == "crates");
    let build = row(&|row| row.scenario.workload == Workload::Build);
    let mut columns = table.split_columns().0;
    let before = table.report.before_newest_of_subject();
    columns.retain(|column| size.estimate(*column).is_some() && Some(*column) != before);
    columns.truncate(MAX_NAMED);
    let (mut sizes, mut times) = (Vec::new(), Vec::new());
    for column in columns {
        let mib = size.unit.printed(size.estimate(column)?) / MIB;
        let crates = crates.and_then(|row| row.estimate(column));
        let crates = crates.map_or_else(String::new, |n| format!(" and {n:.0} crates"));
        let verb = if sizes.is_empty() { " adds" } else { "" };
        sizes.push(format!("{}{verb} {mib:.1} MiB{crates}", table.name(column)));
        let time = build.and_then(|row| row.estimate(column));
        times.extend(time.map(|seconds| format!("{seconds:.0}")));
    }
    let sizes = sizes.join(", ");
    let built = match times.len() == sizes.split(", ").count() {
        true => format!(
            " A build from nothing takes {} s on this machine.",
            join(&times)
        ),
        false => String::new(),
    };
    Some(format!("To a program, {sizes}.{built}"))
}

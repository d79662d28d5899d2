//! What `hyperfine --export-csv` and JMH's `-rf csv` write: summaries, so that each has one run.
//!
//! ```text
//! command,mean,stddev,median,user,system,min,max,parameter_size
//! ./x 1,0.102,0.001,0.1015,0.001,0.002,0.1,0.104,1
//!
//! "Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size"
//! "a.Records.seal","thrpt",1,10,25.3247,1.234,"ops/ms",1024
//! ```

use super::prelude::*;
use super::records;
use crate::parse::json::jmh;

pub(in crate::parse) fn is_hyperfine(head: &str) -> bool {
    head.starts_with("command,mean,stddev,median,")
}

pub(in crate::parse) fn is_jmh(head: &str) -> bool {
    head.starts_with("\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"")
}

pub(in crate::parse) fn hyperfine(text: &str, out: &mut Collector) {
    let Some(table) = records::table(text, out) else {
        return;
    };
    out.each(table.rows, |row, out| {
        row.check_width(&table.heading)?;
        let parameters = details(&table.heading, &row.cells, "parameter_");
        let name = name::with_details(row.cell(0), parameters);
        out.benchmark(&name, Unit::Time, amount(row.cell(3))?)
    });
    out.line = 0;
    out.note("the table has no single times, and a test needs 4 runs: use `--export-json`");
}

pub(in crate::parse) fn jmh(text: &str, out: &mut Collector) {
    let Some(table) = records::table(text, out) else {
        return;
    };
    out.each(table.rows, |row, out| {
        row.check_width(&table.heading)?;
        let [score, symbol] = [row.cell(4), row.cell(6)];
        let parameters = details(&table.heading, &row.cells, "Param: ");
        let threads = positive(row.cell(2)).ok_or_else(|| cite("threads:", row.cell(2)))?;
        let name = jmh::label(row.cell(0), parameters, row.cell(1), threads);
        if score == "NaN" {
            out.note(cite("a benchmark without a figure:", &name));
            return Ok(());
        }
        let (unit, factor) = Unit::parse_or_other(symbol);
        out.benchmark(&name, unit, amount(score)? * factor)
    });
    out.line = 0;
    out.note(jmh::table_note());
}

/// The parameters of a row, from the columns whose headings have a prefix.
fn details(heading: &[String], cells: &[String], prefix: &str) -> Vec<String> {
    let columns = heading
        .iter()
        .zip(cells)
        .filter(|(_, cell)| !cell.is_empty());
    let named = columns.filter_map(|(heading, cell)| {
        let name = heading.strip_prefix(prefix)?;
        Some(format!("{name}={cell}"))
    });
    named.collect()
}

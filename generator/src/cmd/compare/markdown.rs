//! A comparison for a pull request's comment: what changed, the rest folded, what is missing.

use super::table::Table;
use super::{caveats, cells, summary};
use crate::cli::Compare;
use crate::escape::comment as escape;
use crate::footnotes::Footnotes;
use crate::report::ComparedRow;

/// Lists of more rows are folded.
const MAX_UNFOLDED: usize = 10;

const HEAD: &str = "| scenario | unit | baseline | candidate | change | ratio, 95% CI | p | n |\n\
    | :-- | :-- | --: | --: | :-- | :-- | --: | --: |\n";

/// Sections for each table, one below another.
pub(super) fn markdown(tables: &[Table], arguments: &Compare) -> String {
    let tables: Vec<String> = tables.iter().map(|t| table(t, arguments)).collect();
    tables.join("\n")
}

fn table(table: &Table, arguments: &Compare) -> String {
    let all = table.compared.rows.iter();
    let (missing, compared): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
        all.partition(|r| r.comparison.is_none());
    let (changed, others): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
        compared.into_iter().partition(|r| r.is_change());
    let [baseline, candidate] = table.names();
    let mut out = format!(
        "### {} ➡️ {}\n\n{}\n",
        escape(&baseline),
        escape(&candidate),
        summary::count(table)
    );
    for warning in &table.warnings {
        out += &format!("\n**Warning:** {}.\n", escape(warning));
    }
    if !changed.is_empty() {
        out += "\n#### Significant changes\n\n";
        out += &rows(&changed, table, arguments);
    }
    if !others.is_empty() && !arguments.only_changed {
        let title = match table.compared.tested() {
            0 => "Untested",
            _ => "No significant change",
        };
        let title = format!("{title}: {}", summary::rows(others.len()));
        out += &folded(&title, &rows(&others, table, arguments));
    }
    if !missing.is_empty() && !arguments.only_changed {
        let list: Vec<String> = missing.iter().map(|row| absent(row)).collect();
        if list.len() > MAX_UNFOLDED {
            let title = format!("Missing: {}", summary::rows(list.len()));
            out += &folded(&title, &list.concat());
        } else {
            out += &format!("\n#### Missing\n\n{}", list.concat());
        }
    }
    let means = summary::means(table).map(|m| escape(&m).into_owned());
    let means = means.collect::<Vec<_>>().join("; ");
    let method = summary::method(table, arguments);
    for line in [means, escape(&method).into_owned()] {
        if !line.is_empty() {
            out += &format!("\n<sub>{line}</sub>\n");
        }
    }
    out
}

/// `- memory, 1.2, 100 sessions (not in the candidate)`
fn absent(row: &ComparedRow) -> String {
    let label = row.scenario.label();
    let why = caveats::caveats(row).join("; ");
    format!("- {} ({})\n", escape(&label), escape(&why))
}

/// The blank lines make GitHub read what is inside as Markdown.
fn folded(title: &str, content: &str) -> String {
    format!("\n<details>\n<summary>{title}</summary>\n\n{content}\n</details>\n")
}

fn rows(rows: &[&ComparedRow], table: &Table, arguments: &Compare) -> String {
    let mut out = HEAD.to_owned();
    let mut footnotes = Footnotes::default();
    for one in rows {
        let texts = caveats::footnotes(one, arguments).into_iter();
        let marks: Vec<String> = texts.map(|t| footnotes.number(t).to_string()).collect();
        out += &row(one, table, &marks.join(", "));
    }
    for (number, text) in footnotes.iter() {
        out += &format!("\n<sup>{number}</sup> {}\n", escape(text));
    }
    out
}

fn row(row: &ComparedRow, table: &Table, marks: &str) -> String {
    let scale = table.compared.scale(row);
    let [baseline, candidate] = [0, 1].map(|side| {
        let (estimate, cell) = (row.estimates[side], row.cells[side]);
        let figure = cells::figure(scale, estimate, cell);
        format!("{figure} {}", cells::spread(estimate, cell))
            .trim_end()
            .to_owned()
    });
    let mut change = escape(&cells::change(row)).into_owned();
    if row.is_change() {
        change = format!("**{change}**");
    }
    if !marks.is_empty() {
        change += &format!(" <sup>{marks}</sup>");
    }
    let ratio = match row.interval_text() {
        None => cells::ratio(row),
        Some(interval) => format!("{} ({interval})", cells::ratio(row)),
    };
    format!(
        "| {} | {} | {baseline} | {candidate} | {change} | {ratio} | {} | {} |\n",
        escape(&row.scenario.label()),
        escape(&scale.symbol),
        escape(&cells::p(row)),
        row.runs_text()
    )
}

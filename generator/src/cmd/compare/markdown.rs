//! A comparison for a pull request's comment: what changed, the rest folded, what is missing.

use super::table::Table;
use super::words;
use crate::cli::Compare;
use crate::escape::comment as escape;
use crate::report::{ComparedRow, scales};
use crate::unit::{Scale, Unit};
use std::collections::HashMap;

/// Lists of more rows are folded.
const LONGEST_LIST: usize = 10;

/// Sections for each table, one below another.
pub(super) fn markdown(tables: &[Table], arguments: &Compare) -> String {
    let tables: Vec<String> = tables.iter().map(|t| table(t, arguments)).collect();
    tables.join("\n")
}

fn table(table: &Table, arguments: &Compare) -> String {
    let sheet = Sheet {
        scales: scales(&table.rows),
        arguments,
    };
    let (missing, compared): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
        table.rows.iter().partition(|r| r.comparison.is_none());
    let (changed, others): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
        compared.into_iter().partition(|r| r.is_change());
    let mut out = format!(
        "### {} ➡️ {}\n\n{}\n",
        escape(&words::party(&table.old, &table.new)),
        escape(&words::party(&table.new, &table.old)),
        words::count(table)
    );
    for doubt in &table.doubts {
        out += &format!("\n**Warning:** {}.\n", escape(doubt));
    }
    if !changed.is_empty() {
        out += "\n#### Significant changes\n\n";
        out += &sheet.rows(&changed);
    }
    if !others.is_empty() && !arguments.only_changed {
        let title = match table.tested() {
            0 => "Untested",
            _ => "No significant change",
        };
        out += &folded(
            &format!("{title}: {}", words::rows(others.len())),
            &sheet.rows(&others),
        );
    }
    if !missing.is_empty() && !arguments.only_changed {
        let list: Vec<String> = missing.iter().map(|row| absent(row)).collect();
        if list.len() > LONGEST_LIST {
            out += &folded(
                &format!("Missing: {}", words::rows(list.len())),
                &list.concat(),
            );
        } else {
            out += &format!("\n#### Missing\n\n{}", list.concat());
        }
    }
    let means: Vec<String> = table
        .means()
        .iter()
        .map(|m| escape(&words::mean(m)).into_owned())
        .collect();
    let method = words::method(table, arguments);
    for line in [means.join("; "), escape(&method).into_owned()] {
        if !line.is_empty() {
            out += &format!("\n<sub>{line}</sub>\n");
        }
    }
    out
}

/// `- memory, 1.2, 100 sessions (not in the candidate)`
fn absent(row: &ComparedRow) -> String {
    let label = row.scenario.label();
    let why = words::remarks(row).join("; ");
    format!("- {} ({})\n", escape(&label), escape(&why))
}

/// The blank lines make GitHub read what is inside as Markdown.
fn folded(title: &str, content: &str) -> String {
    format!("\n<details>\n<summary>{title}</summary>\n\n{content}\n</details>\n")
}

/// What all rows of a table share.
struct Sheet<'a> {
    scales: HashMap<&'a Unit, Scale>,
    arguments: &'a Compare,
}

impl Sheet<'_> {
    fn rows(&self, rows: &[&ComparedRow]) -> String {
        let mut out =
            "| scenario | unit | baseline | candidate | change | ratio, 95% CI | p | n |\n\
                       | :-- | :-- | --: | --: | :-- | :-- | --: | --: |\n"
                .to_owned();
        let mut notes: Vec<String> = Vec::new();
        for row in rows {
            let mut marks = Vec::new();
            let texts = words::remarks(row)
                .into_iter()
                .chain(words::footnote(row, self.arguments));
            for text in texts {
                let known = notes.iter().position(|n| *n == text);
                let index = known.unwrap_or_else(|| {
                    notes.push(text);
                    notes.len() - 1
                });
                marks.push((index + 1).to_string());
            }
            out += &self.row(row, &marks.join(", "));
        }
        for (index, note) in notes.iter().enumerate() {
            out += &format!("\n<sup>{}</sup> {}\n", index + 1, escape(note));
        }
        out
    }

    fn row(&self, row: &ComparedRow, marks: &str) -> String {
        let scale = &self.scales[row.unit];
        let [old, new] = row.estimates;
        let side = |estimate, cell| {
            [
                words::figure(scale, estimate, cell),
                words::spread(estimate, cell),
            ]
            .join(" ")
            .trim_end()
            .to_owned()
        };
        let mut change = escape(&words::change(row)).into_owned();
        if row.is_change() {
            change = format!("**{change}**");
        }
        if !marks.is_empty() {
            change += &format!(" <sup>{marks}</sup>");
        }
        let ratio = match words::interval(row) {
            interval if interval.is_empty() => words::ratio(row),
            interval => format!("{} ({interval})", words::ratio(row)),
        };
        format!(
            "| {} | {} | {} | {} | {change} | {ratio} | {} | {} |\n",
            escape(&row.scenario.label()),
            escape(&scale.symbol),
            side(old, row.old),
            side(new, row.new),
            escape(&words::p(row)),
            row.runs_text()
        )
    }
}

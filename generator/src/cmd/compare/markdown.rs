//! A comparison for a pull request's comment: the verdict, what changed, the rest folded.

use super::table::ComparedSides;
use super::verdict::verdict;
use super::{row, summary};
use crate::cli::Compare;
use crate::escape::comment as escape;
use crate::footnotes::Footnotes;
use crate::report::ComparedRow;

/// GitHub refuses comments of more than 65,536 characters, and a workflow adds its own text.
const MAX_LENGTH: usize = 60_000;

/// Lists of more rows are folded.
const MAX_UNFOLDED: usize = 10;

const HEAD: &str = "| scenario | unit | baseline | candidate | change | ratio, 95% CI | p | n |\n\
    | :-- | :-- | --: | --: | :-- | :-- | --: | --: |\n";

/// Renders all tables, the verdict first. If that is too long for a comment, only the rows that
/// changed; if that is still too long, only the verdict.
pub(super) fn markdown(tables: &[ComparedSides], arguments: &Compare) -> String {
    let verdict = verdict(tables, arguments);
    let written = |whole: bool| -> String {
        let sections = tables.iter().map(|t| section(t, arguments, whole));
        format!("### {verdict}\n{}", sections.collect::<String>())
    };
    let left_out = |what: &str| {
        format!("\n{what} left out, since the comment would be too long for GitHub.\n")
    };
    let whole = written(!arguments.only_changed);
    if whole.len() <= MAX_LENGTH {
        return whole;
    }
    let changed = written(false) + &left_out("Rows without a change are");
    if changed.len() <= MAX_LENGTH && !arguments.only_changed {
        return changed;
    }
    format!("### {verdict}\n{}", left_out("The table is"))
}

fn section(table: &ComparedSides, arguments: &Compare, whole: bool) -> String {
    let all = table.compared.rows.iter();
    let (missing, compared): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
        all.partition(|r| r.comparison.is_none());
    let (changed, others): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
        compared.into_iter().partition(|r| r.is_change());
    let [baseline, candidate] = table.names();
    let mut out = format!("\n**{} ➡️ {}**", escape(&baseline), escape(&candidate));
    for fact in summary::facts(table, arguments) {
        out += &format!(" · {}", escape(&fact));
    }
    out.push('\n');
    for warning in &table.warnings {
        out += &format!("\n**Warning:** {}.\n", escape(warning));
    }
    if !changed.is_empty() {
        out += &format!("\n{}", rows(&changed, table, arguments));
    }
    if !others.is_empty() && whole {
        let title = match table.compared.tested() + table.compared.counted() {
            0 => "Untested",
            _ => "No significant change",
        };
        out += &folded(title, others.len(), &rows(&others, table, arguments));
    }
    if !missing.is_empty() && whole {
        let list: String = missing.iter().map(|row| absent(row)).collect();
        out += &match missing.len() {
            n if n > MAX_UNFOLDED => folded("Missing", n, &list),
            _ => format!("\nMissing:\n\n{list}"),
        };
    }
    let means = summary::means(table).into_iter();
    let means: Vec<String> = means.map(|m| escape(&m).into_owned()).collect();
    let method = summary::method(table, arguments);
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
    let why = row::caveats(row).join("; ");
    format!("- {} ({})\n", escape(&label), escape(&why))
}

/// Because of the blank lines, GitHub reads the content as Markdown.
fn folded(title: &str, n: usize, content: &str) -> String {
    let rows = summary::rows(n);
    format!("\n<details>\n<summary>{title}: {rows}</summary>\n\n{content}\n</details>\n")
}

fn rows(rows: &[&ComparedRow], table: &ComparedSides, arguments: &Compare) -> String {
    let mut out = HEAD.to_owned();
    let mut footnotes = Footnotes::default();
    for row in rows {
        let texts = row::footnotes(row, arguments).into_iter();
        let marks: Vec<String> = texts.map(|t| footnotes.number(t).to_string()).collect();
        out += &line(row, table, &marks.join(", "));
    }
    for (number, text) in footnotes.iter() {
        out += &format!("\n<sup>{number}</sup> {}\n", escape(text));
    }
    out
}

fn line(row: &ComparedRow, table: &ComparedSides, marks: &str) -> String {
    let scale = table.compared.scale(row);
    let [baseline, candidate] = [0, 1].map(|side| {
        let figure = row::figure(row, side, scale);
        format!("{figure} {}", row::spread(row, side))
            .trim_end()
            .to_owned()
    });
    let mut change = escape(&row::change(row)).into_owned();
    if row.is_change() {
        change = format!("**{change}**");
    }
    if !marks.is_empty() {
        change += &format!(" <sup>{marks}</sup>");
    }
    let mut ratio = row::ratio(row);
    if let Some(interval) = row.interval_text() {
        ratio += &format!(" ({interval})");
    }
    format!(
        "| {} | {} | {baseline} | {candidate} | {change} | {ratio} | {} | {} |\n",
        escape(&row.scenario.label()),
        escape(&scale.symbol),
        escape(&row::p(row)),
        row.runs_text()
    )
}

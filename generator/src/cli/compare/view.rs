//! A comparison for people: tables for a terminal, and a pull request's comment with the verdict,
//! what changed, and the rest folded.

use super::row::COLUMNS;
use super::verdict::{self, verdict};
use super::{ComparedSides, Line};
use crate::base::escape::{comment as escape, plain};
use crate::base::footnotes::Footnotes;
use crate::cli::arguments::Compare;
use crate::cli::grid;
use crate::report::{Compared, GridCell};
use clap::builder::styling::Style;

/// Renders one table for a terminal.
pub(super) fn text(table: &ComparedSides<'_>, arguments: &Compare) -> String {
    let bold = Style::new().bold();
    let [baseline, candidate] = table.names().map(|name| plain(&name).into_owned());
    let mut text = format!("{bold}{baseline} ➡️ {candidate}{bold:#}\n");
    let all: Vec<&Line<'_>> = table.lines.iter().collect();
    let (rows, mut lines) = marked(&all, arguments);
    if !rows.is_empty() {
        text += &grid::text(&COLUMNS, rows.into_iter());
    }
    let warnings = table.warnings.iter();
    lines.extend(warnings.map(|warning| format!("warning: {warning}")));
    lines.extend(verdict::means(table));
    lines.push(verdict(std::slice::from_ref(table), arguments) + ".");
    lines.push(verdict::method(table, arguments));
    for line in lines.iter().filter(|line| !line.is_empty()) {
        text += &plain(line);
        text.push('\n');
    }
    text
}

/// Returns rows with the marks of their footnotes, and the footnotes.
fn marked(lines: &[&Line<'_>], arguments: &Compare) -> (Vec<Vec<GridCell>>, Vec<String>) {
    let mut footnotes = Footnotes::default();
    let mut marked = Vec::new();
    for line in lines {
        let marks = footnotes.numbers(line.footnotes(arguments)).into_iter();
        let marks: Vec<String> = marks.map(superscript).collect();
        marked.push(line.shown(marks.join(" ")));
    }
    let footnotes = footnotes.iter();
    let footnotes = footnotes.map(|(number, text)| format!("{} {text}", superscript(number)));
    (marked, footnotes.collect())
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |d: u8| DIGITS[usize::from(d - b'0')];
    number.to_string().bytes().map(digit).collect()
}

/// GitHub refuses comments of more than 65,536 characters, and a workflow adds its own text.
const MAX_LENGTH: usize = 60_000;

/// Lists of more rows are folded.
const MAX_UNFOLDED: usize = 10;

/// Renders all tables, the verdict first. If that is too long for a comment, only the rows that
/// changed; if that is still too long, only the verdict.
pub(super) fn markdown(tables: &[ComparedSides<'_>], arguments: &Compare) -> String {
    let verdict = verdict(tables, arguments);
    let written = |whole: bool| -> String {
        let sections = tables.iter().map(|t| section(t, arguments, whole));
        format!("### {verdict}\n{}", sections.collect::<String>())
    };
    let left_out = |what: &str| {
        format!("\n{what} left out, since the comment would be too long for GitHub.\n")
    };
    let whole = written(true);
    if whole.len() <= MAX_LENGTH {
        return whole;
    }
    let changed = written(false) + &left_out("Rows without a change are");
    if changed.len() <= MAX_LENGTH {
        return changed;
    }
    format!("### {verdict}\n{}", left_out("The table is"))
}

fn section(table: &ComparedSides<'_>, arguments: &Compare, whole: bool) -> String {
    let all = table.lines.iter();
    let (missing, compared): (Vec<&Line<'_>>, Vec<&Line<'_>>) =
        all.partition(|line| line.compared.is_none());
    let is_change = |line: &&Line<'_>| line.compared.is_some_and(|one| one.is_change());
    let (changed, others): (Vec<&Line<'_>>, Vec<&Line<'_>>) =
        compared.into_iter().partition(is_change);
    let [baseline, candidate] = table.names();
    let mut out = format!("\n**{} ➡️ {}**", escape(&baseline), escape(&candidate));
    for fact in verdict::facts(table, arguments) {
        out += &format!(" · {}", escape(&fact));
    }
    out.push('\n');
    for warning in &table.warnings {
        out += &format!("\n**Warning:** {}.\n", escape(warning));
    }
    if !changed.is_empty() {
        out += &format!("\n{}", rows(&changed, arguments));
    }
    if !others.is_empty() && whole {
        let is_tested = |one: &Compared<'_>| one.is_tested() || one.is_counted();
        let title = match table.compared().iter().any(is_tested) {
            false => "Untested",
            true => "No significant change",
        };
        out += &folded(title, others.len(), &rows(&others, arguments));
    }
    if !missing.is_empty() && whole {
        let mut list = String::new();
        for row in &missing {
            let (label, why) = (row.row.scenario.label(), row.caveats().join("; "));
            list += &format!("- {} ({})\n", escape(&label), escape(&why));
        }
        out += &match missing.len() {
            n if n > MAX_UNFOLDED => folded("Missing", n, &list),
            _ => format!("\nMissing:\n\n{list}"),
        };
    }
    let means = verdict::means(table);
    let means: Vec<_> = means.iter().map(|mean| escape(mean)).collect();
    let method = verdict::method(table, arguments);
    for line in [&*means.join("; "), &*escape(&method)] {
        if !line.is_empty() {
            out += &format!("\n<sub>{line}</sub>\n");
        }
    }
    out
}

/// Because of the blank lines, GitHub reads the content as Markdown.
fn folded(title: &str, n: usize, content: &str) -> String {
    let rows = verdict::rows(n);
    format!("\n<details>\n<summary>{title}: {rows}</summary>\n\n{content}\n</details>\n")
}

fn rows(lines: &[&Line<'_>], arguments: &Compare) -> String {
    let (rows, footnotes) = marked(lines, arguments);
    let footnotes = footnotes.iter().map(|note| format!("\n{}\n", escape(note)));
    grid::markdown(&COLUMNS, rows.into_iter()) + &footnotes.collect::<String>()
}

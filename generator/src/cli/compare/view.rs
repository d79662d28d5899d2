//! A comparison for people: tables for a terminal, and a pull request's comment with the verdict,
//! what changed, and the rest folded.

use super::verdict::{self, verdict};
use super::{Line, Table};
use crate::base::escape::{comment as escape, plain};
use crate::base::footnotes::Footnotes;
use crate::base::words::count;
use crate::cli::arguments::Compare;
use crate::cli::grid::{self, Column};
use crate::report::{Compared, GridCell, words};
use crate::stats::{Comparison, MIN_SAMPLE_FOR_TEST, Verdict};
use clap::builder::styling::Style;

const COLUMNS: [Column; 10] = [
    ("scenario", false),
    ("unit", false),
    ("baseline", true),
    ("candidate", true),
    ("ratio", true),
    ("change", false),
    ("95% interval", false),
    ("p", true),
    ("n", true),
    ("", false),
];

/// Renders one table for a terminal.
pub(super) fn text(table: &Table<'_>, arguments: &Compare) -> String {
    let bold = Style::new().bold();
    let [baseline, candidate] = table.names().map(|name| plain(&name).into_owned());
    let mut text = format!("{bold}{baseline} ➡️ {candidate}{bold:#}\n");
    let all: Vec<&Line<'_>> = table.lines.iter().collect();
    let (rows, mut lines) = marked(&all, arguments);
    if !rows.is_empty() {
        text += &grid::text(&COLUMNS, rows.into_iter());
    }
    let warning = table.warning.iter();
    lines.extend(warning.map(|warning| format!("warning: {warning}")));
    lines.extend(verdict::means(table));
    lines.push(verdict(std::slice::from_ref(table), arguments) + ".");
    lines.push(verdict::method(table, arguments));
    for line in lines.iter().filter(|line| !line.is_empty()) {
        text += &plain(line);
        text.push('\n');
    }
    text
}

/// Returns the cells of rows with the marks of their footnotes, and the footnotes.
fn marked(lines: &[&Line<'_>], arguments: &Compare) -> (Vec<Vec<GridCell>>, Vec<String>) {
    let mut footnotes = Footnotes::default();
    let mut rows = Vec::new();
    for line in lines {
        let known = line.compared.as_ref().map(|one| &one.known);
        let mut notes = line.caveats();
        notes.extend(line.compared.and_then(|one| why_not(&one, arguments)));
        let marks = footnotes.numbers(notes).into_iter().map(superscript);
        let marks = marks.collect::<Vec<_>>().join(" ");
        let or_none = |text: Option<String>| GridCell::from(text.unwrap_or_default());
        rows.push(vec![
            line.row.scenario.label().into(),
            line.row.scale.symbol.as_str().into(),
            figure(line, 0).into(),
            figure(line, 1).into(),
            or_none(known.map(|known| ratio(known.change.ratio))),
            GridCell::verdict(known),
            or_none(known.and_then(words::interval)),
            or_none(known.and_then(Comparison::p).map(words::p)),
            words::both_runs(line.runs()).into(),
            marks.into(),
        ]);
    }
    let footnotes = footnotes.iter();
    let footnotes = footnotes.map(|(number, text)| format!("{} {text}", superscript(number)));
    (rows, footnotes.collect())
}

/// `6,503.58 ±0.3%`: a side's figure, and half the interval of the median.
fn figure(line: &Line<'_>, side: usize) -> String {
    let cell = GridCell::figure(line.cells[side]);
    let estimate = line.estimates()[side];
    let text = estimate.map_or(cell.text, |estimate| line.row.scale.show(estimate));
    match cell.detail {
        Some(spread) => format!("{text} {spread}"),
        None => text,
    }
}

/// `1.543`, or `–` where a side is 0.
fn ratio(ratio: f64) -> String {
    match ratio.is_normal() {
        true => format!("{ratio:.3}"),
        false => "–".to_owned(),
    }
}

/// Returns why a comparison shows less than its ratio or p suggest.
fn why_not(one: &Compared<'_>, arguments: &Compare) -> Option<String> {
    let rules = arguments.rules();
    let is_significant = one.known.adjusted_p.is_some_and(|p| p <= rules.alpha);
    match one.verdict() {
        Verdict::Untested => Some(format!(
            "untested, since a test needs {MIN_SAMPLE_FOR_TEST} runs a side"
        )),
        Verdict::NotShown if one.known.is_too_small(rules.alpha) => Some(format!(
            "too few runs: p stays above {} however clear the difference",
            rules.alpha
        )),
        _ if one.is_change() => None,
        _ if is_significant && one.known.change.size() - 1.0 < rules.threshold => Some(format!(
            "significant, but less than {}%",
            arguments.threshold
        )),
        _ => one.is_within_control(&rules),
    }
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |d: u8| DIGITS[usize::from(d - b'0')];
    number.to_string().bytes().map(digit).collect()
}

/// GitHub refuses comments of more than 65,536 characters, and a workflow adds its own text.
const MAX_LENGTH: usize = 60_000;

/// Renders all tables, the verdict first. If that is too long for a comment, only the rows that
/// changed; if that is still too long, only the verdict.
pub(super) fn markdown(tables: &[Table<'_>], arguments: &Compare) -> String {
    let verdict = format!("### {}\n", verdict(tables, arguments));
    for (is_whole, left_out) in [(true, None), (false, Some("Other rows are"))] {
        let sections = tables.iter().map(|t| section(t, arguments, is_whole));
        let written = verdict.clone() + &sections.collect::<String>() + &too_long(left_out);
        if written.len() <= MAX_LENGTH {
            return written;
        }
    }
    verdict + &too_long(Some("The table is"))
}

fn too_long(left_out: Option<&str>) -> String {
    left_out.map_or_else(String::new, |what| {
        format!("\n{what} left out, since the comment would be too long for GitHub.\n")
    })
}

fn section(table: &Table<'_>, arguments: &Compare, is_whole: bool) -> String {
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
    if let Some(warning) = &table.warning {
        out += &format!("\n**Warning:** {}.\n", escape(warning));
    }
    if !changed.is_empty() {
        out += &format!("\n{}", rows(&changed, arguments));
    }
    for (title, lines) in [("Others", others), ("Missing", missing)] {
        if !lines.is_empty() && is_whole {
            // Because of the blank lines, GitHub reads the content as Markdown.
            out += &format!(
                "\n<details>\n<summary>{title}: {}</summary>\n\n{}\n</details>\n",
                count(lines.len(), "row"),
                rows(&lines, arguments)
            );
        }
    }
    let means = verdict::means(table);
    let means: Vec<_> = means.iter().map(|mean| escape(mean)).collect();
    let method = verdict::method(table, arguments);
    for line in [means.join("; ").into(), escape(&method)] {
        if !line.is_empty() {
            out += &format!("\n<sub>{line}</sub>\n");
        }
    }
    out
}

fn rows(lines: &[&Line<'_>], arguments: &Compare) -> String {
    let (rows, footnotes) = marked(lines, arguments);
    let footnotes = footnotes.iter().map(|note| format!("\n{}\n", escape(note)));
    grid::markdown(&COLUMNS, rows.into_iter()) + &footnotes.collect::<String>()
}

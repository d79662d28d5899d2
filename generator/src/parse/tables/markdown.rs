//! Tables in any Markdown file. Those whose first column is a scenario are read like
//! [`wide`](super::wide) tables, and blocks of code like any text; prose and other tables are
//! ignored.

use super::prelude::*;
use super::wide::Table;
use super::{between_bars, check_lines};
use crate::parse::entries::BUILT_IN;
use crate::parse::stream;

/// Whether a file is prose, in which output of tools is only quoted.
pub(in crate::parse) fn is_prose(head: &str) -> bool {
    let mut pairs = head.lines().zip(head.lines().skip(1));
    // liboqs prints such a table too.
    pairs.any(|(above, line)| is_table(above, line) && !above.starts_with("Operation "))
        || head.lines().any(is_fence)
}

/// Whether two lines start a table: a heading, and `|---|--:|`.
fn is_table(heading: &str, rule: &str) -> bool {
    let is_part = |c| matches!(c, '|' | '-' | ':' | ' ' | '\t');
    heading.contains('|') && rule.contains('|') && rule.contains('-') && rule.chars().all(is_part)
}

/// Whether a line starts or ends a block of code. A rule of dozens of tildes does not.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    let mark = line.trim_start_matches(['`', '~']);
    let length = line.len() - mark.len();
    (3..=6).contains(&length) && !mark.contains('`')
}

pub(in crate::parse) fn parse(text: &str, out: &mut Collector) {
    if !check_lines(text, LINE, out) {
        return;
    }
    if text.lines().nth(FIGURES).is_some() {
        return out.problem(exceeded(FIGURES, "lines of Markdown"));
    }
    // Blank lines stand for prose.
    let (mut code, mut tables) = (String::with_capacity(text.len()), Vec::<Table<'_>>::new());
    let (mut is_code, mut is_comment, mut is_open, mut above) = (false, false, false, "");
    for (line, number) in text.lines().zip(1..) {
        is_comment |= line.contains("<!--");
        if is_fence(line) {
            is_code = !is_code;
        } else if is_code || line.starts_with('|') {
            code += line;
        }
        code.push('\n');
        let is_text = !is_code && !is_comment && !line.starts_with("    ");
        is_open &= is_text && line.contains('|');
        if let Some(table) = tables.last_mut().filter(|_| is_open) {
            table.rows.push((between_bars(line), number));
        } else if is_text && is_table(above, line) {
            is_open = true;
            tables.push(Table::new(number - 1, between_bars(above)));
        }
        is_comment &= !line.contains("-->");
        above = if is_text { line } else { "" };
    }
    stream::read(&code, &BUILT_IN[0], out);
    let read: HashSet<u32> = out.parsed.observations.iter().map(|row| row.line).collect();
    for table in tables {
        if !table.rows.iter().any(|(_, line)| read.contains(line)) {
            table.read_results(out);
        }
    }
}

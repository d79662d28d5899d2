//! Tables in any Markdown file. Those whose first column is a scenario are read like
//! [`wide`](super::wide) tables, and blocks of code like any text; prose and other tables are
//! ignored.

use super::records::{RawRow, RawTable};
use super::{Collector, Located, check_lines, cite::cite, lines_at};
use crate::base::limits::{FIGURES, LINE, exceeded};
use crate::parse::stream;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::HashSet;
use std::ops::Range;

fn recognise(head: &str) -> bool {
    let mut pairs = head.lines().zip(head.lines().skip(1));
    // liboqs prints such a table too.
    pairs.any(|(heading, rule)| {
        heading.contains('|') && is_rule(rule) && !heading.starts_with("Operation ")
    })
}

/// Whether a line separates heading and body: `|---|--:|`.
fn is_rule(line: &str) -> bool {
    let is_part = |c| matches!(c, '|' | '-' | ':' | ' ' | '\t');
    line.contains('|') && line.contains('-') && line.chars().all(is_part)
}

/// Whether a file is prose, in which output of tools is only quoted.
pub(in crate::parse) fn is_prose(head: &str) -> bool {
    recognise(head) || head.lines().any(is_fence)
}

/// Whether a line starts or ends a block of code. A rule of dozens of tildes does not.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    let mark = line.trim_start_matches(['`', '~']);
    let length = line.len() - mark.len();
    (3..=6).contains(&length) && !mark.contains('`')
}

/// The text with blank lines for those that are neither code nor of a table.
fn without_prose(text: &str) -> String {
    let mut is_code = false;
    let mut code = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_fence(line) {
            is_code = !is_code;
        } else if is_code || line.starts_with('|') {
            code += line.strip_suffix('\n').unwrap_or(line);
        }
        code.push('\n');
    }
    code
}

pub(in crate::parse) fn parse(text: &str, collector: &mut Collector) {
    if !check_lines(text, LINE, collector) {
        return;
    }
    // The parser holds some 200 bytes for each, whatever it is.
    if text.lines().nth(FIGURES).is_some() {
        return collector.problem(exceeded(FIGURES, "lines of Markdown"));
    }
    stream::read_prose(&without_prose(text), collector);
    let read = collector.parsed.observations.iter().map(|row| row.line);
    let read: HashSet<u32> = read.collect();
    let mut elsewhere: Vec<Range<usize>> = Vec::new();
    for table in tables(text, &mut elsewhere) {
        if !table.rows.iter().any(|row| read.contains(&row.line)) {
            table.read_results(collector);
        }
    }
    let mut offset = 0;
    let mut above = "";
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_start = above.contains('|') && is_rule(line.trim_end());
        let begun = elsewhere.partition_point(|range| range.start <= offset);
        let is_part = begun > 0 && elsewhere[begun - 1].contains(&offset);
        if is_start && !is_part {
            collector.line = index as u32;
            let message = "a table in Markdown needs an empty line above its heading:";
            collector.problem(cite(message, above));
        }
        offset += line.len();
        above = line;
    }
}

/// All tables. `elsewhere` receives the ranges of tables, code and HTML, where lines that look
/// like the start of a table are not.
fn tables(text: &str, elsewhere: &mut Vec<Range<usize>>) -> Vec<RawTable> {
    let mut line_at = lines_at(text);
    let mut tables: Vec<RawTable> = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut cell: Option<String> = None;
    let mut is_closed = false;
    for (event, at) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) => elsewhere.push(at),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => cells.extend(cell.take().map(|c| c.trim().to_owned())),
            Event::Text(t) | Event::Code(t) => cell.iter_mut().for_each(|c| c.push_str(&t)),
            Event::SoftBreak | Event::HardBreak => cell.iter_mut().for_each(|c| c.push(' ')),
            Event::End(TagEnd::TableHead) => {
                is_closed = text[at.clone()].trim_end().ends_with('|');
                tables.push(RawTable {
                    line: line_at(at.start),
                    heading: std::mem::take(&mut cells),
                    rows: Vec::new(),
                });
            }
            Event::End(TagEnd::TableRow) => {
                let line = line_at(at.start);
                let row = text[at].trim_end();
                let (cells, mut width) = (std::mem::take(&mut cells), width(row));
                // A last cell without its bar may be cut.
                if is_closed && !row.ends_with('|') {
                    width -= 1;
                }
                let value = RawRow { cells, width };
                if let Some(table) = tables.last_mut() {
                    table.rows.push(Located { line, value });
                }
            }
            _ => {}
        }
    }
    tables
}

/// The number of cells in the source of a row. The Markdown parser pads short rows and truncates
/// long ones, so a missing `|` would silently shift figures to other columns.
fn width(row: &str) -> usize {
    let row = row.trim().replace(r"\\", "").replace(r"\|", "");
    let row = row.strip_prefix('|').unwrap_or(&row);
    row.strip_suffix('|').unwrap_or(row).split('|').count()
}

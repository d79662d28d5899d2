//! Tables in Markdown, of any file: those whose first column is a scenario are read, as
//! [`wide`](super::wide) tables are; prose, code and other tables are not. The table that
//! ssl-writev-benchmark prints is one of them.

use super::table::{RawRow, RawTable};
use super::{Collector, collector::cite, lines_at};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

pub(super) fn recognise(head: &str) -> bool {
    let mut pairs = head.lines().zip(head.lines().skip(1));
    pairs.any(|(heading, rule)| heading.contains('|') && is_rule(rule))
}

/// The line between heading and body: `|---|--:|`.
fn is_rule(line: &str) -> bool {
    let is_part = |c| matches!(c, '|' | '-' | ':' | ' ' | '\t');
    line.contains('|') && line.contains('-') && line.chars().all(is_part)
}

/// Whether a file is written to be read, so that output of tools in it is a quotation.
pub(super) fn is_prose(head: &str) -> bool {
    let is_fence = |l: &str| l.starts_with("```") || l.starts_with("~~~");
    recognise(head) || head.lines().any(is_fence)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut elsewhere: Vec<Range<usize>> = Vec::new();
    for table in tables(text, &mut elsewhere) {
        table.read_results(collector);
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

/// All tables. `elsewhere` gets the places where a line that looks like the start of a table
/// is part of one already, or of code.
fn tables(text: &str, elsewhere: &mut Vec<Range<usize>>) -> Vec<RawTable> {
    let mut line_at = lines_at(text);
    let mut tables: Vec<RawTable> = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut cell: Option<String> = None;
    for (event, at) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) => elsewhere.push(at),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => cells.extend(cell.take().map(|c| c.trim().to_owned())),
            Event::Text(t) | Event::Code(t) => cell.iter_mut().for_each(|c| c.push_str(&t)),
            Event::SoftBreak | Event::HardBreak => cell.iter_mut().for_each(|c| c.push(' ')),
            Event::End(TagEnd::TableHead) => tables.push(RawTable {
                line: line_at(at.start),
                heading: std::mem::take(&mut cells),
                rows: Vec::new(),
            }),
            Event::End(TagEnd::TableRow) => {
                let row = RawRow {
                    line: line_at(at.start),
                    cells: std::mem::take(&mut cells),
                    width: width(&text[at]),
                };
                if let Some(table) = tables.last_mut() {
                    table.rows.push(row);
                }
            }
            _ => {}
        }
    }
    tables
}

/// Cells of a row as written. The parser fills up short rows and cuts long ones, and a lost
/// `|` would put figures under the wrong heading.
fn width(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut bars = 0;
    let mut ends_in_bar = false;
    let mut escaped = false;
    for c in row.chars() {
        ends_in_bar = c == '|' && !escaped;
        bars += usize::from(ends_in_bar);
        escaped = c == '\\' && !escaped;
    }
    bars + usize::from(!ends_in_bar)
}

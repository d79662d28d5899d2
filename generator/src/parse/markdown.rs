//! Tables in Markdown, of any file: those whose first column is a scenario are read, as
//! [`wide`](super::wide) tables are; prose, code and other tables are not. The table that
//! ssl-writev-benchmark prints is one of them.

use super::table::{Row, Table};
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

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
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
            let message = "a table without an empty line above its heading is none in Markdown:";
            collector.problem(cite(message, above));
        }
        offset += line.len();
        above = line;
    }
}

/// All tables. `elsewhere` gets the places where a line that looks like the start of a table
/// is part of one already, or of code.
fn tables(text: &str, elsewhere: &mut Vec<Range<usize>>) -> Vec<Table> {
    let mut line_at = lines_at(text);
    let mut tables: Vec<Table> = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut cell: Option<String> = None;
    for (event, at) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) => elsewhere.push(at),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => cells.extend(cell.take().map(|c| c.trim().to_owned())),
            Event::Text(t) | Event::Code(t) => cell.iter_mut().for_each(|c| c.push_str(&t)),
            Event::SoftBreak | Event::HardBreak => cell.iter_mut().for_each(|c| c.push(' ')),
            Event::End(TagEnd::TableHead) => tables.push(Table {
                line: line_at(at.start),
                heading: std::mem::take(&mut cells),
                rows: Vec::new(),
            }),
            Event::End(TagEnd::TableRow) => {
                let row = Row {
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

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const FIXTURE: &str = "\
# A report

We measured 3.5 times:

| Option | Meaning |
|--------|---------|
| `-n`   | runs    |

|  | OpenSSL 3.6.1 | Rustls (0.23.37, ring) | Factor |
|--|--:|--:|--:|
| transfer, 1.3, aes-256-gcm, sending | 5,844.35 | **7421.02** | 1.27x |
|  | OpenSSL 3.6.1 | Rustls (0.23.37, ring) | Factor |
| full handshakes, 1.3, rsa, client | 2788.76 | - | |

Cipher suite | N | OpenSSL (KBytes) | Rustls 0.22.0, aws-lc_gcc (KiB) | vs. 2sf
--- | - | -: | -: | -
`TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` (TLS1.2) | 1000 | 13001 | 6101 | -53%
`TLS_AES_256_GCM_SHA384` (TLS 1.3) | 5,000 | 12002 | 6202 | -48%

| Value | min | 50_pct |
| --- | --- | --- |
| SSL_writev() [50] \\* 20 | 1581 | 1768 |

| | old | | new |
|-|-|-|-|
| | OpenSSL 3.3.2 | ➡️ | OpenSSL 3.5.1 |
| full handshakes, 1.3, rsa, client | 2788.76 hs/s | 1.25x slower | 2222.21 hs/s |

| Library | Stars |
|-|-|
| OpenSSL | 25,000 |

The end of 2026.";

    #[test]
    fn figures() {
        assert_eq!(
            read(Format::Markdown, "README.md", FIXTURE),
            [
                "11: OpenSSL 3.6.1: transfer, 1.3, aes-256-gcm, sending = 5844.35 MiB/s",
                "11: rustls 0.23.37, ring: transfer, 1.3, aes-256-gcm, sending = 7421.02 MiB/s",
                "13: OpenSSL 3.6.1: full handshakes, 1.3, rsa, client = 2788.76 handshakes/s",
                "17: OpenSSL: memory, 1.2, aes-128-gcm, 1000 sessions = 13001 KiB",
                "17: rustls 0.22.0, aws-lc, gcc: memory, 1.2, aes-128-gcm, 1000 sessions = 6101 KiB",
                "18: OpenSSL: memory, 1.3, 5000 sessions = 12002 KiB",
                "18: rustls 0.22.0, aws-lc, gcc: memory, 1.3, 5000 sessions = 6202 KiB",
                "22: writes, [50] * 20, vectored, min = 1581 ns",
                "22: writes, [50] * 20, vectored, P50 = 1768 ns",
                "24~ a table of changes is not read: they are computed from the figures of both sides",
                "29~ a table is not read: its first column is headed `Library` and holds no scenario",
            ]
        );
    }

    #[test]
    fn problems() {
        let broken = FIXTURE
            .replace("| 5,844.35 |", "| 58,44.35 |")
            .replace("| 2788.76 | - |", "| 2788.76 - |")
            .replace("(TLS1.2)", "(TLS1.3)")
            .replace("| 1581 |", "| 0 |")
            .replace("6202", "Infinity");
        assert_eq!(
            read(Format::Markdown, "README.md", &broken),
            [
                "11! OpenSSL 3.6.1: commas must stand between groups of three digits, unlike in `58,44.35`",
                "13! 3 cells where the heading has 4: `full handshakes, 1.3, rsa, client | 2788.76 - |  |`",
                "17! the suite belongs to TLS 1.2, not to `TLS1.3`",
                "18! Rustls 0.22.0, aws-lc_gcc (KiB): a figure must be positive and finite, not `Infinity`",
                "22! min: a figure must be positive and finite, not `0`",
            ]
        );
    }

    #[test]
    fn a_table_that_markdown_does_not_see_is_a_problem() {
        let close = FIXTURE.replace("Cipher suite", "Prose.\n\nMore prose.\nCipher suite");
        let message = "a table without an empty line above its heading is none in Markdown";
        let heading =
            "Cipher suite | N | OpenSSL (KBytes) | Rustls 0.22.0, aws-lc_gcc (KiB) | vs. 2sf";
        assert_eq!(
            read(Format::Markdown, "README.md", &close),
            [format!("18! {message}: `{heading}`")]
        );
        let code = FIXTURE.to_owned() + "\n\n```\nx | y\n--|--\n```\n";
        assert_eq!(read(Format::Markdown, "README.md", &code).len(), 11);
    }
}

//! Tables: of this project, and of published figures.

pub(super) mod markdown;
pub mod tidy;
pub(super) mod wide;

use super::prelude::{self, *};
use super::{check_lines, lines_at};
use pulldown_cmark::{Event, Parser};

/// The cells of a row.
pub(super) type Cells<'a> = Vec<Cow<'a, str>>;

/// A row, and the line that it starts on.
type Row<'a> = (Cells<'a>, u32);

/// The heading in the first line that is not blank; none if no column has scenarios.
fn heading(head: &str) -> Cells<'_> {
    let first = head.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default().as_bytes();
    // JSON may be a single line with a million commas.
    let mut characters = first[..LINE.min(first.len())].utf8_chunks();
    let first = characters.next().map_or("", |whole| whole.valid());
    match first.to_lowercase().contains("scenario") {
        true => record(first, separator(first)).0,
        false => Vec::new(),
    }
}

/// The heading and the rows of CSV; none if there is a problem. Notes and problems are those of the heading
/// then.
fn records<'a>(
    text: &'a str,
    out: &mut Collector,
) -> Option<(Cells<'a>, impl Iterator<Item = Row<'a>> + use<'a>)> {
    if !check_lines(text, LINE, out) {
        return None;
    }
    // A quotation that is never closed ends with the file.
    let is_odd = |text: &str| memchr::memchr_iter(b'"', text.as_bytes()).count() % 2 == 1;
    if is_odd(text) {
        let odd = text.lines().zip(1..).find(|(line, _)| is_odd(line));
        out.line = odd.map_or(0, |(_, at)| at);
        out.problem("a quotation mark that is never closed");
        return None;
    }
    let separator = separator(text);
    let count = |byte| memchr::memchr_iter(byte, text.as_bytes()).count();
    // A report's `data.csv` has 27 columns, and commas in labels.
    let rows = count(b'\n');
    if rows > out.most + 1 || count(separator) > 32 * out.most {
        out.problem(exceeded(out.most, "rows of CSV"));
        return None;
    }
    // To grow takes twice the memory of a million.
    out.parsed.observations.reserve(rows);
    let (mut rest, mut line_at) = (text, lines_at(text));
    let mut records = std::iter::from_fn(move || {
        rest = rest.trim_start_matches(['\r', '\n']);
        let line = line_at(text.len() - rest.len());
        let (cells, length) = record(rest, separator);
        let found = (!rest.is_empty()).then_some((cells, line));
        rest = &rest[length..];
        found
    });
    let (heading, line) = records.next()?;
    out.line = line;
    Some((heading, records))
}

/// The separator of cells: a comma, a semicolon or a tab, whichever the first line has most of.
fn separator(text: &str) -> u8 {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let count = |byte: &u8| memchr::memchr_iter(*byte, first.as_bytes()).count();
    b"\t;,".iter().copied().max_by_key(count).unwrap_or(b',')
}

/// Splits the first record off CSV: its cells, and its length. A quoted cell may have separators and
/// ends of lines. To build the tables of the crate `csv` takes longer than to read most files.
pub(in crate::parse) fn record(text: &str, separator: u8) -> (Cells<'_>, usize) {
    // Few tables have more columns.
    let (mut cells, mut at) = (Vec::with_capacity(8), 0);
    loop {
        let mut cell = Cow::Borrowed("");
        if text[at..].starts_with('"') {
            // Two quotation marks stand for one.
            while let Some(quoted) = text[at..].strip_prefix('"') {
                let length = memchr::memchr(b'"', quoted.as_bytes()).unwrap_or(quoted.len());
                at = text.len().min(at + length + 2);
                cell += &quoted[..length];
                if text[at..].starts_with('"') {
                    cell += "\"";
                }
            }
        }
        let rest = &text[at..];
        let length = memchr::memchr2(separator, b'\n', rest.as_bytes()).unwrap_or(rest.len());
        cell += rest[..length].trim_end_matches('\r');
        cells.push(cell);
        at += length + 1;
        if !rest[length..].starts_with(char::from(separator)) {
            return (cells, at.min(text.len()));
        }
    }
}

/// The cells between bars, of Markdown or of a box of a terminal, without emphasis, marks of code and
/// links. A last cell without its bar may be cut.
pub(in crate::parse) fn between_bars(line: &str) -> Cells<'static> {
    let line = line.trim().replace(['│', '┃', '║'], "|");
    let line = line.replace(r"\|", "\0");
    let line = match line.strip_prefix('|') {
        Some(rest) => rest.rsplit_once('|').map_or(rest, |(whole, _)| whole),
        None => line.strip_suffix('|').unwrap_or(&line),
    };
    let cells = line.split('|').map(|cell| cell.replace('\0', "|"));
    cells.map(|cell| Cow::Owned(plain(cell.trim()))).collect()
}

fn plain(cell: &str) -> String {
    if !cell.contains(['*', '_', '`', '[', '\\', '&', '<']) {
        return cell.to_owned();
    }
    let parts = Parser::new(cell).filter_map(|event| match event {
        Event::Text(part) | Event::Code(part) => Some(part),
        _ => None,
    });
    parts.collect::<Vec<_>>().concat()
}

fn check_width(cells: &[Cow<'_, str>], heading: &[Cow<'_, str>]) -> Result<(), String> {
    let (found, wanted) = (cells.len(), heading.len());
    match found == wanted {
        true => Ok(()),
        false => {
            let message = format!("{found} cells, but the heading has {wanted}:");
            Err(cite(&message, &cells.join(" | ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_records() {
        for (text, expected, length) in [
            ("a,b\nc", vec!["a", "b"], 4),
            ("a,\r\n", vec!["a", ""], 4),
            ("\"a,\nb\",c\nd", vec!["a,\nb", "c"], 9),
            ("\"a \"\"b\"\"\",\"\"\n", vec!["a \"b\"", ""], 13),
            ("\"a\"b,c \"d\"", vec!["ab", "c \"d\""], 10),
            ("", vec![""], 0),
            ("\"", vec![""], 1),
        ] {
            assert_eq!(
                record(text, b','),
                (expected.into_iter().map(Cow::from).collect(), length)
            );
        }
    }

    #[test]
    fn a_heading_is_read_up_to_the_limit_of_a_line() {
        for line in ["a", "€"] {
            let text = "scenario".to_owned() + &line.repeat(LINE);
            let cells = heading(&text);
            assert!(matches!(cells.as_slice(), [one] if (LINE - 2..=LINE).contains(&one.len())));
        }
        assert_eq!(heading("\nScenario,€\nc"), ["Scenario", "€"]);
        assert_eq!(heading("€,b\nscenario"), Cells::new());
    }
}

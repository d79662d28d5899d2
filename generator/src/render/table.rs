//! The one writer of HTML tables. No template: a site has thousands of rows.

use crate::escape::html;
use crate::page::{Table, TableCell, TableRow};

/// Tables in their frames; `method` leads to the method page.
pub(super) fn tables<'a>(tables: impl IntoIterator<Item = &'a Table>, method: &str) -> Vec<String> {
    tables.into_iter().map(|t| table(t, method)).collect()
}

/// No line is blank: that would end the HTML block.
pub(super) fn table(table: &Table, method: &str) -> String {
    let mut out = String::with_capacity(1024 + table.rows.len() * 320);
    let caption = html(&table.caption);
    let name = caption.split(". ").next().unwrap_or(&caption);
    push(
        &mut out,
        &[
            "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"",
            name,
            "\">\n<table class=\"",
            table.class,
            "\">\n<caption><span>",
            &caption,
        ],
    );
    if !table.about.is_empty() {
        let link = [" <a class=\"about\" href=\"", method, "#", table.about];
        push(&mut out, &link);
        out.push_str("\">How to read this</a>");
    }
    out.push_str("</span></caption>\n<thead><tr>");
    push(&mut out, &["<th scope=\"col\">", table.corner, "</th>"]);
    for (column, head) in table.head.iter().enumerate() {
        let cell = table.rows.first().and_then(|r| r.cells.get(column));
        // A heading stands where the words below it start.
        let class = match cell {
            Some(cell) if cell.class == "words" => " class=\"words\"",
            _ => "",
        };
        push(
            &mut out,
            &["<th scope=\"col\"", class, ">", &html(&head.text)],
        );
        if !head.detail.is_empty() {
            let detail = html(&head.detail);
            push(&mut out, &[" <span class=\"version\">", &detail, "</span>"]);
        }
        out.push_str("</th>");
    }
    out.push_str("</tr></thead>\n<tbody>");
    for one in &table.rows {
        row(&mut out, one);
    }
    out.push_str("\n</tbody>\n</table>\n</div>");
    for (number, text) in table.footnotes.iter() {
        let number = number.to_string();
        let note = ["\n<p class=\"note\"><sup>", &number, "</sup> ", &html(text)];
        push(&mut out, &note);
        out.push_str("</p>");
    }
    if !table.note.is_empty() {
        push(&mut out, &["\n<p class=\"note\">", table.note, "</p>"]);
    }
    out
}

fn push(out: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| out.push_str(part));
}

fn row(out: &mut String, row: &TableRow) {
    out.push_str("\n<tr");
    if !row.id.is_empty() {
        push(out, &[" id=\"", &row.id, "\""]);
    }
    out.push_str("><th scope=\"row\">");
    let label = html(&row.label);
    match (row.href.as_str(), row.id.as_str()) {
        ("", "") => out.push_str(&label),
        ("", id) => push(out, &["<a href=\"#", id, "\">", &label, "</a>"]),
        (href, _) => push(out, &["<a href=\"", &html(href), "\">", &label, "</a>"]),
    }
    out.push_str("</th>");
    for one in &row.cells {
        cell(out, one);
    }
    out.push_str("</tr>");
}

fn cell(out: &mut String, cell: &TableCell) {
    out.push_str("<td");
    match (cell.class, cell.change) {
        ("", "") => {}
        (class, "") => push(out, &[" class=\"", class, "\""]),
        ("", change) => push(out, &[" class=\"change ", change, "\""]),
        (class, change) => push(out, &[" class=\"", class, " change ", change, "\""]),
    }
    if !cell.title.is_empty() {
        push(out, &[" title=\"", &html(&cell.title), "\""]);
    }
    out.push('>');
    let text = html(&cell.text);
    match (cell.class, cell.spoken, cell.href.as_str()) {
        ("best", "", _) => push(out, &["<strong>", &text, "</strong>"]),
        ("digest", "", _) => push(out, &["<code>", &text, "</code>"]),
        (_, "", "") => out.push_str(&text),
        (_, "", href) => push(out, &["<a href=\"", &html(href), "\">", &text, "</a>"]),
        (_, spoken, _) => {
            let sign = ["<span role=\"img\" aria-label=\"", spoken, "\">", &text];
            push(out, &sign);
            out.push_str("</span>");
        }
    }
    for number in &cell.footnotes {
        push(out, &["<sup>", &number.to_string(), "</sup>"]);
    }
    if !cell.detail.is_empty() {
        push(
            out,
            &[" <span class=\"ci\">", &html(&cell.detail), "</span>"],
        );
    }
    if !cell.spread.is_empty() {
        push(
            out,
            &[
                " <svg class=\"spread\" aria-hidden=\"true\"><path d=\"",
                &cell.spread,
                "\"/></svg>",
            ],
        );
    }
    out.push_str("</td>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Head;

    fn text(text: &str) -> TableCell {
        TableCell {
            text: text.to_owned(),
            ..TableCell::default()
        }
    }

    fn rows_of(rows: Vec<TableRow>) -> String {
        let one = Table {
            rows,
            ..Table::default()
        };
        let written = table(&one, "");
        let (_, rows) = written.split_once("<tbody>").expect("a body");
        let (rows, _) = rows.split_once("\n</tbody>").expect("its end");
        rows.to_owned()
    }

    #[test]
    fn text_of_others_is_text_and_ends_no_block() {
        let words = "a <b> & \"c\" {{ d }} 'e'\n\n\u{202e}";
        let one = Table {
            class: "results",
            about: "figures",
            caption: words.to_owned(),
            corner: "scenario",
            head: vec![Head {
                text: words.to_owned(),
                detail: words.to_owned(),
            }],
            rows: vec![TableRow {
                label: words.to_owned(),
                cells: vec![TableCell {
                    href: words.to_owned(),
                    title: words.to_owned(),
                    detail: words.to_owned(),
                    ..text(words)
                }],
                ..TableRow::default()
            }],
            ..Table::default()
        };
        let written = table(&one, "../method/");
        assert!(written.contains("href=\"../method/#figures\""), "{written}");
        for found in ["<b>", "{{", "\n\n", "'", "\u{202e}"] {
            assert!(!written.contains(found), "{found}: {written}");
        }
        assert_eq!(written.matches("&#123;&#123; d &#125;&#125;").count(), 9);
    }

    #[test]
    fn rows_and_cells() {
        let row = |id: &str, href: &str, cell: TableCell| TableRow {
            id: id.to_owned(),
            label: "x".to_owned(),
            href: href.to_owned(),
            cells: vec![cell],
        };
        let best = TableCell {
            class: "best",
            detail: "± 0.3%".to_owned(),
            spread: "M1 2".to_owned(),
            footnotes: vec![3, 4],
            ..text("5")
        };
        let change = TableCell {
            class: "untested",
            change: "slower",
            ..text("1.62x slower")
        };
        let none = TableCell {
            spoken: "no difference shown",
            ..text("~")
        };
        let rows = rows_of(vec![
            row("a", "", best),
            row("a", "../b/", change),
            row("", "", none),
        ]);
        let expected = "\n<tr id=\"a\"><th scope=\"row\"><a href=\"#a\">x</a></th><td class=\"best\"><strong>5</strong><sup>3</sup><sup>4</sup> <span class=\"ci\">± 0.3%</span> <svg class=\"spread\" aria-hidden=\"true\"><path d=\"M1 2\"/></svg></td></tr>\
            \n<tr id=\"a\"><th scope=\"row\"><a href=\"../b/\">x</a></th><td class=\"untested change slower\">1.62x slower</td></tr>\
            \n<tr><th scope=\"row\">x</th><td><span role=\"img\" aria-label=\"no difference shown\">~</span></td></tr>";
        assert_eq!(rows, expected);
    }

    #[test]
    fn headings_of_words_footnotes_and_name() {
        let mut one = Table {
            caption: "Time in ns, lower is better. Median of 30 runs.".to_owned(),
            head: vec![Head::default()],
            note: "* untested",
            rows: vec![TableRow {
                cells: vec![TableCell {
                    class: "words",
                    ..text("rustls")
                }],
                ..TableRow::default()
            }],
            ..Table::default()
        };
        assert_eq!(one.footnotes.number("<quiet> machine"), 1);
        let written = table(&one, "");
        assert!(written.contains("aria-label=\"Time in ns, lower is better\""));
        assert!(written.contains("<th scope=\"col\" class=\"words\">"));
        assert!(!written.contains("How to read this"));
        let end = "</div>\n<p class=\"note\"><sup>1</sup> &#60;quiet&#62; machine</p>\n<p class=\"note\">* untested</p>";
        assert!(written.ends_with(end), "{written}");
    }
}

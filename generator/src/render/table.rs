//! Tables as HTML without a template: a history has thousands of rows. A test holds this to what
//! the macro of the templates writes.

use crate::escape::html;
use crate::page::{Table, TableCell, TableRow};
use std::fmt::Write as _;

/// The table in its frame; `method` leads to the method page.
pub(super) fn table(table: &Table, method: &str) -> String {
    let mut out = String::with_capacity(1024 + table.rows.len() * 320);
    let caption = html(&table.caption);
    let _ = write!(
        out,
        "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{caption}\">\n<table class=\"{}\">\n<caption><span>{caption} <a class=\"about\" href=\"{method}#{}\">How to read this</a></span></caption>\n<thead><tr><th scope=\"col\">{}</th>",
        table.class, table.about, table.corner
    );
    for (column, head) in table.head.iter().enumerate() {
        let cell = table.rows.first().and_then(|r| r.cells.get(column));
        // A heading stands where the words below it start.
        let class = match cell {
            Some(cell) if cell.class == "words" => " class=\"words\"",
            _ => "",
        };
        let _ = write!(out, "<th scope=\"col\"{class}>{}", html(&head.text));
        if !head.detail.is_empty() {
            let _ = write!(
                out,
                " <span class=\"version\">{}</span>",
                html(&head.detail)
            );
        }
        out.push_str("</th>");
    }
    out.push_str("</tr></thead>\n<tbody>");
    for r in &table.rows {
        row(&mut out, r);
    }
    out.push_str("\n</tbody>\n</table>\n</div>");
    out
}

fn row(out: &mut String, row: &TableRow) {
    let label = html(&row.label);
    let _ = write!(
        out,
        "\n<tr><th scope=\"row\"><a href=\"{}\">{label}</a></th>",
        row.href
    );
    for cell in &row.cells {
        out.push_str("<td");
        let _ = match (cell.class, cell.change) {
            ("", "") => Ok(()),
            (class, "") => write!(out, " class=\"{class}\""),
            ("", change) => write!(out, " class=\"change {change}\""),
            (class, change) => write!(out, " class=\"{class} change {change}\""),
        };
        out.push('>');
        figure(out, cell);
        out.push_str("</td>");
    }
    out.push_str("</tr>");
}

fn figure(out: &mut String, cell: &TableCell) {
    let text = html(&cell.text);
    let _ = match cell.href.as_str() {
        "" => write!(out, "{text}"),
        href => write!(out, "<a href=\"{href}\">{text}</a>"),
    };
    for number in &cell.remarks {
        let _ = write!(out, "<sup>{number}</sup>");
    }
    if !cell.detail.is_empty() {
        let _ = write!(out, " <span class=\"ci\">{}</span>", html(&cell.detail));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Head;
    use crate::render::Renderer;

    #[test]
    fn as_the_macro_writes_it() {
        let words = "a <b> & \"c\" {{ d }} 'e'\n\u{202e}";
        let text = |text: &str| TableCell {
            text: text.to_owned(),
            ..TableCell::default()
        };
        let cells = vec![
            TableCell {
                class: "missing",
                detail: words.to_owned(),
                ..text(words)
            },
            TableCell {
                change: "slower",
                remarks: vec![3, 4],
                ..text("1.62x slower")
            },
            TableCell {
                href: "../../x/".to_owned(),
                ..text(words)
            },
            text("–"),
        ];
        let row = TableRow {
            label: words.to_owned(),
            href: "../../2026-03-07-x86_64/".to_owned(),
            cells,
            ..TableRow::default()
        };
        let one = Table {
            class: "history",
            about: "history",
            caption: words.to_owned(),
            corner: "report",
            head: vec![Head {
                text: words.to_owned(),
                detail: words.to_owned(),
            }],
            rows: vec![row.clone(), row],
            ..Table::default()
        };
        let mut context = tera::Context::new();
        context.insert("tables", &[&one]);
        context.insert("sections", &[(); 0]);
        let renderer = Renderer::new().expect("templates");
        let page = renderer
            .template("notes.md.tera", &context)
            .expect("a page");
        assert!(
            page.contains(&table(&one, "../method/")),
            "{page}\n{}",
            table(&one, "../method/")
        );
    }
}

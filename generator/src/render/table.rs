//! The one writer of HTML tables. No template: a site has thousands of rows.

use crate::escape::{self, html};
use crate::page::{Head, Table, TableCell, TableRow};
use serde::{Serialize, Serializer};

/// More columns than these may scroll at 1280 px.
const MAX_COLUMNS: usize = 8;

/// As templates show it: HTML in its frame.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&framed(self))
    }
}

impl Table {
    /// In bytes of a page.
    pub(super) fn weight(&self) -> usize {
        framed(self).len()
    }
}

fn framed(one: &Table) -> String {
    let html = table(one);
    match one.summary.as_str() {
        "" => html,
        summary => format!(
            "<details>\n<summary>{}</summary>\n{html}\n</details>",
            escape::html(summary)
        ),
    }
}

/// No line is blank: that would end the HTML block.
fn table(table: &Table) -> String {
    let caption = html(&table.caption);
    let name = caption.split(". ").next().unwrap_or(&caption);
    let class = table.class;
    let about = match table.about {
        "" => String::new(),
        about => format!(" <a class=\"about\" href=\"{about}\">How to read this</a>"),
    };
    let columns = table.head.len() + 1;
    let hidden = match columns.checked_sub(MAX_COLUMNS) {
        None | Some(0) => String::new(),
        Some(hidden) => format!(
            " <span class=\"hidden-columns\">Up to {hidden} of {columns} columns may be out of sight.</span>"
        ),
    };
    let head = table.head.iter().enumerate().map(|(column, head)| {
        let cell = table.rows.first().and_then(|r| r.cells.get(column));
        heading(head, cell)
    });
    let mut out = format!(
        "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{name}\">
<table class=\"{class}\">
<caption><span>{caption}{about}{hidden}</span></caption>
<thead><tr><th scope=\"col\">{}</th>{}</tr></thead>
<tbody>",
        table.corner,
        head.collect::<String>()
    );
    out.extend(table.rows.iter().map(row));
    out += "\n</tbody>\n</table>\n</div>";
    for (number, text) in table.footnotes.iter() {
        let text = html(text);
        out += &format!("\n<p class=\"note\"><sup>{number}</sup> {text}</p>");
    }
    out + &unless_empty(&table.note, "\n<p class=\"note\">", "</p>")
}

/// A heading stands where the words below it start.
fn heading(head: &Head, below: Option<&TableCell>) -> String {
    let class = match below {
        Some(cell) if cell.class == "words" => " class=\"words\"",
        _ => "",
    };
    let detail = unless_empty(&head.detail, " <span class=\"version\">", "</span>");
    let text = html(&head.text);
    let text = match head.href.as_str() {
        "" => text,
        href => format!(
            "<a href=\"{}\"{}>{text}</a>",
            html(href),
            unless_empty(&head.spoken, " aria-label=\"", "\"")
        )
        .into(),
    };
    format!("<th scope=\"col\"{class}>{text}{detail}</th>")
}

/// Text in its element or attribute, if there is any.
fn unless_empty(text: &str, before: &str, after: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("{before}{}{after}", html(text))
}

fn row(row: &TableRow) -> String {
    let id = unless_empty(&row.id, " id=\"", "\"");
    let label = html(&row.label);
    let label = match (row.href.as_str(), row.id.as_str()) {
        ("", "") => label,
        ("", id) => format!("<a href=\"#{id}\">{label}</a>").into(),
        (href, _) => format!("<a href=\"{}\">{label}</a>", html(href)).into(),
    };
    let cells: String = row.cells.iter().map(cell).collect();
    format!("\n<tr{id}><th scope=\"row\">{label}</th>{cells}</tr>")
}

fn cell(cell: &TableCell) -> String {
    let class = match (cell.class, cell.change) {
        (class, "") => unless_empty(class, " class=\"", "\""),
        ("", change) => format!(" class=\"change {change}\""),
        (class, change) => format!(" class=\"{class} change {change}\""),
    };
    let title = unless_empty(&cell.title, " title=\"", "\"");
    let text = html(&cell.text);
    let text = match (cell.class, cell.spoken, cell.href.as_str()) {
        ("best", "", _) => format!("<strong>{text}</strong>").into(),
        ("digest", "", _) => format!("<code>{text}</code>").into(),
        (_, "", "") => text,
        (_, "", href) => format!("<a href=\"{}\">{text}</a>", html(href)).into(),
        (_, spoken, _) => {
            format!("<span role=\"img\" aria-label=\"{spoken}\">{text}</span>").into()
        }
    };
    let numbers: Vec<String> = cell.footnotes.iter().map(usize::to_string).collect();
    let footnotes = unless_empty(&numbers.join(", "), "<sup>", "</sup>");
    let detail = unless_empty(&cell.detail, " <i>", "</i>");
    format!("<td{class}{title}>{text}{footnotes}{detail}</td>")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let written = table(&one);
        let (_, rows) = written.split_once("<tbody>").expect("a body");
        let (rows, _) = rows.split_once("\n</tbody>").expect("its end");
        rows.to_owned()
    }

    #[test]
    fn text_of_others_is_text_and_ends_no_block() {
        let words = "a <b> & \"c\" {{ d }} 'e'\n\n\u{202e}";
        let one = Table {
            class: "results",
            about: "../method/#figures",
            caption: words.to_owned(),
            corner: "scenario",
            head: vec![Head {
                text: words.to_owned(),
                detail: words.to_owned(),
                ..Head::default()
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
        let written = table(&one);
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
        let expected = "\n<tr id=\"a\"><th scope=\"row\"><a href=\"#a\">x</a></th><td class=\"best\"><strong>5</strong><sup>3, 4</sup> <i>± 0.3%</i></td></tr>\
            \n<tr id=\"a\"><th scope=\"row\"><a href=\"../b/\">x</a></th><td class=\"untested change slower\">1.62x slower</td></tr>\
            \n<tr><th scope=\"row\">x</th><td><span role=\"img\" aria-label=\"no difference shown\">~</span></td></tr>";
        assert_eq!(rows, expected);
    }

    #[test]
    fn headings_of_words_footnotes_and_name() {
        let mut one = Table {
            caption: "Time in ns, lower is better. Median of 30 runs.".to_owned(),
            head: vec![Head::default()],
            note: "* untested".to_owned(),
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
        let written = table(&one);
        assert!(written.contains("aria-label=\"Time in ns, lower is better\""));
        assert!(written.contains("<th scope=\"col\" class=\"words\">"));
        assert!(!written.contains("How to read this"));
        let end = "</div>\n<p class=\"note\"><sup>1</sup> &#60;quiet&#62; machine</p>\n<p class=\"note\">* untested</p>";
        assert!(written.ends_with(end), "{written}");
    }
}

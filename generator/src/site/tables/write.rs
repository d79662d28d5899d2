//! Writes HTML tables. Not a template, since a site has thousands of rows.

use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::base::escape::html;
use serde::{Serialize, Serializer};

/// Serialises to HTML, as templates insert it.
impl Serialize for HtmlTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&table(self))
    }
}

/// Renders a table without blank lines, which would end the HTML block.
fn table(table: &HtmlTable) -> String {
    let name = html(&table.name);
    let caption = match &*table.caption {
        // A sentence on stars follows there.
        "" if table.class == "results" => ".".to_owned(),
        "" => String::new(),
        more => format!(". {}", html(more)),
    };
    let class = table.class;
    let about = match table.about {
        None => String::new(),
        Some(about) => format!(" <a class=\"about\" href=\"{about}\">How to read this</a>"),
    };
    let mut out = format!(
        "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{name}\">
<table class=\"{class}\">
<caption><span>{name}{caption}{about}</span></caption>
<thead><tr><th scope=\"col\">{}</th>",
        table.corner,
    );
    for (column, head) in table.head.iter().enumerate() {
        let below = table.rows.first().and_then(|r| r.cells.get(column));
        heading(&mut out, head, below);
    }
    out += "</tr></thead>\n<tbody>";
    for one in &table.rows {
        row(&mut out, one);
    }
    out += "\n</tbody>\n</table>\n</div>";
    for (number, text) in table.footnotes.iter() {
        let text = html(text);
        out += &format!("\n<p class=\"note\"><sup>{number}</sup> {text}</p>");
    }
    if_any(&mut out, &table.note, "\n<p class=\"note\">", "</p>");
    out
}

/// Writes a column's heading, aligned like the cells below it.
fn heading(out: &mut String, head: &Head, below: Option<&HtmlCell>) {
    *out += match below {
        Some(cell) if cell.class == Some("words") => "<th scope=\"col\" class=\"words\"",
        _ => "<th scope=\"col\"",
    };
    let of = Some(&head.of).filter(|of| !of.is_empty());
    if_any(out, &of, " data-of=\"", "\"");
    out.push('>');
    *out += &html(&head.text);
    let class = " <span class=\"version\">";
    if_any(out, &head.detail, class, "</span>");
    *out += "</th>";
}

/// Writes text between `before` and `after`, if there is any.
fn if_any(out: &mut String, text: &Option<impl AsRef<str>>, before: &str, after: &str) {
    if let Some(text) = text {
        out.extend([before, &html(text.as_ref()), after]);
    }
}

fn row(out: &mut String, row: &HtmlRow) {
    *out += "\n<tr";
    if_any(out, &row.id, " id=\"", "\"");
    let of = Some(&row.of).filter(|of| !of.is_empty());
    if_any(out, &of, " data-of=\"", "\"");
    *out += "><th scope=\"row\">";
    let label = html(&row.label);
    match (&row.href, &row.id) {
        (None, None) => *out += &label,
        (None, Some(id)) => out.extend(["<a href=\"#", id, "\">", &label, "</a>"]),
        (Some(href), _) => out.extend(["<a href=\"", &html(href), "\">", &label, "</a>"]),
    }
    *out += "</th>";
    for one in &row.cells {
        cell(out, one);
    }
    *out += "</tr>";
}

fn cell(out: &mut String, cell: &HtmlCell) {
    *out += "<td";
    let best = cell.is_best.then_some("best");
    let classes = [best, cell.class, cell.change.map(|_| "change"), cell.change];
    let classes: Vec<&str> = classes.into_iter().flatten().collect();
    if !classes.is_empty() {
        out.extend([" class=\"", &classes.join(" "), "\""]);
    }
    if_any(out, &cell.spoken, " title=\"", "\"");
    out.push('>');
    let text = html(&cell.text);
    if_any(out, &cell.href, "<a href=\"", "\">");
    match (cell.class, cell.spoken.as_deref()) {
        _ if cell.is_best => out.extend(["<strong>", &text, "</strong>"]),
        (Some("digest"), None) => out.extend(["<code>", &text, "</code>"]),
        (_, None) => *out += &text,
        (_, Some(spoken)) => {
            let start = ["<span role=\"img\" aria-label=\"", spoken, "\">"];
            out.extend(start.into_iter().chain([&*text, "</span>"]));
        }
    }
    if cell.href.is_some() {
        *out += "</a>";
    }
    if !cell.footnotes.is_empty() {
        let numbers: Vec<String> = cell.footnotes.iter().map(usize::to_string).collect();
        out.extend(["<sup>", &numbers.join(", "), "</sup>"]);
    }
    if_any(out, &cell.detail, " <i>", "</i>");
    *out += "</td>";
}

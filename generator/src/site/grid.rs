//! Writes tables in HTML. Not a template, since a site has thousands of rows.

use super::links::Links;
use crate::base::escape::html;
use crate::report::{Grid, GridCell, GridRow, Head, Look, words};
use crate::stats::Verdict;

impl Links<'_> {
    /// Writes a table without blank lines, which would end the HTML block.
    pub(super) fn table(&self, grid: &Grid) -> String {
        let name = html(&grid.name);
        let caption = match &*grid.caption {
            // A sentence on stars follows there.
            "" if grid.class == "results" => ".".to_owned(),
            "" => String::new(),
            more => format!(". {}", html(more)),
        };
        let class = grid.class;
        let mut out = format!(
            "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{name}\">
<table class=\"{class}\">
<caption><span>{name}{caption}</span></caption>
<thead><tr><th scope=\"col\">{}</th>",
            grid.corner,
        );
        for head in &grid.head {
            heading(&mut out, head);
        }
        out += "</tr></thead>\n<tbody>";
        let is_short = class.ends_with("ahead");
        for row in &grid.rows {
            self.row(&mut out, row, is_short);
        }
        out += "\n</tbody>\n</table>\n</div>";
        for (number, text) in grid.footnotes.iter() {
            let text = html(text);
            out += &format!("\n<p class=\"note\"><sup>{number}</sup> {text}</p>");
        }
        if_any(&mut out, &grid.note, "\n<p class=\"note\">", "</p>");
        out
    }

    /// Writes several tables.
    pub(super) fn tables<'g>(&self, grids: impl IntoIterator<Item = &'g Grid>) -> Vec<String> {
        grids.into_iter().map(|grid| self.table(grid)).collect()
    }

    fn row(&self, out: &mut String, row: &GridRow, is_short: bool) {
        *out += "\n<tr";
        let own = row.id.as_ref();
        let own = own.filter(|id| self.ids.borrow_mut().insert((*id).clone()));
        if_any(out, &own, " id=\"", "\"");
        let of = Some(&row.of).filter(|of| !of.is_empty());
        if_any(out, &of, " data-of=\"", "\"");
        *out += "><th scope=\"row\">";
        let href = row.link.as_ref().and_then(|link| self.address(link));
        linked(out, href, &html(&row.label));
        *out += "</th>";
        for cell in &row.cells {
            self.cell(out, cell, is_short);
        }
        *out += "</tr>";
    }

    /// Writes a cell. The word of a verdict is in an element of its own where its sign is enough for the eye.
    fn cell(&self, out: &mut String, cell: &GridCell, is_short: bool) {
        *out += "<td";
        let best = cell.is_best.then_some("best");
        let of_look = match cell.look {
            Look::Figure => None,
            Look::Text => Some("words"),
            Look::Missing => Some("missing"),
            Look::Unsteady => Some("unsteady"),
            Look::Unsupported => Some("unsupported"),
            Look::Verdict(_) => Some("change"),
        };
        let (verdict, untested) = match cell.look {
            Look::Verdict(verdict) => (
                Some(words::class(verdict)),
                (verdict == Verdict::Untested).then_some("untested"),
            ),
            _ => (None, None),
        };
        let classes = [best, untested, of_look, verdict];
        let classes: Vec<&str> = classes.into_iter().flatten().collect();
        if !classes.is_empty() {
            out.extend([" class=\"", &classes.join(" "), "\""]);
        }
        if_any(out, &cell.spoken, " title=\"", "\"");
        out.push('>');
        let text = html(&cell.text);
        let text = match cell.spoken.as_deref() {
            _ if cell.is_best => format!("<strong>{text}</strong>"),
            None => text.into_owned(),
            Some(spoken) => format!("<span role=\"img\" aria-label=\"{spoken}\">{text}</span>"),
        };
        // The sign says the direction to the eye.
        let has_sign = matches!(cell.look, Look::Verdict(Verdict::Better | Verdict::Worse));
        let text = match text.split_once(' ') {
            Some((figure, word)) if is_short && has_sign => {
                format!("{figure} <span class=\"word\">{word}</span>")
            }
            _ => text,
        };
        let href = cell.link.as_ref().and_then(|link| self.address(link));
        linked(out, href, &text);
        if !cell.footnotes.is_empty() {
            let numbers: Vec<String> = cell.footnotes.iter().map(usize::to_string).collect();
            out.extend(["<sup>", &numbers.join(", "), "</sup>"]);
        }
        if_any(out, &cell.detail, " <i>", "</i>");
        *out += "</td>";
    }
}

/// Writes a column's heading, aligned like the cells below it.
fn heading(out: &mut String, head: &Head) {
    *out += match head.is_text {
        true => "<th scope=\"col\" class=\"words\"",
        false => "<th scope=\"col\"",
    };
    let of = Some(&head.of).filter(|of| !of.is_empty());
    if_any(out, &of, " data-of=\"", "\"");
    out.push('>');
    *out += &html(&head.text);
    let class = " <span class=\"version\">";
    if_any(out, &head.detail, class, "</span>");
    *out += "</th>";
}

fn linked(out: &mut String, href: Option<String>, text: &str) {
    match href {
        None => *out += text,
        Some(href) => out.extend(["<a href=\"", &html(&href), "\">", text, "</a>"]),
    }
}

/// Writes text between `before` and `after`, if there is any.
fn if_any(out: &mut String, text: &Option<impl AsRef<str>>, before: &str, after: &str) {
    if let Some(text) = text {
        out.extend([before, &html(text.as_ref()), after]);
    }
}

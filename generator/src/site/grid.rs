//! Writes tables in HTML. Not a template, since a site has thousands of rows.

use super::links::Links;
use crate::base::escape::html;
use crate::report::{Grid, GridCell, GridRow, Head, Link, Look, words};
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
        for row in &grid.rows {
            self.row(&mut out, row);
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

    fn row(&self, out: &mut String, row: &GridRow) {
        *out += "\n<tr";
        let of = Some(&row.of).filter(|of| !of.is_empty());
        if_any(out, &of, " data-of=\"", "\"");
        *out += "><th scope=\"row\">";
        self.linked(out, row.link.as_ref(), &html(&row.label));
        *out += "</th>";
        for cell in &row.cells {
            self.cell(out, cell);
        }
        *out += "</tr>";
    }

    /// Writes a cell. The word of a verdict is in an element of its own where its sign is enough for the eye.
    fn cell(&self, out: &mut String, cell: &GridCell) {
        let verdict = match cell.look {
            Look::Verdict(verdict) => Some(verdict),
            _ => None,
        };
        let classes = [
            cell.is_best.then_some("best"),
            (verdict == Some(Verdict::Untested)).then_some("untested"),
            match cell.look {
                Look::Figure => None,
                Look::Text => Some("words"),
                Look::Missing => Some("missing"),
                Look::Unsteady => Some("unsteady"),
                Look::Unsupported => Some("unsupported"),
                Look::Verdict(_) => Some("change"),
            },
            verdict.map(words::class),
        ];
        let classes: Vec<&str> = classes.into_iter().flatten().collect();
        let classes = Some(classes.join(" ")).filter(|classes| !classes.is_empty());
        *out += "<td";
        if_any(out, &classes, " class=\"", "\"");
        if_any(out, &cell.spoken, " title=\"", "\"");
        out.push('>');
        let text = html(&cell.text);
        let has_sign = matches!(verdict, Some(Verdict::Better | Verdict::Worse));
        let text = match (cell.spoken.as_deref(), text.split_once(' ')) {
            _ if cell.is_best => format!("<strong>{text}</strong>"),
            (Some(spoken), _) => {
                format!("<span role=\"img\" aria-label=\"{spoken}\">{text}</span>")
            }
            (None, Some((figure, word))) if has_sign => {
                format!("{figure} <span class=\"word\">{word}</span>")
            }
            _ => text.into_owned(),
        };
        self.linked(out, cell.link.as_ref(), &text);
        let numbers: Vec<String> = cell.footnotes.iter().map(usize::to_string).collect();
        let numbers = Some(numbers.join(", ")).filter(|numbers| !numbers.is_empty());
        if_any(out, &numbers, "<sup>", "</sup>");
        if_any(out, &cell.detail, " <i>", "</i>");
        *out += "</td>";
    }

    fn linked(&self, out: &mut String, link: Option<&Link>, text: &str) {
        match link.and_then(|link| self.address(link)) {
            None => *out += text,
            Some(href) => out.extend(["<a href=\"", &html(&href), "\">", text, "</a>"]),
        }
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

/// Writes text between `before` and `after`, if there is any.
fn if_any(out: &mut String, text: &Option<impl AsRef<str>>, before: &str, after: &str) {
    if let Some(text) = text {
        out.extend([before, &html(text.as_ref()), after]);
    }
}

//! Makes each heading a link to itself, so that readers can share it.

use crate::base::slug::slug;
use std::collections::BTreeSet;

/// Returns the Markdown with its headings of levels 2 to 4 as links to themselves, except those with
/// links or markup of their own.
pub(super) fn linked(text: &str) -> String {
    let mut headings = Vec::new();
    let mut fence = None;
    for line in text.split_inclusive('\n') {
        headings.push(Heading::read(line).filter(|_| fence.is_none()));
        fence = fence_after(fence, line);
    }
    let given = headings.iter().flatten().filter_map(|heading| heading.id);
    let mut taken: BTreeSet<String> = given.map(str::to_owned).collect();
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for (line, heading) in text.split_inclusive('\n').zip(headings) {
        let Some(Heading { marks, title, id }) = heading else {
            out += line;
            continue;
        };
        let id = match id {
            Some(id) => id.to_owned(),
            None => free(&slug(&without_entities(title)), &mut taken),
        };
        // Zola would make the address of a link of Markdown absolute.
        out += &format!("{marks} <a href=\"#{id}\">{title}</a> {{#{id}}}\n");
    }
    out
}

/// Numbers an id if another heading has it, as Zola does.
fn free(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut id = wanted.to_owned();
    let mut number = 0;
    while !taken.insert(id.clone()) {
        number += 1;
        id = format!("{wanted}-{number}");
    }
    id
}

/// A heading without links.
struct Heading<'a> {
    /// `##` to `####`
    marks: &'a str,
    title: &'a str,
    /// The id that it has been given.
    id: Option<&'a str>,
}

impl<'a> Heading<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (marks, title) = line.trim_end().split_once(' ')?;
        if !["##", "###", "####"].contains(&marks) {
            return None;
        }
        let (title, id) = match title.strip_suffix('}').and_then(|t| t.split_once(" {#")) {
            Some((title, id)) => (title.trim(), Some(id)),
            None => (title.trim(), None),
        };
        // It has no link, HTML or attributes, and does not end in `##`.
        let is_plain = !title.contains(['[', '<', '{']) && !title.ends_with('#');
        let has_name = id.is_some() || !slug(&without_entities(title)).is_empty();
        (is_plain && has_name).then_some(Self { marks, title, id })
    }
}

/// Returns the fence, such as "```", of the code that is open after a line.
fn fence_after<'a>(open: Option<&'a str>, line: &'a str) -> Option<&'a str> {
    let line = line.trim_start();
    let sign = if line.starts_with('~') { '~' } else { '`' };
    let rest = line.trim_start_matches(sign);
    let fence = &line[..line.len() - rest.len()];
    match open {
        Some(open) if fence.starts_with(open) && rest.trim().is_empty() => None,
        None if fence.len() >= 3 && !(sign == '`' && rest.contains('`')) => Some(fence),
        open => open,
    }
}

/// Returns text without references such as `&#60;`, all of which are punctuation.
fn without_entities(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push(' ');
        out += part.split_once(';').map_or(part, |(_, rest)| rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::linked;

    #[test]
    fn headings_link_to_themselves() {
        for (text, expected) in [
            ("## A b\n", "## <a href=\"#a-b\">A b</a> {#a-b}\n"),
            (
                "## A\n\n### A\n#### B {#a-1}\n## A\n",
                "## <a href=\"#a\">A</a> {#a}\n\n### <a href=\"#a-2\">A</a> {#a-2}\n#### <a href=\"#a-1\">B</a> {#a-1}\n## <a href=\"#a-3\">A</a> {#a-3}\n",
            ),
            (
                "## x&#60;b&#62; `c`\n",
                "## <a href=\"#x-b-c\">x&#60;b&#62; `c`</a> {#x-b-c}\n",
            ),
        ] {
            assert_eq!(linked(text), expected);
        }
    }

    #[test]
    fn what_may_be_no_heading_stays() {
        for text in [
            "# A\n",
            "##A\n",
            "## [A](b/)\n",
            "## [A](b/) {#c}\n",
            "## A ##\n",
            "## A {.b}\n",
            "## …\n",
            "##\n",
            "```sh\n## A\n``\n```` \n",
            "~~~\n```\n## A\n~~~\n",
        ] {
            assert_eq!(linked(text), text);
        }
        assert_eq!(
            linked("```a```\n## A"),
            "```a```\n## <a href=\"#a\">A</a> {#a}\n"
        );
    }
}

//! The text of a page's body: the one place that writes there.

use super::notes::CheckedLine;

/// Stands for the author's notes in a template. No text of a report can have it: encoders show control
/// characters as their code points.
pub(super) const NOTES: char = '\0';

/// The text of a page's body.
///
/// Zola runs it as a template before it reads it as Markdown, so whatever a table, a graph or a
/// sentence brought along, no brace and no backtick stands in it. Only the anchor at the end of a
/// heading keeps its braces, which Zola does not run, and notes keep what was checked.
#[derive(Clone, Debug, Default)]
pub(super) struct PageText(String);

impl PageText {
    /// Adds what a template rendered.
    pub(super) fn push(&mut self, rendered: &str) {
        for line in rendered.split_inclusive('\n') {
            let (content, anchor) = line.split_at(anchor(line).unwrap_or(line.len()));
            for c in content.chars() {
                match c {
                    '{' => self.0 += "&#123;",
                    '}' => self.0 += "&#125;",
                    '`' => self.0 += "&#96;",
                    c => self.0.push(c),
                }
            }
            self.0 += anchor;
        }
    }

    /// Adds a part of the author's notes.
    pub(super) fn push_notes(&mut self, line: CheckedLine<'_>) {
        self.0 += line.text();
    }

    /// Adds another text.
    pub(super) fn join(&mut self, other: &Self) {
        self.0 += &other.0;
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns where the anchor of a heading starts: ` {#ahead}`.
fn anchor(line: &str) -> Option<usize> {
    let at = line.rfind(" {#").filter(|_| line.starts_with('#'))?;
    let id = line[at + 3..].trim_end().strip_suffix('}')?;
    let is_id = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_id.then_some(at)
}

#[cfg(test)]
mod tests {
    use super::PageText;

    #[test]
    fn nothing_in_a_text_can_run() {
        let mut text = PageText::default();
        text.push("## A {{ b }} {#a-b}\n<p>{% c %}`{#d#}`</p>\n# {#e f}\np {#g}\n");
        assert_eq!(
            text.as_str(),
            "## A &#123;&#123; b &#125;&#125; {#a-b}\n\
             <p>&#123;% c %&#125;&#96;&#123;#d#&#125;&#96;</p>\n\
             # &#123;#e f&#125;\np &#123;#g&#125;\n"
        );
    }
}

//! `notes.md`: the author's Markdown, with generated parts where the author wants them.
//!
//! It is written as HTML here, so that nothing depends on how a site's Zola reads Markdown: notes come in pull
//! requests.

use super::graphs::Graph;
use super::graphs::bars::bars;
use super::pages::figures::tables;
use super::pages::topics::Topic;
use super::renderer::Renderer;
use super::tables::changes::changes;
use crate::base::escape;
use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits::{RESULT, exceeded};
use crate::parse::{self, MAX_PROBLEMS, cite};
use crate::report::{Grid, Report, Row, Table};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use regex::Regex;
use serde_json::json;
use std::path::Path;
use std::sync::LazyLock;

/// A call in the notes, to be replaced by tables or graphs.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    line: u32,
    /// `results`, `graph` or `changes` of the scenarios whose label matches, or `comparison`.
    function: String,
    filter: Regex,
    /// The title of a comparison.
    title: String,
}

impl Renderer<'_> {
    /// Renders the notes, and returns the graphs that they ask for.
    ///
    /// # Errors
    /// A malformed call, raw HTML, or a call that finds nothing, with its line.
    pub(super) fn notes(
        &self,
        report: &Report,
        previous: Option<&Report>,
        comparisons: &[(String, Grid)],
    ) -> Result<(String, Vec<Graph>)> {
        let (mut notes, mut drawn, mut rows) = (String::new(), Vec::new(), 0);
        let source = report.notes.as_deref().unwrap_or_default();
        let path = report.folder.join("notes.md");
        let root = "../".repeat(self.section.split('/').count() + 1);
        let (texts, calls) = read(&path, source, &root)?;
        let checked = report.check_filters(calls.iter().map(|call| &call.filter));
        checked.map_err(|message| Failure::at(&path, 0, message))?;
        let mut calls = calls.iter();
        for text in texts {
            if !text.is_empty() {
                notes += &format!("<div>\n{text}\n</div>\n\n");
            }
            let Some(call) = calls.next() else { continue };
            let fail = |message| Failure::at(&path, call.line, message);
            let (graphs, tables) =
                resolve(report, previous, comparisons, (call, drawn.len())).map_err(fail)?;
            drawn.extend(graphs.iter().cloned());
            rows += tables.iter().map(|table| table.rows.len()).sum::<usize>();
            if rows + 100 * drawn.len() > RESULT {
                let what = "rows in these notes, where a graph counts as 100";
                return Err(fail(exceeded(RESULT, what)));
            }
            let tables = self.links("../").tables(&tables);
            let view = json!({"graphs": graphs, "tables": tables});
            notes += &self.template("notes.md.tera", &view)?;
            notes += "\n\n";
        }
        Ok((notes, drawn))
    }
}

/// Stands for a call among what the author wrote, who cannot write it.
const CALLED: char = '\0';

/// The Markdown extensions that Zola always enables, without attributes of headings.
const MARKDOWN: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// Returns the HTML before, between and after the calls of notes, and the calls. `root` is the way from the page to the
/// root of the site.
pub(crate) fn read(path: &Path, source: &str, root: &str) -> Result<(Vec<String>, Vec<Call>)> {
    let (mut written, mut calls, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for (offset, c) in source.char_indices() {
        if c.is_control() && !['\n', '\r', '\t'].contains(&c) {
            problems.push((offset, format!("a control character U+{:04X}", c as u32)));
        }
    }
    let (mut depth, mut is_code) = (0, false);
    let mut events = Parser::new_ext(source, MARKDOWN).into_offset_iter();
    while let Some((event, range)) = events.next() {
        match &event {
            Event::Start(Tag::Paragraph)
                if depth == 0 && source[range.clone()].trim_start().starts_with("{{") =>
            {
                match Call::read(source[range.clone()].trim(), line_of(source, range.start)) {
                    Ok(call) => calls.push(call),
                    Err(problem) => problems.push((range.start, problem)),
                }
                written.push(Event::Html(CALLED.to_string().into()));
                let is_end = |event: &Event<'_>| *event == Event::End(TagEnd::Paragraph);
                events.by_ref().find(|(event, _)| is_end(event));
                continue;
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        written.push(match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                let problem = cite("raw HTML is not allowed in notes:", html.trim());
                problems.push((range.start, problem));
                continue;
            }
            Event::Text(text) if !is_code && text.contains("{{") => {
                let problem = "put {{ … }} in a paragraph of its own".to_owned();
                problems.push((range.start, problem));
                continue;
            }
            // Where lines count.
            Event::Text(text) if is_code => {
                Event::Html(escape::html(&text).replace('\n', "&#10;").into())
            }
            Event::Start(mut tag) => {
                is_code = matches!(tag, Tag::CodeBlock(_));
                if let Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } = &mut tag {
                    if !is_safe(dest_url) {
                        let wrong = "a link must lead to https://, http://, mailto:, a page (@/…) or a place on this page (#…), not";
                        problems.push((range.start, cite(wrong, dest_url)));
                    }
                    if let Some(page) = dest_url.strip_prefix("@/") {
                        *dest_url = format!("{root}{}", address(page)).into();
                    }
                }
                Event::Start(tag)
            }
            Event::End(end) => {
                is_code = false;
                Event::End(end)
            }
            other => other,
        });
    }
    problems.truncate(MAX_PROBLEMS);
    let problems = problems.into_iter();
    let problems = problems.map(|(at, problem)| Diagnostic::at(path, line_of(source, at), problem));
    failure::if_any(problems.collect())?;
    let mut html = String::new();
    html::push_html(&mut html, written.into_iter());
    // A line starts with an element, so that none is blank, which would end the HTML, nor anything in Markdown.
    let mut text = String::new();
    for line in html.lines() {
        text.push(if line.starts_with('<') { '\n' } else { ' ' });
        text += line;
    }
    let texts = text.split(CALLED).map(|text| text.trim().to_owned());
    Ok((texts.collect(), calls))
}

/// Returns the address of a page's file: `perf/2026-03-07-x86_64/` of `perf/2026-03-07-x86_64/index.md`.
fn address(page: &str) -> String {
    let (file, place) = page.split_at(page.find('#').unwrap_or(page.len()));
    let folder = file.trim_end_matches("index.md").trim_end_matches('_');
    format!("{}{place}", folder.replace(".md", "/"))
}

fn line_of(text: &str, offset: usize) -> u32 {
    text[..offset].matches('\n').count() as u32 + 1
}

/// Whether an address leads to the web or within the site.
fn is_safe(url: &str) -> bool {
    let mut starts = ["https://", "http://", "mailto:", "#", "@/"].iter();
    let is_relative = !url.contains([':', '&']) && !url.starts_with('/') && !url.contains("..");
    !url.is_empty() && (starts.any(|start| url.starts_with(start)) || is_relative)
}

/// Returns the graphs or tables of a call, before which so many graphs are drawn.
fn resolve(
    report: &Report,
    previous: Option<&Report>,
    comparisons: &[(String, Grid)],
    (call, drawn): (&Call, usize),
) -> Result<(Vec<Graph>, Vec<Grid>), String> {
    let wanted = |row: &Row| call.filter.is_match(&row.scenario.label());
    let (mut graphs, mut grids) = (Vec::new(), Vec::new());
    let missing = match &*call.function {
        "comparison" => {
            let titled = comparisons.iter().filter(|(title, _)| *title == call.title);
            grids.extend(titled.map(|(_, table)| table.clone()));
            let title = &call.title;
            format!("no [[comparison]] in report.toml has the title `{title}`")
        }
        "changes" => {
            let changes = changes(report, previous, wanted).into_iter();
            grids.extend(changes.map(|changes| changes.grid));
            "changes() finds no row that the report before has too".to_owned()
        }
        function => {
            for (topic, own) in Table::of(report).with(wanted).by(Topic::of) {
                match function {
                    "graph" => {
                        let file = format!("notes-{}-{}", drawn + graphs.len() + 1, topic.id());
                        graphs.extend(bars(&topic.main_rows(&own), &file, topic.title(false)));
                    }
                    _ => grids.extend(tables(topic, &own)),
                }
            }
            "the filter matches no scenario of this report".to_owned()
        }
    };
    match graphs.is_empty() && grids.is_empty() {
        true => Err(missing),
        false => Ok((graphs, grids)),
    }
}

/// A call, in Tera's syntax. Tera itself does not read notes: they come in pull requests, and a
/// template can run for hours.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    let text = r#"= *(?:"([^"]*)"|'([^']*)') *"#;
    let rows = format!(r"(results|graph|changes)\( *(?:filter *{text})?\)");
    let call = format!(r"{rows}|comparison\( *title *{text}\)");
    Regex::new(&format!(r"^\{{\{{-? *(?:{call}) *-?\}}\}}$")).expect("a constant pattern")
});

impl Call {
    fn read(text: &str, line: u32) -> Result<Self, String> {
        let read = CALL.captures(text).ok_or_else(|| {
            let expected = "expected results(), graph() or changes(), each with filter=\"…\" or without, or comparison(title=\"…\"), got";
            cite(expected, text)
        })?;
        let text = |number| read.get(number).map_or("", |group| group.as_str());
        // Backslashes are doubled, as in a string of TOML or Tera.
        let filter = format!("{}{}", text(2), text(3)).replace("\\\\", "\\");
        let filter = parse::pattern(&filter);
        Ok(Self {
            line,
            function: read
                .get(1)
                .map_or("comparison", |name| name.as_str())
                .to_owned(),
            filter: filter.map_err(|e| format!("filter is not a regular expression: {e}"))?,
            title: format!("{}{}", text(4), text(5)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls() {
        let read = |notes: &str| read(Path::new("n"), notes, "../");
        let (texts, calls) = read("a\n\n {{ changes(filter=\"^transfer\") }}\n\nb").expect("notes");
        assert_eq!(texts, ["<p>a</p>", "<p>b</p>"]);
        assert!(matches!(&calls[..], [Call { line: 3, function, .. }] if function == "changes"));
        let unknown = "expected results(), graph() or changes()";
        let own = "put {{ … }} in a paragraph of its own";
        for (notes, expected) in [
            ("{{ graph(fliter=\"x\") }}", unknown),
            ("{{ graph(filter=\"(\") }}", "filter is not a regular"),
            ("{{ graph(filter=1) }}", "got `{{ graph(filter=1) }}`"),
            ("{{ comparison() }}", unknown),
            ("{{ change(filter='x') }}", unknown),
            ("{{ results() }} x", unknown),
            ("x {{ results() }}", own),
            ("- {{ results() }}", own),
            ("<b>x</b>", "raw HTML is not allowed in notes"),
            ("[a](javascript&amp;colon;b)", "a link must lead to"),
            ("[a](javascript:b)", "a link must lead to"),
            ("[a]()", "a link must lead to"),
        ] {
            let Err(Failure::BadInput(problems)) = read(&format!("\n{notes}")) else {
                panic!("accepted: {notes}")
            };
            assert_eq!(problems[0].line, 2, "{notes}");
            assert!(problems[0].message.contains(expected), "{problems:?}");
        }
    }

    #[test]
    fn notes_stay_text() {
        for (notes, expected) in [
            (
                "[a](@/perf/x/index.md#b) [c](@/a/b.md)",
                "<p><a href=\"../perf/x/#b\">a</a> <a href=\"../a/b/\">c</a></p>",
            ),
            (
                "```\na\n\n# {{ b }}\n```",
                "<pre><code>a&#10;&#10;# &#123;&#123; b &#125;&#125;&#10;</code></pre>",
            ),
            (
                "a\\\n&#32;\\\n#b {#c}\nd",
                "<p>a<br />  <br /> #b {#c} d</p>",
            ),
            (
                "![a\" onerror=b](c.png '<d>')",
                "<p><img src=\"c.png\" alt=\"a&quot; onerror=b\" title=\"&lt;d&gt;\" /></p>",
            ),
        ] {
            let (texts, _) = read(Path::new("n"), notes, "../").expect("notes");
            assert_eq!(texts, [expected], "{notes}");
        }
    }
}

//! `notes.md`: the author's Markdown, with generated parts where the author wants them.
//!
//! It is written as HTML here, so that nothing depends on how a site's Zola reads Markdown: notes come in pull
//! requests.

use super::graphs::Graph;
use super::graphs::bars::bars;
use super::pages::figures::tables;
use super::pages::topics::{Topic, main_rows};
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
pub(crate) enum Call {
    /// `results`, `graph` or `changes` of the scenarios whose label matches.
    Rows(String, Regex),
    /// A comparison, by its title.
    Comparison(String),
}

/// A call with its line.
type Called = (u32, Call);

/// An author's notes, rendered.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) text: String,
    /// Graphs that the notes ask for.
    pub(super) graphs: Vec<Graph>,
    /// The number of rows of all tables.
    rows: usize,
}

impl Renderer<'_> {
    /// Renders the notes, and returns what they show.
    ///
    /// # Errors
    /// A malformed call, raw HTML, or a call that finds nothing, with its line.
    pub(super) fn notes(
        &self,
        report: &Report,
        earlier: &[&Report],
        comparisons: &[(String, Grid)],
    ) -> Result<Notes> {
        let mut notes = Notes::default();
        let Some(source) = &report.notes else {
            return Ok(notes);
        };
        let path = report.folder.join("notes.md");
        let root = "../".repeat(self.section.split('/').count() + 1);
        let (texts, calls) = read(&path, source, &root)?;
        let filters = calls.iter().filter_map(|(_, call)| match call {
            Call::Rows(_, filter) => Some(filter),
            Call::Comparison(_) => None,
        });
        let checked = report.check_filters(filters);
        checked.map_err(|message| Failure::at(&path, 0, message))?;
        let mut calls = calls.iter();
        for text in texts {
            if !text.is_empty() {
                notes.text += &format!("<div>\n{text}\n</div>\n\n");
            }
            if let Some((line, call)) = calls.next() {
                let shown = resolve(report, earlier, comparisons, call);
                let part = shown.and_then(|shown| self.part(shown, &mut notes));
                notes.text += &part.map_err(|m| Failure::at(&path, *line, m))?;
                notes.text += "\n\n";
            }
        }
        Ok(notes)
    }

    /// Renders the graphs and tables of a call, without anchors, which the sections of the page have.
    fn part(
        &self,
        (mut graphs, mut tables): (Vec<Graph>, Vec<Grid>),
        notes: &mut Notes,
    ) -> Result<String, String> {
        for (graph, place) in graphs.iter_mut().zip(notes.graphs.len() + 1..) {
            graph.file = format!("notes-{place}-{}", graph.file);
        }
        notes.graphs.extend(graphs.iter().cloned());
        for table in &mut tables {
            notes.rows += table.rows.len();
            table.rows.iter_mut().for_each(|row| row.id = None);
        }
        if notes.rows + 100 * notes.graphs.len() > RESULT {
            return Err(exceeded(
                RESULT,
                "rows in these notes, where a graph counts as 100",
            ));
        }
        let tables = self.links("../").tables(&tables);
        let text = self.template(
            "notes.md.tera",
            &json!({"graphs": graphs, "tables": tables}),
        );
        text.map_err(|e| e.to_string())
    }
}

/// Stands for a call among what the author wrote, who cannot write it.
const CALLED: char = '\0';

/// The Markdown extensions that Zola always enables, without attributes of headings.
const MARKDOWN: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// Returns the HTML before, between and after the calls of notes, and the calls with their lines. `root` is the
/// way from the page to the root of the site.
pub(crate) fn read(path: &Path, source: &str, root: &str) -> Result<(Vec<String>, Vec<Called>)> {
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
                match Call::read(source[range.clone()].trim()) {
                    Ok(call) => calls.push((line_of(source, range.start), call)),
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
    let (file, place) = page.split_once('#').unwrap_or((page, ""));
    let folder = file
        .strip_suffix("_index.md")
        .or(file.strip_suffix("index.md"));
    let folder = folder.map_or_else(|| file.replace(".md", "/"), str::to_owned);
    match place {
        "" => folder,
        place => format!("{folder}#{place}"),
    }
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

/// Returns the graphs or tables of a call.
fn resolve(
    report: &Report,
    earlier: &[&Report],
    comparisons: &[(String, Grid)],
    call: &Call,
) -> Result<(Vec<Graph>, Vec<Grid>), String> {
    let (function, filter) = match call {
        Call::Rows(function, filter) => (&**function, filter),
        Call::Comparison(title) => {
            let found = comparisons.iter().find(|(t, _)| t == title);
            let missing = || format!("no [[comparison]] in report.toml has the title `{title}`");
            let (_, table) = found.ok_or_else(missing)?;
            return Ok((Vec::new(), vec![table.clone()]));
        }
    };
    let wanted = |row: &Row| filter.is_match(&row.scenario.label());
    let (mut graphs, mut grids) = (Vec::new(), Vec::new());
    if function == "changes" {
        let changes = changes(report, earlier, wanted).into_iter();
        grids.extend(changes.map(|changes| changes.grid));
    } else {
        for (topic, own) in Table::of(report).with(wanted).by(Topic::of) {
            match function {
                "graph" => graphs.extend(bars(&main_rows(&own), topic.id(), topic.title(false))),
                _ => grids.extend(tables(topic, &own)),
            }
        }
    }
    match graphs.is_empty() && grids.is_empty() {
        true if function == "changes" => {
            Err("changes() finds no row that an earlier report of this machine has too".to_owned())
        }
        true => Err("the filter matches no scenario of this report".to_owned()),
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
    fn read(text: &str) -> Result<Self, String> {
        let read = CALL.captures(text).ok_or_else(|| {
            let expected = "expected results(), graph() or changes(), each with filter=\"…\" or without, or comparison(title=\"…\"), got";
            cite(expected, text)
        })?;
        let group = |number| read.get(number).map(|group| group.as_str());
        if let Some(title) = group(4).or(group(5)) {
            return Ok(Self::Comparison(title.to_owned()));
        }
        // Backslashes are doubled, as in a string of TOML or Tera.
        let filter = group(2).or(group(3)).unwrap_or_default();
        let filter = parse::pattern(&filter.replace("\\\\", "\\"));
        let filter = filter.map_err(|e| format!("filter is not a regular expression: {e}"))?;
        Ok(Self::Rows(read[1].to_owned(), filter))
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
        assert!(matches!(&calls[..], [(3, Call::Rows(of, _))] if of == "changes"));
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

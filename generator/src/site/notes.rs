//! `notes.md`: the author's Markdown, with generated parts where the author wants them.

use super::renderer::Renderer;
use super::table_html;
use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits::{CALLS, GRAPHS, ROWS, exceeded};
use crate::parse::{self, MAX_PROBLEMS, cite};
use crate::report::{ReleaseSeries, Report, Row};
use crate::site::{self, Block, Graph, Part, Table};
use pulldown_cmark::{Event, Options, Parser, Tag};
use regex_lite::Regex;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// A call in the notes, to be replaced by tables or graphs.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Results(Regex),
    Graph(Regex),
    Changes(Regex),
    Releases(Regex),
    Comparison(String),
}

/// An author's notes, rendered.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The text for the page.
    pub(super) markdown: String,
    /// Graphs that the notes ask for.
    pub(super) graphs: Vec<Graph>,
    /// Titles of the comparisons that the notes show, and that the page does not repeat.
    pub(super) comparisons: Vec<String>,
}

/// Private-use characters around the number of a call. Notes that have them are refused.
pub(crate) const OPEN: char = '\u{e000}';
pub(crate) const CLOSE: char = '\u{e001}';

impl Renderer<'_> {
    /// Renders the notes, and returns what they show.
    ///
    /// # Errors
    /// A malformed call, raw HTML, or a call that finds nothing, with its line.
    pub(super) fn notes(
        &self,
        report: &Report,
        earlier: &[&Report],
        releases: &[ReleaseSeries<'_>],
        comparisons: &[(String, Table)],
    ) -> Result<Notes> {
        let Some(source) = &report.notes else {
            return Ok(Notes::default());
        };
        let path = report.folder.join("notes.md");
        let (text, calls) = read(&path, source)?;
        let (mut graphs, mut rows) = (Vec::new(), 0);
        let mut out = String::with_capacity(text.len());
        for (index, line) in text.lines().enumerate() {
            let number = index as u32 + 1;
            match placeholder(line) {
                Some(call) => {
                    let blocks = resolve(report, earlier, releases, comparisons, &calls[call]);
                    let block = blocks.and_then(|blocks| {
                        let tables = blocks.iter().flat_map(|block| &block.tables);
                        rows += tables.map(|table| table.rows.len()).sum::<usize>();
                        match rows > ROWS {
                            true => Err(exceeded(ROWS, "rows of tables in these notes")),
                            false => self.block(blocks, &mut graphs),
                        }
                    });
                    out += &block.map_err(|message| Failure::at(&path, number, message))?;
                }
                None if line.contains(OPEN) => {
                    return Err(Failure::at(
                        &path,
                        number,
                        "put {{ … }} on a line of its own, with blank lines around it".to_owned(),
                    ));
                }
                None => out += line,
            }
            out.push('\n');
        }
        let comparisons = calls.into_iter().filter_map(|call| match call {
            Call::Comparison(title) => Some(title),
            _ => None,
        });
        Ok(Notes {
            markdown: framed(out.trim_end()),
            graphs,
            comparisons: comparisons.collect(),
        })
    }

    /// Renders the blocks of a call, without anchors, which the sections of the page have.
    fn block(&self, mut blocks: Vec<Block>, graphs: &mut Vec<Graph>) -> Result<String, String> {
        let shown = blocks.iter().map(|block| block.graphs.len());
        if graphs.len() + shown.sum::<usize>() > GRAPHS {
            return Err(exceeded(GRAPHS, "graphs in these notes"));
        }
        for block in &mut blocks {
            for table in &mut block.tables {
                table.rows.iter_mut().for_each(|row| row.id = None);
                if !self.has_overviews() {
                    table.unlink();
                }
            }
            for graph in &mut block.graphs {
                graph.file = format!("notes-{}-{}", graphs.len() + 1, graph.file);
                graphs.push(graph.clone());
            }
        }
        let view = json!({"blocks": blocks});
        let text = self.template("notes.md.tera", &view);
        text.map_err(|e| e.to_string())
    }
}

/// Puts each table that is not in a list or quotation into a frame that scrolls.
fn framed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut depth) = (0, 0);
    for (event, range) in Parser::new_ext(text, ZOLA).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 && matches!(tag, Tag::Table(_)) {
                    out += &text[copied..range.start];
                    // Between blank lines, the table stays Markdown.
                    let start = table_html::FRAME_OF_UNNAMED;
                    let table = text[range.clone()].trim_end();
                    out += &format!("{start}\n\n{table}\n\n</div>\n\n");
                    copied = range.end;
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    out + &text[copied..]
}

/// Checks notes, and replaces each call by a placeholder.
pub(crate) fn read(path: &Path, source: &str) -> Result<(String, Vec<Call>)> {
    if let Some(index) = source.lines().position(|l| l.contains([OPEN, CLOSE])) {
        let message = "a private-use character, U+E000 or U+E001, is not allowed".to_owned();
        return Err(Failure::at(path, index as u32 + 1, message));
    }
    let (text, calls) = expand(path, source)?;
    check(path, &text)?;
    Ok((text, calls))
}

/// Returns the tables or graphs of a call.
fn resolve(
    report: &Report,
    earlier: &[&Report],
    releases: &[ReleaseSeries<'_>],
    comparisons: &[(String, Table)],
    call: &Call,
) -> Result<Vec<Block>, String> {
    let matches = |filter: &Regex, row: &Row| filter.is_match(&row.scenario.label());
    let of_tables = |tables| Block {
        tables,
        ..Block::default()
    };
    let mut blocks = match call {
        Call::Results(filter) | Call::Graph(filter) => {
            let part = Part::of(report).with(|row| matches(filter, row));
            let sections = site::sections(&part).into_iter();
            sections.map(|section| section.block).collect()
        }
        Call::Changes(filter) => {
            if earlier.is_empty() {
                let what = "changes() has nothing to compare with: there is no earlier report of this machine";
                return Err(what.to_owned());
            }
            let changes = site::changes(report, earlier, |row| matches(filter, row));
            vec![of_tables([changes.tables, changes.crept].concat())]
        }
        Call::Releases(filter) => {
            let found = site::releases(releases, |row| matches(filter, row));
            vec![Block {
                graphs: found.graphs,
                ..of_tables(found.steps.into_iter().collect())
            }]
        }
        Call::Comparison(title) => {
            let found = comparisons.iter().find(|(t, _)| t == title);
            let (_, table) = found.ok_or_else(|| {
                format!("no [[comparison]] in report.toml has the title `{title}`")
            })?;
            vec![of_tables(vec![table.clone()])]
        }
    };
    for block in &mut blocks {
        match call {
            Call::Graph(_) => block.tables.clear(),
            Call::Releases(_) => {}
            _ => block.graphs.clear(),
        }
    }
    let is_empty = |b: &Block| b.tables.is_empty() && b.graphs.is_empty();
    if blocks.iter().all(is_empty) {
        return Err("the filter matches no scenario of this report".to_owned());
    }
    Ok(blocks)
}

/// A call, in Tera's syntax. Tera itself does not read notes: they come in pull requests, and a
/// template can run for hours.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    let argument = r#"(\w+) *= *(?:"([^"\n]*)"|'([^'\n]*)') *"#;
    let pattern = format!(r"^\{{\{{-? *(\w+)\( *(?:{argument})?\) *-?\}}\}}");
    Regex::new(&pattern).expect("a constant pattern")
});

/// Replaces each call by a placeholder.
fn expand(path: &Path, source: &str) -> Result<(String, Vec<Call>), Diagnostic> {
    let (mut text, mut calls) = (String::with_capacity(source.len()), Vec::new());
    let (mut rest, mut line) = (source, 1);
    while let Some(at) = rest.find("{{") {
        let (before, from) = rest.split_at(at);
        line += before.matches('\n').count() as u32;
        let call = CALL.captures(from).ok_or_else(|| {
            let start = from.lines().next().unwrap_or_default();
            let message = "expected a call such as {{ results(filter=\"transfer\") }}, got";
            Diagnostic::at(path, line, cite(message, start))
        })?;
        if calls.len() == CALLS {
            return Err(Diagnostic::at(
                path,
                line,
                exceeded(CALLS, "calls in these notes"),
            ));
        }
        let (name, key) = (&call[1], call.get(2).map(|key| key.as_str()));
        let value = call.get(3).or(call.get(4)).map(|value| value.as_str());
        let read = Call::new(name, key.zip(value));
        calls.push(
            read.map_err(|message| Diagnostic::at(path, line, format!("{name}(): {message}")))?,
        );
        text += before;
        text += &format!("{OPEN}{}{CLOSE}", calls.len() - 1);
        rest = &from[call[0].len()..];
    }
    Ok((text + rest, calls))
}

impl Call {
    fn new(name: &str, argument: Option<(&str, &str)>) -> Result<Self, String> {
        let of = match name {
            "results" => Self::Results,
            "graph" => Self::Graph,
            "changes" => Self::Changes,
            "releases" => Self::Releases,
            "comparison" => {
                return match argument {
                    Some(("title", title)) => Ok(Self::Comparison(title.to_owned())),
                    _ => Err("takes title=\"…\"".to_owned()),
                };
            }
            _ => {
                let all = "results, graph, changes, releases and comparison";
                return Err(format!("no such function; there are {all}"));
            }
        };
        let pattern = match argument {
            None => String::new(),
            // Backslashes are doubled, as in a string of TOML or Tera.
            Some(("filter", pattern)) => pattern.replace("\\\\", "\\"),
            Some((other, _)) => return Err(format!("takes filter=\"…\", not {other}")),
        };
        let filter = parse::pattern(&pattern);
        filter
            .map(of)
            .map_err(|e| format!("filter is not a regular expression: {e}"))
    }
}

fn placeholder(line: &str) -> Option<usize> {
    let number = line.trim().strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let Ok(number) = number.parse() else {
        return None;
    };
    Some(number)
}

/// The Markdown extensions that Zola always enables.
pub(crate) const ZOLA: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES);

/// Sets of extensions that a site may enable, now or later. An extension may find links where others
/// see text, or hide HTML, as the one for mathematics does with `$<b>$`.
const READINGS: [Options; 4] = [
    ZOLA,
    ZOLA.union(Options::ENABLE_DEFINITION_LIST),
    ZOLA.union(Options::ENABLE_GFM),
    Options::all(),
];

/// Fails if Zola would pass something through or stumble over it, since notes come in pull requests.
fn check(path: &Path, text: &str) -> Result<()> {
    let readings = READINGS.into_iter();
    let events = readings.flat_map(|o| Parser::new_ext(text, o).into_offset_iter());
    let passed = events.filter_map(|(event, range)| {
        let problem = match event {
            Event::Html(html) | Event::InlineHtml(html) => Some(cite(
                "raw HTML is not allowed in notes:",
                html.trim(),
            )),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if !is_safe(&dest_url) =>
            {
                Some(cite(
                    "a link must lead to https://, http://, mailto:, a page (@/…) or a place on this page (#…), not",
                    &dest_url,
                ))
            }
            _ => None,
        };
        Some((range.start, problem?))
    });
    let marks = ["{{", "{%", "{#"].into_iter();
    let calls = marks.flat_map(|mark| text.match_indices(mark));
    let calls = calls.map(|(offset, found)| (offset, format!("`{found}` would be read by Zola")));
    let line_of = |offset: usize| text[..offset].matches('\n').count() as u32 + 1;
    let problems = passed.chain(calls).take(MAX_PROBLEMS);
    let problems: BTreeSet<Diagnostic> = problems
        .map(|(offset, problem)| Diagnostic::at(path, line_of(offset), problem))
        .collect();
    failure::if_any(problems.into_iter().collect())
}

fn is_safe(url: &str) -> bool {
    ["https://", "http://", "mailto:", "#", "@/"]
        .iter()
        .any(|start| url.starts_with(start))
        || !(url.contains(':') || url.starts_with('/') || url.contains(".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_notes_are_refused() {
        for (text, line) in [
            ("fine\n\n<script>alert(1)</script>\n", 3),
            ("a <b>bold</b> word\n", 1),
            ("[x](javascript:alert(1))\n", 1),
            ("fine\n`{{ a() }}`\n", 2),
            ("fine\n\n$<img src=x onerror=alert(1)>$\n", 3),
        ] {
            let Err(Failure::BadInput(problems)) = check(Path::new("notes.md"), text) else {
                panic!("accepted: {text}")
            };
            assert_eq!(problems[0].line, line, "{text}");
        }
        assert!(
            check(
                Path::new("notes.md"),
                "# A\n\n[x](https://example.org) and `code`, | a |\n"
            )
            .is_ok()
        );
    }

    #[test]
    fn tables_have_frames() {
        let rows = "| a | b |\n| --- | --- |\n| c | d |";
        let frame = format!("{}\n\n{rows}\n\n</div>\n\n", table_html::FRAME_OF_UNNAMED);
        assert_eq!(
            framed(&format!("x\n\n{rows}\n\ny")),
            format!("x\n\n{frame}\ny")
        );
        assert_eq!(framed(rows), frame);
        for without in ["a | b", "```\n| a |\n| --- |\n```", "- | a |\n  | --- |\n"] {
            assert_eq!(framed(without), without);
        }
    }

    #[test]
    fn calls() {
        let (text, calls) =
            expand(Path::new("n"), "a\n\n{{ changes(filter=\"^transfer\") }}\n").expect("notes");
        assert_eq!(calls.len(), 1);
        assert_eq!(
            text.lines().filter_map(placeholder).collect::<Vec<_>>(),
            [0]
        );
        for (notes, expected) in [
            (
                "\n{{ graph(fliter=\"x\") }}",
                "takes filter=\"…\", not fliter",
            ),
            (
                "\n{{ graph(filter=\"(\") }}",
                "filter is not a regular expression",
            ),
            ("\n{{ graph(filter=1) }}", "got `{{ graph(filter=1) }}`"),
            ("\n{{ comparison() }}", "comparison(): takes title="),
            ("\n{{ change(filter='x') }}", "change(): no such function"),
            ("\nx {{", "expected a call such as"),
        ] {
            let problem = expand(Path::new("n"), notes).expect_err(notes);
            assert_eq!(problem.line, 2, "{notes}: {problem:?}");
            assert!(problem.message.contains(expected), "{notes}: {problem:?}");
        }
    }
}

//! `notes.md`: the author's Markdown, with generated parts where the author wants them.

use super::site::Renderer;
use crate::failure::{self, Diagnostic, Failure, Result};
use crate::page::{self, Graph, Part, Section, Table};
use crate::parse::Problem;
use crate::report::{ReleaseSeries, Report, Row};
use pulldown_cmark::{Event, Options, Parser, Tag};
use regex_lite::Regex;
use serde_json::json;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tera::{Context, ErrorKind, Kwargs, State, Tera};

/// A call in the notes, to be replaced by what it asks for.
#[derive(Clone, Debug)]
enum Call {
    Results(Regex),
    Graph(Regex),
    Changes(Regex),
    Releases(Regex),
    Comparison(String),
}

/// An author's notes, rendered.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// For the page.
    pub(super) markdown: String,
    /// Graphs that the notes ask for.
    pub(super) graphs: Vec<Graph>,
    /// Titles of the comparisons that the notes show, which need no second place.
    pub(super) comparisons: Vec<String>,
}

/// Private-use characters around the number of a call; no author writes them.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

impl Renderer<'_> {
    /// The notes as Markdown for the page, and what they show.
    ///
    /// # Errors
    /// Wrong Tera, raw HTML, or a call that finds nothing, at its line.
    pub(super) fn notes(
        &self,
        report: &Report,
        previous: Option<&Report>,
        releases: &[ReleaseSeries<'_>],
        comparisons: &[(String, Table)],
    ) -> Result<Notes> {
        let Some(source) = &report.notes else {
            return Ok(Notes::default());
        };
        let path = report.folder.join("notes.md");
        if let Some(index) = source.lines().position(|l| l.contains([OPEN, CLOSE])) {
            let message = "a character for private use, U+E000 or U+E001".to_owned();
            return Err(Failure::at(&path, index as u32 + 1, message));
        }
        let (text, calls) = expand(source).map_err(|p| Failure::at(&path, p.line, p.message))?;
        check(&path, &text)?;
        let mut graphs = Vec::new();
        let mut out = String::with_capacity(text.len());
        for (index, line) in text.lines().enumerate() {
            let number = index as u32 + 1;
            match placeholder(line) {
                Some(call) => {
                    let sections = asked_for(report, previous, releases, comparisons, &calls[call]);
                    let block = sections.and_then(|s| self.block(s, &mut graphs));
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
            markdown: out.trim_end().to_owned(),
            graphs,
            comparisons: comparisons.collect(),
        })
    }

    /// What a call asked for, as Markdown. Anchors stay with the sections of the page.
    fn block(&self, mut sections: Vec<Section>, graphs: &mut Vec<Graph>) -> Result<String, String> {
        for section in &mut sections {
            for row in section.tables.iter_mut().flat_map(|t| &mut t.rows) {
                row.id.clear();
            }
            for graph in &mut section.graphs {
                graph.file = format!("notes-{}-{}", graphs.len() + 1, graph.file);
                graphs.push(graph.clone());
            }
        }
        let view = json!({"sections": sections});
        let text = self.template("notes.md.tera", &view);
        text.map_err(|e| e.to_string())
    }
}

/// The tables or graphs of a call.
fn asked_for(
    report: &Report,
    previous: Option<&Report>,
    releases: &[ReleaseSeries<'_>],
    comparisons: &[(String, Table)],
    call: &Call,
) -> Result<Vec<Section>, String> {
    let matches = |filter: &Regex, row: &Row| filter.is_match(&row.scenario.label());
    let of_tables = |tables| Section {
        tables,
        ..Section::default()
    };
    let mut sections = match call {
        Call::Results(filter) | Call::Graph(filter) => {
            page::sections(&Part::of(report).with(|row| matches(filter, row)))
        }
        Call::Changes(filter) => {
            let previous = previous.ok_or(
                "changes() has nothing to compare with: there is no earlier report of this machine",
            )?;
            let changes = page::changes(report, previous, |row| matches(filter, row));
            vec![of_tables(changes.tables)]
        }
        Call::Releases(filter) => {
            let found = page::releases(releases, |row| matches(filter, row));
            let tables = found.series.into_iter().flat_map(|one| one.tables);
            vec![Section {
                graphs: found.graphs,
                ..of_tables(tables.collect())
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
    for section in &mut sections {
        match call {
            Call::Graph(_) => section.tables.clear(),
            Call::Releases(_) => {}
            _ => section.graphs.clear(),
        }
    }
    if sections
        .iter()
        .all(|s| s.tables.is_empty() && s.graphs.is_empty())
    {
        return Err("the filter matches no scenario of this report".to_owned());
    }
    Ok(sections)
}

/// Renders the author's Tera, with a placeholder for each call.
fn expand(source: &str) -> Result<(String, Vec<Call>), Problem> {
    let calls: Arc<Mutex<Vec<Call>>> = Arc::default();
    let mut tera = Tera::default();
    let mut register = |name: &'static str, make: fn(&Kwargs) -> tera::TeraResult<Call>| {
        let calls = Arc::clone(&calls);
        tera.register_function(name, move |arguments: Kwargs, _: &State<'_>| {
            let call = make(&arguments)
                .map_err(|error| tera::Error::message(format!("{name}(): {error}")))?;
            let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
            calls.push(call);
            Ok::<_, tera::Error>(format!("{OPEN}{}{CLOSE}", calls.len() - 1))
        });
    };
    register("results", |a| filter(a).map(Call::Results));
    register("graph", |a| filter(a).map(Call::Graph));
    register("changes", |a| filter(a).map(Call::Changes));
    register("releases", |a| filter(a).map(Call::Releases));
    register("comparison", |a| a.must_get("title").map(Call::Comparison));
    let text = tera
        .add_raw_template("notes.md", source)
        .and_then(|()| tera.render("notes.md", &Context::new()));
    let text = text.map_err(|error| match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => Problem {
            line: report.span().start_line as u32,
            message: report.message().to_owned(),
        },
        // Of a name that it does not know Tera gives no span; the first two lines of its text
        // say what and where, the others draw an arrow.
        _ => Problem {
            line: 0,
            message: error.to_string().lines().take(2).collect(),
        },
    })?;
    let calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((text, calls.clone()))
}

fn filter(arguments: &Kwargs) -> tera::TeraResult<Regex> {
    if let Some((unknown, _)) = arguments.iter().find(|(k, _)| k.as_str() != Some("filter")) {
        let message = format!("takes filter=\"…\", not {unknown}");
        return Err(tera::Error::message(message));
    }
    let pattern = arguments.get("filter")?.unwrap_or("");
    Regex::new(pattern)
        .map_err(|e| tera::Error::message(format!("filter is no regular expression: {e}")))
}

fn placeholder(line: &str) -> Option<usize> {
    let number = line.trim().strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let Ok(number) = number.parse() else {
        return None;
    };
    Some(number)
}

/// Notes come in pull requests: what Zola would pass through or stumble over is refused.
fn check(path: &Path, text: &str) -> Result<()> {
    let mut problems = Vec::new();
    let line_of = |offset: usize| text[..offset].matches('\n').count() as u32 + 1;
    for (event, range) in Parser::new_ext(text, Options::all()).into_offset_iter() {
        let problem = match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                Some(format!("raw HTML is not taken in notes: `{}`", html.trim()))
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if !is_safe(&dest_url) =>
            {
                Some(format!(
                    "a link must lead to https://, http://, mailto:, a page (@/…) or a place on this page (#…), not `{dest_url}`"
                ))
            }
            _ => None,
        };
        problems.extend(problem.map(|p| Diagnostic::at(path, line_of(range.start), p)));
    }
    for (offset, found) in ["{{", "{%", "{#"]
        .iter()
        .flat_map(|s| text.match_indices(s))
    {
        let message = format!("`{found}` would be read by Zola");
        problems.push(Diagnostic::at(path, line_of(offset), message));
    }
    failure::if_any(problems)
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
    fn what_notes_may_not_hold() {
        for (text, line) in [
            ("fine\n\n<script>alert(1)</script>\n", 3),
            ("a <b>bold</b> word\n", 1),
            ("[x](javascript:alert(1))\n", 1),
            ("fine\n`{{ a() }}`\n", 2),
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
    fn calls() {
        let (text, calls) = expand("a\n\n{{ changes(filter=\"^transfer\") }}\n").expect("notes");
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
                "filter is no regular expression",
            ),
            ("\n{{ graph(filter=1) }}", "expected `&str`"),
            ("\n{{ comparison() }}", "Missing keyword argument `title`"),
            ("\n{% if %}", "Found"),
        ] {
            let problem = expand(notes).expect_err(notes);
            assert_eq!(problem.line, 2, "{notes}: {problem:?}");
            assert!(problem.message.contains(expected), "{notes}: {problem:?}");
        }
        let unknown = expand("\n{{ change(filter=\"x\") }}").expect_err("unknown");
        assert!(
            unknown
                .message
                .contains("Unknown function `change` --> notes.md:2:4")
        );
    }
}

//! `notes.md`: the author's Markdown, with generated parts where the author wants them.

use super::site::{METHOD, Renderer, SectionView};
use crate::failure::{self, Diagnostic, Failure, Result};
use crate::page::{self, Graph, Part, Section, Table};
use crate::report::Report;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tera::{Context, Tera, Value};

/// A call in the notes, to be replaced by what it asks for.
#[derive(Clone, Debug)]
enum Call {
    Results(regex::Regex),
    Graph(regex::Regex),
    Changes(regex::Regex),
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

impl Renderer {
    /// The notes as Markdown for the page, and what they show.
    ///
    /// # Errors
    /// Wrong Tera, raw HTML, or a call that finds nothing, at its line.
    pub(super) fn notes(
        &self,
        report: &Report,
        previous: Option<&Report>,
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
        let (text, calls) = expand(source).map_err(|message| Failure::at(&path, 0, message))?;
        check(&path, &text)?;
        let mut graphs = Vec::new();
        let mut out = String::with_capacity(text.len());
        for (index, line) in text.lines().enumerate() {
            let number = index as u32 + 1;
            match placeholder(line) {
                Some(call) => {
                    let block =
                        self.block(report, previous, comparisons, &calls[call], &mut graphs);
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

    fn block(
        &self,
        report: &Report,
        previous: Option<&Report>,
        comparisons: &[(String, Table)],
        call: &Call,
        graphs: &mut Vec<Graph>,
    ) -> Result<String, String> {
        let part = |filter: &regex::Regex| {
            Part::of(report).with(|row| filter.is_match(&row.scenario.label()))
        };
        let mut sections: Vec<Section> = Vec::new();
        let mut tables: Vec<Table> = Vec::new();
        match call {
            Call::Results(filter) => {
                sections = page::sections(&part(filter));
                sections.iter_mut().for_each(|s| s.graphs.clear());
            }
            Call::Graph(filter) => {
                sections = page::sections(&part(filter));
                for section in &mut sections {
                    section.tables.clear();
                    for graph in &mut section.graphs {
                        graph.file = format!("notes-{}-{}", graphs.len() + 1, graph.file);
                        graphs.push(graph.clone());
                    }
                }
            }
            Call::Changes(filter) => {
                let previous = previous.ok_or("changes() has nothing to compare with: there is no earlier report of this machine")?;
                (tables, _) = page::changes(report, previous, |row| {
                    filter.is_match(&row.scenario.label())
                });
            }
            Call::Comparison(title) => {
                let found = comparisons.iter().find(|(t, _)| t == title);
                let (_, table) = found.ok_or_else(|| {
                    format!("no [[comparison]] in report.toml has the title `{title}`")
                })?;
                tables.push(table.clone());
            }
        }
        sections
            .iter_mut()
            .flat_map(|s| &mut s.tables)
            .chain(&mut tables)
            .flat_map(|t| &mut t.rows)
            .for_each(|row| row.id.clear());
        if sections
            .iter()
            .all(|s| s.tables.is_empty() && s.graphs.is_empty())
            && tables.is_empty()
        {
            return Err("the filter matches no scenario of this report".to_owned());
        }
        let view = json!({
            "sections": SectionView::of(&sections),
            "tables": super::table::tables(&tables, METHOD),
        });
        self.template("notes.md.tera", &view)
            .map_err(|e| e.to_string())
    }
}

/// Renders the author's Tera, with a placeholder for each call.
fn expand(source: &str) -> Result<(String, Vec<Call>), String> {
    let calls: Arc<Mutex<Vec<Call>>> = Arc::default();
    let mut tera = Tera::default();
    let mut register =
        |name: &'static str, make: fn(&HashMap<String, Value>) -> Result<Call, String>| {
            let calls = Arc::clone(&calls);
            tera.register_function(name, move |arguments: &HashMap<String, Value>| {
                let call = make(arguments)
                    .map_err(|message| tera::Error::msg(format!("{name}(): {message}")))?;
                let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
                calls.push(call);
                Ok(Value::String(format!("{OPEN}{}{CLOSE}", calls.len() - 1)))
            });
        };
    register("results", |a| filter(a).map(Call::Results));
    register("graph", |a| filter(a).map(Call::Graph));
    register("changes", |a| filter(a).map(Call::Changes));
    register("comparison", |a| {
        match a.get("title").and_then(Value::as_str) {
            Some(title) => Ok(Call::Comparison(title.to_owned())),
            None => Err("needs title=\"…\"".to_owned()),
        }
    });
    // Pages are made of data alone, and an environment holds secrets.
    tera.register_function("get_env", |_: &HashMap<String, Value>| {
        Err(tera::Error::msg("get_env() is not there in notes"))
    });
    let text = tera.render_str(source, &Context::new()).map_err(|error| {
        let mut message = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(inner) = cause {
            message = inner.to_string();
            cause = inner.source();
        }
        message
            .replace("__tera_one_off", "notes.md")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    })?;
    let calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((text, calls.clone()))
}

fn filter(arguments: &HashMap<String, Value>) -> Result<regex::Regex, String> {
    if let Some(unknown) = arguments.keys().find(|k| *k != "filter") {
        return Err(format!("takes filter=\"…\", not {unknown}"));
    }
    let pattern = arguments
        .get("filter")
        .map_or(Some(""), Value::as_str)
        .ok_or("filter must be a text")?;
    regex::Regex::new(pattern).map_err(|e| format!("filter is no regular expression: {e}"))
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
        assert!(
            expand("{{ change(filter=\"x\") }}")
                .expect_err("unknown")
                .contains("change")
        );
        assert!(
            expand("{{ graph(fliter=\"x\") }}")
                .expect_err("unknown")
                .contains("fliter")
        );
    }
}

//! `notes.md`: the author's Markdown, with generated parts where the author wants them.

use super::renderer::Renderer;
use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits::{RESULT, exceeded};
use crate::parse::{self, MAX_PROBLEMS, cite};
use crate::report::{Report, Row};
use crate::site::{self, Block, Graph, Part, Section, Table};
use pulldown_cmark::{Event, Options, Parser, Tag};
use regex_lite::Regex;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
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

/// An author's notes, rendered.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The text for the page.
    pub(super) markdown: String,
    /// Graphs that the notes ask for.
    pub(super) graphs: Vec<Graph>,
    /// Titles of the comparisons that the notes show, and that the page does not repeat.
    pub(super) comparisons: Vec<String>,
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
        comparisons: &[(String, Table)],
    ) -> Result<Notes> {
        let mut notes = Notes::default();
        let Some(source) = &report.notes else {
            return Ok(notes);
        };
        let path = report.folder.join("notes.md");
        let (text, calls) = read(&path, source)?;
        let filters = calls.values().filter_map(|call| match call {
            Call::Rows(_, filter) => Some(filter),
            Call::Comparison(_) => None,
        });
        let checked = report.data.check_filters(filters);
        checked.map_err(|message| Failure::at(&path, 0, message))?;
        let mut out = String::with_capacity(text.len());
        for (index, line) in text.lines().enumerate() {
            match calls.get(&index) {
                None => out += line,
                Some(call) => {
                    let blocks = resolve(report, earlier, comparisons, call);
                    let part = blocks.and_then(|blocks| self.part(blocks, &mut notes));
                    out += &part.map_err(|m| Failure::at(&path, index as u32 + 1, m))?;
                }
            }
            out.push('\n');
        }
        let titles = calls.into_values().filter_map(|call| match call {
            Call::Comparison(title) => Some(title),
            Call::Rows(..) => None,
        });
        notes.comparisons = titles.collect();
        notes.markdown = out.trim_end().to_owned();
        Ok(notes)
    }

    /// Renders the blocks of a call, without anchors, which the sections of the page have.
    fn part(&self, mut blocks: Vec<Block>, notes: &mut Notes) -> Result<String, String> {
        for block in &mut blocks {
            for table in &mut block.tables {
                notes.rows += table.rows.len();
                table.rows.iter_mut().for_each(|row| row.id = None);
                if !self.has_overviews() {
                    table.unlink();
                }
            }
            for graph in &mut block.graphs {
                graph.file = format!("notes-{}-{}", notes.graphs.len() + 1, graph.file);
                notes.graphs.push(graph.clone());
            }
        }
        if notes.rows + 100 * notes.graphs.len() > RESULT {
            return Err(exceeded(
                RESULT,
                "rows in these notes, where a graph counts as 100",
            ));
        }
        let text = self.template("notes.md.tera", &json!({"blocks": blocks}));
        text.map_err(|e| e.to_string())
    }
}

/// Checks notes, and returns them with an empty line in place of each call, and the calls by the
/// indices of their lines.
pub(crate) fn read(path: &Path, source: &str) -> Result<(String, BTreeMap<usize, Call>)> {
    let (mut text, mut calls) = (String::with_capacity(source.len()), BTreeMap::new());
    for (index, line) in source.lines().enumerate() {
        let refused = |message| Diagnostic::at(path, index as u32 + 1, message);
        if line.trim_start().starts_with("{{") {
            let call = Call::read(line.trim()).map_err(refused)?;
            calls.insert(index, call);
        } else {
            text += line;
        }
        text.push('\n');
    }
    check(path, &text)?;
    Ok((text, calls))
}

/// Returns the tables or graphs of a call.
fn resolve(
    report: &Report,
    earlier: &[&Report],
    comparisons: &[(String, Table)],
    call: &Call,
) -> Result<Vec<Block>, String> {
    let of_tables = |tables| Block {
        tables,
        ..Block::default()
    };
    let (function, filter) = match call {
        Call::Rows(function, filter) => (&**function, filter),
        Call::Comparison(title) => {
            let found = comparisons.iter().find(|(t, _)| t == title);
            let missing = || format!("no [[comparison]] in report.toml has the title `{title}`");
            let (_, table) = found.ok_or_else(missing)?;
            return Ok(vec![of_tables(vec![table.clone()])]);
        }
    };
    let wanted = |row: &Row| filter.is_match(&row.scenario.label());
    let blocks: Vec<Block> = if function == "changes" {
        if earlier.is_empty() {
            let what =
                "changes() has nothing to compare with: there is no earlier report of this machine";
            return Err(what.to_owned());
        }
        let changes = site::changes(report, earlier, wanted);
        vec![of_tables([changes.tables, changes.crept].concat())]
    } else {
        let sections = site::sections(&Part::of(report).with(wanted)).into_iter();
        let blocks = sections.map(|Section { block, .. }| match function {
            "graph" => Block {
                tables: Vec::new(),
                ..block
            },
            _ => of_tables(block.tables),
        });
        blocks.collect()
    };
    let is_empty = |b: &Block| b.tables.is_empty() && b.graphs.is_empty();
    match blocks.iter().all(is_empty) {
        true => Err("the filter matches no scenario of this report".to_owned()),
        false => Ok(blocks),
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
    let calls = calls.map(|(offset, found)| match found {
        "{{" => (offset, "put {{ … }} on a line of its own".to_owned()),
        _ => (offset, format!("`{found}` would be read by Zola")),
    });
    let is_control = |c: &char| c.is_control() && !['\n', '\r', '\t'].contains(c);
    let controls = text.char_indices().filter(|(_, c)| is_control(c));
    let controls = controls.map(|(offset, c)| {
        let code = c as u32;
        (offset, format!("a control character U+{code:04X}"))
    });
    let line_of = |offset: usize| text[..offset].matches('\n').count() as u32 + 1;
    let problems = passed.chain(calls).chain(controls).take(MAX_PROBLEMS);
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
    fn calls() {
        let read = |notes: &str| read(Path::new("n"), notes);
        let (text, calls) = read("a\n\n {{ changes(filter=\"^transfer\") }}\n").expect("notes");
        assert_eq!(text, "a\n\n\n");
        assert!(matches!(&calls[&2], Call::Rows(of, _) if of == "changes"));
        let unknown = "expected results(), graph() or changes()";
        for (notes, expected) in [
            ("{{ graph(fliter=\"x\") }}", unknown),
            ("{{ graph(filter=\"(\") }}", "filter is not a regular"),
            ("{{ graph(filter=1) }}", "got `{{ graph(filter=1) }}`"),
            ("{{ comparison() }}", unknown),
            ("{{ change(filter='x') }}", unknown),
            ("{{ results() }} x", unknown),
            ("x {{ results() }}", "put {{ … }} on a line of its own"),
        ] {
            let Err(Failure::BadInput(problems)) = read(&format!("\n{notes}")) else {
                panic!("accepted: {notes}")
            };
            assert_eq!(problems[0].line, 2, "{notes}");
            assert!(problems[0].message.contains(expected), "{problems:?}");
        }
    }
}

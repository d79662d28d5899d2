//! `notes.md`: the author's Markdown, with generated parts where the author wants them.

use super::graphs::Graph;
use super::graphs::bars::bars;
use super::page_text::PageText;
use super::pages::figures::tables;
use super::pages::topics::{Topic, main_rows};
use super::renderer::Renderer;
use super::section::Section;
use super::tables::changes::changes;
use crate::base::failure::{self, Diagnostic, Failure, Result};
use crate::base::limits::{RESULT, exceeded};
use crate::parse::{self, MAX_PROBLEMS, cite};
use crate::report::{Grid, Report, Row, Table};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use regex::Regex;
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

/// What a call shows of a topic.
type Block = (Vec<Graph>, Vec<Grid>);

/// A line of an author's Markdown that [`read`] checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckedLine<'a>(&'a str);

impl<'a> CheckedLine<'a> {
    pub(super) fn text(self) -> &'a str {
        self.0
    }
}

/// An author's notes, rendered.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) text: PageText,
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
        let (text, calls) = read(&path, source)?;
        let filters = calls.values().filter_map(|call| match call {
            Call::Rows(_, filter) => Some(filter),
            Call::Comparison(_) => None,
        });
        let checked = report.check_filters(filters);
        checked.map_err(|message| Failure::at(&path, 0, message))?;
        // A call is an empty line here, and may be the last.
        let last_call = calls.keys().next_back().map_or(0, |last| last + 1);
        let lines = text.trim_end().lines().count().max(last_call);
        for (index, line) in text.lines().enumerate().take(lines) {
            if index > 0 {
                notes.text.push("\n");
            }
            match calls.get(&index) {
                None => notes.text.push_notes(CheckedLine(line)),
                Some(call) => {
                    let blocks = resolve(report, earlier, comparisons, call);
                    let part = blocks.and_then(|blocks| self.part(blocks, &mut notes));
                    let part = part.map_err(|m| Failure::at(&path, index as u32 + 1, m))?;
                    notes.text.push(&part);
                }
            }
        }
        Ok(notes)
    }

    /// Renders the blocks of a call, without anchors, which the sections of the page have.
    fn part(&self, blocks: Vec<Block>, notes: &mut Notes) -> Result<String, String> {
        let links = self.links("../");
        let mut views = Vec::new();
        for (mut graphs, mut tables) in blocks {
            for table in &mut tables {
                notes.rows += table.rows.len();
                table.rows.iter_mut().for_each(|row| row.id = None);
            }
            for graph in &mut graphs {
                graph.file = format!("notes-{}-{}", notes.graphs.len() + 1, graph.file);
                notes.graphs.push(graph.clone());
            }
            views.push(Section {
                graphs,
                tables: links.tables(&tables),
                ..Section::default()
            });
        }
        if notes.rows + 100 * notes.graphs.len() > RESULT {
            return Err(exceeded(
                RESULT,
                "rows in these notes, where a graph counts as 100",
            ));
        }
        let text = self.template("notes.md.tera", &json!({"blocks": views}));
        text.map_err(|e| e.to_string())
    }
}

/// Headings in notes: Zola compares the id of each with all before it.
const HEADINGS: usize = 200;

/// Stands in place of each call while notes are checked, and after their last line: a thematic
/// break ends whatever is open, except what would swallow a table or the rest of the page.
const BREAK: &str = "***";

/// Checks notes, and returns them with an empty line in place of each call, and the calls by the
/// indices of their lines.
pub(crate) fn read(path: &Path, source: &str) -> Result<(String, BTreeMap<usize, Call>)> {
    let (mut text, mut calls) = (String::with_capacity(source.len()), BTreeMap::new());
    let (mut checked, mut breaks) = (text.clone(), Vec::new());
    for (index, line) in source.lines().enumerate() {
        let refused = |message| Diagnostic::at(path, index as u32 + 1, message);
        if line.trim_start().starts_with("{{") {
            let call = Call::read(line.trim()).map_err(refused)?;
            calls.insert(index, call);
            breaks.push(checked.len());
            checked += BREAK;
        } else {
            text += line;
            checked += line;
        }
        text.push('\n');
        checked.push('\n');
    }
    breaks.push(checked.len());
    checked += BREAK;
    check(path, &checked, &breaks)?;
    Ok((text, calls))
}

/// Returns the lines and addresses of links to pages of the site, and to places of the page itself.
pub(crate) fn links_within(source: &str) -> Vec<(u32, String)> {
    let mut links = Vec::new();
    for (event, range) in Parser::new_ext(source, ZOLA).into_offset_iter() {
        if let Event::Start(Tag::Link { dest_url, .. }) = event
            && (dest_url.starts_with('#') || dest_url.starts_with("@/"))
        {
            links.push((line_of(source, range.start), dest_url.into_string()));
        }
    }
    links
}

fn line_of(text: &str, offset: usize) -> u32 {
    text[..offset].matches('\n').count() as u32 + 1
}

/// Returns the graphs or tables of a call, by topic.
fn resolve(
    report: &Report,
    earlier: &[&Report],
    comparisons: &[(String, Grid)],
    call: &Call,
) -> Result<Vec<Block>, String> {
    let of_tables = |tables| (Vec::new(), tables);
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
    let blocks = if function == "changes" {
        if earlier.is_empty() {
            let what =
                "changes() has nothing to compare with: there is no earlier report of this machine";
            return Err(what.to_owned());
        }
        let changes = changes(report, earlier, wanted).into_iter();
        vec![of_tables(changes.map(|changes| changes.grid).collect())]
    } else {
        let mut blocks = Vec::new();
        for (topic, own) in Table::of(report).with(wanted).by(Topic::of) {
            blocks.push(match function {
                "graph" => {
                    let graph = bars(&main_rows(&own), topic.id(), topic.title(false));
                    (Vec::from_iter(graph), Vec::new())
                }
                _ => of_tables(tables(topic, &own)),
            });
        }
        blocks
    };
    let is_empty = |(graphs, tables): &Block| graphs.is_empty() && tables.is_empty();
    match blocks.iter().all(is_empty) {
        true if function == "changes" => Err(format!(
            "changes() finds no build of this report in {} with a row that the filter matches",
            earlier[0].name
        )),
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

/// Sets of extensions that a site may enable, now or later. An extension may find links where
/// others see text, or hide HTML, as the one for mathematics does with `$<b>$`. In the middle of a
/// page nothing is metadata, and Zola has no wiki links.
const READINGS: [Options; 4] = [
    ZOLA,
    ZOLA.union(Options::ENABLE_DEFINITION_LIST),
    ZOLA.union(Options::ENABLE_GFM),
    Options::all().difference(
        Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
            .union(Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS)
            .union(Options::ENABLE_WIKILINKS),
    ),
];

/// Fails if notes have anything but the Markdown that Zola writes as plain elements, since they
/// come in pull requests. `breaks` are the offsets of each [`BREAK`].
fn check(path: &Path, text: &str, breaks: &[usize]) -> Result<()> {
    let mut problems = Vec::new();
    for options in READINGS {
        let (mut ends, mut code, mut headings) = (BTreeSet::new(), Vec::new(), 0);
        let mut image = 0..0;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            let mut refuse = |problem| problems.push((range.start, problem));
            match &event {
                Event::Rule => drop(ends.insert(range.start)),
                Event::Start(Tag::CodeBlock(_)) => code.push(range.clone()),
                Event::Start(Tag::Heading { .. }) => headings += 1,
                _ => {}
            }
            // Zola writes the text of an image into an attribute as it is.
            let is_alt = image.end > range.start && !matches!(event, Event::End(_));
            if is_alt && !matches!(&event, Event::Text(text) if is_plain(text)) {
                refuse(format!("the alternative text of an image takes {PLAIN}"));
            }
            if let Event::Start(Tag::Image { .. }) = event {
                image = range.clone();
            }
            if headings > HEADINGS {
                refuse(exceeded(HEADINGS, "headings in these notes"));
                break;
            }
            if let Some(problem) = refusal(&event) {
                refuse(problem);
            }
        }
        for offset in breaks.iter().filter(|offset| !ends.contains(offset)) {
            let open = code.iter().find(|range| range.contains(offset));
            let what = "this is not closed, and would swallow what follows it";
            problems.push((open.map_or(*offset, |range| range.start), what.to_owned()));
        }
    }
    for mark in ["{{", "{%", "{#"] {
        let problem = match mark {
            "{{" => "put {{ … }} on a line of its own".to_owned(),
            _ => format!("`{mark}` would be read by Zola"),
        };
        let found = text.match_indices(mark);
        problems.extend(found.map(|(offset, _)| (offset, problem.clone())));
    }
    for (offset, c) in text.char_indices() {
        if c.is_control() && !['\n', '\r', '\t'].contains(&c) {
            problems.push((offset, format!("a control character U+{:04X}", c as u32)));
        }
    }
    let problems = problems.into_iter().take(MAX_PROBLEMS);
    let problems: BTreeSet<Diagnostic> = problems
        .map(|(offset, problem)| Diagnostic::at(path, line_of(text, offset), problem))
        .collect();
    failure::if_any(problems.into_iter().collect())
}

/// Returns why notes may not have this; `None` for what they may.
fn refusal(event: &Event<'_>) -> Option<String> {
    let only = |what: &str, text: &str| {
        let problem = || cite(&format!("{what} takes {PLAIN}, not"), text);
        (!is_plain(text)).then(problem)
    };
    match event {
        Event::Text(_)
        | Event::Code(_)
        | Event::InlineMath(_)
        | Event::DisplayMath(_)
        | Event::SoftBreak
        | Event::HardBreak
        | Event::Rule
        | Event::TaskListMarker(_)
        | Event::End(_) => None,
        Event::Html(html) | Event::InlineHtml(html) => {
            Some(cite("raw HTML is not allowed in notes:", html.trim()))
        }
        Event::FootnoteReference(label) | Event::Start(Tag::FootnoteDefinition(label)) => {
            only("the label of a footnote", label)
        }
        Event::Start(tag) => match tag {
            Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. } => {
                let wrong = "a link must lead to https://, http://, mailto:, a page (@/…) or a place on this page (#…), not";
                let address = (!is_safe(dest_url)).then(|| cite(wrong, dest_url));
                address.or_else(|| only("the title of a link", title))
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => only("the language of code", info),
            Tag::Heading { id, classes, attrs, .. } => {
                let is_bare = id.is_none() && classes.is_empty() && attrs.is_empty();
                (!is_bare).then(|| "a heading takes no attributes in braces".to_owned())
            }
            Tag::Paragraph
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(CodeBlockKind::Indented)
            // Its parts are refused.
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => None,
            Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) => {
                Some("this is not allowed in notes".to_owned())
            }
        },
    }
}

/// What [`is_plain`] accepts.
const PLAIN: &str = "letters, digits, spaces and . , : ; ! ? ( ) - _ / + % ’ only";

/// Whether a text stays in the attribute into which some versions of Zola write it without escapes.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || " .,:;!?()-_/+%’".contains(c))
}

/// Whether an address leads to the web or within the site, and stays in its attribute.
fn is_safe(url: &str) -> bool {
    let is_of_address = |c: char| c.is_alphanumeric() || "-._~:/?#[]@!$&()*+,;=%".contains(c);
    let mut starts = ["https://", "http://", "mailto:", "#", "@/"].iter();
    let is_relative = || !url.contains([':', '&']) && !url.starts_with('/') && !url.contains("..");
    !url.is_empty()
        && url.chars().all(is_of_address)
        && (starts.any(|start| url.starts_with(start)) || is_relative())
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

    #[test]
    fn notes_have_only_what_stays_text() {
        let read = |notes: &str| read(Path::new("n"), notes);
        for accepted in [
            "[a](https://e.org/a?b=c&d=%20#e \"Rustls 0.23: faster (1.5x)\") <https://e.org> <a@e.org>",
            "Text.[^one two]\n\n[^one two]: note\n",
            "```rust\nlet x = \"<b>\";\n```\n{{ results() }}\n",
            "~~~\n***\n~~~\n",
            "| a | b |\n|---|---|\n| c | d |\n{{ results() }}\n# e\n1. f\n   > g\n{{ graph() }}",
            "- a\n\n      code\n\n{{ results() }}\n",
            "![a b, 1.5x](a.png \"c\")",
            "It costs $5 or $6, ~~not~~ 7 [^ 8]. [[9]]",
        ] {
            read(accepted).unwrap_or_else(|error| panic!("{accepted}: {error}"));
        }
        for (refused, line, why) in [
            ("[a](https://e.org 'b\"c')", 1, "the title of a link"),
            (
                "a\n\n[b]\n\n[b]: https://e.org '<c>'",
                3,
                "the title of a link",
            ),
            ("![a](b.png '<c>')", 1, "the title of a link"),
            ("![a\" onerror=b](c.png)", 1, "the alternative text"),
            ("![[a](b)](c.png)", 1, "the alternative text"),
            ("![![a](b.png)](c.png)", 1, "the alternative text"),
            ("a[^'b]\n\n[^'b]: c", 1, "the label of a footnote"),
            ("```a\"b\n```", 1, "the language of code"),
            ("~~~ rust,name=a\n~~~", 1, "the language of code"),
            ("# a {#b}", 1, "a heading takes no attributes"),
            ("a {.b}\n===", 1, "a heading takes no attributes"),
            ("# a { onclick=b }", 1, "a heading takes no attributes"),
            ("[a](<https://e.org/\"b>)", 1, "a link must lead to"),
            ("[a](<https://e.org/'b>)", 1, "a link must lead to"),
            ("[a](javascript&amp;colon;b)", 1, "a link must lead to"),
            ("[a]()", 1, "a link must lead to"),
            ("a\n\n```\nb\n", 3, "this is not closed"),
            ("```\n{{ results() }}\n```", 1, "this is not closed"),
            (&"# a\n".repeat(201), 201, "more than 200 headings"),
        ] {
            let Err(Failure::BadInput(problems)) = read(refused) else {
                panic!("accepted: {refused}")
            };
            let found = |p: &&Diagnostic| p.line == line && p.message.contains(why);
            assert!(
                problems.iter().any(|p| found(&p)),
                "{refused}: {problems:?}"
            );
        }
    }
}

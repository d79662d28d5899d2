//! Renders the pages of a site with Tera templates, which only lay out.

use super::front_matter::FrontMatter;
use super::graphs::Graph;
use super::links::{Links, Offered};
use crate::base::escape;
use crate::files::MARK;
use crate::report::Report;
use anyhow::{Context as _, Result};
use include_dir::{Dir, File, include_dir};
use regex::Regex;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tera::{Context, Kwargs, State, Tera, Value};

/// Files by their path below the section of the reports.
pub(crate) type Pages = BTreeMap<String, Vec<u8>>;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/site/templates");

/// Renders pages. The templates are parsed once.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    tera: Tera,
    /// The path of the section of the reports: `perf`.
    pub(super) section: &'a str,
    /// The pages over all reports that the site has, by their folders.
    pub(super) overviews: Vec<&'static str>,
    /// What those pages have, to link to.
    offered: Offered,
}

/// Filter: encodes text of others for Markdown.
fn markdown(value: &str, _: Kwargs, _: &State<'_>) -> Value {
    Value::safe_string(&escape::markdown(value))
}

/// Returns a report's entry in lists.
pub(super) fn entry(report: &Report) -> Json {
    json!({
        "name": report.name,
        "title": report.title(),
        "date": report.day,
        "day": report.day.map(|day| day.strftime("%-d %b %Y").to_string()),
        "machine": report.manifest.machine,
    })
}

impl<'a> Renderer<'a> {
    /// # Errors
    /// A mistake in the templates, which the tests would have shown.
    pub(crate) fn new(
        section: &'a str,
        overviews: Vec<&'static str>,
        offered: Offered,
    ) -> Result<Self> {
        let mut tera = Tera::default();
        tera.autoescape_on([".tera"]);
        tera.set_escape_fn(|text, out| out.write_all(escape::html(text).as_bytes()));
        tera.register_filter("markdown", markdown);
        let text = |file: &'static File<'_>| Some((file.path().to_str()?, file.contents_utf8()?));
        tera.add_raw_templates(TEMPLATES.files().filter_map(text))?;
        Ok(Self {
            tera,
            section,
            overviews,
            offered,
        })
    }

    /// Returns the links of a page that is `up` from the section of the reports; the front page is above it.
    pub(super) fn links(&self, up: &str) -> Links<'_> {
        let up = match up {
            "" => format!("{}/", self.section),
            up => up.to_owned(),
        };
        Links {
            up,
            offered: &self.offered,
        }
    }

    /// Renders a part of a page.
    pub(super) fn template(&self, name: &str, view: &impl Serialize) -> Result<String> {
        let mut context = Context::from_serialize(view)?;
        context.insert("pages", &self.overviews);
        self.tera
            .render(name, &context)
            .with_context(|| format!("cannot render {name}"))
    }

    /// Adds a page, or a section in the folder of its kind.
    pub(super) fn put(
        &self,
        pages: &mut Pages,
        mut head: FrontMatter<'_>,
        template: &str,
        view: &impl Serialize,
    ) -> Result<()> {
        let file = match (&head.path, head.extra.kind) {
            (Some(path), _) => format!("{path}/index.md"),
            (None, "reports") => "_index.md".to_owned(),
            (None, kind) => format!("{kind}/_index.md"),
        };
        let text = inert(&self.template(template, view)?);
        head.path = head.path.map(|path| format!("{}/{path}", self.section));
        let head = toml::to_string(&head).context("cannot write front matter")?;
        let page =
            format!("+++\n{head}+++\n{MARK}: change the data instead of this file. -->\n{text}");
        pages.insert(file, page.into_bytes());
        Ok(())
    }
}

/// The anchor at the end of a heading: ` {#ahead}`.
static ANCHOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^#.*( \{#[A-Za-z0-9-]*\})\s*$").expect("a constant pattern"));

/// Returns the text of a page's body. Zola runs it as a template before it reads it as Markdown, so whatever a table,
/// a graph or a sentence brought along, no brace and no backtick stands in it, except the braces of the anchor at the
/// end of a heading, which Zola does not run.
fn inert(rendered: &str) -> String {
    let mut text = String::with_capacity(rendered.len());
    for line in rendered.split_inclusive('\n') {
        let anchor = ANCHOR.captures(line).and_then(|found| found.get(1));
        let (content, anchor) = line.split_at(anchor.map_or(line.len(), |a| a.start()));
        let content = content.replace('{', "&#123;").replace('}', "&#125;");
        text += &content.replace('`', "&#96;");
        text += anchor;
    }
    text
}

/// Adds the graphs of a page to its folder and its front matter.
pub(super) fn put_graphs<'a>(
    pages: &mut Pages,
    head: &mut FrontMatter<'_>,
    folder: &str,
    graphs: impl IntoIterator<Item = &'a Graph>,
) {
    for graph in graphs {
        let svg = graph.drawing.svg.clone().into_bytes();
        pages.insert(format!("{folder}{}", graph.file), svg);
        let alt = escape::html(&graph.alt);
        let named = json!({"file": graph.file, "alt": alt});
        head.extra.graphs.push(named);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_in_a_text_can_run() {
        assert_eq!(
            super::inert("## A {{ b }} {#a-b}\n<p>{% c %}`{#d#}`</p>\n# {#e f}\np {#g}\n"),
            "## A &#123;&#123; b &#125;&#125; {#a-b}\n\
             <p>&#123;% c %&#125;&#96;&#123;#d#&#125;&#96;</p>\n\
             # &#123;#e f&#125;\np &#123;#g&#125;\n"
        );
    }
}

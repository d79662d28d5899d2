//! Compares published pages with the pages generated from their inputs.
//!
//! Zola puts templates around a page, and may number, link or minify it. Therefore the visible text
//! and the addresses of links and graphs are compared, word by word.

mod reader;
mod sentences;

pub(crate) use sentences::Sentences;

use pulldown_cmark::{Options, Parser, html};
use reader::read;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;

/// Text between two tags, or of an attribute that is visible or an address.
#[derive(Debug, PartialEq)]
pub(crate) struct Chunk {
    pub(crate) text: String,
    /// The row or heading it belongs to.
    place: String,
    is_address: bool,
}

/// A difference between two pages.
#[derive(Debug, PartialEq)]
pub(crate) struct Difference {
    /// The row or heading it is in.
    pub(crate) place: String,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// The chunks of a generated page, without templates. `at` is its address relative to the site.
pub(crate) fn of_markdown(page: &str, at: &str) -> Vec<Chunk> {
    // The Markdown extensions that Zola enables.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let [_, body] = parts(page);
    let mut text = String::new();
    html::push_html(&mut text, Parser::new_ext(body, options));
    from_root(read(&text), at, "/")
}

/// The chunks of a published page. `at` is its address relative to the site: `perf/method/`.
pub(crate) fn of_html(page: &str, at: &str) -> Vec<Chunk> {
    let chunks = read(page);
    let base = base(&chunks, at);
    from_root(chunks, at, &base)
}

/// Splits a page into front matter and body.
pub(crate) fn parts(page: &str) -> [&str; 2] {
    let page = page.strip_prefix("+++\n").unwrap_or(page);
    page.split_once("\n+++\n").unwrap_or(("", page)).into()
}

/// Infers a site's base URL, `https://host/folder/`, from the addresses in the page at `at`.
fn base(chunks: &[Chunk], at: &str) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for chunk in chunks.iter().filter(|chunk| chunk.is_address) {
        let base = chunk.text.split_once(at).map(|(base, _)| base);
        if let Some(base) = base.filter(|base| base.ends_with('/')) {
            *counts.entry(base).or_default() += 1;
        }
    }
    // A published report may link to a page of the same name elsewhere.
    let most = counts
        .into_iter()
        .max_by_key(|(base, count)| (*count, *base));
    most.map_or("/", |(base, _)| base).to_owned()
}

/// Makes all addresses relative to the site's root.
fn from_root(mut chunks: Vec<Chunk>, at: &str, base: &str) -> Vec<Chunk> {
    for chunk in chunks.iter_mut().filter(|chunk| chunk.is_address) {
        chunk.text = below_site(&chunk.text, at, base);
    }
    // Templates add links to the page's own headings.
    chunks.retain(|chunk| !chunk.is_address || !chunk.text.starts_with(&format!("{at}#")));
    chunks
}

/// An address relative to the site's root, from an absolute, a relative or a Zola-internal one.
fn below_site(address: &str, at: &str, base: &str) -> String {
    if let Some(page) = address.strip_prefix("@/") {
        return page.replace("_index.md", "").replace("index.md", "");
    }
    if let Some(below) = address.strip_prefix(base) {
        return below.to_owned();
    }
    if address.contains(':') || address.starts_with('/') {
        return address.to_owned();
    }
    let mut folders: Vec<&str> = at.trim_end_matches('/').split('/').collect();
    let mut rest = address.strip_prefix("./").unwrap_or(address);
    while let Some(above) = rest.strip_prefix("../") {
        rest = above;
        folders.pop();
    }
    folders.push(rest);
    folders.join("/")
}

/// Maximum number of words quoted of a difference.
const MAX_WORDS: usize = 12;

/// Differences between the expected chunks and a published page, which contains them in one piece.
/// Whatever the site's templates put before and after them is ignored.
pub(crate) fn differences(expected: &[Chunk], page: &[Chunk]) -> Vec<Difference> {
    let words = |chunks: &'_ [Chunk]| -> Vec<String> {
        let words = chunks.iter().flat_map(|c| c.text.split(' '));
        words.map(str::to_owned).collect()
    };
    let (wanted, found) = (words(expected), words(page));
    let places = expected.iter();
    let places: Vec<&str> = places
        .flat_map(|c| c.text.split(' ').map(|_| c.place.as_str()))
        .collect();
    let [from, to] = bounds(&wanted, &found);
    let within = &found[from..to];
    let ops = capture_diff_slices(Algorithm::Myers, &wanted, within);
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let difference = |op: &DiffOp| Difference {
        place: places
            .get(op.old_range().start)
            .map_or_else(String::new, |place| (*place).to_owned()),
        expected: cite(&wanted[op.old_range()]),
        found: cite(&within[op.new_range()]),
    };
    differing.map(difference).collect()
}

/// Start and end of the `wanted` words in `found`: the start is where the longest run equals their
/// beginning, the end where the longest run equals their end.
fn bounds(wanted: &[String], found: &[String]) -> [usize; 2] {
    let common = |a: &mut dyn Iterator<Item = &String>, b: &mut dyn Iterator<Item = &String>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let starts = (0..found.len()).map(|at| {
        let equal = common(&mut wanted.iter(), &mut found[at..].iter());
        (equal, at)
    });
    // The last of several: earlier ones are in a template before the page.
    let (head, from) = starts.max_by_key(|(equal, _)| *equal).unwrap_or_default();
    if head == wanted.len() {
        return [from, from + head];
    }
    let ends = (from + head..=found.len()).map(|at| {
        let equal = common(&mut wanted.iter().rev(), &mut found[from..at].iter().rev());
        (equal, at)
    });
    let (tail, to) = ends.max_by_key(|(equal, _)| *equal).unwrap_or_default();
    match (head, tail) {
        (0, _) => [to.saturating_sub(wanted.len()), to],
        (_, 0) => [from, found.len().min(from + wanted.len())],
        _ => [from, to],
    }
}

fn cite(words: &[String]) -> String {
    let more = if words.len() > MAX_WORDS { " …" } else { "" };
    words[..words.len().min(MAX_WORDS)].join(" ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "+++\ntitle = \"x\"\n+++\n## Transfer {#t}\n\n\
        <table>\n<tr><th scope=\"row\"><a href=\"#a\">sending, <span>1.3</span></a></th><td>1,234</td><td>–</td></tr>\n\
        <tr><th scope=\"row\">receiving</th><td>5</td></tr>\n</table>\n\n\
        See [data](data.csv) -- \"all\" of it.\n";

    fn compared(edit: impl Fn(&str) -> String) -> Vec<String> {
        let options = Options::ENABLE_HEADING_ATTRIBUTES | Options::ENABLE_SMART_PUNCTUATION;
        let mut body = String::new();
        html::push_html(&mut body, Parser::new_ext(parts(PAGE)[1], options));
        let anchor = "<a class=\"zola-anchor\" href=\"#t\">#</a></h2>";
        let body = edit(&body.replace("</h2>", anchor));
        let body = body.replace("data.csv", "https://a.org/b/perf/x/data.csv");
        let nav = "<a href=https://a.org/b/perf/x/>Transfer</a>sending, 1.3";
        let page = format!("{nav}{body}<p>end</p>");
        let found = differences(&of_markdown(PAGE, "perf/x/"), &of_html(&page, "perf/x/"));
        let line = |d: Difference| format!("{}: `{}` for `{}`", d.place, d.found, d.expected);
        found.into_iter().map(line).collect()
    }

    #[test]
    fn differences_are_reported_by_row() {
        assert!(compared(str::to_owned).is_empty());
        let row = "sending, 1.3: `1,235` for `1,234`";
        assert_eq!(compared(|p| p.replace("1,234", "1,235")), [row]);
        assert_eq!(
            compared(|p| p.replace(">5<", ">6<").replace("1,234", "1,235")),
            [row, "receiving: `6` for `5`"]
        );
        let without_row = |p: &str| p.replace("<th scope=\"row\">receiving</th><td>5</td>", "");
        assert_eq!(compared(without_row), ["receiving: `` for `receiving 5`"]);
        let more = |p: &str| p.replace("5</td>", "5<script></td>");
        assert_eq!(compared(more), ["receiving: `<script>` for ``"]);
        assert_eq!(
            compared(|p| p.replace("of it", "of us"))[0],
            "receiving: `us.` for `it.`"
        );
        // The navigation above has the words that are missing in the page.
        assert!(!compared(|p| p.replace(">Transfer", ">X")).is_empty());
        assert!(!compared(|_| String::new()).is_empty());
    }

    #[test]
    fn sentences_are_recognised_by_their_words() {
        let mut sentences = Sentences::default();
        sentences.watch(&toml::Value::from("rustls does 4,766.63 handshakes"));
        assert_eq!(sentences.meant("rustls does 4,766.63 handshakes"), None);
        assert_eq!(sentences.meant("rustls has 4,766.63 handshakes"), None);
        let meant = Some("rustls does 4,766.63 handshakes");
        assert_eq!(sentences.meant("rustls does 5,766.63 handshakes"), meant);
        assert_eq!(sentences.meant("rustls does 12 handshakes"), meant);
    }
}

//! Extracts the text and addresses of an HTML page.

use super::Chunk;
use html5gum::{EndTag, StartTag, Token, Tokenizer};

pub(super) fn read(page: &str) -> Vec<Chunk> {
    let mut reader = Reader::default();
    for token in Tokenizer::new(page) {
        match token {
            Ok(Token::StartTag(tag)) => reader.start(&tag),
            Ok(Token::EndTag(tag)) => reader.end(&tag),
            Ok(Token::String(text)) if reader.skips.is_none() => {
                reader.text += &String::from_utf8_lossy(&text);
            }
            _ => {}
        }
    }
    reader.flush();
    reader.chunks
}

#[derive(Default)]
struct Reader {
    chunks: Vec<Chunk>,
    text: String,
    place: String,
    /// Whether the reader is in a heading or a row header.
    names_place: bool,
    /// The template's element that is being skipped, if any.
    skips: Option<&'static str>,
}

impl Reader {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name);
            value.map(|value| String::from_utf8_lossy(value).into_owned())
        };
        // Ignores spans, which highlighted code consists of.
        if name == "span" || self.skips.is_some() {
            return;
        }
        self.flush();
        // A template may put a table of contents into a page, and Zola may add links to headings.
        let is_anchor = || attribute(b"class").is_some_and(|c| c == "zola-anchor");
        self.skips = match &*name {
            "nav" => Some("nav"),
            "a" if is_anchor() => Some("a"),
            _ => None,
        };
        if self.skips.is_some() {
            return;
        }
        if is_heading(&name) || ["td", "th"].contains(&&*name) {
            let scope = attribute(b"scope");
            self.names_place = is_heading(&name) || scope.is_some_and(|scope| scope == "row");
        }
        for name in [&b"alt"[..], b"content"] {
            self.text = attribute(name).unwrap_or_default();
            self.flush();
        }
        for name in [&b"href"[..], b"src"] {
            if let Some(text) = attribute(name) {
                self.push(text, true);
            }
        }
        // These hide, load or run content; generated pages have none of them.
        let foreign = [
            "embed", "form", "iframe", "object", "script", "style", "svg",
        ];
        if foreign.contains(&&*name) {
            self.text = format!("<{name}>");
            self.flush();
        }
    }

    fn end(&mut self, tag: &EndTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        if name != "span" {
            self.flush();
            self.skips = self.skips.filter(|skipped| *skipped != name);
            self.names_place &= !(is_heading(&name) || name == "th");
        }
    }

    fn flush(&mut self) {
        let words: Vec<String> = self.text.split_whitespace().map(plain).collect();
        self.text.clear();
        if words.is_empty() {
            return;
        }
        let text = words.join(" ");
        if self.names_place {
            self.place = text.clone();
        }
        self.push(text, false);
    }

    fn push(&mut self, text: String, is_address: bool) {
        self.chunks.push(Chunk {
            text,
            place: self.place.clone(),
            is_address,
        });
    }
}

fn is_heading(name: &str) -> bool {
    ["h1", "h2", "h3", "h4", "h5", "h6"].contains(&name)
}

/// Reverts Zola's `smart_punctuation`.
pub(super) fn plain(word: &str) -> String {
    let word = word.replace(['‘', '’'], "'").replace(['“', '”'], "\"");
    word.replace('…', "...")
        .replace('—', "---")
        .replace('–', "--")
}

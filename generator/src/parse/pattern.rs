//! Regular expressions: of readers, of formats, and of people.

use super::prelude::*;
use crate::base::limits::GROUPS;
use memchr::memmem::Finder;
use regex::RegexBuilder;
use regex_syntax::hir::{Hir, HirKind};
use std::sync::OnceLock;

/// A pattern, compiled when a line has the text that each of its matches has: to compile all of
/// `formats.toml` would take longer than to read most files.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct Expression {
    pub(super) text: String,
    /// A text that each match has, by which other lines are told in no time.
    mark: Finder<'static>,
    /// How many characters and classes counted repetitions add, each of which may be looked for at
    /// every byte of a text.
    pub(super) copies: usize,
    compiled: OnceLock<Regex>,
}

impl From<String> for Expression {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl Expression {
    pub(super) fn new(text: &str) -> Self {
        let (mut mark, mut copies) = (String::new(), 0);
        // What is wrong with a pattern is told by `check`.
        if let Ok(hir) = bounded(&ascii(text)) {
            find_mark(&hir, &mut mark);
            copies = steps(&hir).saturating_sub(text.len());
        }
        Self {
            text: text.to_owned(),
            mark: Finder::new(&mark).into_owned(),
            copies,
            compiled: OnceLock::new(),
        }
    }

    pub(super) fn captures<'a>(&self, line: &'a str) -> Option<Captures<'a>> {
        self.mark.find(line.as_bytes())?;
        self.compiled().captures(line)
    }

    /// The text of the match and of its groups; empty for a group that matched nothing.
    pub(super) fn groups<'a, const N: usize>(&self, line: &'a str) -> Option<[&'a str; N]> {
        let parts = self.captures(line.trim_end())?;
        let group = |at| parts.get(at).map_or("", |part| part.as_str());
        Some(std::array::from_fn(group))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.compiled().capture_names().flatten()
    }

    fn compiled(&self) -> &Regex {
        let compile = || compile(&ascii(&self.text)).expect("a pattern that was checked");
        self.compiled.get_or_init(compile)
    }

    pub(super) fn mark(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.mark.needle())
    }

    /// Whether a line that matches is told from lines of prose.
    pub(super) fn is_marked(&self) -> bool {
        self.mark.needle().len() > 1
    }

    /// Compiles it, so that its error is told where it is written.
    pub(super) fn check(&self) -> Result<(), String> {
        let text = ascii(&self.text);
        let compiled = bounded(&text).and_then(|_| compile(&text));
        compiled
            .map(|regex| drop(self.compiled.set(regex)))
            .map_err(|reason| format!("`{}`: {reason}", self.text))
    }
}

/// `\d` and `\w` without the digits and letters of all alphabets, with which a pattern takes several
/// times as long to compile.
fn ascii(text: &str) -> String {
    let mut written = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let escaped = if c == '\\' { rest.next() } else { None };
        match escaped {
            Some('d') => written += "[0-9]",
            Some('w') => written += "[0-9A-Za-z_]",
            _ => written.extend(std::iter::once(c).chain(escaped)),
        }
    }
    written
}

/// Compiles a regular expression, up to a limit.
pub(crate) fn pattern(text: &str) -> Result<Regex, String> {
    let groups = bounded(text)?.properties().explicit_captures_len();
    if groups > GROUPS {
        let more = exceeded(GROUPS, "groups");
        return Err(format!("{more}: write (?:…) where one has no name"));
    }
    compile(text)
}

fn compile(text: &str) -> Result<Regex, String> {
    let compiled = RegexBuilder::new(text).size_limit(SIZE).build();
    compiled.map_err(|error| reason(&error.to_string()))
}

/// Bytes of a compiled pattern. A `\w`, which knows all alphabets, has some 10,000.
const SIZE: usize = 4 << 20;

/// What is wrong with a pattern, in a line.
fn reason(error: &str) -> String {
    let last = error.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

/// Parses a pattern that takes not much longer to match than its length shows: `(a?){1000}` is short,
/// but takes as long as a thousand.
fn bounded(text: &str) -> Result<Hir, String> {
    let hir = regex_syntax::parse(text).map_err(|error| reason(&error.to_string()))?;
    match steps(&hir) > 5 * (text.len() + 10) {
        true => Err("a pattern that is repeated so often takes too long to match".to_owned()),
        false => Ok(hir),
    }
}

/// The number of characters and classes of a pattern, each as often as it is repeated.
fn steps(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(_) => 1,
        HirKind::Capture(capture) => steps(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().map(steps).sum(),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1) as usize;
            steps(&repetition.sub).saturating_mul(times)
        }
    }
}

/// Finds the longest text that each match has.
fn find_mark(hir: &Hir, mark: &mut String) {
    match hir.kind() {
        HirKind::Literal(literal) if literal.0.len() > mark.len() => {
            // Bytes that are no text are none of a pattern for texts.
            *mark = String::from_utf8_lossy(&literal.0).into_owned();
        }
        HirKind::Capture(capture) => find_mark(&capture.sub, mark),
        HirKind::Repetition(repetition) if repetition.min > 0 => find_mark(&repetition.sub, mark),
        HirKind::Concat(parts) => parts.iter().for_each(|part| find_mark(part, mark)),
        _ => {}
    }
}

//! Takes off what terminals and logs put on lines: colours, progress bars, time stamps, prompts.

use super::lines::Pattern;
use std::borrow::Cow;

/// The time at the start of each line of a log: GitHub's, GitLab's, Jenkins', `ts`, journald's. `gh run
/// view --log` puts job and step before it, Kubernetes the stream after it.
static STAMP: Pattern = Pattern::new(
    r"^(?:[^\t]*\t[^\t]*\t)?\u{feff}?\[?(?:\d{4}-\d\d-\d\d[T ]|[A-Z][a-z]{2} [ \d]\d )?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: (?:\d\d[OE][ +]|std(?:out|err) [FP] |[\w.-]+ [\w./-]+\[\d+\]: )?|$)",
);

/// Whether text has a time such as `12:34:56`.
fn has_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b':', bytes).any(|at| {
        let shape = bytes.get(at.wrapping_sub(2)..at + 6).unwrap_or_default();
        shape.len() == 8
            && shape
                .iter()
                .zip(b"00:00:00")
                .all(|(byte, known)| match known {
                    b'0' => byte.is_ascii_digit(),
                    known => byte == known,
                })
    })
}

/// `##[group]Run cargo bench`
static MARKER: Pattern = Pattern::new(r"^(?:##\[[a-z]+\]|::[a-z]+(?: [^:]*)?::)");

/// What a shell prints before a command, or `set -x`.
static PROMPT: Pattern = Pattern::new(
    r"^(?:(?:\([\w.-]+\) )?(?:|[\w.-]+@[\w.-]+:\S*|[\w.-]+@[\w.-]+[ :]\S+ |\[[\w.-]+@[\w.-]+ [^\]]*\]|(?:ba|z|da)?sh-[\d.]+)[$#%](?: |$)|[\w.-]+:\S* [\w.-]+\$(?: |$)|(?:PS )?[A-Za-z]:\\[^>]*> ?|PS /[^>]*> |➜ +\S+ git:\([^)]*\)(?: ✗)? |[❯➜] +|\++ [\w./])",
);

/// Bytes at the start of a line that dressing takes at the most.
const HEAD: usize = 256;

/// The text without dressing, in as many lines.
pub(super) fn undressed(text: &str) -> Cow<'_, str> {
    let lines = || text.split_inclusive('\n');
    if lines().all(|line| matches!(plain(line), Cow::Borrowed(plain) if plain.len() == line.len()))
    {
        return Cow::Borrowed(text);
    }
    Cow::Owned(lines().map(plain).collect())
}

/// One line, with its end.
fn plain(line: &str) -> Cow<'_, str> {
    let body = line.trim_end_matches(['\n', '\r']);
    let end = if line.ends_with('\n') { "\n" } else { "" };
    let mut shown: Cow<'_, str> = match body.contains('\u{1b}') {
        true => Cow::Owned(without_escapes(body)),
        false => Cow::Borrowed(body),
    };
    if shown.contains('\r') {
        // A progress bar writes over itself.
        let last = shown.rsplit('\r').find(|part| !part.trim().is_empty());
        shown = Cow::Owned(last.unwrap_or_default().to_owned());
    }
    // A document of JSON may be one line of megabytes.
    let head = super::start(&shown, HEAD);
    for (pattern, may_match) in [
        (&STAMP, has_time(head)),
        (&MARKER, shown.starts_with("##[") || shown.starts_with("::")),
    ] {
        let head = super::start(&shown, HEAD);
        if let Some([dressing]) = may_match.then(|| pattern.groups(head)).flatten() {
            shown = Cow::Owned(shown[dressing.len()..].to_owned());
        }
        if let Some(command) = shown.strip_prefix("##[group]Run ") {
            shown = Cow::Owned(format!("$ {command}"));
        }
    }
    match shown {
        Cow::Borrowed(_) => Cow::Borrowed(line),
        Cow::Owned(shown) => Cow::Owned(shown + end),
    }
}

/// Removes escape sequences of terminals: `ESC [ … letter`, titles `ESC ] … BEL`, and short ones.
fn without_escapes(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        shown += before;
        let end = match after.chars().next() {
            Some('[') => after[1..]
                .find(|c| ('@'..='~').contains(&c))
                .map(|at| at + 2),
            Some(']') => after.find(['\u{7}', '\u{1b}']).map(|at| at + 1),
            Some('(' | ')') => after.char_indices().nth(2).map(|(at, _)| at),
            Some(c) => Some(c.len_utf8()),
            None => Some(0),
        };
        rest = end.and_then(|end| after.get(end..)).unwrap_or_default();
    }
    shown + rest
}

/// The command after a prompt; empty after the last prompt.
pub(super) fn command(line: &str) -> Option<&str> {
    let is_before = |at: usize, c: char| {
        line[at + c.len_utf8()..]
            .chars()
            .next()
            .is_none_or(|next| next == ' ')
    };
    let may_be = |(at, c): (usize, char)| match c {
        '$' | '#' | '%' | '❯' | '➜' => is_before(at, c),
        '>' => true,
        _ => false,
    };
    (line.starts_with('+') || line.char_indices().any(may_be)).then_some(())?;
    let [prompt] = PROMPT.groups(line)?;
    let end = prompt
        .trim_end_matches(|c: char| c.is_alphanumeric() || "_./".contains(c))
        .len();
    match prompt.starts_with('+') {
        true => Some(line[end..].trim()),
        false => Some(line.get(prompt.len()..).unwrap_or_default().trim()),
    }
}

#[cfg(test)]
#[path = "tests/dress.rs"]
mod tests;

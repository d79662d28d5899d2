//! Takes off what terminals and logs put on lines: colours, progress bars, time stamps, prompts.

use super::pattern::Pattern;
use std::borrow::Cow;

/// The time at the start of each line of a log, of GitHub's, GitLab's or Jenkins'. `gh run view --log`
/// puts job and step before it, and GitLab a number after it.
static STAMP: Pattern = Pattern::marked(
    ":",
    r"^(?:[^\t]+\t[^\t]+\t)?\x{feff}?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: \d\d[OE][ +]| |$)",
);

/// `##[group]Run cargo bench`
static MARKER: Pattern = Pattern::new(r"^(?:##\[[a-z]+\]|::[a-z]+(?: [^:]*)?::)");

/// What a shell prints before a command.
static PROMPT: Pattern = Pattern::new(
    r"^(?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+:\S*|\[[\w.-]+@[\w.-]+ [^\]]*\]|(?:ba|z|da)?sh-[\d.]+)?[$%](?: |$)",
);

/// The text without dressing, in as many lines.
pub(super) fn undressed(text: &str) -> Cow<'_, str> {
    let (mut at, mut shown) = (0, None);
    for line in text.split_inclusive('\n') {
        match (plain(line), &mut shown) {
            (Cow::Borrowed(_), None) => {}
            (plain, Some(shown)) => *shown += &*plain,
            (plain, None) => shown = Some(text[..at].to_owned() + &plain),
        }
        at += line.len();
    }
    shown.map_or(Cow::Borrowed(text), Cow::Owned)
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
    if let Some([stamp]) = STAMP.groups(&shown) {
        let rest = &shown[stamp.len()..];
        shown = Cow::Owned(
            rest.strip_prefix(' ')
                .filter(|_| !stamp.ends_with(' '))
                .unwrap_or(rest)
                .to_owned(),
        );
    }
    if let Some(command) = shown.strip_prefix("##[group]Run ") {
        shown = Cow::Owned(format!("$ {command}"));
    } else if (shown.starts_with("##[") || shown.starts_with("::"))
        && let Some([marker]) = MARKER.groups(&shown)
    {
        shown = Cow::Owned(shown[marker.len()..].to_owned());
    }
    match shown {
        Cow::Borrowed(_) => Cow::Borrowed(line),
        Cow::Owned(shown) => Cow::Owned(shown + end),
    }
}

/// Removes escape sequences of terminals: `ESC [ … letter`, titles `ESC ] … BEL` and the like, and
/// short ones.
fn without_escapes(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        shown += before;
        let end = match after.chars().next() {
            Some('[') => after[1..]
                .find(|c| ('@'..='~').contains(&c))
                .map(|at| at + 2),
            Some(']' | '_' | 'P' | '^') => after.find(['\u{7}', '\u{1b}']).map(|at| at + 1),
            Some('(' | ')') => after.char_indices().nth(2).map(|(at, _)| at),
            Some(c) => Some(c.len_utf8()),
            None => Some(0),
        };
        rest = end.and_then(|end| after.get(end..)).unwrap_or_default();
    }
    shown + rest
}

/// The command after a prompt, or after the `+` of `set -x`; empty after the last prompt.
pub(super) fn command(line: &str) -> Option<&str> {
    let traced = line
        .strip_prefix('+')
        .map(|line| line.trim_start_matches('+'));
    if let Some(command) = traced.and_then(|line| line.strip_prefix(' ')) {
        let is_path = |c: char| c.is_alphanumeric() || "_./".contains(c);
        return command.starts_with(is_path).then(|| command.trim());
    }
    memchr::memchr2(b'$', b'%', line.as_bytes())?;
    let [prompt] = PROMPT.groups(line)?;
    Some(line.get(prompt.len()..).unwrap_or_default().trim())
}

#[cfg(test)]
#[path = "tests/dress.rs"]
mod tests;

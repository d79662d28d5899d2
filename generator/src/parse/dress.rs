//! Takes off what terminals and logs put on lines: colours, progress bars, time stamps, prompts.

use super::prelude::*;

/// Escape sequences of terminals: `ESC [ … letter`, titles `ESC ] … BEL` and the like, and short ones.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\x1b(?:\[[^@-~]*[@-~]?|[\]_P^][^\x07\x1b]*\x07?|[()].|.)?";
    Regex::new(pattern).expect("a constant pattern")
});

/// The time at the start of each line of a log, of GitHub's, GitLab's or Jenkins', and GitHub's marks
/// such as `##[group]`. `gh run view --log` puts job and step before the time, and GitLab a number
/// after it.
static LOG: LazyLock<Expression> = LazyLock::new(|| {
    let time = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?";
    let stamp = format!(r"(?:[^\t]+\t[^\t]+\t)?\x{{feff}}?\[?{time}\]?(?: \d\d[OE][ +]| |$)");
    let mark = r"##\[group\]Run |##\[[a-z]+\]|::[a-z]+(?: [^:]*)?::";
    Expression::new(&format!("^(?:{stamp}(?:{mark})?|{mark})"))
});

/// What a shell prints before a command.
static PROMPT: LazyLock<Expression> = LazyLock::new(|| {
    let place = r"[\w.-]+@[\w.-]+:\S*|\[[\w.-]+@[\w.-]+ [^\]]*\]|(?:ba|z|da)?sh-[\d.]+";
    Expression::new(&format!(r"^(?:\([\w.-]+\) )?(?:{place})?[$%](?: |$)"))
});

/// Cargo runs a program with its arguments.
static RUN: LazyLock<Expression> = LazyLock::new(|| Expression::new("^ *Running `(.*)`$"));

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
    let mut shown = match body.contains('\u{1b}') {
        true => ESCAPE.replace_all(body, ""),
        false => Cow::Borrowed(body),
    };
    if shown.contains('\r') {
        // A progress bar writes over itself.
        let last = shown.rsplit('\r').find(|part| !part.trim().is_empty());
        shown = Cow::Owned(last.unwrap_or_default().to_owned());
    }
    if let Some(found) = LOG.captures(&shown) {
        let prompt = if found[0].ends_with("Run ") { "$ " } else { "" };
        shown = Cow::Owned(prompt.to_owned() + &shown[found[0].len()..]);
    }
    match shown {
        Cow::Borrowed(_) => Cow::Borrowed(line),
        Cow::Owned(shown) if line.ends_with('\n') => Cow::Owned(shown + "\n"),
        shown => shown,
    }
}

/// The command after a prompt, or after the `+` of `set -x`, or of cargo; empty after the last prompt.
pub(super) fn command(line: &str) -> Option<&str> {
    if let Some([_, command]) = RUN.groups(line) {
        return Some(command);
    }
    if line.starts_with('+') {
        let command = line.trim_start_matches('+').strip_prefix(' ')?;
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

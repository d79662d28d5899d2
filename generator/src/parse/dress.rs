//! Takes off what terminals and logs put on lines: colours, progress bars, time stamps, prompts.

use super::pattern::Pattern;
use std::borrow::Cow;

/// The shapes of the time at the start of each line of a log: of GitHub's and GitLab's, of
/// Jenkins', of `ts` and journald.
const TIMES: [&str; 5] = [
    "0000-00-00T00:00:00",
    "0000-00-00 00:00:00",
    "00:00:00",
    "Aaa 00 00:00:00",
    "Aaa  0 00:00:00",
];

/// The line after the time of a log. `gh run view --log` puts job and step before it, and syslog a
/// priority; GitLab, Kubernetes, syslog and journald put more after it.
fn unstamped(line: &str) -> Option<&str> {
    let job_and_step = || line.splitn(3, '\t').nth(2);
    let line =
        match line.starts_with(|c: char| c.is_ascii_digit() || "[<JFMASOND\u{feff}".contains(c)) {
            true => line,
            false => job_and_step()?,
        };
    let line = line.trim_start_matches('\u{feff}');
    // `[pod/NAME/CONTAINER] ` of `kubectl logs --prefix`
    if let Some((_, rest)) = line
        .strip_prefix("[pod/")
        .and_then(|pod| pod.split_once("] "))
    {
        return Some(unstamped(rest).unwrap_or(rest));
    }
    let priority = line.strip_prefix('<').and_then(|line| line.split_once('>'));
    let line = priority.map_or(line, |(_, rest)| rest);
    // RFC 5424
    let (is_syslog, line) = match line.strip_prefix("1 ") {
        Some(rest) if priority.is_some() => (true, rest),
        _ => (false, line),
    };
    let inside = line.strip_prefix('[');
    let start = inside.unwrap_or(line).as_bytes();
    let has_shape = |shape: &str| {
        start.len() >= shape.len()
            && start
                .iter()
                .zip(shape.bytes())
                .all(|(byte, known)| match known {
                    b'0' => byte.is_ascii_digit(),
                    b'A' => byte.is_ascii_uppercase(),
                    b'a' => byte.is_ascii_lowercase(),
                    known => *byte == known,
                })
    };
    let shape = TIMES.iter().find(|shape| has_shape(shape))?;
    let mut rest = &inside.unwrap_or(line)[shape.len()..];
    let digits = |text: &str| {
        text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':')
            .len()
    };
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        rest = &fraction[fraction.len() - digits(fraction)..];
    }
    if let Some(zone) = rest.strip_prefix(['+', '-']) {
        rest = &zone[zone.len() - digits(zone)..];
    }
    rest = rest.strip_prefix('Z').unwrap_or(rest);
    if inside.is_some() {
        rest = rest.strip_prefix(']')?;
    }
    let Some(rest) = rest.strip_prefix(' ') else {
        return rest.is_empty().then_some(rest);
    };
    let stream = ["stdout F ", "stdout P ", "stderr F ", "stderr P "];
    let more = match rest.as_bytes() {
        [b'0'..=b'9', b'0'..=b'9', b'O' | b'E', b' ' | b'+', ..] => Some(&rest[4..]),
        _ if is_syslog => SYSLOG.groups(rest).map(|[head]| &rest[head.len()..]),
        _ => match HOST.groups(rest) {
            Some([host]) => Some(&rest[host.len()..]),
            None => stream.iter().find_map(|stream| rest.strip_prefix(stream)),
        },
    };
    Some(more.unwrap_or(rest))
}

/// `host bench[123]: `
static HOST: Pattern = Pattern::marked("]: ", r"^[\w.-]+ [^\s\[]+\[\d+\]: ");
/// Host, application, process, message and structured data.
static SYSLOG: Pattern = Pattern::new(r"^(?:\S+ ){4}(?:-|(?:\[[^\]]*\])+) ");
/// The name of a container, in a column of its own; `act` puts that of the job.
static CONTAINER: Pattern = Pattern::marked(" |", r"^([A-Za-z0-9][\w.-]*|\[[^\]]+\]) +\|(?: |$)");

/// The text without the names of containers that `docker compose` puts before each line: in a
/// table, hardly any two rows that follow each other have the same name.
fn without_containers(text: &str) -> Option<String> {
    if !text.contains(" |") {
        return None;
    }
    let mut shown = String::new();
    let (mut above, mut lines, mut alike) = ("", 0, 0);
    for line in text.split_inclusive('\n') {
        let Some([head, name]) = CONTAINER.groups(line) else {
            shown += line;
            continue;
        };
        lines += 1;
        alike += usize::from(above == name);
        above = name;
        shown += &line[head.len()..];
    }
    (alike * 3 > lines).then_some(shown)
}

/// `##[group]Run cargo bench`
static MARKER: Pattern = Pattern::new(r"^(?:##\[[a-z]+\]|::[a-z]+(?: [^:]*)?::)");

/// What a shell prints before a command, or `set -x`.
static PROMPT: Pattern = Pattern::new(
    r"^(?:(?:\([\w.-]+\) )?(?:|[\w.-]+@[\w.-]+:\S*|[\w.-]+@[\w.-]+[ :]\S+ |\[[\w.-]+@[\w.-]+ [^\]]*\]|(?:ba|z|da)?sh-[\d.]+)[$#%](?: |$)|[\w.-]+:\S* [\w.-]+\$(?: |$)|(?:PS )?[A-Za-z]:\\[^>]*> ?|PS /[^>]*> |➜ +\S+ git:\([^)]*\)(?: ✗)? |[❯➜] +|\++ [\w./])",
);

/// The text without dressing, in as many lines.
pub(super) fn undressed(text: &str) -> Cow<'_, str> {
    let plain = each_undressed(text);
    match without_containers(&plain) {
        Some(text) => Cow::Owned(each_undressed(&text).into_owned()),
        None => plain,
    }
}

fn each_undressed(text: &str) -> Cow<'_, str> {
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
    if let Some(text) = unstamped(&shown) {
        shown = Cow::Owned(text.to_owned());
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

/// The command after a prompt; empty after the last prompt.
pub(super) fn command(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    if !line.starts_with('+')
        && memchr::memchr3(b'$', b'#', b'%', bytes).is_none()
        && memchr::memchr2(b'>', 0xe2, bytes).is_none()
    {
        return None;
    }
    let is_before = |at: usize, c: char| {
        line[at + c.len_utf8()..]
            .chars()
            .next()
            .is_none_or(|next| next == ' ')
    };
    let may_be = |(at, c): (usize, char)| match c {
        '$' | '#' | '%' | '❯' | '➜' => is_before(at, c),
        '>' => line.starts_with("PS ") || line.get(1..3) == Some(":\\"),
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

//! Properties of reading any bytes: it does not panic, the figures it accepts are in the file, and
//! problems have valid lines.

use crate::base::escape::is_bidi_control;
use crate::base::failure::Diagnostic;
use crate::model::observation::Value;
use crate::model::scenario::{Scenario, Workload};
use crate::parse::{Collector, Parsed, WHOLE, parse, text, tidy};
use std::path::Path;

/// Checks a text, also in the formats that its start does not show.
pub(super) fn check(bytes: &[u8]) {
    let name = "latency-fullhs-tls13-server-1-latency.tsv";
    if let Ok(text) = text(Path::new(name), bytes) {
        match parse(name, bytes) {
            Ok(parsed) => accepted(name, text, &parsed),
            Err(problems) => refused(text, &problems),
        }
    }
    let text = String::from_utf8_lossy(bytes);
    for (.., parse) in WHOLE {
        parse(&text, &mut Collector::new(Path::new(name)));
    }
}

fn refused(text: &str, problems: &[Diagnostic]) {
    let lines: Vec<&str> = text.lines().collect();
    // In CSV it ends a record, so the next one may start in the middle of a line.
    let has_lone_return = text.replace("\r\n", "").contains('\r');
    // It could be taken for the start of a quotation, and names may have a line of their own.
    let is_confusing = has_lone_return || text.contains('`') || text.contains("time:   [");
    assert!(!problems.is_empty(), "refused without a problem");
    for Diagnostic { line, message, .. } in problems {
        let number = *line as usize;
        assert!(number <= lines.len() + 1, "{line}: {message}");
        let is_plain = |c: char| !c.is_control() && !is_bidi_control(c);
        assert!(message.chars().all(is_plain), "{message:?}");
        assert!(message.len() < 2_000, "{message}");
        // If a message quotes a whole line, that line is its line. Quoted text is escaped.
        let cited = message.rsplit('`').nth(1).unwrap_or_default();
        let is_long = cited.len() > MIN_LINE && !cited.contains('\\');
        // serde_json writes numbers anew.
        let is_number = cited.parse::<f64>().is_ok();
        let is_line = is_long && !is_confusing && !is_scenario(cited) && !is_number;
        if is_line && number > 0 && lines.iter().any(|line| line.trim_end() == cited) {
            // Cells are quoted with different separators, and long lines are truncated.
            let words = |text: &str| text.replace(|c: char| !c.is_alphanumeric(), "");
            let named = lines.get(number - 1..).filter(|lines| !lines.is_empty());
            let named = named.map_or_else(String::new, |lines| words(&record(lines)));
            let is_there = named.contains(&words(cited));
            assert!(is_there, "{line}: {message}");
        }
    }
}

/// Whether this is a label of the generator, which another line may happen to contain.
fn is_scenario(cited: &str) -> bool {
    let scenario = Scenario::from_label(cited);
    scenario.is_ok_and(|s| !matches!(s.workload, Workload::Other(_)) && s.label() == cited)
}

/// The first line, with those over which a quotation in it extends in CSV.
fn record(lines: &[&str]) -> String {
    let has_odd = |line: &&str| line.matches('"').count() % 2 == 1;
    let mut odd = lines.iter().enumerate().filter(|(_, line)| has_odd(line));
    let end = match (odd.next(), odd.next()) {
        (Some((0, _)), end) => end.map_or(lines.len() - 1, |(end, _)| end),
        _ => 0,
    };
    lines[..=end].join("\n")
}

/// Shorter quotations may be cells, which may also be another whole line.
const MIN_LINE: usize = 20;

fn accepted(name: &str, text: &str, parsed: &Parsed) {
    let lines: Vec<&str> = text.lines().collect();
    let values = parsed.observations.iter().map(|row| &row.value);
    let numbers = values.filter_map(|value| match value {
        Value::Number(base) => Some(*base),
        _ => None,
    });
    let numbers: Vec<f64> = numbers.collect();
    assert!(numbers.iter().all(|n| n.is_finite() && *n >= 0.0));
    for row in &parsed.observations {
        let number = row.line as usize;
        assert!(number <= lines.len(), "{row:?}");
        if let (Value::Number(base), Some(line)) = (&row.value, number.checked_sub(1)) {
            // A line that a program printed may begin in an earlier event than it ends in, and an entry
            // may take its figure from a line above its row.
            let start = match lines[line].contains("\"Action\":\"output\"") {
                true => 0,
                false => line.saturating_sub(3),
            };
            let printed = lines[start..line].iter().map(|line| format!("{line} "));
            let line = printed.collect::<String>() + &record(&lines[line..]);
            // Without markup: `2**74**` is rendered, and read, as 274.
            let shown = || line.replace(['*', '_', '`', '~', '\\', '"'], "");
            let is_in = |text: &str| is_printed(*base, text);
            let is_there = is_in(&line) || is_in(&shown()) || cells(&line).iter().any(|c| is_in(c));
            assert!(is_there, "{row:?} in {line}");
        }
    }
    if !text.contains('\r') {
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(parse(name, windows.as_bytes()).as_ref(), Ok(parsed));
    }
    let written = tidy::write(&parsed.observations);
    if written.lines().nth(1).is_some() {
        let read = parse("a.csv", written.as_bytes());
        let read = read.unwrap_or_else(|problems| panic!("{problems:?} in\n{written}"));
        assert_eq!(tidy::write(&read.observations), written);
    }
}

/// The cells of a CSV record: `"1,2".5` is one cell, read as 12.5.
fn cells(record: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_reader(record.as_bytes());
    let mut cells = csv::StringRecord::new();
    reader.read_record(&mut cells).expect("UTF-8");
    cells.iter().map(str::to_owned).collect()
}

/// Possible factors from printed figures to base units.
const FACTORS: [f64; 16] = [
    1.0,
    1e-12,
    0.125,
    125.0,
    1e3 * 125.0,
    1e-9,
    1e-6,
    1e-3,
    1e3,
    1e6,
    1e9,
    1e12,
    1024.0,
    1024.0 * 1024.0,
    1024.0 * 1024.0 * 1024.0,
    1024.0 * 1024.0 * 1024.0 * 1024.0,
];

/// Whether a figure in base units is among the numbers in a line, in any unit, or computed from
/// two.
fn is_printed(base: f64, line: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || ".,eE+-".contains(c);
    let runs = line.split(|c| !is_of_number(c));
    let numbers = runs.flat_map(|run| {
        let parts = run.split(',').map(str::to_owned);
        parts.chain([run.replace(',', ""), run.replace(',', ".")])
    });
    let number = |text: String| {
        let text = text.trim_matches(|c: char| !c.is_ascii_digit() && c != '.');
        text.parse::<f64>().into_iter().next()
    };
    let numbers: Vec<f64> = numbers.filter_map(number).chain([1.0]).collect();
    let is_base = |n: f64| {
        let ratio = n / base;
        FACTORS.iter().any(|f| (ratio * f - 1.0).abs() < 1e-9) || n == base
    };
    let mut quotients = numbers
        .iter()
        .flat_map(|a| numbers.iter().map(move |b| a / b));
    numbers.iter().copied().any(is_base) || quotients.any(is_base)
}

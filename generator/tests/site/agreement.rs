//! A figure has one text and a pair of builds one verdict in a row, wherever they stand, and both are those of
//! `data.csv`.

use super::data::{Report, Row, judge};
use super::pages::{Site, select};
use super::reader::{Reader, Said, What, compared};
use generator::stats::{Change, Comparison, Verdict};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A number as it is shown, in the unit of `data.csv`, and half a step of its last digit.
#[derive(Clone, Copy)]
struct Shown(f64, f64);

impl Shown {
    /// Parses `1,234.5`.
    fn parse(text: &str, factor: f64) -> Option<Self> {
        let plain = text.replace(',', "");
        let decimals = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
        let step = factor * 0.1f64.powi(decimals as i32);
        let Ok(number) = plain.parse::<f64>() else {
            return None;
        };
        Some(Self(number * factor, step / 2.0))
    }

    fn is(self, exact: f64) -> bool {
        (self.0 - exact).abs() <= self.1 + exact.abs() * 1e-9
    }
}

/// The unit of `data.csv` for one that a page shows, and the factor to it.
fn unit(symbol: &str) -> (&str, f64) {
    match symbol {
        "hs/s" => ("handshakes/s", 1.0),
        "µs" => ("ns", 1e3),
        "ms" => ("ns", 1e6),
        "s" => ("ns", 1e9),
        "MiB" => ("KiB", 1024.0),
        other => (other, 1.0),
    }
}

/// The row of a place; where that does not say the unit, the first that is no count, if there is one.
fn row<'r>(report: &'r Report, said: &Said<'_>) -> Option<&'r Row> {
    match &*said.symbol {
        "" => {
            let rows = report.rows.iter().filter(|row| row.label == said.label);
            rows.rev().max_by_key(|row| !row.is_count())
        }
        symbol => report.row(&said.label, unit(symbol).0),
    }
}

/// All places of the site that do not say what the data does, and figures that stand nowhere.
pub(crate) fn disagreements(site: &Site) -> Vec<String> {
    let mut found = Vec::new();
    let mut said = compared(site);
    for page in site.pages() {
        let reader = Reader::of(site, page).read();
        let unread = reader.unread.into_iter();
        found.extend(unread.map(|place| format!("{place}: not read")));
        said.extend(reader.said);
    }
    found.extend(missing(site, &said));
    let (wrong, [figures, verdicts]) = wrong(&said);
    found.extend(wrong);
    let is_enough = figures > site.least[0] && verdicts > site.least[1];
    if !is_enough {
        found.push(format!(
            "only {figures} figures and {verdicts} verdicts were found"
        ));
    }
    found
}

/// What a report's page of all figures lacks: figures, and cells of what a build does not support.
fn missing(site: &Site, said: &[Said<'_>]) -> Vec<String> {
    let mut known = HashSet::new();
    for one in said {
        if let What::Figure {
            of: (report, build),
            ..
        } = one.what
            && one.page.ends_with("/figures/index.html")
            && let Some(row) = row(report, one)
        {
            known.insert((std::ptr::from_ref(row), build));
        }
    }
    let mut missing = Vec::new();
    for report in &site.reports {
        let page = site.page(&format!("perf/{}/figures/index.html", report.name));
        let shown = select(&page.html, "td.unsupported").len();
        let cells = report.rows.iter().map(|row| {
            let builds = row.builds.iter();
            builds.filter(|build| !row.has(**build)).count()
        });
        let unsupported: usize = cells.sum();
        if shown != unsupported {
            missing.push(format!(
                "{}: {shown} of {unsupported} cells are unsupported",
                page.name
            ));
        }
        for row in &report.rows {
            let builds = (0..report.builds.len()).filter(|build| row.has(*build));
            for build in builds.filter(|build| !known.contains(&(std::ptr::from_ref(row), *build)))
            {
                let name = site.name(report, build);
                missing.push(format!(
                    "{}: no {} of {name} in {}",
                    report.name, row.label, row.symbol
                ));
            }
        }
    }
    missing
}

/// What contradicts the data or another place, and how many figures and verdicts there are.
fn wrong(said: &[Said<'_>]) -> (Vec<String>, [usize; 2]) {
    let mut found = Vec::new();
    let mut texts: HashMap<String, (&str, &str)> = HashMap::new();
    let mut judged: BTreeMap<String, Vec<Option<Comparison>>> = BTreeMap::new();
    let mut numbers = [0, 0];
    for one in said {
        let place = format!("{}: `{}`", one.place, one.text);
        let problem = match &one.what {
            What::Figure { of, .. } => {
                numbers[0] += 1;
                let Some(row) = row(of.0, one).filter(|row| row.has(of.1)) else {
                    found.push(format!("{place}: `{}` is not in data.csv", one.label));
                    continue;
                };
                let key = format!(
                    "{}\n{}\n{}\n{}\n{}",
                    of.0.name, of.1, row.label, row.symbol, one.symbol
                );
                let other = match &one.what {
                    What::Figure { .. } if !one.symbol.is_empty() => {
                        let (text, elsewhere) =
                            *texts.entry(key).or_insert((&one.text, &one.place));
                        (text != one.text).then(|| format!("but `{text}` in {elsewhere}"))
                    }
                    _ => None,
                };
                other.or_else(|| of_figure(row, one))
            }
            What::Verdict {
                sides,
                class,
                evidence,
            } => {
                numbers[1] += 1;
                let key = sides
                    .map(|(report, build)| format!("{}\n{build}\n", report.name))
                    .concat();
                let all = judged.entry(key).or_insert_with(|| judge(*sides));
                let rows = sides[1].0.rows.iter();
                let known = row(sides[1].0, one).and_then(|row| {
                    rows.zip(all)
                        .find(|(other, _)| std::ptr::eq(*other, row))?
                        .1
                        .as_ref()
                });
                match known {
                    None => Some(format!("`{}` has no verdict in data.csv", one.label)),
                    Some(known) => of_verdict(known, one, class, evidence),
                }
            }
        };
        found.extend(problem.map(|problem| format!("{place}: {problem}")));
    }
    (found, numbers)
}

fn of_figure(row: &Row, said: &Said<'_>) -> Option<String> {
    let What::Figure {
        of: (_, build),
        beside,
        is_unsteady,
        interval,
    } = &said.what
    else {
        return None;
    };
    let estimate = row.estimate(*build)?;
    let factor = match &*said.symbol {
        "" => 1.0,
        symbol => unit(symbol).1,
    };
    let shown = Shown::parse(&said.text, factor);
    if !shown.is_some_and(|shown| shown.is(estimate)) {
        return Some(format!("is {estimate}"));
    }
    let width = row.half_width(*build).unwrap_or(0.0);
    let spread = beside
        .as_ref()
        .map(|beside| beside.split(", ").find(|part| part.starts_with('±')));
    let is_spread = match spread {
        None => true,
        Some(None) => width == 0.0,
        Some(Some(text)) => {
            let shown = Shown::parse(text.trim_matches(['±', '%']), 0.01);
            shown.is_some_and(|shown| shown.is(width))
        }
    };
    if !is_spread {
        return Some(format!("with {beside:?}, is ±{width}"));
    }
    if is_unsteady.is_some_and(|marked| marked != row.is_unsteady(*build)) {
        return Some(format!(
            "is ±{width}, unsteady: {}",
            row.is_unsteady(*build)
        ));
    }
    let known = row.interval(*build);
    let is_interval = interval.as_ref().is_none_or(|shown| {
        let [low, high] = shown.each_ref().map(|end| Shown::parse(end, factor));
        known
            .is_some_and(|i| low.is_some_and(|s| s.is(i.low)) && high.is_some_and(|s| s.is(i.high)))
    });
    (!is_interval).then(|| format!("with {interval:?}, is {known:?}"))
}

/// The words for a verdict, and the class of its cell.
fn of_verdict(known: &Comparison, said: &Said<'_>, class: &str, evidence: &str) -> Option<String> {
    // A ratio that is turned twice may end on the other side of a half.
    let turned = known.reversed().reversed().change.to_string();
    let change = match known.change.to_string() {
        _ if turned == said.text => turned,
        change => change,
    };
    let untested = [format!("{change} *"), format!("{change}, untested")];
    let (texts, look) = match known.verdict {
        Verdict::Better => (vec![&*change], "good"),
        Verdict::Worse => (vec![&*change], "bad"),
        Verdict::Differs => (vec![&*change], "even"),
        Verdict::Same => (vec!["=", "no difference", "no difference of 1%"], "even"),
        Verdict::NotShown => (vec!["~", "not shown", "no difference shown"], "even"),
        Verdict::Untested => (untested.iter().map(|text| &**text).collect(), "unknown"),
    };
    if !texts.contains(&&*said.text) {
        return Some(format!("is {change}, {:?}", known.verdict));
    }
    if !class.is_empty() && class.split(' ').all(|own| own != look) {
        return Some(format!("has class {class}, not {look}"));
    }
    let evidence = evidence.replace('\u{a0}', " ");
    let parts = || evidence.split(", ");
    let p = known.p().map(|p| match p < 0.001 {
        true => "p < 0.001".to_owned(),
        false => format!("p = {p:.3}"),
    });
    let said_p = parts().find(|part| part.starts_with("p "));
    if said_p.is_some_and(|said| Some(said) != p.as_deref()) {
        return Some(format!("with {evidence}, has {p:?}"));
    }
    let interval = known.interval.map(|i| {
        let end = |ratio: f64| Change {
            ratio,
            ..known.change
        };
        let mut ends = [end(i.low), end(i.high)];
        ends.sort_by(|a, b| a.size().total_cmp(&b.size()));
        ends.map(|end| end.precise_amount()).join(" to ")
    });
    let said_interval = parts().find(|part| part.contains(" to "));
    let is_plain = known.verdict.is_change() && said_interval.is_some();
    (is_plain && said_interval != interval.as_deref())
        .then(|| format!("with {evidence}, has {interval:?}"))
}

//! Every sentence that ranks or claims a change, computed again: figures from the `data.csv` that
//! the page offers, verdicts by `generator compare`.

mod places;

use super::agreement::{Shown, reader::unit};
use super::built;
use crate::common::{self, Folder, generator, read, repository};
use generator::model::version::Version;
use generator::stats::{Estimator, Sample};
use regex::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

/// A library, its version and variant.
type Build = (String, String, String);

/// The figures of a report by build, scenario and unit: the value of each run.
type Figures = BTreeMap<(Build, String, String), Vec<(u32, f64)>>;

/// A report's downloads.
struct Report {
    name: String,
    figures: Figures,
    /// In the order of the data.
    builds: Vec<Build>,
    is_paired: bool,
}

fn report(name: &str) -> &'static Report {
    static REPORTS: Mutex<BTreeMap<String, &Report>> = Mutex::new(BTreeMap::new());
    let mut reports = REPORTS.lock().expect("no panic");
    reports
        .entry(name.to_owned())
        .or_insert_with(|| Box::leak(Box::new(Report::read(name))))
}

fn sample(runs: &[(u32, f64)]) -> Sample {
    Sample::new(runs.iter().map(|(_, value)| *value).collect()).expect("figures")
}

fn median(runs: &[(u32, f64)]) -> f64 {
    sample(runs).estimate(Estimator::Median)
}

impl Report {
    fn read(name: &str) -> Self {
        let table = built("/").read(&format!("content/perf/{name}/data.csv"));
        let (mut figures, mut builds) = (Figures::new(), Vec::new());
        for row in common::rows(&table) {
            let cell = |name: &str| row[name].clone();
            if let (Ok(value), true) = (row["value"].parse(), is_measured(&row["unit"])) {
                let build = (cell("implementation"), cell("version"), cell("variant"));
                if !builds.contains(&build) {
                    builds.push(build.clone());
                }
                let runs = figures.entry((build, cell("scenario"), cell("unit")));
                let run = row["run"].parse().unwrap_or_default();
                runs.or_default().push((run, value));
            }
        }
        let manifest = read(&repository().join(format!("data/{name}/report.toml")));
        Self {
            name: name.to_owned(),
            figures,
            builds,
            is_paired: manifest.contains("\npaired = true\n"),
        }
    }

    /// The builds with a figure in a scenario and unit.
    fn builds(&self, scenario: &str) -> Vec<&Build> {
        let found = self.figures.keys().filter(|(_, s, _)| s == scenario);
        found.map(|(build, ..)| build).collect()
    }

    /// The builds whose release and variant have all of these words.
    fn named(&self, words: &str) -> Vec<&Build> {
        let (release, variant) = words.split_once(" + ").unwrap_or((words, ""));
        let fits = |build: &&Build| {
            let parts: Vec<&str> = build.2.split('+').collect();
            let has = |part: &str| part.is_empty() || parts.contains(&part);
            release_of(build) == release && variant.split(", ").all(has)
        };
        self.builds.iter().filter(|build| fits(build)).collect()
    }

    fn build(&self, words: &str) -> &Build {
        let found = self.named(words);
        found
            .first()
            .unwrap_or_else(|| panic!("{}: no {words}", self.name))
    }

    fn runs(&self, build: &Build, scenario: &str) -> Option<(&str, &[(u32, f64)])> {
        let mut all = self.figures.iter();
        let found = all.find(|((b, s, _), _)| b == build && s == scenario);
        found.map(|((.., unit), runs)| (unit.as_str(), runs.as_slice()))
    }

    /// new / old: the median of the ratios of the runs if they are paired, else the ratio of the
    /// medians.
    fn ratio(&self, scenario: &str, old: &Build, new: &Build) -> f64 {
        let values = |build| self.runs(build, scenario).expect("a figure").1;
        let (old, new) = (values(old), values(new));
        let both = || old.iter().zip(new);
        let is_paired = old.len() == new.len() && both().all(|(old, new)| old.0 == new.0);
        // Percentiles of histograms are those of a file, which does not tell its run.
        let is_paired = is_paired && !scenario.starts_with("latency");
        if !self.is_paired || !is_paired {
            return median(new) / median(old);
        }
        let mut logarithms: Vec<f64> = both().map(|(old, new)| (new.1 / old.1).ln()).collect();
        logarithms.sort_by(f64::total_cmp);
        let n = logarithms.len();
        ((logarithms[(n - 1) / 2] + logarithms[n / 2]) / 2.0).exp()
    }

    /// `1.54x faster`, `27% less`, from the ratio alone.
    fn change(&self, scenario: &str, old: &Build, new: &Build) -> String {
        let ratio = self.ratio(scenario, old, new);
        let (unit, _) = self.runs(new, scenario).expect("a figure");
        let is_rate = unit.ends_with("/s");
        match unit {
            "KiB" | "MiB" if ratio < 1.0 => format!("{:.0}% less", (1.0 - ratio) * 100.0),
            "KiB" | "MiB" => format!("{:.0}% more", (ratio - 1.0) * 100.0),
            _ if (ratio > 1.0) == is_rate => format!("{:.2}x faster", ratio.max(1.0 / ratio)),
            _ => format!("{:.2}x slower", ratio.max(1.0 / ratio)),
        }
    }
}

/// `rustls 0.23.46`, `BoringSSL (boring 5.4.0)`
fn release_of((library, version, _): &Build) -> String {
    match version.strip_prefix("boring-") {
        Some(number) => format!("{library} (boring {number})"),
        None => format!("{library} {version}").trim_end().to_owned(),
    }
}

/// The builds as the command line names them.
fn argument((library, version, variant): &Build) -> String {
    let variant = variant.split('+').filter(|part| !part.is_empty());
    let name = format!("{library} {version}");
    let parts = [name.trim_end()].into_iter().chain(variant);
    parts.collect::<Vec<_>>().join(", ")
}

/// The verdict of `generator compare` on a scenario, as on the compare page, where all scenarios of
/// the two are one table: its words, or `same`, `not-shown` or `untested`.
fn verdict(report: &Report, scenario: &str, old: &Build, new: &Build) -> String {
    type Verdicts = Arc<OnceLock<BTreeMap<String, String>>>;
    static KNOWN: Mutex<BTreeMap<(Build, Build), Verdicts>> = Mutex::new(BTreeMap::new());
    let is_single = |build| {
        report
            .runs(build, scenario)
            .is_none_or(|(_, runs)| runs.len() < 2)
    };
    if is_single(old) || is_single(new) {
        return "untested".to_owned();
    }
    let sides = (old.clone(), new.clone());
    let known = KNOWN
        .lock()
        .expect("no panic")
        .entry(sides)
        .or_default()
        .clone();
    let all = known.get_or_init(|| compare(report, [old, new]));
    all.get(scenario).cloned().unwrap_or_default()
}

/// The verdicts on two builds, from the folders of these and of what was measured twice: a program
/// reads them faster than the whole report.
fn compare(report: &Report, sides: [&Build; 2]) -> BTreeMap<String, String> {
    let data = repository().join("data").join(&report.name);
    let manifest = read(&data.join("report.toml"));
    let folder = Folder::in_memory();
    let mut kept = format!("paired = {}\n", report.is_paired);
    for declared in manifest.split("[[implementation]]").skip(1) {
        let line = |key: &str| {
            let mut lines = declared.lines();
            lines
                .find(|line| line.starts_with(&format!("{key} = ")))
                .unwrap_or_default()
        };
        let value = |key: &str| {
            let text = line(key).trim_start_matches(key).trim_start_matches(" = ");
            text.replace(['"', '[', ']'], "").replace(", ", "+")
        };
        let build = ["name", "version", "variant"].map(|key| value(key).replace("+control", ""));
        let is_side = sides
            .iter()
            .any(|(n, v, variant)| build == [n.as_str(), v, variant]);
        let is_control =
            manifest.contains("\"control\"]") && build == CONTROLLED.map(str::to_owned);
        if is_side || is_control {
            let files = value("files");
            let files = files.trim_end_matches('/');
            common::copy(&data.join(files), &folder.join(&format!("report/{files}")));
            let lines = ["name", "version", "variant", "files"].map(line);
            kept += &format!("[[implementation]]\n{}\n", lines.join("\n"));
        }
    }
    folder.write("report/report.toml", kept);
    let [old, new] = sides.map(|build| format!("report:{}", argument(build)));
    let output = generator(folder.path(), &["compare", "--format", "json", &old, &new]).success();
    let rows: Vec<serde_json::Value> = serde_json::from_str(&output.stdout).expect("JSON");
    let rows = rows
        .iter()
        .filter(|row| row["unit"].as_str().is_some_and(is_measured));
    let words = |row: &serde_json::Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let words = match &*text("verdict") {
            "same" | "not-shown" | "untested" => text("verdict"),
            _ => text("change"),
        };
        (text("scenario"), words)
    };
    rows.map(words).collect()
}

/// The program that the report of November 2026 has twice.
const CONTROLLED: [&str; 3] = ["rustls", "0.23.46", "aws-lc-rs+jemalloc"];

/// Whether it is a unit of rates, times or memory, and not of counts.
fn is_measured(unit: &str) -> bool {
    ["MiB/s", "handshakes/s", "ops/s", "ns", "KiB"].contains(&unit)
}

fn version(build: &Build) -> Version {
    build.1.as_str().into()
}

fn is_final(build: &Build) -> bool {
    !version(build).is_pre_release()
}

/// The builds that lead and those behind, best first, as the method page defines it; `None` where
/// nothing is ranked.
fn leading<'a>(report: &'a Report, scenario: &str) -> Option<[Vec<&'a Build>; 2]> {
    let names_group = ["x25519", "secp"]
        .iter()
        .any(|group| scenario.contains(group));
    let is_open =
        scenario.contains("full handshakes") || scenario.contains("resumed handshakes, 1.3");
    if is_open && !names_group {
        return None;
    }
    let measured = report.builds(scenario);
    let unit = report.runs(measured.first()?, scenario)?.0;
    let all: BTreeSet<&Build> = report.figures.keys().map(|(build, ..)| build).collect();
    let is_newest = |build: &Build| {
        let is_same = |b: &&&Build| b.0 == build.0 && b.2 == build.2 && is_final(b);
        let mut same = all.iter().filter(is_same);
        same.all(|b| version(b).cmp_release(&version(build)).is_le())
    };
    let mut ranked: Vec<(f64, &Build)> = Vec::new();
    for build in measured {
        let median = median(report.runs(build, scenario)?.1);
        if is_final(build) && is_newest(build) {
            ranked.push((median, build));
        }
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    if unit.ends_with("/s") {
        ranked.reverse();
    }
    let (_, best) = *ranked.first().filter(|_| ranked.len() > 1)?;
    let mut found = [vec![best], Vec::new()];
    for (_, other) in &ranked[1..] {
        match &*verdict(report, scenario, other, best) {
            "same" | "not-shown" => found[0].push(*other),
            "untested" => return None,
            _ => found[1].push(*other),
        }
    }
    Some(found)
}

/// Splits names that are joined with commas and `and`; variants are in brackets.
fn names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut depth = 0;
    for word in text.split(' ') {
        depth += word.matches('(').count();
        depth -= word.matches(')').count();
        match (word, depth) {
            ("and", 0) => names.push(String::new()),
            _ => {
                let last = names.last_mut().expect("one");
                *last += &format!("{}{word}", if last.is_empty() { "" } else { " " });
                if depth == 0 && last.ends_with(',') {
                    last.pop();
                    names.push(String::new());
                }
            }
        }
    }
    names
}

/// Whether a name such as `rustls 0.23.46 (aws-lc-rs)` stands for a build.
fn is_named(name: &str, build: &Build) -> bool {
    let Some(rest) = name.strip_prefix(&release_of(build)) else {
        return false;
    };
    let parts = rest
        .trim_start_matches(" (")
        .trim_end_matches(')')
        .split(", ");
    parts
        .into_iter()
        .all(|part| part.is_empty() || build.2.split('+').any(|p| p == part))
}

/// Whether a build's median is this figure.
fn is_figure(report: &Report, build: &Build, scenario: &str, shown: Shown) -> bool {
    shown.is(median(report.runs(build, scenario).expect("a figure").1))
}

fn shown(number: &str, symbol: &str) -> Shown {
    Shown::parse(number, unit(symbol).1).expect("a number")
}

/// The heading of a page, the report that its sentence is from, the sentence, and the scenario of
/// that.
fn answers(kind: &str) -> Vec<(String, &'static Report, String, String)> {
    let pages = common::files(&built("/").join(&format!("content/perf/{kind}")));
    let pages = pages.into_iter().filter(|path| path.ends_with("index.md"));
    let summary = Regex::new(
        "(?s)<p class=\"summary\"(?: data-of=\"([^\"]*)\")?>(.*?)</p>\n<p class=\"note\">From <a href=\"../../([^/]+)/\">",
    )
    .expect("an expression");
    let title = Regex::new("title = \"(.*)\"").expect("an expression");
    let mut found = Vec::new();
    for path in pages {
        let text = read(&path);
        let one = summary
            .captures(&text)
            .unwrap_or_else(|| panic!("{}", path.display()));
        let title = title.captures(&text).expect("a title")[1].to_owned();
        let of = one
            .get(1)
            .map_or_else(String::new, |of| of.as_str().to_owned());
        found.push((title, report(&one[3]), one[2].to_owned(), of));
    }
    found
}

#[test]
fn answers_of_scenarios() {
    let ranked = Regex::new(r"^Of the newest releases, (.+) (?:is|are) (?:fastest|best): (?:(?:.+) with )?([\d,.]+) (.+?)(, and (?:no difference from it is shown|the others differ from it by less than 1%))?(?:(?:, |\. .+ is )([\d.]+(?:x|%) \S+) than (.+))?\.$").expect("an expression");
    let equal =
        Regex::new("^(?:No difference between (.+) is shown|(.+) differ by less than 1%)[.]$")
            .expect("an expression");
    let plain = Regex::new(r"^((?:.+?) with (?:[\d,.]+)(?:(?:, | and ).+? with (?:[\d,.]+))*) (\S+)\.(?: (Each library chooses its key exchange here, so they are not ranked|Single figures are not ranked|They are of too few runs to be ranked|They are not ranked)\.)?$").expect("an expression");
    let one = Regex::new(r"(.+?) with ([\d,.]*\d)(?:, | and |$)").expect("an expression");
    let mut rankings = 0;
    for (title, report, sentence, scenario) in answers("scenarios") {
        let work = title.split(", ").next().expect("a word");
        let sentence = match sentence.split_once(": ") {
            Some((name, rest)) if name.starts_with(work) => rest,
            _ => &*sentence,
        };
        if scenario == "footprint" {
            check_size(report, &ranked.captures(sentence).expect("a ranking"));
            continue;
        }
        let found = leading(report, &scenario);
        let sentence = check_missing(report, &scenario, sentence);
        if let Some(parts) = ranked.captures(sentence) {
            rankings += 1;
            let [first, behind] =
                found.unwrap_or_else(|| panic!("{scenario} ranks nothing: {sentence}"));
            check_ranking(report, &scenario, &parts, &first, &behind);
            let all_same = first[1..]
                .iter()
                .all(|b| verdict(report, &scenario, b, first[0]) == "same");
            assert!(
                !sentence.contains("the others differ") || all_same,
                "{sentence}"
            );
            assert!(
                !sentence.contains("no difference from it") || !all_same,
                "{sentence}"
            );
        } else if let Some(parts) = equal.captures(sentence) {
            let [first, behind] = found.expect("builds");
            assert!(behind.is_empty(), "{scenario}: {sentence}");
            let said = parts.get(1).or(parts.get(2)).expect("names");
            let names = names(said.as_str());
            let all_same = first[1..]
                .iter()
                .all(|b| verdict(report, &scenario, b, first[0]) == "same");
            assert_eq!(parts.get(2).is_some(), all_same, "{sentence}");
            assert!(
                first
                    .iter()
                    .all(|b| names.iter().any(|name| is_named(name, b))),
                "{sentence}"
            );
        } else if let Some(parts) = plain.captures(sentence) {
            assert!(
                found.is_none(),
                "{scenario} is ranked, but not here: {sentence}"
            );
            for figure in one.captures_iter(&parts[1]) {
                let bounds = shown(&figure[2], &parts[2]);
                let builds = report.builds(&scenario);
                let named = builds
                    .into_iter()
                    .filter(|build| is_named(&figure[1], build));
                let fits = |build: &Build| is_figure(report, build, &scenario, bounds);
                assert!(
                    named.into_iter().any(fits),
                    "{scenario}: {}: {sentence}",
                    &figure[0]
                );
            }
        } else {
            panic!("{scenario}: no check of `{sentence}`");
        }
    }
    assert!(rankings > 30, "{rankings}");
}

/// Checks which of the newest releases a ranking says it is without, and returns it without that.
fn check_missing<'s>(report: &Report, scenario: &str, sentence: &'s str) -> &'s str {
    let (sentence, unsteady) = sentence
        .split_once(" Unsteady here: ")
        .unwrap_or((sentence, ""));
    let (sentence, missing) = sentence
        .split_once(" Not measured here: ")
        .unwrap_or((sentence, ""));
    let measured = report.builds(scenario);
    for name in names(missing.trim_end_matches('.')) {
        let is_there = measured.iter().any(|build| is_named(&name, build));
        assert!(
            name.is_empty() || !is_there,
            "{scenario}: {name} was measured"
        );
    }
    for name in names(unsteady.trim_end_matches('.')) {
        let is_wide = |build: &&&Build| {
            let runs = report.runs(build, scenario).expect("figures").1;
            let interval = generator::stats::Interval::of_median(&sample(runs));
            interval.is_some_and(|i| i.relative_half_width(median(runs)) > 0.05)
        };
        let mut named = measured.iter().filter(|build| is_named(&name, build));
        assert!(
            name.is_empty() || named.any(|build| is_wide(&build)),
            "{scenario}: {name} is steady"
        );
    }
    sentence
}

/// Sizes are exact: the smallest program is the best, without a test.
fn check_size(report: &Report, parts: &Captures<'_>) {
    let table = built("/").read(&format!("content/perf/{}/data.csv", report.name));
    let mut sizes: Vec<(u64, Build)> = Vec::new();
    for row in common::rows(&table) {
        if row["unit"] == "stripped bytes" {
            let build = ["implementation", "version", "variant"].map(|name| row[name].clone());
            sizes.push((row["value"].parse().expect("bytes"), build.into()));
        }
    }
    let (size, build) = sizes.iter().min().expect("a size");
    assert!(is_named(&parts[1], build), "{}", &parts[0]);
    assert_eq!(parts[2].replace(',', ""), size.to_string());
}

fn check_ranking(
    report: &Report,
    scenario: &str,
    parts: &Captures<'_>,
    first: &[&Build],
    behind: &[&Build],
) {
    let sentence = &parts[0];
    let names = names(&parts[1]);
    let is_leader = |build: &&&Build| names.iter().any(|name| is_named(name, build));
    // Of builds of one release that are alike, one is named.
    let is_said = |build: &&Build| {
        let mut alike = first
            .iter()
            .filter(|other| release_of(other) == release_of(build));
        alike.any(|other| is_leader(&other))
    };
    assert!(
        first.iter().all(is_said),
        "{scenario}: {first:?}: {sentence}"
    );
    // A name without a variant stands for the usual one, that of the library's first build.
    let is_usual = |build: &&&Build| {
        let mut own = report.builds.iter().filter(|known| known.0 == build.0);
        own.next().is_some_and(|first| first.2 == build.2)
    };
    let is_bare = |build: &&&Build| names.iter().any(|name| *name == release_of(build));
    let mut wrong = behind.iter().filter(is_leader);
    let wrong = wrong.find(|build| !is_bare(build) || is_usual(build));
    assert!(
        wrong.is_none(),
        "{scenario}: {wrong:?} is behind: {sentence}"
    );
    assert!(is_named(&names[0], first[0]), "{scenario}: {sentence}");
    let bounds = shown(&parts[2], &parts[3]);
    let mut alike = first.iter();
    let best = alike.find(|build| {
        release_of(build) == release_of(first[0]) && is_figure(report, build, scenario, bounds)
    });
    let best = best.unwrap_or_else(|| panic!("{scenario}: {:?}: {sentence}", first[0]));
    assert_eq!(parts.get(4).is_some(), names.len() > 1, "{sentence}");
    let releases: BTreeSet<String> = first.iter().map(|build| release_of(build)).collect();
    let next = behind
        .iter()
        .find(|build| !releases.contains(&release_of(build)));
    assert_eq!(
        next.is_some(),
        parts.get(5).is_some(),
        "{scenario}: {sentence}"
    );
    if let Some(next) = next {
        assert!(is_named(&parts[6], next), "{scenario}: {sentence}");
        for change in [
            report.change(scenario, next, best),
            verdict(report, scenario, next, best),
        ] {
            assert_eq!(change, parts[5], "{scenario}: {sentence}");
        }
    }
}

#[test]
fn answers_of_libraries() {
    let since =
        Regex::new(r"From (\S+) to (\S+?)(?: \(([^:]+?)\))?, on one machine: (.+?)\.(?: |$)")
            .expect("an expression");
    let leads = Regex::new("Of the newest releases of all libraries, (.+) is fastest, alone or with others, in ([0-9]+) of ([0-9]+) scenarios?[.]").expect("an expression");
    let change = Regex::new(
        r"as fast|as much|no difference shown|[\d.]+(?:x|%) (?:faster|slower|less|more)",
    )
    .expect("an expression");
    let mut checked = 0;
    for (library, report, answer, _) in answers("implementations") {
        let headlines = headlines(report);
        let mut rest = answer.clone();
        for parts in since.captures_iter(&answer) {
            checked += 1;
            let variant = parts.get(3).map_or("", |v| v.as_str());
            let build = |version: &str| match variant {
                "" => format!("{library} {version}"),
                variant => format!("{library} {version} + {variant}"),
            };
            // The first build of the newer release, and the older one of the same variant.
            let new = report.build(&build(&parts[2]));
            let old = report.named(&build(&parts[1]));
            let old = old
                .into_iter()
                .find(|b| b.2 == new.2)
                .expect("the first release");
            let words = headlines.iter().filter_map(|scenario| {
                let verdict = verdict(report, scenario, old, new);
                match &*verdict {
                    "same" => Some("as fast".to_owned()),
                    "not-shown" => Some("no difference shown".to_owned()),
                    words if words.contains('x') => {
                        assert_eq!(
                            report.change(scenario, old, new),
                            words,
                            "{library}, {scenario}"
                        );
                        Some(verdict)
                    }
                    _ => None,
                }
            });
            let found = change.find_iter(&parts[4]).map(|m| m.as_str().to_owned());
            assert!(words.eq(found), "{library}: {}", &parts[0]);
            rest = rest.replace(&parts[0], "");
        }
        if let Some(parts) = leads.captures(&answer) {
            checked += 1;
            let scenarios: BTreeSet<&str> =
                report.figures.keys().map(|(_, s, _)| s.as_str()).collect();
            let (mut first, mut ranked) = (0, 0);
            let is_rate = |scenario: &&str| {
                let others = ["latency", "memory", "writes"];
                !others.iter().any(|word| scenario.starts_with(word))
            };
            for scenario in kinds_of_work(scenarios.into_iter().filter(is_rate)) {
                let Some([leaders, behind]) =
                    leading(report, scenario).filter(|f| !f[1].is_empty())
                else {
                    continue;
                };
                let is_own = |build: &&Build| build.0 == parts[1];
                let is_first = leaders.iter().any(is_own);
                first += u32::from(is_first);
                ranked += u32::from(is_first || behind.iter().any(is_own));
            }
            assert_eq!(
                [first.to_string(), ranked.to_string()],
                [&parts[2], &parts[3]],
                "{library}"
            );
            rest = rest.replace(&parts[0], "");
        }
        let neutral = Regex::new(r"^\d+ reports? and \d+ scenarios?; the newest version is .+\.$")
            .expect("an expression");
        assert!(
            rest.trim().is_empty() || neutral.is_match(&rest),
            "{library}: no check of `{rest}`"
        );
    }
    assert!(checked > 6, "{checked}");
}

/// Of scenarios that differ in the number of threads or the size of writes, the one without, or the
/// one with the fewest.
fn kinds_of_work<'a>(scenarios: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let variation = Regex::new(", ([0-9]+)(?: threads?|-byte writes)").expect("an expression");
    let mut kinds: BTreeMap<String, (u32, &str)> = BTreeMap::new();
    for scenario in scenarios {
        let number = variation
            .captures(scenario)
            .map_or("0", |c| c.get(1).expect("a number").as_str());
        let number: u32 = number.parse().expect("a number");
        let kind = variation.replace_all(scenario, "").into_owned();
        let known = kinds.entry(kind).or_insert((number, scenario));
        *known = (*known).min((number, scenario));
    }
    kinds.into_values().map(|(_, scenario)| scenario).collect()
}

/// The headline scenarios that a report names.
fn headlines(report: &Report) -> Vec<String> {
    let manifest = read(&repository().join(format!("data/{}/report.toml", report.name)));
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let all = manifest.get("headline").and_then(|h| h.as_array());
    let all = all.into_iter().flatten();
    all.map(|label| label.as_str().expect("a label").to_owned())
        .collect()
}

//! Every sentence that ranks or claims a change, computed again: figures from the `data.csv` that the
//! page offers, verdicts by `generator compare`.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, generator, read, repository};
use generator::model::version::Version;
use generator::stats::{Estimator, Interval, Sample};
use regex_lite::{Captures, Regex};
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

/// The site with the pages of all reports.
fn site() -> &'static Folder {
    static SITE: OnceLock<Folder> = OnceLock::new();
    SITE.get_or_init(|| {
        let site = Folder::real_site();
        site.ingest(&repository().join("data"), &["-q"]).success();
        site
    })
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
        let table = site().read(&format!("content/perf/{name}/data.csv"));
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

    fn figure(&self, build: &str, scenario: &str) -> f64 {
        let runs = self.runs(self.build(build), scenario);
        median(runs.unwrap_or_else(|| panic!("{build} in {scenario}")).1)
    }

    /// new / old: the median of the ratios of the runs if they are paired, else the ratio of the medians.
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
        let ratios: Vec<_> = both().map(|(old, new)| (old.0, new.1 / old.1)).collect();
        median(&ratios)
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

    /// The ratios of a build to another, perhaps of an older report, in the scenarios that fit.
    fn ratios(&self, new: &str, (other, old): (&Self, &str), fits: &str) -> Vec<f64> {
        let fits = Regex::new(fits).expect("an expression");
        let scenarios: BTreeSet<&str> = self.figures.keys().map(|(_, s, _)| s.as_str()).collect();
        let scenarios = scenarios.into_iter().filter(|s| fits.is_match(s));
        let has = |report: &Self, build, s: &str| report.runs(report.build(build), s).is_some();
        let both = scenarios.filter(|s| has(self, new, s) && has(other, old, s));
        both.map(|s| self.figure(new, s) / other.figure(old, s))
            .collect()
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

/// `1.13x to 1.18x`
fn range(ratios: &[f64]) -> String {
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    format!("{least:.2}x to {most:.2}x")
}

fn inverse(ratios: &[f64]) -> Vec<f64> {
    ratios.iter().map(|ratio| 1.0 / ratio).collect()
}

/// The slope of memory over sessions, by least squares.
fn memory_of_a_session(report: &Report, build: &str) -> f64 {
    let points = [100.0, 1000.0, 5000.0, 10_000.0].map(|n: f64| {
        (
            n,
            report.figure(build, &format!("memory, 1.3, {n} sessions")),
        )
    });
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / 4.0;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - x, p.1 - y)).sum::<f64>();
    sum(&|x, y| x * y) / sum(&|x, _| x * x)
}

/// The sentences that authors wrote, with their figures from the data.
fn summaries() -> Vec<(&'static str, String)> {
    let [a2019, a2023, d2023, d2024] = [
        "2019-07-02-rustls-openssl",
        "2023-06-06-ssl-writev",
        "2023-12-13-x86_64",
        "2024-10-18-x86_64",
    ]
    .map(report);
    let [arm, threads, hello, hybrid] = [
        "2024-10-31-arm64",
        "2024-11-28-arm64",
        "2024-12-17-arm64",
        "2024-12-17-x86_64",
    ]
    .map(report);
    let [july, march, slices] = [
        "2025-07-31-x86_64",
        "2026-03-07-x86_64",
        "2026-11-25-x86_64",
    ]
    .map(report);
    let mut all = Vec::new();

    let of = |fits| a2019.ratios("rustls 6a47cd5c", (a2019, "OpenSSL fdbb3a86"), fits);
    assert!(of("^memory").iter().all(|ratio| *ratio < 0.5));
    let [sends, receives] = ["sending$", "receiving$"].map(|fits| range(&of(fits)));
    all.push((&*a2019.name, format!("rustls sends {sends} and receives {receives} as fast as OpenSSL, in less than half the memory.")));

    let write =
        |method: &str| a2023.figure("OpenSSL", &format!("writes, [50] * 20, {method}, P50"));
    all.push((&*a2023.name, format!("One vectored write of twenty 50-byte buffers takes 1,{} ns at the median, twenty single writes take 27,{} ns.", write("vectored") - 1e3, write("write each") - 27e3)));

    let (ours, theirs) = (
        "rustls 0.22.0 + aws-lc, gcc, jemalloc",
        "OpenSSL 3.2.0 + gcc",
    );
    let of = |fits| d2023.ratios(ours, (d2023, theirs), fits);
    assert!(
        of("aes.*sending$")
            .iter()
            .all(|ratio| (1.0..1.05).contains(ratio))
    );
    let [ours, theirs] = [ours, theirs].map(|build| memory_of_a_session(d2023, build));
    all.push((&*d2023.name, format!("rustls with aws-lc and jemalloc sends AES as fast as OpenSSL, resumes {} as many sessions by ticket, and needs {ours:.0} KiB instead of {theirs:.0} KiB a TLS 1.3 session.", range(&of("^resumed.*ticket")))));

    let of = |old| d2024.ratios("rustls 0.23.15", (d2024, old), "");
    let (openssl, boringssl) = (of("OpenSSL 3.3.2"), of("BoringSSL 76968bb3"));
    all.push((&*d2024.name, format!("rustls is ahead in all {} scenarios: {} faster than OpenSSL, {} faster than BoringSSL.", openssl.len(), range(&openssl), range(&boringssl))));

    let others = ["OpenSSL 3.3.2", "BoringSSL 76968bb3"];
    let of = |fits: &str| {
        others
            .map(|old| arm.ratios("rustls 0.23.15", (arm, old), fits))
            .concat()
    };
    let between = arm.ratios(others[0], (arm, others[1]), "^transfer");
    let apart = [of("^transfer"), between].concat();
    let apart = apart
        .iter()
        .map(|ratio| ratio.max(1.0 / ratio) - 1.0)
        .fold(0.0, f64::max);
    assert!((0.075..0.09).contains(&apart), "{apart}");
    all.push((&*arm.name, format!("rustls does {} as many handshakes as the others; transfers of all three libraries lie within 9% of one another.", range(&of("handshakes")))));

    let ticket = "resumed handshakes, 1.2, ticket, server, 80 threads";
    let fixed = threads.figure("rustls 0.23.17", ticket) / threads.figure("rustls 0.23.16", ticket);
    let kept = |build: &str| {
        let of = |n: f64| {
            threads.figure(
                build,
                &format!("full handshakes, 1.3, rsa, server, {n} threads"),
            ) / n
        };
        of(80.0) / of(2.0) * 100.0
    };
    all.push((&*threads.name, format!("rustls 0.23.17 resumes TLS 1.2 by ticket {fixed:.1}x as fast as 0.23.16 with 80 threads, where one lock was held for every ticket; OpenSSL 3.0.14 keeps {:.0}% of its rate per thread in full handshakes, OpenSSL 3.4.0 {:.0}%.", kept("OpenSSL 3.0.14"), kept("OpenSSL 3.4.0"))));

    let of = |build: &Build| {
        let runs = hello
            .runs(build, "client hello, x25519mlkem768+x25519")
            .expect("a figure")
            .1;
        runs[0].1 / 1e3
    };
    let builds = hello.builds("client hello, x25519mlkem768+x25519");
    let [with, without] = [builds[0], builds[1]].map(of);
    all.push((&*hello.name, format!("With a shared X25519 key, a ClientHello that offers X25519MLKEM768 and X25519 takes {with:.1} µs instead of {without:.1} µs.")));

    let rsa = |build: &Build, group: &str| {
        let runs = hybrid.runs(build, &format!("full handshakes, 1.3, rsa, {group}"));
        runs.expect("a figure").1[0].1
    };
    let builds = hybrid.builds("full handshakes, 1.3, rsa, x25519mlkem768+x25519, client");
    let (ours, without) = (builds[0], builds[1]);
    let cost = |new: f64, old: f64| (1.0 - new / old) * 100.0;
    let server = cost(
        rsa(ours, "x25519mlkem768, server"),
        rsa(ours, "x25519, server"),
    );
    let client = rsa(ours, "x25519mlkem768+x25519, client");
    let gain = -cost(client, rsa(without, "x25519mlkem768+x25519, client"));
    all.push((&*hybrid.name, format!("X25519MLKEM768 costs rustls {server:.0}% of its full RSA handshakes on the server and {:.0}% on the client, where sharing the X25519 key gains {gain:.0}%.", cost(client, rsa(ours, "x25519, client")))));

    let pairs = [
        ("rustls 0.23.31", "rustls 0.23.15"),
        ("OpenSSL 3.5.1", "OpenSSL 3.3.2"),
        ("BoringSSL 0.20250701.0", "BoringSSL 76968bb3"),
    ];
    let slower = pairs
        .map(|(new, old)| july.ratios(new, (d2024, old), "handshakes, 1.3"))
        .concat();
    let transfers = july.ratios(pairs[2].0, (d2024, pairs[2].1), "^transfer");
    all.push((&*july.name, format!("With post-quantum key exchange by default, TLS 1.3 handshakes are {} slower than in October 2024; transfers of BoringSSL are {} faster with AVX-512.", range(&inverse(&slower)), range(&transfers))));

    let of = |new, old| march.ratios(new, (july, old), "handshakes, 1.3");
    assert!(
        of("OpenSSL 3.6.1", "OpenSSL 3.5.1")
            .iter()
            .all(|ratio| (ratio - 1.0).abs() < 0.01)
    );
    all.push((&*march.name, format!("TLS 1.3 handshakes of rustls are {} faster than in July 2025; those of OpenSSL stay within 1%.", range(&of("rustls 0.23.37", "rustls 0.23.31")))));

    let change = |scenario: &str, old: &str, new: &str| {
        let [old, new] = [old, new].map(|build| slices.build(build));
        assert_eq!(
            verdict(slices, scenario, old, new),
            slices.change(scenario, old, new)
        );
        slices.change(scenario, old, new)
    };
    let rustls = |version: &str| format!("rustls {version} + aws-lc-rs, jemalloc");
    let resumed = "resumed handshakes, 1.3, session id, client";
    all.push((&*slices.name, format!("With X25519 on both sides, rustls 0.23.46 is {} than OpenSSL 4.0.3 for an RSA client in full TLS 1.3 handshakes, and {} in receiving AES-256-GCM. Post-quantum key exchange by default makes resumed clients {} from OpenSSL 3.5.5 on and {} from rustls 0.23.27 on.",
        change("full handshakes, 1.3, rsa, x25519, client", "OpenSSL 4.0.3", &rustls("0.23.46")),
        change("transfer, 1.3, aes-256-gcm, receiving", "OpenSSL 4.0.3", &rustls("0.23.46")),
        change(resumed, "OpenSSL 3.4.1", "OpenSSL 3.5.5"),
        change(resumed, &rustls("0.23.24"), &rustls("0.23.27")).trim_end_matches(" slower"),
    )));
    all
}

/// The verdict of `generator compare` on a scenario, as on the compare page, where all scenarios of the two
/// are one table. `none` if no difference is shown.
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

/// The verdicts on two builds, from the folders of these and of what was measured twice: a program reads
/// them faster than the whole report.
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
            line(key)
                .replace([' ', '"', '[', ']'], "")
                .replace(',', "+")
        };
        let build = ["name=", "version=", "variant="].map(|key| {
            let text = value(key.trim_end_matches('='));
            text.trim_start_matches(key).replace("+control", "")
        });
        let is_side = sides
            .iter()
            .any(|(n, v, variant)| build == [n.as_str(), v, variant]);
        let is_control =
            manifest.contains("\"control\"]") && build == CONTROLLED.map(str::to_owned);
        if is_side || is_control {
            let files = value("files");
            let files = files.trim_start_matches("files=").trim_end_matches('/');
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
            "faster" | "slower" | "less" | "more" => text("change"),
            other => other.to_owned(),
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

/// The builds that lead and those behind, best first, as the method page defines it; `None` where nothing
/// is ranked.
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
        let sample = sample(report.runs(build, scenario)?.1);
        let estimate = sample.estimate(Estimator::Median);
        let interval = Interval::of_median(&sample);
        let is_wide = interval.is_some_and(|i| i.relative_half_width(estimate) > 0.05);
        if is_final(build) && is_newest(build) && !is_wide {
            ranked.push((estimate, build));
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
            "none" => found[0].push(*other),
            words if words.ends_with("faster") || words.ends_with("less") => found[1].push(*other),
            _ => return None,
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

/// A figure as shown, in the unit of the data.
fn shown(number: &str, unit: &str) -> [f64; 2] {
    let factor = match unit {
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "MiB" => 1024.0,
        _ => 1.0,
    };
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let value: f64 = number.replace(',', "").parse().expect("a number");
    let half = 0.5 * 10f64.powi(-i32::try_from(digits).expect("few"));
    [(value - half) * factor, (value + half) * factor]
}

/// Whether a build's median is within these bounds, but for rounding.
fn is_figure(report: &Report, build: &Build, scenario: &str, [low, high]: [f64; 2]) -> bool {
    let median = median(report.runs(build, scenario).expect("a figure").1);
    let tolerance = 1e-9 * median;
    low - tolerance <= median && median <= high + tolerance
}

/// The sentence of a page, the report it is from, and the page's heading.
fn answers(kind: &str) -> Vec<(String, &'static Report, String)> {
    let pages = common::files(&site().join(&format!("content/perf/{kind}")));
    let pages = pages.into_iter().filter(|path| path.ends_with("index.md"));
    let summary = Regex::new(
        "(?s)<p class=\"summary\">(.*?)</p>\n<p class=\"note\">From <a href=\"../../([^/]+)/\">",
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
        found.push((title, report(&one[2]), one[1].to_owned()));
    }
    found
}

#[test]
fn summaries_of_reports() {
    let written = summaries();
    for (name, expected) in &written {
        let page = read(&site().join(&format!("content/perf/{name}/index.md")));
        assert!(page.contains(&**expected), "{name}: not {expected}");
        let list = read(&site().join("content/perf/_index.md"));
        assert!(
            list.contains(&format!("<p>{expected}</p>")),
            "the list: not {expected}"
        );
    }
    let reports = std::fs::read_dir(repository().join("data")).expect("data/");
    let reports = reports.filter(|entry| entry.as_ref().expect("an entry").path().is_dir());
    assert_eq!(
        written.len(),
        reports.count(),
        "a summary is not computed again"
    );
}

#[test]
fn answers_of_scenarios() {
    let ranked = Regex::new(r"^Of the newest releases, (.+) (?:is|are) (?:fastest|best): (?:(?:.+) with )?([\d,.]+) (.+?)(, and no difference from it is shown)?(?:(?:, |\. .+ is )([\d.]+(?:x|%) \S+) than (.+))?\.$").expect("an expression");
    let equal = Regex::new("^No difference between (.+) is shown.$").expect("an expression");
    let plain = Regex::new(r"^((?:.+?) with (?:[\d,.]+)(?:(?:, | and ).+? with (?:[\d,.]+))*) (\S+)\.(?: (Each library chooses its key exchange here, so they are not ranked|Single figures are not ranked|They are not ranked: some are unsteady, or of too few runs)\.)?$").expect("an expression");
    let one = Regex::new(r"(.+?) with ([\d,.]*\d)(?:, | and |$)").expect("an expression");
    let mut rankings = 0;
    for (title, report, sentence) in answers("scenarios") {
        let (scenario, sentence) = match sentence.split_once(": ") {
            Some((label, rest)) if label.starts_with(title.split(", ").next().expect("a word")) => {
                (label.to_owned(), rest)
            }
            _ => (title, &*sentence),
        };
        if scenario == "footprint" {
            check_size(report, &ranked.captures(sentence).expect("a ranking"));
            continue;
        }
        let found = leading(report, &scenario);
        if let Some(parts) = ranked.captures(sentence) {
            rankings += 1;
            let [first, behind] =
                found.unwrap_or_else(|| panic!("{scenario} ranks nothing: {sentence}"));
            check_ranking(report, &scenario, &parts, &first, &behind);
        } else if let Some(parts) = equal.captures(sentence) {
            let [first, behind] = found.expect("builds");
            assert!(behind.is_empty(), "{scenario}: {sentence}");
            let names = names(&parts[1]);
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

/// Sizes are exact: the smallest program is the best, without a test.
fn check_size(report: &Report, parts: &Captures<'_>) {
    let table = site().read(&format!("content/perf/{}/data.csv", report.name));
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
    assert!(
        first.iter().all(|build| is_leader(&build)),
        "{scenario}: {first:?}: {sentence}"
    );
    let wrong = behind.iter().find(is_leader);
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
        assert_eq!(release_of(next), parts[6], "{scenario}: {sentence}");
        assert_eq!(
            report.change(scenario, next, best),
            parts[5],
            "{scenario}: {sentence}"
        );
        assert_eq!(
            verdict(report, scenario, next, best),
            parts[5],
            "{scenario}: {sentence}"
        );
    }
}

#[test]
fn answers_of_libraries() {
    let since = Regex::new(r"From (\S+) to (\S+?)(?:, ([^:]+?))?, on one machine: (.+?)\.(?: |$)")
        .expect("an expression");
    let leads = Regex::new("Of the newest releases of all libraries, (.+) is fastest, alone or with others, in ([0-9]+) of ([0-9]+) scenarios?[.]").expect("an expression");
    let change = Regex::new(r"as fast|as much|[\d.]+(?:x|%) (?:faster|slower|less|more)")
        .expect("an expression");
    let mut checked = 0;
    for (library, report, answer) in answers("implementations") {
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
                    "none" => Some("as fast".to_owned()),
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
            for scenario in scenarios.into_iter().filter(is_rate) {
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

/// The headline scenarios that a report names.
fn headlines(report: &Report) -> Vec<String> {
    let manifest = read(&repository().join(format!("data/{}/report.toml", report.name)));
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let all = manifest.get("headline").and_then(|h| h.as_array());
    let all = all.into_iter().flatten();
    all.map(|label| label.as_str().expect("a label").to_owned())
        .collect()
}

//! Every sentence that ranks or claims a change, computed again: figures from the `data.csv` that the
//! page offers, verdicts by `generator compare`.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, generator, read, repository};
use regex_lite::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock};

/// A library, its version and variant.
type Build = (String, String, String);

/// The figures of a report by build, scenario and unit: the value of each run.
type Figures = BTreeMap<(Build, String, String), Vec<(u32, f64)>>;

/// A report's downloads.
struct Report {
    name: String,
    figures: Figures,
    is_paired: bool,
}

/// The site with the pages of all reports.
fn site() -> &'static Folder {
    static SITE: OnceLock<Folder> = OnceLock::new();
    SITE.get_or_init(|| {
        let site = Folder::real_site();
        let data = repository().join("data");
        let arguments = ["ingest", "-q", "--prune", data.to_str().expect("UTF-8")];
        generator(site.path(), &arguments).success();
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

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

impl Report {
    fn read(name: &str) -> Self {
        let path = site().join(&format!("content/perf/{name}/data.csv"));
        let mut table = csv::Reader::from_path(path).expect("data.csv");
        let head = table.headers().expect("a header").clone();
        let column = |name: &str| head.iter().position(|h| h == name).expect("a column");
        let columns = ["implementation", "version", "variant", "scenario", "unit", "run", "value"];
        let columns = columns.map(column);
        let mut figures = Figures::new();
        for row in table.records() {
            let row = row.expect("a row");
            let [library, version, variant, scenario, unit, run, value] =
                columns.map(|c| row[c].to_owned());
            if let Ok(value) = value.parse() {
                let key = ((library, version, variant), scenario, unit);
                let run = run.parse().unwrap_or_default();
                figures.entry(key).or_default().push((run, value));
            }
        }
        let manifest = read(&repository().join(format!("data/{name}/report.toml")));
        Self {
            name: name.to_owned(),
            figures,
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
        let all: BTreeSet<&Build> = self.figures.keys().map(|(build, ..)| build).collect();
        let (release, variant) = words.split_once(" + ").unwrap_or((words, ""));
        let fits = |build: &&&Build| {
            let parts: Vec<&str> = build.2.split('+').collect();
            let has = |part: &str| part.is_empty() || parts.contains(&part);
            release_of(build) == release && variant.split(", ").all(has)
        };
        all.iter().filter(fits).copied().collect()
    }

    fn build(&self, words: &str) -> &Build {
        let found = self.named(words);
        found.first().unwrap_or_else(|| panic!("{}: no {words}", self.name))
    }

    fn runs(&self, build: &Build, scenario: &str) -> Option<(&str, &[(u32, f64)])> {
        let mut all = self.figures.iter();
        let found = all.find(|((b, s, _), _)| b == build && s == scenario);
        found.map(|((.., unit), runs)| (unit.as_str(), runs.as_slice()))
    }

    fn figure(&self, build: &str, scenario: &str) -> f64 {
        let runs = self.runs(self.build(build), scenario);
        let (_, runs) = runs.unwrap_or_else(|| panic!("{build} in {scenario}"));
        median(runs.iter().map(|(_, value)| *value).collect())
    }

    /// new / old: the median of the ratios of the runs if they are paired, else the ratio of the medians.
    fn ratio(&self, scenario: &str, old: &Build, new: &Build) -> f64 {
        let values = |build| self.runs(build, scenario).expect("a figure").1;
        let (old, new) = (values(old), values(new));
        let runs = |all: &[(u32, f64)]| all.iter().map(|(run, _)| *run).collect::<Vec<_>>();
        match self.is_paired && runs(old) == runs(new) {
            true => median(old.iter().zip(new).map(|(old, new)| new.1 / old.1).collect()),
            false => {
                let [old, new] = [old, new].map(|all| median(all.iter().map(|r| r.1).collect()));
                new / old
            }
        }
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
        both.map(|s| self.figure(new, s) / other.figure(old, s)).collect()
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
    let points = [100.0, 1000.0, 5000.0, 10_000.0]
        .map(|n: f64| (n, report.figure(build, &format!("memory, 1.3, {n} sessions"))));
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / 4.0;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - x, p.1 - y)).sum::<f64>();
    sum(&|x, y| x * y) / sum(&|x, _| x * x)
}

/// The sentences that authors wrote, with their figures from the data.
fn summaries() -> Vec<(&'static str, String)> {
    let [a2019, a2023, d2023, d2024] = ["2019-07-02-rustls-openssl", "2023-06-06-ssl-writev", "2023-12-13-x86_64", "2024-10-18-x86_64"].map(report);
    let [arm, threads, hello, hybrid] = ["2024-10-31-arm64", "2024-11-28-arm64", "2024-12-17-arm64", "2024-12-17-x86_64"].map(report);
    let [july, march, slices] = ["2025-07-31-x86_64", "2026-03-07-x86_64", "2026-11-25-x86_64"].map(report);
    let mut all = Vec::new();

    let of = |fits| a2019.ratios("rustls 6a47cd5c", (a2019, "OpenSSL fdbb3a86"), fits);
    assert!(of("^memory").iter().all(|ratio| *ratio < 0.5));
    let [sends, receives] = ["sending$", "receiving$"].map(|fits| range(&of(fits)));
    all.push((&*a2019.name, format!("rustls sends {sends} and receives {receives} as fast as OpenSSL, in less than half the memory.")));

    let write = |method: &str| {
        let sizes = vec!["50"; 20].join(", ");
        a2023.figure("OpenSSL", &format!("writes, [{sizes}], {method}, P50"))
    };
    all.push((&*a2023.name, format!("One vectored write of twenty 50-byte buffers takes 1,{} ns at the median, twenty single writes take 27,{} ns.", write("vectored") - 1e3, write("write each") - 27e3)));

    let (ours, theirs) = ("rustls 0.22.0 + aws-lc, gcc, jemalloc", "OpenSSL 3.2.0 + gcc");
    let of = |fits| d2023.ratios(ours, (d2023, theirs), fits);
    assert!(of("aes.*sending$").iter().all(|ratio| (1.0..1.05).contains(ratio)));
    let [ours, theirs] = [ours, theirs].map(|build| memory_of_a_session(d2023, build));
    all.push((&*d2023.name, format!("rustls with aws-lc and jemalloc sends AES as fast as OpenSSL, resumes {} as many sessions by ticket, and needs {ours:.0} KiB instead of {theirs:.0} KiB a TLS 1.3 session.", range(&of("^resumed.*ticket")))));

    let of = |old| d2024.ratios("rustls 0.23.15", (d2024, old), "");
    let (openssl, boringssl) = (of("OpenSSL 3.3.2"), of("BoringSSL 76968bb3"));
    all.push((&*d2024.name, format!("rustls is ahead in all {} scenarios: {} faster than OpenSSL, {} faster than BoringSSL.", openssl.len(), range(&openssl), range(&boringssl))));

    let others = ["OpenSSL 3.3.2", "BoringSSL 76968bb3"];
    let of = |fits: &str| others.map(|old| arm.ratios("rustls 0.23.15", (arm, old), fits)).concat();
    let between = arm.ratios(others[0], (arm, others[1]), "^transfer");
    let apart = [of("^transfer"), between].concat();
    let apart = apart.iter().map(|ratio| ratio.max(1.0 / ratio) - 1.0).fold(0.0, f64::max);
    assert!((0.075..0.09).contains(&apart), "{apart}");
    all.push((&*arm.name, format!("rustls does {} as many handshakes as the others; transfers of all three libraries lie within 9% of one another.", range(&of("handshakes")))));

    let ticket = "resumed handshakes, 1.2, ticket, server, 80 threads";
    let fixed = threads.figure("rustls 0.23.17", ticket) / threads.figure("rustls 0.23.16", ticket);
    let kept = |build: &str| {
        let of = |n: f64| threads.figure(build, &format!("full handshakes, 1.3, rsa, server, {n} threads")) / n;
        of(80.0) / of(2.0) * 100.0
    };
    all.push((&*threads.name, format!("rustls 0.23.17 resumes TLS 1.2 by ticket {fixed:.1}x as fast as 0.23.16 with 80 threads, where one lock was held for every ticket; OpenSSL 3.0.14 keeps {:.0}% of its rate per thread in full handshakes, OpenSSL 3.4.0 {:.0}%.", kept("OpenSSL 3.0.14"), kept("OpenSSL 3.4.0"))));

    let of = |build: &Build| {
        let runs = hello.runs(build, "client hello, x25519mlkem768+x25519").expect("a figure").1;
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
    let server = cost(rsa(ours, "x25519mlkem768, server"), rsa(ours, "x25519, server"));
    let client = rsa(ours, "x25519mlkem768+x25519, client");
    let gain = -cost(client, rsa(without, "x25519mlkem768+x25519, client"));
    all.push((&*hybrid.name, format!("X25519MLKEM768 costs rustls {server:.0}% of its full RSA handshakes on the server and {:.0}% on the client, where sharing the X25519 key gains {gain:.0}%.", cost(client, rsa(ours, "x25519, client")))));

    let pairs = [("rustls 0.23.31", "rustls 0.23.15"), ("OpenSSL 3.5.1", "OpenSSL 3.3.2"), ("BoringSSL 0.20250701.0", "BoringSSL 76968bb3")];
    let slower = pairs.map(|(new, old)| july.ratios(new, (d2024, old), "handshakes, 1.3")).concat();
    let transfers = july.ratios(pairs[2].0, (d2024, pairs[2].1), "^transfer");
    all.push((&*july.name, format!("With post-quantum key exchange by default, TLS 1.3 handshakes are {} slower than in October 2024; transfers of BoringSSL are {} faster with AVX-512.", range(&inverse(&slower)), range(&transfers))));

    let of = |new, old| march.ratios(new, (july, old), "handshakes, 1.3");
    assert!(of("OpenSSL 3.6.1", "OpenSSL 3.5.1").iter().all(|ratio| (ratio - 1.0).abs() < 0.01));
    all.push((&*march.name, format!("TLS 1.3 handshakes of rustls are {} faster than in July 2025; those of OpenSSL stay within 1%.", range(&of("rustls 0.23.37", "rustls 0.23.31")))));

    let change = |scenario: &str, old: &str, new: &str| {
        let [old, new] = [old, new].map(|build| slices.build(build));
        assert_eq!(verdict(slices, scenario, old, new), slices.change(scenario, old, new));
        slices.change(scenario, old, new)
    };
    let rustls = |version: &str| format!("rustls {version} + aws-lc-rs, jemalloc");
    let resumed = "resumed handshakes, 1.3, ticket, client";
    all.push((&*slices.name, format!("With X25519 on both sides, rustls 0.23.46 is {} than OpenSSL 4.0.3 for an RSA client in full TLS 1.3 handshakes, and {} in receiving AES-256-GCM. Post-quantum key exchange by default makes resumed clients {} from OpenSSL 3.5.5 on and {} from rustls 0.23.27 on.",
        change("full handshakes, 1.3, rsa, x25519, client", "OpenSSL 4.0.3", &rustls("0.23.46")),
        change("transfer, 1.3, aes-256-gcm, receiving", "OpenSSL 4.0.3", &rustls("0.23.46")),
        change(resumed, "OpenSSL 3.4.1", "OpenSSL 3.5.5"),
        change(resumed, &rustls("0.23.24"), &rustls("0.23.27")).trim_end_matches(" slower"),
    )));
    all
}

/// The verdict of `generator compare` on a scenario, as on the compare page: all scenarios of the two are
/// one table. `as fast` for no change.
fn verdict(report: &Report, scenario: &str, old: &Build, new: &Build) -> String {
    type Verdicts = BTreeMap<(Build, Build), BTreeMap<String, String>>;
    static KNOWN: Mutex<Verdicts> = Mutex::new(Verdicts::new());
    let mut known = KNOWN.lock().expect("no panic");
    let sides = (old.clone(), new.clone());
    let all = known.entry(sides).or_insert_with(|| {
        // The two alone are read faster than the whole report.
        let table = Folder::in_memory();
        let mut rows = csv::Writer::from_writer(Vec::new());
        rows.write_record(["implementation", "version", "variant", "scenario", "unit", "run", "value"]).expect("memory");
        for (((library, version, variant), scenario, unit), runs) in &report.figures {
            let build = (library.clone(), version.clone(), variant.clone());
            for (run, value) in runs.iter().filter(|_| [old, new].contains(&&build)) {
                let (run, value) = (run.to_string(), value.to_string());
                rows.write_record([library, version, variant, scenario, unit, &run, &value]).expect("memory");
            }
        }
        table.write("report/report.toml", format!("paired = {}\n", report.is_paired));
        table.write("report/figures.csv", rows.into_inner().expect("memory"));
        let [old, new] = [old, new].map(|build| format!("report:{}", argument(build)));
        let output = generator(table.path(), &["compare", "--format", "json", &old, &new]).success();
        let rows: Vec<serde_json::Value> = serde_json::from_str(&output.stdout).expect("JSON");
        let rows = rows.iter().filter(|row| row["unit"] != "count");
        rows.map(|row| {
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let verdict = text("verdict");
            let words = match &*verdict {
                "faster" | "slower" | "less" | "more" => text("change"),
                other => other.to_owned(),
            };
            (text("scenario"), words)
        })
        .collect()
    });
    all.get(scenario).cloned().unwrap_or_default()
}

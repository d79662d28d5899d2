//! All pages agree: a figure, its interval, its mark and its star are the same wherever they stand,
//! and are those of the report's downloads.

pub(crate) mod reader;

use super::{built, pages};
use crate::common::{read, rows};
use reader::Reader;
use regex::Regex;
use scraper::Html;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Report, label, unit of the downloads, and build as in `data.json`.
type Key = [String; 4];

/// A number as it is shown, in the unit of the downloads, and half a step of its last digit.
#[derive(Clone, Copy)]
pub(crate) struct Shown(f64, f64);

impl Shown {
    /// Parses `1,234.5`.
    pub(crate) fn parse(text: &str, factor: f64) -> Option<Self> {
        let plain = text.replace(',', "");
        let decimals = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
        let step = factor * 0.1f64.powi(decimals as i32);
        Some(Self(plain.parse::<f64>().ok()? * factor, step / 2.0))
    }

    pub(crate) fn is(self, exact: f64) -> bool {
        (self.0 - exact).abs() <= self.1 + exact.abs() * 1e-9
    }
}

/// What a place says of a figure.
#[derive(Clone, Default)]
struct Claim {
    key: Key,
    place: String,
    figure: Option<Shown>,
    interval: Option<[Shown; 2]>,
    /// `±0.3%`; empty if none is shown.
    spread: Option<String>,
    is_unsteady: Option<bool>,
    has_star: Option<bool>,
}

/// The estimates and intervals in the downloads of all reports.
#[derive(Default)]
struct Downloads {
    figures: BTreeMap<Key, (f64, Option<[f64; 2]>)>,
    /// The builds of each report in the order of its figures, and its labels with their units.
    builds: BTreeMap<String, Vec<String>>,
    labels: BTreeSet<[String; 3]>,
}

/// The interval of the median: the order statistics that cover it in 95% of all samples.
fn interval(mut values: Vec<f64>) -> Option<[f64; 2]> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let (mut chance, mut below, mut rank) = (0.5f64.powi(n as i32), 0.0, 0);
    while rank < n / 2 && 1.0 - 2.0 * (below + chance) >= 0.95 {
        below += chance;
        rank += 1;
        chance *= (n - rank + 1) as f64 / rank as f64;
    }
    (rank > 0).then(|| [values[rank - 1], values[n - rank]])
}

fn json(path: &Path) -> Json {
    serde_json::from_str(&read(path)).expect("JSON")
}

fn list(value: &Json) -> &Vec<Json> {
    value.as_array().expect("a list")
}

fn text(value: &Json) -> String {
    value.as_str().expect("a text").to_owned()
}

impl Downloads {
    fn add(&mut self, folder: &Path) {
        let report = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let mut samples: Vec<(String, Vec<f64>)> = Vec::new();
        for row in rows(&read(&folder.join("data.csv"))) {
            let columns = ["scenario", "unit", "implementation", "version", "variant"];
            let name = columns.map(|column| &*row[column]).join("\n");
            let Ok(value) = row["value"].parse() else {
                continue;
            };
            match samples.last_mut() {
                Some((known, values)) if *known == name => values.push(value),
                _ => samples.push((name, vec![value])),
            }
        }
        let figures = json(&folder.join("data.json"));
        assert_eq!(list(&figures).len(), samples.len(), "{report}");
        for (figure, (_, values)) in list(&figures).iter().zip(samples) {
            let texts = ["scenario", "unit", "implementation"].map(|field| text(&figure[field]));
            let [label, unit, build] = texts;
            let estimate = figure["figure"].as_f64().expect("a figure");
            let is_within =
                values.iter().any(|v| *v <= estimate) && values.iter().any(|v| *v >= estimate);
            assert!(is_within, "{report}: {label}");
            let builds = self.builds.entry(report.clone()).or_default();
            if !builds.contains(&build) {
                builds.push(build.clone());
            }
            self.labels
                .insert([report.clone(), label.clone(), unit.clone()]);
            self.figures.insert(
                [report.clone(), label, unit, build],
                (estimate, interval(values)),
            );
        }
    }

    /// Returns the build that a page calls by this name.
    fn build(&self, report: &str, name: &str) -> Option<String> {
        let builds = self.builds[report].iter();
        let all: Vec<Vec<&str>> = builds.map(|build| build.split(", ").collect()).collect();
        let (release, own) = match all.iter().any(|build| build[0] == name) {
            true => (name, Vec::new()),
            false => {
                let (release, own) = name.strip_suffix(')')?.split_once(" (")?;
                (release, own.split(", ").collect())
            }
        };
        // What is not named is of the library's usual variant, which its first build has.
        let library = release.split(' ').next();
        let usual = all
            .iter()
            .find(|build| build[0].split(' ').next() == library)?;
        let is_named =
            |build: &&Vec<&str>| build[0] == release && own.iter().all(|o| build.contains(o));
        let is_exact = |build: &&Vec<&str>| {
            build[1..]
                .iter()
                .all(|o| own.contains(o) || usual.contains(o))
        };
        let named: Vec<&Vec<&str>> = all.iter().filter(is_named).collect();
        let found = named.iter().copied().find(is_exact);
        Some(found.or((named.len() == 1).then(|| named[0]))?.join(", "))
    }

    /// Names a figure by what stands at it. The label may be without its start.
    fn key(&self, report: &str, name: &str, unit: &str, starts: &str, label: &str) -> Key {
        let labels = ["", starts].map(|start| format!("{start}{label}"));
        let key = |label: &String| [report, label, unit].map(str::to_owned);
        let found = labels
            .iter()
            .find(|label| self.labels.contains(&key(label)));
        let [report, label, unit] = key(found.unwrap_or(&labels[1]));
        let build = self.build(&report, name).unwrap_or_else(|| name.to_owned());
        [report, label, unit, build]
    }

    /// Returns what the claims contradict: the downloads, or each other.
    fn disagreements(&self, claims: &[Claim]) -> Vec<String> {
        let mut found = Vec::new();
        let mut stars: BTreeMap<&Key, (bool, &str)> = BTreeMap::new();
        for claim in claims {
            let (key, place) = (&claim.key, &*claim.place);
            let Some((estimate, interval)) = self.figures.get(key) else {
                found.push(format!("{place}: {key:?} is in no download"));
                continue;
            };
            let mut check = |is_right: Option<bool>, known: String| {
                if is_right == Some(false) {
                    found.push(format!("{place}: {key:?} is {known}"));
                }
            };
            let is = |shown: Option<Shown>, exact: f64| shown.map(|shown| shown.is(exact));
            check(is(claim.figure, *estimate), estimate.to_string());
            let [low, high] = interval.unwrap_or([f64::NAN; 2]);
            let is_same = |shown: [Shown; 2]| shown[0].is(low) && shown[1].is(high);
            check(claim.interval.map(is_same), format!("{low} to {high}"));
            let width = interval.map_or(0.0, |_| (high - low) / 2.0 / estimate);
            let is_spread = |shown: &String| match shown.trim_matches(['±', '%']) {
                "" => width == 0.0,
                shown => is(Shown::parse(shown, 0.01), width) == Some(true),
            };
            check(claim.spread.as_ref().map(is_spread), format!("±{width}"));
            let is_random = ["MiB/s", "handshakes/s", "ops/s", "ns", "KiB"].contains(&&*key[2]);
            let marked = is_random && width > 0.05;
            check(
                claim.is_unsteady.map(|m| m == marked),
                format!("unsteady: {marked}"),
            );
            if let Some(star) = claim.has_star {
                let (known, elsewhere) = *stars.entry(key).or_insert((star, place));
                check(
                    Some(star == known),
                    format!("a star: {known}, as in {elsewhere}"),
                );
            }
        }
        found
    }
}

#[test]
fn all_pages_agree() {
    let public = built("/").join("public");
    let mut downloads = Downloads::default();
    for folder in std::fs::read_dir(built("/").join("content/perf")).expect("reports") {
        let folder = folder.expect("a folder").path();
        if folder.join("data.csv").exists() {
            downloads.add(&folder);
        }
    }
    let claims_of = |name: &str, page: &Html| {
        let (downloads, claims) = (&downloads, Vec::new());
        let mut reader = Reader {
            downloads,
            name,
            claims,
        };
        match name {
            "comparisons" => reader.comparisons(&public.join("perf/compare")),
            _ => reader.page(page),
        }
        reader.claims
    };
    let mut claims = claims_of("comparisons", &Html::new_document());
    for (name, page) in pages("/") {
        claims.extend(claims_of(&name, &page));
    }
    assert_eq!(downloads.disagreements(&claims).join("\n"), "");
    let number = |has: fn(&Claim) -> bool| claims.iter().filter(|claim| has(claim)).count();
    let numbers = [
        number(|claim| claim.figure.is_some()),
        number(|claim| claim.interval.is_some()),
        number(|claim| claim.spread.is_some()),
        number(|claim| claim.is_unsteady == Some(true)),
        number(|claim| claim.has_star == Some(true)),
    ];
    println!("{numbers:?} figures, intervals, spreads, marks and stars");
    let least = [10_000, 40, 4_000, 100, 200];
    assert!(
        numbers
            .iter()
            .zip(least)
            .all(|(number, least)| *number > least),
        "{numbers:?}"
    );

    // A change of the second group, to another digit or to what is given, is found.
    let newest = downloads.builds.keys().next_back().expect("a report");
    let [page, figures] =
        ["index.html", "figures/index.html"].map(|file| format!("perf/{newest}/{file}"));
    let bar = "(<title>[^,<]+: [0-9.,]+ [^;,<]+, 95% interval )([0-9])([0-9.,]* to)";
    for (name, from, to) in [
        (&figures, "(<td>[0-9.,]*)([0-9])( <i>±)", None),
        (&figures, "(±[0-9]+[.])([0-9])(%)", None),
        (&page, bar, None),
        (&figures, "()( class=\"unsteady\")()", Some("")),
        (&figures, "()( class=\"best\")()", Some("")),
        (&figures, "(<td)()(>[0-9.,]+ <i>±)", Some(" class=\"best\"")),
    ] {
        let page = read(&public.join(name));
        let expression = Regex::new(from).expect("an expression");
        let found = expression.captures(&page).expect(from);
        let group = found.get(2).expect("a group");
        let digit = group
            .as_str()
            .parse::<u32>()
            .map(|digit| ((digit + 4) % 10).to_string());
        let to = to.map_or_else(|| digit.expect("a digit"), str::to_owned);
        let mut planted = page.clone();
        planted.replace_range(group.range(), &to);
        assert_ne!(planted, page, "{from}");
        let mut others: Vec<Claim> = claims_of(name, &Html::parse_document(&planted));
        let own = others.len();
        others.extend(
            claims
                .iter()
                .filter(|c| !c.place.starts_with(&**name))
                .cloned(),
        );
        assert!(own > 0, "{name}");
        let found = downloads.disagreements(&others);
        assert_eq!(found.len(), 1, "{from}: {found:?}");
    }
}

//! What the downloads of the reports say, computed without the code that writes pages: figures, verdicts
//! and ranks from `data.csv`, with the statistics alone shared.

use crate::common::{files, read, rows};
use generator::model::unit::{Kind, Unit};
use generator::model::version::Version;
use generator::stats::{Comparison, Estimator, Interval, Pair, Rules, Sample, Verdict};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

/// A library, its version and variant, as `data.csv` has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Build {
    pub(crate) library: String,
    pub(crate) version: String,
    pub(crate) variant: Vec<String>,
}

/// A scenario in one unit, with the values of each build by run.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) unit: Unit,
    pub(crate) symbol: String,
    fields: BTreeMap<String, String>,
    /// The builds that have a figure, or do not support it.
    pub(crate) builds: BTreeSet<usize>,
    /// For each build.
    pub(crate) cells: Vec<Vec<(String, f64)>>,
    /// The factor by which a program that was measured twice differed from itself.
    pub(crate) control: Option<f64>,
}

#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) name: String,
    pub(crate) machine: String,
    pub(crate) manifest: toml::Table,
    pub(crate) builds: Vec<Build>,
    pub(crate) rows: Vec<Row>,
    verdicts: Mutex<HashMap<[usize; 2], Verdicts>>,
}

/// Names the builds of a site, so that one name is one build on all of its pages: what a name leaves out is of
/// the variant that the newest report's default build of the library has.
pub(crate) fn names(newest_first: &[Report]) -> BTreeMap<String, Build> {
    let mut all: Vec<&Build> = Vec::new();
    for report in newest_first {
        let defaults = report.defaults();
        for place in defaults.into_iter().chain(0..report.builds.len()) {
            let build = &report.builds[place];
            if !all.contains(&build) {
                all.push(build);
            }
        }
    }
    let mut found: Vec<(String, &Build)> = Vec::new();
    for build in &all {
        let of_library = |other: &&&Build| other.library == build.library;
        let usual = all.iter().find(of_library).expect("itself");
        let releases: Vec<&str> = all.iter().filter(of_library).map(|b| &*b.version).collect();
        let distinct: BTreeSet<&str> = releases.iter().copied().collect();
        let mut own = build.variant.clone();
        own.retain(|part| distinct.len() < releases.len() && !usual.variant.contains(part));
        if own.is_empty() && distinct.len() < releases.len() && build.variant != usual.variant {
            own.clone_from(&build.variant);
        }
        found.push((build.named(&own), build));
    }
    let mut names = BTreeMap::new();
    for (name, build) in &found {
        let uses = found.iter().filter(|(other, _)| other == name).count();
        let whole = if uses > 1 {
            build.named(&build.variant)
        } else {
            name.clone()
        };
        assert!(
            names.insert(whole, (*build).clone()).is_none(),
            "{name} is two builds"
        );
    }
    names
}

/// The verdicts of a pair of builds, made once.
type Verdicts = Arc<OnceLock<Vec<Option<Comparison>>>>;

/// The parameters that vary the same work: one row speaks for all that differ only in these.
const VARIATIONS: [&str; 6] = [
    "threads",
    "write_size",
    "sessions",
    "percentile",
    "buffers",
    "write_method",
];

impl Build {
    /// `rustls 0.23.46, ring, jemalloc`: as the command line and links have it.
    pub(crate) fn label(&self) -> String {
        let variant = self.variant.iter().map(|part| format!(", {part}"));
        format!("{}{}", self.release(), variant.collect::<String>())
    }

    /// `rustls 0.23.46`, `BoringSSL (boring 5.4.0)`
    pub(crate) fn release(&self) -> String {
        match self.version.strip_prefix("boring-") {
            Some(number) => format!("{} (boring {number})", self.library),
            None => format!("{} {}", self.library, self.version)
                .trim_end()
                .to_owned(),
        }
    }

    /// `rustls 0.23.46 (ring)`
    fn named(&self, variant: &[String]) -> String {
        match (variant.join(", "), self.version.strip_prefix("boring-")) {
            (none, _) if none.is_empty() => self.release(),
            (some, Some(number)) => format!("{} (boring {number}, {some})", self.library),
            (some, None) => format!("{} ({some})", self.release()),
        }
    }

    fn version(&self) -> Version {
        self.version.as_str().into()
    }

    pub(crate) fn is_final(&self) -> bool {
        !self.version().is_pre_release()
    }

    fn is_series(&self, other: &Self) -> bool {
        self.library == other.library && self.variant == other.variant
    }
}

impl Row {
    pub(crate) fn field(&self, name: &str) -> &str {
        &self.fields[name]
    }

    pub(crate) fn has(&self, build: usize) -> bool {
        !self.cells[build].is_empty()
    }

    pub(crate) fn sample(&self, build: usize) -> Option<Sample> {
        Sample::new(self.cells[build].iter().map(|(_, value)| *value).collect())
    }

    pub(crate) fn estimate(&self, build: usize) -> Option<f64> {
        self.sample(build).map(|s| s.estimate(Estimator::Median))
    }

    pub(crate) fn interval(&self, build: usize) -> Option<Interval> {
        self.sample(build).and_then(|s| Interval::of_median(&s))
    }

    pub(crate) fn is_count(&self) -> bool {
        matches!(self.unit.kind(), Kind::Count | Kind::Size)
    }

    /// Half the interval, relative to the figure.
    pub(crate) fn half_width(&self, build: usize) -> Option<f64> {
        let estimate = self.estimate(build)?;
        self.interval(build)
            .map(|i| i.relative_half_width(estimate))
    }

    pub(crate) fn is_unsteady(&self, build: usize) -> bool {
        !self.is_count() && self.half_width(build) > Some(0.05)
    }

    pub(crate) fn is_rate_or_time(&self) -> bool {
        matches!(self.unit.kind(), Kind::Rate | Kind::Time)
    }

    /// Whether it is a rate or a time, and no percentile.
    pub(crate) fn is_speed(&self) -> bool {
        self.is_rate_or_time() && self.field("percentile").is_empty()
    }

    /// Whether each library chooses the key exchange.
    pub(crate) fn is_open(&self) -> bool {
        let work = self.field("workload");
        let exchanges = work.ends_with("full handshakes")
            || work.ends_with("resumed handshakes") && self.field("tls_version") != "1.2";
        exchanges && self.field("key_exchange").is_empty()
    }

    fn kind(&self) -> (Vec<&str>, &str) {
        let own = self.fields.iter();
        let own = own.filter(|(name, _)| !VARIATIONS.contains(&name.as_str()));
        (own.map(|(_, value)| value.as_str()).collect(), &self.symbol)
    }

    /// How well a row stands for those of its kind; the first of equals does.
    fn rank(&self) -> (bool, bool, bool, u32, i64) {
        let number = |name: &str| self.field(name).parse::<u32>().unwrap_or(0);
        (
            self.field("threads").is_empty(),
            self.field("write_size").is_empty(),
            self.field("percentile") == "P50",
            number("sessions"),
            -i64::from(number("threads")),
        )
    }
}

/// One row of each kind of work, in order.
pub(crate) fn kinds(rows: Vec<&Row>) -> Vec<&Row> {
    let mut best: BTreeMap<_, &Row> = BTreeMap::new();
    for row in &rows {
        let known = best.entry(row.kind()).or_insert(*row);
        if row.rank() > known.rank() {
            *known = row;
        }
    }
    let is_kept = |row: &&Row| std::ptr::eq(best[&row.kind()], *row);
    rows.iter().copied().filter(is_kept).collect()
}

impl Report {
    /// Reads `data.csv` in the folder of a page, and what only the data of the report tells: its
    /// manifest and its controls.
    pub(crate) fn read(folder: &Path, data: &Path) -> Self {
        let name = folder.file_name().expect("a name").to_string_lossy();
        let data = data.join(&*name);
        let manifest: toml::Table = read(&data.join("report.toml")).parse().expect("TOML");
        let mut report = Self {
            machine: text(&manifest, "machine").to_owned(),
            name: name.into_owned(),
            manifest,
            builds: Vec::new(),
            rows: Vec::new(),
            verdicts: Mutex::default(),
        };
        let mut places: HashMap<[String; 2], usize> = HashMap::new();
        for mut cells in rows(&read(&folder.join("data.csv"))) {
            let mut take = |name: &str| cells.remove(name).expect(name);
            let build = Build {
                library: take("implementation"),
                version: take("version"),
                variant: parts(&take("variant")),
            };
            let [label, symbol, run, value] = ["scenario", "unit", "run", "value"].map(&mut take);
            for unused in ["report", "date", "machine", "caveat"] {
                take(unused);
            }
            let known = report.builds.iter().position(|known| *known == build);
            let place = known.unwrap_or(report.builds.len());
            if known.is_none() {
                report.builds.push(build);
            }
            let key = [label.clone(), symbol.clone()];
            let row = *places.entry(key).or_insert_with(|| {
                report.rows.push(Row {
                    unit: Unit::parse_or_other(&symbol).0,
                    label,
                    symbol,
                    fields: cells,
                    builds: BTreeSet::new(),
                    cells: Vec::new(),
                    control: None,
                });
                report.rows.len() - 1
            });
            report.rows[row].builds.insert(place);
            let cells = &mut report.rows[row].cells;
            cells.resize(cells.len().max(place + 1), Vec::new());
            // What a runner does not support has no value.
            if let Ok(value) = value.parse() {
                cells[place].push((run, value));
            }
        }
        for row in &mut report.rows {
            row.cells.resize(report.builds.len(), Vec::new());
        }
        report.read_controls(&data);
        report
    }

    /// Reads the second measurement of a program, which `data.csv` does not have.
    fn read_controls(&mut self, data: &Path) {
        let declared = self
            .manifest
            .get("implementation")
            .and_then(|i| i.as_array());
        let variant = |build: &toml::Value| list(build.get("variant"));
        let declared = declared.into_iter().flatten();
        let controls = declared.filter(|build| variant(build).contains(&"control".to_owned()));
        let mut second: HashMap<[String; 2], Vec<(String, f64)>> = HashMap::new();
        let mut program = None;
        for control in controls.cloned().collect::<Vec<_>>() {
            let of = |key: &str| control[key].as_str().expect("a text");
            let mut own = variant(&control);
            own.retain(|part| part != "control");
            let is_it = |b: &Build| {
                b.library == of("name") && b.version == of("version") && b.variant == own
            };
            program = self.builds.iter().position(is_it);
            let folders = list(control.get("files")).into_iter();
            let files = folders.flat_map(|folder| files(&data.join(folder)));
            for file in files.filter(|file| !is_hidden(file)) {
                for mut row in rows(&read(&file)) {
                    let [label, unit, run, value] = ["scenario", "unit", "run", "value"]
                        .map(|name| row.remove(name).expect(name));
                    if let Ok(value) = value.parse() {
                        second.entry([label, unit]).or_default().push((run, value));
                    }
                }
            }
        }
        let Some(program) = program else { return };
        for row in &mut self.rows {
            let Some(again) = second.get(&[row.label.clone(), row.symbol.clone()]) else {
                continue;
            };
            let ratios = Sample::new(ratios(&row.cells[program], again));
            let ratio = ratios.expect("the same runs").median_ratio();
            row.control = Some(ratio.max(1.0 / ratio));
        }
    }

    fn is_paired(&self) -> bool {
        self.manifest.get("paired") == Some(&toml::Value::Boolean(true))
    }

    pub(crate) fn row(&self, label: &str, symbol: &str) -> Option<&Row> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.label == label && row.symbol == symbol)
    }

    /// The row of this label, or the one that stands for those that vary it: most sessions, the median.
    pub(crate) fn main_row(&self, label: &str) -> Option<&Row> {
        let start = format!("{label}, ");
        let is_like = |row: &&Row| row.label == label || row.label.starts_with(&start);
        let rows = self.rows.iter().filter(is_like);
        rows.rev()
            .max_by_key(|row| (row.label == label, !row.is_count(), row.rank()))
    }

    /// The rows that two builds have, with the verdict of each: one family.
    pub(crate) fn compare(&self, [old, new]: [usize; 2]) -> Vec<(&Row, Comparison)> {
        let known = self.verdicts.lock().expect("no panic");
        let known = Arc::clone({ known }.entry([old, new]).or_default());
        let verdicts = known.get_or_init(|| judge([(self, old), (self, new)]));
        let all = self.rows.iter().zip(verdicts);
        all.filter_map(|(row, one)| Some((row, (*one)?))).collect()
    }

    pub(crate) fn verdict(&self, row: &Row, sides: [usize; 2]) -> Option<Comparison> {
        let all = self.compare(sides).into_iter();
        all.into_iter()
            .find(|(known, _)| std::ptr::eq(*known, row))
            .map(|(_, one)| one)
    }

    /// The default build of each library: of its newest final release, that of the variant that most of
    /// its releases have, and of equals the first.
    pub(crate) fn defaults(&self) -> Vec<usize> {
        let libraries: BTreeSet<&str> = self.builds.iter().map(|b| &*b.library).collect();
        let default = |library: &str| {
            let measured = |b: &usize| self.rows.iter().any(|row| row.has(*b));
            let mut own: Vec<usize> = (0..self.builds.len()).collect();
            own.retain(|b| self.builds[*b].library == library && measured(b));
            let all = own.clone();
            if own.iter().any(|b| self.builds[*b].is_final()) {
                own.retain(|b| self.builds[*b].is_final());
            }
            let order = |a: &usize, b: &usize| {
                let [a, b] = [a, b].map(|b| (self.builds[*b].version(), self.released(*b)));
                a.0.cmp_release(&b.0).then(a.1.cmp(&b.1))
            };
            let newest = own.iter().copied().max_by(order)?;
            own.retain(|b| order(b, &newest).is_eq());
            let variant = |b: &usize| &self.builds[*b].variant;
            let uses = |b: &usize| all.iter().filter(|a| variant(a) == variant(b)).count();
            own.into_iter().rev().max_by_key(uses)
        };
        libraries.into_iter().filter_map(default).collect()
    }

    /// The day of a build that its version does not order.
    fn released(&self, build: usize) -> String {
        let declared = self
            .manifest
            .get("implementation")
            .and_then(|i| i.as_array());
        let of = |d: &toml::Value, key: &str| d.get(key).map_or(String::new(), plain);
        let build = &self.builds[build];
        let mut declared = declared.into_iter().flatten();
        let own =
            declared.find(|d| of(d, "name") == build.library && of(d, "version") == build.version);
        own.map_or(String::new(), |d| of(d, "released"))
    }

    /// The default builds whose order is told; empty where one library was measured.
    pub(crate) fn ranked(&self) -> Vec<usize> {
        let mut defaults = self.defaults();
        let subject = self.subject();
        let shares = |b: &usize| {
            let mut rows = self.rows.iter();
            rows.any(|row| row.has(*b) && subject.is_some_and(|subject| row.has(subject)))
        };
        defaults.retain(shares);
        if defaults.len() < 2 {
            Vec::new()
        } else {
            defaults
        }
    }

    /// The builds of the newest final release of each library.
    pub(crate) fn newest(&self) -> Vec<usize> {
        let defaults = self.defaults();
        let is_newest = |build: &usize| {
            let build = &self.builds[*build];
            let mut defaults = defaults.iter().map(|default| &self.builds[*default]);
            defaults.any(|b| b.library == build.library && b.version == build.version)
                || self
                    .series(self.builds.iter().position(|b| b == build).unwrap_or(0))
                    .len()
                    == 1
        };
        (0..self.builds.len()).filter(is_newest).collect()
    }

    fn subject(&self) -> Option<usize> {
        let defaults = self.defaults();
        let rustls = defaults
            .iter()
            .find(|b| self.builds[**b].library == "rustls");
        rustls.or(defaults.iter().min()).copied()
    }

    /// The builds that lead in a row and those behind, the best first; `None` where none is ranked.
    pub(crate) fn leaders(&self, row: &Row) -> Option<[Vec<usize>; 2]> {
        let mut ranked = self.ranked();
        ranked.retain(|build| row.has(*build));
        ranked.sort_by(|a, b| {
            let [a, b] = [a, b].map(|build| row.estimate(*build).expect("a figure"));
            match row.unit.better() {
                generator::model::unit::Better::Higher => b.total_cmp(&a),
                _ => a.total_cmp(&b),
            }
        });
        if row.is_open() || ranked.len() < 2 {
            return None;
        }
        let best = ranked[0];
        let mut found = [vec![best], Vec::new()];
        for other in &ranked[1..] {
            match self.verdict(row, [*other, best])?.verdict {
                Verdict::Untested => return None,
                verdict if verdict.is_change() => found[1].push(*other),
                _ => found[0].push(*other),
            }
        }
        Some(found)
    }

    /// In how many of these rows somebody is behind, and in how many of them each build is ranked and
    /// first.
    pub(crate) fn leads(&self, rows: &[&Row]) -> (usize, BTreeMap<usize, [usize; 2]>) {
        let mut leads: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
        let mut all = 0;
        for [first, behind] in rows.iter().filter_map(|row| self.leaders(row)) {
            if behind.is_empty() {
                continue;
            }
            all += 1;
            for build in &first {
                leads.entry(*build).or_default()[1] += 1;
            }
            for build in first.iter().chain(&behind) {
                leads.entry(*build).or_default()[0] += 1;
            }
        }
        (all, leads)
    }

    /// The rates and times, one of each kind of work: what sentences count.
    pub(crate) fn main_rows(&self) -> Vec<&Row> {
        kinds(self.rows.iter().filter(|row| row.is_speed()).collect())
    }

    /// The builds of a library and variant, the oldest release first.
    pub(crate) fn series(&self, build: usize) -> Vec<usize> {
        let mut own: Vec<usize> = (0..self.builds.len()).collect();
        own.retain(|other| self.builds[*other].is_series(&self.builds[build]));
        let order = |build: &usize| (self.builds[*build].version(), self.released(*build));
        own.sort_by(|a, b| {
            order(a)
                .0
                .cmp_release(&order(b).0)
                .then(order(a).1.cmp(&order(b).1))
        });
        own
    }

    /// The scenarios that the report names as those that say most.
    pub(crate) fn headlines(&self) -> Vec<&Row> {
        let labels = list(self.manifest.get("headline"));
        let rows = labels.iter().flat_map(|label| {
            let own = self.rows.iter().filter(move |row| row.label == *label);
            own.filter(|row| !row.is_count())
        });
        rows.collect()
    }
}

/// The verdicts on two builds, of each row of the candidate's report. Both directions of a pair are one
/// comparison, made from the later build to the earlier one.
pub(crate) fn judge(sides: [(&Report, usize); 2]) -> Vec<Option<Comparison>> {
    let [(old, baseline), (new, candidate)] = sides;
    if std::ptr::eq(old, new) && baseline < candidate {
        let back = judge([sides[1], sides[0]]).into_iter();
        return back.map(|one| one.map(|one| one.reversed())).collect();
    }
    let mut pairs = Vec::new();
    let mut places = Vec::new();
    for (place, is) in new.rows.iter().enumerate() {
        if let Some(was) = old.row(&is.label, &is.symbol) {
            let control = was.control.into_iter().chain(is.control).reduce(f64::max);
            pairs.push(([was, is], [baseline, candidate], control));
            places.push(place);
        }
    }
    let is_paired = std::ptr::eq(old, new) && new.is_paired();
    let mut found = vec![None; new.rows.len()];
    for (place, one) in places.into_iter().zip(judged(&pairs, is_paired)) {
        found[place] = one;
    }
    found
}

/// Two rows with a build of each, and the control.
pub(crate) type Cells<'r> = ([&'r Row; 2], [usize; 2], Option<f64>);

/// The verdicts on pairs of cells of a report, as one family.
pub(crate) fn family(report: &Report, cells: &[Cells<'_>]) -> Vec<Option<Comparison>> {
    judged(cells, report.is_paired())
}

fn judged(cells: &[Cells<'_>], is_paired: bool) -> Vec<Option<Comparison>> {
    let samples = cells.iter().map(|(rows, builds, _)| {
        let sample = |side: usize| rows[side].sample(builds[side]);
        Some([sample(0)?, sample(1)?])
    });
    let samples: Vec<Option<[Sample; 2]>> = samples.collect();
    let mut pairs = Vec::new();
    let mut is_judged = Vec::new();
    for ((rows, builds, control), samples) in cells.iter().zip(&samples) {
        let unit = &rows[1].unit;
        let pair = samples.as_ref().and_then(|[old, new]| {
            Pair::new(old, new, Estimator::Median, unit.better(), unit.kind())
        });
        is_judged.push(pair.is_some());
        let ratios = match is_paired {
            true => ratios(&rows[0].cells[builds[0]], &rows[1].cells[builds[1]]),
            false => Vec::new(),
        };
        pairs.extend(pair.map(|pair| pair.controlled(*control).paired(ratios)));
    }
    let mut verdicts = Rules::default().judge(&pairs).into_iter();
    is_judged
        .into_iter()
        .map(|is| if is { verdicts.next() } else { None })
        .collect()
}

/// The ratio of each run; empty unless both have the same runs.
fn ratios(old: &[(String, f64)], new: &[(String, f64)]) -> Vec<f64> {
    let both = old.iter().zip(new);
    match old.len() == new.len() && both.clone().all(|(old, new)| old.0 == new.0) {
        true => both.map(|(old, new)| new.1 / old.1).collect(),
        false => Vec::new(),
    }
}

fn is_hidden(file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn parts(text: &str) -> Vec<String> {
    let parts = text.split('+').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

fn text<'t>(table: &'t toml::Table, key: &str) -> &'t str {
    table
        .get(key)
        .and_then(|value| value.as_str())
        .unwrap_or_default()
}

fn plain(value: &toml::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn list(value: Option<&toml::Value>) -> Vec<String> {
    match value {
        Some(toml::Value::Array(all)) => all.iter().map(plain).collect(),
        Some(one) => vec![plain(one)],
        None => Vec::new(),
    }
}

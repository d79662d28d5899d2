//! Formats by what they say of themselves: `formats.toml`, and `[[read]]` of a `report.toml`. An entry
//! is of one of three shapes: lines by a pattern, documents in JSON by paths, tables by the names of
//! columns. Each of them finds texts by names, from which the same templates make rows.

pub(super) mod documents;
pub(super) mod lines;
pub(crate) mod reads;
pub(super) mod tables;
mod template;

use super::collector::{Collector, Runs};
use super::figure::{self, Decimal};
use super::pattern::Expression;
use crate::model::implementation::Implementation;
use crate::model::unit::{Better, Unit};
use regex::RegexSet;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::LazyLock;
use template::Template;

/// A format, or one kind of row of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// Entries of one tool share what stands above their rows.
    #[serde(default)]
    pub(super) tool: String,
    /// The files of a report that it reads.
    #[serde(default)]
    pub(super) files: Option<super::manifest::Glob>,
    /// Starts another execution of the tool: what stands above is forgotten.
    start: Option<Expression>,
    /// Its groups stay for later rows.
    #[serde(default)]
    context: Many<Expression>,
    lines: Option<Expression>,
    each: Option<String>,
    table: Option<char>,
    /// Names that stand for something in each text of the format.
    #[serde(default)]
    has: Many<String>,
    /// Names that stand for nothing.
    #[serde(default)]
    lacks: Many<String>,
    #[serde(default)]
    scenario: Many<Template>,
    /// Added to the name of rows that would have the same one.
    apart: Option<Template>,
    #[serde(default)]
    implementation: Many<Template>,
    version: Option<Template>,
    variant: Option<Template>,
    run: Option<Template>,
    /// What stands between the figures of several runs in one value.
    runs: Option<char>,
    /// Whether a name that is repeated is another run.
    #[serde(default)]
    repeats: bool,
    #[serde(default)]
    value: Many<String>,
    #[serde(default)]
    unit: Many<Template>,
    /// What units are, where the tool has words of its own for them.
    #[serde(default)]
    units: BTreeMap<String, String>,
    /// A time to divide the value by, and a number to multiply it with.
    per: Option<Template>,
    times: Option<Template>,
    /// What stands in names for texts of the tool.
    #[serde(default)]
    words: BTreeMap<String, String>,
    /// The direction of a unit that is not known.
    #[serde(default)]
    better: Better,
    #[serde(default)]
    decimal: Decimal,
    skip: Option<Expression>,
    #[serde(default)]
    caveat: Many<Template>,
    /// What `{details}` of the scenario has: those that stand for something, with commas.
    #[serde(default)]
    details: Many<Template>,
    /// Whether a row counts only if no figure of its name stands above.
    #[serde(default)]
    first: bool,
    /// Groups that are forgotten after a row.
    #[serde(default)]
    once: Vec<String>,
    /// Whether it reads only what has no figures of another tool.
    #[serde(default)]
    last: bool,
}

/// One, which is that of all values, or a list with one for each.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    try_from = "Texts",
    bound = "T: TryFrom<String>, T::Error: fmt::Display"
)]
struct Many<T>(Vec<T>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum Texts {
    One(String),
    List(Vec<String>),
}

impl<T: TryFrom<String>> TryFrom<Texts> for Many<T> {
    type Error = T::Error;

    fn try_from(texts: Texts) -> Result<Self, T::Error> {
        let texts = match texts {
            Texts::One(text) => vec![text],
            Texts::List(texts) => texts,
        };
        let all: Result<_, _> = texts.into_iter().map(T::try_from).collect();
        all.map(Self)
    }
}

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Many<T> {
    fn at(&self, index: usize) -> Option<&T> {
        self.0.get(if self.0.len() == 1 { 0 } else { index })
    }
}

/// Entries, and what tells which of them may read a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    pub(super) entries: Vec<Entry>,
    /// For each entry, the texts of which lines have one that it reads or keeps.
    marks: RegexSet,
}

impl Formats {
    fn new(entries: Vec<Entry>) -> Self {
        let marks = entries.iter().map(|entry| {
            // Other contexts are looked for above a row.
            let context = entry.context.0.iter().filter(|one| one.is_marked());
            let marks = entry.start.iter().chain(context).chain(&entry.lines);
            let marks: Vec<String> = marks.map(|one| regex::escape(&one.mark())).collect();
            match marks.is_empty() {
                true => "$x".to_owned(),
                false => marks.join("|"),
            }
        });
        let marks = RegexSet::new(marks).expect("escaped texts");
        Self { entries, marks }
    }

    /// What may be looked for at each byte of a text.
    pub(super) fn size(&self) -> usize {
        let patterns = self.entries.iter().flat_map(Entry::expressions);
        1 + patterns.map(|one| one.copies).sum::<usize>()
    }
}

/// The formats that are built in, and those that read what no other does.
pub(super) static BUILT_IN: LazyLock<[Formats; 2]> = LazyLock::new(|| {
    let tools: toml::Table = include_str!("formats.toml").parse().expect("a sound table");
    let mut all: Vec<Entry> = Vec::new();
    for (tool, entries) in tools {
        let mut entries: Vec<toml::Table> = entries.try_into().expect("a list of entries");
        // What all entries of a tool share stands above them.
        let shared = match entries.len() {
            1 => toml::Table::new(),
            _ if SHAPES.iter().any(|shape| entries[0].contains_key(*shape)) => toml::Table::new(),
            _ => entries.remove(0),
        };
        for mut entry in entries {
            for (key, value) in &shared {
                entry.entry(key).or_insert_with(|| value.clone());
            }
            entry.insert("tool".to_owned(), tool.clone().into());
            all.push(entry.try_into().expect("a sound entry"));
        }
    }
    let (last, first) = all.into_iter().partition(|entry| entry.last);
    [first, last].map(Formats::new)
});

/// The keys of which an entry has one.
const SHAPES: [&str; 3] = ["lines", "each", "table"];

/// Texts by name: groups of a line and of lines above, columns of a row, paths of a document.
trait Source {
    /// The text of a name, in which `*` stands for some keys.
    fn text(&self, name: &str, keys: &[String]) -> Option<String>;

    /// All texts that the name of a value stands for, each with what `*` stands for in it.
    fn values(&self, name: &str) -> Vec<(Vec<String>, String)> {
        let text = self.text(name, &[]).filter(|text| !text.is_empty());
        text.map(|text| (Vec::new(), text)).into_iter().collect()
    }
}

/// A figure with all that its entry says of it.
#[derive(Debug)]
struct Row<'a> {
    entry: &'a Entry,
    scenario: String,
    apart: Option<String>,
    implementation: Option<Implementation>,
    /// The number of the execution, if the format has it.
    run: Option<u32>,
    unit: Unit,
    /// In the base unit; several are runs.
    figures: Vec<f64>,
    caveats: Vec<String>,
}

/// Why a source has no row of an entry.
enum Missing {
    /// Nothing stands for a name, so that it is none of its rows.
    Name(String),
    /// A figure that is none.
    Figure(String),
}

impl Entry {
    /// Checks what the types of its values do not say; compiles its patterns.
    pub(crate) fn check(&self) -> Result<(), String> {
        let shapes = [
            self.lines.is_some(),
            self.each.is_some(),
            self.table.is_some(),
        ];
        if shapes.iter().filter(|is_there| **is_there).count() != 1 {
            return Err("[[read]] has one of `lines`, `each` and `table`".to_owned());
        }
        if let Some(mark) = self.table.filter(|mark| !",;\t|".contains(*mark)) {
            return Err(format!("`table` is `,`, `;`, a tab or `|`, not `{mark}`"));
        }
        let is_unnamed = self.scenario.0.is_empty() || self.value.0.is_empty();
        if self.lines.is_none() && is_unnamed {
            return Err("[[read]] of JSON or a table needs `scenario` and `value`".to_owned());
        }
        for expression in self.expressions() {
            let compiled = expression.check();
            compiled.map_err(|reason| format!("`{}`: {reason}", expression.text))?;
        }
        let values = self.values().count();
        for (name, texts) in [("scenario", &self.scenario), ("unit", &self.unit)] {
            if ![0, 1, values].contains(&texts.0.len()) {
                return Err(format!("`{name}` has as many texts as `value`, or one"));
            }
        }
        Ok(())
    }

    /// Whether it reads figures, and not only tells lines that have none of a tool.
    pub(super) fn has_rows(&self) -> bool {
        self.lines.is_some() || self.each.is_some() || self.table.is_some()
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let one = [&self.start, &self.lines, &self.skip].into_iter().flatten();
        one.chain(&self.context.0)
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        let default = self.value.0.is_empty().then_some("value");
        self.value.0.iter().map(String::as_str).chain(default)
    }

    /// Makes the rows of a source. Several values of one name are runs.
    fn rows(&self, source: &impl Source) -> Result<Vec<Row<'_>>, Missing> {
        let missing = |name: &str| Missing::Name(name.to_owned());
        let is_there = |name: &String| source.text(name, &[]).is_some();
        if let Some(name) = self.has.0.iter().find(|name| !is_there(name)) {
            return Err(missing(name));
        }
        if self.lacks.0.iter().any(is_there) {
            return Ok(Vec::new());
        }
        let mut rows: Vec<Row<'_>> = Vec::new();
        let (mut wrong, mut is_skipped) = (None, false);
        for (index, name) in self.values().enumerate() {
            let found = source.values(name);
            if found.is_empty() {
                wrong = Some(missing(name));
            }
            for (keys, text) in found {
                for text in text.split(|c| Some(c) == self.runs) {
                    match self.row(index, text, |name| self.named(source, name, &keys)) {
                        Ok(Some(row)) => match rows.last_mut() {
                            Some(last) if last.is_alike(&row) => last.figures.extend(row.figures),
                            _ => rows.push(row),
                        },
                        Ok(None) => is_skipped = true,
                        Err(why) => wrong = Some(why),
                    }
                }
            }
        }
        match wrong {
            Some(why) if rows.is_empty() && !is_skipped => Err(why),
            _ => Ok(rows),
        }
    }

    /// The text of a name in a template: of the first of `{a|b}` that is not empty, or of `{names=texts}`
    /// as pairs, each in the words of the entry.
    fn named(&self, source: &impl Source, name: &str, keys: &[String]) -> Option<String> {
        if let Some((names, texts)) = name.split_once('=') {
            let [names, texts] = [source.text(names, keys)?, source.text(texts, keys)?];
            let pairs = names.split_whitespace().zip(texts.split_whitespace());
            let pairs = pairs.filter(|(_, text)| *text != "N/A");
            let pairs =
                pairs.map(|(name, text)| format!("{}={text}", name.trim_matches(['(', ')'])));
            return Some(pairs.collect::<Vec<_>>().join(", "));
        }
        if name == "details" && !self.details.0.is_empty() {
            let named = |name: &str| self.named(source, name, keys);
            let details = self.details.0.iter().filter_map(|one| one.filled(named));
            return Some(details.collect::<Vec<_>>().join(", "));
        }
        let mut texts = name.split('|').filter_map(|name| source.text(name, keys));
        let text = texts.find(|text| !text.trim().is_empty())?;
        Some(self.words.get(&text).cloned().unwrap_or(text))
    }

    /// Makes the row of the value with an index, unless it is left out.
    fn row(
        &self,
        index: usize,
        value: &str,
        get: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Row<'_>>, Missing> {
        let fill = |template: Option<&Template>| {
            let filled = template.map(|template| template.fill(&get));
            filled
                .transpose()
                .map_err(|name| Missing::Name(name.to_owned()))
        };
        let own = |name: &str| get(name).ok_or_else(|| Missing::Name(name.to_owned()));
        let scenario = match fill(self.scenario.at(index))? {
            Some(scenario) => scenario,
            None => own("scenario")?,
        };
        if self
            .skip
            .as_ref()
            .is_some_and(|skip| skip.captures(&scenario).is_some())
        {
            return Ok(None);
        }
        let unit = match self.lines.is_some() && self.unit.0.is_empty() {
            true => get("unit"),
            false => fill(self.unit.at(index))?,
        };
        let known = unit.as_ref().and_then(|unit| self.units.get(unit));
        if known.is_some_and(String::is_empty) {
            return Ok(None);
        }
        let read = self.figure(value, unit.as_deref());
        let (unit, mut base) = read.map_err(Missing::Figure)?;
        if let Some(time) = fill(self.per.as_ref())? {
            base /= self.number(&time)?;
        }
        if let Some(factor) = fill(self.times.as_ref())? {
            base *= self.number(&factor)?;
        }
        let version = fill(self.version.as_ref())?.unwrap_or_default();
        let variant = fill(self.variant.as_ref())?.unwrap_or_default();
        let name = fill(self.implementation.at(index))?.filter(|name| !name.is_empty());
        let run = match fill(self.run.as_ref())?.filter(|run| !run.is_empty()) {
            Some(run) => Some(run.parse().map_err(|_| {
                Missing::Figure(super::cite("a run is a whole number, unlike", &run))
            })?),
            None => None,
        };
        let filled = |template: &Template| template.filled(&get);
        Ok(Some(Row {
            entry: self,
            scenario,
            apart: self.apart.as_ref().and_then(filled),
            implementation: name.map(|name| Implementation::new(&name, &version, &[&variant])),
            run,
            unit,
            figures: vec![base],
            caveats: self.caveat.0.iter().filter_map(filled).collect(),
        }))
    }

    /// A number, or a time in seconds.
    fn number(&self, text: &str) -> Result<f64, Missing> {
        let wrong = || Missing::Figure(super::cite("expected a number that is not 0, got", text));
        let (number, unit) = figure::split(text, self.decimal).ok_or_else(wrong)?;
        let factor = figure::known(unit).map_or(1.0, |(_, factor)| factor);
        Some(number * factor)
            .filter(|number| *number > 0.0)
            .ok_or_else(wrong)
    }

    /// Converts a figure to its base unit: the unit stands beside it, or is `unit`.
    fn figure(&self, text: &str, unit: Option<&str>) -> Result<(Unit, f64), String> {
        if let Some(seconds) = figure::clock(text) {
            return Ok((Unit::Time, seconds));
        }
        let wrong = || super::cite("expected a figure, got", text);
        let (value, suffix) = figure::split(text, self.decimal).ok_or_else(wrong)?;
        if value < 0.0 || !value.is_finite() {
            return Err(super::cite(
                "a figure must be positive and finite, not",
                text,
            ));
        }
        let of_suffix = self.units.contains_key(suffix) || figure::known(suffix).is_some();
        let (symbol, factor) = match (unit, figure::prefix(suffix)) {
            (Some(unit), Some(factor)) if !of_suffix => (unit, factor),
            _ if !suffix.is_empty() => (suffix, 1.0),
            _ => return Err(super::cite("nothing says the unit of", text)),
        };
        let (symbol, better) = match self.units.get(symbol.trim()) {
            Some(own) => (own.as_str(), Better::Unknown),
            None => (symbol.trim(), self.better),
        };
        let (unit, of_unit) = match (figure::known(symbol), better) {
            (Some(known), _) => known,
            (None, Better::Unknown) => Unit::parse_or_other(symbol),
            (None, better) => Unit::directed(&symbol.to_lowercase(), better),
        };
        Ok((unit, value * factor * of_unit))
    }
}

impl Row<'_> {
    /// Whether it is another run of a row.
    fn is_alike(&self, other: &Self) -> bool {
        self.run.is_none()
            && self.scenario == other.scenario
            && self.unit == other.unit
            && self.implementation == other.implementation
    }
}

/// Adds the rows of a text. Those of one name are told apart by what the entry says, else counted.
fn add(rows: Vec<Row<'_>>, out: &mut Collector) {
    let (mut seen, mut alike) = (HashSet::new(), HashSet::new());
    for row in rows.iter().filter(|row| row.apart.is_some()) {
        if !seen.insert((&row.scenario, &row.unit)) {
            alike.insert(row.scenario.clone());
        }
    }
    for mut row in rows {
        if out.is_full() {
            break;
        }
        if row.implementation.is_some() {
            out.of(row.implementation);
        }
        if row.entry.first && out.is_known(&row.scenario, &row.unit) {
            continue;
        }
        if let Some(apart) = &row.apart
            && alike.contains(&row.scenario)
        {
            row.scenario = format!("{} ({apart})", row.scenario);
        }
        let above = out.parsed.observations.len();
        let runs = match row.run {
            Some(run) => Runs::From(run),
            None if row.entry.repeats => Runs::Repeated,
            None => Runs::OfName,
        };
        out.add(&row.scenario, row.unit, &row.figures, runs);
        for added in &mut out.parsed.observations[above..] {
            added.caveats.clone_from(&row.caveats);
        }
    }
}

//! Formats by what they say of themselves: `formats.toml`, and `[[read]]` of a `report.toml`. An entry
//! is of one of three shapes: lines by a pattern, documents in JSON by paths, tables by the names of
//! columns. Each of them finds texts by names, from which the same templates make rows.

pub(super) mod documents;
pub(super) mod lines;
pub(crate) mod reads;
pub(super) mod tables;
mod template;

use super::collector::Collector;
use super::figure::{self, Decimal};
use super::pattern::Expression;
use crate::model::implementation::Implementation;
use crate::model::unit::{Better, Unit};
use regex::RegexSet;
use serde::de::{Error, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::marker::PhantomData;
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
    scenario: Option<Many<Template>>,
    /// Added to the name of rows that would have the same one.
    apart: Option<Template>,
    implementation: Option<Many<Template>>,
    version: Option<Template>,
    variant: Option<Template>,
    run: Option<Template>,
    /// What stands between the figures of several runs in one value.
    runs: Option<char>,
    /// Whether a name that is repeated is another run.
    #[serde(default)]
    repeats: bool,
    value: Option<Many<String>>,
    unit: Option<Many<Template>>,
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
    /// Exit codes of a command, for a caveat.
    failures: Option<String>,
    /// What `{details}` of the scenario has: those that stand for something, with commas.
    #[serde(default)]
    details: Many<Template>,
    /// Whether of rows with one name only the first counts.
    #[serde(default)]
    first: bool,
    /// Groups that are forgotten after a row.
    #[serde(default)]
    once: Vec<String>,
    /// Whether it reads only what has no figures of another tool.
    #[serde(default)]
    last: bool,
}

/// One, or a list of them.
#[derive(Clone, Debug)]
enum Many<T> {
    One(T),
    List(Vec<T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        struct OneOrMany<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
            type Value = Many<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                T::deserialize(text.to_owned().into_deserializer()).map(Many::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(one) = list.next_element()? {
                    all.push(one);
                }
                Ok(Many::List(all))
            }
        }
        value.deserialize_any(OneOrMany(PhantomData))
    }
}

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl<T> Many<T> {
    fn all(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::List(list) => list,
        }
    }

    /// The one that belongs to a value: a list has one for each.
    fn at(&self, index: usize) -> Option<&T> {
        match self {
            Self::One(one) => Some(one),
            Self::List(list) => list.get(index),
        }
    }
}

/// Entries, and what tells which of them may read a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    pub(super) entries: Vec<Entry>,
    /// The tool of each entry: an index of `tools`.
    tool: Vec<usize>,
    tools: Vec<String>,
    /// For each entry, the texts of which lines have one that it reads or keeps.
    marks: RegexSet,
}

impl Formats {
    /// What may be looked for at each byte of a text.
    pub(super) fn size(&self) -> usize {
        1 + self.entries.iter().map(Entry::copies).sum::<usize>()
    }

    pub(super) fn new(entries: Vec<Entry>) -> Self {
        let mut tools: Vec<String> = Vec::new();
        let mut tool = Vec::new();
        for entry in &entries {
            let known = tools.iter().position(|name| *name == entry.tool);
            tool.push(known.unwrap_or(tools.len()));
            if known.is_none() {
                tools.push(entry.tool.clone());
            }
        }
        let marks = entries.iter().map(|entry| match &entry.lines {
            None => "$x".to_owned(),
            Some(lines) => {
                // Other contexts are looked for above a row.
                let context = entry.context.all().iter().filter(|one| one.is_marked());
                let marks = entry.start.iter().chain(context).chain([lines]);
                marks
                    .map(|one| regex::escape(&one.mark()))
                    .collect::<Vec<_>>()
                    .join("|")
            }
        });
        let marks = RegexSet::new(marks).expect("escaped texts");
        Self {
            entries,
            tool,
            tools,
            marks,
        }
    }
}

/// The formats that are built in, and those that read what no other does.
pub(super) static BUILT_IN: LazyLock<[Formats; 2]> = LazyLock::new(|| {
    let tools: toml::Table = include_str!("formats.toml").parse().expect("a sound table");
    let mut all: Vec<Entry> = Vec::new();
    for (tool, entries) in tools {
        let entries: Vec<Entry> = entries.try_into().expect("sound entries");
        let first = entries[0].clone();
        all.extend(entries.into_iter().map(|entry| Entry {
            tool: tool.clone(),
            ..entry.or_of(&first)
        }));
    }
    let (last, first) = all.into_iter().partition(|entry| entry.last);
    [first, last].map(Formats::new)
});

/// Texts by name: groups of a line and of lines above, columns of a row, paths of a document.
trait Source {
    /// All texts that the name of a value stands for, each with what `*` stands for in it.
    fn values(&self, name: &str) -> Vec<(Vec<String>, String)>;
    /// The line of a value, if it is none of the row's own.
    fn line(&self, _name: &str) -> Option<u32> {
        None
    }
    /// The text of another name, in which `*` stands for the same.
    fn text(&self, name: &str, keys: &[String]) -> Option<String>;
}

/// A figure with all that its entry says of it.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) scenario: String,
    apart: Option<String>,
    implementation: Option<Implementation>,
    /// The number of the execution, if the format has it.
    run: Option<u32>,
    unit: Unit,
    /// In the base unit; several are runs.
    figures: Vec<f64>,
    caveats: Vec<String>,
    is_repeated: bool,
}

/// Why a source has no row of an entry.
enum Missing {
    /// Nothing stands for a name, so that it is none of its rows.
    Name(String),
    /// A figure that is none.
    Figure(String),
}

impl Entry {
    /// The entry with what the first one of its tool says for all.
    fn or_of(mut self, first: &Self) -> Self {
        let shared = |own: Option<_>, first: &Option<_>| own.or_else(|| first.clone());
        self.implementation = self.implementation.or_else(|| first.implementation.clone());
        self.version = shared(self.version, &first.version);
        self.variant = shared(self.variant, &first.variant);
        if self.words.is_empty() {
            self.words.clone_from(&first.words);
        }
        self
    }

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
        if self.lines.is_none() && (self.scenario.is_none() || self.value.is_none()) {
            return Err("[[read]] of JSON or a table needs `scenario` and `value`".to_owned());
        }
        for expression in self.expressions() {
            expression
                .check()
                .map_err(|reason| format!("`{}`: {reason}", expression.text))?;
        }
        let values = self.value.as_ref().map_or(1, |value| value.all().len());
        for (name, count) in [
            (
                "scenario",
                self.scenario.as_ref().map(|all| all.all().len()),
            ),
            ("unit", self.unit.as_ref().map(|all| all.all().len())),
        ] {
            if count.is_some_and(|count| count != 1 && count != values) {
                return Err(format!("`{name}` has as many texts as `value`, or one"));
            }
        }
        Ok(())
    }

    /// Checks that entries of lines, which are of one tool, have all groups that they name.
    pub(super) fn check_groups<'a>(
        entries: impl Iterator<Item = &'a Self> + Clone,
    ) -> Result<(), String> {
        let groups: Vec<&str> = entries
            .clone()
            .flat_map(Self::groups)
            .chain(["target", "details"])
            .collect();
        for entry in entries.filter(|entry| entry.lines.is_some()) {
            let mut names = entry
                .names()
                .into_iter()
                .flat_map(|name| name.split(['|', '=']));
            if let Some(name) = names.find(|name| !groups.contains(name)) {
                return Err(format!("no pattern has a group `{name}`"));
            }
        }
        Ok(())
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let one = [&self.start, &self.lines, &self.skip].into_iter().flatten();
        one.chain(self.context.all())
    }

    /// Copies of its counted repetitions.
    fn copies(&self) -> usize {
        self.expressions().map(|one| one.copies).sum()
    }

    fn groups(&self) -> Vec<&str> {
        let expressions = [&self.start, &self.lines].into_iter().flatten();
        let expressions = expressions.chain(self.context.all());
        expressions
            .flat_map(|one| &one.groups)
            .map(String::as_str)
            .collect()
    }

    /// All names of groups, columns or paths.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.values().collect();
        let lists = [&self.scenario, &self.unit, &self.implementation]
            .into_iter()
            .flatten();
        let one = [
            &self.apart,
            &self.version,
            &self.variant,
            &self.run,
            &self.per,
            &self.times,
        ];
        let templates = lists.flat_map(Many::all).chain(one.into_iter().flatten());
        for template in templates.chain(self.caveat.all()).chain(self.details.all()) {
            names.extend(template.names());
        }
        names.extend(self.lacks.all().iter().map(String::as_str));
        names.extend(self.has.all().iter().map(String::as_str));
        names
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        let default = self.value.is_none().then_some("value");
        let values = self.value.iter().flat_map(Many::all);
        values.map(String::as_str).chain(default)
    }

    /// Makes the rows of a source.
    fn rows(&self, source: &impl Source, line: u32) -> Result<Vec<Row>, Missing> {
        let missing = |name: &str| Missing::Name(name.to_owned());
        if let Some(name) = self
            .has
            .all()
            .iter()
            .find(|name| source.text(name, &[]).is_none())
        {
            return Err(missing(name));
        }
        if self
            .lacks
            .all()
            .iter()
            .any(|name| source.text(name, &[]).is_some())
        {
            return Ok(Vec::new());
        }
        let failed = self
            .failures
            .as_ref()
            .and_then(|name| failed(&source.values(name)));
        let mut rows = Vec::new();
        let (mut wrong, mut is_skipped) = (None, false);
        for (index, name) in self.values().enumerate() {
            let found = source.values(name);
            if found.is_empty() {
                wrong = Some(missing(name));
            }
            for (keys, text) in found {
                for text in text.split(|c| Some(c) == self.runs) {
                    match self.row(index, text, |name| self.named(source, name, &keys)) {
                        Ok(Some(mut row)) => {
                            row.line = source.line(name).unwrap_or(line);
                            row.caveats.extend(failed.clone());
                            push(&mut rows, row);
                        }
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
        if name == "details" && !self.details.all().is_empty() {
            let named = |name: &str| self.named(source, name, keys);
            let details = self
                .details
                .all()
                .iter()
                .filter_map(|one| one.filled(named));
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
    ) -> Result<Option<Row>, Missing> {
        let missing = |name: &str| Missing::Name(name.to_owned());
        let fill = |template: Option<&Template>| {
            let filled = template.map(|template| template.fill(&get));
            filled.transpose().map_err(missing)
        };
        let scenario = match self.scenario.as_ref().and_then(|all| all.at(index)) {
            Some(template) => template.fill(&get).map_err(missing)?,
            None => get("scenario").ok_or_else(|| missing("scenario"))?,
        };
        if self
            .skip
            .as_ref()
            .is_some_and(|skip| skip.is_match(&scenario))
        {
            return Ok(None);
        }
        let unit = match &self.unit {
            Some(all) => fill(all.at(index))?,
            None if self.lines.is_some() => get("unit"),
            None => None,
        };
        if self
            .units
            .get(unit.as_deref().unwrap_or_default())
            .is_some_and(String::is_empty)
        {
            return Ok(None);
        }
        let (unit, mut base) = self
            .figure(value, unit.as_deref())
            .map_err(Missing::Figure)?;
        if let Some(time) = fill(self.per.as_ref())? {
            base /= self.number(&time)?;
        }
        if let Some(factor) = fill(self.times.as_ref())? {
            base *= self.number(&factor)?;
        }
        let [version, variant] = [&self.version, &self.variant].map(|one| fill(one.as_ref()));
        let (version, variant) = (version?.unwrap_or_default(), variant?.unwrap_or_default());
        let implementation = self.implementation.as_ref().and_then(|all| all.at(index));
        let implementation = fill(implementation)?.filter(|name| !name.is_empty());
        let variant: Vec<&str> = Some(&*variant)
            .filter(|word| !word.is_empty())
            .into_iter()
            .collect();
        let run = match fill(self.run.as_ref())? {
            Some(run) if run.is_empty() => None,
            Some(run) => Some(run.parse().map_err(|_| {
                Missing::Figure(super::cite("a run is a whole number, unlike", &run))
            })?),
            None => None,
        };
        let caveats = self
            .caveat
            .all()
            .iter()
            .filter_map(|template| template.filled(&get));
        Ok(Some(Row {
            line: 0,
            scenario,
            apart: self
                .apart
                .as_ref()
                .and_then(|template| template.filled(&get)),
            implementation: implementation
                .map(|name| Implementation::new(&name, &version, &variant)),
            run,
            unit,
            figures: vec![base],
            caveats: caveats.collect(),
            is_repeated: self.repeats,
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

/// Adds a row of a source: several values of one name are its runs.
fn push(rows: &mut Vec<Row>, row: Row) {
    let alike = rows.last_mut().filter(|last| {
        last.run.is_none()
            && last.scenario == row.scenario
            && last.unit == row.unit
            && last.implementation == row.implementation
    });
    match alike {
        Some(last) => last.figures.extend(row.figures),
        None => rows.push(row),
    }
}

/// Adds the rows of a text. Those of one name are told apart by what the entry says, else counted.
fn add(mut rows: Vec<Row>, out: &mut Collector) {
    tell_apart(&mut rows);
    for row in rows {
        if out.is_full() {
            break;
        }
        out.line = row.line;
        if row.implementation.is_some() {
            out.of(row.implementation);
        }
        let above = out.parsed.observations.len();
        match row.run {
            Some(run) => out.of_run(&row.scenario, run, row.unit, row.figures[0]),
            None if row.is_repeated => out.repeated(&row.scenario, row.unit, row.figures[0]),
            None => out.runs(&row.scenario, row.unit, row.figures),
        }
        for added in &mut out.parsed.observations[above..] {
            added.caveats.clone_from(&row.caveats);
        }
    }
}

/// How many of some exit codes are not 0.
fn failed(codes: &[(Vec<String>, String)]) -> Option<String> {
    let failed = codes.iter().filter(|(_, code)| code != "0").count();
    (failed > 0).then(|| format!("{failed} of {} executions failed", codes.len()))
}

fn tell_apart(rows: &mut [Row]) {
    if rows.iter().all(|row| row.apart.is_none()) {
        return;
    }
    let (mut seen, mut alike) = (HashSet::new(), HashSet::new());
    for row in rows.iter() {
        if !seen.insert((row.scenario.clone(), row.unit.clone())) {
            alike.insert(row.scenario.clone());
        }
    }
    for row in rows {
        if let Some(apart) = row.apart.as_ref().filter(|text| !text.is_empty())
            && alike.contains(&row.scenario)
        {
            row.scenario = format!("{} ({apart})", row.scenario);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_are_built_in_are_sound() {
        for entry in BUILT_IN.iter().flat_map(|formats| &formats.entries) {
            assert_eq!(entry.check(), Ok(()), "{entry:?}");
            assert!(!entry.tool.is_empty() && entry.files.is_none(), "{entry:?}");
            let all = BUILT_IN.iter().flat_map(|formats| &formats.entries);
            let of_tool = all.filter(|other| other.tool == entry.tool);
            assert_eq!(Entry::check_groups(of_tool), Ok(()), "{}", entry.tool);
        }
    }
}

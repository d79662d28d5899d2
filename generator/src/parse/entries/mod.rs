//! Formats by what they say of themselves: `formats.toml`, and `[[read]]` of a `report.toml`. An entry
//! is of one of three shapes: lines by a pattern, documents in JSON by paths, tables by the names of
//! columns. Each of them finds texts by names, from which the same templates make rows.

pub(super) mod documents;
pub(crate) mod reads;
pub(super) mod tables;
mod template;

use super::collector::{Collector, Runs};
use super::figure;
use super::pattern::Expression;
use crate::model::implementation::Implementation;
use crate::model::scale::group_thousands;
use crate::model::unit::{Better, Unit};
use regex::{Captures, RegexSet};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::slice;
use std::sync::LazyLock;
use template::Template;

/// A format, or one kind of row of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Entry {
    /// Entries of one tool share what stands above their rows.
    pub(super) tool: String,
    /// The files of a report that it reads.
    pub(super) files: Option<super::manifest::Glob>,
    /// Starts another execution of the tool: what stands above is forgotten.
    pub(super) start: Option<Expression>,
    /// Its groups stay for later rows.
    pub(super) context: Many<Expression>,
    pub(super) lines: Many<Expression>,
    /// Names that tables have for scenarios.
    names: Many<Expression>,
    each: Option<String>,
    table: Option<char>,
    /// Names that stand for something in each text of the format.
    has: Many<String>,
    /// Names that stand for nothing.
    lacks: Many<String>,
    scenario: Many<Template>,
    /// Added to the name of rows that would have the same one.
    apart: Option<Template>,
    implementation: Many<Template>,
    version: Option<Template>,
    variant: Option<Template>,
    run: Option<Template>,
    /// What stands between the figures of several runs in one value.
    runs: Option<char>,
    /// Whether a name that is repeated is another run.
    repeats: bool,
    /// Whether another run starts where the first name is repeated, if no `start` says so.
    rounds: bool,
    value: Many<String>,
    /// Whether the value is why there is no figure.
    unsupported: bool,
    unit: Many<Template>,
    /// What units are, where the tool has words of its own for them.
    units: BTreeMap<String, String>,
    /// A time to divide the value by, and a number to multiply it with.
    per: Option<Template>,
    times: Option<Template>,
    /// Whether the value is the time of one operation, where a rate is wanted.
    inverse: bool,
    /// What stands in names for texts of the tool.
    words: BTreeMap<String, String>,
    /// The direction of a unit that is not known.
    better: Better,
    /// The mark of decimals in texts such as `1,234`.
    decimal: Option<char>,
    skip: Option<Expression>,
    caveat: Many<Template>,
    /// Whether a row counts only if no figure of its name stands above.
    first: bool,
    /// Groups that are forgotten after a row.
    pub(super) once: Vec<String>,
    /// Whether it reads only what has no figures of another tool.
    last: bool,
}

/// One, which is that of all values or patterns of lines, or a list with one for each.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub(super) enum Many<T> {
    One(T),
    List(Vec<T>),
}

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl<T> Many<T> {
    pub(super) fn all(&self) -> &[T] {
        match self {
            Self::One(one) => slice::from_ref(one),
            Self::List(list) => list,
        }
    }

    fn at(&self, index: usize) -> Option<&T> {
        match self.all() {
            [one] => Some(one),
            list => list.get(index),
        }
    }
}

/// Entries, and what tells which of them may read a line.
#[derive(Clone, Default)]
pub(crate) struct Formats {
    pub(super) entries: Vec<Entry>,
    /// Somebody's own, whose rows must be sound.
    pub(super) is_own: bool,
    /// Whether what code reads comes before them, and lines that none takes are told.
    pub(super) has_code: bool,
    /// For each entry, the texts of which lines have one that it reads or keeps.
    pub(super) marks: RegexSet,
}

impl Formats {
    fn new(entries: Vec<Entry>) -> Self {
        let marks = entries.iter().map(|entry| {
            // Other contexts are looked for above a row.
            let context = entry.context.all().iter().filter(|one| one.is_marked());
            let marks = entry.start.iter().chain(context).chain(entry.lines.all());
            let marks: Vec<String> = marks.map(|one| regex::escape(&one.mark())).collect();
            match marks.is_empty() {
                true => "$x".to_owned(),
                false => marks.join("|"),
            }
        });
        Self {
            marks: RegexSet::new(marks).expect("escaped texts"),
            entries,
            ..Self::default()
        }
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
        let shapes = ["lines", "each", "table", "names"];
        let is_row = shapes.iter().any(|key| entries[0].contains_key(*key));
        let shared = match entries.len() > 1 && !is_row {
            true => entries.remove(0),
            false => toml::Table::new(),
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
    let first = Formats {
        has_code: true,
        ..Formats::new(first)
    };
    [first, Formats::new(last)]
});

/// Texts by name: groups of a line and of lines above, columns of a row, paths of a document.
pub(super) trait Source {
    /// The text of a name, in which `*` stands for some keys.
    fn text(&self, name: &str, keys: &[String]) -> Option<String>;

    /// All texts that the name of a value stands for, each with what `*` stands for in it.
    fn values(&self, name: &str) -> Vec<(Vec<String>, String)> {
        let text = self.text(name, &[]).filter(|text| !text.is_empty());
        text.map(|text| (Vec::new(), text)).into_iter().collect()
    }
}

/// The groups of a line, and those of lines above.
pub(super) struct Groups<'a, F> {
    pub(super) captures: Captures<'a>,
    pub(super) groups: F,
}

impl<'a, F: Fn(&str) -> Option<&'a String>> Source for Groups<'a, F> {
    fn text(&self, name: &str, _: &[String]) -> Option<String> {
        match self.captures.name(name) {
            Some(group) => Some(group.as_str().trim().to_owned()),
            None => (self.groups)(name).cloned(),
        }
    }
}

/// The label of a scenario that has another name in tables.
pub(super) fn label(name: &str) -> Option<String> {
    BUILT_IN[0].entries.iter().find_map(|entry| {
        let (at, captures) = entry.captures(&entry.names, name)?;
        let groups = |_: &str| None;
        let source = Groups { captures, groups };
        entry.scenario.at(at)?.filled(entry.texts(&source, &[]))
    })
}

/// A figure with all that its entry says of it.
#[derive(Debug)]
pub(super) struct Row<'a> {
    entry: &'a Entry,
    pub(super) scenario: String,
    apart: Option<String>,
    implementation: Option<Implementation>,
    /// The number of the execution, if the format has it.
    run: Option<u32>,
    pub(super) unit: Unit,
    /// In the base unit; several are runs.
    figures: Vec<f64>,
    /// Why there is no figure.
    reason: Option<String>,
    caveats: Vec<String>,
}

/// Why a source has no row of an entry.
pub(super) enum Missing {
    /// Nothing stands for a name, so that it is none of its rows.
    Name(String),
    /// A figure that is none.
    Figure(String),
}

impl Missing {
    /// What is wrong with a text that an entry has to read.
    pub(super) fn message(self, tool: &str, text: &str) -> String {
        match self {
            Self::Name(name) => super::cite(&format!("{tool}: nothing stands for `{name}`:"), text),
            Self::Figure(message) => format!("{tool}: {message}"),
        }
    }
}

impl Entry {
    /// Checks what the types of its values do not say; compiles its patterns.
    pub(crate) fn check(&self) -> Result<(), String> {
        let is_lines = !self.lines.all().is_empty();
        let shapes = [is_lines, self.each.is_some(), self.table.is_some()];
        if shapes.iter().filter(|is_there| **is_there).count() != 1 {
            return Err("[[read]] has one of `lines`, `each` and `table`".to_owned());
        }
        if let Some(mark) = self.table.filter(|mark| !",;\t|".contains(*mark)) {
            return Err(format!("`table` is `,`, `;`, a tab or `|`, not `{mark}`"));
        }
        if let Some(mark) = self.decimal.filter(|mark| !",.".contains(*mark)) {
            return Err(format!("`decimal` is `,` or `.`, not `{mark}`"));
        }
        let (names, units) = (self.scenario.all(), self.unit.all());
        if !is_lines && (names.is_empty() || self.value.all().is_empty()) {
            return Err("[[read]] of JSON or a table needs `scenario` and `value`".to_owned());
        }
        self.expressions().try_for_each(Expression::check)?;
        let others = [
            &self.apart,
            &self.version,
            &self.variant,
            &self.run,
            &self.per,
            &self.times,
        ];
        let lists = [names, units, self.implementation.all(), self.caveat.all()];
        let mut templates = others
            .into_iter()
            .flatten()
            .chain(lists.into_iter().flatten());
        templates.try_for_each(Template::check)?;
        let values = self.values().count().max(self.lines.all().len());
        match [names, units]
            .iter()
            .all(|texts| [0, 1, values].contains(&texts.len()))
        {
            true => Ok(()),
            false => Err(
                "`scenario` and `unit` have as many texts as `value` or `lines`, or one".to_owned(),
            ),
        }
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let one = self.start.iter().chain(&self.skip);
        one.chain(self.context.all()).chain(self.lines.all())
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        let default = self.value.all().is_empty().then_some("value");
        self.value.all().iter().map(String::as_str).chain(default)
    }

    /// The first of some patterns that a line has, by its place.
    pub(super) fn captures<'a>(
        &self,
        patterns: &Many<Expression>,
        line: &'a str,
    ) -> Option<(usize, Captures<'a>)> {
        let mut patterns = patterns.all().iter().enumerate();
        patterns.find_map(|(at, one)| Some((at, one.captures(line.trim_end())?)))
    }

    /// Finds texts by names: of `a|b` the first that is not empty, in the words of the entry; of `a+b`
    /// and `a+` the sum.
    fn texts(&self, source: &impl Source, keys: &[String]) -> impl Fn(&str) -> Option<String> {
        |name| {
            let find = |name| {
                source
                    .text(name, keys)
                    .filter(|text| !text.trim().is_empty())
            };
            if let Some(text) = name.split('|').find_map(find) {
                return Some(self.words.get(&text).cloned().unwrap_or(text));
            }
            let mut terms = name.strip_suffix('+').unwrap_or(name).split('+');
            let add = |sum: u64, name| sum.checked_add(figure::integer(&find(name)?)?);
            Some(group_thousands(&terms.try_fold(0, add)?.to_string()))
        }
    }

    /// Makes the rows of a source, which is of the pattern `at` of a list of them. Several values of one
    /// name are runs.
    pub(super) fn rows(&self, source: &impl Source, at: usize) -> Result<Vec<Row<'_>>, Missing> {
        let is_there = |name: &String| source.text(name, &[]).is_some();
        if let Some(name) = self.has.all().iter().find(|name| !is_there(name)) {
            return Err(Missing::Name(name.clone()));
        }
        if self.lacks.all().iter().any(is_there) {
            return Ok(Vec::new());
        }
        let mut rows: Vec<Row<'_>> = Vec::new();
        let (mut wrong, mut is_skipped) = (None, false);
        for (index, name) in self.values().enumerate() {
            let index = if self.value.all().len() > 1 {
                index
            } else {
                at
            };
            let found = source.values(name);
            if found.is_empty() {
                wrong = Some(Missing::Name(name.to_owned()));
            }
            for (keys, text) in found {
                let get = self.texts(source, &keys);
                for text in text.split(|c| Some(c) == self.runs) {
                    match self.row(index, text, &get) {
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

    /// Makes the row of the value with an index, unless it is left out.
    fn row(
        &self,
        index: usize,
        value: &str,
        get: &impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Row<'_>>, Missing> {
        let missing = |name: &str| Missing::Name(name.to_owned());
        // `None` if it is empty.
        let fill = |template: Option<&Template>| match template {
            Some(template) => {
                let text = template.fill(get).map_err(missing)?;
                Ok(Some(text).filter(|text| !text.is_empty()))
            }
            None => Ok(None),
        };
        let scenario = match fill(self.scenario.at(index))? {
            Some(scenario) => scenario,
            None => get("scenario").ok_or_else(|| missing("scenario"))?,
        };
        let mut skips = self.skip.iter();
        if skips.any(|skip| skip.captures(&scenario).is_some()) {
            return Ok(None);
        }
        let unit = match self.unit.at(index) {
            None => get("unit").filter(|_| !self.lines.all().is_empty()),
            template => fill(template)?,
        };
        let known = unit.as_ref().and_then(|unit| self.units.get(unit));
        if known.is_some_and(String::is_empty) {
            return Ok(None);
        }
        // A number, or a time in seconds.
        let number = |template: &Option<Template>| match fill(template.as_ref())? {
            Some(text) => match self.figure(&text, Some("1")).map_err(Missing::Figure)? {
                (_, number) if number > 0.0 => Ok(number),
                _ => {
                    let message = "a number must not be 0, unlike";
                    Err(Missing::Figure(super::cite(message, &text)))
                }
            },
            None => Ok(1.0),
        };
        let (unit, figures) = match self.unsupported {
            true => (Unit::parse_or_other(&unit.unwrap_or_default()).0, vec![]),
            false => {
                let read = self.figure(value, unit.as_deref());
                let (unit, base) = read.map_err(Missing::Figure)?;
                let base = base / number(&self.per)? * number(&self.times)?;
                match self.inverse && base > 0.0 {
                    true => (Unit::Rate, vec![1.0 / base]),
                    false => (unit, vec![base]),
                }
            }
        };
        let version = fill(self.version.as_ref())?.unwrap_or_default();
        let variant = fill(self.variant.as_ref())?.unwrap_or_default();
        let name = fill(self.implementation.at(index))?;
        let run = fill(self.run.as_ref())?.map(|run| {
            let wrong = |_| Missing::Figure(super::cite("a run is a whole number, unlike", &run));
            run.parse().map_err(wrong)
        });
        let filled = |template: &Template| template.filled(get);
        Ok(Some(Row {
            entry: self,
            scenario,
            apart: self.apart.as_ref().and_then(filled),
            implementation: name.map(|name| Implementation::new(&name, &version, &[&variant])),
            run: run.transpose()?,
            unit,
            reason: self.unsupported.then(|| value.to_owned()),
            figures,
            caveats: self.caveat.all().iter().filter_map(filled).collect(),
        }))
    }

    /// Converts a figure to its base unit: the unit stands beside it, or is `unit`.
    fn figure(&self, text: &str, unit: Option<&str>) -> Result<(Unit, f64), String> {
        if let Some(seconds) = figure::clock(text) {
            return Ok((Unit::Time, seconds));
        }
        let wrong = || super::cite("expected a figure, got", text);
        let (value, suffix) = figure::split(text, self.decimal == Some(',')).ok_or_else(wrong)?;
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
pub(super) fn add(rows: Vec<Row<'_>>, out: &mut Collector) {
    let (mut seen, mut alike) = (HashSet::new(), HashSet::new());
    for row in rows.iter().filter(|row| row.apart.is_some()) {
        if !seen.insert((&row.scenario, &row.unit)) {
            alike.insert(row.scenario.clone());
        }
    }
    let before = match out.scope.start {
        0 if rows.iter().any(|row| row.entry.rounds) => out.scope.first + 1,
        start => start,
    };
    let is_before = |row: &Row<'_>, out: &mut Collector| {
        out.of(row.implementation.clone());
        let first = out.first(&row.scenario, &row.unit);
        first.is_some_and(|line| line < before)
    };
    // A name that stands above the start of this execution is of another run.
    if before > 0 && rows.iter().any(|row| is_before(row, out)) {
        (out.scope.run, out.scope.first) = (out.scope.run + 1, out.line);
    } else if out.scope.first == 0 {
        out.scope.first = out.line;
    }
    for mut row in rows {
        if out.is_full() {
            break;
        }
        out.of(row.implementation);
        if row.entry.first && out.first(&row.scenario, &row.unit).is_some() {
            continue;
        }
        if let Some(apart) = &row.apart
            && alike.contains(&row.scenario)
        {
            row.scenario = format!("{} ({apart})", row.scenario);
        }
        if !out.used.contains(&row.entry.tool) {
            out.used.insert(row.entry.tool.clone());
        }
        let above = out.parsed.observations.len();
        let runs = match row.run {
            Some(run) => Runs::From(run),
            None if row.entry.repeats => Runs::Repeated,
            None => Runs::OfName,
        };
        if let Some(reason) = row.reason {
            out.unsupported(&row.scenario, row.unit, reason);
        } else {
            out.add(&row.scenario, row.unit, &row.figures, runs);
        }
        for added in &mut out.parsed.observations[above..] {
            added.caveats.clone_from(&row.caveats);
        }
    }
}

//! Rows of a text: what an entry finds in a source, with its unit in base units.

use super::template::Template;
use super::{Entry, Source};
use crate::model::scale::group_thousands;
use crate::parse::figure;
use crate::parse::prelude::*;

/// A figure with all that its entry says of it.
#[derive(Debug)]
pub(in crate::parse) struct Row<'a> {
    entry: &'a Entry,
    scenario: String,
    apart: Option<String>,
    implementation: Option<Implementation>,
    /// The number of the execution, if the format has it.
    run: Option<u32>,
    unit: Unit,
    /// In the base unit; several are runs.
    values: Vec<Value>,
    caveats: Box<[String]>,
}

/// Why a source has no row of an entry.
pub(in crate::parse) enum Missing {
    /// Nothing stands for a name, so that it is none of its rows.
    Name(String),
    /// A figure that is none.
    Figure(String),
}

impl Missing {
    /// What is wrong with a text that an entry has to read.
    pub(in crate::parse) fn message(self, tool: &str, text: &str) -> String {
        match self {
            Self::Name(name) => cite(&format!("{tool}: nothing stands for `{name}`:"), text),
            Self::Figure(message) => format!("{tool}: {message}"),
        }
    }
}

impl Entry {
    /// Finds texts by names: of `a|b` the first that is not empty, in the words of the entry; of `a+b`
    /// and `a+` the sum.
    pub(super) fn texts(
        &self,
        source: &impl Source,
        keys: &[String],
        file: Option<&Collector>,
    ) -> impl Fn(&str) -> Option<String> {
        move |name| {
            let find = |name: &str| {
                let text = source.text(name, keys).or_else(|| file?.text(name));
                text.filter(|text| !text.trim().is_empty())
            };
            if let Some(text) = name.split('|').find_map(find) {
                return Some(self.words.get(&text).cloned().unwrap_or(text));
            }
            let mut terms = name.strip_suffix('+').unwrap_or(name).split('+');
            let add = |sum: u64, name| sum.checked_add(integer(&find(name)?)?);
            Some(group_thousands(&terms.try_fold(0, add)?.to_string()))
        }
    }

    /// Makes the rows of a source, which is of the pattern `at` of a list of them. Several values of one
    /// name are runs.
    pub(in crate::parse) fn rows(
        &self,
        source: &impl Source,
        at: usize,
        file: &Collector,
    ) -> Result<Vec<Row<'_>>, Missing> {
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
            let mut found = name.split('|').map(|name| source.values(name));
            let found = found.find(|found| !found.is_empty()).unwrap_or_default();
            if found.is_empty() {
                wrong = Some(Missing::Name(name.to_owned()));
            }
            for (keys, text) in found {
                let get = self.texts(source, &keys, Some(file));
                for text in text.split(|c| Some(c) == self.runs) {
                    match self.row(index, text, &get) {
                        Ok(Some(row)) => match rows.last_mut() {
                            Some(last) if last.is_alike(&row) => last.values.extend(row.values),
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
        let fill = |template: Option<&Template>| template.map_or(Ok(None), |one| one.fill(get));
        let scenario = match fill(self.scenario.at(index))? {
            Some(scenario) => scenario,
            None => get("scenario").ok_or_else(|| Missing::Name("scenario".to_owned()))?,
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
        // A number, or a time in seconds, or bytes.
        let number = |template: &Option<Template>| match fill(template.as_ref())? {
            Some(text) => match self.figure(&text, Some("1")).map_err(Missing::Figure)? {
                (_, 0.0) => {
                    let message = "a number must not be 0, unlike";
                    Err(Missing::Figure(cite(message, &text)))
                }
                found => Ok(found),
            },
            None => Ok((Unit::Rate, 1.0)),
        };
        let (unit, value) = if self.unsupported {
            let reason = value.replace(char::is_control, " ");
            let unit = Unit::parse_or_other(&unit.unwrap_or_default()).0;
            (unit, Value::Unsupported(reason.into()))
        } else {
            let read = self.figure(value, unit.as_deref());
            let (unit, base) = read.map_err(Missing::Figure)?;
            let (_, time) = number(&self.per)?;
            let (of, times) = number(&self.times)?;
            let base = base / time * times;
            match of {
                _ if self.inverse && base > 0.0 => (Unit::Rate, Value::Number(1.0 / base)),
                // So many operations a second, each of so many bytes.
                Unit::Memory => (Unit::Throughput, Value::Number(base)),
                _ => (unit, Value::Number(base)),
            }
        };
        let version = fill(self.version.as_ref())?.unwrap_or_default();
        let variant = fill(self.variant.as_ref())?.unwrap_or_default();
        let name = fill(self.implementation.at(index))?;
        let run = fill(self.run.as_ref())?.map(|run| {
            let wrong = |_| Missing::Figure(cite("a run is a whole number, unlike", &run));
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
            values: vec![value],
            caveats: self.caveat.all().iter().filter_map(filled).collect(),
        }))
    }

    /// Converts a figure to its base unit: the unit stands beside it, or is `unit`.
    fn figure(&self, text: &str, unit: Option<&str>) -> Result<(Unit, f64), String> {
        if let Some(seconds) = figure::clock(text) {
            return Ok((Unit::Time, seconds));
        }
        let wrong = || cite("expected a figure, got", text);
        let (value, suffix) = figure::split(text, self.decimal == Some(',')).ok_or_else(wrong)?;
        if value < 0.0 || !value.is_finite() {
            return Err(cite("a figure must be positive and finite, not", text));
        }
        let of_suffix = self.units.contains_key(suffix) || figure::known(suffix).is_some();
        let (symbol, factor) = match (unit, figure::prefix(suffix)) {
            (Some(unit), Some(factor)) if !of_suffix => (unit, factor),
            _ if !suffix.is_empty() => (suffix, 1.0),
            _ => return Err(cite("nothing says the unit of", text)),
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
pub(in crate::parse) fn add(rows: Vec<Row<'_>>, out: &mut Collector) {
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
        let first = out.line_of(&row.scenario, &row.unit);
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
        if row.entry.first && out.line_of(&row.scenario, &row.unit).is_some() {
            continue;
        }
        if let Some(apart) = &row.apart
            && alike.contains(&row.scenario)
        {
            row.scenario = format!("{} ({apart})", row.scenario);
        }
        if !out.parsed.read_by.contains(&row.entry.tool) {
            out.parsed.read_by.insert(row.entry.tool.clone());
        }
        let above = out.parsed.observations.len();
        let runs = match row.run {
            Some(run) => Runs::From(run),
            None if row.entry.repeats => Runs::Repeated,
            None => Runs::OfName,
        };
        out.add(&row.scenario, row.unit, row.values, runs);
        for added in &mut out.parsed.observations[above..] {
            added.caveats.clone_from(&row.caveats);
        }
    }
    // The next rows are of another tool or document.
    out.of(None);
}

//! Formats by what they say of themselves: `formats.toml`, and `[[read]]` of a `report.toml`. An entry
//! is of one of three shapes: lines by a pattern, documents in JSON by paths, tables by the names of
//! columns. Each of them finds texts by names, from which the same templates make rows.

pub(super) mod documents;
pub(crate) mod reads;
mod rows;
pub(super) mod tables;
mod template;

use super::prelude::*;
use regex::RegexSet;
pub(super) use rows::{Missing, add};
use std::collections::BTreeMap;
use std::slice;
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
    table: Many<char>,
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
    marks: RegexSet,
    /// The places of those with a pattern without such a text.
    unmarked: Vec<usize>,
}

impl Formats {
    fn new(entries: Vec<Entry>) -> Self {
        let marks = entries.iter().map(|entry| {
            let marked = entry.expressions().filter(|one| one.is_marked());
            let marks: Vec<String> = marked.map(|one| regex::escape(&one.mark())).collect();
            match marks.is_empty() {
                true => "$x".to_owned(),
                false => marks.join("|"),
            }
        });
        let is_unmarked = |place: &usize| {
            let entry = &entries[*place];
            let mut patterns = entry.start.iter().chain(entry.lines.all());
            patterns.any(|one| !one.is_marked())
        };
        Self {
            marks: RegexSet::new(marks).expect("escaped texts"),
            unmarked: (0..entries.len()).filter(is_unmarked).collect(),
            entries,
            ..Self::default()
        }
    }

    /// The entries that may know a line by a text in it; of somebody's own, all.
    pub(super) fn marked(&self, line: &str) -> impl Iterator<Item = &Entry> {
        let found = self.marks.matches(line);
        let places = self.entries.iter().enumerate();
        let marked = places.filter(move |(place, _)| self.is_own || found.matched(*place));
        marked.map(|(_, entry)| entry)
    }

    /// The other entries, which may know any line.
    pub(super) fn unmarked(&self) -> impl Iterator<Item = &Entry> {
        let others = self.unmarked.iter().filter(|_| !self.is_own);
        others.map(|place| &self.entries[*place])
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

/// The groups of a line, and those of lines above, each with its line.
pub(super) struct Groups<'a> {
    pub(super) captures: Captures<'a>,
    pub(super) above: &'a BTreeMap<String, (u32, String)>,
}

impl Source for Groups<'_> {
    fn text(&self, name: &str, _: &[String]) -> Option<String> {
        match self.captures.name(name) {
            Some(group) => Some(group.as_str().trim().to_owned()),
            None => Some(self.above.get(name)?.1.clone()),
        }
    }
}

/// The label of a scenario that has another name in tables.
pub(super) fn label(name: &str) -> Option<String> {
    let above = &BTreeMap::new();
    BUILT_IN[0].entries.iter().find_map(|entry| {
        let (at, captures) = entry.captures(&entry.names, name)?;
        let source = Groups { captures, above };
        let label = entry.scenario.at(at)?;
        label.filled(entry.texts(&source, &[], None))
    })
}

impl Entry {
    /// Checks what the types of its values do not say; compiles its patterns.
    pub(crate) fn check(&self) -> Result<(), String> {
        let is_lines = !self.lines.all().is_empty();
        let is_table = !self.table.all().is_empty();
        let shapes = [is_lines, self.each.is_some(), is_table];
        if shapes.iter().filter(|is_there| **is_there).count() != 1 {
            return Err("[[read]] has one of `lines`, `each` and `table`".to_owned());
        }
        let mut marks = self.table.all().iter();
        if let Some(mark) = marks.find(|mark| !",;\t|".contains(**mark)) {
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
        let of_row = self.version.iter().chain(&self.variant).chain(&self.run);
        let numbers = self.per.iter().chain(&self.times).chain(&self.apart);
        let lists = self.implementation.all().iter().chain(self.caveat.all());
        let mut templates = of_row.chain(numbers).chain(lists).chain(names).chain(units);
        let values = self.values().count().max(self.lines.all().len());
        let is_fitting = |texts: &&[Template]| [0, 1, values].contains(&texts.len());
        let wrong = "`scenario` and `unit` have as many texts as `value` or `lines`, or one";
        match is_fitting(&names) && is_fitting(&units) {
            true => templates.try_for_each(Template::check),
            false => Err(wrong.to_owned()),
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
}

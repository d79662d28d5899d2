//! `[extra]` of `report.toml`: the author's additions to the front matter of the page.

use super::reader::{At, TableReader};
use crate::model::scenario::Scenario;
use toml::Spanned;
use toml::de::DeValue;

/// Keys that the generator writes itself.
const RESERVED_EXTRA: [&str; 8] = [
    "generated",
    "kind",
    "machine",
    "day_in_words",
    "previous",
    "next",
    "changes",
    "report",
];

/// A value in which figures are not yet looked up.
#[derive(Clone, Debug)]
pub(crate) enum Extra {
    /// A value to be copied unchanged.
    Value(toml::Value),
    Figure(FigureReference),
    List(Vec<Extra>),
    Table(Vec<(String, Extra)>),
}

/// `{ figure = "full handshakes, 1.3, rsa, server", of = "rustls" }`
#[derive(Clone, Debug)]
pub(crate) struct FigureReference {
    pub line: u32,
    pub scenario: Scenario,
    /// Selects an implementation, as in `compare`.
    pub of: String,
}

impl Extra {
    /// Reads the entries of `[extra]`.
    pub(super) fn read_all(table: &mut TableReader<'_>) -> Vec<(String, Self)> {
        table.each(|table, key, value| {
            if RESERVED_EXTRA.contains(&key) {
                let why = "the generator writes this key: give yours another name";
                let refuse = |_| Err(format!("`{key}`: {why}"));
                return Some(table.parse(value, &refuse)?.value);
            }
            Some((key.to_owned(), Self::read(table, key, value)?))
        })
    }

    fn read<'a>(table: &TableReader<'a>, key: &str, value: Spanned<DeValue<'a>>) -> Option<Self> {
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(inner) if inner.contains_key("figure") => {
                let reference = table.nested(span, inner, FigureReference::read);
                reference.map(Self::Figure)
            }
            DeValue::Table(inner) => Some(Self::Table(table.nested(span, inner, |table| {
                table.each(|table, key, value| {
                    Some((key.to_owned(), Self::read(table, key, value)?))
                })
            }))),
            DeValue::Array(items) => {
                let items = items.into_iter();
                let items = items.filter_map(|item| Self::read(table, key, item));
                Some(Self::List(items.collect()))
            }
            plain => table
                .deserialized(key, Spanned::new(span, plain))
                .map(Self::Value),
        }
    }
}

impl FigureReference {
    fn read(table: &mut TableReader<'_>) -> Option<Self> {
        let label = |label: String| Scenario::from_label(&label);
        let scenario = table.parsed("figure", label);
        let of: Option<String> = table.required("of");
        let At { line, value } = scenario?;
        Some(Self {
            line,
            scenario: value,
            of: of?,
        })
    }
}

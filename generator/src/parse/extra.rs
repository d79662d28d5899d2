//! `[extra]` of `report.toml`: the author's additions to the front matter of the page.

use super::reader::{At, Document};
use crate::model::scenario::Scenario;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that the generator writes itself.
const RESERVED: [&str; 8] = [
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FigureReference {
    pub figure: At<Scenario>,
    /// Selects an implementation, as in `compare`.
    pub of: String,
}

impl Extra {
    /// Reads the entries of `[extra]`.
    pub(super) fn read_all<'a>(file: &mut Document<'a>, table: DeTable<'a>) -> Vec<(String, Self)> {
        for key in table
            .keys()
            .filter(|key| RESERVED.contains(&key.get_ref().as_ref()))
        {
            let why = "the generator writes this key: give yours another name";
            let line = key.span().start as u32;
            file.problem(line, format!("`{}`: {why}", key.get_ref()));
        }
        Self::entries(file, table)
    }

    fn entries<'a>(file: &mut Document<'a>, table: DeTable<'a>) -> Vec<(String, Self)> {
        let entries = table.into_iter().filter_map(|(key, value)| {
            let read = Self::read(file, key.get_ref(), value)?;
            Some((key.into_inner().into_owned(), read))
        });
        entries.collect()
    }

    fn read<'a>(file: &mut Document<'a>, key: &str, value: Spanned<DeValue<'a>>) -> Option<Self> {
        let place = value.span();
        match value.into_inner() {
            DeValue::Table(table) if !table.contains_key("figure") => {
                Some(Self::Table(Self::entries(file, table)))
            }
            DeValue::Array(items) => {
                let items = items.into_iter();
                let items = items.filter_map(|item| Self::read(file, key, item));
                Some(Self::List(items.collect()))
            }
            figure @ DeValue::Table(_) => file
                .read(key, Spanned::new(place, figure))
                .map(Self::Figure),
            plain => file.read(key, Spanned::new(place, plain)).map(Self::Value),
        }
    }
}

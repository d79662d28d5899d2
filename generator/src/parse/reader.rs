//! Reads TOML, whose values keep their lines.

use super::prelude::*;
use super::{direction_change, text};
use crate::base::failure::{Failure, Result};
use serde::Deserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its line.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub line: u32,
    pub value: T,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// `toml` says where a newtype is, whatever is wrong with it.
        #[derive(Deserialize)]
        struct Placed<T>(T);

        let spanned: Spanned<Placed<T>> = Spanned::deserialize(deserializer)?;
        Ok(Self {
            line: spanned.span().start as u32,
            value: spanned.into_inner().0,
        })
    }
}

/// Deserializes the content of the file at `path`.
///
/// # Errors
/// The first problem, with its line.
pub(crate) fn from_toml<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T> {
    let text = text(path, bytes)?;
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let line_at = |offset| ends.partition_point(|end| *end < offset) + 1;
    let problem = |line: usize, message: &str| {
        Failure::at(path, line as u32, message.trim_end().replace('\n', "; "))
    };
    let root = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_at(span.start));
        problem(line, error.message())
    })?;
    let root = Spanned::new(0..0, DeValue::Table(root.into_inner()));
    let root = with_lines(root, &line_at).map_err(|(line, message)| problem(line, &message))?;
    T::deserialize(root.into_deserializer()).map_err(|error: toml::de::Error| {
        problem(error.span().map_or(0, |span| span.start), error.message())
    })
}

/// Puts lines in the place of offsets, and checks decoded strings, because [`super::text`] has not
/// seen the characters behind escapes.
fn with_lines<'a>(
    value: Spanned<DeValue<'a>>,
    line_at: &impl Fn(usize) -> usize,
) -> Result<Spanned<DeValue<'a>>, (usize, String)> {
    let line = line_at(value.span().start);
    let value = match value.into_inner() {
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| with_lines(item, line_at));
            DeValue::Array(items.collect::<Result<_, _>>()?)
        }
        DeValue::Table(entries) => {
            let mut table = DeTable::new();
            for (key, value) in entries {
                let line = line_at(key.span().start);
                check_text(key.get_ref(), line)?;
                let key = Spanned::new(line..line, key.into_inner());
                table.insert(key, with_lines(value, line_at)?);
            }
            DeValue::Table(table)
        }
        DeValue::String(text) => check_text(&text, line).map(|()| DeValue::String(text))?,
        plain => plain,
    };
    Ok(Spanned::new(line..line, value))
}

fn check_text(text: &str, line: usize) -> Result<(), (usize, String)> {
    if let Some((_, message)) = direction_change(text) {
        Err((line, message))
    } else if text.contains('\n') && text.contains("+++") {
        let message = "`+++` in a text of several lines could end a page's front matter";
        Err((line, message.to_owned()))
    } else {
        Ok(())
    }
}

//! Templates of names: `{path}` stands for a group, a column or a path, and what stands in `<…>` is
//! left out where one of its names stands for nothing.

use serde::Deserialize;

/// Characters of the first of several lines that make a name.
const LINE: usize = 80;

#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::parse) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Name(String),
    Optional(Vec<Part>),
}

impl TryFrom<String> for Template {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = &*written;
        while let Some((text, after)) = rest.split_once('<') {
            let (optional, after) = after
                .split_once('>')
                .ok_or_else(|| format!("`<` without `>` in `{written}`"))?;
            plain(text, &mut parts)?;
            let mut inside = Vec::new();
            plain(optional, &mut inside)?;
            parts.push(Part::Optional(inside));
            rest = after;
        }
        plain(rest, &mut parts)?;
        Ok(Self(parts))
    }
}

/// Splits a text at its names.
fn plain(text: &str, parts: &mut Vec<Part>) -> Result<(), String> {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after
            .split_once('}')
            .ok_or_else(|| format!("`{{` without `}}` in `{text}`"))?;
        parts.push(Part::Text(before.to_owned()));
        parts.push(Part::Name(name.to_owned()));
        rest = after;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(())
}

impl Template {
    /// The text, with single blanks, of its first line; or the first name that stands for nothing.
    pub(super) fn fill(&self, get: impl Fn(&str) -> Option<String>) -> Result<String, &str> {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(own) => text += own,
                Part::Name(name) => text += &get(name).ok_or(&**name)?,
                Part::Optional(parts) => {
                    let all: Option<String> = parts
                        .iter()
                        .map(|part| match part {
                            Part::Text(own) => Some(own.clone()),
                            Part::Name(name) => get(name).filter(|text| !text.is_empty()),
                            Part::Optional(_) => None,
                        })
                        .collect();
                    text += &all.unwrap_or_default();
                }
            }
        }
        let mut lines = text.trim().lines();
        let first = lines
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        match lines.next() {
            Some(_) => Ok(first.chars().take(LINE).collect::<String>() + " …"),
            None => Ok(first),
        }
    }

    /// The text, if all of its names stand for something, and it is not empty.
    pub(super) fn filled(&self, get: impl Fn(&str) -> Option<String>) -> Option<String> {
        match self.fill(get) {
            Ok(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The names that must stand for something.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Name(name) => Some(&**name),
            _ => None,
        })
    }

    /// All names.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for part in &self.0 {
            let parts = match part {
                Part::Optional(parts) => parts,
                part => std::slice::from_ref(part),
            };
            for part in parts {
                if let Part::Name(name) = part {
                    names.push(name);
                }
            }
        }
        names
    }
}

//! Templates of names: `{path}` stands for a group, a column or a path, and what stands in `<…>` is
//! left out where one of its names stands for nothing.

use super::Missing;
use serde::Deserialize;

/// Characters of the first of several lines that make a name.
const LINE: usize = 80;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Template(String);

impl Template {
    pub(super) fn check(&self) -> Result<(), String> {
        for pair in ["<>", "{}"] {
            let marks = self.0.chars().filter(|c| pair.contains(*c));
            let marks: String = marks.collect();
            if !marks.replace(pair, "").is_empty() {
                return Err(format!("not a pair of `{pair}` in `{}`", self.0));
            }
        }
        Ok(())
    }

    /// The text, with single blanks, of its first line, unless it is empty. Fails with the first name
    /// that stands for nothing.
    pub(super) fn fill(
        &self,
        get: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<String>, Missing> {
        let mut text = String::new();
        for (index, part) in self.0.split(['<', '>']).enumerate() {
            // Every second part stands in `<…>`.
            let (is_optional, start) = (index % 2 == 1, text.len());
            for piece in part.split('}') {
                let Some((before, name)) = piece.split_once('{') else {
                    text += piece;
                    continue;
                };
                text += before;
                match get(name) {
                    Some(filled) if !is_optional || !filled.is_empty() => text += &filled,
                    _ if is_optional => {
                        text.truncate(start);
                        break;
                    }
                    _ => return Err(Missing::Name(name.to_owned())),
                }
            }
        }
        let mut lines = text.trim().lines();
        let first = lines.next().unwrap_or_default();
        let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(match lines.next() {
            Some(_) => Some(first.chars().take(LINE).collect::<String>() + " …"),
            None => Some(first).filter(|first| !first.is_empty()),
        })
    }

    /// The text, if all of its names stand for something, and it is not empty.
    pub(super) fn filled(&self, get: impl Fn(&str) -> Option<String>) -> Option<String> {
        self.fill(get).into_iter().next()?
    }

    /// The names that must stand for something.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        let parts = self.0.split(['<', '>']).step_by(2);
        let names = parts.flat_map(|part| part.split('}'));
        names.filter_map(|piece| Some(piece.split_once('{')?.1))
    }
}

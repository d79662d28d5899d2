//! Entries of JSON: the items of a document, of each of which paths lead to a name and figures.

use super::{Formats, Source};
use crate::parse::prelude::*;

/// Reads a document that starts in the collector's line. Returns whether entries read it.
pub(in crate::parse) fn read(document: &Json, formats: &Formats, out: &mut Collector) -> bool {
    let mut tool: Option<&str> = None;
    let mut rows = Vec::new();
    let (mut odd, mut used, mut ways) = (Vec::new(), HashSet::new(), HashSet::new());
    for entry in &formats.entries {
        let Some(each) = &entry.each else { continue };
        if tool.is_some_and(|tool| tool != entry.tool) && !formats.is_own {
            continue;
        }
        let mut items = Vec::new();
        walk(document, &path(each), &mut Vec::new(), &mut |keys, item| {
            items.push((keys.to_vec(), item));
        });
        for (keys, item) in items {
            match entry.rows(&Item { item, keys }, 0, out) {
                Ok(found) => {
                    // An item whose rows are left out is of the format too.
                    used.insert(std::ptr::from_ref(item));
                    if !found.is_empty() {
                        ways.insert(each);
                        tool = Some(&entry.tool);
                    }
                    rows.extend(found);
                }
                Err(why) => odd.push((item, why, entry)),
            }
        }
    }
    if rows.is_empty() && !formats.is_own {
        return false;
    }
    let line = std::mem::take(&mut out.line);
    super::add(rows, out);
    out.line = line;
    for (item, why, entry) in odd {
        // Of entries for one item, one is enough.
        if !used.insert(item) {
        } else if formats.is_own {
            out.problem(why.message(&entry.tool, &item.to_string()));
        } else if entry.each.as_ref().is_some_and(|each| ways.contains(each)) {
            out.unread(&item.to_string());
        }
    }
    out.line = 0;
    tool.is_some()
}

struct Item<'a> {
    item: &'a Json,
    /// What `*` stands for on the way to the item.
    keys: Vec<String>,
}

impl Source for Item<'_> {
    fn values(&self, name: &str) -> Vec<(Vec<String>, String)> {
        let mut values = Vec::new();
        let mut keys = self.keys.clone();
        walk(self.item, &path(name), &mut keys, &mut |keys, node| {
            // One more is enough to tell that they are too many.
            if values.len() <= FIGURES {
                let text = mean(node).or_else(|| text(node));
                values.extend(text.map(|text| (keys.to_vec(), text)));
            }
        });
        values
    }

    fn text(&self, name: &str, keys: &[String]) -> Option<String> {
        let keys = if keys.is_empty() { &self.keys } else { keys };
        if let Ok(index) = name.parse::<usize>() {
            return keys.get(index).cloned();
        }
        // A `*` stands for what it is in the path of the value, else for the first.
        let mut keys = keys[self.keys.len()..].iter();
        let mut node = self.item;
        for part in path(name) {
            node = match (part == "*").then(|| keys.next()) {
                None => child(node, &part)?,
                Some(Some(key)) => child(node, key)?,
                Some(None) => children(node).into_iter().next()?.1,
            };
        }
        text(node)
    }
}

/// The parts of `stats/median`; `~1` is a `/` in a key.
fn path(written: &str) -> Vec<String> {
    let parts = written.split('/').filter(|part| !part.is_empty());
    let parts = parts.map(|part| part.replace("~1", "/").replace("~0", "~"));
    parts.collect()
}

/// Calls `found` for each node that a path leads to, with the keys that `*` stands for.
fn walk<'a>(
    node: &'a Json,
    parts: &[String],
    keys: &mut Vec<String>,
    found: &mut impl FnMut(&[String], &'a Json),
) {
    let Some((part, rest)) = parts.split_first() else {
        return found(keys, node);
    };
    if part != "*" {
        if let Some(child) = child(node, part) {
            walk(child, rest, keys, found);
        }
        return;
    }
    for (key, child) in children(node) {
        keys.push(key);
        walk(child, rest, keys, found);
        keys.pop();
    }
}

fn child<'a>(node: &'a Json, key: &str) -> Option<&'a Json> {
    match (node, key.parse::<usize>()) {
        (Json::Array(list), Ok(index)) => list.get(index),
        _ => node.get(key),
    }
}

/// The children of a list or an object, with their keys.
fn children(node: &Json) -> Vec<(String, &Json)> {
    match node {
        Json::Array(list) => (0..).map(|at: usize| at.to_string()).zip(list).collect(),
        Json::Object(map) => map.keys().cloned().zip(map.values()).collect(),
        _ => Vec::new(),
    }
}

/// The text of a node: of an object, `n=3, size=1024`; `None` of `null`.
fn text(node: &Json) -> Option<String> {
    let part = |(key, child)| match node.is_array() {
        true => text(child),
        false => Some(format!("{key}={}", text(child)?)),
    };
    match node {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        Json::Array(_) | Json::Object(_) => {
            let parts = children(node).into_iter().filter_map(part);
            Some(parts.collect::<Vec<_>>().join(", "))
        }
        plain => Some(plain.to_string()),
    }
}

/// The mean of a list of numbers, which are samples of one execution.
fn mean(node: &Json) -> Option<String> {
    let list = node.as_array().filter(|list| !list.is_empty())?;
    let numbers: Option<Vec<f64>> = list.iter().map(Json::as_f64).collect();
    Some((numbers?.iter().sum::<f64>() / list.len() as f64).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Reads;

    #[test]
    fn names_of_many_values_are_soon_found() {
        let count = 30_000;
        let items = (0..count)
            .map(|at| format!("{{\"time\": {at}.5, \"of\": \"s\", \"name\": \"b{at}\"}}"));
        let text = format!("{{\"all\": [{}]}}\n", items.collect::<Vec<_>>().join(","));
        let read = "[[read]]\neach = \"\"\nscenario = \"{all/*/name}\"\nvalue = \"all/*/time\"\nunit = \"{all/*/of}\"\n";
        let reads = Reads::parse(Path::new("read.toml"), read.as_bytes()).expect("an entry");
        let formats = reads.others().expect("of any file");
        let mut out = Collector::new(Path::new("x.json"));
        crate::parse::stream::read(&text, &formats, &mut out);
        let parsed = out.finish().expect("sound figures");
        assert_eq!(parsed.observations.len(), count);
        let last = &parsed.observations[count - 1];
        assert_eq!(last.scenario.label(), format!("b{}", count - 1));
    }
}

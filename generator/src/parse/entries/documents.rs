//! Entries of JSON: the items of a document, of each of which paths lead to a name and figures.

use super::{Entry, Missing, Source};
use crate::base::limits::FIGURES;
use crate::parse::cite::cite;
use crate::parse::collector::Collector;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Reads a document that starts in the collector's line. Returns the tool whose entries read it.
pub(in crate::parse) fn read<'a>(
    text: &str,
    entries: &'a [Entry],
    is_own: bool,
    out: &mut Collector,
) -> Option<&'a str> {
    let Ok(document) = serde_json::from_str::<&RawValue>(text) else {
        return None;
    };
    let first_line = out.line;
    let of_json = || entries.iter().filter(|entry| entry.each.is_some());
    let mut tool: Option<&str> = None;
    let mut rows = Vec::new();
    let (mut seen, mut used, mut ways) = (Vec::new(), HashSet::new(), HashSet::new());
    for entry in of_json().filter(|entry| is_own || entry.may_read(text)) {
        if tool.is_some_and(|tool| tool != entry.tool) && !is_own {
            continue;
        }
        let parts = path(entry.each.as_deref().unwrap_or_default());
        let mut items = Vec::new();
        walk(document, &parts, &mut Vec::new(), &mut |keys, item| {
            items.push((keys.to_vec(), item));
        });
        for (keys, item) in items {
            let offset = item.get().as_ptr().addr() - text.as_ptr().addr();
            let target = out.target.as_ref();
            match entry.rows(&Item::new(item, keys, target)) {
                Ok(found) => {
                    // An item whose rows are left out is of the format too.
                    used.insert(offset);
                    if !found.is_empty() {
                        ways.insert(entry.each.as_deref());
                    }
                    rows.extend(found);
                    if !rows.is_empty() {
                        tool = Some(&entry.tool);
                    }
                }
                Err(why) => seen.push((offset, why, entry)),
            }
        }
    }
    if rows.is_empty() && !is_own {
        return None;
    }
    out.line = 0;
    super::add(rows, out);
    out.of(None);
    if !is_own {
        seen.sort_by_key(|(offset, ..)| *offset);
        seen.dedup_by_key(|(offset, ..)| *offset);
    }
    for (offset, why, entry) in seen
        .into_iter()
        .filter(|(offset, ..)| !used.contains(offset))
    {
        let tool = &entry.tool;
        let above = &text.as_bytes()[..offset];
        out.line = first_line + memchr::memchr_iter(b'\n', above).count() as u32;
        let item = text[offset..].lines().next().unwrap_or_default();
        match why {
            Missing::Name(name) if is_own => {
                out.problem(cite(&format!("{tool}: there is no `{name}` in"), item));
            }
            Missing::Figure(message) if is_own => out.problem(format!("{tool}: {message}")),
            _ if ways.contains(&entry.each.as_deref()) => out.unread(item),
            _ => {}
        }
    }
    out.line = 0;
    tool
}

impl Entry {
    /// Whether a document has all keys of the way to its items and a figure.
    fn may_read(&self, text: &str) -> bool {
        let value = self.values().next().unwrap_or_default();
        let has = self.has.0.iter().map(String::as_str);
        let paths = self.each.as_deref().into_iter().chain([value]).chain(has);
        let is_there =
            |part: &String| part == "*" || part.parse::<usize>().is_ok() || text.contains(&**part);
        paths.flat_map(path).all(|part| is_there(&part))
    }
}

struct Item<'a> {
    item: &'a RawValue,
    /// What `*` stands for on the way to the item.
    keys: Vec<String>,
    target: Option<&'a String>,
    /// Texts that were looked up, by name and by what `*` stands for in it: an item with many values is
    /// read once for each name, and not for each of them.
    known: RefCell<HashMap<String, HashMap<Vec<String>, String>>>,
}

impl<'a> Item<'a> {
    fn new(item: &'a RawValue, keys: Vec<String>, target: Option<&'a String>) -> Self {
        Self {
            item,
            keys,
            target,
            known: RefCell::default(),
        }
    }

    /// All texts of a name. The first is also that of fewer keys.
    fn texts(&self, name: &str) -> HashMap<Vec<String>, String> {
        let mut texts = HashMap::new();
        walk(
            self.item,
            &path(name),
            &mut Vec::new(),
            &mut |keys, node| {
                let text = text(node);
                for count in 0..=keys.len() {
                    if let (Some(text), false) = (&text, texts.contains_key(&keys[..count])) {
                        texts.insert(keys[..count].to_vec(), text.clone());
                    }
                }
            },
        );
        texts
    }
}

impl Source for Item<'_> {
    fn values(&self, name: &str) -> Vec<(Vec<String>, String)> {
        let mut values = Vec::new();
        walk(
            self.item,
            &path(name),
            &mut self.keys.clone(),
            &mut |keys, node| {
                // One more is enough to tell that they are too many.
                if values.len() > FIGURES {
                    return;
                }
                let text = mean(node).or_else(|| text(node));
                values.extend(text.map(|text| (keys.to_vec(), text)));
            },
        );
        values
    }

    fn text(&self, name: &str, keys: &[String]) -> Option<String> {
        let keys = if keys.is_empty() { &self.keys } else { keys };
        if let Ok(index) = name.parse::<usize>() {
            return keys.get(index).cloned();
        }
        if name == "target" && self.target.is_some() {
            return self.target.cloned();
        }
        let mut known = self.known.borrow_mut();
        if !known.contains_key(name) {
            known.insert(name.to_owned(), self.texts(name));
        }
        // A `*` stands for what it is in the path of the value.
        let keys = &keys[self.keys.len()..];
        let count = name.split('/').filter(|part| *part == "*").count();
        let text = known.get(name)?.get(&keys[..count.min(keys.len())]);
        text.cloned()
    }
}

/// The parts of `stats/median`; `~1` is a `/` in a key.
fn path(written: &str) -> Vec<String> {
    let parts = written.split('/').filter(|part| !part.is_empty());
    parts
        .map(|part| part.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// Calls `found` for each node that a path leads to, with the keys that `*` stands for.
fn walk<'a>(
    node: &'a RawValue,
    parts: &[String],
    keys: &mut Vec<String>,
    found: &mut impl FnMut(&[String], &'a RawValue),
) {
    let Some((part, rest)) = parts.split_first() else {
        return found(keys, node);
    };
    for (at, (key, child)) in children(node).into_iter().enumerate() {
        let key = key.unwrap_or_else(|| at.to_string());
        if part == "*" {
            keys.push(key);
            walk(child, rest, keys, found);
            keys.pop();
        } else if *part == key {
            return walk(child, rest, keys, found);
        }
    }
}

/// The children of a list or an object, with their key, in order.
fn children(node: &RawValue) -> Vec<(Option<String>, &RawValue)> {
    let raw = node.get();
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(raw) {
        return list.into_iter().map(|child| (None, child)).collect();
    }
    let Ok(object) = serde_json::from_str::<HashMap<String, &RawValue>>(raw) else {
        return Vec::new();
    };
    let pairs = object.into_iter().map(|(key, child)| (Some(key), child));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by_key(|(_, child)| child.get().as_ptr().addr());
    pairs
}

/// The text of a node: of an object, `size=1024, n=3`; `None` of `null`.
fn text(node: &RawValue) -> Option<String> {
    let raw = node.get();
    match raw.as_bytes().first()? {
        // A string is sound, as its document is, but for half a surrogate pair.
        b'"' => serde_json::from_str(raw).unwrap_or_else(|_| Some(raw.to_owned())),
        b'n' => None,
        b'{' => {
            let pairs = children(node).into_iter();
            let pairs = pairs.map(|(key, child)| Some(format!("{}={}", key?, text(child)?)));
            Some(pairs.flatten().collect::<Vec<_>>().join(", "))
        }
        b'[' => {
            let items = children(node)
                .into_iter()
                .filter_map(|(_, child)| text(child));
            Some(items.collect::<Vec<_>>().join(", "))
        }
        _ => Some(raw.to_owned()),
    }
}

/// The mean of a list of numbers, which are samples of one execution.
fn mean(node: &RawValue) -> Option<String> {
    if !node.get().starts_with('[') {
        return None;
    }
    let Ok(numbers) = serde_json::from_str::<Vec<f64>>(node.get()) else {
        return None;
    };
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    (!numbers.is_empty()).then(|| mean.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Reads;
    use std::path::Path;

    #[test]
    fn names_of_many_values_are_looked_up_once() {
        let count = 30_000;
        let items = (0..count)
            .map(|at| format!("{{\"time\": {at}.5, \"of\": \"s\", \"name\": \"b{at}\"}}"));
        let text = format!("{{\"all\": [{}]}}\n", items.collect::<Vec<_>>().join(","));
        let read = "[[read]]\neach = \"\"\nscenario = \"{all/*/name}\"\nvalue = \"all/*/time\"\nunit = \"{all/*/of}\"\n";
        let reads = Reads::parse(Path::new("read.toml"), read.as_bytes()).expect("an entry");
        let formats = reads.others().expect("of any file");
        let mut out = Collector::new(Path::new("x.json"));
        crate::parse::stream::read(&text, crate::parse::Kind::Own, &formats, &mut out);
        let parsed = out.finish().expect("sound figures");
        assert_eq!(parsed.observations.len(), count);
        let last = &parsed.observations[count - 1];
        assert_eq!(last.scenario.label(), format!("b{}", count - 1));
    }

    #[test]
    fn a_name_is_looked_up_once() {
        let text = r#"{"all": [{"name": "a"}, {"name": "b"}]}"#;
        let document: &RawValue = serde_json::from_str(text).expect("JSON");
        let item = Item::new(document, Vec::new(), None);
        let second = ["1".to_owned()];
        assert_eq!(item.text("all/*/name", &second), Some("b".to_owned()));
        // What was found is what is told from then on.
        let mut known = item.known.borrow_mut();
        let texts = known.get_mut("all/*/name").expect("a name");
        texts.insert(second.to_vec(), "kept".to_owned());
        drop(known);
        assert_eq!(item.text("all/*/name", &second), Some("kept".to_owned()));
    }
}

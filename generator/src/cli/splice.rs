//! A generated part of a file that exists, between two markers.

use crate::base::failure::{Failure, Result};
use crate::base::limits;
use crate::files;
use anyhow::anyhow;
use std::path::PathBuf;
use std::str::FromStr;

/// Where to write: `README.md`, or `docs/performance.md#changes`.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    path: PathBuf,
    /// Empty for the markers without a name.
    name: String,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, name) = text.split_once('#').unwrap_or((text, ""));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        match !path.is_empty() && name.chars().all(is_plain) && !text.ends_with('#') {
            true => Ok(Self {
                path: path.into(),
                name: name.to_owned(),
            }),
            false => Err(
                "expected FILE or FILE#NAME, the name of letters, digits, `-`, `_` and `.`".into(),
            ),
        }
    }
}

impl Target {
    fn marker(&self, end: &str) -> String {
        match &*self.name {
            "" => format!("<!-- benchmarks {end} -->"),
            name => format!("<!-- benchmarks:{name} {end} -->"),
        }
    }

    /// Puts `text`, in lines, between the markers; all else stays as it is, byte for byte.
    ///
    /// # Errors
    /// A file that is no text, or without exactly one pair of markers; nothing is written.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        files::rewrite(&self.path, |old| Ok(self.spliced(old, text)?.into()))?;
        crate::inform!("wrote {}", self.path.display());
        Ok(())
    }

    /// Fails if the part between the markers is not `text`.
    pub(crate) fn check(&self, text: &str) -> Result<()> {
        let path = self.path.display();
        let old = files::read_limited(&self.path, limits::FILE)?
            .ok_or_else(|| anyhow!("there is no {path}"))?;
        match self.spliced(&old, text)?.as_bytes() == old {
            true => Ok(()),
            false => Err(Failure::Difference(format!(
                "{path} is stale between its markers; run the same command without --check"
            ))),
        }
    }

    /// Returns the text of the file with the new part.
    fn spliced(&self, old: &[u8], text: &str) -> Result<String> {
        let Ok(old) = std::str::from_utf8(old) else {
            return Err(Failure::at(&self.path, 0, "is no text in UTF-8"));
        };
        let (start, end) = (self.marker("start"), self.marker("end"));
        let places = |marker: &str| old.match_indices(marker).map(|(at, _)| at).collect();
        let (starts, ends): (Vec<usize>, Vec<usize>) = (places(&start), places(&end));
        let place = match (&*starts, &*ends) {
            ([from], [to]) if from + start.len() <= *to => Some((from + start.len(), *to)),
            _ => None,
        };
        let is_nested = |(from, to): &(usize, usize)| old[*from..*to].contains("<!-- benchmarks");
        let Some((from, to)) = place.filter(|place| !is_nested(place)) else {
            let last = starts.iter().chain(&ends).max();
            let line = last.map_or(0, |at| old[..*at].matches('\n').count() as u32 + 1);
            let message = format!(
                "needs the lines `{start}` and `{end}` where the table belongs, each once and without other markers between them; a second table needs a name"
            );
            return Err(Failure::at(&self.path, line, message));
        };
        // Line ends are those of the file.
        let ending = match old.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        };
        let mut part = String::from(ending);
        for line in text.trim_end().lines() {
            part += line;
            part += ending;
        }
        Ok([&old[..from], &part, &old[to..]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn splice(target: &str, old: &str, text: &str) -> Result<String> {
        let target: Target = target.parse().expect("a target");
        target.spliced(old.as_bytes(), text)
    }

    #[test]
    fn all_else_stays_byte_for_byte() {
        let old = "\u{feff}# A\r\n<!-- benchmarks:a start -->\r\nold\r\n<!-- benchmarks:a end -->\r\nno newline";
        let new = splice("f#a", old, "| 1 |\n| 2 |\n").expect("spliced");
        assert_eq!(new, old.replace("old", "| 1 |\r\n| 2 |"));
        let again = splice("f#a", &new, "| 1 |\n| 2 |\n").expect("spliced");
        assert_eq!(again, new);
    }

    #[test]
    fn anything_but_one_pair_is_refused() {
        let (start, end) = ("<!-- benchmarks start -->\n", "<!-- benchmarks end -->\n");
        let cases = [
            (String::new(), "f: needs the lines"),
            (start.into(), "f:1: needs"),
            (format!("{end}{start}"), "f:2: needs"),
            (format!("{start}{start}{end}"), "f:3: needs"),
            (format!("{start}{end}{start}{end}"), "f:4: needs"),
            (
                format!("{start}<!-- benchmarks:b start -->\n{end}"),
                "f:3: needs",
            ),
        ];
        for (old, message) in cases {
            let error = splice("f", &old, "text").expect_err(&old).to_string();
            assert!(error.starts_with(message), "{old}: {error}");
        }
        assert!("f#".parse::<Target>().is_err() && "f#a b".parse::<Target>().is_err());
    }

    proptest! {
        #[test]
        fn the_part_is_found_again(before in ".*", old in ".*", after in ".*", new in "[^\r]*") {
            let [start, end] = ["<!-- benchmarks start -->", "<!-- benchmarks end -->"];
            let file = |part: &str| format!("{before}\n{start}\n{part}\n{end}\n{after}");
            let spliced = splice("f", &file(&old), &new).expect("one pair");
            let outside = spliced.starts_with(&format!("{before}\n{start}"))
                && spliced.ends_with(&format!("{end}\n{after}"));
            prop_assert!(outside);
            prop_assert_eq!(splice("f", &spliced, &new).expect("one pair"), spliced);
        }
    }
}

//! gungraun, iai-callgrind and iai: a benchmark's name, then its counts, of which the first is that
//! of this execution.
//!
//! ```text
//! codec::records::seal short:10
//!   Instructions:                1734|1650            (+5.09090%) [+1.04844x]
//!   L1 Hits:                     2359|2275            (+3.69230%) [+1.03560x]
//!   ======= DHAT ============================================================
//!   Total bytes:                29499|N/A             (*********)
//! ```

use super::json::gungraun::{METRICS, unit};
use super::prelude::*;

static ROW: Pattern = Pattern::new(
    r"^  ([A-Z][A-Za-z0-9+ .-]*): +(\d+(?:\.\d+)?|N/A)(?:\|(?:\d\S*|N/A)(?: +\([^)]*\))?(?: +\[[^\]]*\])?|(?: +\([^)]*\))?)$",
);
static SECTION: Pattern = Pattern::marked("  =", r"^  =+ ([A-Z]+) =+$");

#[derive(Default)]
pub(super) struct Gungraun {
    /// Lines above that may be a name.
    name: Vec<String>,
    /// Whether the last line was a row, so that the next name is another.
    is_row: bool,
    tool: String,
    /// Hits or accesses of the first and last level of cache and of memory, which cost 1, 5 and 35
    /// cycles.
    hits: [Option<f64>; 3],
    has_cycles: bool,
    cycles_above: bool,
    /// Whether nothing follows the figure of the last row.
    is_bare: bool,
    has_bars: bool,
}

impl Tool for Gungraun {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some([_, tool]) = SECTION.groups(line) {
            self.tool = tool.to_owned();
            return Ok(());
        } else if line.starts_with("Gungraun result") || line.starts_with("Iai-Callgrind result") {
            return Ok(());
        } else if !line.starts_with("  ") {
            // A name may have several lines.
            if self.is_row
                || !self.name.first().is_some_and(|name| name.contains("::"))
                || line.contains("::")
            {
                self.name.clear();
            }
            self.cycles_above |= std::mem::take(&mut self.has_cycles);
            self.hits = [None; 3];
            self.name.push(line.trim_end().to_owned());
            (self.is_row, self.has_bars, self.tool) = (false, false, String::new());
            return Err(Foreign);
        }
        let is_known = |metric: &str| METRICS.iter().any(|(known, _)| *known == metric);
        let Some((metric, rest)) = line
            .trim()
            .split_once(':')
            .filter(|(metric, _)| is_known(metric))
        else {
            return Err(Foreign);
        };
        let Some([_, _, figure]) = ROW.groups(line) else {
            return Err(match rest.contains(['|', '(']) {
                true => Damaged(cite("expected a metric and its figures, got", line)),
                false => Foreign,
            });
        };
        if self.name.is_empty() {
            return wrong("no name above", line);
        }
        self.is_row = true;
        if line.contains('|') {
            self.has_bars = true;
        } else if self.has_bars && line.trim_end().ends_with(figure) {
            return wrong("nothing follows the figure, which may be cut:", line);
        }
        self.is_bare = line.trim_end().ends_with(figure);
        if figure == "N/A" {
            return Ok(());
        }
        let base = amount(figure)?;
        match metric {
            "L1 Hits" | "L1 Accesses" => self.hits[0] = Some(base),
            "L2 Hits" | "LL Hits" | "L2 Accesses" => self.hits[1] = Some(base),
            "RAM Hits" | "RAM Accesses" => self.hits[2] = Some(base),
            "Estimated Cycles" => {
                self.has_cycles = true;
                if let [Some(first), Some(last), Some(memory)] = self.hits
                    && first + 5.0 * last + 35.0 * memory != base
                {
                    return wrong("not the cycles of the accesses above:", line);
                }
            }
            _ => {}
        }
        Ok(out.benchmark(&self.name.join(" "), unit(&self.tool, metric), base)?)
    }

    fn end(&mut self, out: &mut Collector) {
        // The last figure may be cut, where other benchmarks have more.
        if self.is_row && self.is_bare && self.cycles_above && !self.has_cycles {
            out.problem(cite(
                "the output ends before the estimated cycles of",
                &self.name.join(" "),
            ));
        }
    }
}

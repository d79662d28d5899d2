//! The functions that account for changes in instruction counts.

use super::table::ComparedSides;
use crate::escape;
use crate::profile::Why;
use crate::report;
use crate::unit::group_thousands;

/// Maximum number of scenarios to explain, those with the largest changes.
const MAX_SCENARIOS: usize = 5;

/// Renders the explanations below a table in a terminal.
pub(super) fn text(table: &ComparedSides) -> String {
    let whys = whys(table);
    let scenario = |(label, why): &(String, Why)| {
        format!(
            "\ninstructions of {}:\n{}",
            escape::plain(label),
            lines(why)
        )
    };
    whys.iter().map(scenario).collect()
}

/// Renders the explanations for a comment, folded.
pub(super) fn markdown(table: &ComparedSides) -> String {
    let scenario = |(label, why): &(String, Why)| {
        format!(
            "\n<details>\n<summary>Why: instructions of {}</summary>\n\n```text\n{}```\n\n</details>\n",
            escape::comment(label),
            // A backtick in a name could end the block.
            lines(why).replace('`', "'")
        )
    };
    whys(table).iter().map(scenario).collect()
}

/// Returns the scenarios whose instruction counts changed most, with the functions that explain it.
fn whys(table: &ComparedSides) -> Vec<(String, Why)> {
    let sides = table.sides.map(|(side, one)| (&side.profiles, one));
    let found = report::whys(sides, table.compared.rows.iter(), MAX_SCENARIOS).into_iter();
    found
        .map(|(row, why)| (row.scenario.label(), why))
        .collect()
}

/// `   +98,000  rustls::hash_hs::HandshakeHash::add (1,000 ➡️ 99,000)`
fn lines(why: &Why) -> String {
    let whole = |n: f64| group_thousands(&format!("{n:.0}"));
    let line = |&(ref name, [old, new]): &(String, [f64; 2])| {
        let sign = if new > old { "+" } else { "" };
        let difference = format!("{sign}{}", whole(new - old));
        let name = escape::plain(name);
        format!(
            "  {difference:>12}  {name} ({} ➡️ {})\n",
            whole(old),
            whole(new)
        )
    };
    why.iter().map(line).collect()
}

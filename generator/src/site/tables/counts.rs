//! The work of one scenario, counted: a metric a row, a build a column.

use super::html::{HtmlCell, HtmlRow, HtmlTable};
use super::results::head;
use crate::model::scale::group_thousands;
use crate::model::scenario::{Group, KeyType, Scenario, Side, TlsVersion, Workload};
use crate::model::unit::Unit;
use crate::report::{Row, Table, titles};
use crate::site::pages::topics::MAX_ROWS;

/// The counts of a scenario.
pub(in crate::site) struct Counts<'a> {
    pub(in crate::site) table: HtmlTable,
    /// The row of instructions, if they were counted.
    pub(in crate::site) instructions: Option<&'a Row>,
}

/// How close a scenario is to the one that says most: a full handshake of a client with ECDSA.
fn rank(s: &Scenario) -> impl Ord + use<> {
    (
        s.workload == Workload::FullHandshake,
        s.version == Some(TlsVersion::V1_3),
        s.key == Some(KeyType::EcdsaP256),
        s.group == Some(Group::X25519),
        s.side == Some(Side::Client),
        !s.mutual,
    )
}

/// Columns of the table.
const MAX_COLUMNS: usize = 7;

/// Returns the newest and the oldest build of each library, the subject's first.
fn ends(table: &Table<'_>) -> Vec<usize> {
    let mut all = table.all_columns();
    all.retain(|column| !table.build(*column).version.is_pre_release());
    all.sort_by(|a, b| {
        let [a, b] = [*a, *b].map(|column| table.build(column));
        let is_other = |name: &str| name != table.report.subject();
        let of = |name: &str| (is_other(name), name.to_owned());
        (of(&a.name).cmp(&of(&b.name))).then(b.version.cmp_release(&a.version))
    });
    let mut ends: Vec<usize> = Vec::new();
    for own in all.chunk_by(|a, b| table.build(*a).name == table.build(*b).name) {
        ends.push(own[0]);
        ends.extend(own[1..].last());
    }
    ends.truncate(MAX_COLUMNS);
    ends
}

/// Returns the counts of the scenario that says most, of both sides where both were counted.
pub(in crate::site) fn counts<'a>(table: &Table<'a>) -> Option<Counts<'a>> {
    // Of equals the first.
    let main = table
        .rows
        .iter()
        .rev()
        .max_by_key(|row| rank(&row.scenario))?;
    let without_side = |row: &Row| Scenario {
        side: None,
        ..row.scenario.clone()
    };
    let wanted = without_side(main);
    let own = table.with(|row| without_side(row) == wanted);
    let columns = ends(&own);
    let mut units: Vec<&Unit> = Vec::new();
    for row in &own.rows {
        if !units.contains(&&row.unit) {
            units.push(&row.unit);
        }
    }
    units.truncate(MAX_ROWS);
    let sides = [Some(Side::Client), Some(Side::Server), None];
    let mut rows = Vec::new();
    for unit in units {
        let find = |side: &Option<Side>| {
            let mut rows = own.rows.iter();
            rows.find(|row| row.unit == *unit && row.scenario.side == *side)
        };
        let of_sides: Vec<&&Row> = sides.iter().filter_map(find).collect();
        // Millions of instructions are read as millions.
        let largest = of_sides.iter().flat_map(|row| row.estimates());
        let largest = largest.map(|(_, v)| unit.printed(v)).fold(0.0, f64::max);
        let (factor, word) = match largest {
            1e6.. => (1e6, "million "),
            _ => (1.0, ""),
        };
        let figure = |value: Option<f64>| match value.map(|v| unit.printed(v) / factor) {
            None => "–".to_owned(),
            Some(v) if factor > 1.0 => format!("{v:.2}"),
            Some(v) => group_thousands(&format!("{v:.0}")),
        };
        let cells = columns.iter().map(|column| {
            let figures = of_sides.iter().map(|row| figure(row.estimate(*column)));
            // Two lines at most: a slash does not stand alone.
            HtmlCell::text(figures.collect::<Vec<_>>().join("\u{a0}/ "))
        });
        let name = format!("{word}{}", unit.symbol());
        rows.push(HtmlRow::new(name, cells.collect()));
    }
    let mut parts = titles::parts(&main.scenario);
    let side = main.scenario.side.map(Side::word);
    parts.retain(|part| Some(&**part) != side);
    let has = |side: Side| own.rows.iter().any(|row| row.scenario.side == Some(side));
    let has_both = has(Side::Client) && has(Side::Server);
    let instructions = own
        .rows
        .iter()
        .copied()
        .find(|row| row.unit == Unit::INSTRUCTIONS && row.scenario.side == main.scenario.side);
    (!rows.is_empty()).then(|| Counts {
        table: HtmlTable {
            class: "fit pairs",
            about: Some("../method/#counts"),
            name: parts.join(", "),
            caption: match has_both {
                true => "Client / server; lower is better.".to_owned(),
                false => "Lower is better.".to_owned(),
            },
            corner: "counted",
            head: columns.iter().map(|column| head(&own, *column)).collect(),
            rows,
            ..HtmlTable::default()
        },
        instructions,
    })
}

//! The findings of a report's sections: the subject against its rival, who leads, and what a
//! post-quantum key exchange costs. All are made of tested verdicts.

use super::answer::summary;
use crate::base::words::{count, join};
use crate::model::scenario::Group;
use crate::model::unit::Unit;
use crate::report::{Compared, Exchange, Row, Table, titles};
use crate::site::graphs::sizes::USUAL;
use std::collections::BTreeSet;

/// `In writes of 1 MiB, rustls 0.23.46 against OpenSSL 4.0.3: 1.13x to 1.17x slower. But 1.96x faster in Sending,
/// TLS 1.3, AES-256-GCM, writes of 16 B.`: what the main rows say, of which size they are, and the row of all
/// that contradicts them most. `None` where nothing is tested.
pub(in crate::site) fn against<'a>(main: &Table<'a>, all: &Table<'a>) -> Option<String> {
    let report = main.report;
    let roles = report.roles();
    let sides = [roles.rival?, roles.subject?];
    let compared = |rows: &[&'a Row]| -> Vec<Compared<'a>> {
        let rows = rows.iter();
        rows.filter_map(|row| report.compared(row, sides)).collect()
    };
    let own = compared(&main.rows);
    let mut others = compared(&all.rows);
    others.retain(|one| {
        let contradicts = |own: &Compared<'_>| !own.is_change() || own.verdict() != one.verdict();
        let is_main = main.rows.iter().any(|row| row.index == one.row.index);
        one.is_change() && !is_main && own.iter().all(contradicts)
    });
    let most = others.into_iter();
    let most = most.max_by(|a, b| a.known.change.size().total_cmp(&b.known.change.size()));
    let [rival, ours] = sides.map(|build| report.full_name(build));
    let has_sizes = all.rows.iter().any(|row| row.scenario.write_size.is_some());
    let lead = match has_sizes {
        true => format!("In writes of {}, ", titles::bytes(USUAL)),
        false => String::new(),
    };
    let but = most.map_or_else(String::new, |one| {
        let title = titles::title(&one.row.scenario);
        format!(" But {} in {title}.", one.known.change)
    });
    let said = summary(&own)?;
    Some(format!("{lead}{ours} against {rival}: {said}.{but}"))
}

/// `The ClientHello of rustls 0.23.46 has 226 bytes with X25519 and 1,410 with X25519MLKEM768.`
pub(in crate::site) fn size_of_hello(table: &Table<'_>) -> Option<String> {
    let report = table.report;
    let subject = report.roles().subject?;
    let mut sizes: Vec<String> = Vec::new();
    for row in &table.with(|row| row.unit == Unit::TRAFFIC).rows {
        if let Some(figure) = row.figure(subject) {
            let bytes = if sizes.is_empty() { " bytes" } else { "" };
            let with = titles::parts(&row.scenario)[1..].join(", ");
            sizes.push(format!("{}{bytes} with {with}", figure.text));
        }
    }
    (!sizes.is_empty()).then(|| {
        let name = report.full_name(subject);
        format!("The ClientHello of {name} has {}.", join(&sizes))
    })
}

/// `rustls 0.23.46 leads in 20 of 28 scenarios with a tested order, alone or with others, AWS-LC 5.12.0 in 6 and
/// OpenSSL 4.0.3 in 2.` `None` if there is no order.
pub(in crate::site) fn leaders(table: &Table<'_>) -> Option<String> {
    /// Those after the first.
    const MAX_OTHERS: usize = 3;
    let report = table.report;
    let own: BTreeSet<usize> = table.rows.iter().map(|row| row.index).collect();
    let mut rows = report.main_rows();
    rows.retain(|row| own.contains(&row.index));
    let mut leads = report.leads(rows);
    leads.builds.retain(|lead| lead.first > 0);
    let (first, others) = leads.builds.split_first()?;
    let others = others.iter().take(MAX_OTHERS);
    let others = others.map(|lead| format!("{} in {}", report.full_name(lead.build), lead.first));
    let others: Vec<String> = others.collect();
    let comma = if others.is_empty() { "" } else { ", " };
    let of = count(leads.ranked, "scenario");
    Some(format!(
        "{} leads in {} of {of} with a tested order, alone or with others{comma}{}.",
        report.full_name(first.build),
        first.first,
        join(&others)
    ))
}

/// `X25519MLKEM768 instead of X25519 makes these handshakes 1.06x to 1.40x slower.` `None` where that was
/// not tested, or not for all slower.
pub(in crate::site) fn cost_of_hybrids(found: &[Exchange<'_>]) -> Option<String> {
    let all = found.iter().flat_map(|one| &one.costs);
    let all: Vec<Compared<'_>> = all.map(|(_, cost)| *cost).collect();
    let mut changes: Vec<_> = all.iter().filter(|one| one.is_change()).collect();
    changes.sort_by(|a, b| a.known.change.size().total_cmp(&b.known.change.size()));
    let (first, last) = (changes.first()?.known.change, changes.last()?.known.change);
    let is_one_way = changes
        .iter()
        .all(|one| one.known.change.is_better() == first.is_better());
    let hybrid = titles::group(Group::X25519MlKem768);
    let of = match changes.len() == all.len() {
        true => "these handshakes".to_owned(),
        false => format!("{} of {} of these handshakes", changes.len(), all.len()),
    };
    is_one_way.then(|| {
        format!(
            "{hybrid} instead of X25519 makes {of} {} to {last}.",
            first.amount()
        )
    })
}

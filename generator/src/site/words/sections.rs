//! The findings of a report's sections: the subject against its rival, who leads, and what a
//! post-quantum key exchange costs. All are made of tested verdicts.

use super::answer::summary;
use crate::base::words::{count, join};
use crate::model::scenario::Group;
use crate::report::{Compared, Exchange, Table, titles};
use std::collections::BTreeSet;

/// `rustls 0.23.46 against OpenSSL 4.0.3: 1.27x to 2.23x faster.` `None` where nothing is tested.
pub(in crate::site) fn against(table: &Table<'_>) -> Option<String> {
    let report = table.report;
    let roles = report.roles();
    let sides = [roles.rival?, roles.subject?];
    let rows = table.rows.iter();
    let rows = rows.filter_map(|row| report.compared(row, sides)).collect();
    let [rival, ours] = sides.map(|build| report.full_name(build));
    Some(format!("{ours} against {rival}: {}.", summary(rows)?))
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

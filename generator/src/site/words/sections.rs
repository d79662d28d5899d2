//! The findings of a report's sections: the subject against its rival, who leads, and what a
//! post-quantum key exchange costs. All are made of tested verdicts.

use super::answer::summary;
use super::ranking::rows_of_own_kind;
use crate::base::words::join;
use crate::model::scenario::{Group, Scenario};
use crate::report::{ComparedRow, Report, Row, Table, judge, titles};
use crate::stats::{Change, Comparison, Rules};
use std::collections::BTreeSet;

/// `rustls 0.23.46 against OpenSSL 4.0.3: 1.27x to 2.23x faster.` `None` where nothing is tested.
pub(in crate::site) fn against(table: &Table<'_>) -> Option<String> {
    let report = table.report;
    let (ours, rival) = report.subject_and_rival()?;
    let sides = [rival?, ours];
    let mut known = Vec::new();
    for row in &table.rows {
        if let Some(verdict) = report.verdict(row, sides) {
            let cells = sides.map(|column| row.cell(column));
            known.push((
                ComparedRow::new(row, cells, report.manifest.estimator),
                verdict,
            ));
        }
    }
    let rows = known.iter().map(|(row, verdict)| (row, *verdict)).collect();
    let [rival, ours] = sides.map(|column| table.name(column));
    Some(format!("{ours} against {rival}: {}.", summary(rows)?))
}

/// `Of 28 ranked scenarios, rustls leads 20, alone or with others, AWS-LC 6 and OpenSSL 2.` `None` of a few
/// rows, which a graph shows.
pub(in crate::site) fn leaders(table: &Table<'_>) -> Option<String> {
    let report = table.report;
    let own: BTreeSet<usize> = table.rows.iter().map(|row| row.index).collect();
    let mut wins: Vec<(&str, usize)> = Vec::new();
    let mut ranked = 0;
    for row in rows_of_own_kind(report) {
        let Some(found) = report.leaders(row).filter(|found| !found.behind.is_empty()) else {
            continue;
        };
        if !own.contains(&row.index) {
            continue;
        }
        ranked += 1;
        let names: BTreeSet<&str> = found.first.iter().map(|c| &*table.build(*c).name).collect();
        for name in names {
            match wins.iter_mut().find(|(known, _)| *known == name) {
                Some((_, n)) => *n += 1,
                None => wins.push((name, 1)),
            }
        }
    }
    wins.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let (first, n) = *wins.first()?;
    let others = wins[1..].iter().map(|(name, n)| format!("{name} in {n}"));
    let others: Vec<String> = others.collect();
    let comma = if others.is_empty() { "" } else { ", " };
    (ranked > 2).then(|| {
        format!(
            "Of {ranked} ranked scenarios, {first} leads in {n}, alone or with others{comma}{}.",
            join(&others)
        )
    })
}

/// A handshake with and without a post-quantum key exchange, and what that costs each build.
pub(in crate::site) struct Exchange<'a> {
    pub(in crate::site) plain: &'a Row,
    pub(in crate::site) hybrid: &'a Row,
    pub(in crate::site) costs: Vec<(usize, Comparison)>,
}

/// Returns the handshakes that were measured with X25519 and with its hybrid, in the order of rows.
pub(in crate::site) fn exchanges(report: &Report) -> Vec<Exchange<'_>> {
    let before = report.before_newest_of_subject();
    let mut columns = Table::of(report).split_columns().0;
    columns.retain(|column| Some(*column) != before);
    let rows = || report.data.rows.iter();
    let mut found = Vec::new();
    let hybrids = rows().filter(|row| {
        let is_wanted = row.scenario.group == Some(Group::X25519MlKem768);
        is_wanted && row.scenario.side.is_some() && !row.unit.kind().is_count()
    });
    for hybrid in hybrids {
        let with = |group: Option<Group>| Scenario {
            group,
            ..hybrid.scenario.clone()
        };
        let plain = with(Some(Group::X25519));
        let Some(plain) = rows().find(|r| r.scenario == plain && r.unit == hybrid.unit) else {
            continue;
        };
        let mut compared = Vec::new();
        let mut of = Vec::new();
        for column in &columns {
            let cells = [plain, hybrid].map(|row| row.cell(*column));
            let row = ComparedRow::new(hybrid, cells, report.manifest.estimator);
            if row.estimates.iter().all(Option::is_some) {
                compared.push(row.paired(report.data.is_paired));
                of.push(*column);
            }
        }
        judge(&mut compared, report.manifest.estimator, &Rules::default());
        let known = compared.iter().map(|row| row.comparison);
        let costs = of.into_iter().zip(known);
        let costs: Vec<_> = costs
            .filter_map(|(column, known)| Some((column, known?)))
            .collect();
        if !costs.is_empty() {
            found.push(Exchange {
                plain,
                hybrid,
                costs,
            });
        }
    }
    found
}

/// `X25519MLKEM768 instead of X25519 makes these handshakes 1.06x to 1.40x slower.` `None` where that was
/// not tested, or not for all slower.
pub(in crate::site) fn cost_of_hybrids(found: &[Exchange<'_>]) -> Option<String> {
    let (mut changes, mut all): (Vec<Change>, usize) = (Vec::new(), 0);
    for (_, known) in found.iter().flat_map(|one| &one.costs) {
        all += 1;
        if known.verdict.is_change() {
            changes.push(known.change);
        }
    }
    changes.sort_by(|a, b| a.size().total_cmp(&b.size()));
    let (first, last) = (changes.first()?, changes.last()?);
    let is_one_way = changes
        .iter()
        .all(|change| change.is_better() == first.is_better());
    let hybrid = titles::group(Group::X25519MlKem768);
    let of = match changes.len() == all {
        true => "these handshakes".to_owned(),
        false => format!("{} of {all} of these handshakes", changes.len()),
    };
    is_one_way.then(|| {
        format!(
            "{hybrid} instead of X25519 makes {of} {} to {last}.",
            first.amount()
        )
    })
}

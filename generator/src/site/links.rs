//! Where the links of pages lead. A link is written only if what it names is there.

use crate::base::escape;
use crate::report::history::Histories;
use crate::report::{ComparedMachine, Link};
use std::collections::{HashMap, HashSet};

/// What the pages over all reports offer.
#[derive(Debug, Default)]
pub(crate) struct Offered {
    /// The folders of the pages of scenarios by their labels, and of libraries by their names.
    scenarios: HashMap<String, String>,
    libraries: HashMap<String, String>,
    /// The builds that can be compared, with the name of their report.
    builds: HashSet<(String, String)>,
}

/// The links of one page.
#[derive(Debug)]
pub(super) struct Links<'a> {
    /// The way from the page up to the section of the reports: `../`.
    pub(super) up: String,
    pub(super) offered: &'a Offered,
}

impl Offered {
    pub(crate) fn of(histories: &Histories<'_>, machines: &[ComparedMachine<'_>]) -> Self {
        let libraries = histories.implementations.iter();
        let libraries = libraries.map(|(name, address)| ((*name).to_owned(), address.clone()));
        let mut offered = Self {
            libraries: libraries.collect(),
            ..Self::default()
        };
        for measured in machines.iter().flat_map(|machine| &machine.reports) {
            for place in measured.builds.iter().flatten() {
                let report = measured.report;
                let build = report.build(*place).to_string();
                offered.builds.insert((report.name.clone(), build));
            }
        }
        for group in &histories.groups {
            for series in group.series() {
                let label = series.scenario().label();
                offered.scenarios.insert(label, group.address.clone());
            }
        }
        offered
    }
}

impl Links<'_> {
    /// Returns the address of a link; `None` if nothing is there.
    pub(super) fn address(&self, link: &Link) -> Option<String> {
        let Self { up, offered, .. } = self;
        Some(match link {
            Link::Scenario(label) => format!("{up}scenarios/{}/", offered.scenarios.get(label)?),
            Link::Library(name) => {
                format!("{up}implementations/{}/", offered.libraries.get(name)?)
            }
            Link::Pair(sides) if sides.iter().all(|side| offered.builds.contains(side)) => {
                let named = |(report, build): &(String, String)| format!("{report}:{build}");
                let [old, new] = sides.each_ref().map(|side| escape::query(&named(side)));
                format!("{up}compare/#old={old}&new={new}")
            }
            Link::Pair(_) => return None,
            Link::Address(address) => address.clone(),
        })
    }
}

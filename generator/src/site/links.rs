//! Where the links of pages lead. A link is written only if what it names is there.

use crate::base::escape;
use crate::report::history::Histories;
use crate::report::{ComparedMachine, Link};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the pages over all reports offer.
#[derive(Debug, Default)]
pub(crate) struct Offered {
    /// The folders of the pages of scenarios by their labels.
    scenarios: HashMap<String, String>,
    /// The folders of the pages of libraries by their names.
    libraries: BTreeMap<String, String>,
    /// The builds that can be compared, by the name of their report.
    builds: HashMap<String, HashSet<String>>,
}

/// The links of one page, and the ids that they lead to.
#[derive(Debug)]
pub(super) struct Links<'a> {
    /// The way from the page up to the section of the reports: `../`.
    pub(super) up: String,
    pub(super) offered: &'a Offered,
    /// The ids of rows that the page has: of rows with the same one, the first keeps it.
    pub(super) ids: RefCell<HashSet<String>>,
}

impl Offered {
    pub(crate) fn of(histories: &Histories<'_>, machines: &[ComparedMachine<'_>]) -> Self {
        let mut builds: HashMap<String, HashSet<String>> = HashMap::new();
        for machine in machines {
            for measured in &machine.reports {
                let places = machine.builds.iter().zip(&measured.builds);
                let own = places.filter(|(_, place)| place.is_some());
                let own = own.map(|(build, _)| build.to_string());
                builds.insert(measured.report.name.clone(), own.collect());
            }
        }
        let mut scenarios = HashMap::new();
        for group in &histories.groups {
            for series in group.series() {
                scenarios.insert(series.scenario().label(), group.address.clone());
            }
        }
        let libraries = histories.implementations.iter();
        Self {
            scenarios,
            libraries: libraries
                .map(|(name, address)| ((*name).to_owned(), address.clone()))
                .collect(),
            builds,
        }
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
            Link::Pair(sides) => {
                let is_offered = |(report, build): &(String, String)| {
                    let builds = offered.builds.get(report);
                    builds.is_some_and(|builds| builds.contains(build))
                };
                if !sides.iter().all(is_offered) {
                    return None;
                }
                let [old, new] = sides
                    .each_ref()
                    .map(|(report, build)| escape::query(&format!("{report}:{build}")));
                format!("{up}compare/#old={old}&new={new}")
            }
            Link::Address(address) => address.clone(),
        })
    }
}

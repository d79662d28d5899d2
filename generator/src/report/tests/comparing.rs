//! What two builds come to, and who leads.

use super::{FULL, OPEN, RECEIVING, SENDING, build, names, report, row, table};
use crate::report::{Leaders, Report, Tally, one_of_each_kind, words};
use crate::stats::{Rules, Verdict};

/// Builds of one release in several variants, which are ranked.
fn variants(rows: &[(&str, &[f64])]) -> Report {
    let builds = ["a", "b", "c"].map(|variant| format!("rustls 1, {variant}"));
    let builds = builds.each_ref().map(|build| &**build);
    report("", &builds[..rows[0].1.len()], rows)
}

fn leaders(label: &str, levels: &[f64]) -> Option<Leaders> {
    let report = variants(&[(label, levels)]);
    report.leaders(row(&report, label)).cloned()
}

#[test]
fn only_tested_differences_rank() {
    let found = leaders(SENDING, &[100.0, 200.0, 150.0]);
    let (first, behind) = (vec![1], vec![2, 0]);
    assert_eq!(found, Some(Leaders { first, behind }));
    // Equal levels are a tie, whichever estimate is larger.
    let found = leaders(SENDING, &[200.0, 100.0, 200.0]).expect("leaders");
    assert_eq!((found.first.len(), found.behind), (2, vec![1]));
    // Each library chooses its key exchange.
    assert_eq!(leaders(OPEN, &[100.0, 300.0]), None);
    assert!(leaders(FULL, &[100.0, 300.0]).is_some());
    // A pre-release is not ranked, and one build leads nobody.
    let rows: [(&str, &[f64]); 1] = [(SENDING, &[300.0, 100.0])];
    let report = report("", &["rustls 2.0.0-beta.1", "rustls 1.0.0"], &rows);
    assert_eq!(report.leaders(&report.rows[0]), None);
}

#[test]
fn single_figures_rank_nothing_and_unsteady_ones_do() {
    let rows: [(&str, &[f64]); 1] = [(SENDING, &[100.0, 300.0])];
    let builds = ["rustls 1", "OpenSSL 3"];
    let once = Report::example("x", "", &table(1, &builds, &rows));
    assert_eq!(once.leaders(&once.rows[0]), None);
    let mut values = String::new();
    for run in 1..=20 {
        let (slow, fast) = (100 + 2 * run, 300 + 6 * run);
        values += &format!("{run},rustls,1,parse,ns,{fast}\n{run},OpenSSL,3,parse,ns,{slow}\n");
    }
    let head = "run,implementation,version,scenario,unit,value\n";
    let report = Report::example("x", "", &(head.to_owned() + &values));
    let row = &report.rows[0];
    assert!(row.cells.iter().flatten().all(|cell| cell.is_unsteady));
    let order = report.order(row).expect("an order");
    assert_eq!(names(&report, order.first.clone()), ["OpenSSL 3"]);
}

#[test]
fn a_row_with_an_untested_build_is_not_ranked() {
    let rows: [(&str, &[f64]); 1] = [(SENDING, &[100.0, 300.0])];
    let tested = table(20, &["rustls 1", "OpenSSL 3"], &rows);
    let more = tested.clone() + &format!("1,BoringSSL,2,,\"{SENDING}\",MiB/s,50\n");
    for (table, is_ranked) in [(tested, true), (more, false)] {
        let report = Report::example("x", "", &table);
        assert_eq!(report.leaders(&report.rows[0]).is_some(), is_ranked);
    }
}

#[test]
fn the_most_sessions_speak_for_their_kind_of_work() {
    let labels = [100, 10_000, 1000].map(|n| format!("memory, 1.3, {n} sessions"));
    let rows = labels.each_ref().map(|label| (&**label, &[9.0][..]));
    let report = report("", &["rustls 1"], &rows);
    let all = report.rows.iter();
    let kept = one_of_each_kind(all, |row| row).into_iter();
    let kept: Vec<String> = kept.map(|row| row.scenario.label()).collect();
    assert_eq!(kept, [labels[1].clone()]);
}

#[test]
fn leads_count_default_builds_only() {
    let builds = ["rustls 0.9", "rustls 1.0", "rustls 1.0, ring", "OpenSSL 3"];
    let rows: [(&str, &[f64]); 4] = [
        // The older release and the other variant are fastest.
        (SENDING, &[900.0, 100.0, 800.0, 90.0]),
        (RECEIVING, &[900.0, 100.0, 800.0, 100.0]),
        (FULL, &[900.0, 80.0, 800.0, 100.0]),
        (OPEN, &[900.0, 200.0, 800.0, 100.0]),
    ];
    let report = report("", &builds, &rows);
    let (leads, ranked) = report.leads(&report.rows);
    // Of RECEIVING nobody is behind, and in OPEN each chooses its key exchange.
    assert_eq!(ranked, 2);
    let mut found = Vec::new();
    for lead in &leads {
        found.push((report.full_name(lead.build), lead.ranked, lead.first));
    }
    found.sort();
    let expected = [("OpenSSL 3", 2, 1), ("rustls 1.0", 2, 1)];
    assert_eq!(
        found,
        expected.map(|(name, ranked, first)| (name.to_owned(), ranked, first))
    );
}

/// Ten rows of six releases, of which one has a step.
#[test]
fn a_pair_of_releases_is_one_family() {
    let labels = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let (even, step) = ([1e3; 6], [1e3, 1e3, 970.0, 970.0, 970.0, 970.0]);
    let mut rows: Vec<(&str, &[f64])> = labels.map(|label| (label, &even[..])).to_vec();
    rows[3].1 = &step;
    let builds = ["mine 1", "mine 2", "mine 3", "mine 4", "mine 5", "mine 6"];
    let report = report("", &builds, &rows);
    let series = report.series();
    let steps = series[0].steps();
    assert_eq!(steps.len(), 5);
    for [old, new] in steps.iter().copied() {
        for one in report.compare([old, new]) {
            let is_planted = one.row.scenario.label() == "d" && names(&report, [new]) == ["mine 3"];
            assert_eq!(one.is_change(), is_planted, "{}", one.row.scenario);
        }
    }
    // The rows of the pair are the family, whichever of them are shown.
    let pair = ["mine 2", "mine 3"].map(|name| build(&report, name));
    let one = report.compared(row(&report, "d"), pair).expect("compared");
    let [p, adjusted] = [one.known.test.map(|test| test.p), one.known.adjusted_p];
    let factor = adjusted.expect("adjusted") / p.expect("tested");
    assert!(factor > 1.0 && factor <= 10.0, "{factor}");
    let mut all = report.compare(steps[1]).into_iter();
    let same = all.find(|other| other.row.index == one.row.index);
    assert_eq!(same.map(|other| other.known), Some(one.known));
}

#[test]
fn both_directions_of_a_pair_are_one_comparison() {
    let rows: [(&str, &[f64]); 2] = [(SENDING, &[100.0, 90.0]), (RECEIVING, &[100.0, 100.0])];
    let report = report("", &["rustls 1", "OpenSSL 3"], &rows);
    let there = report.compare([0, 1]);
    let back = report.compare([1, 0]);
    let shown = [&there, &back].map(|rows| words::verdict(&rows[0].known));
    assert!(shown[0].ends_with(" faster"), "{shown:?}");
    assert_eq!(shown[0].replace("faster", "slower"), shown[1]);
    for (there, back) in there.iter().zip(&back) {
        let reversed = there.known.reversed();
        assert_eq!(reversed.p(), back.known.p());
        assert_eq!(words::verdict(&reversed), words::verdict(&back.known));
        assert_eq!(words::interval(&reversed), words::interval(&back.known));
    }
}

/// The end that is nearer to no change comes first, in either direction and unit.
#[test]
fn an_interval_is_in_the_direction_of_its_words() {
    let rows: [(&str, &[f64]); 2] = [(SENDING, &[100.0, 80.0]), ("parse", &[100.0, 80.0])];
    let report = report("", &["rustls 1", "OpenSSL 3"], &rows);
    for one in [[0, 1], [1, 0]]
        .into_iter()
        .flat_map(|pair| report.compare(pair))
    {
        let interval = words::interval(&one.known).expect("an interval");
        let ends = interval
            .split(" to ")
            .map(|end| end.trim_end_matches('x').parse());
        let ends: Vec<f64> = ends.collect::<Result<_, _>>().expect("two factors");
        let shown = format!("{}: {interval}", words::verdict(&one.known));
        assert!(1.2 < ends[0] && ends[0] < 1.25 && 1.25 < ends[1], "{shown}");
    }
}

/// Two reports of one machine with estimators of their own.
#[test]
fn the_newer_report_says_by_which_estimator() {
    let of = |name: &str, manifest: &str, builds: &[&str]| {
        let rows: [(&str, &[f64]); 1] = [(SENDING, &[100.0, 90.0])];
        Report::example(name, manifest, &table(20, builds, &rows))
    };
    let old = of("2026-01-01", "", &["rustls 1", "OpenSSL 3"]);
    let new = of(
        "2026-02-01",
        "estimator = \"max\"\n",
        &["rustls 2", "OpenSSL 4"],
    );
    let sides = [
        (&old, build(&old, "rustls 1")),
        (&new, build(&new, "rustls 2")),
    ];
    let there = crate::report::compare(sides, &Rules::default());
    let [was, is] = sides;
    let back = crate::report::compare([is, was], &Rules::default());
    let largest = was.0.rows[0].cell(was.1).and_then(|cell| cell.sample());
    assert_eq!(
        Some(there[0].estimates[0]),
        largest.and_then(|all| all.values().last().copied())
    );
    assert_eq!(there[0].estimates[0], back[0].estimates[1]);
    assert_eq!(there[0].known.reversed(), back[0].known);
}

/// A program that differs from itself by 8 % in either report hides a change of 5 %.
#[test]
fn of_two_reports_the_larger_control_counts() {
    let of = |name: &str, level: f64, control: f64| {
        let rows: [(&str, &[f64]); 1] = [(SENDING, &[level, level * control])];
        let builds = ["rustls 1", "rustls 1, control"];
        Report::example(name, "", &table(20, &builds, &rows))
    };
    for (controls, expected) in [
        ([1.0, 1.0], Verdict::Better),
        ([1.0, 1.08], Verdict::NotShown),
        ([1.08, 1.0], Verdict::NotShown),
    ] {
        let [old, new] = controls;
        let (old, new) = (of("2026-01-01", 100.0, old), of("2026-02-01", 105.0, new));
        let rows = crate::report::compare([(&old, 0), (&new, 0)], &Rules::default());
        assert_eq!(rows[0].verdict(), expected, "{controls:?}");
    }
}

#[test]
fn rows_with_single_and_missing_figures_have_no_verdict() {
    let builds = ["mine 1", "mine 2", "mine 3"];
    let mut all = table(
        15,
        &builds,
        &[
            ("b", &[1e3, 0.0, 2e3]),
            ("c", &[0.0, 2e3, 1e3]),
            ("d", &[0.0, 0.0, 1e3]),
        ],
    );
    all += "1,mine,1,,a,ns,1000\n1,mine,2,,a,ns,2000\n1,mine,3,,a,ns,2000\n1,mine,1,,c,ns,unsupported\n";
    let report = Report::example("x", "", &all);
    let verdicts = |label: &str| {
        let steps = [[0, 1], [1, 2]];
        steps.map(|pair| {
            report
                .verdict(row(&report, label), pair)
                .map(|known| known.verdict)
        })
    };
    assert_eq!(verdicts("a"), [Some(Verdict::Untested); 2]);
    assert_eq!(verdicts("b"), [None, None]);
    assert_eq!(verdicts("c"), [None, Some(Verdict::Better)]);
    assert_eq!(verdicts("d"), [None, None]);
    let tally: Tally<'_> = report.compare([1, 2]).into_iter().collect();
    assert_eq!((tally.better, tally.untested), (1, 1));
    assert_eq!((tally.tested(), tally.compared()), (1, 2));
    assert_eq!(words::largest(&tally).as_deref(), Some("2.00x faster in c"));
}

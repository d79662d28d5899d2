//! Which series of several reports form one history.

use super::*;

fn report(name: &str, manifest: &str, table: &str) -> Report {
    Report::example(name, manifest, table)
}

fn table(columns: &str, figures: &str) -> String {
    format!("scenario,{columns}\n\"resumed handshakes, 1.3, client\",{figures}\n")
}

#[test]
fn separates_machines_and_variants() {
    let reports = [
        report("x", "", &table("rustls 1.0", "1")),
        report(
            "2026-01-01-a",
            "machine = \"A\"",
            &table("rustls 1.0", "100"),
        ),
        report(
            "2026-02-01-b",
            "machine = \"B\"",
            &table("rustls 1.1", "50"),
        ),
        report(
            "2026-03-01-a",
            "machine = \"A\"",
            &table("rustls 1.2,\"rustls 1.2, ring\"", "40,30"),
        ),
    ];
    let histories = Histories::of(&reports);
    assert_eq!(histories.groups.len(), 1);
    let machines = &histories.groups[0].machines;
    let names: Vec<&str> = machines.iter().map(MachineHistory::name).collect();
    assert_eq!(names, ["A", "B", "x"]);
    let series: Vec<(String, Vec<f64>)> = machines[0]
        .series
        .iter()
        .map(|l| {
            (
                l.name(),
                l.points.iter().map(|p| p.figure.estimate).collect(),
            )
        })
        .collect();
    assert_eq!(
        series,
        [
            ("rustls".to_owned(), vec![100.0, 40.0]),
            ("rustls (ring)".to_owned(), vec![30.0])
        ]
    );
    // Two figures are too few to be tested.
    assert_eq!(found(&histories), [""; 0]);
}

#[test]
fn takes_the_newest_of_several_versions() {
    let reports = [report(
        "2026-01-01-a",
        "machine = \"A\"",
        &table("rustls 0.23.9,rustls 0.23.10", "100,90"),
    )];
    let histories = Histories::of(&reports);
    let points = &histories.groups[0].machines[0].series[0].points;
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].implementation().version, "0.23.10".into());
}

/// In twenty reports with two scenarios of two implementations, one series has a step.
#[test]
fn finds_only_the_planted_change_point() {
    let noise = |seed: usize| 1.0 + ((seed * 7919) % 101) as f64 / 101.0 * 0.01;
    let reports: Vec<Report> = (0..20)
        .map(|i| {
            let level = if i < 11 { 1000.0 } else { 900.0 };
            let figures = [level * noise(i), 500.0 * noise(i + 31), 70.0 * noise(i + 57)];
            let table = format!(
                "scenario,rustls 1.{i},OpenSSL 3.{i}\n\"resumed handshakes, 1.3, client\",{:.2},{:.2}\n\"resumed handshakes, 1.2, client\",{:.2},{:.2}\n",
                figures[0], figures[1], figures[2], figures[1]
            );
            let name = format!("20{:02}-01-01-a", 10 + i);
            report(&name, "machine = \"A\"", &table)
        })
        .collect();
    let histories = Histories::of(&reports);
    let found = found(&histories);
    let words = "resumed handshakes, 1.3, client: 1.11x slower since rustls 1.11";
    assert_eq!(
        found,
        [format!(
            "{words} (p = 0.005, with the key exchange that each release has by default)"
        )]
    );
}

/// Twenty reports with a step, after which the figures of each vary by so much.
#[test]
fn unsteady_figures_are_no_change_point() {
    for (spread, count) in [(0.001, 1), (0.2, 0)] {
        let reports: Vec<Report> = (0..20)
            .map(|i| {
                let (level, spread) = if i < 11 {
                    (1000.0, 0.001)
                } else {
                    (900.0, spread)
                };
                let level = level * (1.0 + ((i * 7919) % 101) as f64 / 1e4);
                let mut table = "run,implementation,version,scenario,unit,value\n".to_owned();
                for run in 1..=9 {
                    let value = level * (1.0 + spread * (f64::from(run) - 5.0) / 4.0);
                    table += &format!("{run},rustls,1.{i},parse,ns,{value}\n");
                }
                report(
                    &format!("20{:02}-01-01-a", 10 + i),
                    "machine = \"A\"",
                    &table,
                )
            })
            .collect();
        assert_eq!(found(&Histories::of(&reports)).len(), count, "{spread}");
    }
}

/// All change points in words.
fn found(histories: &Histories<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for series in histories.series() {
        for level in &series.levels {
            let since = series.points[level.since].implementation();
            let (label, evidence) = (series.scenario().label(), series.evidence(level));
            let change = level.change;
            found.push(format!("{label}: {change} since {since} ({evidence})"));
        }
    }
    found
}

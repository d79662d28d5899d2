//! `/perf/machines/`: ratios of the same releases on several machines.

use crate::common::{Folder, generator};
use std::fmt::Write;

const PAGE: &str = "content/perf/machines/_index.md";

/// Six runs of rustls 1.0 and OpenSSL 3.0 with these medians.
fn table(scenario: &str, rustls: f64, openssl: f64, caveats: [&str; 2]) -> String {
    let mut rows = String::new();
    for (run, step) in [-5.0, -3.0, -1.0, 1.0, 3.0, 5.0].iter().enumerate() {
        for (of, median, caveat) in [
            ("rustls,1.0", rustls, caveats[0]),
            ("OpenSSL,3.0", openssl, caveats[1]),
        ] {
            let value = median + step / 64.0;
            writeln!(
                rows,
                "{},{of},\"{scenario}\",handshakes/s,{value},{caveat}",
                run + 1
            )
            .expect("a string");
        }
    }
    rows
}

fn report(site: &Folder, name: &str, machine: &str, tables: &[String]) {
    let heading = "run,implementation,version,scenario,unit,value,caveat\n";
    let rows = [heading, &tables.concat()].concat();
    let machine = toml::Value::from(machine);
    site.write(
        &format!("data/{name}/report.toml"),
        format!("machine = {machine}\n"),
    );
    site.write(&format!("data/{name}/runs.csv"), rows);
}

fn ingested(site: &Folder) -> String {
    generator(site.path(), &["ingest", "data", "--no-cards"]).success();
    site.read(PAGE)
}

/// The text between `start` and `end`.
#[track_caller]
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).expect(start).1;
    rest.split_once(end).expect(end).0
}

const FULL: &str = "full handshakes, 1.3, rsa, server";
const RESUMED: &str = "resumed handshakes, 1.3, ticket, server";
const HYBRID: &str = "key exchange x25519mlkem768";
const PLAIN: &str = "key exchange x25519";
const HOSTILE: &str = "<b>{{ x() }}</b> [a](b) | \"c\"";

#[test]
fn each_machine_has_a_column_of_ratios() {
    let site = Folder::site();
    let full = |rustls, openssl, caveats| table(FULL, rustls, openssl, caveats);
    let resumed = table(RESUMED, 80.0, 100.0, [PLAIN, PLAIN]);
    let alone = |name: &str| table(name, 1.0, 1.0, ["", ""]);
    report(
        &site,
        "2026-05-03-a",
        HOSTILE,
        &[full(100.0, 50.0, [HYBRID, PLAIN]), resumed.clone()],
    );
    report(
        &site,
        "2026-05-02-b",
        "Second",
        &[full(900.0, 1800.0, [PLAIN, PLAIN]), resumed],
    );
    report(
        &site,
        "2026-05-01-c",
        "Third",
        &[full(10.0, 10.0, ["", ""]), alone("full handshakes, 1.2")],
    );
    let page = ingested(&site);
    assert_eq!(
        page.matches("as a ratio of rustls 1.0 <a").count(),
        1,
        "{page}"
    );
    let ratios = between(&page, "OpenSSL 3.0 as a ratio of rustls 1.0 <a", "</tbody>");
    let heads = between(ratios, "<thead>", "</thead>");
    assert_eq!(heads.matches("<th ").count(), 4, "{heads}");
    let [a, b, c] = ["a", "b", "c"].map(|x| heads.find(&format!("-{x}/\">")).expect(x));
    assert!(a < b && b < c, "{heads}");
    // A caveat of one side only names that side.
    let cells = |label: &str| {
        let row = between(ratios, &format!("<th scope=\"row\">{label}</th>"), "</tr>");
        let cells = row.split("</td>").filter(|cell| !cell.is_empty());
        let shown = |cell: &str| {
            let text = cell.split_once('>').expect("a cell").1;
            text.split(" <i>")
                .next()
                .map(str::to_owned)
                .expect("a text")
        };
        cells.map(shown).collect::<Vec<_>>()
    };
    let none = "<span role=\"img\" aria-label=\"no difference shown\">~</span>";
    let expected = ["0.50x<sup>1, 2</sup>", "2.00x<sup>3</sup>", none];
    assert_eq!(cells(FULL), expected);
    assert_eq!(
        cells(RESUMED),
        ["1.25x<sup>3</sup>", "1.25x<sup>3</sup>", "–"]
    );
    for (number, text) in [
        (1, &*format!("rustls 1.0: {HYBRID}")),
        (2, &*format!("OpenSSL 3.0: {PLAIN}")),
        (3, PLAIN),
    ] {
        let note = format!("<p class=\"note\"><sup>{number}</sup> {text}</p>");
        assert!(page.contains(&note), "{note}: {page}");
    }
    assert!(!ratios.contains("full handshakes, 1.2"), "{ratios}");
    let list = between(&page, ">All machines<", "</tbody>");
    assert_eq!(list.matches("<th scope=\"row\">").count(), 3);
    for found in ["<b>", "{{ x"] {
        assert!(!page.contains(found), "{found}: {page}");
    }
}

/// A page has at most 100 kB, of which Zola's templates take about 3. With few rows in a table, the
/// headings take most of it, otherwise the ratios.
#[test]
fn forty_machines_fit_on_the_page() {
    for scenarios in [1, 12] {
        let site = Folder::site();
        for machine in 0..40 {
            let release = |release: u32| {
                let of = |threads| {
                    let label = format!("{FULL}, {threads} threads");
                    table(&label, 123.0, f64::from(77 + machine), [HYBRID, PLAIN])
                        .replace("OpenSSL,3.0", &format!("OpenSSL,3.{release}"))
                };
                (2..scenarios + 2).map(of).collect::<String>()
            };
            let tables: Vec<String> = (0..6).map(release).collect();
            let name = format!("AMD EPYC 7763 64-Core Processor, {machine} of 128 processors");
            report(
                &site,
                &format!("2026-05-01-x86_64-{machine}"),
                &name,
                &tables,
            );
        }
        let page = ingested(&site);
        assert!(page.len() < 97_000, "{scenarios}: {}", page.len());
        println!("{scenarios} scenarios: {} bytes", page.len());
        let left_out = page.contains("more pairs of releases are left out");
        assert!(left_out, "{page}");
        assert_eq!(page.contains("more scenarios left out"), scenarios == 12);
    }
}

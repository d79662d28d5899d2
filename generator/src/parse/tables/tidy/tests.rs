use super::*;
use crate::fuzz::choose_label;
use crate::model::scenario::Scenario;
use crate::parse::parse as parse_file;
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn writing_reproduces_the_file() {
    let text = include_str!("../../../../tests/fixtures/formats/tidy/figures.csv");
    let parsed = parse_file("a.csv", text.as_bytes()).expect("a good file");
    assert_eq!(write(&parsed.observations), text);
}

/// A report of a million rows has to fit into memory.
#[test]
fn rows_share_names() {
    let rows = "encode,rustls,1,ns,5\n".repeat(2);
    let text = format!("scenario,implementation,version,unit,value\n{rows}");
    let parsed = parse_file("a.csv", text.as_bytes()).expect("a good file");
    let [one, other] = parsed.observations.as_slice() else {
        panic!("not two rows");
    };
    assert!(Arc::ptr_eq(&one.scenario, &other.scenario));
    let [one, other] = [one, other].map(|row| row.implementation.as_ref().expect("named"));
    assert!(Arc::ptr_eq(one, other));
    assert!(size_of::<Observation>() <= 112);
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let known = any::<[u8; 14]>().prop_map(|choices| choose_label(&choices));
    let free = "[=+@'-]{0,2}[a-zA-Z\u{e9}\u{4e16}][ -~]{0,40}[a-z)\"']";
    let label = prop_oneof![4 => known, 1 => free];
    let label = label.prop_filter("a label", |label| Scenario::from_label(label).is_ok());
    label.prop_map(|label| Scenario::from_label(&label).expect("a label"))
}

fn unit() -> impl Strategy<Value = Unit> {
    use Unit::{HandshakeRate, Memory, Rate, Throughput, Time};
    prop::sample::select(vec![
        Throughput,
        HandshakeRate,
        Rate,
        Time,
        Memory,
        Unit::TRAFFIC,
        Unit::INSTRUCTIONS,
        Unit::custom("spins/op", Better::Unknown),
        Unit::custom("-p50,\"x\"", Better::Unknown),
    ])
}

/// A figure as tools print them: up to 13 significant digits.
fn printed() -> impl Strategy<Value = f64> {
    (1u64..10_000_000_000_000, 0i32..9)
        .prop_map(|(digits, decimals)| digits as f64 / 10f64.powi(decimals))
}

prop_compose! {
    fn observation()(
        implementation in prop::option::of(("[a-z][A-Za-z0-9 ]{0,8}x", "[0-9.]{0,5}", prop::collection::vec("[a-z-]{1,6}[a-z]", 0..3))),
        run in 0u32..5000,
        scenario in scenario(),
        unit in unit(),
        value in prop::option::of(printed()),
        words in prop::collection::vec("[=+@'-]{0,2}[a-z][ -~]{0,30}", 0..3),
    ) -> Observation {
        let factor = unit.symbol_factor();
        let mut caveats = words;
        let value = match value {
            Some(printed) => Value::Number(printed * factor),
            None if caveats.is_empty() => Value::Unsupported(UNSUPPORTED.to_owned().into()),
            None => Value::Unsupported(caveats.remove(0).into()),
        };
        let implementation = implementation.map(|(name, version, variant)| {
            let variant: Vec<&str> = variant.iter().map(String::as_str).collect();
            Arc::new(Implementation::new(&name, &version, &variant))
        });
        let scenario = Arc::new(scenario);
        Observation { implementation, run, scenario, unit, value, line: 0, caveats: caveats.into() }
    }
}

proptest! {
    #[test]
    fn round_trip(rows in prop::collection::vec(observation(), 1..20)) {
        let text = write(&rows);
        let parsed = parse_file("a.csv", text.as_bytes());
        let mut read = parsed.map_err(|p| TestCaseError::fail(format!("{p:?}\n{text}")))?.observations;
        read.iter_mut().for_each(|row| row.line = 0);
        prop_assert_eq!(&read, &rows);
        prop_assert_eq!(write(&read), text);
    }

    #[test]
    fn printed_figures_are_stable_after_one_round_trip(value in 1e-12f64..1e15, unit in unit()) {
        let text = unit.printed(value).to_string();
        let read = number(&text).map_err(TestCaseError::fail)? * unit.symbol_factor();
        prop_assert!((read / value - 1.0).abs() < 1e-13);
        prop_assert_eq!(unit.printed(read).to_string(), text);
    }
}

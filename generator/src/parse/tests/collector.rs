use super::*;
use crate::model::scenario::Workload;

#[test]
fn figures_out_of_range_are_problems() {
    let problems = |base: f64| {
        let mut collector = Collector::default();
        let scenario = Scenario::new(Workload::Transfer);
        collector.push(scenario, Unit::Throughput, Value::Number(base));
        collector.problems
    };
    assert_eq!(problems(1e30), []);
    for base in [1e31, 1e-31, f64::INFINITY, f64::NAN, 0.0, -1.0] {
        let problems = problems(base);
        assert!(problems[0].to_string().contains("out of range"), "{base}");
    }
}

use super::*;

#[test]
fn a_heading_is_read_up_to_the_limit_of_a_line() {
    for line in ["a", "€"] {
        let cells = first_record(&("scenario".to_owned() + &line.repeat(LINE)));
        assert!(matches!(cells.as_slice(), [one] if (LINE - 2..=LINE).contains(&one.len())));
    }
    assert_eq!(first_record("\nScenario,€\nc"), ["Scenario", "€"]);
    assert_eq!(first_record("€,b\nscenario"), Vec::<String>::new());
}

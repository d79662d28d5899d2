use super::*;

#[test]
fn a_heading_is_read_up_to_the_limit_of_a_line() {
    for line in ["a".repeat(LINE + 1), "€".repeat(LINE)] {
        let cells = first_record(&line);
        assert!(matches!(cells.as_slice(), [one] if (LINE - 2..=LINE).contains(&one.len())));
    }
    assert_eq!(first_record("\n€,b\nc"), ["€", "b"]);
}

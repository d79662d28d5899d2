//! Random and damaged lines: how many bytes are read at once makes no difference.

use super::*;
use proptest::prelude::*;
use std::fmt::Write;

/// A line in the usual format, or nearly: with different numbers of digits, or with an error.
fn any_line() -> impl Strategy<Value = String> {
    let usual = (
        1_000_000_000_u64..9_999_999_999,
        0..99_999_999_u64,
        0..20_000_000_u64,
        0..99_999_999_u64,
    )
        .prop_map(|(s, f, us, g)| format!("{s}.{f:08}\t{us}.{g:08}"));
    let other = (any::<u32>(), 0..99_999_u64, 1..12_usize)
        .prop_map(|(s, us, w)| format!("{s}.5\t{us}.{:0w$}", us % 7));
    prop_oneof![
        8 => usual.clone(),
        2 => other,
        1 => usual.clone().prop_map(|line| line + "\r"),
        1 => Just("1.5\t-0.00000000".to_owned()),
        1 => (usual, 0..30_usize, any::<u8>()).prop_map(|(line, at, byte)| {
            let mut bytes = line.into_bytes();
            let at = at % bytes.len();
            bytes[at] = byte;
            String::from_utf8_lossy(&bytes).into_owned()
        }),
    ]
}

proptest! {
    #[test]
    fn usual_lines_are_like_others(line in any_line()) {
        let lines = line.clone() + "\n1.5\t2.5\n";
        if let Some((found, below)) = usual(lines.as_bytes()) {
            let any = nanos(line.as_bytes()).expect("a latency");
            prop_assert!(any > 0 && found.abs_diff(any) <= 1, "{line}: {found} and {any}");
            prop_assert_eq!(below, b"1.5\t2.5\n");
        }
    }

    #[test]
    fn chunks_make_no_difference(
        lines in prop::collection::vec(any_line(), 0..60),
        chunk in prop_oneof![1..80_usize, 80..4000_usize],
        cut in 0..3_usize,
    ) {
        let mut text = String::new();
        for line in &lines {
            writeln!(text, "{line}").expect("a string takes everything");
        }
        let text = &text.as_bytes()[..text.len().saturating_sub(cut)];
        prop_assert_eq!(in_chunks(text, chunk), in_chunks(text, 1 << 20));
    }
}

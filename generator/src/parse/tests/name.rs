use super::*;

#[test]
fn names() {
    assert_eq!(
        *scenario("encode/1024").expect("a name"),
        Scenario::other("encode/1024")
    );
    assert!(scenario("full handshakes, 1.3, rsa, client").is_ok_and(|s| s.version.is_some()));
    let (long, many) = ("x".repeat(257), "writes, [1, 2] * 1000");
    for bad in ["", " ", "a\nb", "a\u{9b}b", "a\u{202e}b", &long, many] {
        assert!(scenario(bad).is_err(), "{bad:?}");
    }
}

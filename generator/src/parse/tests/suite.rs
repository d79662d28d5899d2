use super::*;

#[test]
fn iana_names() {
    for name in [
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        "TLS_CHACHA20_POLY1305_SHA256",
    ] {
        let suite = CipherSuite::parse(name).expect(name);
        assert_eq!(suite.iana_name(), name);
    }
}

//! s2n-tls has no settings for suites and groups, only for security policies, which are lists of
//! these. None of its policies offers just one suite and one group as the other libraries do, so
//! this replaces the policy `default` in its table by one that does.
#![allow(unsafe_code, non_upper_case_globals)]

use harness::{Cipher, Group, KeyType, MeasureError, Scenario, TlsVersion};
use s2n_tls::security::{DEFAULT, Policy};
use std::ffi::{c_char, c_void};
use std::ptr;

/// The table of policies. The first is `default`.
#[repr(C)]
struct Entry {
    name: *const c_char,
    policy: *const SecurityPolicy,
    flags: u32,
}

/// `struct s2n_security_policy`. What follows these fields is optional, and absent if zero.
#[repr(C)]
struct SecurityPolicy {
    minimum_version: u8,
    suites: *const Suites,
    hybrids: *const Hybrids,
    signatures: *const c_void,
    certificate_signatures: *const c_void,
    curves: *const Curves,
    others: [usize; 8],
}

/// `struct s2n_cipher_preferences`
#[repr(C)]
struct Suites {
    count: u16,
    suites: *const *const c_void,
    boosts_chacha20: bool,
}

/// `struct s2n_kem_preferences`
#[repr(C)]
struct Hybrids {
    count_1_2: u8,
    kems_1_2: *const c_void,
    count: u8,
    groups: *const *const c_void,
}

/// `struct s2n_ecc_preferences`
#[repr(C)]
struct Curves {
    count: u8,
    curves: *const *const c_void,
}

macro_rules! symbols {
    ($($name:ident)*) => {
        unsafe extern "C" { $(static $name: c_void;)* }
    };
}

symbols! {
    s2n_ecdhe_rsa_with_aes_128_gcm_sha256 s2n_ecdhe_ecdsa_with_aes_128_gcm_sha256
    s2n_ecdhe_rsa_with_aes_256_gcm_sha384 s2n_ecdhe_ecdsa_with_aes_256_gcm_sha384
    s2n_ecdhe_rsa_with_chacha20_poly1305_sha256 s2n_ecdhe_ecdsa_with_chacha20_poly1305_sha256
    s2n_tls13_aes_128_gcm_sha256 s2n_tls13_aes_256_gcm_sha384
    s2n_tls13_chacha20_poly1305_sha256
    s2n_ecc_curve_x25519 s2n_ecc_curve_secp256r1 s2n_ecc_curve_secp384r1
    s2n_x25519_mlkem_768 s2n_secp256r1_mlkem_768
    s2n_signature_preferences_20250512
}

unsafe extern "C" {
    static mut security_policy_selection: [Entry; 1];
}

/// Sets and returns the policy of a scenario. It must be the first call of s2n-tls, which checks
/// the table and fills in its flags when it starts.
pub(crate) fn of(scenario: &Scenario) -> Result<Policy, MeasureError> {
    let (minimum_version, suite) = suite(scenario)?;
    let suites = leak(Suites {
        count: 1,
        suites: leak(suite),
        boosts_chacha20: false,
    });
    // SAFETY: the layout is that of the release's headers, nothing else runs yet, and the new
    // policy is never freed.
    unsafe {
        let entry = &raw mut security_policy_selection[0];
        let default = (*entry).policy;
        let (hybrids, curves) = match scenario.groups_and_curve() {
            Some(groups) => lists(&groups),
            // As the library comes.
            None => ((*default).hybrids, (*default).curves),
        };
        (*entry).policy = leak(SecurityPolicy {
            minimum_version,
            suites,
            hybrids,
            signatures: &raw const s2n_signature_preferences_20250512,
            certificate_signatures: ptr::null(),
            curves,
            others: [0; 8],
        });
    }
    Ok(DEFAULT)
}

fn leak<T>(value: T) -> *const T {
    Box::leak(Box::new(value))
}

/// Returns the version of the scenario, in the numbers of s2n-tls, and its suite.
fn suite(scenario: &Scenario) -> Result<(u8, *const c_void), MeasureError> {
    use Cipher::{Aes128Gcm, Aes256Gcm, ChaCha20Poly1305};
    let suite = scenario.suite_or_default();
    let is_rsa = matches!(
        scenario.key_or_default(),
        KeyType::Rsa2048 | KeyType::Rsa3072 | KeyType::Rsa4096
    );
    let is_1_2 = suite.version == TlsVersion::V1_2;
    let symbol = match (suite.cipher, is_1_2, is_rsa) {
        (Aes128Gcm, true, true) => &raw const s2n_ecdhe_rsa_with_aes_128_gcm_sha256,
        (Aes128Gcm, true, false) => &raw const s2n_ecdhe_ecdsa_with_aes_128_gcm_sha256,
        (Aes128Gcm, false, _) => &raw const s2n_tls13_aes_128_gcm_sha256,
        (Aes256Gcm, true, true) => &raw const s2n_ecdhe_rsa_with_aes_256_gcm_sha384,
        (Aes256Gcm, true, false) => &raw const s2n_ecdhe_ecdsa_with_aes_256_gcm_sha384,
        (Aes256Gcm, false, _) => &raw const s2n_tls13_aes_256_gcm_sha384,
        (ChaCha20Poly1305, true, true) => &raw const s2n_ecdhe_rsa_with_chacha20_poly1305_sha256,
        (ChaCha20Poly1305, true, false) => &raw const s2n_ecdhe_ecdsa_with_chacha20_poly1305_sha256,
        (ChaCha20Poly1305, false, _) => &raw const s2n_tls13_chacha20_poly1305_sha256,
        (Cipher::Other(name), ..) => return Err(MeasureError::unsupported(format!("no {name}"))),
    };
    Ok((if is_1_2 { 33 } else { 34 }, symbol))
}

/// Returns groups as lists of hybrids and of curves.
fn lists(groups: &[Group]) -> (*const Hybrids, *const Curves) {
    let hybrid = |group: &Group| match group {
        Group::X25519MlKem768 => Some(&raw const s2n_x25519_mlkem_768),
        Group::Secp256r1MlKem768 => Some(&raw const s2n_secp256r1_mlkem_768),
        _ => None,
    };
    let curve = |group: &Group| match group {
        Group::X25519 => Some(&raw const s2n_ecc_curve_x25519),
        Group::Secp256r1 => Some(&raw const s2n_ecc_curve_secp256r1),
        Group::Secp384r1 => Some(&raw const s2n_ecc_curve_secp384r1),
        _ => None,
    };
    let (hybrid_count, hybrids) = list(groups.iter().filter_map(hybrid).collect());
    let (curve_count, curves) = list(groups.iter().filter_map(curve).collect());
    let hybrids = leak(Hybrids {
        count_1_2: 0,
        kems_1_2: ptr::null(),
        count: hybrid_count,
        groups: hybrids,
    });
    let curves = leak(Curves {
        count: curve_count,
        curves,
    });
    (hybrids, curves)
}

/// Returns a list as C has it: null if it is empty.
fn list(of: Vec<*const c_void>) -> (u8, *const *const c_void) {
    match of.leak() {
        [] => (0, ptr::null()),
        of => (of.len() as u8, of.as_ptr()),
    }
}

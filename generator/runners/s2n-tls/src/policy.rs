//! s2n-tls has no settings for suites and groups, only for security policies, which are lists of
//! these. None of its policies offers just one suite and one group as the other libraries do, so
//! this replaces the policy `default` in its table by one that does.
#![allow(unsafe_code, non_upper_case_globals)]

use harness::{Group, MeasureError, Scenario, TlsVersion};
use s2n_tls::security::{DEFAULT, Policy};
use std::ffi::{c_char, c_void};
use std::ptr;

// The layouts below are those of the headers of this release, and of no other.
const _: () = assert!(matches!(env!("LIBRARY_VERSION").as_bytes(), b"0.3.47"));

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

        /// Returns the object with this name in the library.
        fn symbol(name: &str) -> Option<*const c_void> {
            match name {
                $(stringify!($name) => Some(&raw const $name),)*
                _ => None,
            }
        }
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
    let suite = scenario.suite_or_default();
    let (version, prefix) = match suite.version {
        TlsVersion::V1_2 => (33, "s2n_"),
        TlsVersion::V1_3 => (34, "s2n_tls13_"),
    };
    let name = suite.iana_name();
    let found = symbol(&name.to_lowercase().replacen("tls_", prefix, 1));
    let suite = found.ok_or_else(|| MeasureError::unsupported(format!("no {name}")))?;
    Ok((version, suite))
}

/// Returns groups as lists of hybrids and of curves.
fn lists(groups: &[Group]) -> (*const Hybrids, *const Curves) {
    let (hybrids, curves): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(|g| g.is_hybrid());
    let (count, groups) = list(&hybrids, |word| {
        format!("s2n_{}", word.replace("mlkem", "_mlkem_"))
    });
    let hybrids = leak(Hybrids {
        count_1_2: 0,
        kems_1_2: ptr::null(),
        count,
        groups,
    });
    let (count, curves) = list(&curves, |word| format!("s2n_ecc_curve_{word}"));
    (hybrids, leak(Curves { count, curves }))
}

/// Returns a list as C has it: null if it is empty.
fn list(groups: &[&Group], name: impl Fn(&str) -> String) -> (u8, *const *const c_void) {
    let found = groups.iter().map(|group| symbol(&name(group.word())));
    let found = found.collect::<Option<Vec<_>>>();
    match found.expect("s2n-tls has all groups").leak() {
        [] => (0, ptr::null()),
        of => (of.len() as u8, of.as_ptr()),
    }
}

//! The part of OpenSSL's C API in use, which is the same in 1.1.1 to 4.0. Macros of its headers
//! are functions here, as they are in BoringSSL and AWS-LC.
#![allow(
    non_camel_case_types,
    non_snake_case,
    unsafe_code,
    unreachable_pub,
    missing_docs,
    clippy::upper_case_acronyms,
    clippy::undocumented_unsafe_blocks
)]

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr;

macro_rules! opaque {
    ($($name:ident)*) => {
        $(#[repr(C)]
        pub struct $name([u8; 0]);)*
    };
}

opaque! {
    BIO BIO_METHOD SSL SSL_CIPHER SSL_CTX SSL_METHOD SSL_SESSION X509 X509_STORE X509_VERIFY_PARAM
}

type NewSession = unsafe extern "C" fn(*mut SSL, *mut SSL_SESSION) -> c_int;
type Write = unsafe extern "C" fn(*mut BIO, *const c_char, c_int) -> c_int;
type Read = unsafe extern "C" fn(*mut BIO, *mut c_char, c_int) -> c_int;
type Control = unsafe extern "C" fn(*mut BIO, c_int, c_long, *mut c_void) -> c_long;
/// Callbacks that are always null here.
type Unset = Option<unsafe extern "C" fn()>;

macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident($($type:ty),*) $(-> $out:ty)?;)*) => {
        unsafe extern "C" {
            $($(#[$meta])* pub fn $name($(_: $type),*) $(-> $out)?;)*
        }
    };
}

functions! {
    BIO_clear_flags(*mut BIO, c_int);
    BIO_get_data(*mut BIO) -> *mut c_void;
    BIO_meth_new(c_int, *const c_char) -> *mut BIO_METHOD;
    BIO_meth_set_ctrl(*mut BIO_METHOD, Option<Control>) -> c_int;
    BIO_meth_set_read(*mut BIO_METHOD, Option<Read>) -> c_int;
    BIO_meth_set_write(*mut BIO_METHOD, Option<Write>) -> c_int;
    BIO_new(*const BIO_METHOD) -> *mut BIO;
    BIO_new_file(*const c_char, *const c_char) -> *mut BIO;
    BIO_set_data(*mut BIO, *mut c_void);
    BIO_set_flags(*mut BIO, c_int);
    BIO_set_init(*mut BIO, c_int);
    BIO_vfree(*mut BIO);
    ERR_error_string_n(c_ulong, *mut c_char, usize);
    ERR_get_error() -> c_ulong;
    OBJ_nid2sn(c_int) -> *const c_char;
    OPENSSL_cipher_name(*const c_char) -> *const c_char;
    OpenSSL_version(c_int) -> *const c_char;
    PEM_read_bio_X509(*mut BIO, *mut *mut X509, Unset, *mut c_void) -> *mut X509;
    SSL_CIPHER_standard_name(*const SSL_CIPHER) -> *const c_char;
    SSL_CTX_ctrl(*mut SSL_CTX, c_int, c_long, *mut c_void) -> c_long;
    SSL_CTX_free(*mut SSL_CTX);
    SSL_CTX_get_cert_store(*const SSL_CTX) -> *mut X509_STORE;
    SSL_CTX_new(*const SSL_METHOD) -> *mut SSL_CTX;
    SSL_CTX_sess_set_new_cb(*mut SSL_CTX, Option<NewSession>);
    SSL_CTX_set_cipher_list(*mut SSL_CTX, *const c_char) -> c_int;
    SSL_CTX_set_ciphersuites(*mut SSL_CTX, *const c_char) -> c_int;
    SSL_CTX_set_num_tickets(*mut SSL_CTX, usize) -> c_int;
    /// From 3.0 on options are `uint64_t`, which is the same on 64-bit targets.
    #[cfg(target_pointer_width = "64")]
    SSL_CTX_set_options(*mut SSL_CTX, c_ulong) -> c_ulong;
    SSL_CTX_set_session_id_context(*mut SSL_CTX, *const u8, c_uint) -> c_int;
    SSL_CTX_set_verify(*mut SSL_CTX, c_int, Unset);
    SSL_CTX_use_PrivateKey_file(*mut SSL_CTX, *const c_char, c_int) -> c_int;
    SSL_CTX_use_certificate_chain_file(*mut SSL_CTX, *const c_char) -> c_int;
    SSL_SESSION_free(*mut SSL_SESSION);
    SSL_ctrl(*mut SSL, c_int, c_long, *mut c_void) -> c_long;
    SSL_do_handshake(*mut SSL) -> c_int;
    SSL_free(*mut SSL);
    SSL_get0_param(*mut SSL) -> *mut X509_VERIFY_PARAM;
    SSL_get_SSL_CTX(*const SSL) -> *mut SSL_CTX;
    SSL_get_current_cipher(*const SSL) -> *const SSL_CIPHER;
    SSL_get_error(*const SSL, c_int) -> c_int;
    SSL_is_init_finished(*const SSL) -> c_int;
    SSL_new(*mut SSL_CTX) -> *mut SSL;
    SSL_peek(*mut SSL, *mut c_void, c_int) -> c_int;
    SSL_pending(*const SSL) -> c_int;
    SSL_read(*mut SSL, *mut c_void, c_int) -> c_int;
    SSL_session_reused(*const SSL) -> c_int;
    SSL_set_accept_state(*mut SSL);
    SSL_set_bio(*mut SSL, *mut BIO, *mut BIO);
    SSL_set_connect_state(*mut SSL);
    SSL_set_session(*mut SSL, *mut SSL_SESSION) -> c_int;
    SSL_set_shutdown(*mut SSL, c_int);
    SSL_version(*const SSL) -> c_int;
    SSL_write(*mut SSL, *const c_void, c_int) -> c_int;
    TLS_method() -> *const SSL_METHOD;
    X509_STORE_add_cert(*mut X509_STORE, *mut X509) -> c_int;
    X509_VERIFY_PARAM_set1_host(*mut X509_VERIFY_PARAM, *const c_char, usize) -> c_int;
    X509_free(*mut X509);
}

// Commands and flags are those of <openssl/bio.h> and <openssl/ssl.h>.

pub unsafe fn BIO_set_retry_read(bio: *mut BIO) {
    unsafe { BIO_set_flags(bio, 1 | 8) }
}

pub unsafe fn BIO_clear_retry_flags(bio: *mut BIO) {
    unsafe { BIO_clear_flags(bio, 7 | 8) }
}

/// Functions that are commands with a number.
macro_rules! commands {
    ($($name:ident($command:literal, $type:ty);)*) => {$(
        pub unsafe fn $name(context: *mut SSL_CTX, n: $type) -> c_int {
            unsafe { SSL_CTX_ctrl(context, $command, n as c_long, ptr::null_mut()) as c_int }
        }
    )*};
}

commands! {
    SSL_CTX_set_max_proto_version(124, u16);
    SSL_CTX_set_min_proto_version(123, u16);
    SSL_CTX_set_session_cache_mode(44, c_int);
}

pub unsafe fn SSL_CTX_set1_groups_list(context: *mut SSL_CTX, names: *const c_char) -> c_int {
    unsafe { SSL_CTX_ctrl(context, 92, 0, names.cast_mut().cast()) as c_int }
}

pub unsafe fn SSL_set_tlsext_host_name(ssl: *mut SSL, name: *const c_char) -> c_int {
    unsafe { SSL_ctrl(ssl, 55, 0, name.cast_mut().cast()) as c_int }
}

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
    BIO BIO_METHOD EVP_PKEY SSL SSL_CIPHER SSL_CTX SSL_METHOD SSL_SESSION X509 X509_STORE
    X509_VERIFY_PARAM
}

type NewSession = unsafe extern "C" fn(*mut SSL, *mut SSL_SESSION) -> c_int;
type Write = unsafe extern "C" fn(*mut BIO, *const c_char, c_int) -> c_int;
type Read = unsafe extern "C" fn(*mut BIO, *mut c_char, c_int) -> c_int;
type Control = unsafe extern "C" fn(*mut BIO, c_int, c_long, *mut c_void) -> c_long;
/// Callbacks that are always null here.
type Unset = Option<unsafe extern "C" fn()>;

unsafe extern "C" {
    pub fn BIO_clear_flags(bio: *mut BIO, flags: c_int);
    pub fn BIO_get_data(bio: *mut BIO) -> *mut c_void;
    pub fn BIO_meth_new(kind: c_int, name: *const c_char) -> *mut BIO_METHOD;
    pub fn BIO_meth_set_ctrl(method: *mut BIO_METHOD, ctrl: Option<Control>) -> c_int;
    pub fn BIO_meth_set_read(method: *mut BIO_METHOD, read: Option<Read>) -> c_int;
    pub fn BIO_meth_set_write(method: *mut BIO_METHOD, write: Option<Write>) -> c_int;
    pub fn BIO_new(method: *const BIO_METHOD) -> *mut BIO;
    pub fn BIO_new_mem_buf(bytes: *const c_void, count: c_int) -> *mut BIO;
    pub fn BIO_set_data(bio: *mut BIO, data: *mut c_void);
    pub fn BIO_set_flags(bio: *mut BIO, flags: c_int);
    pub fn BIO_set_init(bio: *mut BIO, init: c_int);
    pub fn BIO_vfree(bio: *mut BIO);
    pub fn ERR_error_string_n(code: c_ulong, into: *mut c_char, room: usize);
    pub fn ERR_get_error() -> c_ulong;
    pub fn EVP_PKEY_free(key: *mut EVP_PKEY);
    pub fn OBJ_nid2sn(nid: c_int) -> *const c_char;
    pub fn OPENSSL_cipher_name(standard: *const c_char) -> *const c_char;
    pub fn OpenSSL_version(what: c_int) -> *const c_char;
    pub fn PEM_read_bio_PrivateKey(
        bio: *mut BIO,
        into: *mut *mut EVP_PKEY,
        password: Unset,
        data: *mut c_void,
    ) -> *mut EVP_PKEY;
    pub fn PEM_read_bio_X509(
        bio: *mut BIO,
        into: *mut *mut X509,
        password: Unset,
        data: *mut c_void,
    ) -> *mut X509;
    pub fn SSL_CIPHER_standard_name(cipher: *const SSL_CIPHER) -> *const c_char;
    fn SSL_CTX_ctrl(context: *mut SSL_CTX, command: c_int, n: c_long, p: *mut c_void) -> c_long;
    pub fn SSL_CTX_free(context: *mut SSL_CTX);
    pub fn SSL_CTX_get_cert_store(context: *const SSL_CTX) -> *mut X509_STORE;
    pub fn SSL_CTX_new(method: *const SSL_METHOD) -> *mut SSL_CTX;
    pub fn SSL_CTX_sess_set_new_cb(context: *mut SSL_CTX, new: Option<NewSession>);
    pub fn SSL_CTX_set_cipher_list(context: *mut SSL_CTX, names: *const c_char) -> c_int;
    pub fn SSL_CTX_set_ciphersuites(context: *mut SSL_CTX, names: *const c_char) -> c_int;
    pub fn SSL_CTX_set_num_tickets(context: *mut SSL_CTX, count: usize) -> c_int;
    /// From 3.0 on options are `uint64_t`, which is the same on 64-bit targets.
    #[cfg(target_pointer_width = "64")]
    pub fn SSL_CTX_set_options(context: *mut SSL_CTX, options: c_ulong) -> c_ulong;
    pub fn SSL_CTX_set_session_id_context(
        context: *mut SSL_CTX,
        id: *const u8,
        count: c_uint,
    ) -> c_int;
    pub fn SSL_CTX_set_verify(context: *mut SSL_CTX, mode: c_int, callback: Unset);
    pub fn SSL_CTX_use_PrivateKey(context: *mut SSL_CTX, key: *mut EVP_PKEY) -> c_int;
    pub fn SSL_CTX_use_certificate(context: *mut SSL_CTX, leaf: *mut X509) -> c_int;
    pub fn SSL_SESSION_free(session: *mut SSL_SESSION);
    pub fn SSL_ctrl(ssl: *mut SSL, command: c_int, n: c_long, p: *mut c_void) -> c_long;
    pub fn SSL_do_handshake(ssl: *mut SSL) -> c_int;
    pub fn SSL_free(ssl: *mut SSL);
    pub fn SSL_get0_param(ssl: *mut SSL) -> *mut X509_VERIFY_PARAM;
    pub fn SSL_get_SSL_CTX(ssl: *const SSL) -> *mut SSL_CTX;
    pub fn SSL_get_current_cipher(ssl: *const SSL) -> *const SSL_CIPHER;
    pub fn SSL_get_error(ssl: *const SSL, result: c_int) -> c_int;
    pub fn SSL_is_init_finished(ssl: *const SSL) -> c_int;
    pub fn SSL_new(context: *mut SSL_CTX) -> *mut SSL;
    pub fn SSL_peek(ssl: *mut SSL, into: *mut c_void, room: c_int) -> c_int;
    pub fn SSL_pending(ssl: *const SSL) -> c_int;
    pub fn SSL_read(ssl: *mut SSL, into: *mut c_void, room: c_int) -> c_int;
    pub fn SSL_session_reused(ssl: *const SSL) -> c_int;
    pub fn SSL_set_accept_state(ssl: *mut SSL);
    pub fn SSL_set_bio(ssl: *mut SSL, read: *mut BIO, write: *mut BIO);
    pub fn SSL_set_connect_state(ssl: *mut SSL);
    pub fn SSL_set_session(ssl: *mut SSL, session: *mut SSL_SESSION) -> c_int;
    pub fn SSL_set_shutdown(ssl: *mut SSL, mode: c_int);
    pub fn SSL_version(ssl: *const SSL) -> c_int;
    pub fn SSL_write(ssl: *mut SSL, from: *const c_void, count: c_int) -> c_int;
    pub fn TLS_method() -> *const SSL_METHOD;
    pub fn X509_STORE_add_cert(store: *mut X509_STORE, root: *mut X509) -> c_int;
    pub fn X509_VERIFY_PARAM_set1_host(
        param: *mut X509_VERIFY_PARAM,
        name: *const c_char,
        count: usize,
    ) -> c_int;
    pub fn X509_free(certificate: *mut X509);
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
    SSL_CTX_set_max_send_fragment(52, usize);
    SSL_CTX_set_min_proto_version(123, u16);
    SSL_CTX_set_session_cache_mode(44, c_int);
}

pub unsafe fn SSL_CTX_add1_chain_cert(context: *mut SSL_CTX, link: *mut X509) -> c_int {
    unsafe { SSL_CTX_ctrl(context, 89, 1, link.cast()) as c_int }
}

pub unsafe fn SSL_CTX_set1_groups_list(context: *mut SSL_CTX, names: *const c_char) -> c_int {
    unsafe { SSL_CTX_ctrl(context, 92, 0, names.cast_mut().cast()) as c_int }
}

pub unsafe fn SSL_set_tlsext_host_name(ssl: *mut SSL, name: *const c_char) -> c_int {
    unsafe { SSL_ctrl(ssl, 55, 0, name.cast_mut().cast()) as c_int }
}

//! Configures the contexts of both sides as openssl-bench does.
#![allow(unsafe_code)]

use crate::connection::{self, End};
use crate::object::{Owned, succeeded};
use crate::{ffi, library};
use harness::{
    Credentials, Error, Group, Identity, MeasureError, Resumption, Scenario, Tls, TlsVersion,
};
use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

// These are the same in all libraries' <openssl/ssl.h>.
const NO_TICKET: u32 = 1 << 14;
const PEM: c_int = 1;
const VERIFY_PEER: c_int = 1;
const VERIFY_FAIL_IF_NO_PEER_CERT: c_int = 2;
const CACHE_OFF: c_int = 0;
const CACHE_BOTH: c_int = 3;
const CACHE_SERVER: c_int = 2;

pub(crate) const HOST: &CStr = c"localhost";

pub(crate) struct Library {
    client: Context,
    server: Context,
}

/// The configuration of one side's connections.
pub(crate) struct Context {
    context: Owned<ffi::SSL_CTX>,
    /// The type of its connections' BIOs, which is not modified, and never freed.
    pub(crate) method: NonNull<ffi::BIO_METHOD>,
    pub(crate) is_resuming: bool,
}

// SAFETY: the type of BIOs is not modified.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// The first session that a client receives, which later clients resume. The process has one scenario.
pub(crate) static RECEIVED: OnceLock<Owned<ffi::SSL_SESSION>> = OnceLock::new();

impl Tls for Library {
    type Endpoint = End;
    const NAME: &'static str = library::NAME;

    fn version() -> String {
        library::version()
    }

    fn released() -> Option<String> {
        library::released()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        library::check(scenario)?;
        let mut client = Context::new(scenario)?;
        let mut server = Context::new(scenario)?;
        server.identify(&credentials.server)?;
        client.verify(&credentials.root)?;
        if scenario.mutual {
            client.identify(&credentials.client)?;
            server.verify(&credentials.root)?;
        }
        if client.is_resuming {
            // SAFETY: the context outlives the call, and the callback has the type that it expects.
            unsafe { ffi::SSL_CTX_sess_set_new_cb(client.as_ptr(), Some(keep_session)) };
        }
        Ok(Self { client, server })
    }

    fn client(&self) -> Result<End, Error> {
        End::client(&self.client)
    }

    fn server(&self) -> Result<End, Error> {
        End::server(&self.server)
    }
}

impl Context {
    /// Creates a context with one version, one suite, and one group if the scenario names it.
    fn new(scenario: &Scenario) -> Result<Self, MeasureError> {
        let version = match scenario.version_or_default() {
            TlsVersion::V1_2 => 0x303,
            TlsVersion::V1_3 => 0x304,
        };
        // SAFETY: the functions copy what they are given.
        unsafe {
            let mut context = Self {
                context: Owned::new(ffi::SSL_CTX_new(ffi::TLS_method()), ffi::SSL_CTX_free)?,
                method: connection::method()?,
                is_resuming: scenario.resumption.is_some(),
            };
            let new = context.as_ptr();
            succeeded(ffi::SSL_CTX_set_min_proto_version(new, version))?;
            succeeded(ffi::SSL_CTX_set_max_proto_version(new, version))?;
            library::set_suite(&mut context, scenario)?;
            if let Some(group) = scenario.group {
                let names = CString::new(names(scenario))?;
                let refuse = |_| MeasureError::unsupported(format!("no key exchange {group}"));
                let set = ffi::SSL_CTX_set1_groups_list(new, names.as_ptr());
                succeeded(set).map_err(refuse)?;
            }
            context.set_resumption(scenario.resumption)?;
            Ok(context)
        }
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::SSL_CTX {
        self.context.as_ptr()
    }

    /// Sets the suites of TLS 1.2.
    pub(crate) fn set_cipher_list(&mut self, names: &CStr) -> Result<(), Error> {
        // SAFETY: the names are NUL-terminated, and copied.
        succeeded(unsafe { ffi::SSL_CTX_set_cipher_list(self.as_ptr(), names.as_ptr()) })
    }

    /// Sets the chain, leaf first, and the key of the leaf.
    fn identify(&mut self, identity: &Identity) -> Result<(), Error> {
        let [chain, key] = [path(&identity.chain)?, path(&identity.key)?];
        // SAFETY: the paths are NUL-terminated.
        unsafe {
            let set = ffi::SSL_CTX_use_certificate_chain_file(self.as_ptr(), chain.as_ptr());
            succeeded(set)?;
            let set = ffi::SSL_CTX_use_PrivateKey_file(self.as_ptr(), key.as_ptr(), PEM);
            succeeded(set)
        }
    }

    /// Requires the peer to have a chain to `root`. With `SSL_CTX_load_verify_locations`, each handshake
    /// would ask the file again, in 3,000 instructions of OpenSSL 3.0.
    fn verify(&mut self, root: &Path) -> Result<(), Error> {
        let (root, mode) = (path(root)?, VERIFY_PEER | VERIFY_FAIL_IF_NO_PEER_CERT);
        let (into, data) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the texts are NUL-terminated, and the store takes its own reference.
        unsafe {
            let file = ffi::BIO_new_file(root.as_ptr(), c"r".as_ptr());
            let file = Owned::new(file, ffi::BIO_vfree)?;
            let root = ffi::PEM_read_bio_X509(file.as_ptr(), into, None, data);
            let root = Owned::new(root, ffi::X509_free)?;
            ffi::SSL_CTX_set_verify(self.as_ptr(), mode, None);
            let store = ffi::SSL_CTX_get_cert_store(self.as_ptr());
            succeeded(ffi::X509_STORE_add_cert(store, root.as_ptr()))
        }
    }

    /// Sets how sessions are resumed, if at all. A server sends one ticket in a TLS 1.3 handshake
    /// then, and else none.
    fn set_resumption(&mut self, resumption: Option<Resumption>) -> Result<(), Error> {
        let (cache, tickets) = match resumption {
            Some(_) => (CACHE_BOTH, 1),
            None => (CACHE_OFF, 0),
        };
        let (id, context) = (HOST.to_bytes(), self.as_ptr());
        // SAFETY: the id is copied.
        unsafe {
            ffi::SSL_CTX_set_session_cache_mode(context, cache);
            if resumption != Some(Resumption::Ticket) {
                ffi::SSL_CTX_set_options(context, NO_TICKET.into());
            }
            succeeded(ffi::SSL_CTX_set_num_tickets(context, tickets))?;
            let count = id.len().try_into()?;
            let set = ffi::SSL_CTX_set_session_id_context(context, id.as_ptr(), count);
            succeeded(set)
        }
    }
}

fn path(path: &Path) -> Result<CString, Error> {
    Ok(CString::new(path.as_os_str().as_encoded_bytes())?)
}

/// Callback for new sessions. Returns 1 if it takes ownership of the session.
unsafe extern "C" fn keep_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    if RECEIVED.get().is_some() {
        return 0;
    }
    // SAFETY: the connection and its context live as long as the call, which owns the session.
    unsafe {
        // Turns off the client's cache: otherwise OpenSSL uses each TLS 1.3 ticket only once.
        ffi::SSL_CTX_set_session_cache_mode(ffi::SSL_get_SSL_CTX(ssl), CACHE_SERVER);
        RECEIVED.get_or_init(|| Owned::new(session, ffi::SSL_SESSION_free).expect("a session"));
    }
    1
}

/// Returns the scenario's groups in the syntax of the library.
fn names(scenario: &Scenario) -> String {
    let mark = match scenario.group {
        Some(Group::Both) => library::MARK_OF_SHARES,
        _ => "",
    };
    let name = |group: Group| match group {
        Group::X25519 => "X25519",
        Group::X25519MlKem768 => "X25519MLKEM768",
        Group::Secp256r1 => "P-256",
        other => other.word(),
    };
    let groups = scenario.groups_and_curve().into_iter().flatten();
    let names: Vec<String> = groups
        .map(|group| format!("{mark}{}", name(group)))
        .collect();
    names.join(":")
}

//! Functions shared by BoringSSL and AWS-LC.

use crate::ffi;
use crate::object::{Owned, text};
use harness::{MeasureError, Resumption, Scenario, TlsVersion};
use std::ffi::c_int;

/// None: these libraries send a share each for the first post-quantum and the first classical group.
pub(crate) const MARK_OF_SHARES: &str = "";

/// Fails if a scenario is unsupported by these libraries.
pub(crate) fn check(scenario: &Scenario) -> Result<(), MeasureError> {
    match (scenario.resumption, scenario.version_or_default()) {
        (Some(Resumption::SessionId), TlsVersion::V1_3) => Err(MeasureError::unsupported(
            "no stateful resumption in TLS 1.3",
        )),
        _ => Ok(()),
    }
}

/// Sends a server's tickets after the handshake. These libraries keep them until the first write,
/// which may be empty, and is then no record.
///
/// # Safety
/// `ssl` is a connection.
pub(crate) unsafe fn send_tickets(ssl: *mut ffi::SSL) -> c_int {
    // SAFETY: guaranteed by the caller; nothing is read.
    match unsafe { ffi::SSL_write(ssl, [].as_ptr(), 0) } {
        0 => 1,
        failed => failed,
    }
}

/// Returns IANA's name of the negotiated group.
pub(crate) fn group(ssl: &Owned<ffi::SSL>) -> Option<String> {
    // SAFETY: the connection lives as long as the calls, and names are never freed.
    let name = unsafe { text(ffi::SSL_get_group_name(ffi::SSL_get_group_id(ssl.as_ptr()))) };
    name.map(|name| match name {
        "P-256" => "secp256r1".to_owned(),
        "P-384" => "secp384r1".to_owned(),
        other => other.to_owned(),
    })
}

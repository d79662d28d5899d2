//! What differs between the libraries: the same functions, implemented for each.
#![allow(unsafe_code)]

#[cfg(feature = "boringssl")]
mod boringssl;
#[cfg(feature = "openssl")]
mod openssl;

#[cfg(feature = "boringssl")]
pub(crate) use self::boringssl::*;
#[cfg(feature = "openssl")]
pub(crate) use self::openssl::*;

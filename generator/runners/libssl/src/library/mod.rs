//! The differences between the libraries: the same functions, implemented for each.
#![allow(unsafe_code)]

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(any(feature = "aws-lc", feature = "boringssl"))]
mod boring;
#[cfg(feature = "boringssl")]
mod boringssl;
#[cfg(feature = "openssl")]
mod openssl;

#[cfg(feature = "aws-lc")]
pub(crate) use self::aws_lc::*;
#[cfg(any(feature = "aws-lc", feature = "boringssl"))]
pub(crate) use self::boring::*;
#[cfg(feature = "boringssl")]
pub(crate) use self::boringssl::*;
#[cfg(feature = "openssl")]
pub(crate) use self::openssl::*;

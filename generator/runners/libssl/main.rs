//! Measures the libraries with OpenSSL's C API: OpenSSL, BoringSSL and AWS-LC, one per feature.

#[cfg(feature = "aws-lc")]
use aws_lc_sys as _;
#[cfg(feature = "boringssl")]
use boring_sys as _;

fn main() -> std::process::ExitCode {
    harness::c::main()
}

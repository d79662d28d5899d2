//! Every fuzz target in one program, which the variable `TARGET` chooses from; `run` builds it.

#![no_main]

use generator::fuzz::{self, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET names a folder of corpus/");
    fuzz::target(&name).unwrap_or_else(|| panic!("there is no target {name}"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));

//! All fuzz targets in one program; the variable `TARGET` selects one. `run` builds it.

#![no_main]

use generator::fuzz::{self, Target};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SELECTED: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET is the name of a fuzz target");
    fuzz::target(&name).unwrap_or_else(|| panic!("unknown fuzz target {name}"))
});

fuzz_target!(|bytes: &[u8]| SELECTED(bytes));

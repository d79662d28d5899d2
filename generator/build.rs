//! Compiles anew when a file is added to `embedded/`, which `include_dir!` does not see.

fn main() {
    println!("cargo::rerun-if-changed=embedded");
}

//! The one place that touches files: reads inputs, writes the site.

mod input;
mod site;

pub(crate) use input::hex_digest;
pub use input::{
    Bytes, Stamp, digest, folders, read, read_optional, read_stdin, size, stamp, walk,
};
pub use site::{Plan, Site, create_in_new_folder};

//! The one place that touches files: reads inputs, writes the site.

mod input;
mod pictures;
mod site;

pub(crate) use input::hex_digest;
pub use input::{
    Bytes, Stamp, digest, folders, read, read_optional, read_stdin, size, stamp, walk,
};
pub use pictures::{Found, Pictures};
pub use site::{Plan, Site, create_in_new_folder};

//! The one place that touches files: reads inputs, writes the site.

mod input;
mod site;

pub use input::{Bytes, Stamp, folders, read, read_optional, read_stdin, stamp, walk};
pub(crate) use site::hex_digest;
pub use site::{Plan, Site, create_in_new_folder};

//! All file access: reads inputs and writes the site. Errors name the path.

pub(crate) mod embedded;
pub(crate) mod inputs;
mod digest;
mod folder;
mod gzip;
pub(crate) mod list;
mod place;
mod read;
mod site;
mod system;
mod walk;
mod write;

pub(crate) use digest::{Hashed, digest_of_file, hex_digest};
pub use digest::{Stamp, stamp};
pub(crate) use folder::{refuse_links, resolved};
pub(crate) use gzip::compressed;
pub(crate) use place::{cache_folder, own_crate, stays_below, with_slashes};
pub use read::{Bytes, is_file, read, read_optional, read_stdin, size};
pub(crate) use read::{
    cannot_read, exists, file_name, folder_name, follow_no_links_below, is_executable, is_folder,
    is_taken, modified, read_limited, read_whole,
};
pub use site::{Changes, MARK, Site};
pub(crate) use walk::{below, same_twice};
pub use walk::{folders, read_folder, walk};
pub(crate) use write::{Lock, create_private, is_locked, lock, rename, replace, rewrite, update};
pub use write::{create, create_folder, remove, write};

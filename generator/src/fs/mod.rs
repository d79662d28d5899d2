//! All file access: reads inputs and writes the site. Errors name the path.

mod digest;
pub(crate) mod list;
mod place;
mod read;
mod site;
mod walk;
mod write;

pub use digest::{Digests, stamp};
pub(crate) use digest::{digest_of_file, hex_digest};
pub(crate) use place::{cache_folder, own_crate, repository, stays_below};
pub use read::{Bytes, is_file, read, read_optional, read_stdin, size};
pub(crate) use read::{
    cannot_read, exists, file_name, folder_name, is_folder, read_limited, read_whole,
};
pub(crate) use site::is_marked;
pub use site::{Plan, Searched, Site};
pub(crate) use walk::same_twice;
pub use walk::{folders, read_folder, walk};
pub(crate) use write::{begin, cannot_write, finish, lock, rename};
pub use write::{create, create_folder, create_in_new_folder, remove, write, write_via};

//! What was measured where: the machine, `run.toml`, and the files of figures.

#[cfg(unix)]
pub(crate) mod machine;
pub(crate) mod record;
#[cfg(unix)]
pub(crate) mod results;

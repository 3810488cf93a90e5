//! Files of a film: written whole or not at all.

use crate::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use windlass_scene::save;

/// Whether a file has exactly this text.
pub(super) fn holds(path: &Path, text: &str) -> bool {
    let same_length = fs::metadata(path).is_ok_and(|about| about.len() == text.len() as u64);
    same_length && fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// Writes a file atomically.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let part = path.with_extension("part");
    fs::write(&part, text).map_err(Error::file("write", &part))?;
    fs::rename(&part, path).map_err(Error::file("write", path))
}

/// Removes a file that may be there.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::file("remove", path)(e)),
        _ => Ok(()),
    }
}

/// Moves a finished file to its destination, also across file systems.
pub(super) fn deliver(made: &Path, output: &Path) -> Result<(), Error> {
    if fs::rename(made, output).is_ok() {
        return Ok(());
    }
    save::copy(made, output).map_err(Error::file("write", output))?;
    remove(made)
}

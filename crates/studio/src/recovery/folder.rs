//! The folder of a session, with a lock that tells whether its studio still runs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A session that has ended; its folder is removed with its last draft.
pub struct Orphan {
    folder: PathBuf,
    /// Held as long as its drafts are offered.
    _lock: File,
}

impl Drop for Orphan {
    fn drop(&mut self) {
        clear(&self.folder);
    }
}

impl Orphan {
    /// Takes over a session, if its studio has ended.
    pub fn adopt(folder: &Path) -> Option<Orphan> {
        Some(Orphan { folder: folder.to_path_buf(), _lock: lock(folder, false)? })
    }
}

/// Makes a folder for a session, readable by its owner only, and locks it.
pub fn claim(root: &Path) -> io::Result<(PathBuf, File)> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(root)?;
    let folder = tempfile::Builder::new().prefix("session-").tempdir_in(root)?.keep();
    let lock = lock(&folder, true).ok_or_else(|| io::Error::other("the folder cannot be locked"))?;
    Ok((folder, lock))
}

/// The lock of a session; none if its studio runs.
fn lock(folder: &Path, new: bool) -> Option<File> {
    let file = File::options().read(true).write(true).create_new(new).open(folder.join("lock")).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes the folder of a session that has no drafts, with what an interrupted write has left.
pub fn clear(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names: Vec<OsString> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    let is_left = |name: &OsString| name == "lock" || name.to_string_lossy().starts_with(".windlass-");
    if names.iter().all(is_left) {
        names.iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
        let _ = fs::remove_dir(folder);
    }
}

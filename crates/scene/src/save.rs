//! Saves a file completely or not at all.
//!
//! The content is written to a temporary file in the same folder, synchronised to the disk, and renamed last. A full
//! disk, a limit of file sizes or a crash therefore leaves the older file unchanged, or none, and no other file. A link
//! is followed; targets that are not regular files, such as `/dev/stdout` or a pipe, are written directly.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The treatment of an older file of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Older {
    /// It is kept, and saving is an error of the kind `AlreadyExists`.
    Kept,
    /// It is replaced.
    Replaced,
}

/// Saves bytes.
pub fn save(path: &Path, bytes: &[u8], older: Older) -> io::Result<()> {
    save_by(path, older, |file| file.write_all(bytes))
}

/// Saves a copy of a file.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    save_by(to, Older::Replaced, |file| io::copy(&mut from, file).map(drop))
}

/// Saves the output of a function.
fn save_by(path: &Path, older: Older, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let there = fs::metadata(path);
    if older == Older::Kept && path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    if there.as_ref().is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return write(&mut OpenOptions::new().write(true).open(path)?);
    }
    let place = if there.is_ok() { path.canonicalize()? } else { path.to_path_buf() };
    let mut beside = beside(&place, there.ok().map(|about| about.permissions()))?;
    write(beside.as_file_mut())?;
    beside.as_file().sync_all()?;
    let named = match older {
        Older::Kept => beside.persist_noclobber(&place),
        Older::Replaced => beside.persist(&place),
    };
    named.map(drop).map_err(|e| e.error)
}

/// An empty file in the folder of another, with its permissions; it is removed unless it is renamed.
fn beside(place: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder =
        place.parent().filter(|p| !p.as_os_str().is_empty()).map_or(PathBuf::from("."), Path::to_path_buf);
    let mut builder = Builder::new();
    builder.prefix(".windlass-");
    // a temporary file is private to its owner; the saved one gets the permissions of the system's settings
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn a_write_that_fails_leaves_the_older_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old.toml"), folder.path().join("new.toml"));
        save(&old, b"old", Older::Kept).expect("it is new");
        let full = |file: &mut File| {
            file.write_all(b"half of it")?;
            Err(ErrorKind::StorageFull.into())
        };
        for path in [&old, &new] {
            let e = save_by(path, Older::Replaced, full).expect_err("the disk is full");
            assert_eq!(e.kind(), ErrorKind::StorageFull);
        }
        assert_eq!(fs::read(&old).expect("a file"), b"old");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn an_older_file_is_kept_or_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.toml");
        save(&path, b"first", Older::Kept).expect("it is new");
        let e = save(&path, b"second", Older::Kept).expect_err("it is there");
        assert_eq!(e.kind(), ErrorKind::AlreadyExists);
        save(&path, b"third", Older::Replaced).expect("it may be replaced");
        assert_eq!(fs::read(&path).expect("a file"), b"third");
        copy(&path, &folder.path().join("b.toml")).expect("a copy");
        assert_eq!(entries(folder.path()), 2);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_permissions_stay_and_devices_are_written() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let [real, link] = ["real.toml", "link.toml"].map(|name| folder.path().join(name));
        save(&real, b"first", Older::Kept).expect("it is new");
        fs::set_permissions(&real, Permissions::from_mode(0o640)).expect("it is ours");
        symlink(&real, &link).expect("a link");
        save(&link, b"second", Older::Replaced).expect("it may be replaced");
        assert_eq!(fs::read(&real).expect("a file"), b"second");
        assert!(link.symlink_metadata().expect("a link").is_symlink());
        assert_eq!(fs::metadata(&real).expect("a file").permissions().mode() & 0o777, 0o640);
        save(Path::new("/dev/null"), b"gone", Older::Replaced).expect("it takes all");
        if Path::new("/dev/full").exists() {
            assert!(save(Path::new("/dev/full"), b"gone", Older::Replaced).is_err());
        }
    }
}

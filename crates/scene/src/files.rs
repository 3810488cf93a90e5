//! Files named by a scene: reads the bytes of a path, never from outside the scene's folder.
//!
//! Scenes may come from untrusted sources. A path is relative to the scene's folder, with `/` between folders, and
//! cannot leave it by `..` or by a link. Pipes and devices are rejected. The caller limits the length of a file, which
//! is checked before it is read.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The source of the files of a scene.
pub trait Files: fmt::Debug + Send + Sync {
    /// The bytes of a file, at most `most` of them; `path` is relative to the scene's folder.
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError>;

    /// The canonical path of a file: two paths to one file give the same.
    fn known_as(&self, path: &str) -> String {
        path.to_string()
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// A path that is not valid within a folder.
    #[error("\"{path}\" is not a valid path within the scene's folder")]
    Path {
        /// The path.
        path: String,
    },
    /// A file outside the folder.
    #[error("\"{path}\" is outside the scene's folder")]
    Outside {
        /// The path.
        path: String,
    },
    /// A missing file.
    #[error("there is no file \"{path}\"")]
    Missing {
        /// The path.
        path: String,
    },
    /// A folder, a pipe, a device.
    #[error("\"{path}\" is not a file")]
    NotFile {
        /// The path.
        path: String,
    },
    /// Too long.
    #[error("\"{path}\" has {size} bytes, more than {most}")]
    Size {
        /// The path.
        path: String,
        /// Its length [bytes].
        size: u64,
        /// The maximum length [bytes].
        most: u64,
    },
    /// A scene without a folder.
    #[error("\"{path}\" cannot be read: this scene has no folder")]
    NoFolder {
        /// The path.
        path: String,
    },
    /// An error of the operating system.
    #[error("\"{path}\" cannot be read: {reason}")]
    Refused {
        /// The path.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
}

impl FileError {
    /// The remedy.
    pub fn help(&self) -> &'static str {
        match self {
            FileError::Path { .. } => "give a path relative to the scene, such as \"meshes/hook.stl\"",
            FileError::Outside { .. } => "put the file into the folder of the scene or below it",
            FileError::Missing { .. } => {
                "includes are relative to their file, meshes to the scene's folder: check the name"
            }
            FileError::NotFile { .. } => "give the path of a file",
            FileError::Size { .. } => "make the file smaller, or split it",
            FileError::NoFolder { .. } => "save the scene as a file and read it from there",
            FileError::Refused { .. } => "check your permission to read it",
        }
    }
}

/// The files of a folder and those below it.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The files of this folder.
    pub fn new(root: impl Into<PathBuf>) -> Folder {
        Folder { root: root.into() }
    }

    /// The files of the folder that contains a file.
    pub fn of(file: impl AsRef<Path>) -> Folder {
        match file.as_ref().parent() {
            Some(folder) if !folder.as_os_str().is_empty() => Folder::new(folder),
            _ => Folder::new("."),
        }
    }
}

impl Files for Folder {
    fn known_as(&self, path: &str) -> String {
        let root = self.root.canonicalize();
        let place = root.and_then(|root| Ok((root.join(path).canonicalize()?, root)));
        match place.as_ref().map(|(place, root)| place.strip_prefix(root)) {
            Ok(Ok(inside)) => {
                let parts = inside.components().map(|c| c.as_os_str().to_string_lossy());
                parts.collect::<Vec<_>>().join("/")
            }
            // reading it reports the reason
            _ => path.to_string(),
        }
    }

    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let path = beside("", path)?;
        let refused = |e: std::io::Error| match e.kind() {
            std::io::ErrorKind::NotFound => FileError::Missing { path: path.clone() },
            _ => FileError::Refused { path: path.clone(), reason: e.to_string() },
        };
        let root = self.root.canonicalize().map_err(refused)?;
        // links are resolved first and judged by their target
        let place = root.join(&path).canonicalize().map_err(refused)?;
        if !place.starts_with(&root) {
            return Err(FileError::Outside { path });
        }
        // checked before opening: opening a pipe would block
        let about = std::fs::metadata(&place).map_err(refused)?;
        if !about.is_file() {
            return Err(FileError::NotFile { path });
        }
        if about.len() > most {
            return Err(FileError::Size { path, size: about.len(), most });
        }
        let mut bytes = Vec::new();
        // a file may grow between the check and the reading
        File::open(&place).map_err(refused)?.take(most + 1).read_to_end(&mut bytes).map_err(refused)?;
        fits(path, bytes.len() as u64, most)?;
        Ok(bytes)
    }
}

/// No files: for a scene that is text only.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFolder;

impl Files for NoFolder {
    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, FileError> {
        Err(FileError::NoFolder { path: crate::suggestion::shortened(path) })
    }
}

/// Files in memory: for tests, for programs that generate scenes, and for recordings.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// The same with one more file.
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Memory {
        self.files.insert(path.to_string(), bytes.into());
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let path = beside("", path)?;
        let Some(bytes) = self.files.get(&path) else { return Err(FileError::Missing { path }) };
        fits(path, bytes.len() as u64, most)?;
        Ok(bytes.clone())
    }
}

/// Converts a path relative to a file of the scene to one relative to the scene's folder, without `.` and `..`.
/// An empty `file` is the scene itself.
pub fn beside(file: &str, path: &str) -> Result<String, FileError> {
    let wrong = || FileError::Path { path: crate::suggestion::shortened(path) };
    // a backslash, a drive or a leading slash would mean different paths on different systems
    let foreign = path.contains(['\\', ':', '\0']) || path.starts_with('/') || path.ends_with('/');
    if path.is_empty() || path.len() > LONGEST_PATH || foreign {
        return Err(wrong());
    }
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                folders.pop().ok_or_else(|| FileError::Outside { path: path.to_string() })?;
            }
            name => folders.push(name),
        }
    }
    if folders.is_empty() { Err(wrong()) } else { Ok(folders.join("/")) }
}

/// Maximum length of a path [bytes].
const LONGEST_PATH: usize = 1000;

fn fits(path: String, size: u64, most: u64) -> Result<(), FileError> {
    if size > most { Err(FileError::Size { path, size, most }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_within_the_folder() {
        assert_eq!(beside("", "a/./b//c.stl").as_deref(), Ok("a/b/c.stl"));
        assert_eq!(beside("parts/crane.toml", "../meshes/hook.stl").as_deref(), Ok("meshes/hook.stl"));
        assert_eq!(beside("parts/crane.toml", "hook.stl").as_deref(), Ok("parts/hook.stl"));
        assert!(matches!(beside("", "../x"), Err(FileError::Outside { .. })));
        assert!(matches!(beside("parts/crane.toml", "../../x"), Err(FileError::Outside { .. })));
        for wrong in ["", "/etc/passwd", "C:\\x", "c:/x", "a\\b", ".", "a/..", "a/", "a\0b"] {
            assert!(matches!(beside("", wrong), Err(FileError::Path { .. })), "{wrong}");
        }
    }

    #[test]
    fn a_folder_gives_files_and_nothing_else() {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(dir.path().join("scene")).expect("a folder");
        std::fs::write(dir.path().join("scene/a.txt"), "abc").expect("a file");
        std::fs::write(dir.path().join("secret"), "x").expect("a file");
        let files = Folder::of(dir.path().join("scene/scene.toml"));
        assert_eq!(files.read("a.txt", 3), Ok(b"abc".to_vec()));
        assert!(matches!(files.read("a.txt", 2), Err(FileError::Size { size: 3, most: 2, .. })));
        assert!(matches!(files.read("b.txt", 2), Err(FileError::Missing { .. })));
        assert!(matches!(files.read("../secret", 9), Err(FileError::Outside { .. })));
        std::fs::create_dir(dir.path().join("scene/sub")).expect("a folder");
        assert!(matches!(files.read("sub", 9), Err(FileError::NotFile { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(dir.path().join("scene")).expect("a folder");
        std::fs::write(dir.path().join("secret"), "x").expect("a file");
        std::os::unix::fs::symlink("../secret", dir.path().join("scene/link")).expect("a link");
        std::os::unix::fs::symlink("/dev/zero", dir.path().join("scene/zero")).expect("a link");
        let files = Folder::new(dir.path().join("scene"));
        assert!(matches!(files.read("link", 9), Err(FileError::Outside { .. })));
        assert!(matches!(files.read("zero", 9), Err(FileError::Outside { .. })));
    }

    #[test]
    fn memory_has_what_was_put_in() {
        let files = Memory::new().with("m/a", "abc");
        assert_eq!(files.read("./m/a", 3), Ok(b"abc".to_vec()));
        assert!(matches!(files.read("m/a", 2), Err(FileError::Size { .. })));
        assert!(matches!(files.read("m/b", 2), Err(FileError::Missing { .. })));
    }
}

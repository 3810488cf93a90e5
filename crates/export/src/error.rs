//! Errors of exports, with remedies.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reasons why a picture was not made.
#[derive(Debug, Error)]
pub enum Error {
    /// Something in the picture, the instants or the options is not drawable.
    #[error("{place}: {fault}")]
    Input {
        /// The part of the picture, as `bodies[2] (boom)`.
        place: String,
        /// The error and the remedy.
        fault: String,
    },
    /// The source of the instants failed.
    #[error("cannot read frame {frame}: {source}")]
    Source {
        /// The requested frame.
        frame: usize,
        /// The error of the source.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An external program is not installed.
    #[error("cannot find the program `{program}`: install it (Debian, Ubuntu: apt install {package})")]
    Missing {
        /// The program as it was called.
        program: String,
        /// The package that contains it.
        package: &'static str,
    },
    /// An external program failed.
    #[error("{program} {how} at {what}; its last output:\n{words}")]
    Failed {
        /// The program as it was called.
        program: String,
        /// How it ended.
        how: String,
        /// The file it was to make.
        what: String,
        /// The last lines it wrote.
        words: String,
    },
    /// No space is left where files are written.
    #[error("the disk of {} is full: free some space and start again; finished frames are kept", .0.display())]
    Full(PathBuf),
    /// Another film is being made in the same folder.
    #[error("{} is in use by another film: wait for it, or choose another folder", .0.display())]
    Busy(PathBuf),
    /// A file could not be read or written.
    #[error("cannot {verb} {}: {source}", .path.display())]
    File {
        /// The operation, such as `write`.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The caller stopped it.
    #[error("stopped; finished frames are kept, start again to resume")]
    Stopped,
}

impl Error {
    /// Something that cannot be drawn.
    pub(crate) fn input(place: impl Into<String>, fault: impl Into<String>) -> Error {
        Error::Input { place: place.into(), fault: fault.into() }
    }

    /// For `map_err` behind an access to `path`; a full disk has an error of its own.
    pub(crate) fn file(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full(path),
            _ => Error::File { verb, path, source },
        }
    }
}

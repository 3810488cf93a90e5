//! Why a file cannot be imported: position in the text, message and remedy.

use std::fmt;
use std::sync::Arc;

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

/// Why a file cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Name of the file.
    pub file: String,
    /// Line and column from 1; none if it concerns the whole file.
    pub place: Option<(u32, u32)>,
    /// The error, in one sentence.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl ImportError {
    /// At a position of a file.
    pub(crate) fn at(place: &Place, message: impl Into<String>, help: impl Into<String>) -> ImportError {
        ImportError {
            file: place.file.to_string(),
            place: Some((place.line, place.column)),
            message: message.into(),
            help: help.into(),
        }
    }

    /// For a whole file.
    pub(crate) fn of(file: &str, message: impl Into<String>, help: impl Into<String>) -> ImportError {
        ImportError { file: file.to_string(), place: None, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for ImportError {
    /// `file:line:column: message (help)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {} ({})", self.message, self.help)
    }
}

impl std::error::Error for ImportError {}

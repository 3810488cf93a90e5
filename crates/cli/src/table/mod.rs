//! Numbers → a table in a file, line by line; and back.
//!
//! The file extension selects the format: `.csv`, or `.parquet` in builds with that feature. A number
//! that does not exist is NaN here, an empty cell in CSV, a null in Parquet.

pub mod content;
mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
pub mod sweep;
#[cfg(feature = "parquet")]
mod typed;

pub use read::{Read, Trouble, read};

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A table that is being written.
pub trait Table {
    /// Begins it with the heads of its columns.
    fn head(&mut self, heads: &[String]) -> io::Result<()>;

    /// Appends a line.
    fn row(&mut self, numbers: &[f64]) -> io::Result<()>;

    /// Completes the file.
    fn finish(&mut self) -> io::Result<()>;
}

/// Formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// The format of a file extension; a name without one is CSV.
    pub fn of(path: &Path) -> Result<Format, String> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            None | Some("csv") => Ok(Format::Csv),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(Format::Parquet),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => Err("this windlass was built without Parquet: give a name ending in .csv, \
                                    or build it with `--features parquet`"
                .to_string()),
            Some(other) => Err(format!("no table format .{other}: give a name ending in .csv or .parquet")),
        }
    }
}

/// The file of a table.
#[derive(Clone, Debug)]
pub struct Destination {
    pub path: PathBuf,
    format: Format,
}

impl Destination {
    /// The destination of a name, with the format of its extension.
    pub fn parse(text: &str) -> Result<Destination, String> {
        let path = PathBuf::from(text);
        Ok(Destination { format: Format::of(&path)?, path })
    }

    /// Creates the file.
    pub fn create(&self) -> io::Result<Box<dyn Table>> {
        let file = File::create(&self.path)?;
        match self.format {
            Format::Csv => Ok(Box::new(csv::Csv::new(file))),
            #[cfg(feature = "parquet")]
            Format::Parquet => Ok(Box::new(parquet::Parquet::new(file))),
        }
    }
}

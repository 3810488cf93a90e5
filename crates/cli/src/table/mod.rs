//! Numbers → a table in a file, line by line; and back.
//!
//! The ending of the file's name says which format: `.csv`, or `.parquet` in builds that have it. A number
//! that is not there is NaN here, an empty cell in CSV, a null in Parquet.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod read;

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

    /// Makes it whole.
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
    /// By the ending of a name; a name without one is CSV.
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

/// A file to be written as a table.
#[derive(Clone, Debug)]
pub struct Destination {
    pub path: PathBuf,
    format: Format,
}

impl Destination {
    /// Of a name, whose ending is looked at.
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

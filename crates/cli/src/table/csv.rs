//! CSV as in RFC 4180, but with bare line feeds. Each line is written by one call, so that a file is
//! complete up to its last line however the run ends. Numbers have as many digits as needed to read back
//! the same bits.

use super::Table;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};

/// A CSV file.
#[derive(Debug)]
pub struct Csv {
    file: File,
    line: String,
    /// Bytes in complete lines.
    whole: u64,
}

impl Csv {
    /// A writer to an empty file.
    pub fn new(file: File) -> Csv {
        Csv { file, line: String::new(), whole: 0 }
    }

    fn write_line(&mut self) -> io::Result<()> {
        self.line.push('\n');
        let written = self.file.write_all(self.line.as_bytes());
        match &written {
            Ok(()) => self.whole += self.line.len() as u64,
            // a line that did not fit on the disk is removed; an output that cannot be truncated, such as a pipe, stays
            // as it is
            Err(_) => drop(self.file.set_len(self.whole)),
        }
        written
    }
}

impl Table for Csv {
    fn head(&mut self, heads: &[String]) -> io::Result<()> {
        let cells: Vec<_> = heads.iter().map(|head| quoted(head)).collect();
        self.line = cells.join(",");
        self.write_line()
    }

    fn row(&mut self, numbers: &[f64]) -> io::Result<()> {
        self.line.clear();
        for (i, x) in numbers.iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            if !x.is_nan() {
                // −0 is written as 0
                let _ = write!(self.line, "{:?}", x + 0.0);
            }
        }
        self.write_line()
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A cell, quoted if necessary.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}

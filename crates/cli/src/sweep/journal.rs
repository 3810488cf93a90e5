//! The file to which the rows of a sweep are appended, and from which an interrupted sweep is resumed.
//!
//! Each row is written by one call, so a killed process leaves complete lines and at most one that is cut, which is
//! removed when the sweep is resumed. Rows go to the CSV table itself; for a Parquet table they go to a file beside it,
//! `NAME.parquet.rows`, which becomes the table at the end.

use crate::outcome::Outcome;
use crate::show;
use crate::table::content::Content;
use crate::table::sweep;
use crate::table::{Destination, Trouble};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use windlass_sweep::table::{self, Header};

/// What to do with a table that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Present {
    Refused,
    Resumed,
    Replaced,
}

/// The file of rows.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    to: Destination,
    /// Bytes in complete lines.
    whole: u64,
    /// Rows that were there.
    pub resumed: u64,
}

/// A journal to be continued, or the table if it is complete.
pub enum Begun {
    Open(Journal),
    Complete(Content),
}

impl Journal {
    /// Opens the file for rows of these indices; errors are printed.
    pub fn open(
        to: &Destination,
        header: &Header,
        indices: &Range<u64>,
        present: Present,
    ) -> Result<Begun, Outcome> {
        let path = match sweep::appends(to) {
            true => to.path.clone(),
            false => {
                let mut name = to.path.clone().into_os_string();
                name.push(".rows");
                PathBuf::from(name)
            }
        };
        let there = path.exists() || to.path.exists();
        if there && present == Present::Refused {
            return Err(show::refuse(&format!(
                "{} already exists\n  help: complete it with --resume, overwrite it with --replace, or give another name",
                to.path.display()
            )));
        }
        if present == Present::Resumed && !path.exists() && to.path.exists() {
            return finished(to, header).map(Begun::Complete);
        }
        let failed = |e: io::Error| {
            show::tell(&format!("error: cannot write {}: {e}", path.display()));
            Outcome::File
        };
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => {
                let path = path.display();
                return Err(show::refuse(&format!(
                    "{path} is being written by another sweep\n  help: wait for its end, or give another name"
                )));
            }
            // file systems without locks
            Err(fs::TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut journal = Journal { file, path: path.clone(), to: to.clone(), whole: 0, resumed: 0 };
        if present == Present::Resumed {
            journal.continue_from(header, indices).map_err(|e| match e {
                Trouble::File(e) => {
                    show::tell(&format!("error: {e}"));
                    Outcome::File
                }
                Trouble::Input(e) => show::refuse(&format!("{}: {e}", path.display())),
            })?;
        }
        journal.start(header).map_err(failed)?;
        Ok(Begun::Open(journal))
    }

    /// Finds the rows that are complete.
    fn continue_from(&mut self, header: &Header, indices: &Range<u64>) -> Result<(), Trouble> {
        let mut bytes = Vec::new();
        let path = self.path.display();
        self.file.read_to_end(&mut bytes).map_err(|e| Trouble::File(format!("cannot read {path}: {e}")))?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let lines = header.lines();
        // killed while it wrote the header
        if lines.as_bytes().starts_with(&bytes[..]) {
            return Ok(());
        }
        let told =
            |e: windlass_sweep::SweepError| Trouble::Input(format!("{}\n  help: {}", e.message, e.help));
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| {
            Trouble::Input("the table is damaged: it is not text\n  help: give another name".into())
        })?;
        let (found, rows) = Header::read(text).map_err(told)?;
        compare(&found, header)?;
        let rows = table::rows(&found, rows).map_err(told)?;
        for (place, row) in rows.iter().enumerate() {
            let wanted = indices.start + place as u64;
            if row.index != wanted || wanted >= indices.end {
                let message = format!(
                    "row {} is where row {wanted} belongs\n  help: resume with the --shard of this table, or give another name",
                    row.index
                );
                return Err(Trouble::Input(message));
            }
        }
        self.resumed = rows.len() as u64;
        self.whole = end as u64;
        Ok(())
    }

    /// Removes what is not complete and writes the header if it is missing.
    fn start(&mut self, header: &Header) -> io::Result<()> {
        self.file.set_len(self.whole)?;
        self.file.seek(SeekFrom::Start(self.whole))?;
        if self.whole == 0 { self.append(&header.lines()) } else { Ok(()) }
    }

    /// Appends complete lines.
    pub fn append(&mut self, lines: &str) -> io::Result<()> {
        let written = self.file.write_all(lines.as_bytes());
        match &written {
            Ok(()) => self.whole += lines.len() as u64,
            // what did not fit on the disk is removed, so that the table stays complete up to its last line
            Err(_) => drop(self.file.set_len(self.whole)),
        }
        written
    }

    /// The rows so far.
    pub fn content(&mut self) -> io::Result<Content> {
        Content::of(&self.text()?).map_err(io::Error::other)
    }

    fn text(&mut self) -> io::Result<String> {
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Completes the table: a Parquet file is written from the rows.
    pub fn finish(mut self) -> io::Result<()> {
        if sweep::appends(&self.to) {
            return Ok(());
        }
        let text = self.text()?;
        sweep::write(&self.to, &text)?;
        match fs::remove_file(&self.path) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }
}

/// A complete Parquet table of the same sweep.
fn finished(to: &Destination, header: &Header) -> Result<Content, Outcome> {
    let path = to.path.display();
    let content = sweep::read(&to.path).map_err(|trouble| match trouble {
        Trouble::File(e) => {
            show::tell(&format!("error: {e}"));
            Outcome::File
        }
        Trouble::Input(e) => show::refuse(&e),
    })?;
    let content = content.ok_or_else(|| {
        show::refuse(&format!("{path} is not the table of a sweep\n  help: give another name, or --replace"))
    })?;
    compare(&content.header, header).map(|()| content).map_err(|trouble| match trouble {
        Trouble::File(e) | Trouble::Input(e) => show::refuse(&format!("{path}: {e}")),
    })
}

/// Whether a table belongs to this sweep.
fn compare(found: &Header, header: &Header) -> Result<(), Trouble> {
    if found == header {
        return Ok(());
    }
    let (theirs, ours) = (found.digest, header.digest);
    Err(Trouble::Input(format!(
        "the table belongs to another sweep, {theirs:016x}, not {ours:016x}: the scene, an option or the version has changed\n  \
         help: repeat the command that began it, or overwrite the table with --replace, or give another name"
    )))
}

//! The medium to which a recording is written: a file, or a substitute in tests.

use std::fs::File;
use std::io::{Result, Seek, SeekFrom, Write};

/// Writes bytes at an offset. An error may leave some of them written.
pub trait Medium: Send + Sync {
    /// Writes all bytes at an offset, replacing existing ones.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Truncates to a length.
    fn cut(&mut self, length: u64) -> Result<()>;

    /// Returns when everything written is on the disk.
    fn sync(&mut self) -> Result<()>;
}

impl Medium for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn cut(&mut self, length: u64) -> Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> Result<()> {
        self.sync_data()
    }
}

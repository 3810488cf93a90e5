//! What a recording is written to: a file, or what a test puts in its place.

use std::fs::File;
use std::io::{Result, Seek, SeekFrom, Write};

/// Takes bytes at an offset. An error may leave some of them there.
pub trait Medium: Send {
    /// Writes all bytes at an offset, over what stands there.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Cuts off what is beyond a length.
    fn cut(&mut self, length: u64) -> Result<()>;

    /// Returns when all that was written is on the disk.
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

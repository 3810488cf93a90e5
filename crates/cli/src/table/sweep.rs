//! The table of a sweep in a file ⇄ its header and cells.
//!
//! CSV as `crates/sweep/src/table.rs` has it. Parquet has the two lines of the header as an entry of its metadata, the
//! index as integers, texts as strings and all other columns as doubles. It is written once it is complete.

use super::content::Content;
use super::{Destination, Format, Trouble};
use std::fs;
use std::io;
use std::path::Path;
use windlass_scene::save::{Older, save};
use windlass_sweep::Header;

/// Reads the table of a sweep; none if the file is another table.
pub fn read(path: &Path) -> Result<Option<Content>, Trouble> {
    let shown = path.display();
    let unread = |e: io::Error| Trouble::File(format!("cannot read {shown}: {e}"));
    match Format::of(path).map_err(Trouble::Input)? {
        Format::Csv => {
            let bytes = fs::read(path).map_err(unread)?;
            let text = String::from_utf8_lossy(&bytes);
            if !Header::is_in(&text) {
                return Ok(None);
            }
            let content = Content::of(&text);
            content
                .map(Some)
                .map_err(|e| Trouble::Input(format!("{shown}: {}\n  help: {}", e.message, e.help)))
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let file = fs::File::open(path).map_err(unread)?;
            super::typed::read(file).map_err(|e| Trouble::Input(format!("{shown}: {e}")))
        }
    }
}

/// Writes a complete table, in the format of the destination.
pub fn write(to: &Destination, text: &str) -> io::Result<()> {
    let bytes = match to.format {
        Format::Csv => text.as_bytes().to_vec(),
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let content = Content::of(text).map_err(io::Error::other)?;
            super::typed::write(&content)?
        }
    };
    save(&to.path, &bytes, Older::Replaced)
}

/// Whether rows are appended to the destination itself; a Parquet file is written at the end.
pub fn appends(to: &Destination) -> bool {
    to.format == Format::Csv
}

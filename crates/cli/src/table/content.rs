//! The header and the cells of the table of a sweep, and the kinds of its columns.

use windlass_host::probe::parts_of_head;
use windlass_sweep::table::{self, AFTER, Header};
use windlass_sweep::{Status, SweepError};

/// A table: its header, and the cells of each row as in CSV.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub header: Header,
    pub rows: Vec<Vec<String>>,
}

/// Kinds of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Index,
    Number,
    Text,
}

impl Content {
    /// Reads the text of a CSV table. A last line without its end is left out.
    pub fn of(text: &str) -> Result<Content, SweepError> {
        let (header, lines) = Header::read(text)?;
        let rows = table::rows(&header, lines)?;
        let rows = rows.into_iter().map(|row| row.cells).collect();
        Ok(Content { header, rows })
    }

    /// The kind of each column: the index, texts after the measures, and a varied key is a text unless all its cells are
    /// numbers.
    pub fn kinds(&self) -> Vec<Kind> {
        let count = self.header.columns.len();
        let kind = |place: usize| match place {
            0 => Kind::Index,
            place if place >= count - AFTER.len() => Kind::Text,
            place if place > self.header.varied => Kind::Number,
            place => match self.rows.iter().all(|row| row[place].parse::<f64>().is_ok()) {
                true => Kind::Number,
                false => Kind::Text,
            },
        };
        (0..count).map(kind).collect()
    }

    /// Name and unit of a column.
    pub fn name(&self, place: usize) -> (&str, &str) {
        let (name, unit) = parts_of_head(&self.header.columns[place]);
        (name, unit.unwrap_or_default())
    }

    /// The status of each row.
    pub fn statuses(&self) -> impl Iterator<Item = Option<Status>> + '_ {
        let place = self.header.columns.len() - AFTER.len();
        self.rows.iter().map(move |row| Status::of(&row[place]))
    }

    /// The numbers of a column, NaN for empty cells and texts.
    pub fn numbers(&self, place: usize) -> Vec<f64> {
        self.rows.iter().map(|row| row[place].parse().unwrap_or(f64::NAN)).collect()
    }
}

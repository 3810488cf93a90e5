//! A table in a file → some of its columns.
//!
//! A head is a name with its unit in brackets, `bodies.load.position.z [m]`. Only the requested columns are kept.

use super::Format;
use std::fs::File;
use std::path::Path;
use windlass_host::probe;

/// Largest number of values kept: 400 MB.
const MOST: usize = 50_000_000;

/// A column that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    pub name: String,
    /// As in scene files, empty for plain numbers.
    pub unit: String,
    /// The unit given in the head, if any.
    pub told: Option<String>,
    /// Whether it is marked as a statically indeterminate reaction.
    pub is_indeterminate: bool,
    /// NaN where there is none.
    pub numbers: Vec<f64>,
}

/// Errors of reading.
#[derive(Debug)]
pub enum Trouble {
    /// The file cannot be read.
    File(String),
    /// The content is invalid, or a requested column is missing.
    Input(String),
}

/// Reads the columns of the given names, in that order; a `*` matches any characters. No names: all columns.
pub fn read(path: &Path, names: &[String]) -> Result<Vec<Read>, Trouble> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Trouble::File(format!("{shown} is a folder: give a scene (.toml) or a table")));
    }
    let format = Format::of(path).map_err(Trouble::Input)?;
    let file = File::open(path).map_err(|e| Trouble::File(format!("cannot read {shown}: {e}")))?;
    let told = |e: String| Trouble::Input(format!("{shown}: {e}"));
    match format {
        Format::Csv => from_csv(file, names).map_err(told),
        #[cfg(feature = "parquet")]
        Format::Parquet => from_parquet(file, names).map_err(told),
    }
}

fn from_csv(file: File, names: &[String]) -> Result<Vec<Read>, String> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let heads: Vec<String> = reader.headers().map_err(|e| e.to_string())?.iter().map(String::from).collect();
    let places = chosen(&heads, names)?;
    let mut columns: Vec<Read> = places.iter().map(|place| Read::of(&heads[*place])).collect();
    let mut record = csv::StringRecord::new();
    let mut line = 1;
    while reader.read_record(&mut record).map_err(|e| e.to_string())? {
        line += 1;
        if line * columns.len() > MOST {
            return Err(format!("more than {MOST} numbers: log fewer with --every, or select fewer columns"));
        }
        for (column, place) in columns.iter_mut().zip(&places) {
            let cell = record.get(*place).unwrap_or("").trim();
            let number = match cell {
                "" => f64::NAN,
                cell => cell.parse().map_err(|_| {
                    format!("line {line}, column \"{}\": \"{}\" is not a number", column.name, short(cell))
                })?,
            };
            column.numbers.push(number);
        }
    }
    Ok(columns)
}

#[cfg(feature = "parquet")]
fn from_parquet(file: File, names: &[String]) -> Result<Vec<Read>, String> {
    use super::parquet;
    let reader = parquet::open(file)?;
    let heads = parquet::heads(&reader);
    let places = chosen(&heads, names)?;
    if parquet::lines(&reader).saturating_mul(places.len()) > MOST {
        return Err(format!("more than {MOST} numbers: log fewer with --every, or select fewer columns"));
    }
    let read = |place: &usize| {
        let mut column = Read::of(&heads[*place]);
        column.numbers = parquet::column(&reader, *place).map_err(|e| format!("\"{}\": {e}", column.name))?;
        Ok(column)
    };
    places.iter().map(read).collect()
}

fn short(text: &str) -> String {
    windlass_scene::suggestion::shortened(text)
}

/// Indices of the named columns.
fn chosen(heads: &[String], names: &[String]) -> Result<Vec<usize>, String> {
    if names.is_empty() {
        return Ok((0..heads.len()).collect());
    }
    let bare: Vec<_> = heads.iter().map(|head| probe::parts_of_head(head).0).collect();
    let mut places = Vec::new();
    for name in names {
        let exact = heads.iter().position(|head| head == name);
        let found: Vec<_> = match exact {
            Some(place) => vec![place],
            None => (0..heads.len()).filter(|place| probe::fits(name, bare[*place])).collect(),
        };
        if found.is_empty() {
            let help = probe::suggestion(name, "columns", bare.iter().copied());
            return Err(format!("no column \"{}\"; {help}", short(name)));
        }
        places.extend(found);
    }
    Ok(places)
}

impl Read {
    /// The name in a legend.
    pub fn label(&self) -> String {
        let remark = if self.is_indeterminate { probe::REMARK } else { "" };
        format!("{}{remark}", self.name)
    }

    fn of(head: &str) -> Read {
        let (name, told) = probe::parts_of_head(head);
        let unit = told.unwrap_or(if name == "time" { "s" } else { "" }).to_string();
        let (name, told) = (name.to_string(), told.map(str::to_string));
        Read { name, unit, told, is_indeterminate: head.ends_with(probe::REMARK), numbers: Vec::new() }
    }
}

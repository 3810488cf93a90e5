//! Parquet: columns of nullable doubles, compressed with zstd, in groups of about a million numbers.
//!
//! The index is at the end of the file, so a file is readable only once it is finished. An interrupted
//! run finishes its file, a killed one cannot.

use super::Table;
use ::parquet::basic::{Compression, Repetition, Type as Physical, ZstdLevel};
use ::parquet::column::reader::ColumnReader;
use ::parquet::column::writer::ColumnWriter;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Largest number of values in a group.
const GROUP: usize = 1 << 20;

/// A Parquet file.
pub struct Parquet {
    file: Option<File>,
    writer: Option<SerializedFileWriter<File>>,
    /// By column; NaN for nulls.
    columns: Vec<Vec<f64>>,
}

impl Parquet {
    /// A writer to an empty file.
    pub fn new(file: File) -> Parquet {
        Parquet { file: Some(file), writer: None, columns: Vec::new() }
    }

    /// Writes the buffered lines.
    fn flush(&mut self) -> Result<(), ParquetError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.columns.first().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut out) = group.next_column()? else { break };
            if let ColumnWriter::DoubleColumnWriter(doubles) = out.untyped() {
                let levels: Vec<i16> = column.iter().map(|x| i16::from(!x.is_nan())).collect();
                column.retain(|x| !x.is_nan());
                doubles.write_batch(column, Some(&levels), None)?;
            }
            out.close()?;
            column.clear();
        }
        group.close()?;
        Ok(())
    }
}

impl Table for Parquet {
    fn head(&mut self, heads: &[String]) -> io::Result<()> {
        let field = |head: &String| {
            Type::primitive_type_builder(head, Physical::DOUBLE)
                .with_repetition(Repetition::OPTIONAL)
                .build()
                .map(Arc::new)
        };
        let fields: Vec<_> = heads.iter().map(field).collect::<Result<_, _>>().map_err(fault)?;
        let schema = Type::group_type_builder("run").with_fields(fields).build().map_err(fault)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("windlass {}", env!("CARGO_PKG_VERSION")))
            .build();
        let Some(file) = self.file.take() else { return Ok(()) };
        let writer =
            SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).map_err(fault)?;
        self.writer = Some(writer);
        self.columns = vec![Vec::new(); heads.len()];
        Ok(())
    }

    fn row(&mut self, numbers: &[f64]) -> io::Result<()> {
        for (column, x) in self.columns.iter_mut().zip(numbers) {
            column.push(x + 0.0);
        }
        let held = self.columns.first().map_or(0, Vec::len) * self.columns.len();
        if held >= GROUP { self.flush().map_err(fault) } else { Ok(()) }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush().map_err(fault)?;
        match self.writer.take() {
            Some(writer) => writer.close().map(drop).map_err(fault),
            None => Ok(()),
        }
    }
}

fn fault(e: ParquetError) -> io::Error {
    match e {
        ParquetError::External(e) => match e.downcast::<io::Error>() {
            Ok(e) => *e,
            Err(e) => io::Error::other(e),
        },
        e => io::Error::other(e),
    }
}

/// The heads of a file's columns.
pub fn heads(reader: &SerializedFileReader<File>) -> Vec<String> {
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    schema.columns().iter().map(|c| c.path().string()).collect()
}

/// Opens a file for reading.
pub fn open(file: File) -> Result<SerializedFileReader<File>, String> {
    SerializedFileReader::new(file).map_err(|e| e.to_string())
}

/// Lines in a file.
pub fn lines(reader: &SerializedFileReader<File>) -> usize {
    usize::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0)
}

/// Reads a column of doubles, NaN where there is none.
pub fn column(reader: &SerializedFileReader<File>, place: usize) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(|e| e.to_string())?;
        let column = group.get_column_reader(place).map_err(|e| e.to_string())?;
        let ColumnReader::DoubleColumnReader(mut column) = column else {
            return Err("the column does not contain doubles: write it as float64".to_string());
        };
        let (mut numbers, mut levels) = (Vec::new(), Vec::new());
        // in chunks, so that a file cannot announce more than it has
        loop {
            let read = column.read_records(1 << 16, Some(&mut levels), None, &mut numbers);
            let (records, ..) = read.map_err(|e| e.to_string())?;
            if records == 0 {
                break;
            }
        }
        if levels.is_empty() {
            all.extend(numbers);
        } else {
            let mut next = numbers.into_iter();
            all.extend(levels.iter().map(|level| match level {
                0 => f64::NAN,
                _ => next.next().unwrap_or(f64::NAN),
            }));
        }
    }
    Ok(all)
}

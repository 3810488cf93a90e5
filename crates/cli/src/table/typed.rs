//! Parquet with columns of several types: the table of a sweep.

use super::content::{Content, Kind};
use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::record::Field;
use ::parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::sync::Arc;
use windlass_sweep::Header;

/// The entry of the metadata that has the lines of the header.
const KEY: &str = "windlass.sweep";

/// A table as the bytes of a file.
pub fn write(content: &Content) -> io::Result<Vec<u8>> {
    encode(content).map_err(io::Error::other)
}

fn encode(content: &Content) -> Result<Vec<u8>, ParquetError> {
    let kinds = content.kinds();
    let fields = content.header.columns.iter().zip(&kinds).map(|(head, kind)| field(head, *kind));
    let schema = Type::group_type_builder("sweep").with_fields(fields.collect::<Result<_, _>>()?).build()?;
    let lines = KeyValue::new(KEY.to_string(), content.header.lines());
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("windlass {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![lines]))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        let cells = || content.rows.iter().map(|row| row[place].as_str());
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(out) => {
                let numbers: Vec<i64> = cells().map(|cell| cell.parse().unwrap_or_default()).collect();
                out.write_batch(&numbers, None, None)?;
            }
            ColumnWriter::DoubleColumnWriter(out) => {
                let numbers = content.numbers(place);
                let levels: Vec<i16> = numbers.iter().map(|x| i16::from(!x.is_nan())).collect();
                let numbers: Vec<f64> = numbers.into_iter().filter(|x| !x.is_nan()).collect();
                out.write_batch(&numbers, Some(&levels), None)?;
            }
            ColumnWriter::ByteArrayColumnWriter(out) => {
                let texts: Vec<ByteArray> = cells().map(ByteArray::from).collect();
                out.write_batch(&texts, None, None)?;
            }
            _ => {}
        }
        column.close()?;
        place += 1;
    }
    group.close()?;
    writer.into_inner()
}

fn field(head: &str, kind: Kind) -> Result<Arc<Type>, ParquetError> {
    let (physical, repetition, logical) = match kind {
        Kind::Index => (Physical::INT64, Repetition::REQUIRED, None),
        Kind::Number => (Physical::DOUBLE, Repetition::OPTIONAL, None),
        Kind::Text => (Physical::BYTE_ARRAY, Repetition::REQUIRED, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(head, physical).with_repetition(repetition);
    builder.with_logical_type(logical).build().map(Arc::new)
}

/// Reads a table; none if the file is not that of a sweep.
pub fn read(file: File) -> Result<Option<Content>, String> {
    let reader = super::parquet::open(file)?;
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let lines = metadata.and_then(|list| list.iter().find(|entry| entry.key == KEY)?.value.as_ref());
    let Some(lines) = lines else { return Ok(None) };
    let (header, _) = Header::read(lines).map_err(|e| format!("{}\n  help: {}", e.message, e.help))?;
    let rows = rows(&reader)?;
    if rows.iter().any(|row| row.len() != header.columns.len()) {
        return Err("the columns are not those of the header".to_string());
    }
    Ok(Some(Content { header, rows }))
}

fn rows(reader: &SerializedFileReader<File>) -> Result<Vec<Vec<String>>, String> {
    let rows = reader.get_row_iter(None).map_err(|e| e.to_string())?;
    let cell = |field: &Field| match field {
        Field::Long(number) => number.to_string(),
        Field::Double(number) => format!("{number:?}"),
        Field::Str(text) => text.clone(),
        _ => String::new(),
    };
    rows.map(|row| {
        let row = row.map_err(|e| e.to_string())?;
        Ok(row.get_column_iter().map(|(_, field)| cell(field)).collect())
    })
    .collect()
}

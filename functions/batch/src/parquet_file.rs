//! Rows as a Parquet file.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::row::{COLUMNS, Cell, Row, SCHEMA};

/// Writes the rows as one row group, compressed by Snappy, which every reader supports.
pub(crate) fn write(rows: &[Row]) -> Result<Vec<u8>> {
    let columns: String = COLUMNS.iter().map(|column| column.kind.parquet(column.name)).collect();
    let schema = parse_message_type(&format!("message row {{ {columns} }}"))?;
    let version = KeyValue::new("pdf-analysis.schema".to_owned(), SCHEMA.to_string());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![version]))
        .build();
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for column in COLUMNS {
        let cells = rows.iter().map(column.cell);
        let writer = group.next_column()?.ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?;
        write_column(writer, cells)?;
    }
    group.close()?;
    file.into_inner()
}

/// Writes one column by its definition levels (0 null, 1 present) and, of a list, its repetition levels (0 the first of a row, 1
/// a further one).
fn write_column(mut writer: SerializedColumnWriter<'_>, cells: impl Iterator<Item = Cell>) -> Result<()> {
    let (mut texts, mut numbers, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for cell in cells {
        let level = match cell {
            Cell::Text(text) => keep(&mut texts, text.map(|text| ByteArray::from(text.into_bytes()))),
            Cell::Number(number) => keep(&mut numbers, number),
            Cell::Flag(flag) => keep(&mut flags, flag),
            Cell::Texts(list) => {
                let levels = std::iter::once(0).chain(std::iter::repeat(1)).take(list.len().max(1));
                repetition.extend(levels);
                definition.extend(std::iter::repeat_n(i16::from(!list.is_empty()), list.len().max(1)));
                texts.extend(list.into_iter().map(|text| ByteArray::from(text.into_bytes())));
                continue;
            }
        };
        definition.push(level);
    }
    let repetition = (!repetition.is_empty()).then_some(repetition.as_slice());
    match writer.untyped() {
        ColumnWriter::ByteArrayColumnWriter(_) => {
            writer.typed::<ByteArrayType>().write_batch(&texts, Some(&definition), repetition)?
        }
        ColumnWriter::Int64ColumnWriter(_) => {
            writer.typed::<Int64Type>().write_batch(&numbers, Some(&definition), None)?
        }
        _ => writer.typed::<BoolType>().write_batch(&flags, Some(&definition), None)?,
    };
    writer.close()
}

fn keep<T>(values: &mut Vec<T>, value: Option<T>) -> i16 {
    let level = i16::from(value.is_some());
    values.extend(value);
    level
}

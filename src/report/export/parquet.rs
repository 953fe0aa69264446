//! Parquet: the rows with their types, for programs that study them.

use std::io::Write;

use polars_io::parquet::write::ParquetWriter;

use super::{ExportError, Exporter};
use crate::report::table::Table;

/// Writes Parquet. Fractions stand with all their digits. Notes are left out: the form has no place for them.
#[derive(Clone, Copy, Debug)]
pub struct Parquet;

impl Exporter for Parquet {
    fn extension(&self) -> &'static str {
        "parquet"
    }

    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), ExportError> {
        let mut frame = table.frame.clone();
        // Groups have left their rows in pieces, and how many is nobody's business.
        frame.rechunk_mut();
        ParquetWriter::new(out).set_parallel(false).finish(&mut frame)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use polars_core::df;
    use polars_io::SerReader;
    use polars_io::parquet::read::ParquetReader;

    use super::*;

    #[test]
    fn what_is_read_back_is_what_was_written() {
        let frame = df!(
            "agent" => [Some("魔塔"), None, Some("a,b\n\"c\"")],
            "hp" => [Some(-3_i64), None, Some(1_234_567)],
            "gap" => [Some(1.0 / 3.0), None, Some(f64::MAX)],
        )
        .unwrap();
        for rows in [frame.clone(), frame.head(Some(0))] {
            let table = Table::new("t", "T", vec!["left out".into()], rows.clone());
            let [mut once, mut again] = [Vec::new(), Vec::new()];
            Parquet.write(&table, &mut once).unwrap();
            Parquet.write(&table, &mut again).unwrap();
            assert_eq!(once, again);
            assert!(ParquetReader::new(Cursor::new(once)).finish().unwrap().equals_missing(&rows));
        }
    }
}

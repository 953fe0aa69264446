//! CSV by RFC 4180: rows alone, an empty cell where there is no value.

use std::io::Write;

use polars_core::prelude::{Column, DataType, NamedFrom, PolarsResult, Series};
use polars_io::SerWriter;
use polars_io::csv::write::CsvWriter;

use super::{ExportError, Exporter, cells};
use crate::report::table::Table;

/// Writes CSV. Notes are left out: the form has no place for them.
#[derive(Clone, Copy, Debug)]
pub struct Csv;

impl Exporter for Csv {
    fn extension(&self) -> &'static str {
        "csv"
    }

    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), ExportError> {
        let mut frame = table.frame.clone();
        for column in table.frame.columns() {
            if column.dtype() == &DataType::Float64 {
                frame.with_column(rounded(column)?)?;
            }
        }
        CsvWriter::new(out).n_threads(1).with_line_terminator("\r\n".into()).finish(&mut frame)?;
        Ok(())
    }
}

/// A column of fractions in words: the writer knows one number of decimals for all columns, dollars need more.
fn rounded(column: &Column) -> PolarsResult<Column> {
    Ok(Series::new(column.name().clone(), cells(column)?).into())
}

#[cfg(test)]
mod tests {
    use polars_core::df;

    use super::*;

    #[test]
    fn quotes_what_must_be_and_nothing_else() {
        let frame = df!(
            "agent" => ["a,b", "say \"no\"", "two\nlines", "=1+1"],
            "hp" => [Some(-3_i64), None, Some(1_234_567), Some(0)],
            "gap" => [Some(1.0 / 3.0), None, Some(-0.001), Some(12.0)],
            "cost_usd" => [Some(0.000_012), Some(1.5), None, Some(0.0)],
        )
        .unwrap();
        let table = Table::new("t", "T", vec!["left out".into()], frame);
        let mut out = Vec::new();
        Csv.write(&table, &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap().replace("\r\n", "␍\n"), @r#"
        agent,hp,gap,cost_usd␍
        "a,b",-3,0.33,0.000012␍
        "say ""no""",,,1.500000␍
        "two
        lines",1234567,0.00,␍
        =1+1,0,12.00,0.000000␍
        "#);
    }
}

//! Decisions as rows of a Parquet file, for study and training: `docs/decisions.md` says what each column means.

mod columns;
mod row;

use std::path::Path;

use polars_core::prelude::{ArrowSchema, CompatLevel, Field, Schema, SchemaExt};
use polars_io::parquet::write::{BatchedWriter, KeyValueMetadata, ParquetWriter};
use polars_parquet::write::schema_to_metadata_key;

use super::sink::Sink;
use super::{ExportError, Run};
use crate::analysis::walk::{Judged, Walked, walk};
use crate::solver::Effort;
use row::Row;

/// Rows that are written together: about so many are in memory at a time.
const GROUP: usize = 4_096;

/// What was exported.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// Rows written.
    pub decisions: usize,
    /// What was gone through, run by run.
    pub walked: Vec<Walked>,
}

/// Writes one row a decision: run by run, the episodes in the order of the plan.
///
/// # Errors
/// [`ExportError`], with nothing written.
pub fn write(runs: &[Run<'_>], effort: Effort, path: &Path) -> Result<Exported, ExportError> {
    let mut sink = Sink::create(path)?;
    let mut exported = Exported::default();
    let mut file = File::begin(path, &mut sink)?;
    for run in runs {
        let rows = |judged: Judged<'_>| row::rows(run, judged);
        let walked = walk(run.folder, run.manifest, run.floors, effort, rows, |rows| file.add(rows))?;
        exported.walked.push(walked);
    }
    exported.decisions = file.end()?;
    sink.finish()?;
    Ok(exported)
}

/// A Parquet file being written, a group of rows at a time.
struct File<'a> {
    path: &'a Path,
    writer: BatchedWriter<&'a mut Sink>,
    waiting: Vec<Row>,
    written: usize,
}

impl<'a> File<'a> {
    fn begin(path: &'a Path, sink: &'a mut Sink) -> Result<Self, ExportError> {
        let writer = columns::frame(&[]).and_then(|frame| {
            let metadata = Some(arrow_schema(frame.schema()));
            ParquetWriter::new(sink).with_key_value_metadata(metadata).batched(frame.schema())
        });
        let writer = writer.map_err(|source| ExportError::Rows { path: path.to_owned(), source })?;
        Ok(File { path, writer, waiting: Vec::new(), written: 0 })
    }

    fn add(&mut self, rows: Vec<Row>) -> Result<(), ExportError> {
        self.waiting.extend(rows);
        if self.waiting.len() >= GROUP { self.write_waiting() } else { Ok(()) }
    }

    fn write_waiting(&mut self) -> Result<(), ExportError> {
        let written = columns::frame(&self.waiting).and_then(|frame| self.writer.write_batch(&frame));
        written.map_err(|source| ExportError::Rows { path: self.path.to_owned(), source })?;
        self.written += self.waiting.len();
        self.waiting.clear();
        Ok(())
    }

    fn end(mut self) -> Result<usize, ExportError> {
        self.write_waiting()?;
        self.writer.finish().map_err(|source| ExportError::Rows { path: self.path.to_owned(), source })?;
        Ok(self.written)
    }
}

/// The types that a reader is to use. The writer's own would have text as views, which pandas does not read within lists.
fn arrow_schema(schema: &Schema) -> KeyValueMetadata {
    let field = |field: Field| field.dtype().to_arrow_field(field.name().clone(), CompatLevel::oldest());
    let fields: ArrowSchema = schema.iter_fields().map(field).map(|field| (field.name.clone(), field)).collect();
    KeyValueMetadata::Static(vec![schema_to_metadata_key(&fields)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and types of the columns, as `docs/decisions.md` lists them.
    #[test]
    fn every_column_is_documented() {
        let text = include_str!("../../../docs/decisions.md");
        let told: Vec<(String, String)> = (text.lines())
            .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
            .map(|(name, rest)| (name.to_owned(), rest.split(" | ").next().unwrap_or_default().to_owned()))
            .collect();
        let frame = columns::frame(&[]).unwrap();
        let listed: Vec<(String, String)> = (frame.columns().iter())
            .map(|column| (column.name().to_string(), columns::type_in_words(column.dtype())))
            .collect();
        assert_eq!(told, listed);
    }
}

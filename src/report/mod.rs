//! What people read of a batch: tables and pictures. Reads the analysis of traces; never plays, never solves.

pub mod batch;
mod episodes;
pub mod export;
mod floors;
#[cfg(test)]
mod ink;
mod losing;
pub mod page;
pub mod picture;
pub mod plot;
pub mod png;
mod results;
#[cfg(test)]
mod sample;
pub mod source;
mod style;
mod svg;
pub mod table;
mod terminal;
mod text;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use polars_core::prelude::PolarsError;

use crate::analysis::EpisodeAnalysis;
use crate::game::Tower;
use export::{Csv, ExportError, Exporter, Markdown};
use png::PngError;
use table::Table;

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder or a file in it cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A table cannot be computed.
    #[error("the tables cannot be computed: {0}")]
    Tables(#[from] PolarsError),
    /// The page cannot be put together.
    #[error("the page cannot be put together: {0}")]
    Page(#[from] page::PageError),
    /// A table cannot be written down.
    #[error("table `{table}` cannot be written down: {source}")]
    Export {
        /// Its name.
        table: &'static str,
        /// Why.
        source: ExportError,
    },
    /// A picture cannot be drawn.
    #[error("the state values on floor `{floor}` cannot be drawn: {source}")]
    Picture {
        /// The floor's name.
        floor: String,
        /// Why.
        source: PngError,
    },
}

/// Writes every table and picture of these episodes into the folder `out`, which is made if it is missing.
///
/// Each file appears whole or not at all; a file of that name is replaced. Returns the files in the order in which
/// they were written.
///
/// # Errors
/// [`ReportError`], with the files before it written.
pub fn write_all(analyses: &[EpisodeAnalysis], out: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let floors = batch::floors(analyses);
    let episodes = episodes::table(&floors)?;
    let results = results::table(&floors, &episodes)?;
    let losing = losing::table(&floors)?;

    fs::create_dir_all(out).map_err(|source| ReportError::Write { path: out.to_owned(), source })?;
    let mut files = Vec::new();
    for (table, exporters) in [
        (&results, &[&Csv as &dyn Exporter, &Markdown] as &[&dyn Exporter]),
        (&losing, &[&Csv, &Markdown]),
        (&episodes, &[&Csv]),
    ] {
        for exporter in exporters {
            files.push(write_table(table, *exporter, out)?);
        }
    }
    let mut stems = Vec::new();
    for floor in &floors {
        let stem = free_stem(floor.name, &mut stems);
        let svg = plot::state_value(floor);
        let png =
            png::png(&svg, None).map_err(|source| ReportError::Picture { floor: floor.name.to_owned(), source })?;
        files.push(write_file(out.join(format!("{stem}.svg")), svg.as_bytes())?);
        files.push(write_file(out.join(format!("{stem}.png")), &png)?);
    }
    Ok(files)
}

/// Writes the page of these runs into the folder `out`, which is there.
///
/// # Errors
/// [`ReportError`].
pub fn write_page(title: &str, sources: &[source::Source<'_>], out: &Path) -> Result<PathBuf, ReportError> {
    let analyses: Vec<EpisodeAnalysis> = sources.iter().flat_map(|source| source.episodes).cloned().collect();
    let floors = batch::floors(&analyses);
    let episodes = episodes::table(&floors)?;
    let (results, losing) = (results::table(&floors, &episodes)?, losing::table(&floors)?);
    let plots: Vec<page::Plot> = (floors.iter())
        .map(|floor| page::Plot {
            stem: floor.name.to_owned(),
            title: format!("State value along every episode: {}", floor.title),
            svg: plot::state_value(floor),
        })
        .collect();
    let page = page::Page { title, tables: &[&results, &losing, &episodes], plots: &plots, sources };
    let mut bytes = Vec::new();
    page.write(&mut bytes)?;
    write_file(out.join("index.html"), &bytes)
}

/// Writes the table `floors` of these towers into the folder `out`, as `floors.csv` and `floors.md`.
///
/// # Errors
/// [`ReportError`].
pub fn write_floors(towers: &[Tower], out: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let table = floors::table(towers)?;
    [&Csv as &dyn Exporter, &Markdown].into_iter().map(|exporter| write_table(&table, exporter, out)).collect()
}

/// The table `results` for a terminal of 100 columns, with the most frequent losing decision of each row.
///
/// # Errors
/// [`ReportError::Tables`].
pub fn terminal(analyses: &[EpisodeAnalysis]) -> Result<String, ReportError> {
    let floors = batch::floors(analyses);
    let results = results::table(&floors, &episodes::table(&floors)?)?;
    Ok(terminal::results(&floors, &results, &losing::table(&floors)?)?)
}

fn write_table(table: &Table, exporter: &dyn Exporter, out: &Path) -> Result<PathBuf, ReportError> {
    let mut bytes = Vec::new();
    exporter.write(table, &mut bytes).map_err(|source| ReportError::Export { table: table.name, source })?;
    write_file(out.join(format!("{}.{}", table.name, exporter.extension())), &bytes)
}

/// Writes beside the file and renames, so that nobody reads half of one.
fn write_file(path: PathBuf, bytes: &[u8]) -> Result<PathBuf, ReportError> {
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &path));
    written.map_err(|source| {
        // What is left of the attempt is of no use; the first error is the one to tell.
        let _ = fs::remove_file(&beside);
        ReportError::Write { path: path.clone(), source }
    })?;
    Ok(path)
}

/// `state-value-FLOOR`, with what file systems dislike replaced, and numbered if that name is taken.
fn free_stem(floor: &str, taken: &mut Vec<String>) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    let plain = format!("state-value-{}", floor.chars().map(safe).collect::<String>());
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let stem = std::iter::once(plain.clone()).chain(numbered).find(|stem| !taken.contains(stem)).unwrap_or(plain);
    taken.push(stem.clone());
    stem
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ChosenBy;
    use crate::eval::Ending;
    use sample::episode;

    fn names(files: &[PathBuf]) -> Vec<String> {
        files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn writes_every_file_and_the_same_bytes_again() {
        let folder = tempfile::tempdir().unwrap();
        let [once, again] = ["once", "deep/again"].map(|name| folder.path().join(name));
        let analyses = sample::batch();
        let files = write_all(&analyses, &once).unwrap();
        assert_eq!(
            names(&files),
            [
                "results.csv",
                "results.md",
                "losing-decisions.csv",
                "losing-decisions.md",
                "episodes.csv",
                "state-value-complex.svg",
                "state-value-complex.png",
                "state-value-hand01.svg",
                "state-value-hand01.png",
            ]
        );
        assert_eq!(fs::read_dir(&once).unwrap().count(), files.len(), "no temporary file is left");
        for (one, other) in files.iter().zip(write_all(&analyses, &again).unwrap()) {
            assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap(), "{}", one.display());
        }
    }

    #[test]
    fn whatever_was_played_gives_a_report() {
        let folder = tempfile::tempdir().unwrap();
        let lost = |floor: &str| episode("a", "none", floor).loses(ChosenBy::Agent, "fight the Bat", (1, 2));
        let won = |floor: &str| episode("a", "none", floor).values(&[68]).ended(Ending::Won, 68);
        let unwinnable = episode("a", "none", "f").optimum(None).lost_turns(2).ended(Ending::Stuck, 5);
        let cases = [
            (vec![], 0),
            (vec![won("f").done()], 1),
            (vec![won("f").done(), won("g").done()], 2),
            (vec![lost("f").ended(Ending::Dead, 0).done()], 1),
            (vec![episode("a", "none", "f").done()], 1),
            (vec![unwinnable.done()], 1),
        ];
        for (analyses, pictures) in cases {
            assert_eq!(write_all(&analyses, folder.path()).unwrap().len(), 5 + 2 * pictures);
        }
    }

    #[test]
    fn names_that_no_file_can_have_are_replaced_and_kept_apart() {
        let mut taken = Vec::new();
        let stems = ["../etc", "a/b", "a_b", "魔塔"].map(|floor| free_stem(floor, &mut taken));
        assert_eq!(stems, ["state-value-.._etc", "state-value-a_b", "state-value-a_b-2", "state-value-魔塔"]);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = write_all(&[], &file.path().join("reports")).unwrap_err();
        assert!(error.to_string().contains("reports cannot be written"), "{error}");
    }
}

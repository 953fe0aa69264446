//! What people read of a batch: tables and pictures. Reads the analysis of traces; never plays, never solves.

pub mod batch;
pub mod compared;
mod configurations;
mod decisions;
mod differences;
mod episodes;
pub mod export;
mod floors;
pub mod imported;
#[cfg(test)]
mod ink;
mod losing;
pub mod mechanisms;
#[cfg(test)]
mod open;
pub mod page;
pub mod picture;
pub mod plot;
pub mod png;
mod results;
#[cfg(test)]
mod sample;
pub mod searches;
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
use crate::eval::floor::BatchFloor;
use crate::game::Tower;
use batch::Floor;
use export::{Csv, ExportError, Exporter, Markdown};
use page::Page;
use plot::Plot;
use png::PngError;
use source::Source;
use table::Table;

/// Folder of the tables in that of a report.
pub const TABLES: &str = "tables";
/// File of the page in a report's folder.
pub const PAGE: &str = "index.html";
/// Folder of the figures in that of a report.
pub const PLOTS: &str = "plots";

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
    #[error("the figure `{title}` cannot be drawn: {source}")]
    Picture {
        /// Its heading.
        title: String,
        /// Why.
        source: PngError,
    },
}

/// What is read of some runs.
pub struct Report<'a> {
    /// The runs.
    pub sources: &'a [Source<'a>],
    /// Every table, the most general first.
    pub tables: Vec<Table>,
    /// Every figure.
    pub plots: Vec<Plot>,
}

impl<'a> Report<'a> {
    /// Makes the tables and figures of some runs.
    ///
    /// # Errors
    /// [`ReportError::Tables`].
    pub fn of(sources: &'a [Source<'a>]) -> Result<Self, ReportError> {
        let floors = batch::floors(sources.iter().flat_map(|source| source.episodes));
        let mut games: Vec<&BatchFloor> = Vec::new();
        for game in sources.iter().flat_map(|source| source.floors) {
            if games.iter().all(|known| known.name() != game.name()) {
                games.push(game);
            }
        }
        let episodes = episodes::table(&floors)?;
        let results = results::table(&floors, &episodes)?;
        let answers = results::answers(&floors, &results)?;
        let tables = vec![
            configurations::table(&floors)?,
            results,
            answers,
            decisions::table(&floors)?,
            losing::table(&floors)?,
            differences::table(&floors)?,
            optima(&floors, &games)?,
            episodes,
        ];
        Ok(Report { sources, tables, plots: plot::all(&floors, &games) })
    }

    /// Writes all of it into the folder `out`, which is made if it is missing: tables to `tables`, figures to `plots`, and
    /// a page that shows both and replays every episode.
    ///
    /// Each file appears whole or not at all; a file of that name is replaced. Returns the files in the order in which
    /// they were written.
    ///
    /// # Errors
    /// [`ReportError`], with the files before it written.
    pub fn write(&self, out: &Path) -> Result<Vec<PathBuf>, ReportError> {
        let plots = out.join(PLOTS);
        let tables = write_tables(&self.tables, &out.join(TABLES))?;
        let mut files = vec![write_file(out.join(PAGE), &self.page()?)?];
        files.extend(tables);
        fs::create_dir_all(&plots).map_err(|source| ReportError::Write { path: plots.clone(), source })?;
        self.remove_stale(&plots);
        for (plot, png) in self.plots.iter().zip(self.pngs()) {
            let png = png.map_err(|source| ReportError::Picture { title: plot.title.clone(), source })?;
            files.push(write_file(plots.join(format!("{}.svg", plot.stem)), plot.svg.as_bytes())?);
            files.push(write_file(plots.join(format!("{}.png", plot.stem)), &png)?);
        }
        Ok(files)
    }

    /// Removes figures of an earlier report in the same folder that this one does not have: they would be taken for its own.
    fn remove_stale(&self, plots: &Path) {
        let is_stale = |path: &PathBuf| {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let is_ours = plot::KINDS.iter().any(|kind| stem.strip_prefix(kind).is_some_and(|rest| !rest.is_empty()));
            is_ours && self.plots.iter().all(|plot| plot.stem != stem)
        };
        let entries = fs::read_dir(plots).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in entries.filter(is_stale) {
            // What cannot be removed is not in the way.
            let _ = fs::remove_file(path);
        }
    }

    fn page(&self) -> Result<Vec<u8>, ReportError> {
        let mut names: Vec<&str> = Vec::new();
        for source in self.sources {
            if !names.contains(&source.manifest.config.name.as_str()) {
                names.push(&source.manifest.config.name);
            }
        }
        let tables: Vec<&Table> = self.tables.iter().collect();
        let page = Page { title: &names.join(", "), tables: &tables, plots: &self.plots, sources: self.sources };
        let mut bytes = Vec::new();
        page.write(&mut bytes)?;
        Ok(bytes)
    }

    /// Every figure in pixels: drawn on all cores, since that takes longer than all else.
    fn pngs(&self) -> Vec<Result<Vec<u8>, PngError>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.plots.len().div_ceil(threads).max(1);
        let draw = |plots: &[Plot]| plots.iter().map(|plot| png::png(&plot.svg, None)).collect::<Vec<_>>();
        std::thread::scope(|scope| {
            let drawing: Vec<_> = self.plots.chunks(share).map(|plots| scope.spawn(move || draw(plots))).collect();
            let joined =
                drawing.into_iter().map(|drawn| drawn.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.flatten().collect()
        })
    }
}

/// Writes tables in every form into the folder `out`, which is made if it is missing, with a document that shows all of
/// them in LaTeX.
///
/// # Errors
/// [`ReportError`], with the files before it written.
pub fn write_tables(tables: &[Table], out: &Path) -> Result<Vec<PathBuf>, ReportError> {
    fs::create_dir_all(out).map_err(|source| ReportError::Write { path: out.to_owned(), source })?;
    let mut files = Vec::new();
    for table in tables {
        for exporter in export::ALL {
            files.push(write_table(table, exporter, out)?);
        }
    }
    let document = export::document(&tables.iter().collect::<Vec<_>>());
    files.push(write_file(out.join("all.tex"), document.as_bytes())?);
    Ok(files)
}

/// The floors of the batch with their optima, in the order in which they were played.
fn optima(floors: &[Floor<'_>], games: &[&BatchFloor]) -> Result<Table, ReportError> {
    let game = |floor: &Floor<'_>| games.iter().find(|game| game.name() == floor.name).copied();
    let found: Vec<_> = floors.iter().filter_map(|floor| Some((&**game(floor)?.game.tower(), floor.optimum))).collect();
    Ok(floors::with_optima(&found, "by the exact solver; none if the boss cannot be defeated or it is not known")?)
}

/// Writes every table and figure of some runs into the folder `out`; as [`Report::of`] and [`Report::write`] one after the
/// other.
///
/// # Errors
/// [`ReportError`], with the files before it written.
pub fn write_all(sources: &[Source<'_>], out: &Path) -> Result<Vec<PathBuf>, ReportError> {
    Report::of(sources)?.write(out)
}

/// Writes the table `floors` of these towers into the folder `out`, as `floors.csv` and `floors.md`.
///
/// # Errors
/// [`ReportError`].
pub fn write_floors(towers: &[Tower], out: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let table = floors::table(towers)?;
    [&Csv as &dyn Exporter, &Markdown].into_iter().map(|exporter| write_table(&table, exporter, out)).collect()
}

/// The table `results` for a terminal of so many columns, with the most frequent losing decision of each row.
///
/// # Errors
/// [`ReportError::Tables`].
pub fn terminal<'a>(
    analyses: impl IntoIterator<Item = &'a EpisodeAnalysis>,
    width: u16,
) -> Result<String, ReportError> {
    let floors = batch::floors(analyses);
    let results = results::table(&floors, &episodes::table(&floors)?)?;
    Ok(terminal::results(&floors, &results, &losing::table(&floors)?, width)?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ChosenBy;
    use crate::eval::Ending;
    use sample::{episode, manifest};

    fn written(episodes: &[EpisodeAnalysis], out: &Path) -> Vec<PathBuf> {
        let source = Source { folder: Path::new("no-run"), manifest: &manifest(), floors: &[], episodes };
        write_all(&[source], out).unwrap()
    }

    fn names(files: &[PathBuf]) -> Vec<String> {
        files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn writes_every_file_and_the_same_bytes_again() {
        let folder = tempfile::tempdir().unwrap();
        let [once, again] = ["once", "deep/again"].map(|name| folder.path().join(name));
        let analyses = sample::batch();
        let files = written(&analyses, &once);
        insta::assert_snapshot!(names(&files).join(" "), @"index.html configurations.csv configurations.md configurations.tex configurations.parquet results.csv results.md results.tex results.parquet answers.csv answers.md answers.tex answers.parquet decisions.csv decisions.md decisions.tex decisions.parquet losing-decisions.csv losing-decisions.md losing-decisions.tex losing-decisions.parquet differences.csv differences.md differences.tex differences.parquet floors.csv floors.md floors.tex floors.parquet episodes.csv episodes.md episodes.tex episodes.parquet all.tex state-value-complex.svg state-value-complex.png value-lost-complex.svg value-lost-complex.png state-value-hand01.svg state-value-hand01.png final-hp.svg final-hp.png spending.svg spending.png");
        let left = [TABLES, PLOTS].map(|part| fs::read_dir(once.join(part)).unwrap().count());
        assert_eq!(left.iter().sum::<usize>() + 1, files.len(), "no temporary file is left");
        for (one, other) in files.iter().zip(written(&analyses, &again)) {
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
            (vec![], vec![]),
            (vec![won("f").done()], vec!["state-value-f", "final-hp"]),
            (vec![won("f").done(), won("g").done()], vec!["state-value-f", "state-value-g", "final-hp"]),
            (vec![lost("f").ended(Ending::Dead, 0).done()], vec!["state-value-f", "value-lost-f", "final-hp"]),
            (vec![episode("a", "none", "f").done()], vec!["state-value-f"]),
            (vec![unwinnable.done()], vec!["state-value-f"]),
        ];
        for (analyses, figures) in cases {
            let names = names(&written(&analyses, folder.path()));
            let drawn: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(".svg")).collect();
            assert_eq!(drawn, figures);
            assert_eq!(names.iter().filter(|name| name.ends_with(".csv")).count(), 8);
        }
    }

    #[test]
    fn figures_of_an_earlier_report_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let won = |floor: &str| episode("a", "none", floor).values(&[68]).ended(Ending::Won, 68).done();
        written(&[won("f"), won("g")], folder.path());
        fs::write(folder.path().join("plots/mine.svg"), "mine").unwrap();
        written(&[won("g")], folder.path());
        let held = |name: &str| folder.path().join("plots").join(name).exists();
        assert!(!held("state-value-f.svg") && !held("state-value-f.png"));
        assert!(held("state-value-g.svg") && held("mine.svg"));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let report = Report { sources: &[], tables: Vec::new(), plots: Vec::new() };
        let error = report.write(&file.path().join("reports")).unwrap_err();
        assert!(error.to_string().contains("reports/tables cannot be written"), "{error}");
    }
}

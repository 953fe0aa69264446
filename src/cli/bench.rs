//! `mota bench`: the searches side by side on some floors, each in a process of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Args;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::output;
use super::{Exit, Failure};
use crate::format;
use crate::format::name::is_table_of_kinds;
use crate::report::{ReportError, searches, write_tables};

/// Arguments of `mota bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota bench
  mota bench floors/complex.toml --repeat 5 --json
  mota bench floors/complex.toml floors/hand03.toml --tables tables

Times are medians. `search` is the search alone, `process` the whole program. Ratios are to the corrected search on the
same floor: of search times, and of the memory by which the process grew.")]
pub struct BenchArgs {
    /// Floor files [default: the six floors in floors/]
    floors: Vec<PathBuf>,
    /// Runs of each search; medians are shown
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Also the exact search on the merged graph
    #[arg(long)]
    merge: bool,
    /// Also write the table to this folder, as CSV, Markdown, LaTeX and Parquet
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// Print JSON (its schema: mota schema bench)
    #[arg(long)]
    json: bool,
}

/// A search on a floor, as `mota bench --json` prints it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BenchRow {
    /// The floor's file.
    floor: String,
    /// The search.
    search: &'static str,
    /// Final HP that it finds; null if it finds no way to win.
    hp: Option<i64>,
    /// Whether that is proven.
    proven: bool,
    /// States expanded; of the values, keys in the table.
    states: Option<u64>,
    /// Routes that win, of the published search and its correction: winning states taken from the queue.
    wins: Option<u64>,
    /// Seconds of the search alone.
    seconds: Option<f64>,
    /// Seconds of the whole process.
    process_seconds: Option<f64>,
    /// The most memory that the search had in use, in MB.
    search_mb: Option<f64>,
    /// The most memory of the process, in MB.
    peak_mb: Option<f64>,
    /// Time of the corrected search over this one's.
    times_faster: Option<f64>,
    /// Memory of the corrected search over this one's.
    times_smaller: Option<f64>,
    /// Why there is no answer.
    error: Option<String>,
}

/// The searches with their arguments.
const SEARCHES: [(&str, &[&str]); 5] = [
    ("published", &["solve", "--algorithm", "published"]),
    ("corrected", &["solve", "--algorithm", "corrected"]),
    ("exact", &["solve"]),
    ("exact, merged", &["solve", "--merge"]),
    ("all values", &["value"]),
];

impl BenchArgs {
    /// Runs the searches and prints the table.
    pub fn run(self) -> Result<Exit, Failure> {
        let floors = if self.floors.is_empty() { default_floors()? } else { self.floors.clone() };
        // What is wrong with a file is told as everywhere, before anything runs.
        for floor in &floors {
            format::read_tower(floor)?;
        }
        let mut rows = Vec::new();
        for floor in &floors {
            let first = rows.len();
            for (search, arguments) in SEARCHES.iter().filter(|(search, _)| self.merge || !search.contains("merged")) {
                rows.push(self.measure(floor, search, arguments)?);
            }
            compare(&mut rows[first..]);
        }
        if let Some(folder) = &self.tables {
            let rows: Vec<searches::Row> = rows.iter().map(BenchRow::for_table).collect();
            write_tables(&[searches::table(&rows, self.repeat).map_err(ReportError::from)?], folder)?;
        }
        match self.json {
            true => output::json(&rows)?,
            false => output::text(&format!("{}\n", table(&rows)))?,
        }
        Ok(Exit::Done)
    }

    /// Runs a search several times and takes the run of median time.
    fn measure(&self, floor: &Path, search: &'static str, arguments: &[&str]) -> Result<BenchRow, Failure> {
        let mut runs = Vec::new();
        for _ in 0..self.repeat {
            let row = once(floor, search, arguments)?;
            let failed = row.error.is_some();
            runs.push(row);
            if failed {
                break;
            }
        }
        runs.sort_by(|a, b| a.seconds.unwrap_or(0.0).total_cmp(&b.seconds.unwrap_or(0.0)));
        let middle = runs.len() / 2;
        Ok(runs.swap_remove(middle))
    }
}

fn default_floors() -> Result<Vec<PathBuf>, Failure> {
    let found = glob::glob("floors/*.toml").map_err(Failure::failed)?;
    let mut floors: Vec<PathBuf> = found.filter_map(Result::ok).filter(|path| !is_table_of_kinds(path)).collect();
    floors.sort();
    match floors.is_empty() {
        true => Err(Failure::bad_input("there are no floors in floors/ here; name some")),
        false => Ok(floors),
    }
}

/// One run in a process of its own.
fn once(floor: &Path, search: &'static str, arguments: &[&str]) -> Result<BenchRow, Failure> {
    let program = std::env::current_exe().map_err(Failure::failed)?;
    let begun = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .arg("--json")
        .arg("--")
        .arg(floor)
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::failed)?;
    let process_seconds = begun.elapsed().as_secs_f64();
    let told = || String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("× ").to_owned();
    if output.status.code() == Some(2) {
        return Err(Failure::bad_input(told()));
    }
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let number = |field: &str| answer[field].as_f64();
    let is_value = answer["keys"].is_u64();
    Ok(BenchRow {
        floor: floor.display().to_string(),
        search,
        hp: answer["final"]["hp"].as_i64().or(answer["optimum"].as_i64()),
        proven: answer["proven"].as_bool().unwrap_or(is_value),
        states: answer["states"].as_u64().or(answer["keys"].as_u64()),
        wins: answer["wins"].as_u64(),
        seconds: number("seconds"),
        process_seconds: answer.is_object().then_some(process_seconds),
        search_mb: number("search_mb"),
        peak_mb: number("peak_mb"),
        times_faster: None,
        times_smaller: None,
        error: (!answer.is_object()).then(told),
    })
}

impl BenchRow {
    fn for_table(&self) -> searches::Row {
        searches::Row {
            floor: name(&self.floor),
            search: self.search,
            hp: self.hp,
            proven: self.error.is_none().then_some(self.proven),
            states: self.states,
            wins: self.wins,
            seconds: self.seconds,
            search_mb: self.search_mb,
        }
    }
}

/// A floor's file without folder and ending.
fn name(floor: &str) -> String {
    Path::new(floor).file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
}

/// Sets each search against the corrected one.
fn compare(rows: &mut [BenchRow]) {
    let Some(base) = rows.iter().find(|row| row.search == "corrected") else { return };
    let (seconds, megabytes) = (base.seconds, base.search_mb);
    for row in rows {
        let over = |base: Option<f64>, this: Option<f64>| Some(base? / this.filter(|this| *this > 0.0)?);
        row.times_faster = over(seconds, row.seconds);
        row.times_smaller = over(megabytes, row.search_mb);
    }
}

fn table(rows: &[BenchRow]) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(["floor", "search", "HP", "states", "search", "process", "MB", "faster", "smaller"]);
    let mut last = "";
    for row in rows {
        let shown = if row.floor == last { String::new() } else { name(&row.floor) };
        last = &row.floor;
        let time = |seconds: Option<f64>| seconds.map_or("–".into(), |seconds| format!("{:.1} ms", seconds * 1e3));
        let ratio = |ratio: Option<f64>| ratio.map_or("–".into(), |ratio| format!("{ratio:.1}×"));
        let hp = match (row.hp, row.proven, &row.error) {
            (_, _, Some(why)) => why.lines().next().unwrap_or_default().to_owned(),
            (Some(hp), true, _) => format!("{hp} proven"),
            (Some(hp), false, _) => hp.to_string(),
            (None, true, _) => "none, proven".into(),
            (None, false, _) => "none".into(),
        };
        table.add_row([
            shown,
            row.search.into(),
            hp,
            row.states.map_or("–".into(), |states| states.to_string()),
            time(row.seconds),
            time(row.process_seconds),
            row.search_mb.map_or("–".into(), |mb| format!("{mb:.2}")),
            ratio(row.times_faster),
            ratio(row.times_smaller),
        ]);
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

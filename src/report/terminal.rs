//! The results for a terminal: what fits in 100 columns. Reads the tables; computes nothing of its own.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, Table as Grid, TableStyle, Width,
};
use polars_core::frame::DataFrame;
use polars_core::prelude::{PolarsError, PolarsResult};

use super::batch::Floor;
use super::export;
use super::table::{Table, floor_notes};
use crate::solver::worth::brief;

/// Columns for which the limits of names below are made.
const WIDTH: u16 = 100;
/// What is shown of the table `results`.
const RESULTS: [&str; 9] =
    ["floor", "agent", "prompt", "episodes", "won", "mean_final_hp", "optimum", "gap", "mean_turns"];
/// Where the optimum stands among them.
const OPTIMUM: usize = 6;
/// Columns that floor, agent and prompt may take each; what is longer is cut.
const NAMES: [u16; 3] = [13, 19, 14];
/// Columns that the losing decision takes at least: its heading, or how often and where.
const LOSING: u16 = 16;
/// Where the numbers begin and end among the columns.
const NUMBERS: std::ops::Range<usize> = 3..9;

/// One row for every floor and configuration, with its most frequent losing decision, in so many columns; remarks on
/// floors below.
/// `results` and `losing` are the tables of these names, of the same floors.
///
/// # Errors
/// If a table lacks a column.
pub fn results(floors: &[Floor<'_>], results: &Table, losing: &Table, width: u16) -> PolarsResult<String> {
    // What there is beyond is shared by the names, and by the losing decision at the end.
    let more = width.saturating_sub(WIDTH) / 4;
    let mut grid = Grid::new();
    grid.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')))
        .set_truncation_indicator("…")
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(["floor", "agent", "prompt", "n", "won", "mean HP", "optimum", "gap", "turns", "losing decision"]);
    // The table has a row for every configuration, in this order.
    let configurations = floors.iter().flat_map(|floor| floor.configurations.iter().map(move |c| (floor, c)));
    for (row, (floor, configuration)) in configurations.enumerate() {
        let mut cells = RESULTS.map(|column| cell(&results.frame, column, row)).to_vec();
        if !floor.optimum.is_known() {
            cells[OPTIMUM] = Ok(Some(brief(floor.optimum)));
        }
        cells.push(most_frequent(&losing.frame, floor.name, &configuration.name));
        let cells: Vec<Option<String>> = cells.into_iter().collect::<PolarsResult<_>>()?;
        let mut row = Row::from(cells.into_iter().map(|cell| cell.unwrap_or("–".into())));
        row.max_height(1);
        grid.add_row(row);
    }
    for (index, column) in grid.column_iter_mut().enumerate() {
        column.set_padding((0, 0));
        if NUMBERS.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        if index >= NUMBERS.end {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(LOSING)));
        }
        if let Some(widest) = NAMES.get(index) {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(*widest + more)));
        }
    }
    let notes = floor_notes(floors).map(|note| format!("\n{note}"));
    Ok(grid.trim_fmt() + &notes.collect::<String>())
}

/// A cell in words; a mean with one decimal, or with none where it needs four digits before it.
fn cell(frame: &DataFrame, column: &str, row: usize) -> PolarsResult<Option<String>> {
    let value = frame.column(column)?.get(row)?;
    let decimals = if value.try_extract::<f64>().is_ok_and(|number| number.abs() < 1000.0) { 1 } else { 0 };
    Ok(export::cell(value, decimals))
}

/// `3× (8,7) open the yellow door`: the first losing decision listed for a configuration, if there is one. What
/// matters most stands first, since the end may be cut.
fn most_frequent(losing: &DataFrame, floor: &str, configuration: &str) -> PolarsResult<Option<String>> {
    let column = |name: &str| losing.column(name)?.str();
    let mut rows = column("floor")?.iter().zip(column("configuration")?.iter());
    let Some(row) = rows.position(|row| row == (Some(floor), Some(configuration))) else {
        return Ok(None);
    };
    let text = |name: &str| Ok::<_, PolarsError>(cell(losing, name, row)?.unwrap_or_default());
    let (episodes, at, action) = (text("episodes")?, text("at")?, text("action")?);
    Ok(Some(match at.as_str() {
        "" => format!("{episodes}× {action}: {}", text("turn")?),
        _ => format!("{episodes}× {at} {action}"),
    }))
}

#[cfg(test)]
mod tests {
    use crate::agent::ChosenBy;
    use crate::eval::Ending;
    use crate::report::sample::{self, episode};
    use crate::report::terminal;

    #[test]
    fn a_batch() {
        insta::assert_snapshot!(terminal(&sample::batch(), 100).unwrap(), @r"
        floor   agent   prompt       n won mean HP optimum  gap turns losing decision
        ───────────────────────────────────────────────────────────────────────────────────────────
        complex optimal none         1   1    68.0      68  0.0   3.0 –
        complex smollm2 single_floor 6   1     4.4      68 63.6   3.0 2× (11,8) fight the Red Slime
        hand01  smollm2 single_floor 1   1     9.0       9  0.0   1.0 –
        hand01: monster table reconstructed.
        ");
    }

    #[test]
    fn long_names_still_fit() {
        let long =
            episode("a-model-from-a-provider/with-a-very-long-name-instruct-2507", "solver_route", "generated-117")
                .loses(ChosenBy::Agent, "open the yellow door", (10, 11))
                .ended(Ending::Dead, 0);
        let shown = terminal(&[long.done()], 100).unwrap();
        assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
        insta::assert_snapshot!(shown, @r"
        floor         agent               prompt       n won mean HP optimum  gap turns losing decision
        ────────────────────────────────────────────────────────────────────────────────────────────────────
        generated-117 a-model-from-a-pro… solver_route 1   0     0.0      68 68.0   1.0 1× (10,11) open the…
        ");
    }

    #[test]
    fn nothing_played() {
        insta::assert_snapshot!(terminal(&[], 100).unwrap(), @r"
        floor agent prompt n won mean HP optimum gap turns losing decision
        ───────────────────────────────────────────────────────────────────
        ");
    }
}

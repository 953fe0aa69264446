//! A floor's map as text with coordinates. Knows nothing of what the symbols mean.

use std::fmt::Write;

/// The rows with column numbers above and `y =` before each row, every column as wide as its widest entry.
pub fn grid(rows: &[Vec<String>]) -> String {
    grid_from(rows, 0, 0)
}

/// The same of a part of a map that begins with the column `left` and the row `top`.
pub fn grid_from(rows: &[Vec<String>], left: usize, top: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|x| {
            let cells = rows.iter().filter_map(|row| row.get(x)).map(|symbol| symbol.chars().count());
            cells.chain([(left + x).to_string().len()]).max().unwrap_or(1)
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (cell, width) in cells.zip(&widths) {
            // Writing to a string cannot fail.
            let _ = write!(line, "{cell:width$} ");
        }
        line.trim_end().to_owned()
    };
    let numbers: Vec<String> = (left..left + columns).map(|x| x.to_string()).collect();
    let mut lines = vec![format!("     x = {}", line(&mut numbers.iter().map(String::as_str)))];
    for (y, row) in (top..).zip(rows) {
        lines.push(format!("y = {y:>2}   {}", line(&mut row.iter().map(String::as_str))));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_symbol() {
        let rows = [["@", "10", "."], ["#", "1", "B"]].map(|row| row.map(str::to_owned).to_vec());
        insta::assert_snapshot!(grid(&rows), @r"
             x = 0 1  2
        y =  0   @ 10 .
        y =  1   # 1  B
        ");
        assert_eq!(grid(&[]), "     x = ");
        insta::assert_snapshot!(grid_from(&rows, 9, 4), @r"
             x = 9 10 11
        y =  4   @ 10 .
        y =  5   # 1  B
        ");
    }
}

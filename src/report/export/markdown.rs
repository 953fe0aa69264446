//! Markdown: a heading, an aligned table, the notes as a list.

use std::io::Write;

use unicode_width::UnicodeWidthStr;

use super::{ExportError, Exporter, Shown, shown};
use crate::report::table::Table;

/// Writes Markdown as GitHub reads it.
#[derive(Clone, Copy, Debug)]
pub struct Markdown;

impl Exporter for Markdown {
    fn extension(&self) -> &'static str {
        "md"
    }

    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), ExportError> {
        let columns: Vec<Text> = shown(table)?.into_iter().map(Text::of).collect();
        writeln!(out, "# {}\n", escape(table.title))?;
        line(out, columns.iter().map(|column| column.pad(&column.heading)))?;
        line(out, columns.iter().map(Text::rule))?;
        for row in 0..table.frame.height() {
            line(out, columns.iter().map(|column| column.pad(column.cells.get(row).map_or("", String::as_str))))?;
        }
        if table.frame.height() == 0 {
            writeln!(out, "\nNo rows.")?;
        }
        for (index, note) in table.notes.iter().enumerate() {
            writeln!(out, "{}- {}", if index == 0 { "\n" } else { "" }, escape(note))?;
        }
        Ok(())
    }
}

fn line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> Result<(), ExportError> {
    writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
    Ok(())
}

/// A column in words.
struct Text {
    heading: String,
    cells: Vec<String>,
    is_number: bool,
    /// Of the widest cell, in columns of a terminal.
    width: usize,
}

impl Text {
    fn of(Shown { heading, cells, is_number }: Shown) -> Self {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell.as_deref().unwrap_or_default())).collect();
        let width = cells.iter().chain([&heading]).map(|cell| cell.width()).max().unwrap_or_default().max(3);
        Text { heading, cells, is_number, width }
    }

    fn pad(&self, cell: &str) -> String {
        let blank = " ".repeat(self.width.saturating_sub(cell.width()));
        if self.is_number { blank + cell } else { cell.to_owned() + &blank }
    }

    fn rule(&self) -> String {
        let dashes = "-".repeat(self.width - 1);
        if self.is_number { dashes + ":" } else { dashes + "-" }
    }
}

/// Text that stays in its cell and shows as it is.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '*' | '`' | '[' => escaped.extend(['\\', character]),
            '<' => escaped.push_str("&lt;"),
            '\n' => escaped.push_str("<br>"),
            '\r' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use polars_core::df;

    use super::*;

    fn written(table: &Table) -> String {
        let mut out = Vec::new();
        Markdown.write(table, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn aligns_and_escapes() {
        let frame = df!(
            "agent" => ["a|b", "魔塔", "two\nlines <b>"],
            "mean_final_hp" => [Some(12.5), None, Some(0.0)],
            "n" => [1_i64, 20, 300],
        )
        .unwrap();
        let table = Table::new("t", "A | B", vec!["first".into(), "second".into()], frame);
        insta::assert_snapshot!(written(&table), @r"
        # A \| B

        | agent               | mean final HP |   n |
        | ------------------- | ------------: | --: |
        | a\|b                |         12.50 |   1 |
        | 魔塔                |               |  20 |
        | two<br>lines &lt;b> |          0.00 | 300 |

        - first
        - second
        ");
    }

    #[test]
    fn the_text_of_a_single_row_is_not_quoted() {
        let frame = df!("agent" => ["greedy"], "note" => [None::<String>]).unwrap();
        let table = Table::new("t", "One", Vec::new(), frame);
        insta::assert_snapshot!(written(&table), @r"
        # One

        | agent  | note |
        | ------ | ---- |
        | greedy |      |
        ");
    }

    #[test]
    fn a_table_without_rows_says_so() {
        let frame = df!("agent" => Vec::<String>::new()).unwrap();
        let table = Table::new("t", "Empty", Vec::new(), frame);
        insta::assert_snapshot!(written(&table), @r"
        # Empty

        | agent |
        | ----- |

        No rows.
        ");
    }
}

//! LaTeX: a table for papers, by the packages booktabs and longtable, with the notes below it.

use std::io::Write;

use super::{ExportError, Exporter, Shown, shown};
use crate::report::table::Table;

/// Writes a `longtable` to be read by `\input`. What it needs stands at its top.
#[derive(Clone, Copy, Debug)]
pub struct Latex;

/// Columns up to which a table is set in the larger of two sizes.
const MOST_COLUMNS: usize = 12;

impl Exporter for Latex {
    fn extension(&self) -> &'static str {
        "tex"
    }

    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), ExportError> {
        let columns = shown(table)?;
        let alignment: String = columns.iter().map(|column| if column.is_number { 'r' } else { 'l' }).collect();
        let heads: Vec<String> = columns.iter().map(|column| escape(&column.heading)).collect();
        let head = format!("\\toprule\n{} \\\\\n\\midrule\n", heads.join(" & "));
        let width = columns.len().max(1);

        writeln!(out, "% {}; needs \\usepackage{{booktabs,longtable}}", table.name)?;
        if has_foreign(table, &columns) {
            writeln!(
                out,
                "% It has characters that pdfLaTeX does not know: use XeLaTeX or LuaLaTeX, with a font that has them."
            )?;
        }
        let size = if columns.len() > MOST_COLUMNS { "scriptsize" } else { "footnotesize" };
        writeln!(out, "{{\\{size}\\setlength{{\\tabcolsep}}{{4pt}}")?;
        writeln!(out, "\\begin{{longtable}}{{@{{}}{alignment}@{{}}}}")?;
        writeln!(out, "\\caption{{{}}}\\label{{tab:{}}}\\\\", escape(table.title), table.name)?;
        write!(out, "{head}\\endfirsthead\n{head}\\endhead\n")?;
        write!(out, "\\midrule\n\\multicolumn{{{width}}}{{r@{{}}}}{{\\emph{{continued}}}}\\\\\n\\endfoot\n")?;
        write!(out, "\\bottomrule\n\\endlastfoot\n")?;
        for row in 0..table.frame.height() {
            let cells: Vec<String> = columns.iter().map(|column| cell(column, row)).collect();
            writeln!(out, "{} \\\\", cells.join(" & "))?;
        }
        if table.frame.height() == 0 {
            writeln!(out, "\\multicolumn{{{width}}}{{@{{}}l@{{}}}}{{\\emph{{No rows.}}}}\\\\")?;
        }
        writeln!(out, "\\end{{longtable}}")?;
        for note in &table.notes {
            writeln!(out, "\\noindent {}\\par", escape(note))?;
        }
        writeln!(out, "}}")?;
        Ok(())
    }
}

/// A document that shows all tables of a report: to look at them, and to copy from.
pub fn document(tables: &[&Table]) -> String {
    let inputs: String = tables.iter().map(|table| format!("\\input{{{}.tex}}\n\\clearpage\n", table.name)).collect();
    format!(
        "\\documentclass[a4paper,landscape]{{article}}
\\usepackage[margin=15mm]{{geometry}}
\\usepackage{{iftex}}
\\iftutex\\usepackage{{fontspec}}\\else\\usepackage[T1]{{fontenc}}\\usepackage{{lmodern}}\\fi
\\usepackage{{booktabs,longtable}}
\\setlength{{\\LTcapwidth}}{{\\linewidth}}
\\begin{{document}}
{inputs}\\end{{document}}
"
    )
}

fn cell(column: &Shown, row: usize) -> String {
    match column.cells.get(row).and_then(Option::as_deref) {
        None if column.is_number => "--".into(),
        None => String::new(),
        // A sign is no hyphen.
        Some(text) if column.is_number => escape(text).replace("-{}", "$-$"),
        Some(text) => escape(text),
    }
}

fn has_foreign(table: &Table, columns: &[Shown]) -> bool {
    let foreign = |text: &str| !escape(text).is_ascii();
    foreign(table.title)
        || table.notes.iter().any(|note| foreign(note))
        || columns.iter().any(|column| column.cells.iter().flatten().any(|cell| foreign(cell)))
}

/// Text that shows as it is. What pdfLaTeX knows only under another name is written by that.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("\\textquotedbl{}"),
            '`' => escaped.push_str("\\textasciigrave{}"),
            // No two of them make a longer dash, and no bracket at a row's beginning is an option of the line before.
            '-' => escaped.push_str("-{}"),
            '[' => escaped.push_str("{[}"),
            '×' => escaped.push_str("\\texttimes{}"),
            '–' => escaped.push_str("\\textendash{}"),
            '…' => escaped.push_str("\\ldots{}"),
            '−' => escaped.push_str("\\textminus{}"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
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
        Latex.write(table, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_character_shows_as_it_is() {
        let frame = df!(
            "agent" => [Some("a_b & 100 % {x} \\y ~ ^"), Some("[魔塔] --flag <i>"), None],
            "gap" => [Some(1.5), None, Some(-2.0)],
            "gap_low" => [Some(1.0), None, None],
            "gap_high" => [Some(2.0), None, None],
        )
        .unwrap();
        insta::assert_snapshot!(written(&Table::new("gaps", "Gaps & more", vec!["95 % of #1".into()], frame)), @r"
        % gaps; needs \usepackage{booktabs,longtable}
        % It has characters that pdfLaTeX does not know: use XeLaTeX or LuaLaTeX, with a font that has them.
        {\footnotesize\setlength{\tabcolsep}{4pt}
        \begin{longtable}{@{}lr@{}}
        \caption{Gaps \& more}\label{tab:gaps}\\
        \toprule
        agent & gap \\
        \midrule
        \endfirsthead
        \toprule
        agent & gap \\
        \midrule
        \endhead
        \midrule
        \multicolumn{2}{r@{}}{\emph{continued}}\\
        \endfoot
        \bottomrule
        \endlastfoot
        a\_b \& 100 \% \{x\} \textbackslash{}y \textasciitilde{} \textasciicircum{} & 1.50 (1.00 to 2.00) \\
        {[}魔塔] -{}-{}flag \textless{}i\textgreater{} & -- \\
         & $-$2.00 \\
        \end{longtable}
        \noindent 95 \% of \#1\par
        }
        ");
    }

    #[test]
    fn a_table_without_rows_says_so() {
        let frame = df!("agent" => Vec::<String>::new()).unwrap();
        insta::assert_snapshot!(written(&Table::new("t", "Empty", Vec::new(), frame)), @r"
        % t; needs \usepackage{booktabs,longtable}
        {\footnotesize\setlength{\tabcolsep}{4pt}
        \begin{longtable}{@{}l@{}}
        \caption{Empty}\label{tab:t}\\
        \toprule
        agent \\
        \midrule
        \endfirsthead
        \toprule
        agent \\
        \midrule
        \endhead
        \midrule
        \multicolumn{1}{r@{}}{\emph{continued}}\\
        \endfoot
        \bottomrule
        \endlastfoot
        \multicolumn{1}{@{}l@{}}{\emph{No rows.}}\\
        \end{longtable}
        }
        ");
    }
}

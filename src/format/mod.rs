//! Files of floors: reading, writing and converting both formats, with every mistake named at its place. Nothing
//! here plays or solves.

mod excerpt;
pub mod h5mota;
pub mod input;
pub mod legend;
pub mod name;
pub mod native;
pub mod problem;
pub mod published;
pub mod table;

use std::path::Path;

pub use input::{ReadError, SIZE_LIMIT, read_text};
pub use legend::legend;
pub use native::{LONGEST_COMMAND, write as write_native};
pub use problem::{Problem, Problems};
pub use published::{CannotHold, write as write_published};
pub use table::{Places, Table};

use crate::game::Tower;

/// Reads a tower from a file in either format.
///
/// # Errors
/// That the file cannot be read, or all mistakes in it.
pub fn read_tower(path: &Path) -> Result<Tower, ReadError> {
    let text = read_text(path, SIZE_LIMIT)?;
    Ok(parse_tower(&path.display().to_string(), &text)?)
}

/// Reads a tower from the text of a file in either format, which its content tells. `file_name` is for messages, and
/// names the tower if the text does not.
///
/// # Errors
/// All mistakes in it.
pub fn parse_tower(file_name: &str, text: &str) -> Result<Tower, Problems> {
    let wrong = |problem: Problem| {
        let mut problems = Problems::new(file_name, text);
        problems.push(problem);
        problems.into_result(None)
    };
    let bare = text.trim_start_matches('\u{feff}');
    let Some(first) = bare.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')) else {
        return wrong(Problem::of_file("this file is empty; a floor is needed").with_help(FORMATS));
    };
    if bare.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '-') {
        return published::read(file_name, text);
    }
    if !first.starts_with('[') && !first.contains('=') {
        let start = first.as_ptr() as usize - text.as_ptr() as usize;
        let message = "this is neither a floor in TOML nor one in the published solver's text";
        return wrong(Problem::at(start..start + first.len(), message).with_help(FORMATS));
    }
    native::read(file_name, text)
}

const FORMATS: &str =
    "TOML begins with `name = …` or a table such as [hero]; the published text with its count of floors";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_tells_the_format() {
        let told = |text: &str| parse_tower("floor.txt", text).unwrap_err().to_string();
        insta::assert_snapshot!(told("\u{feff}\n# nothing here\n"), @"floor.txt: this file is empty; a floor is needed (TOML begins with `name = …` or a table such as [hero]; the published text with its count of floors)");
        insta::assert_snapshot!(told("\n{\"floors\": []}\n"), @"floor.txt:2:1: this is neither a floor in TOML nor one in the published solver's text (TOML begins with `name = …` or a table such as [hero]; the published text with its count of floors)");
        insta::assert_snapshot!(told("\u{feff}\r\n 1"), @"floor.txt:2:3: the file ends here; expected the number of rows");
        insta::assert_snapshot!(told("# a floor\ntitle = 3"), @r#"
        floor.txt: there is no hero: a table [hero] with hp, atk and def is needed
        floor.txt: there is no floor (draw one: [[floor]], then map = """ and its rows)
        floor.txt:2:9: `title`: expected a string, found the number `3`
        "#);
    }
}

//! Short names of towers, as files, traces and options carry them. Knows nothing of formats.

use std::path::Path;

/// Characters that a name may have.
const LONGEST: usize = 80;

/// Whether a text is a short name: letters, digits, `_` and `-`.
///
/// # Errors
/// What is wrong with it, in words.
pub fn check_name(name: &str) -> Result<(), String> {
    let right = !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_plain);
    match right {
        true => Ok(()),
        false => Err(format!("a name is 1 to {LONGEST} letters (a to z), digits, `_` and `-`; use `title` for more")),
    }
}

/// The name of a tower that states none: its file's, without the ending and with `-` for what a name cannot have.
pub fn name_of_file(file: &str) -> String {
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let name: String = stem.chars().take(LONGEST).map(|c| if is_plain(c) { c } else { '-' }).collect();
    if name.is_empty() { "tower".to_owned() } else { name }
}

/// Whether a file beside the floors holds the table of room kinds, by its name; a pattern for floors passes over it.
pub fn is_table_of_kinds(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "kinds.toml")
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_a_name_that_is_right() {
        for (file, name) in [("floors/simple.toml", "simple"), ("../a b.c.txt", "a-b-c"), ("塔", "-"), ("", "tower")] {
            assert_eq!(name_of_file(file), name);
            assert_eq!(check_name(name), Ok(()));
        }
        assert!(check_name("a b").is_err() && check_name("").is_err() && check_name(&"a".repeat(81)).is_err());
    }
}

//! A command as a shell reads it: what a file states, so that it can be made again.

use std::path::Path;

use super::Failure;
use crate::format::LONGEST_COMMAND;

/// A command in the making.
#[derive(Clone, Debug)]
pub struct CommandLine {
    text: String,
    /// Whether a part of it is no text.
    unfit: bool,
}

impl CommandLine {
    /// A command that begins with these words.
    pub fn new(words: &str) -> Self {
        CommandLine { text: words.to_owned(), unfit: false }
    }

    /// Adds a word.
    pub fn word(mut self, word: &str) -> Self {
        self.text.push(' ');
        self.text += &quoted(word);
        self
    }

    /// Adds a path.
    pub fn path(mut self, path: &Path) -> Self {
        match path.to_str() {
            // Nobody shall take it for an option.
            Some(path) if path.starts_with('-') => self.word(&format!("./{path}")),
            Some(path) => self.word(path),
            None => {
                self.unfit = true;
                self
            }
        }
    }

    /// Adds an option with its value.
    pub fn option(self, name: &str, value: impl ToString) -> Self {
        let value = value.to_string();
        match value.starts_with('-') {
            true => self.word(&format!("{name}={value}")),
            false => self.word(name).word(&value),
        }
    }

    /// Adds an option, if it has a value.
    pub fn option_if(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// The whole command.
    ///
    /// # Errors
    /// That a file cannot state it: it is too long, or a word holds a line break or is no Unicode.
    pub fn finish(self) -> Result<String, Failure> {
        let long = self.text.chars().count() > LONGEST_COMMAND;
        let unfit = self.unfit || long || self.text.chars().any(char::is_control);
        match unfit {
            true => Err(Failure::bad_input(format!(
                "a file states the command that made it, which must be one line of at most {LONGEST_COMMAND} characters of Unicode, paths included"
            ))),
            false => Ok(self.text),
        }
    }
}

/// A word, in quotes if a shell would take it for something else.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:,=+@%-".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_every_word() {
        let words =
            ["plain", "two words", "it's", "a;b", "*.hp=1..2", "none|any", "", "$HOME", "ein Flur", "`x`", "\\"];
        let line = words.iter().fold(CommandLine::new("printf '%s\\n'"), |line, word| line.word(word));
        let line = line.option("--optimum", "-5..10").finish().unwrap();
        let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        let read = String::from_utf8(output.stdout).unwrap();
        let expected = words.iter().chain(&["--optimum=-5..10"]).map(|word| format!("{word}\n")).collect::<String>();
        assert_eq!(read, expected);
    }

    #[test]
    fn what_no_file_can_state_is_refused() {
        assert!(CommandLine::new("mota").word("a\nb").finish().is_err());
        assert!(CommandLine::new("mota").word(&"x".repeat(LONGEST_COMMAND)).finish().is_err());
    }
}

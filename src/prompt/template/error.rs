//! What cannot be done with a prompt, in words. Knows nothing of how prompts are read.

/// What cannot be done with a prompt. Every message names the file, and the line where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// No prompt of that name is built in.
    #[error("there is no prompt `{name}`; did you mean `{nearest}`? (a prompt of your own is named by its path)")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The built-in prompt whose name is nearest.
        nearest: String,
    },
    /// The file cannot be read.
    #[error("{file}: {reason}")]
    Read {
        /// Which file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The front matter is missing or wrong.
    #[error("{file}:{line}: {reason}")]
    FrontMatter {
        /// Which file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The template cannot be read, or uses something that does not exist.
    #[error("{file}:{line}: {reason}")]
    Template {
        /// Which file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// There is no instruction for the form of answer that an agent is configured for.
    #[error("{file}: the front matter has no `{form}` in [{table}], but an agent is configured for that form")]
    NoInstruction {
        /// Which file.
        file: String,
        /// The table of the front matter.
        table: &'static str,
        /// The form.
        form: &'static str,
    },
    /// Not even what cannot be left out fits.
    #[error("the prompt `{prompt}` comes to about {needed} tokens at the least, and may have {most}")]
    TooLong {
        /// The prompt's name.
        prompt: String,
        /// Tokens that it comes to at the least.
        needed: u64,
        /// Tokens that it may have.
        most: u64,
    },
}

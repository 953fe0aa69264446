//! A description as a TOML file. Writing what was read gives the same bytes back, if they were written here.

use super::{Description, DescriptionError};

impl Description {
    /// Reads a description from the text of a file, whose name is for messages, and checks it.
    ///
    /// # Errors
    /// [`DescriptionError::File`]: what is wrong with it first.
    pub fn read(text: &str, file: &str) -> Result<Self, DescriptionError> {
        let wrong =
            |message: String| DescriptionError::File { file: file.to_owned(), message: message.trim_end().to_owned() };
        let description: Description = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        description.check().map_err(|error| wrong(error.to_string()))?;
        Ok(description)
    }

    /// The text of its file.
    ///
    /// # Errors
    /// [`DescriptionError::File`] if TOML cannot hold it, which no description does that [`Description::check`] accepts.
    pub fn to_toml(&self) -> Result<String, DescriptionError> {
        toml::to_string(self)
            .map_err(|error| DescriptionError::File { file: format!("{}.toml", self.name), message: error.to_string() })
    }
}

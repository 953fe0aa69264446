//! Pictures as files: SVG or PNG, as the file's name says.

use std::path::Path;

use super::{Failure, output};
use crate::report::png;

/// How a picture is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text, as it is.
    Svg,
    /// Pixels: so many across, or twice the size of the SVG.
    Png(Option<u32>),
}

/// The form that a file's extension names, with the width that was asked for.
///
/// # Errors
/// That it is none, or that a width goes with a PNG only.
pub fn form(path: &Path, width: Option<u32>) -> Result<Form, Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match (extension.as_str(), width) {
        ("svg", None) => Ok(Form::Svg),
        ("svg", Some(_)) => Err(Failure::bad_input("--width is the width of a PNG; an SVG has no pixels")),
        ("png", width) => Ok(Form::Png(width)),
        _ => Err(Failure::bad_input(format!(
            "{}: a picture is written as SVG or PNG; name the file FILE.svg or FILE.png",
            path.display()
        ))),
    }
}

/// Writes a picture.
///
/// # Errors
/// That it cannot be drawn or written.
pub fn write(path: &Path, form: Form, svg: String) -> Result<(), Failure> {
    let bytes = match form {
        Form::Svg => svg.into_bytes(),
        Form::Png(width) => png::png(&svg, width)?,
    };
    output::file(path, &bytes)
}

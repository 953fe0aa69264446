//! PNG from SVG, with a font of our own, so that text shows on a machine that has none.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::{self, FontResolver, Options, Tree};

/// Pixels of the PNG for one of the SVG.
const SCALE: f32 = 2.0;
/// Longest side of a PNG in pixels.
pub const LONGEST: u32 = 16_000;
/// Most pixels of a PNG: 144 MB while it is drawn.
const MOST: f32 = 36e6;

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The drawing is not SVG.
    #[error("the drawing cannot be read: {0}")]
    Svg(usvg::Error),
    /// The drawing has no size, or one that does not fit into memory.
    #[error("a picture of {width} × {height} pixels cannot be made")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The drawing has too many shapes.
    #[error("the drawing has more shapes than a PNG can be made of; as SVG it can be written")]
    Shapes,
    /// The pixels cannot be packed.
    #[error("the picture cannot be encoded: {0}")]
    Encode(String),
}

impl From<usvg::Error> for PngError {
    fn from(error: usvg::Error) -> Self {
        use usvg::roxmltree::Error::NodesLimitReached;
        match error {
            usvg::Error::ElementsLimitReached | usvg::Error::ParsingFailed(NodesLimitReached) => PngError::Shapes,
            other => PngError::Svg(other),
        }
    }
}

/// Draws an SVG so many pixels wide; unless told, at twice its size, or at less where that would be too large.
///
/// # Errors
/// [`PngError`]; [`PngError::Size`] if a picture of the wanted width would be too large.
pub fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, PngError> {
    let tree = tree(svg)?;
    let size = tree.size();
    let pixels = |scale: f32| [size.width(), size.height()].map(|side| (side * scale).ceil().max(1.0) as u32);
    let largest =
        (LONGEST as f32 / size.width().max(size.height())).min((MOST / (size.width() * size.height())).sqrt());
    let (scale, [width, height]) = match width {
        None => (SCALE.min(largest), pixels(SCALE.min(largest))),
        Some(width) => {
            let scale = width as f32 / size.width();
            let [_, height] = pixels(scale);
            if scale > largest {
                return Err(PngError::Size { width, height });
            }
            (scale, [width, height])
        }
    };
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

/// The drawing with its text laid out in our font.
pub(super) fn tree(svg: &str) -> Result<Tree, usvg::Error> {
    let options = Options { fontdb: FONTS.clone(), font_resolver: resolver(), ..Options::default() };
    Tree::from_str(svg, &options)
}

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [ttf_noto_sans::REGULAR, ttf_noto_sans::BOLD] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Noto Sans");
    fonts.set_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// Looks at the machine's own fonts only for a character that ours lacks (a Chinese name, say): all other pictures
/// are the same everywhere.
fn resolver() -> FontResolver<'static> {
    let select = FontResolver::default_fallback_selector();
    let select_fallback = move |character: char, tried: &[ID], fonts: &mut Arc<Database>| {
        if fonts.len() == FONTS.len() {
            Arc::make_mut(fonts).load_system_fonts();
        }
        select(character, tried, fonts)
    };
    FontResolver { select_fallback: Box::new(select_fallback), ..FontResolver::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(width: u32, height: u32, wanted: Option<u32>) -> Result<(u32, u32), String> {
        let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>"#);
        let bytes = png(&svg, wanted).map_err(|error| error.to_string())?;
        let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        Ok((side(16), side(20)))
    }

    #[test]
    fn a_picture_is_twice_its_size_or_as_wide_as_wanted() {
        assert_eq!(sized(30, 20, None), Ok((60, 40)));
        assert_eq!(sized(463, 511, Some(400)), Ok((400, 442)));
    }

    #[test]
    fn a_picture_too_large_is_scaled_less_or_refused() {
        let (width, height) = sized(10_000, 10_000, None).unwrap();
        assert!((5_999..=6_001).contains(&width) && width == height, "{width}");
        assert_eq!(sized(32_000, 20, None), Ok((16_000, 10)));
        assert_eq!(sized(20, 20, Some(9_000)), Err("a picture of 9000 × 9000 pixels cannot be made".into()));
    }
}

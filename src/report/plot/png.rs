//! PNG from SVG, with a font of our own, so that text shows on a machine that has none.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::{self, FontResolver, Options, Tree};

/// Pixels of the PNG for one of the SVG.
const SCALE: f32 = 2.0;
/// Longest side of a PNG in pixels; a longer one is scaled less.
const LONGEST: f32 = 16_000.0;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The drawing is not SVG.
    #[error("the drawing cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    /// The drawing has no size, or one that does not fit into memory.
    #[error("a picture of {width} × {height} pixels cannot be made")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The pixels cannot be packed.
    #[error("the picture cannot be encoded: {0}")]
    Encode(String),
}

/// Draws an SVG at twice its size.
///
/// # Errors
/// [`PictureError`].
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    let tree = tree(svg)?;
    let size = tree.size();
    let scale = SCALE.min(LONGEST / size.width().max(size.height()));
    let [width, height] = [size.width(), size.height()].map(|side| (side * scale).ceil() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or(PictureError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PictureError::Encode(error.to_string()))
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

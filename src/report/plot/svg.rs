//! A page of SVG: the few shapes that our pictures need, and how wide text is. Knows nothing of what is drawn.
//!
//! Every number is written with at most two decimals, so that the same drawing gives the same bytes.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

/// Fonts, the best first; any machine has the last.
const FONTS: &str = "'Noto Sans', 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif";

/// What a text hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Font {
    /// Height of an em, in pixels.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Colour.
    pub fill: &'static str,
    /// Whether a white rim keeps it legible on top of lines.
    pub halo: bool,
}

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour.
    pub colour: &'static str,
    /// Pixels.
    pub width: f64,
    /// From 0, invisible, to 1.
    pub opacity: f64,
    /// Dash and gap in pixels; none for a solid line.
    pub dash: Option<(f64, f64)>,
}

impl Stroke {
    /// A solid, opaque line.
    pub const fn solid(colour: &'static str, width: f64) -> Self {
        Stroke { colour, width, opacity: 1.0, dash: None }
    }
}

/// A page in the making. Coordinates are pixels from the top left.
pub struct Page {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

impl Page {
    /// A white page. `title` is what a screen reader says.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Page { width, height, title: escape(title), body: String::new() }
    }

    /// Adds a filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        self.push(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#));
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.polyline(&[from, to], stroke);
    }

    /// Adds a line through `points`.
    pub fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let mut path = String::new();
        let mut last = None;
        for &(x, y) in points {
            let (x, y) = (number(x), number(y));
            // The two short forms halve a step line.
            let step = match &last {
                None => format!("M{x} {y}"),
                Some((_, before)) if *before == y => format!("H{x}"),
                Some((before, _)) if *before == x => format!("V{y}"),
                Some(_) => format!("L{x} {y}"),
            };
            path.push_str(&step);
            last = Some((x, y));
        }
        let Stroke { colour, width, opacity, dash } = stroke;
        let mut style = format!(r#"stroke="{colour}" stroke-width="{}""#, number(width));
        if opacity < 1.0 {
            style += &format!(r#" stroke-opacity="{}""#, number(opacity));
        }
        if let Some((on, off)) = dash {
            style += &format!(r#" stroke-dasharray="{} {}""#, number(on), number(off));
        }
        self.push(format_args!(r#"<path d="{path}" fill="none" {style}/>"#));
    }

    /// Adds a filled circle with a white rim.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let [x, y, radius] = [x, y, radius].map(number);
        self.push(format_args!(r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="#fff"/>"##));
    }

    /// Adds an open square.
    pub fn square(&mut self, (x, y): (f64, f64), radius: f64, stroke: &str) {
        let [x, y, side] = [x - radius, y - radius, 2.0 * radius].map(number);
        self.push(format_args!(
            r##"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#fff" stroke="{stroke}" stroke-width="1.5"/>"##
        ));
    }

    /// Adds a diagonal cross.
    pub fn cross(&mut self, (x, y): (f64, f64), radius: f64, stroke: &str, opacity: f64) {
        let [left, right, top, bottom, opacity] = [x - radius, x + radius, y - radius, y + radius, opacity].map(number);
        self.push(format_args!(
            r#"<path d="M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}" stroke="{stroke}" stroke-width="2" stroke-opacity="{opacity}"/>"#
        ));
    }

    /// Adds a line of text whose baseline is at `y`.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, font: Font, text: &str) {
        let style = style(anchor, font);
        let (x, y) = (number(x), number(y));
        self.push(format_args!(r#"<text x="{x}" y="{y}"{style}>{}</text>"#, escape(text)));
    }

    /// Adds a line of text that is read from bottom to top, centred on a point of its baseline.
    pub fn upward_text(&mut self, (x, y): (f64, f64), font: Font, text: &str) {
        let style = style(Anchor::Middle, font);
        let (x, y) = (number(x), number(y));
        self.push(format_args!(r#"<text transform="translate({x} {y}) rotate(-90)"{style}>{}</text>"#, escape(text)));
    }

    /// The whole file.
    pub fn finish(self) -> String {
        let (width, height) = (number(self.width), number(self.height));
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}">
<title>{}</title>
<rect width="100%" height="100%" fill="#fff"/>
{}</svg>
"##,
            self.title, self.body
        )
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }
}

fn style(anchor: Anchor, font: Font) -> String {
    let mut style = format!(r#" font-size="{}" fill="{}""#, number(font.size), font.fill);
    match anchor {
        Anchor::Start => {}
        Anchor::Middle => style += r#" text-anchor="middle""#,
        Anchor::End => style += r#" text-anchor="end""#,
    }
    if font.bold {
        style += r#" font-weight="700""#;
    }
    if font.halo {
        style += r##" stroke="#fff" stroke-width="3" stroke-linejoin="round" paint-order="stroke""##;
    }
    style
}

/// Two decimals at most, no zeros at the end.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".into(),
        short => short.to_owned(),
    }
}

/// Text for XML, which knows no control characters.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Width of a text in pixels: an estimate from above, since which font will show it is not known.
pub fn width(text: &str, font: Font) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.3,
            'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.4,
            's' | 'c' | 'k' | 'v' | 'x' | 'y' | 'z' | '_' => 0.53,
            'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.92,
            c if c.is_uppercase() => 0.7,
            c if c.width() == Some(2) => 1.05,
            c if c.width() == Some(0) => 0.0,
            _ => 0.6,
        })
        .sum();
    ems * font.size * if font.bold { 1.08 } else { 1.0 }
}

/// `text`, or as much of its beginning as fits into `room` pixels, with `…`.
pub fn cut(text: &str, font: Font, room: f64) -> String {
    if width(text, font) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() {
        let candidate = format!("{}…", kept.trim_end());
        if width(&candidate, font) <= room {
            return candidate;
        }
    }
    String::new()
}

/// `text` in lines of at most `room` pixels, broken at blanks; a word that is wider is cut.
pub fn wrap(text: &str, font: Font, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), font) <= room => *line += &format!(" {word}"),
            _ => lines.push(cut(word, font, room)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: Font = Font { size: 10.0, bold: false, fill: "#000", halo: false };

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, -0.001, 1.5, 10.0, 2.0 / 3.0].map(number), ["0", "0", "1.5", "10", "0.67"]);
    }

    #[test]
    fn cut_text_fits_and_says_that_it_is_cut() {
        assert_eq!(cut("short", FONT, 100.0), "short");
        let name = "a-model-with-a-very-long-name / single_floor";
        for room in [5.0, 20.0, 60.0, 120.0] {
            let cut = cut(name, FONT, room);
            assert!(width(&cut, FONT) <= room, "{cut}");
            assert!(cut.is_empty() || cut.ends_with('…'), "{cut}");
        }
    }

    #[test]
    fn wrapped_lines_fit_and_keep_every_word() {
        let text = "one two three four five six seven";
        let lines = wrap(text, FONT, 60.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, FONT) <= 60.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<a & \"b\">\u{0}"), "&lt;a &amp; &quot;b&quot;&gt; ");
    }
}

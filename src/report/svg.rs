//! A page of SVG: the few shapes that our pictures need, and shapes that are defined once and
//! used often. Knows nothing of what is drawn.
//!
//! Every number is written with at most two decimals, so that the same drawing gives the same bytes.

use std::collections::BTreeSet;
use std::fmt::Write;

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
    description: String,
    defined: BTreeSet<String>,
    definitions: String,
    body: String,
}

impl Page {
    /// A white page. `title` is what a screen reader says.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Page {
            width,
            height,
            title: escape(title),
            description: String::new(),
            defined: BTreeSet::new(),
            definitions: String::new(),
            body: String::new(),
        }
    }

    /// Says what is to be seen, for readers who do not see it.
    pub fn describe(&mut self, text: &str) {
        self.description = escape(text);
    }

    /// Defines a shape, given as SVG of its own, unless a shape of that name is already there. A name is letters,
    /// digits, `-` and `_`, and stands for the same shape in all our pictures: several may share one HTML page.
    pub fn define(&mut self, name: &str, shape: &str) {
        if self.defined.insert(name.to_owned()) {
            // Writing to a string cannot fail.
            let _ = writeln!(self.definitions, r#"<g id="{name}">{shape}</g>"#);
        }
    }

    /// Adds a defined shape with its origin at a point, scaled.
    pub fn place(&mut self, name: &str, (x, y): (f64, f64), scale: f64) {
        let (x, y) = (number(x), number(y));
        match number(scale).as_str() {
            "1" => self.push(format_args!(r##"<use href="#{name}" x="{x}" y="{y}"/>"##)),
            scale => {
                self.push(format_args!(r##"<use href="#{name}" transform="translate({x} {y}) scale({scale})"/>"##));
            }
        }
    }

    /// Adds a filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        self.push(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#));
    }

    /// Adds a filled rectangle through which what lies below is seen; opacity from 0, invisible, to 1.
    pub fn veil(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str, opacity: f64) {
        let [x, y, width, height, opacity] = [x, y, width, height, opacity].map(number);
        self.push(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" fill-opacity="{opacity}"/>"#
        ));
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
        let style = line_style(stroke);
        self.push(format_args!(r#"<path d="{path}" fill="none" {style}/>"#));
    }

    /// Adds a curve from its first point to its last, drawn towards the two between.
    pub fn curve(&mut self, [from, leaves, arrives, to]: [(f64, f64); 4], stroke: Stroke) {
        let [from, leaves, arrives, to] =
            [from, leaves, arrives, to].map(|(x, y)| format!("{} {}", number(x), number(y)));
        let style = line_style(stroke);
        self.push(format_args!(r#"<path d="M{from}C{leaves} {arrives} {to}" fill="none" {style}/>"#));
    }

    /// Adds straight lines of one look as a single shape.
    pub fn lines(&mut self, lines: &[[(f64, f64); 2]], stroke: Stroke) {
        let mut path = String::new();
        for &[from, to] in lines {
            let [x, y, to_x, to_y] = [from.0, from.1, to.0, to.1].map(number);
            path += &format!("M{x} {y}L{to_x} {to_y}");
        }
        let Stroke { colour, width, .. } = stroke;
        let width = number(width);
        self.push(format_args!(r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>"#));
    }

    /// Adds the outline of a rectangle with round corners.
    pub fn frame(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), radius: f64, stroke: Stroke) {
        let Stroke { colour, width: line, .. } = stroke;
        let [x, y, width, height, radius, line] = [x, y, width, height, radius, line].map(number);
        self.push(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="none" stroke="{colour}" stroke-width="{line}"/>"#
        ));
    }

    /// Adds a filled rectangle with round ends.
    pub fn pill(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let [x, y, width, height, radius] = [x, y, width, height, height / 2.0].map(number);
        self.push(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}"/>"#
        ));
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
        let wrapped = |inner: &str, before: &str, after: &str| match inner {
            "" => String::new(),
            _ => format!("{before}{inner}{after}\n"),
        };
        let description = wrapped(&self.description, "<desc>", "</desc>");
        let definitions = wrapped(&self.definitions, "<defs>\n", "</defs>");
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}">
<title>{}</title>
{description}{definitions}<rect width="100%" height="100%" fill="#fff"/>
{}</svg>
"##,
            self.title, self.body
        )
    }

    /// Begins a group of these attributes, which hold no text from outside; [`Page::end`] ends it.
    pub fn begin(&mut self, attributes: std::fmt::Arguments<'_>) {
        self.push(format_args!("<g {attributes}>"));
    }

    /// Ends the last group.
    pub fn end(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// The drawing for a page of HTML: on the page's own ground, named and described by the page.
    pub fn inlay(self) -> String {
        let (width, height) = (number(self.width), number(self.height));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}">
<defs>
{}</defs>
{}</svg>
"#,
            self.definitions, self.body
        )
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }
}

fn line_style(stroke: Stroke) -> String {
    let Stroke { colour, width, opacity, dash } = stroke;
    let mut style = format!(r#"stroke="{colour}" stroke-width="{}""#, number(width));
    if opacity < 1.0 {
        style += &format!(r#" stroke-opacity="{}""#, number(opacity));
    }
    if let Some((on, off)) = dash {
        style += &format!(r#" stroke-dasharray="{} {}""#, number(on), number(off));
    }
    style
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
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".into(),
        short => short.to_owned(),
    }
}

/// Text for XML, which knows no control characters.
pub fn escape(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, -0.001, 1.5, 10.0, 2.0 / 3.0].map(number), ["0", "0", "1.5", "10", "0.67"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<a & \"b\">\u{0}"), "&lt;a &amp; &quot;b&quot;&gt; ");
    }

    #[test]
    fn a_shape_is_defined_once_and_used_by_name() {
        let mut page = Page::new(10.0, 10.0, "a <page>");
        page.describe("two & two");
        for x in [0.0, 5.0] {
            page.define("dot", "<circle r=\"2\"/>");
            page.place("dot", (x, 5.0), 1.0);
        }
        let svg = page.finish();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<use").count()), (1, 2));
        assert!(svg.contains("<title>a &lt;page&gt;</title>") && svg.contains("<desc>two &amp; two</desc>"), "{svg}");
    }
}

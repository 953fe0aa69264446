//! For tests: what a drawing shows once it is laid out in our own font. Knows nothing of what is drawn.

use resvg::usvg::{Group, Node, Rect};

use super::png;

/// What is written where.
pub fn texts(svg: &str) -> Vec<(String, Rect)> {
    let mut texts = Vec::new();
    collect(png::tree(svg).unwrap().root(), &mut texts);
    texts
}

fn collect(group: &Group, texts: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => collect(group, texts),
            Node::Text(text) => {
                let words = text.chunks().iter().map(|chunk| chunk.text()).collect();
                texts.push((words, text.flattened().abs_bounding_box()));
            }
            _ => {}
        }
    }
}

/// That every text has glyphs, lies on the page and touches no other.
pub fn assert_whole_and_apart(svg: &str, what: &str) {
    let page = png::tree(svg).unwrap().size();
    let texts = texts(svg);
    for (index, (text, area)) in texts.iter().enumerate() {
        let inside = area.left() >= 0.0 && area.right() <= page.width() && area.bottom() <= page.height();
        assert!(inside && area.width() > 0.0, "{what}: {text} at {area:?}");
        for (other, place) in &texts[..index] {
            let apart = area.right() <= place.left()
                || place.right() <= area.left()
                || area.bottom() <= place.top()
                || place.bottom() <= area.top();
            assert!(apart, "{what}: {text} {area:?} on {other} {place:?}");
        }
    }
}

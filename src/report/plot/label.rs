//! Labels that do not overlap: each is put at the first of its places that is free, or left out. Knows boxes only.

use crate::report::svg::{Anchor, Font, Page};
use crate::report::text::width;

/// A place for a label: a point of its baseline, and what hangs on it.
pub type Place = ((f64, f64), Anchor);

/// The labels of a panel.
pub struct Labels {
    /// Left, top, right, bottom within which all must stay.
    bounds: [f64; 4],
    taken: Vec<[f64; 4]>,
}

impl Labels {
    /// None yet; all must stay between the corners.
    pub fn within((left, top): (f64, f64), (right, bottom): (f64, f64)) -> Self {
        Labels { bounds: [left, top, right, bottom], taken: Vec::new() }
    }

    /// Keeps labels off a mark.
    pub fn avoid(&mut self, (x, y): (f64, f64), radius: f64) {
        self.taken.push([x - radius, y - radius, x + radius, y + radius]);
    }

    /// Puts a label at the first free place; tells whether there was one.
    pub fn put(&mut self, page: &mut Page, text: &str, font: Font, places: &[Place]) -> bool {
        let width = width(text, font);
        for &((x, y), anchor) in places {
            let left = match anchor {
                Anchor::Start => x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            let area = [left, y - 0.8 * font.size, left + width, y + 0.2 * font.size];
            if self.is_free(area) {
                page.text((x, y), anchor, font, text);
                self.taken.push(area);
                return true;
            }
        }
        false
    }

    fn is_free(&self, [left, top, right, bottom]: [f64; 4]) -> bool {
        let [min_x, min_y, max_x, max_y] = self.bounds;
        let inside = left >= min_x && top >= min_y && right <= max_x && bottom <= max_y;
        inside && self.taken.iter().all(|[l, t, r, b]| right <= *l || left >= *r || bottom <= *t || top >= *b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_takes_the_first_free_place_or_none() {
        let font = Font { size: 10.0, bold: false, fill: "#000", halo: false };
        let mut page = Page::new(100.0, 100.0, "");
        let mut labels = Labels::within((0.0, 0.0), (100.0, 100.0));
        let (here, above, outside) =
            (((50.0, 50.0), Anchor::Middle), ((50.0, 30.0), Anchor::Middle), ((99.0, 50.0), Anchor::Start));
        assert!(labels.put(&mut page, "first", font, &[here]));
        assert!(!labels.put(&mut page, "second", font, &[here, outside]));
        assert!(labels.put(&mut page, "third", font, &[here, above]));
        let svg = page.finish();
        assert!(svg.contains("first") && !svg.contains("second") && svg.contains(r#"y="30""#));
    }
}

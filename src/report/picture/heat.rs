//! How often something happened on each tile, as colour over the picture of a floor. Knows counts; knows nothing of what
//! was counted.

use std::collections::BTreeMap;

use super::badge;
use super::glyph::{Glyphs, TILE};
use super::palette::MARK;
use super::panel::Panel;
use super::sheet::Sheet;
use super::{DrawError, HEADING, MARGIN, NARROWEST, Picture};
use crate::game::{Game, Position, State};
use crate::report::style::{LINE, SUBTITLE, TITLE};
use crate::report::svg::{Anchor, Page, Stroke};
use crate::report::text;

/// Opacity of the colour where it happened once, and where it happened most.
const FAINTEST: f64 = 0.18;
const STRONGEST: f64 = 0.62;
/// From one part of the page to the next.
const GAP: f64 = 12.0;
/// Side of a colour's sample.
const SAMPLE: f64 = 14.0;

/// A picture of a state on which tiles are coloured by how often something happened there.
#[derive(Clone, Copy, Debug)]
pub struct HeatMap<'a> {
    /// The game.
    pub game: &'a Game,
    /// What has been cleared and where the hero stands.
    pub state: &'a State,
    /// Its heading.
    pub title: &'a str,
    /// What was counted, in a sentence.
    pub remark: &'a str,
    /// How often, by tile; each at least 1.
    pub counts: &'a BTreeMap<Position, usize>,
    /// What stands below the map, a paragraph each.
    pub captions: &'a [String],
}

impl HeatMap<'_> {
    /// The picture as SVG.
    ///
    /// # Errors
    /// [`DrawError`] if a tile lies outside the tower, or the tower is too large.
    pub fn svg(&self) -> Result<String, DrawError> {
        let tiles: Vec<super::Mark> = self.counts.keys().map(|at| super::Mark { at: *at, text: None }).collect();
        Picture { game: self.game, state: self.state, marks: &tiles, legend: false, floor: None }.check()?;
        let panels: Vec<Panel<'_>> =
            (0..self.game.tower().floors.len()).map(|index| Panel::of(self.game, self.state, index as u16)).collect();
        let sheet = Sheet::of(&panels.iter().map(Panel::size).collect::<Vec<_>>());
        let room = sheet.size.0.max(NARROWEST - 2.0 * MARGIN);
        let (title, remark) = (text::wrap(self.title, TITLE, room), text::wrap(self.remark, SUBTITLE, room));
        let captions: Vec<String> =
            self.captions.iter().flat_map(|caption| text::wrap(caption, SUBTITLE, room)).collect();
        let top = MARGIN + HEADING * title.len() as f64 + LINE * remark.len() as f64 + 4.0;
        let (scale, bottom) = (top + sheet.size.1 + GAP, top + sheet.size.1 + GAP + SAMPLE + GAP);

        let height = bottom + LINE * captions.len() as f64 + MARGIN;
        let mut page = Page::new(room + 2.0 * MARGIN, height, self.title);
        page.describe(&self.description());
        for (line, number) in title.iter().zip(0..) {
            page.text((MARGIN, MARGIN + 14.0 + f64::from(number) * HEADING), Anchor::Start, TITLE, line);
        }
        let mut baseline = MARGIN + HEADING * title.len() as f64 - 6.0;
        for line in &remark {
            baseline += LINE;
            page.text((MARGIN, baseline), Anchor::Start, SUBTITLE, line);
        }
        let mut glyphs = Glyphs::of(self.game);
        for (index, (panel, (x, y))) in panels.iter().zip(&sheet.corners).enumerate() {
            let corner = (MARGIN + x, top + y);
            panel.draw(corner, &BTreeMap::new(), &mut glyphs, &mut page);
            for (at, count) in self.counts.iter().filter(|(at, _)| usize::from(at.floor) == index) {
                self.tile(panel.tile_at(corner, *at), *count, &mut page);
            }
        }
        self.scale((MARGIN, scale), &mut page);
        for (line, number) in captions.iter().zip(1..) {
            page.text((MARGIN, bottom - 4.0 + f64::from(number) * LINE), Anchor::Start, SUBTITLE, line);
        }
        Ok(page.finish())
    }

    /// Colour and number: neither alone tells it.
    fn tile(&self, (x, y): (f64, f64), count: usize, page: &mut Page) {
        page.veil((x, y), (TILE, TILE), MARK, self.opacity(count));
        page.frame((x + 0.8, y + 0.8), (TILE - 1.6, TILE - 1.6), 0.0, Stroke::solid(MARK, 1.6));
        badge::draw_number(&count.to_string(), (x - 1.0, y - 1.0), Anchor::Start, page);
    }

    /// What the faintest and the strongest colour mean.
    fn scale(&self, (mut x, y): (f64, f64), page: &mut Page) {
        let most = self.most();
        let samples = if most > 1 { vec![1, most] } else { vec![1] };
        for count in samples {
            page.veil((x, y), (SAMPLE, SAMPLE), MARK, self.opacity(count));
            page.frame((x, y), (SAMPLE, SAMPLE), 0.0, Stroke::solid(MARK, 1.0));
            let label = if count == 1 { "1 episode".into() } else { format!("{count} episodes") };
            page.text((x + SAMPLE + 6.0, y + SAMPLE - 3.0), Anchor::Start, SUBTITLE, &label);
            x += SAMPLE + 6.0 + text::width(&label, SUBTITLE) + 16.0;
        }
    }

    fn most(&self) -> usize {
        self.counts.values().copied().max().unwrap_or(1)
    }

    fn opacity(&self, count: usize) -> f64 {
        let most = self.most();
        let share = if most > 1 { (count - 1) as f64 / (most - 1) as f64 } else { 1.0 };
        FAINTEST + (STRONGEST - FAINTEST) * share
    }

    /// The picture in words, for readers who do not see it.
    fn description(&self) -> String {
        let mut tiles: Vec<(&Position, &usize)> = self.counts.iter().collect();
        tiles.sort_by_key(|(at, count)| (std::cmp::Reverse(**count), **at));
        let tiles: Vec<String> = tiles.iter().map(|(at, count)| format!("{at} ×{count}")).collect();
        format!("{} {}.", self.remark, tiles.join(", "))
    }
}

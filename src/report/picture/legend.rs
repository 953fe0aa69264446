//! The legend: every kind of thing on the map with its glyph, its name and what it does, in columns. Knows nothing of
//! where things stand.

use std::ops::Range;

use super::census;
use super::glyph::{Glyphs, TILE};
use super::{hero, own, terrain};
use crate::game::{CellIndex, Game, Position, StairWay, State, Tile};
use crate::report::svg::{Anchor, Font, Page};
use crate::report::text;

/// Narrowest column.
const COLUMN: f64 = 170.0;
/// Between columns, and between rows.
const GAP: (f64, f64) = (14.0, 8.0);
/// Share of a tile's size.
const SCALE: f64 = 0.875;
/// From the left of a glyph to its words.
const INDENT: f64 = SCALE * TILE + 8.0;
const LINE: f64 = 14.0;

const NAME: Font = Font { size: 12.0, bold: true, fill: "#111", halo: false };
const WORDS: Font = Font { size: 11.0, bold: false, fill: "#444", halo: false };

/// A legend, laid out.
pub struct Legend {
    rows: Vec<Vec<Entry>>,
    column: f64,
}

struct Entry {
    look: Look,
    name: String,
    lines: Vec<String>,
}

/// What is shown beside an entry's words.
#[derive(Clone, Copy)]
enum Look {
    Hero,
    Tile(Tile),
    Ladder(StairWay),
    Passage,
    Barrier,
}

impl Entry {
    fn height(&self) -> f64 {
        (SCALE * TILE).max(LINE * (1 + self.lines.len()) as f64)
    }
}

impl Legend {
    /// Lays out that of some tiles within `room` pixels.
    pub fn of(game: &Game, state: &State, cells: Range<CellIndex>, room: f64) -> Self {
        let columns = ((room + GAP.0) / (COLUMN + GAP.0)).floor().max(1.0);
        let column = (room + GAP.0) / columns - GAP.0;
        let entry = |look: Look, name: String, phrases: &[String]| Entry {
            look,
            name: text::cut(&name, NAME, column - INDENT),
            lines: phrases.iter().flat_map(|phrase| text::wrap(phrase, WORDS, column - INDENT)).collect(),
        };
        let kinds = census::kinds(game, state, cells.clone()).into_iter().map(|(tile, _)| tile);
        let (monsters, things): (Vec<Tile>, Vec<Tile>) = kinds.partition(|tile| matches!(tile, Tile::Monster(_)));
        let of_tile = |tile: &Tile| {
            let mut phrases = census::does(game, state, cells.clone(), *tile);
            phrases.extend(census::titles(game, state, cells.clone(), *tile));
            let of_kind = entry(Look::Tile(*tile), census::name(game, *tile), &phrases);
            let Tile::Stair(way) = *tile else { return vec![of_kind] };
            let ladders = census::leads(game, state, cells.clone(), way, true);
            let name = if way == StairWay::Up { "ladder up" } else { "ladder down" };
            let of_ladders = (!ladders.is_empty()).then(|| entry(Look::Ladder(way), name.into(), &ladders));
            // Where there are ladders, stairs say where they lead, if there are any.
            let of_stairs = (of_ladders.is_none() || !phrases.is_empty()).then_some(of_kind);
            of_stairs.into_iter().chain(of_ladders).collect()
        };
        let hero = entry(Look::Hero, "hero".into(), &[census::has(&state.hero)]);
        let shown = |at: Position| game.graph().cell(at).is_some_and(|cell| cells.contains(&cell));
        let mut one_way = Vec::new();
        if game.tower().passages.iter().any(|passage| shown(passage.from)) {
            one_way.push(entry(Look::Passage, "passage".into(), &["leads elsewhere, with no way back".to_owned()]));
        }
        if game.tower().barriers.iter().any(|barrier| shown(barrier.from)) {
            one_way.push(entry(
                Look::Barrier,
                "barrier".into(),
                &["not crossed from the side of its teeth".to_owned()],
            ));
        }
        let mut rows = Vec::new();
        // Monsters begin a row of their own: they need more lines.
        let things = std::iter::once(hero).chain(things.iter().flat_map(of_tile)).chain(one_way).collect();
        for mut entries in [things, monsters.iter().flat_map(of_tile).collect::<Vec<Entry>>()] {
            while !entries.is_empty() {
                let rest = entries.split_off(entries.len().min(columns as usize));
                rows.push(std::mem::replace(&mut entries, rest));
            }
        }
        Legend { rows, column }
    }

    /// Pixels down.
    pub fn height(&self) -> f64 {
        self.rows.iter().map(|row| row_height(row) + GAP.1).sum::<f64>() - GAP.1
    }

    /// Draws it with its top left at a point.
    pub fn draw(&self, (left, top): (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
        let mut y = top;
        for row in &self.rows {
            for (index, entry) in row.iter().enumerate() {
                let x = left + index as f64 * (self.column + GAP.0);
                draw_look(entry.look, (x, y), glyphs, page);
                page.text((x + INDENT, y + 11.0), Anchor::Start, NAME, &entry.name);
                for (line, number) in entry.lines.iter().zip(1..) {
                    let baseline = y + 11.0 + f64::from(number) * LINE;
                    page.text((x + INDENT, baseline), Anchor::Start, WORDS, line);
                }
            }
            y += row_height(row) + GAP.1;
        }
    }
}

fn row_height(row: &[Entry]) -> f64 {
    row.iter().map(Entry::height).fold(0.0, f64::max)
}

fn draw_look(look: Look, at: (f64, f64), glyphs: &mut Glyphs<'_>, page: &mut Page) {
    let glyph = match look {
        Look::Hero => hero::glyph(),
        Look::Ladder(way) => terrain::ladder(way),
        Look::Passage => own::passage(),
        Look::Barrier => return own::draw_barrier(at, (1.0, 0.0), page),
        Look::Tile(tile) => {
            glyphs.draw(tile, at, SCALE, page);
            return glyphs.draw_badge(tile, at, SCALE, page);
        }
    };
    page.define(&glyph.name, &glyph.shape);
    page.place(&glyph.name, at, SCALE);
}

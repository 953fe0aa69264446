//! The map of a floor: the symbols of prompts in colours, with marks around tiles. A floor that is larger than its pane is
//! shown in part, and the frame says which.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::clean;
use super::palette::Palette;
use super::pane::{Pane, inner};
use crate::format::legend;
use crate::game::{Game, Position, State, Tile};
use crate::prompt::observation::symbol;

/// A floor to be drawn.
pub struct Map<'a> {
    /// The game.
    pub game: &'a Game,
    /// What has been cleared, and where the hero stands.
    pub state: &'a State,
    /// Index of the floor.
    pub floor: u16,
    /// Tiles with the marks left and right of them.
    pub marks: &'a [(Position, (char, char))],
    /// The place that is seen, whatever is not.
    pub middle: Position,
}

/// How many columns and rows a floor's pane needs with its frame.
pub fn size(game: &Game, floor: u16) -> (u16, u16) {
    let (width, height) = sides(game, floor);
    let columns = rows_label(height) + width * cell_width(game) + 1;
    ((columns + 2).min(u16::MAX.into()) as u16, (height + 3).min(u16::MAX.into()) as u16)
}

fn sides(game: &Game, floor: u16) -> (usize, usize) {
    let floor = game.tower().floors.get(usize::from(floor));
    floor.map_or((0, 0), |floor| (floor.width().into(), floor.height().into()))
}

/// Columns of a tile: its symbol and what is left before it.
fn cell_width(game: &Game) -> usize {
    let tower = game.tower();
    let symbols = tower.monsters.iter().map(|monster| &monster.symbol);
    let symbols = symbols.chain(tower.things.iter().map(|thing| &thing.symbol));
    let symbols = symbols.chain(tower.gates.iter().map(|gate| &gate.symbol));
    let symbols = symbols.map(|symbol| clean::width(&clean::line(symbol)));
    symbols.max().unwrap_or(1).clamp(1, 4) + 1
}

/// Columns of the rows' numbers.
fn rows_label(height: usize) -> usize {
    height.saturating_sub(1).to_string().len()
}

/// From which tile on so many of them are seen, a place among them.
fn window(tiles: usize, seen: usize, place: usize) -> usize {
    place.saturating_sub(seen / 2).min(tiles.saturating_sub(seen))
}

impl Map<'_> {
    /// Draws the floor in a frame.
    pub fn draw(&self, area: Rect, focused: bool, buffer: &mut Buffer, palette: Palette) {
        let within = inner(area);
        let (width, height) = sides(self.game, self.floor);
        let (label, cell) = (rows_label(height), cell_width(self.game));
        let columns = usize::from(within.width).saturating_sub(label + 1) / cell;
        let rows = usize::from(within.height).saturating_sub(1);
        let middle = if self.middle.floor == self.floor { self.middle } else { Position::default() };
        let (left, top) = (window(width, columns, middle.x.into()), window(height, rows, middle.y.into()));
        let (right, bottom) = ((left + columns).min(width), (top + rows).min(height));
        let mut title = self.heading();
        if columns < width || rows < height {
            title = format!("part: x {left}-{}, y {top}-{} {title}", right.saturating_sub(1), bottom.saturating_sub(1));
        }
        Pane { title, lines: &[], from: 0, focused }.draw(area, buffer, palette);
        if columns == 0 || rows == 0 {
            return;
        }
        let column = |x: usize| within.x + (label + (x - left) * cell) as u16;
        for x in (left..right).filter(|x| x % 2 == 0) {
            let number = format!("{x:>cell$}");
            buffer.set_stringn(column(x), within.y, &number, number.len(), palette.dim());
        }
        for y in top..bottom {
            let row = within.y + 1 + (y - top) as u16;
            buffer.set_string(within.x, row, format!("{y:>label$}"), palette.dim());
            for x in left..right {
                let at = Position::new(self.floor, x as u16, y as u16);
                self.draw_tile(at, x == left, (column(x), row), buffer, palette);
            }
        }
        for (at, (before, after)) in self.marks.iter().filter(|(at, _)| at.floor == self.floor) {
            let (x, y) = (usize::from(at.x), usize::from(at.y));
            if (left..right).contains(&x) && (top..bottom).contains(&y) {
                let (row, symbol) = (within.y + 1 + (y - top) as u16, self.symbol(*at));
                let first = column(x) + (cell - clean::width(&symbol)) as u16 - 1;
                buffer.set_string(first, row, before.to_string(), palette.mark());
                buffer.set_string(column(x) + cell as u16, row, after.to_string(), palette.mark());
            }
        }
    }

    fn heading(&self) -> String {
        let tower = self.game.tower();
        match tower.floors.get(usize::from(self.floor)) {
            Some(floor) if tower.floors.len() > 1 => {
                let hero = self.state.at.floor;
                let here = if hero == self.floor { String::new() } else { format!(", @ is on {hero}") };
                let name = if floor.name.is_empty() { String::new() } else { format!(" {}", floor.name) };
                format!("floor {}{name}{here}", self.floor)
            }
            _ => "map".into(),
        }
    }

    /// Draws a tile; a wall reaches to the wall before it, unless it is the first that is seen of its row.
    fn draw_tile(&self, at: Position, first: bool, (column, row): (u16, u16), buffer: &mut Buffer, palette: Palette) {
        let tile = self.tile(at);
        let cell = cell_width(self.game);
        let style = match at == self.state.at {
            true => palette.hero(),
            false => palette.tile(tile, self.game.tower().is_boss(tile)),
        };
        if tile == Tile::Wall {
            let beside = !first && at.x.checked_sub(1).is_some_and(|x| self.tile(Position { x, ..at }) == Tile::Wall);
            let filled = if beside { cell } else { 1 };
            buffer.set_string(column + (cell - filled) as u16, row, "▒".repeat(filled), style);
            return;
        }
        let symbol = self.symbol(at);
        let before = cell - clean::width(&symbol).min(cell - 1);
        buffer.set_string(column, row, " ".repeat(before), Style::new());
        buffer.set_stringn(column + before as u16, row, &symbol, cell - before, style);
    }

    fn tile(&self, at: Position) -> Tile {
        let cell = self.game.graph().cell(at);
        cell.map_or(Tile::Wall, |cell| self.game.tile_now(self.state, cell))
    }

    fn symbol(&self, at: Position) -> String {
        if at == self.state.at {
            return legend::HERO.into();
        }
        match self.tile(at) {
            Tile::Floor => "·".into(),
            Tile::Wall => "▒".into(),
            other => clean::cut(&clean::line(&symbol(self.game, other)), 4),
        }
    }
}

//! A floor from a recipe and a seed: steps 1 to 5 of section B.3. The same recipe and seed give the same floor.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::contents;
use super::layout::{Layout, LinkKind, corner, middle};
use super::recipe::Recipe;
use crate::game::{Colour, Floor, MonsterId, Origin, Position, Tile, Tower};

/// The generator that floors, and a calibration's candidates, are drawn with, as files name it. The order of the draws
/// is part of a floor, so that another version of either crate may give others.
pub const RANDOM: &str = "ChaCha8 (rand_chacha 0.10, rand 0.10)";

/// A floor as it was drawn; nobody knows yet whether it can be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The seed.
    pub seed: u64,
    /// Rooms and links.
    pub layout: Layout,
    /// The floor.
    pub tower: Tower,
}

impl Draft {
    /// Draws the floor of a seed. The recipe must be one that [`Recipe::check`] accepts.
    pub fn draw(recipe: &Recipe, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let layout = Layout::draw(recipe, &mut rng);
        let placed = contents::draw(recipe, &layout, &mut rng);
        let floor = floor(recipe, &layout, &placed);
        let (x, y) = layout.hero;
        let table = &recipe.table;
        let tower = Tower {
            name: name(recipe, seed),
            title: title(recipe, seed),
            note: table.note.clone(),
            mechanism: None,
            origin: None,
            rules: table.rules,
            hero: table.hero,
            start: Position::new(0, x, y),
            items: table.items,
            monsters: table.monsters.clone(),
            shop: None,
            floors: floor.into_iter().collect(),
            stairs: Vec::new(),
            ..Tower::default()
        };
        Draft { seed, layout, tower }
    }

    /// The floor with what is known of it: the command that makes it again, and its optimum.
    pub fn finished(mut self, command: String, optimum: i64) -> Tower {
        self.tower.origin = Some(Origin { command, random: Some(RANDOM.to_owned()), optimum: Some(optimum) });
        self.tower
    }
}

fn floor(recipe: &Recipe, layout: &Layout, placed: &[contents::Placed]) -> Option<Floor> {
    let length = |rooms: u16| usize::from(rooms * (recipe.side + 1) - 1);
    let mut rows = vec![vec![Tile::Wall; length(recipe.across)]; length(recipe.down)];
    let mut set = |x: u16, y: u16, tile: Tile| rows[usize::from(y)][usize::from(x)] = tile;
    for room in 0..recipe.rooms() {
        let (left, top) = corner(recipe, room);
        for y in 0..recipe.side {
            (0..recipe.side).for_each(|x| set(left + x, top + y, Tile::Floor));
        }
    }
    for link in &layout.links {
        let (x, y) = Layout::at(recipe, link);
        set(
            x,
            y,
            match link.kind {
                LinkKind::Door => Tile::Door(Colour::Yellow),
                LinkKind::Monster(id) => Tile::Monster(id),
                LinkKind::Open => Tile::Floor,
            },
        );
    }
    let (x, y) = middle(recipe, layout.boss);
    set(x, y, boss(recipe));
    for (x, y, tile) in placed {
        set(*x, *y, *tile);
    }
    Floor::from_rows(String::new(), rows)
}

fn boss(recipe: &Recipe) -> Tile {
    let boss = recipe.table.monsters.iter().position(|monster| monster.boss);
    boss.map_or(Tile::Floor, |id| Tile::Monster(id as MonsterId))
}

/// The name of the floor of a seed: `generated-103`, or `generated-4x4-side5-103` for other sizes.
pub fn name(recipe: &Recipe, seed: u64) -> String {
    format!("{}{seed}", stem(recipe))
}

/// What the names of all floors of a recipe's size begin with.
pub fn stem(recipe: &Recipe) -> String {
    let Recipe { across, down, side, .. } = recipe;
    match (across, down, side) {
        (3, 3, 3) => "generated-".into(),
        _ => format!("generated-{across}x{down}-side{side}-"),
    }
}

fn title(recipe: &Recipe, seed: u64) -> String {
    let Recipe { across, down, side, .. } = recipe;
    match (across, down, side) {
        (3, 3, 3) => format!("Generated floor, seed {seed}"),
        _ => format!("Generated floor, {across} × {down} rooms of side {side}, seed {seed}"),
    }
}

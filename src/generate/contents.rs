//! Step 4 of section B.3: what lies and stands in the rooms. Knows nothing of what stands in the links but how many
//! doors there are.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::layout::{Layout, corner};
use super::recipe::Recipe;
use crate::game::{Colour, Gem, Item, Potion, Tile};

/// A tile with its column and row.
pub type Placed = (u16, u16, Tile);

/// Draws the contents of the rooms, the boss's left aside: nothing lies there.
pub fn draw(recipe: &Recipe, layout: &Layout, rng: &mut ChaCha8Rng) -> Vec<Placed> {
    let mut outside = Vec::new();
    let mut inside = Vec::new();
    for room in (0..recipe.rooms()).filter(|room| *room != layout.boss) {
        let tiles = tiles(recipe, room);
        match room == layout.start {
            true => inside.extend(tiles.filter(|tile| *tile != layout.hero)),
            false => outside.extend(tiles),
        }
    }
    outside.shuffle(rng);
    let mut placed = Vec::new();
    // What must not lie beside the hero is placed first; the rest shares what is left with the start room.
    for thing in far_things(recipe, rng) {
        placed.extend(outside.pop().map(|(x, y)| (x, y, thing)));
    }
    let mut anywhere = outside;
    anywhere.extend(inside);
    anywhere.shuffle(rng);
    for thing in near_things(recipe, layout, rng) {
        placed.extend(anywhere.pop().map(|(x, y)| (x, y, thing)));
    }
    placed
}

/// Red gems, blue potions and monsters: never in the start room.
fn far_things(recipe: &Recipe, rng: &mut ChaCha8Rng) -> Vec<Tile> {
    let mut things = Vec::new();
    things.extend(vec![Tile::Item(Item::Gem(Gem::Red)); rng.random_range(recipe.red_gems.clone()).into()]);
    things.extend(vec![Tile::Item(Item::Potion(Potion::Blue)); rng.random_range(recipe.blue_potions.clone()).into()]);
    let types = recipe.types();
    for _ in 0..rng.random_range(recipe.monsters.clone()) {
        things.extend(types.choose(rng).map(|id| Tile::Monster(*id)));
    }
    things
}

/// Blue gems, red potions and keys.
fn near_things(recipe: &Recipe, layout: &Layout, rng: &mut ChaCha8Rng) -> Vec<Tile> {
    let mut things = Vec::new();
    things.extend(vec![Tile::Item(Item::Gem(Gem::Blue)); rng.random_range(recipe.blue_gems.clone()).into()]);
    things.extend(vec![Tile::Item(Item::Potion(Potion::Red)); rng.random_range(recipe.red_potions.clone()).into()]);
    let missing = rng.random_range(recipe.missing_keys.clone());
    let keys = layout.doors().saturating_sub(missing).max(1);
    things.extend(vec![Tile::Item(Item::Key(Colour::Yellow)); keys.into()]);
    things
}

fn tiles(recipe: &Recipe, room: usize) -> impl Iterator<Item = (u16, u16)> + use<> {
    let (left, top) = corner(recipe, room);
    let side = recipe.side;
    (0..side).flat_map(move |y| (0..side).map(move |x| (left + x, top + y)))
}

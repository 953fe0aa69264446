//! Steps 1 to 3 of section B.3: which rooms, which of them are joined, and what stands in each link. Knows nothing of
//! what lies in the rooms.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::recipe::Recipe;
use crate::game::MonsterId;

/// Rooms with their links. Rooms are numbered row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The hero's room, in the bottom row.
    pub start: usize,
    /// Column and row of the hero's tile in it.
    pub hero: (u16, u16),
    /// The boss's room, in the top row.
    pub boss: usize,
    /// The links: those of the spanning tree first.
    pub links: Vec<Link>,
}

/// One tile in the wall between two rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The rooms that it joins, the lower number first.
    pub rooms: (usize, usize),
    /// How many tiles it stands from the left or upper end of the rooms' common wall.
    pub offset: u16,
    /// What stands in it.
    pub kind: LinkKind,
}

/// What stands in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A yellow door.
    Door,
    /// A monster.
    Monster(MonsterId),
    /// Nothing.
    Open,
}

impl Layout {
    /// Draws a layout.
    pub fn draw(recipe: &Recipe, rng: &mut ChaCha8Rng) -> Self {
        let across = usize::from(recipe.across);
        let start = recipe.rooms() - across + rng.random_range(0..across);
        let boss = rng.random_range(0..across);
        let hero = tile_of(recipe, start, rng);
        let mut pairs = spanning_tree(recipe, rng);
        pairs.extend(further_pairs(recipe, &pairs, rng));
        let (types, guards) = (recipe.types(), recipe.guards());
        let links = pairs.into_iter().map(|rooms| {
            let offset = rng.random_range(0..recipe.side);
            let into_boss_room = rooms.0 == boss || rooms.1 == boss;
            let kind = if into_boss_room { guard(&guards, rng) } else { kind(&types, rng) };
            Link { rooms, offset, kind }
        });
        Layout { start, hero, boss, links: links.collect() }
    }

    /// Column and row of a link on the map.
    pub fn at(recipe: &Recipe, link: &Link) -> (u16, u16) {
        let (first, second) = link.rooms;
        let (x, y) = corner(recipe, first);
        // In a column of rooms the next number is the room below.
        match corner(recipe, second).1 == y {
            true => (x + recipe.side, y + link.offset),
            false => (x + link.offset, y + recipe.side),
        }
    }

    /// The yellow doors.
    pub fn doors(&self) -> u16 {
        self.links.iter().filter(|link| link.kind == LinkKind::Door).count() as u16
    }
}

/// Column and row of a room's upper left tile.
pub fn corner(recipe: &Recipe, room: usize) -> (u16, u16) {
    let (row, column) = (room / usize::from(recipe.across), room % usize::from(recipe.across));
    (column as u16 * (recipe.side + 1), row as u16 * (recipe.side + 1))
}

/// Column and row of a room's middle.
pub fn middle(recipe: &Recipe, room: usize) -> (u16, u16) {
    let (x, y) = corner(recipe, room);
    (x + recipe.side / 2, y + recipe.side / 2)
}

/// Column and row of any tile of a room, each as likely.
fn tile_of(recipe: &Recipe, room: usize, rng: &mut ChaCha8Rng) -> (u16, u16) {
    let (x, y) = corner(recipe, room);
    (x + rng.random_range(0..recipe.side), y + rng.random_range(0..recipe.side))
}

/// A spanning tree, each as likely: a walk from room to neighbouring room, of which the first step into each room stays
/// (Aldous and Broder).
fn spanning_tree(recipe: &Recipe, rng: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let neighbours = recipe.neighbours();
    let mut seen = vec![false; recipe.rooms()];
    let mut tree = Vec::new();
    let mut room = rng.random_range(0..recipe.rooms());
    seen[room] = true;
    while tree.len() + 1 < recipe.rooms() {
        let from_here: Vec<&(usize, usize)> =
            neighbours.iter().filter(|pair| pair.0 == room || pair.1 == room).collect();
        let Some(&&pair) = from_here.choose(rng) else { break };
        room = if pair.0 == room { pair.1 } else { pair.0 };
        if !std::mem::replace(&mut seen[room], true) {
            tree.push(pair);
        }
    }
    tree
}

/// Pairs of neighbours that the tree does not join, as many as the recipe has, or as there are.
fn further_pairs(recipe: &Recipe, tree: &[(usize, usize)], rng: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let count = rng.random_range(recipe.extra_links.clone());
    let mut others: Vec<(usize, usize)> = recipe.neighbours().into_iter().filter(|pair| !tree.contains(pair)).collect();
    others.shuffle(rng);
    others.truncate(count.into());
    others
}

fn kind(types: &[MonsterId], rng: &mut ChaCha8Rng) -> LinkKind {
    match rng.random_range(0..100) {
        0..Recipe::DOORS => LinkKind::Door,
        lot if lot < Recipe::DOORS + Recipe::MONSTERS => monster(types, rng),
        _ => LinkKind::Open,
    }
}

/// The boss is never reached for free.
fn guard(guards: &[MonsterId], rng: &mut ChaCha8Rng) -> LinkKind {
    monster(guards, rng)
}

fn monster(types: &[MonsterId], rng: &mut ChaCha8Rng) -> LinkKind {
    types.choose(rng).map_or(LinkKind::Door, |id| LinkKind::Monster(*id))
}

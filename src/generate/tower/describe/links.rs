//! What joins the rooms of a floor: a tree, grown room by room, and a few links that close loops. Knows nothing of what is
//! in the rooms.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::super::description::{LinkKind, LinkPlan, RoomPlan};
use crate::game::Colour;

/// What is particular to a floor.
pub struct Rule {
    /// Its number, from 0.
    pub floor: usize,
    /// What leads into its goal room, if that is not drawn.
    pub into_goal: Option<LinkKind>,
}

/// Of a hundred links that are drawn from words, how many are of which kind.
pub const SHARES: [(LinkKind, u32); 4] =
    [(LinkKind::Door, 25), (LinkKind::Narrow, 40), (LinkKind::Corridor, 25), (LinkKind::Crawl, 10)];
/// Ways on from a room, besides the one that leads to it: a room has four sides.
const MOST_CHILDREN: usize = 3;
/// The rooms that the next one mostly leads on from are so many of the last ones.
const RECENT: usize = 3;
/// Of a hundred rooms, how many lead on from one of the last ones.
const FROM_RECENT: u32 = 80;
/// Rooms for each link that closes a loop.
const ROOMS_A_LOOP: usize = 8;
/// Links of the tree between rooms that a further link joins, mostly.
const NEAR: usize = 2;
/// Of a hundred doors from floor 2 on, how many are blue.
const BLUE: u32 = 30;

/// Draws the links of a floor's rooms. The last room is the goal: one link leads there, from as far away as there is.
pub fn draw(rooms: &[RoomPlan], rule: Rule, rng: &mut ChaCha8Rng) -> Vec<LinkPlan> {
    let mut tree = Tree::default();
    for _ in 0..rooms.len().saturating_sub(1) {
        tree.grow(rng);
    }
    tree.grow_goal();
    let goal = rooms.len().saturating_sub(1);
    let pairs = tree.pairs();
    let loops = tree.loops(rooms.len().saturating_sub(1), rng);
    let name = |room: usize| rooms.get(room).map(|room| room.name.clone()).unwrap_or_default();
    let joined = pairs.into_iter().chain(loops);
    joined
        .map(|(from, to)| {
            let kind = rule.into_goal.filter(|_| to == goal).unwrap_or_else(|| kind(rng));
            let is_blue = kind == LinkKind::Door && rule.floor > 0 && rng.random_range(0..100) < BLUE;
            LinkPlan { from: name(from), to: name(to), kind, colour: is_blue.then_some(Colour::Blue) }
        })
        .collect()
}

/// Rooms by number, each with the room that it leads on from.
#[derive(Debug, Default)]
struct Tree {
    rooms: Vec<Grown>,
}

/// A room of the tree.
#[derive(Clone, Copy, Debug, Default)]
struct Grown {
    parent: Option<usize>,
    depth: usize,
    children: usize,
    /// Links that close a loop.
    loops: usize,
}

impl Tree {
    /// Adds a room that leads on from an earlier one, mostly from one of the last.
    fn grow(&mut self, rng: &mut ChaCha8Rng) {
        let can: Vec<usize> = (0..self.rooms.len()).filter(|room| self.has_room(*room)).collect();
        let recent: Vec<usize> = can.iter().rev().take(RECENT).copied().collect();
        let from = if rng.random_range(0..100) < FROM_RECENT { recent } else { can };
        self.add(from.choose(rng).copied());
    }

    /// Adds the goal, behind the room that lies deepest.
    fn grow_goal(&mut self) {
        let can = (0..self.rooms.len()).filter(|room| self.has_room(*room));
        let deepest = can.max_by_key(|room| self.rooms.get(*room).map(|room| room.depth));
        self.add(deepest);
    }

    fn add(&mut self, parent: Option<usize>) {
        let above = parent.and_then(|parent| self.rooms.get_mut(parent));
        let depth = above.map_or(0, |above| {
            above.children += 1;
            above.depth + 1
        });
        self.rooms.push(Grown { parent, depth, ..Grown::default() });
    }

    fn has_room(&self, room: usize) -> bool {
        self.rooms.get(room).is_some_and(|room| room.children + room.loops < MOST_CHILDREN)
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.rooms.iter().enumerate().filter_map(|(room, grown)| Some((grown.parent?, room))).collect()
    }

    /// Links that close loops between rooms before the goal that are not joined yet, about one for eight rooms.
    fn loops(&mut self, goal: usize, rng: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
        // Of nine rooms one loop, of twelve one or two.
        let (whole, rest) = ((goal + 1) / ROOMS_A_LOOP, (goal + 1) % ROOMS_A_LOOP);
        let wanted = whole + usize::from(rng.random_range(0..ROOMS_A_LOOP) < rest);
        let mut loops = Vec::new();
        for _ in 0..wanted {
            let pairs: Vec<(usize, usize)> = (0..goal)
                .flat_map(|one| (one + 1..goal).map(move |other| (one, other)))
                .filter(|(one, other)| self.has_room(*one) && self.has_room(*other))
                .filter(|(one, other)| !self.joined(*one, *other) && !loops.contains(&(*one, *other)))
                .collect();
            // What lies near each other in the tree is drawn near each other, so that there is a way through the rock.
            let near: Vec<(usize, usize)> =
                pairs.iter().filter(|(one, other)| self.distance(*one, *other) <= NEAR).copied().collect();
            let Some(pair) = near.choose(rng).or_else(|| pairs.choose(rng)).copied() else { break };
            for room in [pair.0, pair.1] {
                self.rooms.get_mut(room).into_iter().for_each(|room| room.loops += 1);
            }
            loops.push(pair);
        }
        loops
    }

    /// Links of the tree between two rooms.
    fn distance(&self, one: usize, other: usize) -> usize {
        let (mut one, mut other, mut links) = (one, other, 0);
        let depth = |room: usize| self.rooms.get(room).map_or(0, |room| room.depth);
        let parent = |room: usize| self.rooms.get(room).and_then(|room| room.parent).unwrap_or(room);
        while one != other && links < self.rooms.len() {
            links += 1;
            match depth(one) >= depth(other) {
                true => one = parent(one),
                false => other = parent(other),
            }
        }
        links
    }

    fn joined(&self, one: usize, other: usize) -> bool {
        let parent = |room: usize| self.rooms.get(room).and_then(|room| room.parent);
        parent(other) == Some(one) || parent(one) == Some(other)
    }
}

fn kind(rng: &mut ChaCha8Rng) -> LinkKind {
    let mut lot = rng.random_range(0..SHARES.iter().map(|(_, share)| share).sum());
    for (kind, share) in SHARES {
        if lot < share {
            return kind;
        }
        lot -= share;
    }
    LinkKind::default()
}

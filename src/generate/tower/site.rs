//! A tower whose floors are drawn and joined, and which of its ways are shut. Knows nothing of what lives or lies there.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::description::{Cycle, Description, FloorPlan, LinkKind};
use super::grow::{Layout, grow, middle_of};
use super::shaft::{End, Shaft, nook, quick_exit, second_way};
use super::sheet::{Cut, Sheet, Square, Way, beside};
use crate::game::Colour;

/// A room of a tower: its floor and its number there.
pub type RoomId = (usize, usize);

/// Floors with what joins them.
#[derive(Clone, Debug)]
pub struct Site<'d> {
    /// What was asked for.
    pub description: &'d Description,
    /// The floors.
    pub floors: Vec<Layout>,
    /// Stairs between each floor and the next.
    pub stairs: Vec<Square>,
    /// Second ways.
    pub ladders: Vec<Shaft>,
    /// The quick exit.
    pub exit: Option<Shaft>,
    /// What could not be drawn as it was asked for.
    pub told: Vec<String>,
}

/// What shuts a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// A door.
    Door(Colour),
    /// What the cycle opens.
    Cycle(Cycle),
}

/// Draws of a floor before the floors are begun anew.
const DRAWS: usize = 12;

impl<'d> Site<'d> {
    /// Draws the floors of a description; none if something found no place. Unless `strict`, second ways and the quick exit
    /// that find none are left out and told.
    pub fn draw(description: &'d Description, strict: bool, rng: &mut ChaCha8Rng) -> Option<Self> {
        let mut site = Site {
            description,
            floors: Vec::new(),
            stairs: Vec::new(),
            ladders: Vec::new(),
            exit: None,
            told: Vec::new(),
        };
        for plan in &description.floors {
            let over = site.floors.first().map(|first| middle_of(&first.sheet));
            let layout = (0..DRAWS).find_map(|_| grow(plan, site.stairs.last().copied(), over, rng))?;
            site.told.extend(layout.dropped.iter().filter_map(|link| plan.links.get(*link)).map(|link| {
                format!("the link from {} to {} is left out: no way through the rock", link.from, link.to)
            }));
            site.floors.push(layout);
            let number = site.floors.len() - 1;
            if number + 1 < description.floors.len() {
                let (lot, goal) = (rng.random_range(0..1000), site.goal_of(number));
                let entered = site.way_in((number, goal)).and_then(|way| way.squares.last().copied());
                let entered = entered.or(site.floors[number].arrival).unwrap_or_else(|| site.start());
                let at = nook(&site.floors[number].sheet, goal, entered, lot)?;
                site.floors[number].sheet.cut_as(&[at], Cut::Nook(goal));
                site.stairs.push(at);
            }
        }
        site.leave_out_ways();
        if description.descends && !site.stairs.is_empty() {
            site.cut_exit(strict)?;
        }
        if description.descends && site.stairs.is_empty() {
            site.told.push("there is no quick exit: a single floor leads nowhere down".into());
        }
        for first in 0..site.stairs.len() {
            site.cut_second_way(first, strict)?;
        }
        Some(site)
    }

    /// The plan of a floor.
    pub fn plan(&self, floor: usize) -> &'d FloorPlan {
        &self.description.floors[floor]
    }

    /// The number of the room that leads on from a floor: to the stairs, on the last floor to the boss.
    pub fn goal_of(&self, floor: usize) -> usize {
        let plan = self.plan(floor);
        let named = plan.goal.as_ref().and_then(|name| plan.rooms.iter().position(|room| room.name == *name));
        named.unwrap_or(plan.rooms.len() - 1)
    }

    /// The boss's room.
    pub fn boss_room(&self) -> RoomId {
        let last = self.floors.len() - 1;
        (last, self.goal_of(last))
    }

    /// Where the hero starts: the middle of the first room.
    pub fn start(&self) -> Square {
        self.floors[0].sheet.rooms[0].map_or((0, 0), |room| (room.at.0 + room.size.0 / 2, room.at.1 + room.size.1 / 2))
    }

    /// All ends of stairs and ladders on a floor.
    pub fn ends(&self, floor: usize) -> Vec<Square> {
        let after = self.stairs.get(floor).copied();
        let before = floor.checked_sub(1).and_then(|before| self.stairs.get(before).copied());
        let shafts = self.ladders.iter().chain(&self.exit);
        let ladders = shafts.filter(|shaft| shaft.floors.0 == floor || shaft.floors.1 == floor).map(|shaft| shaft.at);
        after.into_iter().chain(before).chain(ladders).collect()
    }

    /// What shuts a way, if anything does. The cycle shuts the one way into the boss's room.
    pub fn lock(&self, floor: usize, way: &Way) -> Option<Lock> {
        let (last, boss) = self.boss_room();
        if let Some(cycle) = self.description.cycle.filter(|_| floor == last && way.rooms.1 == boss) {
            return Some(Lock::Cycle(cycle));
        }
        let link = self.plan(floor).links.get(way.link)?;
        (link.kind == LinkKind::Door).then(|| Lock::Door(link.colour.unwrap_or(Colour::Yellow)))
    }

    /// The kind of link of a way.
    pub fn kind(&self, floor: usize, way: &Way) -> LinkKind {
        self.plan(floor).links.get(way.link).map(|link| link.kind).unwrap_or_default()
    }

    /// The way by which a room is reached from its floor's first one; none for that one.
    pub fn way_in(&self, (floor, room): RoomId) -> Option<&Way> {
        self.floors[floor].sheet.ways.iter().find(|way| way.rooms.1 == room)
    }

    /// Rooms that can be reached from the first one with some ways shut. The quick exit counts as shut.
    pub fn reach(&self, shut: impl Fn(usize, &Way) -> bool) -> BTreeSet<RoomId> {
        let mut reached = BTreeSet::from([(0, 0)]);
        let mut waiting = VecDeque::from([(0, 0)]);
        while let Some((floor, room)) = waiting.pop_front() {
            let beyond = self.floors[floor].sheet.ways.iter().filter_map(|way| {
                let other = match way.rooms {
                    (from, to) if from == room => to,
                    (from, to) if to == room => from,
                    _ => return None,
                };
                (!shut(floor, way)).then_some((floor, other))
            });
            let mut next: Vec<RoomId> = beyond.collect();
            next.extend(self.joined_to((floor, room)));
            waiting.extend(next.into_iter().filter(|room| reached.insert(*room)));
        }
        reached
    }

    /// Rooms on other floors that stairs or second ways join a room with.
    fn joined_to(&self, (floor, room): RoomId) -> Vec<RoomId> {
        let mut joined = Vec::new();
        for lower in 0..self.stairs.len() {
            let ends = [(lower, self.goal_of(lower)), (lower + 1, 0)];
            joined.extend(other_of(ends, (floor, room)));
        }
        for Shaft { floors, tunnels, .. } in &self.ladders {
            let end = |floor: usize, tunnel: &[Square]| Some((floor, self.room_beside(floor, *tunnel.first()?)?));
            if let (Some(one), Some(two)) = (end(floors.0, &tunnels.0), end(floors.1, &tunnels.1)) {
                joined.extend(other_of([one, two], (floor, room)));
            }
        }
        joined
    }

    /// A room of a floor and those that are reached through it alone.
    fn behind(&self, floor: usize, room: usize) -> BTreeSet<usize> {
        let ways = &self.floors[floor].sheet.ways;
        let mut reached = BTreeSet::from([0]);
        let mut grows = room != 0;
        while grows {
            let next = ways.iter().flat_map(|way| {
                let (from, to) = way.rooms;
                [(from, to), (to, from)].into_iter().filter(|(one, _)| reached.contains(one)).map(|(_, other)| other)
            });
            let next: BTreeSet<usize> = next.filter(|other| *other != room && !reached.contains(other)).collect();
            grows = !next.is_empty();
            reached.extend(next);
        }
        (0..self.floors[floor].sheet.rooms.len()).filter(|other| !reached.contains(other)).collect()
    }

    fn room_beside(&self, floor: usize, square: Square) -> Option<usize> {
        beside(square).into_iter().find_map(|other| match self.floors[floor].sheet.cut(other) {
            Some(Cut::Room(room)) => Some(room),
            _ => None,
        })
    }

    /// With a cycle, or behind the boss's guard, one way leads into the boss's room: others are left out.
    fn leave_out_ways(&mut self) {
        let (last, boss) = self.boss_room();
        let keeps = self.way_in((last, boss)).map(|way| way.link);
        let plan = self.plan(last);
        let Layout { sheet, .. } = &mut self.floors[last];
        let ways = std::mem::take(&mut sheet.ways);
        let leaves = |way: &Way| way.rooms.0 == boss || (way.rooms.1 == boss && Some(way.link) != keeps);
        let (left_out, kept): (Vec<Way>, Vec<Way>) = ways.into_iter().partition(leaves);
        // Rooms that are reached through the boss's room alone keep their ways.
        let loses = |way: &Way| !kept.iter().any(|kept| kept.rooms.1 == way.rooms.1 || kept.rooms.0 == way.rooms.1);
        let (needed, left_out): (Vec<Way>, Vec<Way>) =
            left_out.into_iter().partition(|way| way.rooms.0 == boss && loses(way));
        let mut again = Sheet::of(sheet.rooms.len());
        for (room, place) in sheet.rooms.iter().enumerate() {
            if let Some(place) = place {
                again.put_room(room, *place);
            }
        }
        for (square, cut) in sheet.open().filter(|(_, cut)| matches!(cut, Cut::Nook(_))) {
            again.cut_as(&[square], cut);
        }
        for way in kept.into_iter().chain(needed) {
            again.cut_way(way);
        }
        *sheet = again;
        for way in left_out {
            let name = |room: usize| plan.rooms.get(room).map_or("", |room| room.name.as_str());
            let (from, to) = (name(way.rooms.0), name(way.rooms.1));
            self.told.push(format!("the link from {from} to {to} is left out: one way leads to the boss"));
        }
    }

    fn cut_exit(&mut self, strict: bool) -> Option<()> {
        let (last, goal) = self.boss_room();
        let steps = self.steps_with_locks_shut();
        let shut = self.behind(0, self.goal_of(0));
        let found = quick_exit(&self.floors, goal, &shut, |square| steps.get(&square).copied(), self.stairs[0]);
        let Some(shaft) = found else {
            if strict {
                return None;
            }
            self.told.push("there is no quick exit: no column of rock leads from the boss's room to floor 1".into());
            return Some(());
        };
        self.floors[0].sheet.cut_as(&shaft.tunnels.0, Cut::Tunnel);
        self.floors[last].sheet.cut_as(&shaft.tunnels.1, Cut::Tunnel);
        for layout in &mut self.floors[1..last] {
            layout.sheet.columns.push(shaft.at);
        }
        self.exit = Some(shaft);
        Some(())
    }

    fn cut_second_way(&mut self, first: usize, strict: bool) -> Option<()> {
        let (last, boss) = self.boss_room();
        // Neither from where the hero starts nor to where the boss is, nor behind it.
        let behind = self.behind(last, boss);
        let end = |floor: usize, barred: BTreeSet<usize>| End {
            sheet: &self.floors[floor].sheet,
            barred,
            loud: self.ends(floor).into_iter().chain((floor == 0).then(|| self.start())).collect(),
        };
        let start = BTreeSet::from_iter((first == 0).then_some(0));
        let (above, below) =
            (end(first, start), end(first + 1, if first + 1 == last { behind } else { BTreeSet::new() }));
        let Some(shaft) = second_way(first, &above, &below, self.stairs[first]) else {
            if strict {
                return None;
            }
            let told =
                format!("there is no second way between floors {} and {}: no place for it", first + 1, first + 2);
            self.told.push(told);
            return Some(());
        };
        self.floors[first].sheet.cut_as(&shaft.tunnels.0, Cut::Tunnel);
        self.floors[first + 1].sheet.cut_as(&shaft.tunnels.1, Cut::Tunnel);
        self.ladders.push(shaft);
        Some(())
    }

    /// Steps from the hero's start to the squares of floor 1 that are reached with every lock shut.
    fn steps_with_locks_shut(&self) -> BTreeMap<Square, i64> {
        let sheet = &self.floors[0].sheet;
        let shut = |square: Square| match sheet.cut(square) {
            Some(Cut::Way(way)) => self.lock(0, &sheet.ways[way]).is_some(),
            Some(_) => false,
            None => true,
        };
        let mut steps = BTreeMap::from([(self.start(), 0)]);
        let mut waiting = VecDeque::from([self.start()]);
        while let Some(square) = waiting.pop_front() {
            let next = steps.get(&square).copied().unwrap_or_default() + 1;
            for other in beside(square).into_iter().filter(|other| !shut(*other)) {
                if let Entry::Vacant(vacant) = steps.entry(other) {
                    vacant.insert(next);
                    waiting.push_back(other);
                }
            }
        }
        steps
    }
}

fn other_of(ends: [RoomId; 2], room: RoomId) -> Option<RoomId> {
    match ends {
        [one, two] if one == room => Some(two),
        [one, two] if two == room => Some(one),
        _ => None,
    }
}

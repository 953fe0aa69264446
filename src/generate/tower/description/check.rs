//! Whether a description can be drawn at all: names, ranges, links. Knows nothing of maps. What is wrong first is told,
//! with what to write instead.

use std::collections::{BTreeMap, BTreeSet};

use super::super::kind::{ITEMS, Kinds, item_named};
use super::{Description, DescriptionError, FloorPlan, HandPlaced, LinkKind, Population, RoomPlan};

/// Floors of a tower at most.
const MOST_FLOORS: usize = 4;
/// Rooms of a floor at most.
const MOST_ROOMS: usize = 25;
/// Characters of a tower's name, of a room's, of any other text.
const LONGEST_NAME: usize = 80;
const LONGEST_ROOM: usize = 60;
const LONGEST_TEXT: usize = 200;
/// Squares of a room for one monster at most, and monsters of a room.
const MOST_SQUARES: i64 = 1_000;
const MOST_MONSTERS: i64 = 20;
/// What is placed by hand besides items and monsters.
pub const PLATE: &str = "plate";

/// Final HP that may be wanted: with more the hero would need more HP at the start than any tower is tried with.
const MOST_OPTIMUM: i64 = 15_000;

impl Description {
    /// Whether it can be drawn, as far as it says itself.
    ///
    /// # Errors
    /// [`DescriptionError`]: what is wrong first.
    pub fn check(&self) -> Result<(), DescriptionError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if self.name.is_empty() || self.name.len() > LONGEST_NAME || !self.name.chars().all(plain) {
            let rule = "1 to 80 letters (a to z), digits, `_` and `-`; use `title` for more";
            return Err(DescriptionError::Text { what: "the name".into(), found: shown(&self.name), rule });
        }
        self.title.as_ref().map_or(Ok(()), |title| text(|| "the title".into(), title, LONGEST_TEXT))?;
        range(|| "the difficulty".into(), 1, 5, self.difficulty.into())?;
        if let Some([least, most]) = self.optimum.filter(|[least, most]| least > most) {
            return Err(DescriptionError::Order { what: "the optimum", least, most });
        }
        for number in self.optimum.into_iter().flatten() {
            range(|| "the optimum".into(), 1, MOST_OPTIMUM, number)?;
        }
        range(|| "the number of floors".into(), 1, MOST_FLOORS as i64, self.floors.len() as i64)?;
        let mut rooms = BTreeMap::new();
        for (floor, plan) in self.floors.iter().enumerate() {
            plan.check_rooms(floor + 1, &mut rooms)?;
        }
        for (floor, plan) in self.floors.iter().enumerate() {
            plan.check_links(floor + 1, &rooms)?;
            plan.check_placed(floor + 1, &rooms)?;
        }
        if let Some(plan) = self.floors.last() {
            let goal = plan.goal.as_ref().or(plan.rooms.last().map(|room| &room.name));
            if let Some(first) = plan.rooms.first().filter(|first| Some(&first.name) == goal) {
                return Err(DescriptionError::BossAtEntrance { floor: self.floors.len(), room: first.name.clone() });
            }
        }
        self.population.check(self.floors.len(), &rooms)
    }

    /// Whether it names only kinds and monsters that there are; of monsters the case does not matter.
    ///
    /// # Errors
    /// [`DescriptionError::Unknown`]: the first that there is not.
    pub fn check_names(&self, kinds: &Kinds, monsters: &[&str]) -> Result<(), DescriptionError> {
        let is_monster = |name: &str| monsters.iter().any(|monster| monster.eq_ignore_ascii_case(name));
        let kind_names = kinds.names();
        let kind_names: Vec<&str> = kind_names.iter().map(String::as_str).collect();
        let things: Vec<&str> =
            ITEMS.iter().map(|(name, _)| *name).chain([PLATE]).chain(monsters.iter().copied()).collect();
        for floor in &self.floors {
            for kind in floor.rooms.iter().filter_map(|room| room.kind.as_deref()) {
                known("the kind", kind, &kind_names)?;
            }
            let mut placed = floor.placed.iter().filter(|placed| !is_monster(&placed.what));
            placed.try_for_each(|placed| known("what is placed by hand,", &placed.what, &things))?;
        }
        let weights = self.population.floors.values().flat_map(BTreeMap::keys);
        let mut named = weights.chain(&self.population.boss).filter(|name| !is_monster(name));
        named.try_for_each(|name| known("the monster", name, monsters))
    }
}

/// The floor of each room, from 1, by its name.
type Rooms<'a> = BTreeMap<&'a str, usize>;

impl FloorPlan {
    fn check_rooms<'a>(&'a self, floor: usize, rooms: &mut Rooms<'a>) -> Result<(), DescriptionError> {
        self.name.as_ref().map_or(Ok(()), |name| text(|| format!("the name of floor {floor}"), name, LONGEST_TEXT))?;
        range(|| format!("the number of rooms of floor {floor}"), 1, MOST_ROOMS as i64, self.rooms.len() as i64)?;
        for room in &self.rooms {
            room.check(floor)?;
            if rooms.insert(&room.name, floor).is_some() {
                return Err(DescriptionError::TwoRooms(room.name.clone()));
            }
        }
        Ok(())
    }

    fn check_links(&self, floor: usize, rooms: &Rooms) -> Result<(), DescriptionError> {
        let mut joined = BTreeSet::new();
        for link in &self.links {
            let (from, to) = (link.from.clone(), link.to.clone());
            is_there("a link", &from, floor, rooms)?;
            is_there("a link", &to, floor, rooms)?;
            if from == to {
                return Err(DescriptionError::ToItself { floor, room: from });
            }
            if !joined.insert((link.from.as_str().min(&link.to), link.from.as_str().max(&link.to))) {
                return Err(DescriptionError::TwoLinks { floor, from, to });
            }
            if link.colour.is_some() && link.kind != LinkKind::Door {
                return Err(DescriptionError::Colour { floor, from, to });
            }
        }
        self.goal.as_ref().map_or(Ok(()), |goal| is_there("the goal", goal, floor, rooms))?;
        self.check_joined(floor)
    }

    fn check_joined(&self, floor: usize) -> Result<(), DescriptionError> {
        let Some(first) = self.rooms.first() else { return Ok(()) };
        let mut reached = BTreeSet::from([first.name.as_str()]);
        let mut before = 0;
        while before < reached.len() {
            before = reached.len();
            for link in &self.links {
                for (one, other) in [(&link.from, &link.to), (&link.to, &link.from)] {
                    if reached.contains(one.as_str()) {
                        reached.insert(other);
                    }
                }
            }
        }
        match self.rooms.iter().find(|room| !reached.contains(room.name.as_str())) {
            Some(room) => Err(DescriptionError::Apart { floor, first: first.name.clone(), room: room.name.clone() }),
            None => Ok(()),
        }
    }

    fn check_placed(&self, floor: usize, rooms: &Rooms) -> Result<(), DescriptionError> {
        let mut squares: BTreeMap<(&str, [u16; 2]), &str> = BTreeMap::new();
        for HandPlaced { room, what, at } in &self.placed {
            is_there("what is placed by hand", room, floor, rooms)?;
            text(|| format!("what is placed in `{room}`:"), what, LONGEST_ROOM)?;
            // A monster of any name may be placed; what is named like an item must be one.
            if [" key", " gem", " potion"].iter().any(|ending| what.ends_with(ending)) && item_named(what).is_none() {
                let items: Vec<&str> = ITEMS.iter().map(|(name, _)| *name).collect();
                return known("the item", what, &items);
            }
            let plan = self.rooms.iter().find(|plan| plan.name == *room);
            if let (Some([x, y]), Some(RoomPlan { size: [width, height], .. })) = (*at, plan) {
                let (width, height) = (*width, *height);
                if x >= width || y >= height {
                    let (what, room) = (what.clone(), room.clone());
                    return Err(DescriptionError::Outside { what, room, x, y, width, height });
                }
                if let Some(first) = squares.insert((room, [x, y]), what) {
                    let (first, second, room) = (first.to_owned(), what.clone(), room.clone());
                    return Err(DescriptionError::OneSquare { first, second, room });
                }
            }
        }
        Ok(())
    }
}

impl RoomPlan {
    fn check(&self, floor: usize) -> Result<(), DescriptionError> {
        text(|| format!("a room's name on floor {floor}:"), &self.name, LONGEST_ROOM)?;
        for (what, found) in [("columns", self.size[0]), ("rows", self.size[1])] {
            range(|| format!("the number of {what} of `{}`", self.name), 2, 12, found.into())?;
        }
        range(|| format!("the height of `{}`", self.name), 1, 3, self.height.into())?;
        match self.note.is_empty() {
            true => Ok(()),
            false => text(|| format!("the note of `{}`:", self.name), &self.note, LONGEST_TEXT),
        }
    }
}

impl Population {
    fn check(&self, floors: usize, rooms: &Rooms) -> Result<(), DescriptionError> {
        let (least, most) = (i64::from(self.least), i64::from(self.most));
        range(|| "the population's `squares`".into(), 1, MOST_SQUARES, self.squares.into())?;
        range(|| "the population's `most`".into(), 0, MOST_MONSTERS, most)?;
        if least > most {
            return Err(DescriptionError::Order { what: "the population's `least` and `most`", least, most });
        }
        if let Some(room) = self.empty.iter().find(|room| !rooms.contains_key(room.as_str())) {
            let names: Vec<&str> = rooms.keys().copied().collect();
            return Err(DescriptionError::NoEmptyRoom { room: room.clone(), nearest: nearest(room, &names) });
        }
        self.boss.as_ref().map_or(Ok(()), |boss| text(|| "the boss".into(), boss, LONGEST_ROOM))?;
        for (floor, weights) in &self.floors {
            // `01` would be a second name of floor 1.
            let is_floor = (1..=floors).any(|number| number.to_string() == *floor);
            if !is_floor {
                return Err(DescriptionError::NoFloor { floor: floor.clone(), floors });
            }
            if weights.values().all(|weight| *weight == 0) {
                return Err(DescriptionError::NoWeight(floor.clone()));
            }
        }
        Ok(())
    }
}

fn is_there(what: &'static str, room: &str, floor: usize, rooms: &Rooms) -> Result<(), DescriptionError> {
    let elsewhere = match rooms.get(room) {
        Some(here) if *here == floor => return Ok(()),
        Some(other) => format!(", but on floor {other}; floors are joined by stairs, which need no link"),
        None => {
            let names: Vec<&str> = rooms.iter().filter(|(_, of)| **of == floor).map(|(name, _)| *name).collect();
            nearest(room, &names)
        }
    };
    Err(DescriptionError::NoRoom { what, room: room.to_owned(), floor, elsewhere })
}

fn known(what: &'static str, found: &str, names: &[&str]) -> Result<(), DescriptionError> {
    match names.contains(&found) {
        true => Ok(()),
        false => {
            let nearest = match nearest(found, names) {
                none if none.is_empty() => format!("; there are: {}", names.join(", ")),
                nearest => nearest,
            };
            Err(DescriptionError::Unknown { what, found: found.to_owned(), nearest })
        }
    }
}

/// The name that was meant, if one is like it.
fn nearest(found: &str, names: &[&str]) -> String {
    let likeness = |name: &str| strsim::jaro_winkler(&found.to_lowercase(), &name.to_lowercase());
    let like = names.iter().map(|name| (likeness(name), name)).filter(|(likeness, _)| *likeness > 0.85);
    let nearest = like.max_by(|(one, _), (other, _)| one.total_cmp(other));
    nearest.map_or_else(String::new, |(_, name)| format!("; is `{name}` meant?"))
}

fn text(what: impl Fn() -> String, found: &str, longest: usize) -> Result<(), DescriptionError> {
    let right = !found.is_empty() && found.trim() == found && !found.chars().any(char::is_control);
    match right && found.chars().count() <= longest {
        true => Ok(()),
        false => {
            let rule = match longest {
                LONGEST_ROOM => "1 to 60 characters in a line, without spaces about them",
                _ => "1 to 200 characters in a line, without spaces about them",
            };
            Err(DescriptionError::Text { what: what(), found: shown(found), rule })
        }
    }
}

/// The beginning of a text, with nothing in it that a terminal would obey.
fn shown(text: &str) -> String {
    text.chars().take(LONGEST_NAME).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn range(what: impl Fn() -> String, least: i64, most: i64, found: i64) -> Result<(), DescriptionError> {
    match (least..=most).contains(&found) {
        true => Ok(()),
        false => Err(DescriptionError::Range { what: what(), least, most, found }),
    }
}

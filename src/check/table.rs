//! The checks, a row each: code, name, the rule in words. Knows nothing of how they are asked.

use super::site::Site;
use super::{Code, Finding, Mark, corridor, door, exit, guard, ladder, nook, reach, room, way_in};

/// A check.
pub struct Check {
    /// Its code.
    pub code: Code,
    /// What it is called.
    pub name: &'static str,
    /// The rule that it asks for, in words.
    pub rule: &'static str,
    /// Why it says nothing of a tower; none if it does.
    pub(super) unasked: fn(&Site<'_>) -> Option<&'static str>,
    find: fn(&Site<'_>) -> Vec<Mark>,
}

impl Check {
    /// Where a tower breaks the rule.
    pub(super) fn findings(&self, site: &Site<'_>) -> Vec<Finding> {
        let told = |mark: Mark| Finding {
            code: self.code,
            at: mark.at,
            message: format!("{}: {}", site.place(mark.at), mark.text),
        };
        (self.find)(site).into_iter().map(told).collect()
    }
}

/// The table.
pub const CHECKS: [Check; 18] = [
    Check {
        code: Code::H1,
        name: "a way in",
        rule: "Each floor has the hero's start, or a stair, a ladder or a one-way passage that leads to it.",
        unasked: always,
        find: way_in::missing,
    },
    Check {
        code: Code::H2,
        name: "nothing floats",
        rule: "Each square that is no wall can be walked to from a way in of its floor, once doors, monsters and events are gone.",
        unasked: always,
        find: way_in::floating,
    },
    Check {
        code: Code::H3,
        name: "rooms are whole",
        rule: "A room lies on its floor and has no wall in it.",
        unasked: without_rooms,
        find: room::broken,
    },
    Check {
        code: Code::H4,
        name: "rooms are apart",
        rule: "No square of a room lies in another room or directly beside a square of one.",
        unasked: without_rooms,
        find: room::touching,
    },
    Check {
        code: Code::H5,
        name: "doors hang in walls",
        rule: "A door or gate has wall on two opposite sides and open squares on the other two.",
        unasked: without_doors,
        find: door::hanging,
    },
    Check {
        code: Code::H6,
        name: "doors can be opened",
        rule: "For each door or gate there is a key of each colour and a tool of each kind that it takes, with the hero, on a map or from an event; one that takes none is opened by an event.",
        unasked: without_doors,
        find: door::unopened,
    },
    Check {
        code: Code::H7,
        name: "stairs are nooks",
        rule: "A stair, like an end of a ladder, has exactly one open side.",
        unasked: without_stairs,
        find: nook::open,
    },
    Check {
        code: Code::H8,
        name: "the start is quiet",
        rule: "No monster stands in the start's room (where no room is named, on the start) or sees a square of it: a straight line between the middles of two squares that crosses no wall, door, gate, figure or other monster.",
        unasked: always,
        find: guard::seen,
    },
    Check {
        code: Code::H9,
        name: "ways in are clear",
        rule: "No monster stands within three squares of the start, a stair or a ladder: the larger of columns and rows between them is four at least, whatever lies between.",
        unasked: always,
        find: guard::close,
    },
    Check {
        code: Code::H10,
        name: "monsters fit",
        rule: "A monster is no taller than the ceiling of the room that it stands in.",
        unasked: without_heights,
        find: room::too_low,
    },
    Check {
        code: Code::H11,
        name: "ways lead somewhere",
        rule: "An open square outside of rooms that has one open side holds something: an item, a stair, a door, a monster, an event, or the start.",
        unasked: without_rooms,
        find: corridor::dead_ends,
    },
    Check {
        code: Code::H12,
        name: "ways are not tangled",
        rule: "Outside of rooms no two by two squares are all open.",
        unasked: without_rooms,
        find: corridor::tangles,
    },
    Check {
        code: Code::D1,
        name: "floors are reached",
        rule: "Each floor can be walked to from the hero's start.",
        unasked: on_one_floor,
        find: reach::floors,
    },
    Check {
        code: Code::D2,
        name: "the goal is reached",
        rule: "The boss and the quick exit's foot can be walked to from the hero's start, without the quick exit.",
        unasked: without_boss,
        find: reach::goal,
    },
    Check {
        code: Code::D3,
        name: "stairs are pairs",
        rule: "Each stair leads to another; the two ends of a ladder lie straight above each other, on two floors.",
        unasked: without_stairs,
        find: ladder::unpaired,
    },
    Check {
        code: Code::D4,
        name: "the exit leads out",
        rule: "From the quick exit's upper end the hero's start can be walked to without the ladder, because what shuts it is opened from within.",
        unasked: exit::missing,
        find: exit::leads_out,
    },
    Check {
        code: Code::D5,
        name: "the exit is shut",
        rule: "The quick exit's upper end cannot be walked to from the hero's start without the ladder, whatever is beaten, opened and found.",
        unasked: exit::missing,
        find: exit::let_in,
    },
    Check {
        code: Code::D6,
        name: "ladders pass through rock",
        rule: "On each floor between a ladder's ends, its square and the eight around it are wall.",
        unasked: ladder::none_is_long,
        find: ladder::uncovered,
    },
];

fn always(_: &Site<'_>) -> Option<&'static str> {
    None
}

fn without_rooms(site: &Site<'_>) -> Option<&'static str> {
    site.tower.blueprint.rooms.is_empty().then_some("no rooms are named")
}

fn without_heights(site: &Site<'_>) -> Option<&'static str> {
    without_rooms(site)
        .or_else(|| site.tower.blueprint.heights.is_empty().then_some("nobody says how tall its monsters are"))
}

fn without_doors(site: &Site<'_>) -> Option<&'static str> {
    door::all(site).next().is_none().then_some("it has no doors")
}

fn without_stairs(site: &Site<'_>) -> Option<&'static str> {
    nook::all(site).next().is_none().then_some("it has no stairs")
}

fn without_boss(site: &Site<'_>) -> Option<&'static str> {
    (site.tower.bosses().next().is_none() && exit::missing(site).is_some()).then_some("it has no boss")
}

fn on_one_floor(site: &Site<'_>) -> Option<&'static str> {
    (site.tower.floors.len() == 1).then_some("it has one floor")
}

//! From a drawn and peopled ground to a tower of the game: maps, monster table, gates, events, rooms. Knows nothing of the
//! draws that led there.

use std::collections::BTreeMap;

use super::bestiary::{Bestiary, Expected};
use super::description::{Cycle, Description};
use super::goods::VALUES;
use super::ground::{Ground, What};
use super::population::Rule;
use super::sheet::Square;
use super::site::RoomId;
use crate::game::script::{Instruction, Target};
use crate::game::{
    Blueprint, Event, Expression, Floor, Gate, Goal, Hero, Item, ItemValues, Ladder, LadderKind, Monster, MonsterId,
    Operator, Position, Quantity, Room, Rules, StairWay, Thing, Tile, Tower, Trigger, Variable,
};

/// The map's symbol of the boss.
const BOSS: &str = "B";

/// ATK and DEF of the hero at the start.
pub const START: (i64, i64) = (20, 10);

/// HP that a plate takes on a floor of a difficulty.
pub fn toll(difficulty: u8) -> i64 {
    12 + 6 * i64::from(difficulty)
}

/// The tower of a ground, for a hero with so much HP. None if a map is too large for the game.
pub fn furnish(ground: &Ground<'_>, rule: &Rule<'_>, hp: i64) -> Option<Tower> {
    let frame = Frame::around(ground)?;
    let description = ground.site.description;
    let mut furnisher = Furnisher {
        ground,
        bestiary: rule.bestiary,
        frame,
        monsters: Vec::new(),
        heights: Vec::new(),
        rows: BTreeMap::new(),
    };
    let floors = (0..ground.placed.len()).map(|floor| furnisher.floor(floor)).collect::<Option<Vec<Floor>>>()?;
    let Furnisher { monsters, heights, .. } = furnisher;
    let start = frame.position(0, ground.site.start());
    let mut tower = Tower {
        name: description.name.clone(),
        title: description.title.clone().unwrap_or_else(|| description.name.clone()),
        rules: Rules::default(),
        hero: Hero { hp, atk: START.0, def: START.1, ..Hero::default() },
        start,
        items: given(ground),
        monsters,
        floors,
        stairs: stairs(ground, frame),
        goal: if ground.site.exit.is_some() { Goal::Exit(start) } else { Goal::Boss },
        ..Tower::default()
    };
    add_gates(ground, description, &mut tower);
    add_events(ground, frame, &mut tower);
    tower.blueprint = Blueprint {
        rooms: rooms(ground, rule, frame),
        ladders: ladders(ground, frame),
        by_rule: by_rule(ground, frame),
        heights,
    };
    Some(tower)
}

/// The part of the squares that the maps show: all that is open on any floor, and rock around it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: i32,
    top: i32,
    width: u16,
    height: u16,
}

impl Frame {
    fn around(ground: &Ground<'_>) -> Option<Self> {
        let squares = || ground.site.floors.iter().flat_map(|layout| layout.sheet.open()).map(|(square, _)| square);
        let (left, right) = (squares().map(|square| square.0).min()?, squares().map(|square| square.0).max()?);
        let (top, bottom) = (squares().map(|square| square.1).min()?, squares().map(|square| square.1).max()?);
        let (width, height) = (u16::try_from(right - left + 3).ok()?, u16::try_from(bottom - top + 3).ok()?);
        Some(Frame { left: left - 1, top: top - 1, width, height })
    }

    fn position(self, floor: usize, (x, y): Square) -> Position {
        Position::new(floor as u16, (x - self.left) as u16, (y - self.top) as u16)
    }
}

struct Furnisher<'g, 'd> {
    ground: &'g Ground<'d>,
    bestiary: &'g Bestiary,
    frame: Frame,
    monsters: Vec<Monster>,
    heights: Vec<(MonsterId, u8)>,
    /// Rows of the monster table by floor, row of the bestiary, and whether it is the boss.
    rows: BTreeMap<(usize, usize, bool), MonsterId>,
}

impl Furnisher<'_, '_> {
    fn floor(&mut self, floor: usize) -> Option<Floor> {
        let Frame { left, top, width, height } = self.frame;
        let description = self.ground.site.description;
        let name = description.floors[floor].name.clone().unwrap_or_else(|| format!("Floor {}", floor + 1));
        let squares = (0..i32::from(height)).map(|y| (0..i32::from(width)).map(move |x| (left + x, top + y)));
        let rows = squares.map(|row| row.map(|square| self.tile(floor, square)).collect()).collect();
        Floor::from_rows(name, rows)
    }

    fn tile(&mut self, floor: usize, square: Square) -> Tile {
        let site = &self.ground.site;
        match self.ground.at(floor, square) {
            Some(What::Monster(row)) => Tile::Monster(self.row(floor, row, false)),
            Some(What::Boss(row)) => Tile::Monster(self.row(floor, row, true)),
            Some(What::Item(item)) => Tile::Item(item),
            Some(What::Door(colour)) => Tile::Door(colour),
            Some(What::Plate | What::Lever) => Tile::Event,
            Some(What::ExitGate) => Tile::Gate(0),
            Some(What::CycleGate) => Tile::Gate(cycle_gate(self.ground)),
            Some(What::CycleKey) if site.description.cycle == Some(Cycle::Flood) => Tile::Event,
            Some(What::CycleKey) => Tile::Item(Item::Thing(0)),
            None if site.floors[floor].sheet.is_rock(square) => Tile::Wall,
            None => end_of(self.ground, floor, square).map_or(Tile::Floor, Tile::Stair),
        }
    }

    /// The row of the monster table for a type on a floor.
    fn row(&mut self, floor: usize, row: usize, boss: bool) -> MonsterId {
        if let Some(id) = self.rows.get(&(floor, row, boss)) {
            return *id;
        }
        let id = self.monsters.len() as MonsterId;
        let kind = &self.bestiary.types[row];
        let others = self.monsters.iter().filter(|monster| !monster.boss).count();
        let symbol = if boss { BOSS.to_owned() } else { (others + 1).to_string() };
        let expected = expected(self.ground, floor, boss || kind.guard);
        self.monsters.push(kind.monster(symbol, floor, expected, boss));
        self.heights.push((id, kind.height));
        self.rows.insert((floor, row, boss), id);
        id
    }
}

/// The hero that is expected on a floor: with nine of ten points that lie on the floors before, and half of those
/// on the floor itself; at its end, before the boss, with nine of ten of these, too.
fn expected(ground: &Ground<'_>, floor: usize, at_end: bool) -> Expected {
    let points = |floor: usize| {
        let items = ground.placed[floor].values().filter_map(|placed| match placed.what {
            What::Item(item) => VALUES.give(&Hero::default(), item),
            _ => None,
        });
        items.fold((0, 0), |(atk, def), hero| (atk + hero.atk, def + hero.def))
    };
    let before = (0..floor).map(points).fold((0, 0), |(atk, def), (more, further)| (atk + more, def + further));
    let here = points(floor);
    let share = if at_end { 9 } else { 5 };
    Expected {
        atk: START.0 + (9 * before.0 + share * here.0) / 10,
        def: START.1 + (9 * before.1 + share * here.1) / 10,
        difficulty: ground.site.description.difficulty_of(floor),
    }
}

/// What the items that lie in the tower give.
fn given(ground: &Ground<'_>) -> ItemValues {
    let lies = |wanted: Item| {
        ground.placed.iter().flat_map(|floor| floor.values()).any(|placed| placed.what == What::Item(wanted))
    };
    let mut values = VALUES;
    if !lies(Item::Sword) {
        values.sword = 0;
    }
    if !lies(Item::Shield) {
        values.shield = 0;
    }
    values
}

/// Which way the stairs or ladder at a square lead, if there is one.
fn end_of(ground: &Ground<'_>, floor: usize, square: Square) -> Option<StairWay> {
    let site = &ground.site;
    let onward = if site.description.descends { StairWay::Down } else { StairWay::Up };
    let back = if site.description.descends { StairWay::Up } else { StairWay::Down };
    let leads_on = site.stairs.get(floor) == Some(&square)
        || site.ladders.iter().chain(&site.exit).any(|shaft| shaft.floors.0 == floor && shaft.at == square);
    let leads_back = floor.checked_sub(1).is_some_and(|before| site.stairs.get(before) == Some(&square))
        || site.ladders.iter().chain(&site.exit).any(|shaft| shaft.floors.1 == floor && shaft.at == square);
    if leads_on { Some(onward) } else { leads_back.then_some(back) }
}

fn stairs(ground: &Ground<'_>, frame: Frame) -> Vec<(Position, Position)> {
    let pair = |first: usize, second: usize, at: Square| (frame.position(first, at), frame.position(second, at));
    let stairs = ground.site.stairs.iter().enumerate().map(|(floor, at)| pair(floor, floor + 1, *at));
    let ladders = ground.site.ladders.iter().chain(&ground.site.exit);
    let mut all: Vec<(Position, Position)> =
        stairs.chain(ladders.map(|shaft| pair(shaft.floors.0, shaft.floors.1, shaft.at))).collect();
    // Files list them floor by floor.
    all.sort_by_key(|(at, _)| at.floor);
    all
}

fn ladders(ground: &Ground<'_>, frame: Frame) -> Vec<Ladder> {
    let site = &ground.site;
    let second = site.ladders.iter().map(|shaft| (shaft, LadderKind::SecondWay));
    let exit = site.exit.iter().map(|shaft| (shaft, LadderKind::QuickExit));
    let ladder = |(shaft, kind): (&super::shaft::Shaft, LadderKind)| Ladder {
        first: frame.position(shaft.floors.0, shaft.at),
        second: frame.position(shaft.floors.1, shaft.at),
        kind,
    };
    let mut all: Vec<Ladder> = second.chain(exit).map(ladder).collect();
    all.sort_by_key(|ladder| (ladder.first, ladder.second));
    all
}

fn rooms(ground: &Ground<'_>, rule: &Rule<'_>, frame: Frame) -> Vec<Room> {
    let mut rooms = Vec::new();
    for (floor, layout) in ground.site.floors.iter().enumerate() {
        for (number, (plan, place)) in ground.site.plan(floor).rooms.iter().zip(&layout.sheet.rooms).enumerate() {
            let Some(place) = place else { continue };
            rooms.push(Room {
                name: plan.name.clone(),
                kind: rule.kind_of(plan).name.clone(),
                at: frame.position(floor, place.at),
                width: place.size.0 as u16,
                height: place.size.1 as u16,
                ceiling: plan.height.max(tallest(ground, rule, (floor, number))),
            });
        }
    }
    rooms
}

/// How tall the boss and its guard are: their room's ceiling is no lower.
fn tallest(ground: &Ground<'_>, rule: &Rule<'_>, id: RoomId) -> u8 {
    let standing = ground.placed[id.0].values().filter_map(|placed| match placed.what {
        What::Boss(row) => rule.bestiary.types.get(row),
        _ => None,
    });
    let guards = rule.bestiary.types.iter().filter(|kind| kind.guard);
    let heights = standing.chain(guards).map(|kind| kind.height);
    if id == ground.site.boss_room() { heights.max().unwrap_or(1) } else { 1 }
}

fn by_rule(ground: &Ground<'_>, frame: Frame) -> Vec<Position> {
    let floors = ground.placed.iter().enumerate();
    let squares = floors.flat_map(|(floor, placed)| {
        placed.iter().filter(|(_, placed)| placed.by_rule).map(move |(square, _)| frame.position(floor, *square))
    });
    let mut squares: Vec<Position> = squares.collect();
    squares.sort_unstable();
    squares
}

/// The number of the cycle's gate: that of the quick exit comes first.
fn cycle_gate(ground: &Ground<'_>) -> u16 {
    u16::from(ground.site.exit.is_some())
}

fn add_gates(ground: &Ground<'_>, description: &Description, tower: &mut Tower) {
    let mut gate = |name: &str, tools: Vec<(u16, i64)>, by_event: bool| {
        let symbol = format!("D{}", tower.gates.len() + 1);
        tower.gates.push(Gate { symbol, name: name.into(), keys: Default::default(), tools, by_event });
    };
    if ground.site.exit.is_some() {
        gate("Door without a handle", Vec::new(), true);
    }
    let (opens, tool) = match description.cycle {
        None => return,
        Some(Cycle::Flood) => return gate("Flooded way", Vec::new(), true),
        Some(Cycle::Code) => ("Gate with a code", ("Tablet with the code", "item:code")),
        Some(Cycle::Lock) => ("Locked gate", ("Vault key", "item:vault key")),
    };
    gate(opens, vec![(0, 1)], false);
    tower.variables.push(Variable { name: tool.1.into(), start: 0 });
    tower.things.push(Thing {
        symbol: "i1".into(),
        name: tool.0.into(),
        gain: Hero::default(),
        tools: vec![(0, 1)],
        script: Vec::new(),
    });
}

fn add_events(ground: &Ground<'_>, frame: Frame, tower: &mut Tower) {
    for (floor, placed) in ground.placed.iter().enumerate() {
        let mut events: Vec<Event> = placed
            .iter()
            .filter_map(|(square, placed)| {
                let at = frame.position(floor, *square);
                let (title, mut script) = match placed.what {
                    What::Plate => ("Pressure plate", vec![pay(toll(ground.site.description.difficulty_of(floor)))]),
                    What::Lever => ("Lever", vec![open(ground, frame, What::ExitGate)]),
                    What::CycleKey if ground.site.description.cycle == Some(Cycle::Flood) => {
                        ("Sluice wheel", vec![open(ground, frame, What::CycleGate)])
                    }
                    _ => return None,
                };
                script.push(Instruction::Remove { at: vec![at] });
                Some(Event { at, trigger: Trigger::Step, title: title.into(), hidden: false, script })
            })
            .collect();
        events.sort_by_key(|event| (event.at.y, event.at.x));
        tower.events.extend(events);
    }
}

fn pay(toll: i64) -> Instruction {
    let number = |n: i64| Expression::Number(n.into());
    let (hp, toll) = (Box::new(Expression::Hero(Quantity::Hp)), Box::new(number(toll)));
    Instruction::Set { target: Target::Hero(Quantity::Hp), value: Expression::Operation(hp, Operator::Minus, toll) }
}

fn open(ground: &Ground<'_>, frame: Frame, what: What) -> Instruction {
    let floors = ground.placed.iter().enumerate();
    let gates = floors.flat_map(|(floor, placed)| {
        placed.iter().filter(|(_, placed)| placed.what == what).map(move |(square, _)| frame.position(floor, *square))
    });
    Instruction::Open { at: gates.collect() }
}

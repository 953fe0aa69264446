//! How hard each floor of a tower is: what best play makes of it, and the floor alone as a game. Asks what states are worth;
//! knows nothing of how the tower was made.

use serde::{Deserialize, Serialize};

use crate::game::{
    Abilities, Event, Floor, Game, Goal, Hero, Instruction, ItemMode, Monster, MonsterId, Position, StairWay, State,
    Step, Tile, Tower,
};
use crate::solver::{SolveError, Values};

/// What is known of one floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hardness {
    /// Decisions of best play whose tile lies there.
    pub decisions: u32,
    /// HP that best play pays there, what it finds not set off against it.
    pub paid: i64,
    /// The floor alone, as best play comes to it; none if best play does nothing there.
    pub alone: Option<Alone>,
}

/// A floor alone: the hero comes as best play brings him, and wins by reaching the next floor, on the last one by defeating
/// the boss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alone {
    /// HP that he comes with.
    pub start: i64,
    /// The most HP that he can leave with; none if he cannot leave without the other floors, or it is not known.
    pub optimum: Option<i64>,
    /// States that play can reach, and those of them from which he can no longer leave; none if they are too many.
    pub states: Option<(usize, usize)>,
}

/// Bytes that the states of a floor may take.
const MEMORY: usize = 48 << 20;

/// Measures each floor of a tower along a route that wins.
///
/// # Errors
/// [`SolveError`] if a quantity leaves its range.
pub fn of(game: &Game, route: &[Step]) -> Result<Vec<Hardness>, SolveError> {
    let mut floors = vec![Hardness::default(); game.tower().floors.len()];
    let mut state: State = game.start()?;
    for step in route {
        let floor = step.action.target.floor;
        let Some(hardness) = floors.get_mut(usize::from(floor)) else { continue };
        if hardness.alone.is_none() {
            hardness.alone = Some(alone(game, &state, floor)?);
        }
        hardness.decisions += 1;
        hardness.paid += paid(game, &state, step);
        state = step.state.clone();
    }
    Ok(floors)
}

/// HP that a decision takes.
fn paid(game: &Game, state: &State, step: &Step) -> i64 {
    let items = &game.tower().items;
    let gained =
        |(_, item): &(Position, crate::game::Item)| items.give(&Hero::default(), *item).map_or(0, |hero| hero.hp);
    let gained: i64 = step.collected.iter().map(gained).sum();
    (state.hero.hp + gained - step.state.hero.hp).max(0)
}

/// What a floor alone is worth.
fn alone(game: &Game, state: &State, floor: u16) -> Result<Alone, SolveError> {
    let start = state.hero.hp;
    let unknown = Alone { start, optimum: None, states: None };
    let Some(tower) = floor_alone(game, state, floor) else { return Ok(unknown) };
    let Ok(game) = Game::new(tower, ItemMode::Auto) else { return Ok(unknown) };
    let values = match Values::new(&game, MEMORY) {
        Ok(values) => values,
        Err(SolveError::NotExact(_) | SolveError::NotProven { .. }) => return Ok(unknown),
        Err(error) => return Err(error),
    };
    Ok(Alone { start, optimum: values.of(&game.start()?)?, states: values.keys().zip(values.lost()) })
}

/// The tower that a floor alone is: where it leads on, a boss that costs nothing is reached.
fn floor_alone(game: &Game, state: &State, floor: u16) -> Option<Tower> {
    let tower = game.tower();
    let ends = |from: u16, to: u16| {
        let joined = tower.stairs.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
        joined
            .filter(move |(one, other)| one.floor == from && other.floor == to)
            .map(|(one, _)| one)
            .collect::<Vec<_>>()
    };
    let next = floor.checked_add(1).filter(|next| usize::from(*next) < tower.floors.len());
    let onward = next.map(|next| ends(floor, next)).unwrap_or_default();
    let came = floor.checked_sub(1).map(|before| ends(floor, before)).unwrap_or_default();
    let start = if floor == tower.start.floor { tower.start } else { *came.first()? };
    let mut monsters = tower.monsters.clone();
    let exit = monsters.len() as MonsterId;
    if next.is_some() {
        monsters.iter_mut().for_each(|monster| monster.boss = false);
        let (symbol, name) = ("B".to_owned(), "Way on".to_owned());
        let abilities = Abilities::none();
        monsters.push(Monster { symbol, name, hp: 1, atk: 0, def: 0, gold: 0, experience: 0, abilities, boss: true });
    }
    let map = tower.floors.get(usize::from(floor))?;
    let now = |at: Position| game.graph().cell(at).map(|cell| game.tile_now(state, cell));
    let tile = |x: u16, y: u16| match (Position::new(floor, x, y), now(Position::new(floor, x, y))) {
        (at, _) if onward.contains(&at) => Tile::Stair(StairWay::Up),
        (_, Some(Tile::Stair(_))) => Tile::Floor,
        (_, tile) => tile.unwrap_or(Tile::Wall),
    };
    let rows = (0..map.height()).map(|y| (0..map.width()).map(|x| tile(x, y)).collect()).collect();
    let mut floors = vec![Floor::from_rows(map.name.clone(), rows)?];
    if next.is_some() {
        // Beyond: all ways on lead to one row, at whose end the boss stands.
        let landing = onward.iter().map(|_| Tile::Stair(StairWay::Down)).chain([Tile::Monster(exit)]).collect();
        floors.push(Floor::from_rows("Beyond".into(), vec![landing])?);
    }
    let stairs = onward.iter().zip(0..).map(|(at, x)| (grounded_at(*at), Position::new(1, x, 0)));
    let of_floor = |event: &&Event| event.at.floor == floor && now(event.at) == Some(Tile::Event);
    let events = tower.events.iter().filter(of_floor).map(grounded);
    Some(Tower {
        hero: state.hero,
        start: grounded_at(start),
        floors,
        stairs: stairs.collect(),
        goal: Goal::Boss,
        events: events.collect(),
        monsters,
        blueprint: Default::default(),
        origin: None,
        ..Tower::clone(tower)
    })
}

/// An event of a floor that is the only one.
fn grounded(event: &Event) -> Event {
    let script = event.script.iter().cloned().map(|instruction| match instruction {
        Instruction::Open { at } => Instruction::Open { at: at.into_iter().map(grounded_at).collect() },
        Instruction::Remove { at } => Instruction::Remove { at: at.into_iter().map(grounded_at).collect() },
        other => other,
    });
    Event { at: grounded_at(event.at), script: script.collect(), ..event.clone() }
}

fn grounded_at(at: Position) -> Position {
    Position { floor: 0, ..at }
}

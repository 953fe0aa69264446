//! A tower as the exact solver sees it: obstacles, and the areas between them.
//!
//! An *obstacle* is a tile that takes a decision: a door, a monster, and an item where items are actions. An *area* is
//! a connected piece of everything else; entering it collects what lies there. Nothing here knows of search.

use crate::game::{CellIndex, Colour, Game, Hero, Item, ItemMode, ItemValues, Keys, MonsterId, Position, State, Tile};

use super::bits::Bits;
use super::error::{SolveError, overflow};

/// Obstacles, areas and what touches what. Obstacles are numbered in the order in which actions are.
#[derive(Clone, Debug)]
pub struct Graph<const W: usize> {
    /// The obstacles.
    pub obstacles: Vec<Obstacle<W>>,
    /// The areas.
    pub areas: Vec<Area<W>>,
    cells: Vec<Owner>,
}

/// A tile that takes a decision.
#[derive(Clone, Debug)]
pub struct Obstacle<const W: usize> {
    /// Where it is.
    pub at: Position,
    /// Its tile's number.
    pub cell: CellIndex,
    /// What it is.
    pub kind: ObstacleKind,
    /// Areas that it touches.
    pub areas: Bits<W>,
    /// Obstacles that it touches directly.
    pub beside: Bits<W>,
    /// What clearing it gives by itself: an item's gain, else nothing.
    pub gain: Gain,
}

/// What an obstacle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObstacleKind {
    /// A door.
    Door(Colour),
    /// A monster.
    Monster(MonsterId),
    /// An item that is collected by a decision.
    Item(Item),
}

/// A connected piece of open tiles and items that are collected at once.
#[derive(Clone, Debug)]
pub struct Area<const W: usize> {
    /// What lies there and where, in order of the tiles' numbers.
    pub items: Vec<(CellIndex, Item)>,
    /// What all of it gives.
    pub gain: Gain,
    /// Whether a shop stands there.
    pub shop: bool,
    /// Obstacles around it.
    pub border: Bits<W>,
}

/// What items give, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// HP.
    pub hp: i64,
    /// ATK.
    pub atk: i64,
    /// DEF.
    pub def: i64,
    /// MDEF.
    pub mdef: i64,
    /// Keys, in the order of `Colour::ALL`.
    pub keys: [u32; 4],
}

impl Gain {
    /// What one item gives.
    fn of(values: &ItemValues, item: Item) -> Result<Self, SolveError> {
        let hero = values.give(&Hero::default(), item).ok_or_else(overflow)?;
        Ok(Gain { hp: hero.hp, atk: hero.atk, def: hero.def, mdef: hero.mdef, keys: keys_of(&hero.keys)? })
    }

    /// Both together.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a sum leaves its range.
    #[inline]
    pub fn plus(&self, other: &Gain) -> Result<Gain, SolveError> {
        let sum = || {
            Some(Gain {
                hp: self.hp.checked_add(other.hp)?,
                atk: self.atk.checked_add(other.atk)?,
                def: self.def.checked_add(other.def)?,
                mdef: self.mdef.checked_add(other.mdef)?,
                keys: [
                    self.keys[0].checked_add(other.keys[0])?,
                    self.keys[1].checked_add(other.keys[1])?,
                    self.keys[2].checked_add(other.keys[2])?,
                    self.keys[3].checked_add(other.keys[3])?,
                ],
            })
        };
        sum().ok_or_else(overflow)
    }
}

/// Keys as the solver counts them, in the order of `Colour::ALL`.
///
/// # Errors
/// [`SolveError::Overflow`] beyond 32 bits.
pub fn keys_of(keys: &Keys) -> Result<[u32; 4], SolveError> {
    let mut counts = [0; 4];
    for (count, colour) in counts.iter_mut().zip(Colour::ALL) {
        *count = u32::try_from(keys[colour])
            .map_err(|_| SolveError::Overflow(format!("the hero holds {} {colour} keys", keys[colour])))?;
    }
    Ok(counts)
}

/// What a tile belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Wall,
    Obstacle(usize),
    Area(usize),
}

/// How many obstacles and areas a game has, whichever is more: what a set must hold.
pub fn size(game: &Game) -> usize {
    let owners = owners(game);
    let obstacles = owners.iter().filter(|owner| matches!(owner, Owner::Obstacle(_))).count();
    let areas =
        owners.iter().filter_map(|owner| if let Owner::Area(area) = owner { Some(*area + 1) } else { None }).max();
    obstacles.max(areas.unwrap_or(0))
}

impl<const W: usize> Graph<W> {
    /// The graph of a game.
    ///
    /// # Errors
    /// [`SolveError::TooManyObstacles`] if a set of `W` words cannot hold it.
    pub fn new(game: &Game) -> Result<Self, SolveError> {
        let needed = size(game);
        if needed > Bits::<W>::CAPACITY {
            return Err(SolveError::TooManyObstacles { found: needed, most: Bits::<W>::CAPACITY });
        }
        let cells = owners(game);
        let mut graph = Graph { obstacles: obstacles(game, &cells), areas: Vec::new(), cells };
        for cell in 0..game.graph().len() {
            graph.enter(game, cell);
        }
        for index in 0..graph.obstacles.len() {
            graph.link(game, index);
        }
        let values = &game.tower().items;
        for obstacle in &mut graph.obstacles {
            if let ObstacleKind::Item(item) = obstacle.kind {
                obstacle.gain = Gain::of(values, item)?;
            }
        }
        for area in &mut graph.areas {
            let mut items = area.items.iter();
            area.gain = items.try_fold(Gain::default(), |sum, (_, item)| sum.plus(&Gain::of(values, *item)?))?;
        }
        Ok(graph)
    }

    /// The obstacle on a tile.
    pub fn obstacle_at(&self, cell: CellIndex) -> Option<usize> {
        match self.cells.get(cell as usize) {
            Some(Owner::Obstacle(index)) => Some(*index),
            _ => None,
        }
    }

    /// Areas that the hero has entered in a state of the game, or could enter by collecting what is in reach.
    pub fn opened(&self, game: &Game, state: &State) -> Bits<W> {
        let mut opened = Bits::empty();
        for cell in state.region.iter() {
            for cell in std::iter::once(&cell).chain(game.graph().neighbours(cell)) {
                if let Owner::Area(area) = self.cells[*cell as usize] {
                    opened.insert(area);
                }
            }
        }
        opened
    }

    /// Obstacles that are gone in a state of the game.
    pub fn cleared(&self, state: &State) -> Bits<W> {
        let mut cleared = Bits::empty();
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            if state.cleared.contains(obstacle.cell) {
                cleared.insert(index);
            }
        }
        cleared
    }

    /// Adds a tile to its area, if it belongs to one.
    fn enter(&mut self, game: &Game, cell: usize) {
        let Owner::Area(index) = self.cells[cell] else { return };
        if self.areas.len() <= index {
            self.areas.push(Area { items: Vec::new(), gain: Gain::default(), shop: false, border: Bits::empty() });
        }
        let area = &mut self.areas[index];
        match game.graph().tile(cell as CellIndex) {
            Tile::Item(item) => area.items.push((cell as CellIndex, item)),
            Tile::Shop => area.shop = true,
            _ => {}
        }
    }

    /// Joins an obstacle with what touches it.
    fn link(&mut self, game: &Game, index: usize) {
        for &next in game.graph().neighbours(self.obstacles[index].cell) {
            match self.cells[next as usize] {
                Owner::Wall => {}
                Owner::Obstacle(other) => self.obstacles[index].beside.insert(other),
                Owner::Area(area) => {
                    self.obstacles[index].areas.insert(area);
                    self.areas[area].border.insert(index);
                }
            }
        }
    }
}

/// Assigns every tile, numbering obstacles in order of position and areas in order of their first tile.
fn owners(game: &Game) -> Vec<Owner> {
    let graph = game.graph();
    let mut owners = vec![Owner::Wall; graph.len()];
    let mut obstacle_cells: Vec<CellIndex> =
        (0..graph.len() as CellIndex).filter(|cell| kind(game, *cell).is_some()).collect();
    obstacle_cells.sort_unstable_by_key(|cell| graph.position(*cell));
    for (index, cell) in obstacle_cells.into_iter().enumerate() {
        owners[cell as usize] = Owner::Obstacle(index);
    }
    let mut areas = 0;
    for cell in 0..graph.len() as CellIndex {
        if owners[cell as usize] != Owner::Wall || graph.tile(cell) == Tile::Wall {
            continue;
        }
        let mut front = vec![cell];
        owners[cell as usize] = Owner::Area(areas);
        while let Some(cell) = front.pop() {
            for &next in graph.neighbours(cell) {
                if owners[next as usize] == Owner::Wall {
                    owners[next as usize] = Owner::Area(areas);
                    front.push(next);
                }
            }
        }
        areas += 1;
    }
    owners
}

fn obstacles<const W: usize>(game: &Game, owners: &[Owner]) -> Vec<Obstacle<W>> {
    let mut found: Vec<(usize, CellIndex, ObstacleKind)> = Vec::new();
    for (cell, owner) in owners.iter().enumerate() {
        if let (Owner::Obstacle(index), Some(kind)) = (owner, kind(game, cell as CellIndex)) {
            found.push((*index, cell as CellIndex, kind));
        }
    }
    found.sort_unstable_by_key(|(index, _, _)| *index);
    (found.into_iter())
        .map(|(_, cell, kind)| Obstacle {
            at: game.graph().position(cell),
            cell,
            kind,
            areas: Bits::empty(),
            beside: Bits::empty(),
            gain: Gain::default(),
        })
        .collect()
}

/// What obstacle a tile is, if it is one.
fn kind(game: &Game, cell: CellIndex) -> Option<ObstacleKind> {
    match game.graph().tile(cell) {
        Tile::Door(colour) => Some(ObstacleKind::Door(colour)),
        Tile::Monster(id) => Some(ObstacleKind::Monster(id)),
        Tile::Item(item) if game.items() == ItemMode::Action => Some(ObstacleKind::Item(item)),
        _ => None,
    }
}

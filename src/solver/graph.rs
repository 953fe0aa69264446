//! A tower as the exact solver sees it: obstacles, and the areas between them.
//!
//! An *obstacle* takes a decision: a door, a monster, an item where items are actions; or, in the published solver's
//! merged graph, several tiles that are cleared together. An *area* is a connected piece of everything else; entering
//! it collects what lies there. Nothing here knows of search.

use crate::game::{
    CellIndex, Colour, Game, Item, ItemMode, MonsterId, Position, State, Tile, Tower, region::TileGraph,
};

use super::bits::Bits;
use super::error::{SolveError, overflow};
pub use super::gain::Gain;
use super::gates::Needs;
use super::mechanism::Mechanisms;
use super::merged::{self, Bounty, Content, MergedGraph};

/// Obstacles, areas and what touches what. Obstacles of a game are numbered in the order in which actions are; those
/// of a merged graph in the order of its nodes.
#[derive(Clone, Debug)]
pub struct Graph<const W: usize> {
    /// The obstacles.
    pub obstacles: Vec<Obstacle<W>>,
    /// The areas.
    pub areas: Vec<Area<W>>,
    cells: Vec<Owner>,
}

/// What takes a decision.
#[derive(Clone, Debug)]
pub struct Obstacle<const W: usize> {
    /// Its tiles: one, or those that were merged.
    pub parts: Vec<Part>,
    /// Areas that it touches.
    pub areas: Bits<W>,
    /// Obstacles that it touches directly.
    pub beside: Bits<W>,
    /// Obstacles that may have nothing to give any more once it is cleared: those around what it touches.
    pub around: Bits<W>,
    /// What clearing it gives by itself: an item's gain, else nothing.
    pub gain: Gain,
    /// Keys that it takes, in the order of `Colour::ALL`.
    pub price: [u16; 4],
    /// Gold that its monsters give.
    pub gold: i64,
    /// Whether it is the boss.
    pub boss: bool,
    /// What must have been done before it can be cleared; none of what plain towers have needs anything.
    pub needs: Needs<W>,
}

/// A tile of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it is.
    pub at: Position,
    /// The tile's number.
    pub cell: CellIndex,
    /// What it is.
    pub kind: ObstacleKind,
}

/// What stands on a tile of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObstacleKind {
    /// A door.
    Door(Colour),
    /// A monster.
    Monster(MonsterId),
    /// An item that is collected by a decision.
    Item(Item),
    /// An event that takes so many HP.
    Event(i64),
    /// A gate.
    Gate,
}

/// A connected piece of open tiles and items that are collected at once.
#[derive(Clone, Debug, Default)]
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

/// What a tile belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nothing,
    Obstacle(usize),
    Area(usize),
}

/// How many obstacles and areas a game has, whichever is more: what a set must hold.
pub fn size(game: &Game) -> usize {
    // A tower that is not taken is refused by whoever makes its graph.
    let owners = owners(game, &Mechanisms::of(game).unwrap_or_default());
    let obstacles = owners.iter().filter(|owner| matches!(owner, Owner::Obstacle(_))).count();
    let areas =
        owners.iter().filter_map(|owner| if let Owner::Area(area) = owner { Some(*area + 1) } else { None }).max();
    obstacles.max(areas.unwrap_or(0))
}

impl<const W: usize> Graph<W> {
    /// The graph of a game: an obstacle a tile.
    ///
    /// # Errors
    /// [`SolveError::TooManyObstacles`] if a set of `W` words cannot hold it; [`SolveError::NotExact`] if it has more of its
    /// own than [`Mechanisms`]; [`SolveError::Overflow`].
    pub fn of_tiles(game: &Game) -> Result<Self, SolveError> {
        let mechanisms = Mechanisms::of(game).map_err(SolveError::NotExact)?;
        fits::<W>(size(game))?;
        let cells = owners(game, &mechanisms);
        let mut graph = Graph { obstacles: obstacles(game, &cells, &mechanisms)?, areas: Vec::new(), cells };
        for cell in 0..game.graph().len() {
            graph.enter(game, cell);
        }
        for index in 0..graph.obstacles.len() {
            graph.link(game, index);
        }
        graph.require(&mechanisms);
        graph.survey();
        graph.weigh(game.tower())?;
        Ok(graph)
    }

    /// The graph of a tower whose neighbouring nodes were merged.
    ///
    /// # Errors
    /// [`SolveError::TooManyObstacles`] if a set of `W` words cannot hold it; [`SolveError::Overflow`].
    pub fn of_nodes(game: &Game, merged: &MergedGraph) -> Result<Self, SolveError> {
        fits::<W>(merged.nodes().len())?;
        let tiles = game.graph();
        let mut graph = Graph { obstacles: Vec::new(), areas: Vec::new(), cells: vec![Owner::Nothing; tiles.len()] };
        let mut owner_of = Vec::new();
        for node in merged.nodes() {
            owner_of.push(match &node.content {
                Content::Start => Owner::Nothing,
                Content::Items(bounties) => {
                    graph.areas.push(area_of(bounties, tiles));
                    Owner::Area(graph.areas.len() - 1)
                }
                Content::Obstacles(_) | Content::Boss(..) => {
                    let parts = node.content.obstacles().filter_map(|(at, obstacle)| part_of(at, obstacle, tiles));
                    graph.obstacles.push(Obstacle::new(game, parts.collect())?);
                    Owner::Obstacle(graph.obstacles.len() - 1)
                }
            });
        }
        for (node, owner) in merged.nodes().iter().zip(&owner_of) {
            for position in node.content.tiles() {
                if let Some(cell) = tiles.cell(position) {
                    graph.cells[cell as usize] = *owner;
                }
            }
            for link in &node.links {
                match (*owner, owner_of[*link]) {
                    (Owner::Obstacle(index), Owner::Obstacle(other)) => graph.obstacles[index].beside.insert(other),
                    (Owner::Obstacle(index), Owner::Area(area)) => {
                        graph.obstacles[index].areas.insert(area);
                        graph.areas[area].border.insert(index);
                    }
                    _ => {}
                }
            }
        }
        graph.survey();
        graph.weigh(game.tower())?;
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

    /// Obstacles beside what the hero can walk to in a state of the game, or could by collecting what is in reach;
    /// those that are gone are among them.
    pub fn around(&self, game: &Game, state: &State, opened: Bits<W>) -> Bits<W> {
        let mut around = Bits::empty();
        for area in opened.iter() {
            around |= self.areas[area].border;
        }
        for cell in state.region.iter() {
            for next in game.graph().neighbours(cell) {
                if let Owner::Obstacle(index) = self.cells[*next as usize] {
                    around.insert(index);
                }
            }
        }
        around
    }

    /// Obstacles that are gone in a state of the game.
    pub fn cleared(&self, state: &State) -> Bits<W> {
        let gone = |obstacle: &Obstacle<W>| obstacle.parts.iter().all(|part| state.cleared.contains(part.cell));
        (0..self.obstacles.len()).filter(|index| gone(&self.obstacles[*index])).collect()
    }

    /// Adds a tile to its area, if it belongs to one.
    fn enter(&mut self, game: &Game, cell: usize) {
        let Owner::Area(index) = self.cells[cell] else { return };
        if self.areas.len() <= index {
            self.areas.push(Area::default());
        }
        let area = &mut self.areas[index];
        match game.graph().tile(cell as CellIndex) {
            Tile::Item(item) => area.items.push((cell as CellIndex, item)),
            Tile::Shop => area.shop = true,
            _ => {}
        }
    }

    /// Joins an obstacle of one tile with what touches it.
    fn link(&mut self, game: &Game, index: usize) {
        for &next in game.graph().neighbours(self.obstacles[index].parts[0].cell) {
            match self.cells[next as usize] {
                Owner::Nothing => {}
                Owner::Obstacle(other) => self.obstacles[index].beside.insert(other),
                Owner::Area(area) => {
                    self.obstacles[index].areas.insert(area);
                    self.areas[area].border.insert(index);
                }
            }
        }
    }

    /// Writes down what each gate needs.
    fn require(&mut self, mechanisms: &Mechanisms) {
        for (gate, opening) in &mechanisms.gates {
            let Owner::Obstacle(gate) = self.cells[*gate as usize] else { continue };
            let mut needs = Needs { by_itself: opening.by_itself, ..Needs::default() };
            for cell in &opening.needs {
                match self.cells[*cell as usize] {
                    Owner::Obstacle(index) => needs.gone.insert(index),
                    Owner::Area(area) => needs.opened.insert(area),
                    Owner::Nothing => {}
                }
            }
            self.obstacles[gate].needs = needs;
        }
    }

    /// Finds what is around each obstacle: clearing it opens its areas and brings their borders and what is beside it
    /// into reach, which can matter to those and to what is beside them.
    fn survey(&mut self) {
        for index in 0..self.obstacles.len() {
            let obstacle = &self.obstacles[index];
            let borders = obstacle.areas.iter().map(|area| self.areas[area].border);
            let exposed = borders.fold(obstacle.beside, |exposed, border| exposed | border);
            let around = exposed.iter().fold(exposed, |around, other| around | self.obstacles[other].beside);
            self.obstacles[index].around = around;
        }
    }

    /// Sums what items give.
    fn weigh(&mut self, tower: &Tower) -> Result<(), SolveError> {
        for obstacle in &mut self.obstacles {
            for part in &obstacle.parts {
                if let ObstacleKind::Item(item) = part.kind {
                    obstacle.gain = obstacle.gain.plus(&Gain::of(tower, item)?)?;
                }
            }
        }
        for area in &mut self.areas {
            let mut items = area.items.iter();
            area.gain = items.try_fold(Gain::default(), |sum, (_, item)| sum.plus(&Gain::of(tower, *item)?))?;
        }
        Ok(())
    }
}

impl<const W: usize> Obstacle<W> {
    fn new(game: &Game, parts: Vec<Part>) -> Result<Self, SolveError> {
        let mut obstacle = Obstacle {
            parts,
            areas: Bits::empty(),
            beside: Bits::empty(),
            around: Bits::empty(),
            gain: Gain::default(),
            price: [0; 4],
            gold: 0,
            boss: false,
            needs: Needs::default(),
        };
        for part in &obstacle.parts {
            match part.kind {
                ObstacleKind::Door(colour) => {
                    let price = &mut obstacle.price[colour as usize];
                    *price = price.checked_add(1).ok_or_else(overflow)?;
                }
                ObstacleKind::Monster(id) => {
                    obstacle.gold = obstacle.gold.checked_add(game.monster(id).gold).ok_or_else(overflow)?;
                    obstacle.boss |= game.monster(id).boss;
                }
                ObstacleKind::Item(_) | ObstacleKind::Event(_) | ObstacleKind::Gate => {}
            }
        }
        Ok(obstacle)
    }
}

fn fits<const W: usize>(found: usize) -> Result<(), SolveError> {
    match found > Bits::<W>::CAPACITY {
        true => Err(SolveError::TooManyObstacles { found, most: Bits::<W>::CAPACITY }),
        false => Ok(()),
    }
}

fn area_of<const W: usize>(bounties: &[(Position, Bounty)], tiles: &TileGraph) -> Area<W> {
    let mut area = Area::default();
    for (at, bounty) in bounties {
        match (bounty, tiles.cell(*at)) {
            (Bounty::Shop, _) => area.shop = true,
            (Bounty::Item(item), Some(cell)) => area.items.push((cell, *item)),
            (Bounty::Item(_), None) => {}
        }
    }
    area.items.sort_unstable_by_key(|(cell, _)| *cell);
    area
}

fn part_of(at: Position, obstacle: merged::Obstacle, tiles: &TileGraph) -> Option<Part> {
    let kind = match obstacle {
        merged::Obstacle::Door(colour) => ObstacleKind::Door(colour),
        merged::Obstacle::Monster(id) => ObstacleKind::Monster(id),
    };
    Some(Part { at, cell: tiles.cell(at)?, kind })
}

/// Assigns every tile, numbering obstacles in order of position and areas in order of their first tile.
fn owners(game: &Game, mechanisms: &Mechanisms) -> Vec<Owner> {
    let graph = game.graph();
    let mut owners = vec![Owner::Nothing; graph.len()];
    let mut obstacle_cells: Vec<CellIndex> =
        (0..graph.len() as CellIndex).filter(|cell| kind(game, *cell, mechanisms).is_some()).collect();
    obstacle_cells.sort_unstable_by_key(|cell| graph.position(*cell));
    for (index, cell) in obstacle_cells.into_iter().enumerate() {
        owners[cell as usize] = Owner::Obstacle(index);
    }
    let mut areas = 0;
    for cell in 0..graph.len() as CellIndex {
        let is_wall = |cell: CellIndex| graph.tile(cell) == Tile::Wall || mechanisms.shut.contains(&cell);
        if owners[cell as usize] != Owner::Nothing || is_wall(cell) {
            continue;
        }
        let mut front = vec![cell];
        owners[cell as usize] = Owner::Area(areas);
        while let Some(cell) = front.pop() {
            for &next in graph.neighbours(cell) {
                if owners[next as usize] == Owner::Nothing && !is_wall(next) {
                    owners[next as usize] = Owner::Area(areas);
                    front.push(next);
                }
            }
        }
        areas += 1;
    }
    owners
}

fn obstacles<const W: usize>(
    game: &Game,
    owners: &[Owner],
    mechanisms: &Mechanisms,
) -> Result<Vec<Obstacle<W>>, SolveError> {
    let mut found: Vec<(usize, Part)> = Vec::new();
    for (cell, owner) in owners.iter().enumerate() {
        let cell = cell as CellIndex;
        if let (Owner::Obstacle(index), Some(kind)) = (owner, kind(game, cell, mechanisms)) {
            found.push((*index, Part { at: game.graph().position(cell), cell, kind }));
        }
    }
    found.sort_unstable_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, part)| Obstacle::new(game, vec![part])).collect()
}

/// What obstacle a tile is, if it is one.
fn kind(game: &Game, cell: CellIndex, mechanisms: &Mechanisms) -> Option<ObstacleKind> {
    match game.graph().tile(cell) {
        Tile::Door(colour) => Some(ObstacleKind::Door(colour)),
        Tile::Monster(id) => Some(ObstacleKind::Monster(id)),
        Tile::Item(item) if game.items() == ItemMode::Action => Some(ObstacleKind::Item(item)),
        Tile::Event | Tile::Figure => mechanisms.tolls.get(&cell).map(|toll| ObstacleKind::Event(*toll)),
        Tile::Gate(_) => mechanisms.gates.get(&cell).map(|_| ObstacleKind::Gate),
        _ => None,
    }
}

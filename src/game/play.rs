//! The engine: from a state to its legal actions, and from an action to the next state.

use std::sync::Arc;

use super::action::{Action, ActionKind, Blocked, BlockedReason};
use super::cells::{CellIndex, CellSet};
use super::combat::{self, Fight, fight};
use super::error::{GameError, TowerError};
use super::hero::Hero;
use super::monster::Monster;
use super::position::Position;
use super::region::TileGraph;
use super::rules::ItemMode;
use super::shop::Purchase;
use super::state::{End, State, Step};
use super::tile::{Item, Tile};
use super::tower::{MonsterId, Tower};

/// A tower made ready to be played. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Game {
    tower: Arc<Tower>,
    graph: Arc<TileGraph>,
    items: ItemMode,
}

impl Game {
    /// Makes a tower ready.
    ///
    /// # Errors
    /// What is wrong with the tower, if anything.
    pub fn new(tower: impl Into<Arc<Tower>>, items: ItemMode) -> Result<Self, TowerError> {
        let tower = tower.into();
        tower.validate()?;
        let graph = Arc::new(TileGraph::new(&tower));
        Ok(Game { tower, graph, items })
    }

    /// The tower being played.
    pub fn tower(&self) -> &Arc<Tower> {
        &self.tower
    }

    /// The tower as a graph of tiles.
    pub fn graph(&self) -> &TileGraph {
        &self.graph
    }

    /// When items are collected.
    pub fn items(&self) -> ItemMode {
        self.items
    }

    /// A row of the monster table.
    pub fn monster(&self, id: MonsterId) -> &Monster {
        &self.tower.monsters[usize::from(id)]
    }

    /// The first state, with what is in reach collected.
    ///
    /// # Errors
    /// [`GameError`] if a quantity leaves `i64`.
    pub fn start(&self) -> Result<State, GameError> {
        let (state, _) = self.settle(self.untouched())?;
        Ok(state)
    }

    /// The tower as it is drawn: nothing collected yet, not even what is in reach at the start. Not a state that is
    /// played.
    pub fn untouched(&self) -> State {
        let cells = self.graph.len();
        State {
            hero: self.tower.hero,
            at: self.tower.start,
            turn: 0,
            purchases: [0; 4],
            cleared: CellSet::empty(cells),
            region: CellSet::empty(cells),
            end: None,
        }
    }

    /// The legal actions, in the order of their numbers; none once the game has ended.
    ///
    /// # Errors
    /// [`GameError::FightOverflow`] if a fight in reach cannot be computed.
    pub fn actions(&self, state: &State) -> Result<Vec<Action>, GameError> {
        Ok(self.options(state)?.0)
    }

    /// What is in reach but not legal, in the same order.
    ///
    /// # Errors
    /// [`GameError::FightOverflow`] if a fight in reach cannot be computed.
    pub fn blocked(&self, state: &State) -> Result<Vec<Blocked>, GameError> {
        Ok(self.options(state)?.1)
    }

    /// Executes a legal action, collects what comes into reach and says whether the game has ended.
    ///
    /// # Errors
    /// [`GameError`] if the action is not legal in this state or a quantity leaves `i64`.
    pub fn apply(&self, state: &State, action: &Action) -> Result<Step, GameError> {
        if state.end.is_some() {
            return Err(GameError::Ended);
        }
        if !self.actions(state)?.contains(action) {
            return Err(GameError::Illegal { target: action.target, why: self.why_not(state, action.target)? });
        }
        let mut next = state.clone();
        next.turn += 1;
        next.at = action.target;
        self.execute(&mut next, action)?;
        if next.end.is_some() {
            return Ok(Step { action: *action, collected: Vec::new(), state: next });
        }
        let (state, collected) = self.settle(next)?;
        Ok(Step { action: *action, collected, state })
    }

    /// The one legal action on a tile.
    ///
    /// # Errors
    /// [`GameError::Illegal`] with the reason if there is none, or several to choose from.
    pub fn action_at(&self, state: &State, target: Position) -> Result<Action, GameError> {
        let mut there = self.actions(state)?.into_iter().filter(|action| action.target == target);
        match (there.next(), there.next()) {
            (Some(action), None) => Ok(action),
            (Some(_), Some(_)) => Err(GameError::Illegal {
                target,
                why: "several actions are possible there; name one by its number".into(),
            }),
            (None, _) => Err(GameError::Illegal { target, why: self.why_not(state, target)? }),
        }
    }

    /// How the fight with a monster of the table would end now, wherever it stands.
    ///
    /// # Errors
    /// [`combat::Overflow`] if it cannot be computed.
    pub fn fight_now(&self, state: &State, monster: MonsterId) -> Result<Fight, combat::Overflow> {
        fight(&state.hero, self.monster(monster), self.tower.rules)
    }

    /// What is still on a tile: the tile at the start, or open floor once it has been cleared.
    pub fn tile_now(&self, state: &State, cell: CellIndex) -> Tile {
        if state.cleared.contains(cell) { Tile::Floor } else { self.graph.tile(cell) }
    }

    /// What stands on a tile, in words: `yellow door`, `Red Slime`, `red potion`.
    pub fn describe(&self, tile: Tile) -> String {
        match tile {
            Tile::Floor => "open floor".into(),
            Tile::Wall => "wall".into(),
            Tile::Door(colour) => format!("{colour} door"),
            Tile::Item(item) => item.to_string(),
            Tile::Monster(id) => self.monster(id).name.clone(),
            Tile::Stair(_) => "stairs".into(),
            Tile::Shop => "shop".into(),
        }
    }

    /// What an action does, in words: `open the yellow door`, `fight the Red Slime`, `buy 2 ATK`.
    pub fn describe_action(&self, action: &Action) -> String {
        match action.kind {
            ActionKind::Open(colour) => format!("open the {colour} door"),
            ActionKind::Fight { monster, .. } => format!("fight the {}", self.monster(monster).name),
            ActionKind::Collect(item) => format!("collect the {item}"),
            ActionKind::Buy { purchase, .. } => {
                let amount = self.tower.shop.as_ref().map_or(0, |shop| shop.amount(purchase));
                format!("buy {amount} {purchase}")
            }
        }
    }

    /// Why no action is legal on a tile, in words.
    fn why_not(&self, state: &State, target: Position) -> Result<String, GameError> {
        let Some(cell) = self.graph.cell(target) else {
            return Ok("it is outside the map".into());
        };
        if let Some(blocked) = self.blocked(state)?.into_iter().find(|blocked| blocked.target == target) {
            return Ok(format!("{}: {}", self.describe(self.graph.tile(cell)), blocked.reason));
        }
        let tile = self.graph.tile(cell);
        Ok(match tile {
            _ if state.end.is_some() => "the game has ended".into(),
            Tile::Floor | Tile::Stair(_) => "there is nothing to do on an open tile".into(),
            Tile::Wall => "it is a wall".into(),
            _ if state.cleared.contains(cell) => format!("the {} there is already gone", self.describe(tile)),
            _ => format!("the {} there is not in reach", self.describe(tile)),
        })
    }

    /// The obstacles, items and shops in reach, by number of tile.
    fn in_reach(&self, state: &State) -> Vec<CellIndex> {
        let mut seen = CellSet::empty(self.graph.len());
        let mut found = Vec::new();
        for cell in state.region.iter() {
            if self.graph.tile(cell) == Tile::Shop {
                found.push(cell);
            }
            for &next in self.graph.neighbours(cell) {
                if !state.region.contains(next) && seen.insert(next) {
                    found.push(next);
                }
            }
        }
        found
    }

    fn options(&self, state: &State) -> Result<(Vec<Action>, Vec<Blocked>), GameError> {
        let (mut actions, mut blocked) = (Vec::new(), Vec::new());
        if state.end.is_some() {
            return Ok((actions, blocked));
        }
        for cell in self.in_reach(state) {
            let target = self.graph.position(cell);
            match self.graph.tile(cell) {
                Tile::Door(colour) if state.hero.keys[colour] > 0 => {
                    actions.push(Action { target, kind: ActionKind::Open(colour) });
                }
                Tile::Door(colour) => blocked.push(Blocked { target, reason: BlockedReason::NoKey(colour) }),
                Tile::Monster(monster) => match self.fight_at(&state.hero, monster, target)? {
                    Fight::Unwinnable => {
                        blocked.push(Blocked { target, reason: self.too_hard(&state.hero, monster) });
                    }
                    fight => actions.push(Action { target, kind: ActionKind::Fight { monster, fight } }),
                },
                Tile::Item(item) => actions.push(Action { target, kind: ActionKind::Collect(item) }),
                Tile::Shop => self.offers(state, target, &mut actions, &mut blocked)?,
                Tile::Floor | Tile::Wall | Tile::Stair(_) => {}
            }
        }
        actions.sort_by_key(|action| (action.target, action.choice()));
        blocked.sort_by_key(|blocked| blocked.target);
        Ok((actions, blocked))
    }

    /// What a shop in reach sells now.
    fn offers(
        &self,
        state: &State,
        target: Position,
        actions: &mut Vec<Action>,
        blocked: &mut Vec<Blocked>,
    ) -> Result<(), GameError> {
        let Some(shop) = &self.tower.shop else { return Ok(()) };
        let price = shop.price(state.purchase_count()).ok_or(GameError::GainOverflow { at: target })?;
        if price > state.hero.gold {
            blocked.push(Blocked { target, reason: BlockedReason::TooDear { price, gold: state.hero.gold } });
            return Ok(());
        }
        let sold = Purchase::ALL.into_iter().filter(|purchase| shop.amount(*purchase) > 0);
        actions.extend(sold.map(|purchase| Action { target, kind: ActionKind::Buy { purchase, price } }));
        Ok(())
    }

    fn fight_at(&self, hero: &Hero, monster: MonsterId, at: Position) -> Result<Fight, GameError> {
        fight(hero, self.monster(monster), self.tower.rules)
            .map_err(|combat::Overflow| GameError::FightOverflow { monster: self.monster(monster).name.clone(), at })
    }

    fn too_hard(&self, hero: &Hero, monster: MonsterId) -> BlockedReason {
        let monster_def = combat::defence(hero, self.monster(monster), self.tower.rules);
        BlockedReason::TooHard { monster, hero_atk: hero.atk, monster_def }
    }

    /// Carries out a legal action, without collecting what it exposes.
    fn execute(&self, state: &mut State, action: &Action) -> Result<(), GameError> {
        let at = action.target;
        let overflow = GameError::GainOverflow { at };
        match action.kind {
            ActionKind::Open(colour) => {
                state.hero.keys[colour] -= 1;
                self.clear(state, at);
            }
            ActionKind::Fight { fight: Fight::Winnable { damage }, monster } => {
                let monster = self.monster(monster);
                state.hero.hp -= damage;
                state.hero.gold = state.hero.gold.checked_add(monster.gold).ok_or(overflow.clone())?;
                state.hero.experience = state.hero.experience.checked_add(monster.experience).ok_or(overflow)?;
                self.clear(state, at);
                if monster.boss {
                    state.end = Some(End::Won);
                }
            }
            ActionKind::Fight { .. } => {
                state.hero.hp = 0;
                state.end = Some(End::Dead);
            }
            ActionKind::Collect(item) => {
                state.hero = self.tower.items.give(&state.hero, item).ok_or(overflow)?;
                self.clear(state, at);
            }
            ActionKind::Buy { purchase, price } => {
                let shop = self.tower.shop.as_ref().ok_or(overflow.clone())?;
                state.hero = shop.sell(&state.hero, purchase, price).ok_or(overflow)?;
                state.purchases[purchase as usize] += 1;
            }
        }
        Ok(())
    }

    fn clear(&self, state: &mut State, at: Position) {
        if let Some(cell) = self.graph.cell(at) {
            state.cleared.insert(cell);
        }
    }

    /// Grows the region from where the hero stands, collects what comes into reach if items are free, and ends the
    /// game if nothing but lethal or impossible fights and locked doors remains.
    fn settle(&self, mut state: State) -> Result<(State, Vec<(Position, Item)>), GameError> {
        let Some(from) = self.graph.cell(state.at) else {
            return Err(GameError::Illegal { target: state.at, why: "it is outside the map".into() });
        };
        let mut found = Vec::new();
        let State { region, cleared, .. } = &mut state;
        self.graph.grow(region, from, cleared, |cell| {
            let take = self.items == ItemMode::Auto;
            if take {
                found.push(cell);
            }
            take
        });
        found.sort_unstable();
        let mut collected = Vec::with_capacity(found.len());
        for cell in found {
            let at = self.graph.position(cell);
            if let Tile::Item(item) = self.graph.tile(cell) {
                state.hero = self.tower.items.give(&state.hero, item).ok_or(GameError::GainOverflow { at })?;
                state.cleared.insert(cell);
                collected.push((at, item));
            }
        }
        let (actions, _) = self.options(&state)?;
        if actions.iter().all(Action::is_lethal) {
            state.end = Some(End::Stuck);
        }
        Ok((state, collected))
    }
}

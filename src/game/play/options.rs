//! What may be done in a state, and what may not and why.

use super::super::action::{Action, ActionKind, Blocked, BlockedReason};
use super::super::cells::{CellIndex, CellSet};
use super::super::combat::{self, Fight, fight};
use super::super::error::GameError;
use super::super::hero::Hero;
use super::super::position::Position;
use super::super::shop::Purchase;
use super::super::state::{Pending, State};
use super::super::tile::{Colour, Tile};
use super::super::tower::{GateId, MonsterId};
use super::Game;

/// Legal actions, and what is blocked.
type Options = (Vec<Action>, Vec<Blocked>);

impl Game {
    pub(super) fn options(&self, state: &State) -> Result<Options, GameError> {
        let mut options = (Vec::new(), Vec::new());
        if state.end.is_some() {
            return Ok(options);
        }
        match &state.pending {
            Some(pending) => self.answers(state, pending, &mut options)?,
            None => self.around(state, &mut options)?,
        }
        options.0.sort_by_key(|action| (action.target, action.choice()));
        options.1.sort_by_key(|blocked| blocked.target);
        Ok(options)
    }

    /// What an event that waits can be answered.
    fn answers(&self, state: &State, pending: &Pending, (actions, blocked): &mut Options) -> Result<(), GameError> {
        let (choice, target) = (pending.choice, pending.at);
        let answers = self.program.question(choice).map_or(&[][..], |question| &question.answers);
        for (option, answer) in (0..).zip(answers) {
            match self.is_offered(state, answer.condition.as_ref(), target)? {
                true => actions.push(Action { target, kind: ActionKind::Choose { choice, option } }),
                false => blocked.push(Blocked { target, reason: BlockedReason::NotOffered { choice, option } }),
            }
        }
        Ok(())
    }

    /// What can be done with what is in reach.
    fn around(&self, state: &State, options: &mut Options) -> Result<(), GameError> {
        for cell in self.in_reach(state) {
            let target = self.graph.position(cell);
            let (actions, blocked) = &mut *options;
            let mut legal = |kind| actions.push(Action { target, kind });
            match self.tile_now(state, cell) {
                Tile::Door(colour) if state.hero.keys[colour] > 0 => legal(ActionKind::Open(colour)),
                Tile::Door(colour) => blocked.push(Blocked { target, reason: BlockedReason::NoKey(colour) }),
                Tile::Gate(gate) => match self.refusal(state, gate) {
                    Some(reason) => blocked.push(Blocked { target, reason }),
                    None => legal(ActionKind::Unlock(gate)),
                },
                Tile::Monster(monster) => match self.fight_at(state, monster, target)? {
                    Fight::Unwinnable => {
                        blocked.push(Blocked { target, reason: self.too_hard(state, monster) });
                    }
                    fight => legal(ActionKind::Fight { monster, fight }),
                },
                Tile::Item(item) => legal(ActionKind::Collect(item)),
                Tile::Shop => self.offers(state, target, actions, blocked)?,
                Tile::Event | Tile::Figure if self.step_event(state, cell).is_some() => legal(ActionKind::Touch),
                Tile::Event | Tile::Figure | Tile::Floor | Tile::Wall | Tile::Stair(_) => {}
            }
        }
        let walk = |cell: &CellIndex| Action { target: self.graph.position(*cell), kind: ActionKind::Walk };
        options.0.extend(state.exits.iter().map(walk));
        Ok(())
    }

    /// The obstacles, items and shops in reach, by number of tile.
    fn in_reach(&self, state: &State) -> Vec<CellIndex> {
        let mut seen = CellSet::empty(self.graph.len());
        let mut found = Vec::new();
        for cell in state.region.iter() {
            if self.tile_now(state, cell) == Tile::Shop {
                found.push(cell);
            }
            for &next in self.graph.neighbours(cell) {
                if !state.region.contains(next)
                    && !self.graph.is_barred(cell, next)
                    && (self.plain || !self.is_walked(state, next))
                    && seen.insert(next)
                {
                    found.push(next);
                }
            }
        }
        found
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

    /// Why a gate cannot be opened now; none if it can.
    fn refusal(&self, state: &State, id: GateId) -> Option<BlockedReason> {
        let Some(gate) = self.tower.gates.get(usize::from(id)).filter(|gate| !gate.by_event) else {
            return Some(BlockedReason::ByEvent);
        };
        let held = |id: u16| state.variables.get(usize::from(id)).copied().unwrap_or(0);
        let opens = Colour::ALL.into_iter().all(|colour| gate.keys[colour] <= state.hero.keys[colour])
            && gate.tools.iter().all(|(id, count)| *count <= held(*id));
        (!opens).then_some(BlockedReason::NoKeys(id))
    }

    pub(super) fn fight_at(&self, state: &State, monster: MonsterId, at: Position) -> Result<Fight, GameError> {
        let row = self.monster_now(state, monster);
        fight(&state.hero, row, self.tower.rules)
            .map_err(|combat::Overflow| GameError::FightOverflow { monster: row.name.clone(), at })
    }

    fn too_hard(&self, state: &State, monster: MonsterId) -> BlockedReason {
        let (hero, row): (&Hero, _) = (&state.hero, self.monster_now(state, monster));
        let monster_def = combat::defence(hero, row, self.tower.rules);
        match hero.atk > monster_def {
            true => BlockedReason::NoCross,
            false => BlockedReason::TooHard { monster, hero_atk: hero.atk, monster_def },
        }
    }
}

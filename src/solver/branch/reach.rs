//! What can still be had from a state, at most: everything that could be got to if fights and keys cost nothing.

use crate::game::{State, Tile};

use super::ground::Ground;
use super::survey::{Gain, Survey};

/// What can be had; made anew for each state, in the same memory.
///
/// Why nothing is missing: go through any play from the state, decision by decision. Before each, all that has been had
/// is among what is counted here, so attributes, HP, keys held and gold are no higher than counted. So a door that is
/// opened is one whose colour has a key here, and a monster that is defeated one that these attributes can hurt and these
/// HP survive; so what is cleared then, and what that leads to, is counted here, too.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// Which nodes can be passed.
    pub passed: Vec<bool>,
    /// What they give altogether.
    pub total: Gain,
    /// The most purchases that can still be made.
    pub purchases: i64,
    /// The most HP that the hero can ever have.
    pub most_hp: i64,
    seen: Vec<bool>,
    front: Vec<u32>,
    waiting: Vec<u32>,
    sells: bool,
    fights: i64,
}

/// Quantities beyond this are not bounded at all, so that no sum leaves `i64`.
pub(super) const TOO_MUCH: i64 = 1 << 50;

impl Reach {
    /// Spreads over a survey. Says whether everything is small enough to be bounded.
    pub(super) fn spread(&mut self, ground: &Ground, survey: &Survey, state: &State, end: Option<usize>) -> bool {
        for marks in [&mut self.passed, &mut self.seen] {
            marks.clear();
            marks.resize(survey.len(), false);
        }
        self.front.clear();
        self.waiting.clear();
        (self.total, self.sells, self.fights) = (Gain::default(), false, 0);
        self.seen[0] = true;
        self.pass(survey, 0, end);
        loop {
            while let Some(node) = self.front.pop() {
                for &next in survey.beside(node as usize) {
                    if !std::mem::replace(&mut self.seen[next as usize], true) {
                        match survey.obstacles[next as usize] {
                            None => self.pass(survey, next, end),
                            Some(_) => self.waiting.push(next),
                        }
                    }
                }
            }
            if !self.add_up(ground, state) {
                return false;
            }
            let mut waiting = std::mem::take(&mut self.waiting);
            let before = waiting.len();
            let points = self.points(ground, state, self.purchases);
            waiting.retain(|node| {
                let passable = self.can_pass(ground, state, survey.obstacles[*node as usize], points);
                if passable {
                    self.pass(survey, *node, end);
                }
                !passable
            });
            self.waiting = waiting;
            if self.waiting.len() == before {
                return true;
            }
        }
    }

    /// The attributes with all that can be had and so many purchases of each kind.
    pub(super) fn points(&self, ground: &Ground, state: &State, purchases: i64) -> [i64; 3] {
        let held = [state.hero.atk, state.hero.def, state.hero.mdef];
        std::array::from_fn(|index| {
            held[index] + self.total.points[index] + purchases * ground.sales.amounts[index + 1]
        })
    }

    /// Purchases that gold pays for, if a shop can be got to.
    pub(super) fn affordable(&self, ground: &Ground, state: &State, gold: i64) -> Option<i64> {
        if self.sells { ground.sales.affordable(gold, state.purchase_count()) } else { Some(0) }
    }

    fn pass(&mut self, survey: &Survey, node: u32, end: Option<usize>) {
        self.passed[node as usize] = true;
        self.total.add(&survey.gains[node as usize]);
        self.sells |= survey.sells[node as usize];
        self.fights += i64::from(matches!(survey.obstacles[node as usize], Some(Tile::Monster(_))));
        if end != Some(node as usize) {
            self.front.push(node);
        }
    }

    fn add_up(&mut self, ground: &Ground, state: &State) -> bool {
        let Some(purchases) = self.affordable(ground, state, state.hero.gold.saturating_add(self.total.gold)) else {
            return false;
        };
        self.purchases = purchases;
        let bought = ground.sales.amounts.into_iter().map(|amount| amount.saturating_mul(purchases));
        let hero = &state.hero;
        let held = [hero.hp, hero.atk, hero.def, hero.mdef, hero.gold];
        let found = self.total.points.into_iter().chain([self.total.hp, self.total.gold]);
        let all = bought.chain(held).chain(found).fold(0, i64::saturating_add);
        if all > TOO_MUCH {
            return false;
        }
        let healed = match ground.heals {
            true => self.points(ground, state, purchases)[2].max(0).saturating_mul(self.fights),
            false => 0,
        };
        self.most_hp = hero.hp + self.total.hp + purchases * ground.sales.amounts[0];
        self.most_hp = self.most_hp.saturating_add(healed);
        self.most_hp <= TOO_MUCH
    }

    fn can_pass(&self, ground: &Ground, state: &State, obstacle: Option<Tile>, points: [i64; 3]) -> bool {
        match obstacle {
            Some(Tile::Door(colour)) => {
                let held = state.hero.keys[colour].saturating_add(self.total.keys[colour as usize]);
                ground.without.keys || held > 0
            }
            Some(Tile::Monster(id)) => {
                ground.without.items
                    || ground.without.combat
                    || ground.least(id, points).is_some_and(|least| least < self.most_hp)
            }
            _ => true,
        }
    }
}

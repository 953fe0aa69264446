//! What can still be had from a state, at most: everything that could be got to if fights and keys cost nothing.

use crate::game::{Colour, State, Tile};

use super::ground::Ground;
use super::outlook::{Deal, Outlook, is_endless};
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
    /// What can be had besides, for gold and experience.
    pub extra: Gain,
    seen: Vec<bool>,
    front: Vec<u32>,
    waiting: Vec<u32>,
    sells: bool,
    fights: i64,
}

/// Quantities beyond this are not bounded at all, so that no sum leaves `i64`.
pub(super) const TOO_MUCH: i64 = 1 << 50;

/// As many points of an attribute as make no difference.
const PLENTY: i64 = 1 << 44;

impl Reach {
    /// Spreads over a survey. Says whether everything is small enough to be bounded.
    pub(super) fn spread(
        &mut self,
        ground: &Ground,
        survey: &Survey,
        outlook: &Outlook,
        state: &State,
        end: Option<usize>,
    ) -> bool {
        for marks in [&mut self.passed, &mut self.seen] {
            marks.clear();
            marks.resize(survey.len(), false);
        }
        self.front.clear();
        self.waiting.clear();
        (self.total, self.extra, self.sells, self.fights) = (Gain::default(), Gain::default(), false, 0);
        let sells_later = ground.sales.any() && !ground.plain && !outlook.changing.is_empty();
        self.seen[0] = true;
        self.pass(survey, 0, end);
        self.sells |= sells_later;
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
            if !self.add_up(ground, survey, outlook, state) {
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
            let found = self.total.points[index].min(PLENTY) + self.extra.points[index];
            held[index].max(0) + found + purchases * ground.sales.amounts[index + 1]
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

    fn add_up(&mut self, ground: &Ground, survey: &Survey, outlook: &Outlook, state: &State) -> bool {
        self.extra = Gain::default();
        self.trade(survey, outlook, state);
        let gold = state.hero.gold.max(0).saturating_add(self.total.gold).saturating_add(self.extra.gold);
        if is_endless(self.total.hp) || is_endless(self.extra.hp) {
            return false;
        }
        for index in 0..3 {
            if is_endless(self.total.points[index]) || is_endless(self.extra.points[index]) {
                if index == 2 && ground.heals {
                    return false;
                }
                self.extra.points[index] = PLENTY;
            }
        }
        let Some(purchases) = self.affordable(ground, state, gold) else { return false };
        self.purchases = purchases;
        let bought = ground.sales.amounts.into_iter().map(|amount| amount.saturating_mul(purchases));
        let hero = &state.hero;
        let held = [hero.hp, hero.atk, hero.def, hero.mdef].map(|held| held.max(0));
        let points = self.total.points.map(|points| points.min(PLENTY)).into_iter().chain(self.extra.points);
        let found = points.chain([self.total.hp, self.extra.hp]);
        let all = bought.chain(held).chain(found).fold(0, i64::saturating_add);
        if all > TOO_MUCH {
            return false;
        }
        let healed = match ground.heals {
            true => self.points(ground, state, purchases)[2].max(0).saturating_mul(self.fights),
            false => 0,
        };
        self.most_hp = hero.hp + self.total.hp + self.extra.hp + purchases * ground.sales.amounts[0];
        self.most_hp = self.most_hp.saturating_add(healed);
        self.most_hp <= TOO_MUCH
    }

    /// What can be had for gold and experience at what was got to: as much of each quantity as if all were spent on it,
    /// at the best rate there is.
    fn trade(&mut self, survey: &Survey, outlook: &Outlook, state: &State) {
        let open = |deal: &&Deal| match deal.at {
            Some(cell) => survey.node_of(cell).is_some_and(|node| self.passed[node]),
            None => true,
        };
        let deals: Vec<&Deal> = outlook.deals.iter().filter(open).collect();
        let mut accounts = [
            state.hero.gold.max(0).saturating_add(self.total.gold),
            state.hero.experience.max(0).saturating_add(self.total.experience),
        ];
        // What pays for itself, or one account for the other, is not followed.
        if deals.iter().any(|deal| deal.gain.gold > 0) {
            accounts[0] = i64::MAX;
            self.extra.gold = i64::MAX;
        }
        if deals.iter().any(|deal| deal.gain.experience > 0) {
            accounts[1] = i64::MAX;
        }
        for deal in deals {
            let account = accounts[usize::from(deal.experience)];
            let most = |gain: i64| -> i64 {
                match (gain, deal.cost) {
                    (0, _) => 0,
                    (gain, cost) if cost == 0 || is_endless(account) || is_endless(gain) => i64::MAX,
                    (gain, cost) => {
                        let all = i128::from(gain) * i128::from(account) / i128::from(cost);
                        i64::try_from(all).unwrap_or(i64::MAX)
                    }
                }
            };
            let each = deal.gain;
            self.extra.raise(&Gain {
                hp: most(each.hp),
                points: each.points.map(most),
                keys: each.keys.map(most),
                gold: 0,
                experience: 0,
            });
        }
        // Two kinds of money may both be spent on one quantity.
        let double = |quantity: i64| quantity.saturating_mul(2);
        if outlook.deals.iter().any(|deal| deal.experience) && outlook.deals.iter().any(|deal| !deal.experience) {
            let Gain { hp, points, keys, .. } = self.extra;
            self.extra.hp = double(hp);
            self.extra.points = points.map(double);
            self.extra.keys = keys.map(double);
        }
    }

    /// Keys of a colour that can ever be held.
    pub(super) fn keys(&self, state: &State, index: usize) -> i64 {
        let held = state.hero.keys[Colour::ALL[index]].max(0);
        held.saturating_add(self.total.keys[index]).saturating_add(self.extra.keys[index])
    }

    fn can_pass(&self, ground: &Ground, state: &State, obstacle: Option<Tile>, points: [i64; 3]) -> bool {
        match obstacle {
            Some(Tile::Door(_) | Tile::Gate(_)) => {
                let toll = ground.toll(obstacle);
                ground.without.keys || (0..4).all(|index| toll[index] <= self.keys(state, index))
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

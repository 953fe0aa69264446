//! The upper bound of a state's final HP: HP now, and what can still be had, less what must still be paid.
//!
//! Look at any play from a state to a win. What it clears is closed under dominators (`tree`): whoever passes a node
//! has passed all that must be passed before it. Take from each monster it defeats the least that it can cost at
//! attributes that can be had without passing that monster (`least`); give each node what it gives (`reach` says which
//! can be passed at all). Then the play ends with no more than
//!
//! > HP + purchases · HP sold + price · keys held + sum over the tree's top of the best upper part of each subtree,
//!
//! where a part may be empty unless the goal lies in it, and a key is worth its price (any number of at least 0) where it is
//! held or found and costs it at a door: a play pays with keys that it has, so what it has left over is worth at least 0.
//! Every term is at least what the play really gets there, so the sum is never below its final HP.
//!
//! The three parts: *combat* is what fights take from that sum; *keys* cuts doors of which no key can be had, states
//! from which more doors must be opened than there can be keys, and has the prices; *items* is that what is counted can be
//! got to, net of what guards it. Without a part, what it takes away stays in the sum.

use crate::game::{CellIndex, CellSet, Colour, End, Goal, State, Tile};

use super::ground::Ground;
use super::outlook::{Outlook, goals, is_endless};
use super::reach::Reach;
use super::survey::Survey;
use super::tree::Tree;

/// The bound of a state from which nothing can be won.
pub(super) const LOST: i64 = i64::MIN;

/// The bound of a state that has none.
pub(super) const UNKNOWN: i64 = i64::MAX;

/// Stands for "cannot be": far below every sum, and far from the end of `i64`.
const NEVER: i64 = i64::MIN / 4;

/// Makes bounds, state after state, in the same memory.
#[derive(Clone, Debug)]
pub(super) struct Bounds<'g> {
    ground: &'g Ground,
    outlook: Outlook,
    survey: Survey,
    reach: Reach,
    tree: Tree,
    /// What a key of each colour is worth.
    prices: [i64; 4],
    /// HP that each node gives less the least that it takes; `NEVER` if it cannot be had.
    worth: Vec<i64>,
    /// What each node's subtree gives: ATK, DEF, MDEF, gold.
    beyond: Vec<[i64; 4]>,
    /// Nodes that must be passed to win.
    forced: Vec<bool>,
    below: Vec<i64>,
}

impl<'g> Bounds<'g> {
    /// Makes ready for what comes after `root`.
    pub(super) fn new(ground: &'g Ground, root: &State) -> Self {
        let mut bounds = Bounds {
            ground,
            outlook: Outlook { changing: CellSet::empty(ground.game.graph().len()), ..Outlook::default() },
            survey: Survey::default(),
            reach: Reach::default(),
            tree: Tree::default(),
            prices: [0; 4],
            worth: Vec::new(),
            beyond: Vec::new(),
            forced: Vec::new(),
            below: Vec::new(),
        };
        bounds.tune(root);
        bounds
    }

    /// The bound of a state: no play from it ends with more HP. [`LOST`] if none wins, [`UNKNOWN`] if there is no bound.
    pub(super) fn at(&mut self, state: &State) -> i64 {
        if let Some(end) = state.end {
            return if end == End::Won { state.hero.hp } else { LOST };
        }
        match self.draft(state) {
            Draft::Lost => LOST,
            Draft::Unknown => UNKNOWN,
            Draft::Made(end) => {
                let mut bound = self.weigh(state, [0; 4], end);
                if self.prices != [0; 4] {
                    bound = bound.min(self.weigh(state, self.prices, end));
                }
                // Who wins has 1 HP at least.
                if bound < 1 && self.ground.mortal { LOST } else { bound }
            }
        }
    }

    /// Finds out what each node is worth and what must be passed.
    fn draft(&mut self, state: &State) -> Draft {
        let ground = self.ground;
        if ground.objection.is_some() {
            return Draft::Unknown;
        }
        if !ground.plain {
            self.outlook.look(&ground.happenings, &ground.game, state);
        }
        self.survey.look(ground, &self.outlook, state);
        if ground.heals && (self.outlook.more_monsters || (self.survey.healers && !ground.plain)) {
            return Draft::Unknown;
        }
        let goals = goals(&ground.game, &self.outlook, &ground.bosses, state);
        // Where only the fall of a boss that stands there now wins, the game ends there.
        let no_event_wins = ground.plain || self.outlook.wins.is_empty();
        let ends_at_boss = ground.game.tower().goal == Goal::Boss && no_event_wins && goals.len() == 1;
        let end = goals.first().and_then(|goal| goal.first()).filter(|_| ends_at_boss);
        let end = end.and_then(|cell| self.survey.node_of(*cell));
        if !self.reach.spread(ground, &self.survey, &self.outlook, state, end) {
            return Draft::Unknown;
        }
        let within = |cell: &CellIndex| self.survey.node_of(*cell).filter(|node| self.reach.passed[*node]);
        let possible = goals.iter().filter(|goal| goal.iter().all(|cell| within(cell).is_some())).count();
        if possible == 0 {
            return Draft::Lost;
        }
        let needed: Vec<usize> = match goals.as_slice() {
            [only] => only.iter().filter_map(within).collect(),
            _ => Vec::new(),
        };
        self.tree.grow(&self.survey, &self.reach.passed, end);
        self.force(&needed);
        if !ground.without.keys && self.lacks_keys(state) {
            return Draft::Lost;
        }
        self.sum_beyond();
        self.value(state);
        Draft::Made(end)
    }

    /// Marks what must be passed on the way to what the goal needs, itself included.
    fn force(&mut self, goal: &[usize]) {
        self.forced.clear();
        self.forced.resize(self.survey.len(), false);
        for &needed in goal {
            let mut node = needed;
            while node != 0 && !std::mem::replace(&mut self.forced[node], true) {
                node = self.tree.parent(node);
            }
        }
    }

    /// Whether more doors of a colour must be opened than there can be keys.
    fn lacks_keys(&self, state: &State) -> bool {
        let mut needed = [0_i64; 4];
        for node in (1..self.survey.len()).filter(|node| self.forced[*node]) {
            let toll = self.ground.toll(self.survey.obstacles[node]);
            needed.iter_mut().zip(toll).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        }
        (0..4).any(|index| needed[index] > self.reach.keys(state, index))
    }

    fn sum_beyond(&mut self) {
        self.beyond.clear();
        self.beyond.resize(self.survey.len(), [0; 4]);
        for &node in self.tree.order[1..].iter().rev() {
            let node = node as usize;
            let gain = &self.survey.gains[node];
            let own = [gain.points[0], gain.points[1], gain.points[2], gain.gold];
            let up = self.tree.parent(node);
            for (index, own) in own.into_iter().enumerate() {
                self.beyond[node][index] = self.beyond[node][index].saturating_add(own);
                self.beyond[up][index] = self.beyond[up][index].saturating_add(self.beyond[node][index]);
            }
        }
    }

    fn value(&mut self, state: &State) {
        self.worth.clear();
        self.worth.resize(self.survey.len(), NEVER);
        for &node in &self.tree.order {
            let node = node as usize;
            let gained = self.survey.gains[node].hp;
            self.worth[node] = match self.survey.obstacles[node] {
                Some(Tile::Monster(id)) => match self.ground.least(id, self.points_without(state, node)) {
                    Some(least) if self.ground.without.combat => gained - least.min(0),
                    Some(least) if least >= self.reach.most_hp => NEVER,
                    Some(least) => gained - least,
                    None if self.ground.without.combat => gained,
                    None => NEVER,
                },
                _ => gained,
            };
        }
    }

    /// The best attributes that can be had without passing a node: all that lies beyond it is left out, and what its
    /// gold pays for. Purchases count once for each attribute.
    fn points_without(&self, state: &State, node: usize) -> [i64; 3] {
        let [_, _, _, beyond] = self.beyond[node];
        let gold = state.hero.gold.max(0).saturating_add(self.reach.total.gold);
        let purchases = match is_endless(gold) || is_endless(self.reach.extra.gold) {
            true => self.reach.purchases,
            false => self.reach.affordable(self.ground, state, gold - beyond).unwrap_or(self.reach.purchases),
        };
        let points = self.reach.points(self.ground, state, purchases);
        std::array::from_fn(|index| match is_endless(self.reach.total.points[index]) {
            true => points[index],
            false => points[index] - self.beyond[node][index],
        })
    }

    /// The bound at some prices of keys.
    fn weigh(&mut self, state: &State, prices: [i64; 4], end: Option<usize>) -> i64 {
        self.below.clear();
        self.below.resize(self.survey.len(), 0);
        let lazy = self.ground.without.items;
        for &node in self.tree.order[1..].iter().rev() {
            let node = node as usize;
            let below = if end == Some(node) { 0 } else { self.below[node] };
            let forced = self.forced[node];
            let own = if lazy && !forced { self.worth[node].max(0) } else { self.worth[node] };
            let whole = match own <= NEVER / 2 || below <= NEVER / 2 {
                true => NEVER,
                false => own.saturating_add(self.priced(node, prices)).saturating_add(below).max(NEVER),
            };
            let best = if forced { whole } else { whole.max(0) };
            let sum = &mut self.below[self.tree.parent(node)];
            *sum = if *sum <= NEVER / 2 { NEVER } else { sum.saturating_add(best).max(NEVER) };
        }
        if self.below[0] <= NEVER / 2 {
            return LOST;
        }
        let held = Colour::ALL.map(|colour| state.hero.keys[colour].max(0));
        let keys: i64 = (held.into_iter().zip(self.reach.extra.keys).zip(prices))
            .map(|((held, bought), price)| held.saturating_add(bought).saturating_mul(price))
            .fold(0, i64::saturating_add);
        let bought = self.reach.purchases.saturating_mul(self.ground.sales.amounts[0]);
        let root = self.worth[0].saturating_add(self.priced(0, prices));
        [self.below[0], keys, bought, root, self.reach.extra.hp].into_iter().fold(state.hero.hp, i64::saturating_add)
    }

    /// What a node's keys are worth, less the key that it takes.
    #[inline]
    fn priced(&self, node: usize, prices: [i64; 4]) -> i64 {
        if prices == [0; 4] {
            return 0;
        }
        let toll = self.ground.toll(self.survey.obstacles[node]);
        (self.survey.gains[node].keys.into_iter().zip(toll).zip(prices))
            .map(|((found, toll), price)| found.saturating_sub(toll).saturating_mul(price))
            .fold(0, i64::saturating_add)
    }

    /// Lowers the root's bound by changing one price at a time in ever smaller steps. Any prices give a bound.
    fn tune(&mut self, root: &State) {
        let without = self.ground.without;
        if without.keys || without.items || root.end.is_some() {
            return;
        }
        let Draft::Made(end) = self.draft(root) else { return };
        let mut lowest = self.weigh(root, [0; 4], end);
        let used: Vec<usize> = (0..4)
            .filter(|index| {
                let takes = |tile: &Option<Tile>| self.ground.toll(*tile)[*index] > 0;
                self.survey.obstacles.iter().any(takes)
            })
            .collect();
        let dearest = self.survey.gains.iter().map(|gain| gain.hp).max().unwrap_or(0).clamp(1, DEAREST);
        let mut step = dearest;
        while step > 0 && lowest > 0 {
            let mut moved = false;
            for &index in &used {
                for change in [step, -step] {
                    let mut tried = self.prices;
                    tried[index] = (tried[index] + change).clamp(0, DEAREST);
                    let found = if tried == self.prices { lowest } else { self.weigh(root, tried, end) };
                    if found < lowest {
                        (lowest, self.prices, moved) = (found, tried, true);
                    }
                }
            }
            if !moved {
                step /= 2;
            }
        }
    }
}

/// The highest price of a key, in HP.
const DEAREST: i64 = 1 << 24;

enum Draft {
    Lost,
    Unknown,
    /// The node at which the game ends, if there is one.
    Made(Option<usize>),
}

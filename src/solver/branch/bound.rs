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

use crate::game::{End, State, Tile};

use super::ground::Ground;
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
            Draft::Made(goal) => {
                let mut bound = self.weigh(state, [0; 4], goal);
                if self.prices != [0; 4] {
                    bound = bound.min(self.weigh(state, self.prices, goal));
                }
                // Who wins has 1 HP at least.
                if bound < 1 { LOST } else { bound }
            }
        }
    }

    /// Finds out what each node is worth and what must be passed.
    fn draft(&mut self, state: &State) -> Draft {
        let ground = self.ground;
        self.survey.look(ground, state);
        let Some(goal) = ground.boss.and_then(|cell| self.survey.node_of(cell)) else { return Draft::Lost };
        if !self.reach.spread(ground, &self.survey, state, Some(goal)) {
            return Draft::Unknown;
        }
        if !self.reach.passed[goal] {
            return Draft::Lost;
        }
        self.tree.grow(&self.survey, &self.reach.passed, Some(goal));
        self.force(goal);
        if !ground.without.keys && self.lacks_keys(state) {
            return Draft::Lost;
        }
        self.sum_beyond();
        self.value(state);
        Draft::Made(goal)
    }

    /// Marks what must be passed on the way to the goal, which is itself one of it.
    fn force(&mut self, goal: usize) {
        self.forced.clear();
        self.forced.resize(self.survey.len(), false);
        let mut node = goal;
        while node != 0 {
            self.forced[node] = true;
            node = self.tree.parent(node);
        }
    }

    /// Whether more doors of a colour must be opened than there can be keys.
    fn lacks_keys(&self, state: &State) -> bool {
        let mut needed = [0; 4];
        for node in (1..self.survey.len()).filter(|node| self.forced[*node]) {
            if let Some(Tile::Door(colour)) = self.survey.obstacles[node] {
                needed[colour as usize] += 1;
                let held = state.hero.keys[colour].saturating_add(self.reach.total.keys[colour as usize]);
                if needed[colour as usize] > held {
                    return true;
                }
            }
        }
        false
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
                self.beyond[node][index] += own;
                self.beyond[up][index] += self.beyond[node][index];
            }
        }
    }

    fn value(&mut self, state: &State) {
        self.worth.clear();
        self.worth.resize(self.survey.len(), NEVER);
        for &node in &self.tree.order {
            let node = node as usize;
            self.worth[node] = match self.survey.obstacles[node] {
                Some(Tile::Monster(id)) => match self.ground.least(id, self.points_without(state, node)) {
                    Some(least) if self.ground.without.combat => least.min(0).saturating_neg(),
                    Some(least) if least >= self.reach.most_hp => NEVER,
                    Some(least) => -least,
                    None if self.ground.without.combat => 0,
                    None => NEVER,
                },
                _ => self.survey.gains[node].hp,
            };
        }
    }

    /// The best attributes that can be had without passing a node: all that lies beyond it is left out, and what its
    /// gold pays for. Purchases count once for each attribute.
    fn points_without(&self, state: &State, node: usize) -> [i64; 3] {
        let [_, _, _, gold] = self.beyond[node];
        let gold = state.hero.gold.saturating_add(self.reach.total.gold) - gold;
        let purchases = self.reach.affordable(self.ground, state, gold).unwrap_or(self.reach.purchases);
        let points = self.reach.points(self.ground, state, purchases);
        std::array::from_fn(|index| points[index] - self.beyond[node][index])
    }

    /// The bound at some prices of keys.
    fn weigh(&mut self, state: &State, prices: [i64; 4], goal: usize) -> i64 {
        self.below.clear();
        self.below.resize(self.survey.len(), 0);
        let lazy = self.ground.without.items;
        for &node in self.tree.order[1..].iter().rev() {
            let node = node as usize;
            let below = if node == goal { 0 } else { self.below[node] };
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
        let held = state.hero.keys;
        let held = [held.yellow, held.blue, held.red, held.green];
        let keys: i64 = held.into_iter().zip(prices).map(|(count, price)| count.saturating_mul(price)).sum();
        let bought = self.reach.purchases.saturating_mul(self.ground.sales.amounts[0]);
        let root = self.worth[0].saturating_add(self.priced(0, prices));
        [self.below[0], keys, bought, root].into_iter().fold(state.hero.hp, i64::saturating_add)
    }

    /// What a node's keys are worth, less the key that it takes.
    #[inline]
    fn priced(&self, node: usize, prices: [i64; 4]) -> i64 {
        if prices == [0; 4] {
            return 0;
        }
        let found: i64 = self.survey.gains[node].keys.into_iter().zip(prices).map(|(count, price)| count * price).sum();
        match self.survey.obstacles[node] {
            Some(Tile::Door(colour)) => found - prices[colour as usize],
            _ => found,
        }
    }

    /// Lowers the root's bound by changing one price at a time in ever smaller steps. Any prices give a bound.
    fn tune(&mut self, root: &State) {
        let without = self.ground.without;
        if without.keys || without.items || root.end.is_some() {
            return;
        }
        let Draft::Made(goal) = self.draft(root) else { return };
        let mut lowest = self.weigh(root, [0; 4], goal);
        let used: Vec<usize> = (0..4)
            .filter(|index| {
                let takes =
                    |tile: &Option<Tile>| matches!(tile, Some(Tile::Door(colour)) if *colour as usize == *index);
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
                    let found = if tried == self.prices { lowest } else { self.weigh(root, tried, goal) };
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
    /// The node of the goal.
    Made(usize),
}

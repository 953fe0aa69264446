//! An upper bound on what can still be reached: every obstacle at the least it can ever cost, keys and gold at a price.
//!
//! What is cleared is always the upper part of the dominator tree (`dominator`). Give each area what it gives; take
//! from each obstacle its damage at the best attributes that can be had without passing it; let a key be worth its
//! *shadow price* where it is found, held or left over, and cost the same at a door. Then no play gets more than
//!
//! > HP + price · keys held + sum over the nodes that come next in the tree of the best upper part of their subtree,
//!
//! where a part may be empty, unless the boss stands in it. Whatever the prices (at least 0), this holds, because a
//! play that pays with the keys it has leaves at least none; so prices are tuned to make it low at the root. The sum
//! over the tree is additive in what is cleared: a state's bound is a few additions away from that of the one before.
//!
//! With a shop, one such bound is made for each *plan*, the purchases made by the end: a plan fixes the best
//! attributes and the gold that must be earned, which has a shadow price, too. A state's bound is the highest among
//! the plans that hold what it has bought.

use super::assumption::Assumptions;
use super::bits::Bits;
use super::cost::Damage;
use super::dominator::DominatorTree;
use super::error::{SolveError, overflow};
use super::gates::{behind_boss, forced};
use super::goal::Goal;
use super::graph::{Gain, ObstacleKind};
use super::key::{Entry, Place, Space};
use crate::game::{Hero, Purchase};

/// Bounds are computed in parts of a point, so that prices need not be whole.
const PARTS: i64 = 16;

/// Stands for "cannot be": far below every sum, and far from the end of `i64`.
const NEVER: i64 = i64::MIN / 4;

/// Quantities beyond this are not bounded at all.
const TOO_LARGE: i64 = 1 << 40;

/// Shadow prices are no higher than this, unless the goal asks for it: sums of all gold at such a price stay in `i64`.
const DEAREST: i64 = 1 << 20;

/// Plans that are told apart, at most.
const MOST_PLANS: usize = 256;

/// The bound of one search.
#[derive(Clone, Debug)]
pub struct Bound<const W: usize> {
    plans: Vec<Plan>,
    /// What clearing an obstacle adds to a state's sum, plan by plan.
    obstacles: Vec<Box<[i64]>>,
    /// What opening an area adds to it.
    areas: Vec<Box<[i64]>>,
    root: Place<W>,
    goal: Goal,
    shop_hp: i64,
    unbounded: bool,
}

/// Purchases made by the end, with the prices that suit them and the sum at the root.
#[derive(Clone, Debug)]
struct Plan {
    purchases: [u16; 4],
    prices: Prices,
    at_root: i64,
}

/// Shadow prices, in parts of a point: of a key of each colour, and of a piece of gold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Prices {
    keys: [i64; 4],
    gold: i64,
}

impl<const W: usize> Bound<W> {
    /// The bound for what lies ahead of `root`.
    ///
    /// # Errors
    /// [`SolveError::Overflow`] if a quantity leaves its range.
    pub fn new(space: &Space<W>, root: &Entry<W>, goal: Goal, assumptions: &Assumptions) -> Result<Self, SolveError> {
        let mut bound = Bound {
            plans: Vec::new(),
            obstacles: vec![Box::default(); space.graph.obstacles.len()],
            areas: vec![Box::default(); space.graph.areas.len()],
            root: root.place,
            goal,
            shop_hp: space.game.tower().shop.map_or(0, |shop| shop.hp),
            unbounded: is_too_large(space, goal),
        };
        if bound.unbounded {
            return Ok(bound);
        }
        let tree = DominatorTree::new(space, &root.place);
        let mut tables = Vec::new();
        let (plans, paid) = plans(space, &root.place)?;
        for purchases in plans {
            let mut draft = Draft::new(space, root, &tree, goal, assumptions, purchases)?;
            draft.gold_over = if paid { gold_over(space, root, &purchases)? } else { None };
            let prices = draft.tune();
            let at_root = draft.weigh(&prices);
            if at_root + draft.at_hand(&prices) >= 0 {
                tables.push((0..draft.node_count()).map(|node| draft.change(node, &prices)).collect::<Vec<i64>>());
                bound.plans.push(Plan { purchases, prices, at_root });
            }
        }
        for (index, changes) in bound.obstacles.iter_mut().enumerate() {
            *changes = tables.iter().map(|table| table[tree.of_obstacle(index)]).collect();
        }
        for (index, changes) in bound.areas.iter_mut().enumerate() {
            *changes = tables.iter().map(|table| table[tree.of_area(index)]).collect();
        }
        Ok(bound)
    }

    /// Lets every state pass from now on.
    pub fn say_nothing(&mut self) {
        self.unbounded = true;
    }

    /// Leaves aside the plans that cannot beat a value from the root.
    pub fn forget_plans_up_to(&mut self, root: &Entry<W>, value: i64) {
        let mut sums = Vec::new();
        self.sums(&root.place, &mut sums);
        let keep: Vec<bool> = (0..self.plans.len()).map(|plan| self.of_plan(root, sums[plan], plan) > value).collect();
        let mut kept = keep.iter();
        self.plans.retain(|_| kept.next() == Some(&true));
        for changes in self.obstacles.iter_mut().chain(&mut self.areas) {
            *changes = changes.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(change, _)| *change).collect();
        }
    }

    /// A place's sums, plan by plan.
    pub fn sums(&self, place: &Place<W>, sums: &mut Vec<i64>) {
        sums.clear();
        sums.extend(self.plans.iter().map(|plan| plan.at_root));
        let root = self.root;
        self.add(place.key.gone & !root.key.gone, place.opened & !root.opened, sums);
    }

    /// The bound of an entry whose place comes after `from`, with the sums of that.
    #[inline]
    pub fn after(&self, from: &Place<W>, sums: &[i64], scratch: &mut Vec<i64>, entry: &Entry<W>) -> i64 {
        if self.unbounded {
            return i64::MAX;
        }
        scratch.clear();
        scratch.extend_from_slice(sums);
        self.add(entry.place.key.gone & !from.key.gone, entry.place.opened & !from.opened, scratch);
        (0..scratch.len()).map(|plan| self.of_plan(entry, scratch[plan], plan)).max().unwrap_or(i64::MIN)
    }

    /// The bound of the root.
    pub fn at(&self, entry: &Entry<W>) -> i64 {
        let (mut sums, mut scratch) = (Vec::new(), Vec::new());
        self.sums(&entry.place, &mut sums);
        self.after(&entry.place, &sums, &mut scratch, entry)
    }

    #[inline]
    fn add(&self, gone: Bits<W>, opened: Bits<W>, sums: &mut [i64]) {
        for index in gone.iter() {
            sums.iter_mut().zip(&self.obstacles[index]).for_each(|(sum, change)| *sum += change);
        }
        for index in opened.iter() {
            sums.iter_mut().zip(&self.areas[index]).for_each(|(sum, change)| *sum += change);
        }
    }

    /// The bound of an entry if the purchases of a plan are made by the end.
    #[inline]
    fn of_plan(&self, entry: &Entry<W>, sum: i64, plan: usize) -> i64 {
        let Plan { purchases, prices, .. } = &self.plans[plan];
        let key = &entry.place.key;
        if key.purchases.iter().zip(purchases).any(|(made, planned)| made > planned) {
            return i64::MIN;
        }
        let still = i64::from(purchases[Purchase::Hp as usize] - key.purchases[Purchase::Hp as usize]) * self.shop_hp;
        let keys: i64 = key.keys.iter().zip(prices.keys).map(|(count, price)| i64::from(*count) * price).sum();
        let bound = (sum + keys).div_euclid(PARTS) + self.goal.hp * (entry.hp + still);
        // Who wins has 1 HP at least.
        if bound < self.goal.hp.min(1) { i64::MIN } else { bound }
    }
}

/// Whether a sum of everything there is would be too large to be bounded in `i64`.
fn is_too_large<const W: usize>(space: &Space<W>, goal: Goal) -> bool {
    let tower = space.game.tower();
    let gains = (space.graph.areas.iter().map(|area| area.gain))
        .chain(space.graph.obstacles.iter().map(|obstacle| obstacle.gain));
    let most = space.most_purchases().map_or(i64::MAX, i64::from);
    let sold = tower.shop.map_or(0, |shop| [shop.hp, shop.atk, shop.def, shop.mdef].into_iter().max().unwrap_or(0));
    let mut sum = most.saturating_mul(sold);
    let hero = tower.hero;
    for quantity in gains
        .flat_map(|gain| gain.attributes.into_iter().chain([gain.hp]))
        .chain([hero.hp, hero.atk, hero.def, hero.mdef, hero.gold])
        .chain(space.graph.obstacles.iter().map(|obstacle| obstacle.gold))
    {
        sum = sum.saturating_add(quantity);
    }
    let weight = goal.attributes.into_iter().chain(goal.keys).chain([goal.hp]).fold(1, i64::saturating_add);
    sum.saturating_mul(weight) > TOO_LARGE
}

/// The purchases that may have been made by the end, and whether each is paid for as it is. Where there would be too
/// many to tell apart, one plan stands for all: as if all gold were spent on each thing that is for sale.
fn plans<const W: usize>(space: &Space<W>, root: &Place<W>) -> Result<(Vec<[u16; 4]>, bool), SolveError> {
    let most = space.most_purchases()?;
    let Some(shop) = space.game.tower().shop.as_ref().filter(|_| most > 0) else {
        return Ok((vec![root.key.purchases], false));
    };
    let made: u16 = root.key.purchases.iter().sum();
    let left = most.saturating_sub(made);
    let mut plans = vec![root.key.purchases];
    for purchase in Purchase::ALL.into_iter().filter(|purchase| shop.amount(*purchase) > 0) {
        for index in 0..plans.len() {
            let so_far: u16 = plans[index].iter().sum::<u16>() - made;
            for more in 1..=left - so_far {
                let mut plan = plans[index];
                plan[purchase as usize] += more;
                plans.push(plan);
                if plans.len() > MOST_PLANS {
                    let all = |purchase: Purchase| if shop.amount(purchase) > 0 { left } else { 0 };
                    let mut plan = root.key.purchases;
                    Purchase::ALL.iter().for_each(|purchase| plan[*purchase as usize] += all(*purchase));
                    return Ok((vec![plan], false));
                }
            }
        }
    }
    Ok((plans, true))
}

/// What the bound of one plan is made of.
struct Draft<'a, const W: usize> {
    space: &'a Space<W>,
    tree: &'a DominatorTree,
    goal: Goal,
    /// What each node gives, keys and gold apart, in parts; `NEVER` if it cannot be had.
    worth: Vec<i64>,
    /// Keys that each node gives, less those that it takes.
    keys: Vec<[i64; 4]>,
    gold: Vec<i64>,
    /// Nodes that must be passed to defeat the boss, itself included.
    forced: Vec<bool>,
    /// Nodes that are had once the boss has fallen, if not before.
    behind_boss: Vec<bool>,
    /// What the hero is worth already, in parts.
    held: i64,
    /// What the root's HP and the HP that the plan buys are worth, in parts.
    hp: i64,
    /// Keys held.
    keys_held: [i64; 4],
    /// Gold earned less gold that the plan needs; none if the plan needs not be paid exactly.
    gold_over: Option<i64>,
    /// The best upper part of each node's subtree, at the prices last weighed.
    best: Vec<i64>,
    /// The sum of that over each node's children.
    below: Vec<i64>,
    boss: usize,
}

impl<'a, const W: usize> Draft<'a, W> {
    fn new(
        space: &'a Space<W>,
        root: &Entry<W>,
        tree: &'a DominatorTree,
        goal: Goal,
        assumptions: &Assumptions,
        purchases: [u16; 4],
    ) -> Result<Self, SolveError> {
        let count = tree.parent.len();
        let boss = space.graph.obstacles.iter().position(|obstacle| obstacle.boss);
        let boss = boss.map_or(0, |index| tree.of_obstacle(index));
        let forced = forced(space, tree, boss);
        let now = space.attributes(&root.place)?;
        let bought = space.bought(&root.place.key.purchases)?;
        let planned = space.bought(&purchases)?;
        let hp = Purchase::Hp as usize;
        let planned_hp = purchases[hp] - root.place.key.purchases[hp];
        let base: [i64; 3] = std::array::from_fn(|index| now[index] - bought[index] + planned[index]);
        let weigh = |attributes: [i64; 3]| -> i64 {
            attributes.into_iter().zip(goal.attributes).map(|(points, weight)| points * weight * PARTS).sum()
        };
        let mut draft = Draft {
            space,
            tree,
            goal,
            worth: vec![0; count],
            keys: vec![[0; 4]; count],
            gold: vec![0; count],
            forced,
            behind_boss: behind_boss(space, tree, boss),
            held: weigh(base),
            hp: (root.hp + i64::from(planned_hp) * space.game.tower().shop.map_or(0, |shop| shop.hp)) * goal.hp * PARTS,
            keys_held: root.place.key.keys.map(i64::from),
            gold_over: None,
            best: vec![0; count],
            below: vec![0; count],
            boss,
        };
        let beyond = draft.attributes_beyond();
        let best: [i64; 3] = std::array::from_fn(|index| base[index] + beyond[0][index]);
        for &node in &tree.order[1..] {
            let node = node as usize;
            let gain = draft.gain(node);
            draft.worth[node] = goal.hp * gain.hp * PARTS + weigh(gain.attributes);
            draft.keys[node] = gain.keys.map(i64::from);
            if let Some(obstacle) = draft.obstacle(node) {
                let without: [i64; 3] = std::array::from_fn(|index| best[index] - beyond[node][index]);
                match least_damage(space, assumptions, without, obstacle) {
                    Some(damage) => draft.worth[node] -= goal.hp * damage * PARTS,
                    None => draft.worth[node] = NEVER,
                }
                let obstacle = &space.graph.obstacles[obstacle];
                draft.keys[node].iter_mut().zip(obstacle.price).for_each(|(keys, price)| *keys -= i64::from(price));
                draft.gold[node] = obstacle.gold;
            }
        }
        Ok(draft)
    }

    fn node_count(&self) -> usize {
        self.tree.parent.len()
    }

    fn obstacle(&self, node: usize) -> Option<usize> {
        node.checked_sub(1).filter(|index| *index < self.space.graph.obstacles.len())
    }

    fn gain(&self, node: usize) -> Gain {
        match self.obstacle(node) {
            Some(index) => self.space.graph.obstacles[index].gain,
            None => self.space.graph.areas[node - 1 - self.space.graph.obstacles.len()].gain,
        }
    }

    /// What each node's subtree gives to the attributes.
    fn attributes_beyond(&self) -> Vec<[i64; 3]> {
        let mut beyond = vec![[0; 3]; self.node_count()];
        for &node in self.tree.order[1..].iter().rev() {
            let node = node as usize;
            let own = self.gain(node).attributes;
            let up = self.tree.parent[node].map_or(0, |up| up as usize);
            for index in 0..3 {
                beyond[node][index] += own[index];
                beyond[up][index] += beyond[node][index];
            }
        }
        beyond
    }

    /// Finds the best upper parts at some prices; returns the sum at the root, keys held left out.
    fn weigh(&mut self, prices: &Prices) -> i64 {
        self.below.fill(0);
        let mut behind_boss = 0;
        for &node in self.tree.order[1..].iter().rev() {
            let node = node as usize;
            let below = if node == self.boss { behind_boss } else { self.below[node] };
            let whole = match self.worth[node] <= NEVER / 2 || below <= NEVER / 2 {
                true => NEVER,
                false => self.worth[node] + self.priced(node, prices) + below,
            };
            self.best[node] = if self.forced[node] { whole } else { whole.max(0) };
            let up = self.tree.parent[node].map_or(0, |up| up as usize);
            if self.behind_boss[node] {
                behind_boss += (self.worth[node] + self.priced(node, prices)).max(0);
            }
            let sum = &mut self.below[up];
            *sum = if *sum <= NEVER / 2 { NEVER } else { (*sum + self.best[node]).max(NEVER) };
        }
        let reached = self.tree.parent[self.boss].is_some();
        match reached && self.below[0] > NEVER / 2 {
            true => self.below[0] + self.held + self.gold_over.map_or(0, |over| over * prices.gold),
            false => NEVER,
        }
    }

    fn priced(&self, node: usize, prices: &Prices) -> i64 {
        let keys: i64 = self.keys[node].iter().zip(prices.keys).map(|(count, price)| count * price).sum();
        keys + self.gold[node] * prices.gold
    }

    /// What the HP and the keys of the root are worth, with the HP that the plan buys.
    fn at_hand(&self, prices: &Prices) -> i64 {
        let keys: i64 = self.keys_held.iter().zip(prices.keys).map(|(count, price)| count * price).sum();
        self.hp + keys
    }

    /// What clearing or opening a node adds to a state's sum, at the prices last weighed: it is no longer to come, what
    /// comes next is; attributes and gold are held from then on (HP and keys are counted with the state).
    fn change(&self, node: usize, prices: &Prices) -> i64 {
        if node == 0 || self.tree.parent[node].is_none() || self.worth[node] <= NEVER / 2 {
            return 0;
        }
        let attributes = self.gain(node).attributes.into_iter().zip(self.goal.attributes);
        let held: i64 = attributes.map(|(points, weight)| points * weight * PARTS).sum();
        self.below[node] - self.best[node] + held + self.gold[node] * prices.gold
    }

    /// Lowers the root's bound by changing one price at a time in ever smaller steps. The bound is convex in the
    /// prices, but has edges, so this need not find the lowest; any result is a bound.
    fn tune(&mut self) -> Prices {
        let least = Prices { keys: self.goal.keys.map(|weight| weight * PARTS), gold: 0 };
        let mut prices = least;
        let whole = |draft: &mut Self, prices: &Prices| draft.weigh(prices) + draft.at_hand(prices);
        let mut lowest = whole(self, &prices);
        let used: Vec<usize> = (0..5)
            .filter(|price| match price {
                4 => self.gold_over.is_some(),
                colour => self.keys.iter().any(|keys| keys[*colour] < 0),
            })
            .collect();
        let highest = self.worth.iter().filter(|worth| **worth > NEVER / 2).map(|worth| worth.abs()).max();
        let mut step = highest.unwrap_or(0).min(1024 * PARTS * self.goal.hp.max(1)).max(1);
        // Below 0 nothing can be won: every play that wins is worth at least 0.
        while step > 0 && lowest >= 0 {
            let mut moved = false;
            for &price in &used {
                for change in [step, -step] {
                    let mut tried = prices;
                    let (moving, bottom) = match price {
                        4 => (&mut tried.gold, 0),
                        colour => (&mut tried.keys[colour], least.keys[colour]),
                    };
                    *moving = (*moving + change).min(DEAREST).max(bottom);
                    let found = if tried == prices { lowest } else { whole(self, &tried) };
                    if found < lowest {
                        (lowest, prices, moved) = (found, tried, true);
                    }
                }
            }
            if !moved {
                step /= 2;
            }
        }
        prices
    }
}

/// Gold earned up to the root less what the purchases of a plan cost; none without a shop.
fn gold_over<const W: usize>(
    space: &Space<W>,
    root: &Entry<W>,
    purchases: &[u16; 4],
) -> Result<Option<i64>, SolveError> {
    let Some(shop) = space.game.tower().shop.as_ref().filter(|_| !space.shops.is_empty()) else { return Ok(None) };
    let made: u32 = root.place.key.purchases.iter().map(|count| u32::from(*count)).sum();
    let planned: u32 = purchases.iter().map(|count| u32::from(*count)).sum();
    let mut over = space.gold(&root.place)?;
    for count in made..planned {
        over = shop.price(count).and_then(|price| over.checked_sub(price)).ok_or_else(overflow)?;
    }
    Ok(Some(over))
}

/// The least that an obstacle's fights can take from a hero whose attributes are these or lower; none if they cannot
/// be won. A monster that costs more at higher attributes counts as harmless, or as a healer where there are such.
fn least_damage<const W: usize>(
    space: &Space<W>,
    assumptions: &Assumptions,
    [atk, def, mdef]: [i64; 3],
    index: usize,
) -> Option<i64> {
    let hero = Hero { hp: 1, atk, def, mdef, ..Hero::default() };
    let obstacle = &space.graph.obstacles[index];
    let steady = obstacle.parts.iter().all(|part| match part.kind {
        ObstacleKind::Monster(id) => assumptions.falls_with_attributes(id),
        _ => true,
    });
    if steady {
        return match space.damage_to(&hero, index) {
            Damage::Of(damage) => Some(damage),
            Damage::Unwinnable => None,
            Damage::Overflow => Some(0),
        };
    }
    let healing = if space.game.tower().rules.negative_damage { mdef } else { 0 };
    Some(-healing * obstacle.parts.len() as i64)
}
